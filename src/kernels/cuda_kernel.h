// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The contract of a kernel on NVIDIA devices: the plans of the CPU, tables in the
// device's memory, strategies that launch on a stream. These structs cross the
// border between libanydml_cuda.so, which fills them, and libanydml.so, which
// reads them: they are plain (backends/cuda/interface.h), and a plan is trivially
// copyable and passed by its address.
//
// What a file cuda.cu writes:
//
//   using Strategy = CudaStrategyOf<Plan, NoTables>;
//   constexpr CudaStrategy kStrategies[] = {
//       Strategy::Named<AcceptsPackedRows, RunPackedRows>("packed_rows"),
//       Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
//   };
//   constinit const CudaKernel kCudaKernel = {.name = "slice", .strategies = kStrategies};
//
// and operators/kernels_cuda.cpp lists it. `name` is the name of the Kernel that it
// belongs to. The code is a part of libanydml_cuda.so, so it calls nothing that
// is compiled into libanydml.so alone: inline functions, and the sources that
// src/CMakeLists.txt gives to both.
#pragma once

#include <type_traits>

#include "backends/cuda/interface.h"
#include "kernels/elementwise/cuda/fused.h"
#include "kernels/strategy.h"
#include "tensor/strided_loop.h"

namespace anydml {

struct CudaStrategy {
  cuda::Text name;                          // what the data looks like
  cuda::Text (*refuses)(const void* plan);  // why it does not take the plan; empty: it does
  uint64_t (*temporary_bytes)(const void* plan);
  // Launches on the current device. `tables` are those of CudaKernel::upload.
  void (*run)(const void* plan, const void* tables, const Bindings* bindings, cuda::Stream stream);

  Refusal accepts(const void* plan) const { return {refuses(plan).view()}; }
};

struct CudaKernel {
  cuda::Text name;                      // Kernel::cuda_name, or Kernel::name
  cuda::Span<CudaStrategy> strategies;  // best first; the last accepts everything
  // Fills in the formula for a graph's chains, where the operator computes element
  // by element. Null, or false: it does not.
  bool (*element_step)(const void* plan, cuda::ElementStep* step) = nullptr;
  // Puts the arrays of Kernel::table_spans into the current device's memory. The
  // result, null after a failure, goes to `run` and at last to `free`. Both are
  // null for kernels without tables.
  const void* (*upload)(const void* plan, cuda::Span<TableSpan> tables,
                        cuda::Failure* failure) = nullptr;
  void (*free)(const void* uploaded) = nullptr;
};

// All that libanydml_cuda.so computes: what Interface::kernels points to.
struct CudaKernelTable {
  cuda::Span<const CudaKernel*> kernels;
  void (*run_fused)(const cuda::FusedChain* chain, cuda::Stream stream);
  void (*copy_elements)(const StridedLoop<2>* loop, uint32_t element_size, const void* from,
                        void* to, cuda::Stream stream);
};

// Null without the library. For libanydml.so.
const CudaKernelTable* LoadedCudaKernels();

template <typename T>
inline constexpr bool kIsPlain = std::is_trivially_copyable_v<T>&& std::is_standard_layout_v<T>;
static_assert(kIsPlain<CudaStrategy> && kIsPlain<CudaKernel> && kIsPlain<CudaKernelTable>);
static_assert(kIsPlain<Bindings> && kIsPlain<cuda::FusedChain> && kIsPlain<StridedLoop<2>>);

// ---- Helper for the folders: typed functions behind a strategy's pointers.

template <typename Plan, typename Tables>
struct CudaStrategyOf {
  static_assert(std::is_trivially_copyable_v<Plan>);
  using Accepts = Refusal (*)(const Plan&);
  using TemporaryBytes = uint64_t (*)(const Plan&);
  using Run = void (*)(const Plan&, const Tables&, const Bindings&, cuda::Stream);

  template <Accepts kAccepts, Run kRun, TemporaryBytes kTemporaryBytes = nullptr>
  static constexpr CudaStrategy Named(std::string_view name) {
    CudaStrategy strategy = {};
    strategy.name = name;
    strategy.refuses = [](const void* plan) {
      return cuda::Text(kAccepts(*static_cast<const Plan*>(plan)).reason);
    };
    strategy.temporary_bytes = [](const void* plan) -> uint64_t {
      if constexpr (kTemporaryBytes == nullptr) {
        return 0;
      } else {
        return kTemporaryBytes(*static_cast<const Plan*>(plan));
      }
    };
    strategy.run = [](const void* plan, const void* tables, const Bindings* bindings,
                      cuda::Stream stream) {
      if constexpr (std::is_same_v<Tables, NoTables>) {
        kRun(*static_cast<const Plan*>(plan), NoTables(), *bindings, stream);
      } else {
        kRun(*static_cast<const Plan*>(plan), *static_cast<const Tables*>(tables), *bindings,
             stream);
      }
    };
    return strategy;
  }
};

}  // namespace anydml
