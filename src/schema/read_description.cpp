// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// From the caller's struct to Arguments: the only place that follows the
// pointers of a description.
#include <directml.h>

#include <algorithm>

#include "base/raw_value.h"
#include "base/text.h"
#include "schema/interpreter.h"
#include "schema/operator_names.h"
#include "schema/output_tensors.h"
#include "schema/problems.h"
#include "schema/settings.h"

namespace anydml::schema {
namespace {

template <typename T>
const T& MemberAt(const void* dml_desc, size_t offset) {
  return *reinterpret_cast<const T*>(static_cast<const char*>(dml_desc) + offset);
}

// T1, and as much of T4, T5 and T6 as reading the sizes needs. `fail` puts the tensor's
// name before its sentence.
template <typename Fail>
Status ReadTensor(const DML_TENSOR_DESC& tensor, const Fail& fail, TensorDesc& out) {
  if (RawValue(tensor.Type) != DML_TENSOR_TYPE_BUFFER) {
    return fail(
        fmt::format(".Type = {} must be DML_TENSOR_TYPE_BUFFER (1)", RawValue(tensor.Type)));
  }
  const auto* buffer = static_cast<const DML_BUFFER_TENSOR_DESC*>(tensor.Desc);
  if (buffer == nullptr) return fail(".Desc must not be null");
  if (buffer->DimensionCount < 1 || buffer->DimensionCount > kMaxDimensions) {
    return fail(fmt::format(".DimensionCount = {} must be 1 to {}", buffer->DimensionCount,
                            kMaxDimensions));
  }
  if (buffer->Sizes == nullptr) return fail(".Sizes must not be null");
  out.data_type = static_cast<DataType>(RawValue(buffer->DataType));
  out.flags = RawValue(buffer->Flags);
  out.dimension_count = buffer->DimensionCount;
  std::copy_n(buffer->Sizes, out.dimension_count, out.sizes.begin());
  out.has_strides = buffer->Strides != nullptr;
  if (out.has_strides) {
    std::copy_n(buffer->Strides, out.dimension_count, out.strides.begin());
  } else {
    out.strides = PackedStrides(out.Sizes());
  }
  out.total_bytes = buffer->TotalTensorSizeInBytes;
  out.base_offset_alignment = buffer->GuaranteedBaseOffsetAlignment;
  return {};
}

// A tensor, or an array of as many as the struct counts.
Status ReadTensors(const void* dml_desc, size_t i, AbsentOutputs absent, Arguments& arguments) {
  const Field& field = arguments.schema().fields[i];
  const bool may_be_null =
      field.optional || (absent == AbsentOutputs::kInferred && IsInferred(arguments.schema(), i));
  uint32_t count = 1;
  if (field.is_tensor_array()) {
    const Field& count_field = arguments.schema().fields[field.count_field];
    count = MemberAt<uint32_t>(dml_desc, count_field.offset);
    Status status = CheckTensorCount(arguments, count_field, count);
    if (!status.ok()) return status;
  }
  const auto* tensors = MemberAt<const DML_TENSOR_DESC*>(dml_desc, field.offset);
  if (tensors == nullptr) {
    if (may_be_null) return {};
    const std::string_view why =
        absent == AbsentOutputs::kInferred ? WhyRequired(arguments.schema(), i) : "";
    return arguments.Fail(fmt::format("{} must not be null{}", field.name, why));
  }
  if (field.is_tensor()) {
    const auto fail = [&](std::string_view rest) {
      return arguments.Fail(fmt::format("{}{}", field.name, rest));
    };
    return ReadTensor(*tensors, fail, arguments.at(i).tensor);
  }
  arguments.at(i).tensors.resize(count);
  for (uint32_t k = 0; k < count; ++k) {
    const auto fail = [&](std::string_view rest) {
      return arguments.Fail(fmt::format("{}[{}]{}", field.name, k, rest));
    };
    Status status = ReadTensor(tensors[k], fail, arguments.at(i).tensors[k]);
    if (!status.ok()) return status;
  }
  return {};
}

void CopyWords(const void* from, uint32_t words, FieldValue& out) {
  std::memcpy(out.words.data(), from, words * sizeof(uint32_t));
  out.count = words;
}

// T12. The count was compared with the tensors before, so it is at most 8. An array of no axes
// may be null (B78).
Status ReadArray(const Field& field, const void* dml_desc, Arguments& arguments, FieldValue& out) {
  const auto* array = MemberAt<const void*>(dml_desc, field.offset);
  if (arguments.Uint(field.count_field) == 0) return {};
  if (array == nullptr) {
    return arguments.Fail(fmt::format("{} must not be null", field.name));
  }
  CopyWords(array, arguments.Uint(field.count_field), out);
  return {};
}

Status ReadFused(const Field& field, const void* dml_desc, const Arguments& arguments,
                 FieldValue& out);

Status ReadAttribute(const Field& field, const void* dml_desc, Arguments& arguments,
                     FieldValue& out) {
  if (field.is_array()) return ReadArray(field, dml_desc, arguments, out);
  if (field.type == FieldType::kOperatorDesc) return ReadFused(field, dml_desc, arguments, out);
  if (field.type == FieldType::kScaleBias) {
    const auto* scale_bias = MemberAt<const DML_SCALE_BIAS*>(dml_desc, field.offset);
    if (scale_bias != nullptr) CopyWords(scale_bias, 2, out);
    return {};
  }
  const bool two = field.type == FieldType::kScalarUnion || field.type == FieldType::kSize2D;
  const uint32_t words = two ? 2 : 1;
  CopyWords(&MemberAt<uint32_t>(dml_desc, field.offset), words, out);
  if (field.type == FieldType::kDimensionCount) return CheckDimensionCount(arguments, field, out);
  if (field.type == FieldType::kAxisCount) return CheckAxisCount(arguments, field, out.words[0]);
  if (field.type == FieldType::kChannelCount) {
    return CheckChannelCount(arguments, field, out.words[0]);
  }
  return {};
}

// An operator that is applied to the result: its parameters, since it has no tensors of
// its own.
Status ReadFused(const Field& field, const void* dml_desc, const Arguments& arguments,
                 FieldValue& out) {
  const auto* desc = MemberAt<const DML_OPERATOR_DESC*>(dml_desc, field.offset);
  if (desc == nullptr) return {};
  const uint32_t type = RawValue(desc->Type);
  const OperatorSchema* schema = FindFused(field, type);
  if (schema == nullptr) {
    const std::string_view name = OperatorTypeName(type);
    return arguments.Fail(fmt::format("{}.Type = {} must be {}", field.name,
                                      name.empty() ? fmt::format("{}", type) : std::string(name),
                                      FusedNames(field)));
  }
  if (desc->Desc == nullptr) {
    return arguments.Fail(fmt::format("{}.Desc must not be null", field.name));
  }
  Arguments fused(*schema);
  for (size_t i = 0; i < schema->fields.size(); ++i) {
    const Field& member = schema->fields[i];
    if (!member.is_tensor()) {
      Status status = ReadAttribute(member, desc->Desc, fused, fused.at(i));
      if (!status.ok()) {
        return arguments.Fail(fmt::format("{}: {}", field.name, status.error().message));
      }
    } else if (MemberAt<const void*>(desc->Desc, member.offset) != nullptr) {
      return arguments.Fail(fmt::format("{}: {}: {} must be null, since the operator is fused",
                                        field.name, schema->name, member.name));
    }
  }
  out.description = std::make_shared<const Arguments>(std::move(fused));
  return {};
}

// What follows the tensors.
Result<Arguments> ReadAttributes(const void* dml_desc, FeatureLevel level, AbsentOutputs absent,
                                 Arguments arguments) {
  const OperatorSchema& schema = arguments.schema();
  Problems problems = FindTensorProblems(arguments, level, absent);
  if (!problems.empty()) return problems.front();
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    if (schema.fields[i].is_tensor() || schema.fields[i].is_tensor_array()) continue;
    Status status = ReadAttribute(schema.fields[i], dml_desc, arguments, arguments.at(i));
    if (status.ok()) status = CheckFusedLevel(arguments, i, level);
    if (!status.ok()) return status.error();
  }
  if (HasMissingOutputs(arguments)) {
    problems = CompleteOutputs(arguments, level);
    if (problems.empty()) problems = FindTensorProblems(arguments, level);
    if (!problems.empty()) return problems.front();
  }
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    if (!schema.fields[i].unknown_is_own || arguments.Uint(i) != 0) continue;
    const TensorDesc& tensor = arguments.tensor(schema.fields[i].tensor);
    arguments.at(i).words[0] = static_cast<uint32_t>(tensor.data_type);
  }
  problems = FindAttributeProblems(arguments, level);
  if (!problems.empty()) return problems.front();
  return arguments;
}

