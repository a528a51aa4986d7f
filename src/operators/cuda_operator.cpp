// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/cuda_operator.h"

#include <fmt/format.h>

#include <new>

#include "base/float_environment.h"

namespace anydml {
namespace {

const CudaStrategy* FirstThatAccepts(const CudaKernel& kernel, const void* plan) {
  for (const CudaStrategy& strategy : kernel.strategies) {
    if (strategy.accepts(plan).accepted()) return &strategy;
  }
  return nullptr;  // the last strategy accepts everything, which a test asserts
}

Result<CudaProgram> Compile(const Operator& op, const CudaKernel& kernel, int ordinal,
                            const CudaStrategy* forced) {
  const ScopedDefaultFloatEnvironment guard;
  const cuda::ScopedDevice device(ordinal);
  CudaProgram program;
  program.op = op;
  program.kernel = &kernel;
  program.ordinal = ordinal;
  program.plan = kernel.kernel->make_plan(op.desc.get());
  program.strategy = forced != nullptr ? forced : FirstThatAccepts(kernel, program.plan.get());
  const Refusal refusal = program.strategy->accepts(program.plan.get());
  if (!refusal.accepted()) {
    return Unsupported(fmt::format("{}: strategy {} does not take this description: {}",
                                   op.definition->schema->name, program.strategy->name,
                                   refusal.reason));
  }
  Result<std::shared_ptr<const void>> tables = kernel.kernel->make_tables(program.plan.get());
  if (!tables.ok()) return tables.error();
  if (kernel.kernel->table_bytes != nullptr) {
    program.table_bytes = kernel.kernel->table_bytes(tables.value().get());
  }
  tables = kernel.upload_tables(program.plan.get(), tables.value().get());
  if (!tables.ok()) return tables.error();
  program.tables = std::move(tables).value();
  program.temporary_bytes = program.strategy->temporary_bytes(program.plan.get());
  return program;
}

}  // namespace

const CudaKernel* FindCudaKernel(const Kernel& kernel) {
  for (const CudaKernel* candidate : CudaKernels()) {
    if (candidate->kernel == &kernel) return candidate;
  }
  return nullptr;
}

Result<CudaProgram> CompileForCuda(const Operator& op, int ordinal, const CudaStrategy* forced) {
  const std::string_view name = op.definition->schema->name;
  const CudaKernel* kernel = FindCudaKernel(*op.definition->kernel);
  if (kernel == nullptr) {
    return Unsupported(fmt::format("{}: this operator does not run on CUDA devices", name));
  }
  try {
    return Compile(op, *kernel, ordinal, forced);
  } catch (const std::bad_alloc&) {
    return OutOfMemoryNow(name, ": not enough memory to compile the operator");
  }
}

Status Launch(const CudaProgram& program, const Bindings& bindings, cuda::Stream stream) {
  const cuda::ScopedDevice device(program.ordinal);
  program.strategy->run(program.plan.get(), program.tables.get(), bindings, stream);
  Status status = cuda::LaunchStatus();
  if (status.ok()) return status;
  return Error{status.error().code,
               fmt::format("{}: {}", program.op.definition->schema->name, status.error().message)};
}

}  // namespace anydml
