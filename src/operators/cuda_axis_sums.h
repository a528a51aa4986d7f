// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The CUDA strategies of every operator that is sums along axes.
#pragma once

#include <array>
#include <memory>
#include <new>

#include "backends/cuda/cudart.h"
#include "kernels/cuda_kernel.h"
#include "kernels/resample/cuda/axis_sums.h"
#include "kernels/resample/table_spans.h"

namespace anydml {

// Plan has `sums`, and its tables are AxisSumsTables.
template <typename Plan>
struct CudaAxisSums {
  using Tables = cuda::AxisSumsOnDevice;

  static Refusal AcceptsContiguousRows(const Plan& plan) {
    return cuda::AcceptsSumAxesOfRows(plan.sums);
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

  static const void* Upload(const void* plan, cuda::Span<TableSpan> spans, cuda::Failure* failure) {
    try {
      auto tables = std::make_unique<Tables>();
      const AxisSums& sums = static_cast<const Plan*>(plan)->sums;
      if (!cuda::Upload(sums, TablesOf(spans.data), *tables, failure)) return nullptr;
      return tables.release();
    } catch (const std::bad_alloc&) {
      cuda::TellOutOfMemory(failure);
      return nullptr;
    }
  }

  static void Free(const void* tables) { delete static_cast<const Tables*>(tables); }

  using Strategy = CudaStrategyOf<Plan, Tables>;
  static constexpr std::array<CudaStrategy, 2> kStrategies = {
      Strategy::template Named<AcceptsContiguousRows, RunContiguousRows,
                               ContiguousRowsTemporaryBytes>("contiguous_rows"),
      Strategy::template Named<AcceptsAll<Plan>, RunStrided>("strided"),
  };

  static constexpr CudaKernel KernelNamed(std::string_view name) {
    return {.name = name, .strategies = kStrategies, .upload = Upload, .free = Free};
  }
};

}  // namespace anydml
