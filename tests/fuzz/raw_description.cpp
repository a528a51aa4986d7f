// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "fuzz/raw_description.h"

#include <algorithm>
#include <cstring>

#include "base/checked_math.h"
#include "fuzz/valid_description.h"
#include "support/sparse_memory.h"

namespace anydml::test {

using schema::Field;
using schema::FieldType;

namespace {

constexpr uint32_t kLongestArray = 64;

// As long as a UINT can say: all zeros, and takes no memory.
const uint32_t* LongestArray() {
  static const SparseMemory memory((uint64_t{1} << 32) * sizeof(uint32_t));
  return memory.ok() ? static_cast<const uint32_t*>(memory.data()) : nullptr;
}

uint64_t EdgeLong(Bytes& bytes) {
  constexpr uint64_t kEdges[] = {0,
                                 1,
                                 4,
                                 16,
                                 0xFFFFFFFC,
                                 0xFFFFFFFF,
                                 0x100000000,
                                 0x3FFFFFFFC,
                                 0x7FFFFFFFFFFFFFFC,
                                 0x8000000000000000,
                                 0xFFFFFFFFFFFFFFFC,
                                 0xFFFFFFFFFFFFFFFF};
  const uint32_t kind = bytes.Below(std::size(kEdges) + 1);
  return kind < std::size(kEdges) ? kEdges[kind] : bytes.Long();
}

}  // namespace

RawDescription::RawDescription(const schema::Arguments& valid)
    : schema_(valid.schema()),
      fields_(schema_.fields.size()),
      type_(schema_.type),
      struct_(CeilDivide(schema_.struct_size, sizeof(uint64_t))) {
  for (size_t i = 0; i < fields_.size(); ++i) {
    const schema::FieldValue& value = valid.at(i);
    if (schema_.fields[i].is_tensor()) fields_[i].tensors = {Raw(value.tensor)};
    for (const TensorDesc& tensor : value.tensors) fields_[i].tensors.push_back(Raw(tensor));
    fields_[i].null = value.count == 0 && value.tensors.empty();
    fields_[i].words = value.words;
    if (value.description == nullptr) continue;
    fields_[i].null = false;
    fields_[i].fused = std::make_shared<RawDescription>(*value.description);
  }
}

RawDescription::RawTensor RawDescription::Raw(const TensorDesc& tensor) {
  return {.null = !tensor.present(),
          .strides_null = !tensor.has_strides,
          .data_type = static_cast<uint32_t>(tensor.data_type),
          .flags = tensor.flags,
          .count = tensor.dimension_count,
          .sizes = tensor.sizes,
          .strides = tensor.strides,
          .total_bytes = tensor.total_bytes,
          .alignment = tensor.base_offset_alignment};
}

void RawDescription::Break(Bytes& bytes) {
  if (bytes.Rarely()) return BreakOperator(bytes);
  const uint32_t i = bytes.Below(static_cast<uint32_t>(fields_.size()));
  const Field& field = schema_.fields[i];
  if (fields_[i].fused != nullptr && bytes.Flip()) return fields_[i].fused->Break(bytes);
  const bool breaks_array = field.is_tensor_array() && bytes.Rarely();
  if (breaks_array || (!field.is_input() && !field.is_output())) {
    return BreakAttribute(field, fields_[i], bytes);
  }
  const uint32_t kind = bytes.Byte();
  // The same to every tensor, so that rules between tensors do not hide the rest.
  const bool every = bytes.Flip();
  for (size_t k = 0; k < fields_.size(); ++k) {
    if (k != i && !every) continue;
    for (RawTensor& tensor : fields_[k].tensors) BreakTensor(tensor, kind, bytes);
  }
  for (int k = 0; k < 4; ++k) bytes.Byte();  // what the changes have looked at
}

void RawDescription::BreakTensor(RawTensor& tensor, uint32_t kind, Bytes bytes) {
  switch (kind % 12) {
    case 0:
      tensor.null = !tensor.null;
      break;
    case 1:
      tensor.type = EdgeWord(bytes);
      break;
    case 2:
      tensor.desc_null = true;
      break;
    case 3:
      tensor.data_type = bytes.Flip() ? bytes.Below(kDataTypeCount + 2) : EdgeWord(bytes);
      break;
    case 4:
      tensor.flags = EdgeWord(bytes);
      break;
    case 5:
      tensor.count = EdgeWord(bytes);
      break;
    case 6:
      tensor.sizes_null = true;
      break;
    case 7:
    case 8:
      tensor.sizes[bytes.Below(kMaxDimensions)] = EdgeWord(bytes);
      break;
    case 9:
      tensor.strides_null = bytes.Flip();
      tensor.strides[bytes.Below(kMaxDimensions)] = EdgeWord(bytes);
      break;
    case 10:
      tensor.total_bytes = EdgeLong(bytes);
      break;
    case 11:
      tensor.alignment = EdgeWord(bytes);
      break;
  }
}

void RawDescription::BreakAttribute(const Field& field, RawField& raw, Bytes& bytes) {
  const bool is_array = field.is_tensor_array() || field.type == FieldType::kOperatorDesc;
  const bool is_pointer = field.is_array() || field.type == FieldType::kScaleBias;
  if (is_array || (is_pointer && bytes.Rarely())) {
    raw.null = !raw.null;
    return;
  }
  const bool is_float = field.type == FieldType::kFloatArray || field.type == FieldType::kFloat ||
                        field.type == FieldType::kScaleBias;
  const uint32_t entries = is_pointer ? kMaxDimensions : 2;
  raw.words[bytes.Below(entries)] = is_float ? EdgeFloat(bytes) : EdgeWord(bytes);
}

void RawDescription::BreakOperator(Bytes& bytes) {
  if (bytes.Rarely()) {
    desc_null_ = true;
  } else if (bytes.Flip()) {
    type_ = bytes.Byte();
    // A struct of another operator would be read where this one ends.
    if (type_ != schema_.type) desc_null_ = true;
  } else {
    type_ = EdgeWord(bytes) | 0x10000;
  }
}

void RawDescription::MendTotalSizes() {
  for (RawField& field : fields_) {
    for (RawTensor& tensor : field.tensors) {
      if (tensor.count > kMaxDimensions || tensor.data_type >= kDataTypeCount) continue;
      const std::span<const uint32_t> sizes(tensor.sizes.data(), tensor.count);
      if (std::ranges::count(sizes, 0u) != 0) continue;
      const Dimensions strides = tensor.strides_null ? PackedStrides(sizes) : tensor.strides;
      tensor.total_bytes = MinimumTotalBytes(static_cast<DataType>(tensor.data_type), sizes,
                                             {strides.data(), tensor.count})
                               .value_or(tensor.total_bytes);
    }
  }
}

bool RawDescription::leaves_out_output() const {
  for (size_t i = 0; i < fields_.size(); ++i) {
    const Field& field = schema_.fields[i];
    const bool is_null =
        field.is_tensor_array() ? fields_[i].null : field.is_output() && fields_[i].tensors[0].null;
    if (field.is_output() && is_null) return true;
  }
  return false;
}

const DML_OPERATOR_DESC* RawDescription::Build() {
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (schema_.fields[i].is_input() || schema_.fields[i].is_output()) {
      PutTensors(schema_.fields[i], fields_[i]);
    } else {
      PutAttribute(schema_.fields[i], fields_[i]);
    }
  }
  std::memcpy(&desc_.Type, &type_, sizeof type_);
  desc_.Desc = desc_null_ ? nullptr : struct_.data();
  return &desc_;
}

