// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One window that sees the whole plane, of more than 64 elements, channels side by side: blocked
// sums of strips of channels, by the kernels of reductions.
#include <algorithm>
#include <cmath>

#include "base/float16.h"
#include "kernels/reduce/cpu/block_kernels.h"
#include "kernels/window/cpu/averages/averages.h"

namespace anydml::window::average {
namespace {

constexpr int64_t kMostBlocks = 32;
constexpr auto kStrip = static_cast<int64_t>(reduce::kStrip);
constexpr int64_t kBlock = kBlockTerms;

void Put(float value, float* to) { *to = value; }
void Put(float value, Float16* to) { *to = ToFloat16(value); }

reduce::Partial PartialOf(uint32_t p) {
  return p == 0   ? reduce::Partial::kSum
         : p == 1 ? reduce::Partial::kSumOfAbsolutes
                  : reduce::Partial::kSumOfSquares;
}

struct Buffers {
  reduce::StripBuffer strip;
  alignas(64) float partials[kMostBlocks * kStrip];
  alignas(64) float sums[kStrip];
  int64_t offsets[kBlock];
};

// Where elements [first, first + count) of a plane lie.
void OffsetsOf(const Plan& plan, int64_t first, int64_t count, int64_t* offsets) {
  const auto& axes = plan.loop.axes;
  const int64_t heights = axes[1].input_size, widths = axes[2].input_size;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t d = (first + i) / widths / heights, h = (first + i) / widths % heights;
    offsets[i] = d * plan.wide.spatial[0] + h * plan.wide.spatial[1] +
                 (first + i) % widths * plan.wide.spatial[2];
  }
}

}  // namespace

Refusal AcceptsChannelPlanes(const Plan& plan) {
  for (const WindowAxis& axis : plan.loop.axes) {
    if (axis.output_size != 1 || axis.window_size != axis.input_size || axis.start_padding != 0 ||
        (axis.dilation != 1 && axis.window_size != 1)) {
      return {"a window does not see its whole plane"};
    }
  }
  if (plan.p > 2) return {"P is above 2"};
  if (plan.Taps() <= kMaxChain || plan.Taps() > TapCount{kMostBlocks} * kBlockTerms) {
    return {"a plane has up to 64 elements, or more than 2^17"};
  }
  if (plan.wide.channel != 1 || plan.loop.channels < 4) {
    return {"less than four channels lie side by side"};
  }
  return kAccepted;
}

void RunChannelPlanes(const Plan& plan, const NoTables&, const Bindings& bindings,
                      const cpu::Executor& executor) {
  const int64_t taps = plan.loop.InputPlaneSize(), channels = plan.loop.channels;
  const int64_t strips = (channels + kStrip - 1) / kStrip, blocks = (taps + kBlock - 1) / kBlock;
  const reduce::BlockKernel& kernel = reduce::FindBlockKernel(PartialOf(plan.p), plan.data_type);
  const float divisor = Divisor(plan, taps);
  DispatchType(TypeList<float, Float16>(), plan.data_type, [&]<typename T>() {
    const auto units = static_cast<uint64_t>(plan.loop.batches * strips);
    executor.ParallelFor(units, 1, [&](uint64_t begin, uint64_t end) {
      Buffers buffers;
      for (auto unit = static_cast<int64_t>(begin); unit < static_cast<int64_t>(end); ++unit) {
        const int64_t batch = unit / strips, first = unit % strips * kStrip;
        const auto lanes = static_cast<uint64_t>(std::min(kStrip, channels - first));
        const T* const x = bindings.Input<T>(0) + batch * plan.wide.batch + first;
        for (int64_t b = 0; b < blocks; ++b) {
          const int64_t count = std::min(kBlock, taps - b * kBlock);
          OffsetsOf(plan, b * kBlock, count, buffers.offsets);
          kernel.columns({}, x, buffers.offsets, static_cast<uint64_t>(count), lanes,
                         buffers.partials + b * kStrip, buffers.strip);
        }
        for (int64_t b = 0; b < blocks; ++b) buffers.offsets[b] = b * kStrip;
        kernel.combine_columns(buffers.partials, buffers.offsets, static_cast<uint64_t>(blocks),
                               lanes, buffers.sums, buffers.strip);
        T* const y =
            bindings.Output<T>(0) + batch * plan.narrow.batch + first * plan.narrow.channel;
        for (int64_t c = 0; c < static_cast<int64_t>(lanes); ++c) {
          const float sum = buffers.sums[c];
          Put(plan.p == 0 ? sum / divisor : RootOf(sum, plan.p), y + c * plan.narrow.channel);
        }
      }
    });
  });
}

}  // namespace anydml::window::average
