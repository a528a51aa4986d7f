// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/operator.h"

#include <directml.h>
#include <fmt/format.h>

#include <new>

#include "backends/cpu/instruction_set.h"
#include "base/float_environment.h"
#include "base/raw_value.h"
#include "operators/registry.h"
#include "schema/interpreter.h"
#include "schema/operator_names.h"

namespace anydml {

static_assert(kMaxBindings > schema::kMaxArrayTensors, "an array of tensors must fit");

namespace {

// From arguments that were validated for the device.
Operator Describe(const Definition& definition, schema::Arguments arguments,
                  const DeviceOptions& options) {
  const ScopedDefaultFloatEnvironment guard;
  Operator op;
  op.definition = &definition;
  op.desc = definition.make_desc(arguments, options);
  op.arguments = std::make_shared<const schema::Arguments>(std::move(arguments));
  return op;
}

Error NotImplemented(uint32_t type) {
  const std::string_view name = schema::OperatorTypeName(type);
  if (name.empty() || type == DML_OPERATOR_INVALID) {
    return InvalidArgument(fmt::format("DML_OPERATOR_DESC.Type = {} is not an operator", type));
  }
  return Unsupported(fmt::format("{}: this operator is not implemented", name));
}

const CpuStrategy* FirstThatAccepts(const Kernel& kernel, const void* plan) {
  for (const CpuStrategy& strategy : kernel.cpu_strategies) {
    if (strategy.accepts(plan).accepted()) return &strategy;
  }
  return nullptr;  // the last strategy accepts everything, which a test asserts
}

}  // namespace

Result<const Definition*> FindDefinition(const DML_OPERATOR_DESC* dml_desc) {
  if (dml_desc == nullptr) return InvalidArgument("the DML_OPERATOR_DESC must not be null");
  const uint32_t type = RawValue(dml_desc->Type);
  if (const Definition* definition = FindOperator(type)) return definition;
  return NotImplemented(type);
}

Result<Operator> CreateOperator(const DML_OPERATOR_DESC* dml_desc, const DeviceOptions& options) {
  try {
    Result<const Definition*> definition = FindDefinition(dml_desc);
    if (!definition.ok()) return definition.error();
    Result<schema::Arguments> arguments =
        schema::ReadDescription(*definition.value()->schema, dml_desc->Desc, options.feature_level);
    if (!arguments.ok()) return arguments.error();
    return Describe(*definition.value(), std::move(arguments).value(), options);
  } catch (const std::bad_alloc&) {
    return OutOfMemoryNow("not enough memory to create the operator");
  }
}

Result<Operator> CreateOperator(const Definition& definition, schema::Arguments arguments,
                                const DeviceOptions& options) {
  try {
    Status status = schema::Validate(arguments, options.feature_level);
    if (!status.ok()) return status.error();
    return CreateValidated(definition, std::move(arguments), options);
  } catch (const std::bad_alloc&) {
    return OutOfMemoryNow("not enough memory to create the operator");
  }
}

Result<Operator> CreateValidated(const Definition& definition, schema::Arguments arguments,
                                 const DeviceOptions& options) {
  try {
    return Describe(definition, std::move(arguments), options);
  } catch (const std::bad_alloc&) {
    return OutOfMemoryNow("not enough memory to create the operator");
  }
}

Result<CpuProgram> Compile(const Operator& op, const CpuStrategy* forced) {
  const Kernel& kernel = *op.definition->kernel;
  const std::string_view name = op.definition->schema->name;
  if (!cpu::ProcessorProblem().empty()) return Unsupported(cpu::ProcessorProblem());
  try {
    // Coordinates are IEEE arithmetic (B7), whatever the application has set.
    const ScopedDefaultFloatEnvironment guard;
    CpuProgram program;
    program.op = op;
    program.plan = kernel.make_plan(op.desc.get());
    program.strategy = forced != nullptr ? forced : FirstThatAccepts(kernel, program.plan.get());
    const Refusal refusal = program.strategy->accepts(program.plan.get());
    if (!refusal.accepted()) {
      return Unsupported(fmt::format("{}: strategy {} does not take this description: {}", name,
                                     program.strategy->name, refusal.reason));
    }
    Result<std::shared_ptr<const void>> tables = kernel.make_tables(program.plan.get());
    if (!tables.ok()) return tables.error();
    program.tables = std::move(tables).value();
    program.temporary_bytes = program.strategy->temporary_bytes(program.plan.get());
    if (kernel.table_bytes != nullptr)
      program.table_bytes = kernel.table_bytes(program.tables.get());
    return program;
  } catch (const std::bad_alloc&) {
    return OutOfMemoryNow(name, ": not enough memory to compile the operator");
  }
}

Status Run(const CpuProgram& program, const Bindings& bindings, const cpu::Executor& executor) {
  try {
    program.strategy->run(program.plan.get(), program.tables.get(), bindings, executor);
    return {};
  } catch (const std::bad_alloc&) {
    return OutOfMemoryNow(program.op.definition->schema->name,
                          ": not enough memory to run the operator");
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kInternal,
                 fmt::format("{}: {}", program.op.definition->schema->name, exception.what())};
  }
}

}  // namespace anydml