void RawDescription::Put(size_t offset, const void* from, size_t size) {
  std::memcpy(reinterpret_cast<char*>(struct_.data()) + offset, from, size);
}

// Enumerations by memcpy: a number that is none of their enumerators is no value
// of theirs in C++, and a program in C has it all the same.
DML_TENSOR_DESC RawDescription::MakeTensor(const RawTensor& raw) {
  DML_BUFFER_TENSOR_DESC& buffer = buffers_.emplace_back();
  std::memcpy(&buffer.DataType, &raw.data_type, sizeof raw.data_type);
  std::memcpy(&buffer.Flags, &raw.flags, sizeof raw.flags);
  buffer.DimensionCount = raw.count;
  buffer.Sizes = raw.sizes_null ? nullptr : Keep(raw.sizes, raw.count);
  buffer.Strides = raw.strides_null ? nullptr : Keep(raw.strides, raw.count);
  buffer.TotalTensorSizeInBytes = raw.total_bytes;
  buffer.GuaranteedBaseOffsetAlignment = raw.alignment;
  DML_TENSOR_DESC tensor;
  std::memcpy(&tensor.Type, &raw.type, sizeof raw.type);
  tensor.Desc = raw.desc_null ? nullptr : &buffer;
  return tensor;
}

// An array as long as its count says, as far as a count is one: beyond the tensors that
// it has, tensors of type 0.
void RawDescription::PutTensors(const Field& field, const RawField& raw) {
  if (field.is_tensor_array() ? raw.null : raw.tensors[0].null) return;
  std::vector<DML_TENSOR_DESC> tensors;
  for (const RawTensor& tensor : raw.tensors) tensors.push_back(MakeTensor(tensor));
  if (field.is_tensor_array()) {
    tensors.resize(std::min(fields_[field.count_field].words[0], schema::kMaxArrayTensors));
    tensors.shrink_to_fit();
  }
  const DML_TENSOR_DESC* pointer = tensors_.emplace_back(std::move(tensors)).data();
  Put(field.offset, &pointer, sizeof pointer);
}

void RawDescription::PutAttribute(const Field& field, const RawField& raw) {
  if (field.type == FieldType::kOperatorDesc) {
    const DML_OPERATOR_DESC* fused =
        raw.null || raw.fused == nullptr ? nullptr : raw.fused->Build();
    return Put(field.offset, &fused, sizeof fused);
  }
  if (field.is_array() || field.type == FieldType::kScaleBias) {
    if (raw.null) return;
    const uint32_t count =
        field.type == FieldType::kScaleBias ? 2 : fields_[field.count_field].words[0];
    const uint32_t* pointer = Keep(raw.words, count);
    Put(field.offset, &pointer, sizeof pointer);
    return;
  }
  const bool wide = field.type == FieldType::kScalarUnion || field.type == FieldType::kSize2D;
  Put(field.offset, raw.words.data(), wide ? 8 : 4);
}

const uint32_t* RawDescription::Keep(const Dimensions& words, uint32_t count) {
  if (count > kLongestArray) return LongestArray();
  std::vector<uint32_t>& array = arrays_.emplace_back(words.begin(), words.end());
  array.resize(count, 1);
  array.shrink_to_fit();
  return array.data();
}

}  // namespace anydml::test
