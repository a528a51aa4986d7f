// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/cuda_operator.h"

#include <fmt/format.h>

#include <algorithm>
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

// On the host, then on the current device.
Status MakeTables(CudaProgram& program) {
  const Kernel& kernel = *program.op.definition->kernel;
  if (program.kernel->upload == nullptr) return {};
  Result<std::shared_ptr<const void>> tables = kernel.make_tables(program.plan.get());
  if (!tables.ok()) return tables.error();
  const TableSpans spans = kernel.table_spans(tables.value().get());
  if (kernel.table_bytes != nullptr) {
    program.table_bytes = kernel.table_bytes(tables.value().get());
  }
  cuda::Failure failure;
  const void* uploaded = program.kernel->upload(program.plan.get(), spans, &failure);
  if (uploaded == nullptr) return cuda::ErrorOf(failure);
  program.tables = std::shared_ptr<const void>(uploaded, program.kernel->free);
  return {};
}

Result<CudaProgram> Compile(const Operator& op, const CudaKernel& kernel, int ordinal,
                            const CudaStrategy* forced) {
  const ScopedDefaultFloatEnvironment guard;
  const cuda::ScopedDevice device(ordinal);
  CudaProgram program;
  program.op = op;
  program.kernel = &kernel;
  program.ordinal = ordinal;
  program.plan = op.definition->kernel->make_plan(op.desc.get());
  program.strategy = forced != nullptr ? forced : FirstThatAccepts(kernel, program.plan.get());
  const Refusal refusal = program.strategy->accepts(program.plan.get());
  if (!refusal.accepted()) {
    return Unsupported(fmt::format("{}: strategy {} does not take this description: {}",
                                   op.definition->schema->name, program.strategy->name.view(),
                                   refusal.reason));
  }
  Status status = MakeTables(program);
  if (!status.ok()) return status.error();
  program.temporary_bytes = program.strategy->temporary_bytes(program.plan.get());
  if (op.activation != nullptr) {
    Result<CudaProgram> activation = CompileForCuda(*op.activation, ordinal);
    if (!activation.ok()) return activation.error();
    program.temporary_bytes = std::max(program.temporary_bytes, activation.value().temporary_bytes);
    program.table_bytes += activation.value().table_bytes;
    program.activation = std::make_shared<const CudaProgram>(std::move(activation).value());
  }
  return program;
}

}  // namespace

const CudaKernel* FindCudaKernel(const Kernel& kernel) {
  const CudaKernelTable* loaded = LoadedCudaKernels();
  if (loaded == nullptr) return nullptr;
  const std::string_view name = kernel.cuda_name.empty() ? kernel.name : kernel.cuda_name;
  for (const CudaKernel* candidate : loaded->kernels) {
    if (candidate->name.view() == name) return candidate;
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
  program.strategy->run(program.plan.get(), program.tables.get(), &bindings, stream);
  Status status = cuda::LaunchStatus();
  if (status.ok() && program.activation != nullptr) {
    return Launch(*program.activation, ActivationBindings(bindings), stream);
  }
  if (status.ok()) return status;
  return Error{status.error().code,
               fmt::format("{}: {}", program.op.definition->schema->name, status.error().message)};
}

std::optional<cuda::ElementStep> ElementStepOf(const CudaProgram& program) {
  cuda::ElementStep step;
  auto* const find = program.kernel->element_step;
  if (program.activation != nullptr || find == nullptr || !find(program.plan.get(), &step))
    return std::nullopt;
  return step;
}

}  // namespace anydml
