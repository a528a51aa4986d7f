// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The contract of an operator on NVIDIA devices: the same plan and tables as on
// the CPU, strategies that launch kernels. A folder's cuda.cu holds one
// CudaKernel; kernels_cuda.cpp lists them.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "kernels/cuda_strategy.h"
#include "kernels/elementwise/cuda/fused.h"
#include "operators/operator.h"

namespace anydml {

struct CudaKernel {
  const Kernel* kernel;
  // The formula for a graph's chains, where the operator computes element by
  // element; null, or an empty answer, where it does not.
  std::optional<cuda::ElementStep> (*element_step)(const void* plan) = nullptr;
  // The tables in the current device's memory; null where there are none.
  Result<std::shared_ptr<const void>> (*upload_tables)(const void* plan, const void* tables);
  std::span<const CudaStrategy> strategies;  // best first; the last accepts everything
};

// One per folder; empty in a build without CUDA.
std::span<const CudaKernel* const> CudaKernels();
const CudaKernel* FindCudaKernel(const Kernel& kernel);

// An operator ready to run on one device.
struct CudaProgram {
  Operator op;
  const CudaKernel* kernel = nullptr;
  int ordinal = 0;
  std::shared_ptr<const void> plan;
  std::shared_ptr<const void> tables;  // on the device
  const CudaStrategy* strategy = nullptr;
  uint64_t temporary_bytes = 0;
  uint64_t table_bytes = 0;
};

// Takes the first strategy that accepts, or `forced`, whose refusal is then an
// error. `ordinal` is that of a cuda::DeviceInfo.
Result<CudaProgram> CompileForCuda(const Operator& op, int ordinal,
                                   const CudaStrategy* forced = nullptr);

// Puts the work on the stream, a stream of the program's device, and returns.
Status Launch(const CudaProgram& program, const Bindings& bindings, cuda::Stream stream);

// ---- Helpers for the folders, as in operator.h.

inline Result<std::shared_ptr<const void>> NoTablesToUpload(const void*, const void*) {
  return std::shared_ptr<const void>(std::make_shared<const NoTables>());
}

template <typename Plan, typename Tables, typename OnDevice,
          Result<OnDevice> (*kUpload)(const Plan&, const Tables&)>
Result<std::shared_ptr<const void>> UploadWith(const void* plan, const void* tables) {
  Result<OnDevice> uploaded =
      kUpload(*static_cast<const Plan*>(plan), *static_cast<const Tables*>(tables));
  if (!uploaded.ok()) return uploaded.error();
  return std::shared_ptr<const void>(std::make_shared<const OnDevice>(std::move(uploaded).value()));
}

}  // namespace anydml
