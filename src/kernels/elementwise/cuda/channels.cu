// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/elementwise/channels.h"
#include "kernels/elementwise/cuda/table.h"

namespace anydml::elementwise {
namespace {

template <size_t kStrategy>
Refusal Accepts(const ChannelPlan& plan) {
  return {kCudaKernel.strategies.data[kStrategy].refuses(&plan.channel).view()};
}

template <size_t kStrategy>
void Run(const ChannelPlan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  ForEachChannel(plan, bindings, [&](const Plan& channel, const Bindings& of_channel) {
    kCudaKernel.strategies.data[kStrategy].run(&channel, nullptr, &of_channel, stream);
  });
}

template <size_t kStrategy>
constexpr CudaStrategy Named(std::string_view name) {
  return CudaStrategyOf<ChannelPlan, NoTables>::Named<Accepts<kStrategy>, Run<kStrategy>>(name);
}

}  // namespace

constinit const CudaStrategy kCudaChannels[] = {Named<0>("packed_rows"), Named<1>("strided")};

}  // namespace anydml::elementwise
