// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "operators/average_pooling/desc.h"

#include "kernels/window/average.h"
#include "kernels/window/cpu/averages/strategies.h"
#include "operators/average_pooling/cases.h"
#include "operators/average_pooling/schema.h"
#include "tensor/explain.h"

namespace anydml::average_pooling {
namespace {

using window::average::Plan;

template <const schema::SlidingWindowFields& kFields, size_t kInclude>
Desc MakeDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.wide = arguments.tensor(kFields.wide),
          .narrow = arguments.tensor(kFields.narrow),
          .window = schema::ReadSlidingWindow(arguments, kFields),
          .include_padding = arguments.Uint(kInclude) != 0};
}

template <const schema::SlidingWindowFields& kFields, size_t kP>
Desc MakeNormDesc(const schema::Arguments& arguments, const DeviceOptions&) {
  return {.wide = arguments.tensor(kFields.wide),
          .narrow = arguments.tensor(kFields.narrow),
          .window = schema::ReadSlidingWindow(arguments, kFields),
          .include_padding = false,
          .p = arguments.Uint(kP)};
}

Plan MakePlan(const Desc& desc) {
  return {.data_type = desc.wide.data_type,
          .include_padding = desc.include_padding,
          .loop = MakeWindowLoop(desc.wide, desc.narrow, desc.window),
          .wide = PlaneStridesOf(desc.wide),
          .narrow = PlaneStridesOf(desc.narrow),
          .p = desc.p};
}

std::string Explain(const Plan& plan) {
  const bool chain = plan.Taps() <= window::average::kMaxChain;
  if (plan.p != 0) {
    return fmt::format("{}\nsums are {}; P = {}", anydml::Explain(plan.loop),
                       chain ? "chains" : "blocked", plan.p);
  }
  return fmt::format("{}\nsums are {}; padding {} in the divisor", anydml::Explain(plan.loop),
                     chain ? "chains" : "blocked",
                     plan.include_padding ? "counts" : "does not count");
}

template <void (*kReference)(const Desc&, const Bindings&)>
constexpr Kernel KernelOf(std::string_view name, std::span<const CpuStrategy> strategies) {
  return {.name = name,
          .data_types = kFloats,
          .preserves_nan_bits = false,
          .make_plan = ErasePlan<Desc, Plan, MakePlan>,
          .explain = EraseExplain<Plan, Explain>,
          .make_tables = WithoutTables,
          .reference = EraseReference<Desc, kReference>,
          .cpu_strategies = strategies};
}

constinit const Kernel kKernel =
    KernelOf<Reference>("average_pooling", window::average::kAverageStrategies);
constinit const Kernel kGradientKernel =
    KernelOf<GradientReference>("average_pooling_grad", window::average::kGradientStrategies);

}  // namespace

constinit const Definition kAveragePooling = {
    &kSchema,       EraseDesc<Desc, MakeDesc<kWindowFields, kIncludePadding>>, &kKernel, kCases, {},
    PoolingGradient};
constinit const Definition kAveragePooling1 = {
    &kSchema1,   EraseDesc<Desc, MakeDesc<kWindowFields1, kIncludePadding1>>,
    &kKernel,    kCases,
    kBenchCases, PoolingGradient};
constinit const Definition kAveragePoolingGrad = {
    &kGradientSchema,    EraseDesc<Desc, MakeDesc<kGradientWindowFields, kIncludePadding>>,
    &kGradientKernel,    kGradientCases,
    kGradientBenchCases, GradientOfGradient};
constinit const Definition kLpPooling = {
    &kLpSchema,  EraseDesc<Desc, MakeNormDesc<kWindowFields, kP>>, &kKernel, kLpCases, {},
    NormGradient};
constinit const Definition kLpPooling1 = {
    &kLpSchema1,   EraseDesc<Desc, MakeNormDesc<kWindowFields1, kP1>>,
    &kKernel,      kLpCases,
    kLpBenchCases, NormGradient};

}  // namespace anydml::average_pooling
