// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/operator.h"

#include <directml.h>
#include <fmt/format.h>

#include <algorithm>
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

Operator Describe(const Definition& definition, schema::Arguments arguments,
                  const DeviceOptions& options);

// Null where the description fuses nothing.
std::shared_ptr<const Operator> DescribeActivation(const schema::Arguments& arguments,
                                                   const DeviceOptions& options) {
  for (size_t i = 0; i < arguments.schema().fields.size(); ++i) {
    const schema::Arguments* fused = arguments.at(i).description.get();
    if (fused == nullptr) continue;
    schema::Arguments complete = *fused;
    const TensorDesc& tensor = arguments.tensor(arguments.outputs()[0]);
    complete.tensor(complete.inputs()[0]) = tensor;
    complete.tensor(complete.outputs()[0]) = tensor;
    const Definition* definition = FindOperator(fused->schema().type);
    return std::make_shared<const Operator>(Describe(*definition, std::move(complete), options));
  }
  return nullptr;
}

// From arguments that were validated for the device.
Operator Describe(const Definition& definition, schema::Arguments arguments,
                  const DeviceOptions& options) {
  const ScopedDefaultFloatEnvironment guard;
  Operator op;
  op.definition = &definition;
  op.desc = definition.make_desc(arguments, options);
  op.activation = DescribeActivation(arguments, options);
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
    if (op.activation != nullptr) {
      Result<CpuProgram> activation = Compile(*op.activation);
      if (!activation.ok()) return activation.error();
      program.temporary_bytes =
          std::max(program.temporary_bytes, activation.value().temporary_bytes);
      program.table_bytes += activation.value().table_bytes;
      program.activation = std::make_shared<const CpuProgram>(std::move(activation).value());
    }
    return program;
  } catch (const std::bad_alloc&) {
    return OutOfMemoryNow(name, ": not enough memory to compile the operator");
  }
}

Status Run(const CpuProgram& program, const Bindings& bindings, const cpu::Executor& executor) {
  try {
    program.strategy->run(program.plan.get(), program.tables.get(), bindings, executor);
    if (program.activation == nullptr) return {};
    return Run(*program.activation, ActivationBindings(bindings), executor);
  } catch (const std::bad_alloc&) {
    return OutOfMemoryNow(program.op.definition->schema->name,
                          ": not enough memory to run the operator");
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kInternal,
                 fmt::format("{}: {}", program.op.definition->schema->name, exception.what())};
  }
}

void RunReference(const Operator& op, const Bindings& bindings) {
  op.definition->kernel->reference(op.desc.get(), bindings);
  if (op.activation != nullptr) RunReference(*op.activation, ActivationBindings(bindings));
}

Bindings ActivationBindings(const Bindings& bindings) {
  Bindings activation;
  activation.inputs[0] = bindings.outputs[0];
  activation.outputs[0] = bindings.outputs[0];
  activation.temporary = bindings.temporary;
  return activation;
}

bool HasRows(const CpuProgram& program) {
  if (program.strategy->run_row == nullptr) return false;
  return program.activation == nullptr || HasRows(*program.activation);
}

void RunRow(const CpuProgram& program, const Bindings& bindings, uint64_t count) {
  program.strategy->run_row(program.plan.get(), program.tables.get(), bindings, count);
  if (program.activation != nullptr) {
    RunRow(*program.activation, ActivationBindings(bindings), count);
  }
}

}  // namespace anydml
