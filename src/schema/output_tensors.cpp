// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "schema/output_tensors.h"

#include <fmt/format.h>

#include "base/float_environment.h"

namespace anydml::schema {
namespace {

using Kind = Constraint::Kind;

// The first required input that shares a property with the field; as many as there
// are fields when there is none.
size_t SharedWith(const OperatorSchema& schema, size_t field, Kind kind) {
  for (const Constraint& constraint : schema.constraints) {
    if (constraint.kind != kind || !constraint.fields.Contains(field)) continue;
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      const bool is_source =
          schema.fields[i].type == FieldType::kInputTensor && !schema.fields[i].optional;
      if (is_source && constraint.fields.Contains(i)) return i;
    }
  }
  return schema.fields.size();
}

bool FollowsFromConstraints(const OperatorSchema& schema, size_t field) {
  return schema.fields[field].type == FieldType::kOutputTensor &&
         SharedWith(schema, field, Kind::kSameDataType) != schema.fields.size() &&
         SharedWith(schema, field, Kind::kSameSizes) != schema.fields.size();
}

bool IsMissing(const Arguments& arguments, size_t field) {
  const Field& of = arguments.schema().fields[field];
  if (!of.is_output() || of.optional) return false;
  return of.is_tensor() ? !arguments.tensor(field).present() : arguments.at(field).tensors.empty();
}

}  // namespace

bool IsInferred(const OperatorSchema& schema, size_t field) {
  const Field& of = schema.fields[field];
  if (!of.is_output() || of.optional) return false;
  return schema.output_tensors != nullptr || FollowsFromConstraints(schema, field);
}

std::string_view WhyRequired(const OperatorSchema& schema, size_t field) {
  if (!schema.fields[field].is_output() || IsInferred(schema, field)) return "";
  return ", since its data type and sizes do not follow from the other fields";
}

Result<std::vector<TensorDesc>> OutputTensors(const Arguments& arguments) {
  const OperatorSchema& schema = arguments.schema();
  const ScopedDefaultFloatEnvironment guard;
  if (schema.output_tensors != nullptr) return schema.output_tensors(arguments);
  std::vector<TensorDesc> outputs;
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    if (schema.fields[i].type != FieldType::kOutputTensor) continue;
    TensorDesc& output = outputs.emplace_back();
    if (!FollowsFromConstraints(schema, i)) continue;
    output = PackedTensor(arguments.tensor(SharedWith(schema, i, Kind::kSameDataType)).data_type,
                          arguments.tensor(SharedWith(schema, i, Kind::kSameSizes)).Sizes());
  }
  return outputs;
}

Status StoreOutputSize(const Arguments& arguments, size_t output, uint32_t dimension, uint64_t size,
                       Dimensions& sizes) {
  sizes[dimension] = static_cast<uint32_t>(size);
  if (size <= kMaxElements) return {};
  return arguments.Fail(fmt::format("{}.Sizes[{}] = {} must be at most {}",
                                    arguments.TensorName(output), dimension, size, kMaxElements));
}

bool HasMissingOutputs(const Arguments& arguments) {
  for (size_t i = 0; i < arguments.schema().fields.size(); ++i) {
    if (IsMissing(arguments, i)) return true;
  }
  return false;
}

Problems CompleteOutputs(Arguments& arguments, FeatureLevel level) {
  if (!HasMissingOutputs(arguments)) return {};
  const auto fields = arguments.schema().fields;
  Problems problems = FindTensorProblems(arguments, level, AbsentOutputs::kInferred);
  if (problems.empty()) problems = FindTableProblems(arguments);
  if (!problems.empty()) return problems;
  Result<std::vector<TensorDesc>> inferred = OutputTensors(arguments);
  if (!inferred.ok()) return {inferred.error()};
  auto next = inferred.value().begin();
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!fields[i].is_output()) continue;
    const bool is_missing = IsMissing(arguments, i);
    const uint32_t count = fields[i].is_tensor() ? 1 : arguments.Uint(fields[i].count_field);
    if (is_missing && fields[i].is_tensor()) arguments.at(i).tensor = *next;
    if (is_missing && fields[i].is_tensor_array())
      arguments.at(i).tensors.assign(next, next + count);
    next += count;
  }
  return {};
}

}  // namespace anydml::schema