// Inputs are given by somebody else: the struct says only how many an array has.
Status CheckNoInput(const void* dml_desc, size_t i, const Arguments& arguments) {
  const Field& field = arguments.schema().fields[i];
  if (MemberAt<const void*>(dml_desc, field.offset) != nullptr) {
    return arguments.Fail(
        fmt::format("{} must be null, since the inputs are given apart", field.name));
  }
  if (!field.is_tensor_array()) return {};
  const Field& count_field = arguments.schema().fields[field.count_field];
  const auto count = MemberAt<uint32_t>(dml_desc, count_field.offset);
  if (count == arguments.at(i).tensors.size()) return {};
  return arguments.Fail(fmt::format("{} = {} must be the number of inputs that are given, {}",
                                    count_field.name, count, arguments.at(i).tensors.size()));
}

}  // namespace

Result<Arguments> ReadDescription(const OperatorSchema& schema, const void* dml_desc,
                                  FeatureLevel level, AbsentOutputs absent) {
  Arguments arguments(schema);
  if (dml_desc == nullptr) return arguments.Fail("the description must not be null");
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    if (!schema.fields[i].is_tensor() && !schema.fields[i].is_tensor_array()) continue;
    Status status = ReadTensors(dml_desc, i, absent, arguments);
    if (!status.ok()) return status.error();
  }
  return ReadAttributes(dml_desc, level, absent, std::move(arguments));
}

Result<Arguments> ReadDescription(const OperatorSchema& schema, const void* dml_desc,
                                  std::span<const TensorDesc> inputs, FeatureLevel level) {
  Arguments arguments(schema);
  if (dml_desc == nullptr) return arguments.Fail("the description must not be null");
  Status status = PutInputs(inputs, arguments);
  for (size_t i = 0; i < schema.fields.size() && status.ok(); ++i) {
    if (schema.fields[i].is_output()) {
      status = ReadTensors(dml_desc, i, AbsentOutputs::kInferred, arguments);
    } else if (schema.fields[i].is_input()) {
      status = CheckNoInput(dml_desc, i, arguments);
    }
  }
  if (!status.ok()) return status.error();
  return ReadAttributes(dml_desc, level, AbsentOutputs::kInferred, std::move(arguments));
}

}  // namespace anydml::schema
