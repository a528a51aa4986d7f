// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "support/struct_builder.h"

#include <algorithm>
#include <cstring>

#include "base/checked_math.h"

namespace anydml::test {

using schema::Field;
using schema::FieldType;

void StructBuilder::Overwrite() {
  for (auto& array : arrays_) std::ranges::fill(array, 0xFFFFFFFFu);
  for (auto& buffer : buffers_) std::memset(&buffer, 0xFF, sizeof buffer);
  for (auto& array : tensors_) {
    for (auto& tensor : array) std::memset(&tensor, 0xFF, sizeof tensor);
  }
  for (auto& op : operators_) std::memset(&op, 0xFF, sizeof op);
  for (auto& words : fused_) std::ranges::fill(words, ~uint64_t{0});
  std::ranges::fill(words_, ~uint64_t{0});
}

StructBuilder::Struct StructBuilder::Build(const schema::Arguments& arguments) {
  Struct words(CeilDivide(arguments.schema().struct_size, sizeof(uint64_t)));
  const auto set = [&](size_t offset, const void* from, size_t bytes) {
    std::memcpy(reinterpret_cast<char*>(words.data()) + offset, from, bytes);
  };
  for (size_t i = 0; i < arguments.schema().fields.size(); ++i) {
    const Field& field = arguments.schema().fields[i];
    const schema::FieldValue& value = arguments.at(i);
    const bool is_pointer = field.is_input() || field.is_output() || field.is_array() ||
                            field.type == FieldType::kScaleBias ||
                            field.type == FieldType::kOperatorDesc;
    if (is_pointer) {
      const void* pointer = MakePointer(field, value);
      set(field.offset, &pointer, sizeof pointer);
    } else {
      set(field.offset, value.words.data(), value.count * sizeof(uint32_t));
    }
  }
  return words;
}

DML_TENSOR_DESC StructBuilder::MakeTensor(const TensorDesc& tensor) {
  DML_BUFFER_TENSOR_DESC& buffer = buffers_.emplace_back();
  buffer.DataType = static_cast<DML_TENSOR_DATA_TYPE>(tensor.data_type);
  buffer.Flags = static_cast<DML_TENSOR_FLAGS>(tensor.flags);
  buffer.DimensionCount = tensor.dimension_count;
  buffer.Sizes = Keep(tensor.Sizes());
  buffer.Strides = tensor.has_strides ? Keep(tensor.Strides()) : nullptr;
  buffer.TotalTensorSizeInBytes = tensor.total_bytes;
  buffer.GuaranteedBaseOffsetAlignment = tensor.base_offset_alignment;
  return {DML_TENSOR_TYPE_BUFFER, &buffer};
}

// Null for what is absent.
const void* StructBuilder::MakePointer(const Field& field, const schema::FieldValue& value) {
  if (field.type == FieldType::kOperatorDesc) {
    return value.description == nullptr ? nullptr : MakeOperator(*value.description);
  }
  if (field.is_array() || field.type == FieldType::kScaleBias) {
    return value.count == 0 ? nullptr : Keep({value.words.data(), value.count});
  }
  std::vector<DML_TENSOR_DESC> tensors;
  if (value.tensor.present()) tensors.push_back(MakeTensor(value.tensor));
  for (const TensorDesc& tensor : value.tensors) tensors.push_back(MakeTensor(tensor));
  return tensors.empty() ? nullptr : tensors_.emplace_back(std::move(tensors)).data();
}

const DML_OPERATOR_DESC* StructBuilder::MakeOperator(const schema::Arguments& arguments) {
  const Struct& words = fused_.emplace_back(Build(arguments));
  return &operators_.emplace_back(
      DML_OPERATOR_DESC{static_cast<DML_OPERATOR_TYPE>(arguments.schema().type), words.data()});
}

const uint32_t* StructBuilder::Keep(std::span<const uint32_t> words) {
  return arrays_.emplace_back(words.begin(), words.end()).data();
}

}  // namespace anydml::test
