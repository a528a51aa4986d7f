// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Operators on NVIDIA devices: the same plan and tables as on the CPU, strategies
// of libanydml_cuda.so. What a folder's cuda.cu has to fill in for that is in
// kernels/cuda_kernel.h.
#pragma once

#include <memory>
#include <optional>

#include "backends/cuda/runtime.h"
#include "kernels/cuda_kernel.h"
#include "operators/operator.h"

namespace anydml {

// By the kernel's name; null where it has none, and without libanydml_cuda.so.
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
  std::shared_ptr<const CudaProgram> activation;  // as in CpuProgram
};

// Takes the first strategy that accepts, or `forced`, whose refusal is then an
// error. `ordinal` is that of a cuda::DeviceInfo.
Result<CudaProgram> CompileForCuda(const Operator& op, int ordinal,
                                   const CudaStrategy* forced = nullptr);

// Puts the work on the stream, a stream of the program's device, and returns.
Status Launch(const CudaProgram& program, const Bindings& bindings, cuda::Stream stream);

// Its formula for a graph's chains, where it computes element by element.
std::optional<cuda::ElementStep> ElementStepOf(const CudaProgram& program);

}  // namespace anydml
