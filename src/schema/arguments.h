// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The values of one description, field by field, free of the caller's pointers.
// Made from a DML struct (interpreter.h), from JSON or from a test's case; read
// by the operators to make their Desc.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "schema/schema.h"
#include "tensor/tensor_desc.h"

namespace anydml::schema {

class Arguments;

// The value of a field: a tensor, an array of tensors, an operator, or up to eight
// 32-bit words (arrays and scalars one word per entry; a scalar union, a size and a
// scale and bias two words).
struct FieldValue {
  TensorDesc tensor;
  std::vector<TensorDesc> tensors;  // of an array of tensors
  uint32_t count = 0;               // words in use; 0 for an absent optional field
  std::array<uint32_t, kMaxDimensions> words = {};
  std::shared_ptr<const Arguments> description;  // null for an absent one; has no tensors
};

class Arguments {
 public:
  explicit Arguments(const OperatorSchema& schema)
      : schema_(&schema), values_(schema.fields.size()) {}

  const OperatorSchema& schema() const { return *schema_; }
  FieldValue& at(size_t field) { return values_[field]; }
  const FieldValue& at(size_t field) const { return values_[field]; }

  // Tensors are numbered. One that is a field of its own has the number of the field;
  // the entries of arrays of tensors follow, from the number of fields on, in the
  // order of the struct. A number of a field that is no tensor is of an absent one.
  size_t tensor_numbers() const;
  const TensorDesc& tensor(size_t number) const {
    return number < values_.size() ? values_[number].tensor : ArrayEntry(number);
  }
  TensorDesc& tensor(size_t number) {
    return const_cast<TensorDesc&>(std::as_const(*this).tensor(number));
  }
  size_t EntryNumber(size_t field, size_t entry) const;  // of an array of tensors
  size_t FieldOf(size_t number) const;
  std::string TensorName(size_t number) const;  // "OutputTensor", "InputTensors[2]"
  // The numbers in binding order: that of the struct, arrays expanded, absent optional
  // tensors included.
  std::vector<size_t> inputs() const { return NumbersOf(/*outputs=*/false); }
  std::vector<size_t> outputs() const { return NumbersOf(/*outputs=*/true); }

  uint32_t Uint(size_t field) const { return values_[field].words[0]; }
  float Float(size_t field) const { return std::bit_cast<float>(values_[field].words[0]); }
  bool IsPresent(size_t field) const { return values_[field].count != 0; }
  std::span<const uint32_t> Uints(size_t field) const {
    return {values_[field].words.data(), values_[field].count};
  }
  float FloatAt(size_t field, size_t i) const {
    return std::bit_cast<float>(values_[field].words[i]);
  }
  int32_t IntAt(size_t field, size_t i) const {
    return static_cast<int32_t>(values_[field].words[i]);
  }
  // The bytes of a scalar union.
  uint64_t Scalar(size_t field) const {
    uint64_t bytes = 0;
    std::memcpy(&bytes, values_[field].words.data(), sizeof bytes);
    return bytes;
  }

  // "MAX_POOLING_GRAD: <rest>"
  Error Fail(std::string_view rest) const;

 private:
  const TensorDesc& ArrayEntry(size_t number) const;
  std::vector<size_t> NumbersOf(bool outputs) const;

  const OperatorSchema* schema_;
  std::vector<FieldValue> values_;
};

// The operator of this type that a field of kind kOperatorDesc takes; null for another.
const OperatorSchema* FindFused(const Field& field, uint32_t type);
// The names of those that it takes: "ACTIVATION_ELU or ACTIVATION_RELU".
std::string FusedNames(const Field& field);

// The value of a field that is no tensor, as a C++ programmer writes it: "{2, 2}",
// "LINEAR", "1.5"; "none" for an absent optional one.
std::string ValueText(const Arguments& arguments, size_t field);

}  // namespace anydml::schema
