// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Which plans the strategies dense_channels and shared_channels take, and their tiles.
#include "operators/max_pooling_grad/dense_channels.h"
#include "operators/max_pooling_grad/shared_channels.h"
#include "operators/max_pooling_grad/strategies.h"

namespace anydml::max_pooling_grad {
namespace {

constexpr int64_t kMostDilation = 64;
// So many parts of a few hundred are all longer than a vector.
constexpr int64_t kMostChannels = 16384;

bool Is(const WindowAxis& axis, int64_t window_size, int64_t stride) {
  return axis.window_size == window_size && axis.stride == stride;
}

}  // namespace

SharedChannels::SharedChannels(const Plan& plan, int threads, cpu::Parts the_channel_parts,
                               int64_t most_columns)
    : height(plan.loop.axes[WindowLoop::kHeight]),
      width(plan.loop.axes[WindowLoop::kWidth]),
      column_parts(cpu::Parts::Of(width.input_size, most_columns)),
      channel_parts(the_channel_parts),
      planes(plan.loop.batches * plan.loop.axes[WindowLoop::kDepth].input_size),
      channels(plan.loop.channels) {
  const int64_t tiles = planes * column_parts.count * channel_parts.count;
  const int64_t wanted = threads == 1 ? 1 : CeilDivideSigned(int64_t{4} * threads, tiles);
  const int64_t least = 4 * (height.reach() + 1);
  row_parts = cpu::Parts::Of(height.input_size,
                             std::max(CeilDivideSigned(height.input_size, wanted), least));
}

SharedChannels SharedChannelsOf(const Plan& plan, int threads) {
  cpu::Parts parts = cpu::Parts::Of(plan.loop.channels, kMostTileChannels);
  parts.length = cpu::WholeVectors(parts.length);
  parts.count = CeilDivideSigned(plan.loop.channels, parts.length);
  // A neighbour's windows are looked at twice: the wider the better.
  return {plan, threads, parts, kMostTileSums / parts.length};
}

// Whole vectors, so that no tile has less than one.
SharedChannels DenseChannels(const Plan& plan, int threads, int64_t lanes) {
  cpu::Parts parts = cpu::Parts::Of(plan.loop.channels / lanes, kMostDenseVectors);
  parts.length *= lanes;
  return {plan, threads, parts, kMostDenseColumns * plan.loop.axes[WindowLoop::kWidth].dilation};
}

ChannelTile TileAt(const SharedChannels& shared, int64_t number) {
  cpu::Digits digits{number};
  const auto padded = [&](const cpu::Parts& parts, const WindowAxis& axis) {
    const IndexRange part = digits.NextPart(parts, axis.input_size);
    return IndexRange{part.begin + axis.start_padding, part.end + axis.start_padding};
  };
  ChannelTile tile;
  tile.channels = digits.NextPart(shared.channel_parts, shared.channels);
  if (tile.channels.begin + shared.channel_parts.length ==
      shared.channel_parts.count * shared.channel_parts.length) {
    tile.channels.end = shared.channels;
  }
  tile.columns = padded(shared.column_parts, shared.width);
  tile.rows = padded(shared.row_parts, shared.height);
  tile.plane = digits.number;
  return tile;
}

Refusal AcceptsChannelsAsLanes(const Plan& plan) {
  if (plan.input.channel != 1 || plan.input_gradient.channel != 1 ||
      plan.output_gradient.channel != 1) {
    return {"channels do not lie side by side in every tensor"};
  }
  if (plan.loop.channels < cpu::kMostLanes || plan.loop.channels > kMostChannels) {
    return {"there are fewer than 16 or more than 16384 channels"};
  }
  const auto& [depth, height, width] = plan.loop.axes;
  if (!SeesOneSlice(depth)) return {"the window has a depth"};
  for (const WindowAxis* axis : {&height, &width}) {
    if (axis->dilation > kMostDilation || axis->start_padding > axis->reach()) {
      return {"the dilation is too large, or whole rows of windows lie in padding"};
    }
  }
  return kAccepted;
}

Refusal AcceptsDenseChannels(const Plan& plan) {
  const auto& [depth, height, width] = plan.loop.axes;
  for (int64_t size : {2, 3, 5}) {
    if (Is(height, size, 1) && Is(width, size, 1)) return AcceptsChannelsAsLanes(plan);
  }
  return {"the window is not 2x2, 3x3 or 5x5 at stride 1"};
}

Refusal AcceptsSharedChannels(const Plan& plan) {
  const auto& [depth, height, width] = plan.loop.axes;
  if (!Is(height, 3, 2) || !Is(width, 3, 2) || height.dilation != 1 || width.dilation != 1) {
    return {"the window is not 3x3 at stride 2, or it is dilated"};
  }
  return AcceptsChannelsAsLanes(plan);
}

}  // namespace anydml::max_pooling_grad
