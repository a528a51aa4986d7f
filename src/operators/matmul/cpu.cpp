// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The kernels of GEMM and CONVOLUTION: sums of products.
#include <span>

#include "kernels/matmul/cpu/strategies.h"
#include "operators/matmul/plan.h"

namespace anydml::matmul {
namespace {

// g++ 12 with UndefinedBehaviorSanitizer takes no function of another file for a constant.
uint64_t PanelBytes(const ProductPlan& plan) { return cpu::PackedPanelsBytes(plan); }
uint64_t FactorBytes(const ProductPlan& plan) { return cpu::GroupLanesBytes(plan); }

using Strategy = StrategyOf<ProductPlan, NoTables>;
constexpr CpuStrategy kStrategies[] = {
    Strategy::Named<cpu::AcceptsSingleRows, cpu::RunSingleRows>("single_rows"),
    Strategy::Named<cpu::AcceptsGroupLanes, cpu::RunGroupLanes, FactorBytes>("group_lanes"),
    Strategy::Named<cpu::AcceptsPackedPanels, cpu::RunPackedPanels, PanelBytes>("packed_panels"),
    Strategy::Named<AcceptsAll<ProductPlan>, cpu::RunStridedProducts>("strided"),
};

template <typename Desc, ProductPlan (*kMakePlan)(const Desc&),
          void (*kReference)(const Desc&, const Bindings&)>
constexpr Kernel KernelNamed(std::string_view name, std::span<const CpuStrategy> strategies) {
  return {.name = name,
          .data_types = {DataType::kFloat32, DataType::kFloat16},
          .preserves_nan_bits = false,
          .make_plan = ErasePlan<Desc, ProductPlan, kMakePlan>,
          .explain = EraseExplain<ProductPlan, ExplainProducts>,
          .make_tables = WithoutTables,
          .reference = EraseReference<Desc, kReference>,
          .cpu_strategies = strategies,
          .cuda_name = "matmul"};
}

}  // namespace

// Matrices have no image.
constinit const Kernel kGemmKernel = KernelNamed<GemmDesc, MakeGemmPlan, GemmReference>(
    "gemm", std::span<const CpuStrategy>(kStrategies).subspan(2));
constinit const Kernel kConvolutionKernel =
    KernelNamed<ConvolutionDesc, MakeConvolutionPlan, ConvolutionReference>("convolution",
                                                                            kStrategies);

}  // namespace anydml::matmul
