// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The contract of a strategy on NVIDIA devices: the plans of the CPU, tables in
// the device's memory, kernels that are launched on a stream.
#pragma once

#include "backends/cuda/runtime.h"
#include "kernels/strategy.h"

namespace anydml {

struct CudaStrategy {
  std::string_view name;  // what the data looks like
  Refusal (*accepts)(const void* plan);
  uint64_t (*temporary_bytes)(const void* plan);
  // Launches on the current device. `tables` are those of upload_tables.
  void (*run)(const void* plan, const void* tables, const Bindings&, cuda::Stream);
};

template <typename Plan, typename Tables>
struct CudaStrategyOf {
  using Accepts = Refusal (*)(const Plan&);
  using TemporaryBytes = uint64_t (*)(const Plan&);
  using Run = void (*)(const Plan&, const Tables&, const Bindings&, cuda::Stream);

  template <Accepts kAccepts, Run kRun, TemporaryBytes kTemporaryBytes = nullptr>
  static constexpr CudaStrategy Named(std::string_view name) {
    auto strategy = NamedStrategy<CudaStrategy, Plan, kAccepts, kTemporaryBytes>(name);
    strategy.run = [](const void* plan, const void* tables, const Bindings& bindings,
                      cuda::Stream stream) {
      kRun(*static_cast<const Plan*>(plan), *static_cast<const Tables*>(tables), bindings, stream);
    };
    return strategy;
  }
};

}  // namespace anydml
