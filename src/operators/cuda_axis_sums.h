// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The CUDA strategies of every operator that is sums along axes.
#pragma once

#include <array>

#include "kernels/resample/cuda/axis_sums.h"
#include "operators/cuda_operator.h"

namespace anydml {

// Plan has `sums`, and its tables are AxisSumsTables.
template <typename Plan>
struct CudaAxisSums {
  using Tables = cuda::AxisSumsOnDevice;

  static Refusal AcceptsContiguousRows(const Plan& plan) {
    return {cuda::RefuseSumAxesOfRows(plan.sums)};
  }

  static uint64_t ContiguousRowsTemporaryBytes(const Plan& plan) {
    return cuda::SumAxesOfRowsTemporaryBytes(plan.sums);
  }

  static void RunContiguousRows(const Plan& plan, const Tables& tables, const Bindings& bindings,
                                cuda::Stream stream) {
    cuda::SumAxesOfRows(plan.sums, tables, bindings, stream);
  }

  static void RunStrided(const Plan& plan, const Tables& tables, const Bindings& bindings,
                         cuda::Stream stream) {
    cuda::SumAxesStrided(plan.sums, tables, bindings, stream);
  }

  static Result<Tables> Upload(const Plan& plan, const AxisSumsTables& tables) {
    return cuda::Upload(plan.sums, tables);
  }

  using Strategy = CudaStrategyOf<Plan, Tables>;
  static constexpr std::array<CudaStrategy, 2> kStrategies = {
      Strategy::template Named<AcceptsContiguousRows, RunContiguousRows,
                               ContiguousRowsTemporaryBytes>("contiguous_rows"),
      Strategy::template Named<AcceptsAll<Plan>, RunStrided>("strided"),
  };

  static constexpr CudaKernel KernelOf(const Kernel& kernel) {
    return {.kernel = &kernel,
            .upload_tables = UploadWith<Plan, AxisSumsTables, Tables, Upload>,
            .strategies = kStrategies};
  }
};

}  // namespace anydml
