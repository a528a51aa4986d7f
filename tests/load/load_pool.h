// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The operators that the load test runs: the random descriptions of
// tests/reference_data with the results recorded there, each in a random layout;
// and the named cases of every version of every operator, with the results of the
// reference.
#pragma once

#include <deque>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "operators/operator.h"
#include "support/struct_builder.h"
#include "support/tensor_data.h"

namespace anydml::load {

// Shared by all threads; nothing in it changes.
class Entry {
 public:
  // With random inputs and what the reference makes of them.
  Entry(const Operator& op, std::mt19937& random);
  // With the given elements of every tensor, by field.
  Entry(const Operator& op, const std::vector<std::vector<uint8_t>>& elements);

  std::string name() const { return std::string(op_.definition->schema->name); }
  DML_OPERATOR_DESC desc() const;
  const void* const* inputs() const { return inputs_.data(); }
  // Empty ones, to be copied for an execution.
  const std::vector<test::TensorMemory>& outputs() const { return outputs_; }
  // What is wrong with them; empty when they are right.
  std::string FindDifference(std::span<const test::TensorMemory> outputs) const;

 private:
  const Operator op_;
  const test::StructBuilder builder_;
  std::deque<test::TensorMemory> input_memory_;
  std::vector<const void*> inputs_;
  std::vector<test::TensorMemory> outputs_;
  std::vector<std::vector<uint8_t>> expected_;  // elements of the outputs
};

// The outputs of one thread, kept from round to round as a program keeps its buffers, and
// from the start as long as those of any entry: so that what grows is the library's.
class KeptOutputs {
 public:
  explicit KeptOutputs(const std::deque<Entry>& pool);

  // Those of the entry, empty.
  std::span<test::TensorMemory> For(const Entry& entry);

 private:
  std::vector<test::TensorMemory> outputs_;
};

// Empty when the folder holds no data.
std::deque<Entry> MakePool(const std::filesystem::path& reference_data);

}  // namespace anydml::load
