// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Descriptions that are made by code: fields are set by their names, and what follows from
// others is filled in.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "base/result.h"
#include "schema/arguments.h"

namespace anydml::schema {

// A name that the schema does not have sets nothing; validation then misses the field.
class Settings {
 public:
  explicit Settings(const OperatorSchema& schema) : arguments_(schema) {}
  explicit Settings(Arguments arguments) : arguments_(std::move(arguments)) {}

  Settings& Uint(std::string_view field, uint32_t value) { return Uints(field, {&value, 1}); }
  Settings& Float(std::string_view field, float value);
  Settings& Uints(std::string_view field, std::span<const uint32_t> values);
  Settings& Ints(std::string_view field, std::span<const int32_t> values);
  // A scalar union of the type.
  Settings& Scalar(std::string_view field, DataType type, double value);
  Settings& ScaleBias(float scale, float bias);
  Settings& Tensor(std::string_view field, const TensorDesc& tensor);
  Settings& Tensors(std::string_view field, std::span<const TensorDesc> tensors);
  Settings& Fused(std::string_view field, const Settings& activation);
  // The value of a field of the same name in another description: of the forward operator,
  // say. An absent one sets nothing.
  Settings& Copy(const Arguments& from, std::initializer_list<std::string_view> fields);

  const Arguments& arguments() const { return arguments_; }

 private:
  FieldValue* Find(std::string_view field);

  Arguments arguments_;
};

// The number of a field; as many as there are fields when the schema has none of the name.
size_t FindField(const OperatorSchema& schema, std::string_view name);

// A number as the word of a field of the type.
uint32_t WordOf(FieldType type, double value);
// The bits of a number in a scalar union of the type.
uint64_t ScalarBits(DataType type, double value);

// Sets the input tensors, in binding order: an array of tensors takes what the single ones
// leave, and optional ones at the end may be left out.
Status PutInputs(std::span<const TensorDesc> inputs, Arguments& arguments);

// Fills in what is absent and follows: counts of dimensions, arrays and tensors, data types
// that must equal a tensor's, arrays and scalars that have a fallback. Input tensors are set.
void FillFallbacks(Arguments& arguments);

}  // namespace anydml::schema
