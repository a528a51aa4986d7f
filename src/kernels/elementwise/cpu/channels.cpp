// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/elementwise/channels.h"

#include "kernels/elementwise/cpu/strategies.h"

namespace anydml::elementwise {
namespace {

template <size_t kStrategy>
Refusal Accepts(const ChannelPlan& plan) {
  return kCpuStrategies[kStrategy].accepts(&plan.channel);
}

template <size_t kStrategy>
void Run(const ChannelPlan& plan, const NoTables& none, const Bindings& bindings,
         const cpu::Executor& executor) {
  ForEachChannel(plan, bindings, [&](const Plan& channel, const Bindings& of_channel) {
    kCpuStrategies[kStrategy].run(&channel, &none, of_channel, executor);
  });
}

template <size_t kStrategy>
constexpr CpuStrategy Named(std::string_view name) {
  return StrategyOf<ChannelPlan, NoTables>::Named<Accepts<kStrategy>, Run<kStrategy>>(name);
}

}  // namespace

constinit const std::array<CpuStrategy, 3> kChannelStrategies = {
    Named<kPackedRows>("packed_rows"), Named<kPermuted>("permuted"), Named<kStrided>("strided")};

}  // namespace anydml::elementwise
