// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "support/struct_builder.h"

#include <algorithm>
#include <cstring>

#include "base/checked_math.h"

namespace anydml::test {

using schema::Field;
using schema::FieldType;

StructBuilder::StructBuilder(const schema::Arguments& arguments)
    : words_(CeilDivide(arguments.schema().struct_size, sizeof(uint64_t))) {
  for (size_t i = 0; i < arguments.schema().fields.size(); ++i) {
    const Field& field = arguments.schema().fields[i];
    if (field.is_tensor()) {
      SetTensor(field, arguments.tensor(i));
    } else {
      SetAttribute(field, arguments.at(i));
    }
  }
}

void StructBuilder::Overwrite() {
  for (auto& array : arrays_) std::ranges::fill(array, 0xFFFFFFFFu);
  for (auto& buffer : buffers_) std::memset(&buffer, 0xFF, sizeof buffer);
  for (auto& tensor : tensors_) std::memset(&tensor, 0xFF, sizeof tensor);
  std::ranges::fill(words_, ~uint64_t{0});
}

void StructBuilder::SetTensor(const Field& field, const TensorDesc& tensor) {
  if (!tensor.present()) return;  // a null pointer
  DML_BUFFER_TENSOR_DESC& buffer = buffers_.emplace_back();
  buffer.DataType = static_cast<DML_TENSOR_DATA_TYPE>(tensor.data_type);
  buffer.Flags = static_cast<DML_TENSOR_FLAGS>(tensor.flags);
  buffer.DimensionCount = tensor.dimension_count;
  buffer.Sizes = Keep(tensor.Sizes());
  buffer.Strides = tensor.has_strides ? Keep(tensor.Strides()) : nullptr;
  buffer.TotalTensorSizeInBytes = tensor.total_bytes;
  buffer.GuaranteedBaseOffsetAlignment = tensor.base_offset_alignment;
  SetPointer(field, &tensors_.emplace_back(DML_TENSOR_DESC{DML_TENSOR_TYPE_BUFFER, &buffer}));
}

void StructBuilder::SetAttribute(const Field& field, const schema::FieldValue& value) {
  const std::span<const uint32_t> words(value.words.data(), value.count);
  if (field.is_array() || field.type == FieldType::kScaleBias) {
    if (value.count != 0) SetPointer(field, Keep(words));
  } else {
    SetBytes(field.offset, words.data(), words.size_bytes());
  }
}

void StructBuilder::SetBytes(size_t offset, const void* from, size_t bytes) {
  std::memcpy(reinterpret_cast<char*>(words_.data()) + offset, from, bytes);
}

void StructBuilder::SetPointer(const Field& field, const void* pointer) {
  SetBytes(field.offset, &pointer, sizeof pointer);
}

const uint32_t* StructBuilder::Keep(std::span<const uint32_t> words) {
  return arrays_.emplace_back(words.begin(), words.end()).data();
}

}  // namespace anydml::test
