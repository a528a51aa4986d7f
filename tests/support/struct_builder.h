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
  explicit StructBuilder(const schema::Arguments& arguments) { words_ = Build(arguments); }
  StructBuilder(const StructBuilder&) = delete;
  StructBuilder& operator=(const StructBuilder&) = delete;

  const void* desc() const { return words_.data(); }

  // Fills all that the struct consists of with ones, as memory that others have
  // taken over.
  void Overwrite();

 private:
  using Struct = std::vector<uint64_t>;  // aligned as the struct is

  Struct Build(const schema::Arguments& arguments);
  DML_TENSOR_DESC MakeTensor(const TensorDesc& tensor);
  const void* MakePointer(const schema::Field& field, const schema::FieldValue& value);
  const DML_OPERATOR_DESC* MakeOperator(const schema::Arguments& arguments);
  const uint32_t* Keep(std::span<const uint32_t> words);

  Struct words_;
  std::deque<std::vector<uint32_t>> arrays_;
  std::deque<DML_BUFFER_TENSOR_DESC> buffers_;
  std::deque<std::vector<DML_TENSOR_DESC>> tensors_;  // one, or those of an array
  std::deque<Struct> fused_;
  std::deque<DML_OPERATOR_DESC> operators_;
};

}  // namespace anydml::test
