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
#include "schema/problems.h"

namespace anydml::schema {
namespace {

template <typename T>
const T& MemberAt(const void* dml_desc, size_t offset) {
  return *reinterpret_cast<const T*>(static_cast<const char*>(dml_desc) + offset);
}

// T1, and as much of T4, T5 and T6 as reading the sizes needs.
Status ReadTensor(const Field& field, const void* dml_desc, Arguments& arguments, TensorDesc& out) {
  const auto* tensor = MemberAt<const DML_TENSOR_DESC*>(dml_desc, field.offset);
  if (tensor == nullptr) {
    if (field.optional) return {};
    return arguments.Fail(fmt::format("{} must not be null", field.name));
  }
  if (RawValue(tensor->Type) != DML_TENSOR_TYPE_BUFFER) {
    return arguments.Fail(fmt::format("{}.Type = {} must be DML_TENSOR_TYPE_BUFFER (1)", field.name,
                                      RawValue(tensor->Type)));
  }
  const auto* buffer = static_cast<const DML_BUFFER_TENSOR_DESC*>(tensor->Desc);
  if (buffer == nullptr) {
    return arguments.Fail(fmt::format("{}.Desc must not be null", field.name));
  }
  if (buffer->DimensionCount < 1 || buffer->DimensionCount > kMaxDimensions) {
    return arguments.Fail(fmt::format("{}.DimensionCount = {} must be 1 to {}", field.name,
                                      buffer->DimensionCount, kMaxDimensions));
  }
  if (buffer->Sizes == nullptr) {
    return arguments.Fail(fmt::format("{}.Sizes must not be null", field.name));
  }
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

void CopyWords(const void* from, uint32_t words, FieldValue& out) {
  std::memcpy(out.words.data(), from, words * sizeof(uint32_t));
  out.count = words;
}

// T12. The count was compared with the tensors before, so it is at most 8.
Status ReadArray(const Field& field, const void* dml_desc, Arguments& arguments, FieldValue& out) {
  const auto* array = MemberAt<const void*>(dml_desc, field.offset);
  if (array == nullptr) {
    return arguments.Fail(fmt::format("{} must not be null", field.name));
  }
  CopyWords(array, arguments.Uint(field.count_field), out);
  return {};
}

Status ReadAttribute(const Field& field, const void* dml_desc, Arguments& arguments,
                     FieldValue& out) {
  if (field.is_array()) return ReadArray(field, dml_desc, arguments, out);
  if (field.type == FieldType::kScaleBias) {
    const auto* scale_bias = MemberAt<const DML_SCALE_BIAS*>(dml_desc, field.offset);
    if (scale_bias != nullptr) CopyWords(scale_bias, 2, out);
    return {};
  }
  const uint32_t words = field.type == FieldType::kScalarUnion ? 2 : 1;
  CopyWords(&MemberAt<uint32_t>(dml_desc, field.offset), words, out);
  if (field.type == FieldType::kDimensionCount) return CheckDimensionCount(arguments, field, out);
  return {};
}

}  // namespace

Result<Arguments> ReadDescription(const OperatorSchema& schema, const void* dml_desc,
                                  FeatureLevel level) {
  Arguments arguments(schema);
  if (dml_desc == nullptr) return arguments.Fail("the description must not be null");
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    if (!schema.fields[i].is_tensor()) continue;
    Status status = ReadTensor(schema.fields[i], dml_desc, arguments, arguments.at(i).tensor);
    if (!status.ok()) return status.error();
  }
  Problems problems = FindTensorProblems(arguments, level);
  if (!problems.empty()) return problems.front();
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    if (schema.fields[i].is_tensor()) continue;
    Status status = ReadAttribute(schema.fields[i], dml_desc, arguments, arguments.at(i));
    if (!status.ok()) return status.error();
  }
  problems = FindAttributeProblems(arguments);
  if (!problems.empty()) return problems.front();
  return arguments;
}

}  // namespace anydml::schema
