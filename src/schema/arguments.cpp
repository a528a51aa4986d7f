// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "schema/arguments.h"

#include <fmt/format.h>

namespace anydml::schema {

size_t Arguments::tensor_numbers() const {
  size_t count = values_.size();
  for (const FieldValue& value : values_) count += value.tensors.size();
  return count;
}

size_t Arguments::EntryNumber(size_t field, size_t entry) const {
  size_t number = values_.size() + entry;
  for (size_t i = 0; i < field; ++i) number += values_[i].tensors.size();
  return number;
}

size_t Arguments::FieldOf(size_t number) const {
  if (number < values_.size()) return number;
  size_t field = 0;
  for (size_t entry = number - values_.size(); entry >= values_[field].tensors.size(); ++field) {
    entry -= values_[field].tensors.size();
  }
  return field;
}

const TensorDesc& Arguments::ArrayEntry(size_t number) const {
  const size_t field = FieldOf(number);
  return values_[field].tensors[number - EntryNumber(field, 0)];
}

std::string Arguments::TensorName(size_t number) const {
  const size_t field = FieldOf(number);
  const std::string_view name = schema_->fields[field].name;
  if (number < values_.size()) return std::string(name);
  return fmt::format("{}[{}]", name, number - EntryNumber(field, 0));
}

std::vector<size_t> Arguments::NumbersOf(bool outputs) const {
  std::vector<size_t> numbers;
  for (size_t i = 0; i < values_.size(); ++i) {
    const Field& field = schema_->fields[i];
    if (!(outputs ? field.is_output() : field.is_input())) continue;
    if (field.is_tensor()) numbers.push_back(i);
    for (size_t k = 0; k < values_[i].tensors.size(); ++k) numbers.push_back(EntryNumber(i, k));
  }
  return numbers;
}

Error Arguments::Fail(std::string_view rest) const {
  return InvalidArgument(fmt::format("{}: {}", schema_->name, rest));
}

}  // namespace anydml::schema
