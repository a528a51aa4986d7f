// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The way back: from Arguments to the DML_*_OPERATOR_DESC that a program would
// have written, by the offsets of the schema.
#pragma once

#include <directml.h>

#include <cstdint>
#include <deque>
#include <vector>

#include "schema/arguments.h"

namespace anydml::test {

// A description struct and everything that it points to.
class StructBuilder {
 public:
  explicit StructBuilder(const schema::Arguments& arguments);
  StructBuilder(const StructBuilder&) = delete;
  StructBuilder& operator=(const StructBuilder&) = delete;

  const void* desc() const { return words_.data(); }

  // Fills all that the struct consists of with ones, as memory that others have
  // taken over.
  void Overwrite();

 private:
  void SetTensor(const schema::Field& field, const TensorDesc& tensor);
  void SetAttribute(const schema::Field& field, const schema::FieldValue& value);
  void SetBytes(size_t offset, const void* from, size_t bytes);
  void SetPointer(const schema::Field& field, const void* pointer);
  const uint32_t* Keep(std::span<const uint32_t> words);

  std::vector<uint64_t> words_;  // aligned as the struct is
  std::deque<std::vector<uint32_t>> arrays_;
  std::deque<DML_BUFFER_TENSOR_DESC> buffers_;
  std::deque<DML_TENSOR_DESC> tensors_;
};

}  // namespace anydml::test
