// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The two strategies of every operator that is a formula per element.
#pragma once

#include <array>
#include <optional>

#include "kernels/cuda_kernel.h"
#include "kernels/elementwise/cuda/elementwise.cuh"

namespace anydml {

// Plan has `data_type` and `loop`; MakeFormula::Of<T>(plan) gives a trivially
// copyable function of the input elements.
template <typename Plan, typename Types, typename MakeFormula>
struct CudaElementwise {
  static Refusal AcceptsPackedRows(const Plan& plan) {
    return {cuda::RefusePackedRows(plan.loop, ElementSize(plan.data_type))};
  }

  static void RunPackedRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                            cuda::Stream stream) {
    DispatchType(Types(), plan.data_type, [&]<typename T>() {
      cuda::TransformPackedRows<T>(plan.loop, bindings, stream, MakeFormula::template Of<T>(plan));
    });
  }

  static void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                         cuda::Stream stream) {
    DispatchType(Types(), plan.data_type, [&]<typename T>() {
      cuda::TransformStrided<T>(plan.loop, bindings, stream, MakeFormula::template Of<T>(plan));
    });
  }

  using Strategy = CudaStrategyOf<Plan, NoTables>;
  static constexpr std::array<CudaStrategy, 2> kStrategies = {
      Strategy::template Named<AcceptsPackedRows, RunPackedRows>("packed_rows"),
      Strategy::template Named<AcceptsAll<Plan>, RunStrided>("strided"),
  };

  template <std::optional<cuda::ElementStep> (*kStep)(const Plan&) = nullptr>
  static constexpr CudaKernel KernelNamed(std::string_view name) {
    CudaKernel kernel = {.name = name, .strategies = kStrategies};
    if constexpr (kStep != nullptr) {
      kernel.element_step = [](const void* plan, cuda::ElementStep* step) {
        const std::optional<cuda::ElementStep> found = kStep(*static_cast<const Plan*>(plan));
        if (found) *step = *found;
        return found.has_value();
      };
    }
    return kernel;
  }
};

}  // namespace anydml
