// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A formula whose last number differs from channel to channel: the same plan once per channel.
#pragma once

#include "backends/bindings.h"
#include "kernels/elementwise/plan.h"

namespace anydml::elementwise {

inline constexpr size_t kMaxChannels = 3;

struct ChannelPlan {
  Plan channel;  // of the first one
  uint32_t count;
  std::array<float, kMaxChannels> biases;  // attribute 1 of each
  int64_t input_step;                      // bytes from a channel to the next
  int64_t output_step;
};

// Calls run(plan, bindings) for every channel.
template <class Run>
void ForEachChannel(const ChannelPlan& plan, const Bindings& bindings, const Run& run) {
  Plan channel = plan.channel;
  Bindings of_channel;
  for (uint32_t c = 0; c < plan.count; ++c) {
    channel.attributes.values[1] = MakeScalar(plan.biases[c]);
    of_channel.inputs[0] = bindings.Input<std::byte>(0) + c * plan.input_step;
    of_channel.outputs[0] = bindings.Output<std::byte>(0) + c * plan.output_step;
    run(std::as_const(channel), std::as_const(of_channel));
  }
}

}  // namespace anydml::elementwise
