// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One operator of the registry with everything that a program needs to create it
// through any interface and to see whether its results are right: made beforehand,
// so that running it takes no memory of the test's own.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <random>

#include "operators/registry.h"
#include "support/descriptions.h"
#include "support/struct_builder.h"
#include "support/tensor_data.h"

namespace anydml::faults {

class PreparedOperator {
 public:
  explicit PreparedOperator(const Operator& op) : builder_(*op.arguments), op_(op) {
    std::mt19937 random(20260101);
    for (size_t field : op.arguments->inputs()) {
      inputs_.emplace_back(op.arguments->tensor(field)).FillRandom(random);
    }
    for (size_t field : op.arguments->outputs()) {
      outputs_.emplace_back(op.arguments->tensor(field));
    }
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i].desc().present()) in[i] = inputs_[i].data();
    }
    for (size_t i = 0; i < outputs_.size(); ++i) {
      if (outputs_[i].desc().present()) out[i] = outputs_[i].data();
    }
    Expect();
  }

  const Operator& op() const { return op_; }
  DML_OPERATOR_DESC desc() const {
    return {static_cast<DML_OPERATOR_TYPE>(op_.definition->schema->type), builder_.desc()};
  }

  void ClearOutputs() {
    for (test::TensorMemory& output : outputs_) output.Clear();
  }
  // Whether the outputs are what they are when nothing fails.
  bool IsRight() {
    bool right = true;
    for (size_t i = 0; i < outputs_.size(); ++i) {
      right = right && outputs_[i].storage() == expected_[i];
    }
    return right;
  }

  const void* in[kMaxBindings] = {};
  void* out[kMaxBindings] = {};

 private:
  // On the calling thread: the process must be fit to be forked.
  void Expect() {
    const Result<CpuProgram> program = Compile(op_);
    test::TemporaryMemory temporary(program.value().temporary_bytes);
    Bindings bindings;
    std::copy(std::begin(in), std::end(in), bindings.inputs.begin());
    std::copy(std::begin(out), std::end(out), bindings.outputs.begin());
    bindings.temporary = temporary.data();
    static_cast<void>(Run(program.value(), bindings, cpu::Executor(1)).ok());
    for (test::TensorMemory& output : outputs_) expected_.push_back(output.storage());
    ClearOutputs();
  }

  test::StructBuilder builder_;
  Operator op_;
  std::deque<test::TensorMemory> inputs_;
  std::deque<test::TensorMemory> outputs_;
  std::vector<std::vector<uint8_t>> expected_;
};

// The first case of an operator, and the first ones that need tables or temporary
// memory.
inline std::vector<Operator> OperatorsToTry(const Definition& definition) {
  std::vector<Operator> chosen;
  bool has_tables = false, has_temporary = false;
  for (const Case& c : definition.cases) {
    const test::TypeAssignment types = test::AdmittedTypes(*definition.schema).front();
    const std::optional<schema::Arguments> arguments = test::Describe(*definition.schema, c, types);
    if (!arguments) continue;
    Result<Operator> op = CreateOperator(definition, *arguments, {});
    if (!op.ok()) continue;
    const Result<CpuProgram> program = Compile(op.value());
    if (!program.ok()) continue;
    const bool new_tables = !has_tables && program.value().table_bytes != 0;
    const bool new_temporary = !has_temporary && program.value().temporary_bytes != 0;
    if (!chosen.empty() && !new_tables && !new_temporary) continue;
    has_tables = has_tables || new_tables;
    has_temporary = has_temporary || new_temporary;
    chosen.push_back(std::move(op).value());
  }
  return chosen;
}

}  // namespace anydml::faults
