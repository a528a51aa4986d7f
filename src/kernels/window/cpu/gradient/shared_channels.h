// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How the strategy shared_channels cuts its work. Knows nothing of vectors.
#pragma once

#include "kernels/strategy.h"
#include "kernels/window/cpu/window_tiles.h"
#include "kernels/window/plan.h"

namespace anydml::window::gradient {

// Columns times channels of a tile at most. The sums of rows that windows share
// are kept twice, before and after a row of windows, in the second-level cache.
inline constexpr int64_t kMaxTileSums = 8192;
inline constexpr int64_t kMaxTileChannels = 256;
inline constexpr int64_t kMaxSharedWindow = 3;
inline constexpr int64_t kMaxSharedRows = 1;
// What a block of windows hands to the next one of the same row.
inline constexpr int64_t kCarriedSums = kMaxTileChannels * kMaxSharedWindow * kMaxSharedRows;
inline constexpr int64_t kBlockWindows = 14;

// The padded coordinates of one remainder modulo the dilation along an axis:
// neighbours are one tap apart. Windows of such a walk see nothing else.
struct TapWalk {
  int64_t remainder = 0;
  int64_t step = 1;
  int64_t start_padding = 0;
  int64_t windows = 0;
  IndexRange inside;  // those that lie in the input

  TapWalk(const WindowAxis& axis, int64_t the_remainder)
      : remainder(the_remainder), step(axis.dilation), start_padding(axis.start_padding) {
    windows = Before(axis.output_size);
    inside = {Before(start_padding), Before(start_padding + axis.input_size)};
  }

  // How many lie before a padded coordinate.
  int64_t Before(int64_t padded) const {
    return padded <= remainder ? 0 : CeilDivideSigned(padded - remainder, step);
  }
  int64_t Input(int64_t at) const { return remainder + at * step - start_padding; }
  int64_t Window(int64_t number) const { return remainder + number * step; }
  IndexRange Within(IndexRange padded) const {
    return {std::max(inside.begin, Before(padded.begin)), std::min(inside.end, Before(padded.end))};
  }
};

// Units of rows, columns and channels; rows and columns are padded coordinates.
struct SharedChannels {
  const WindowAxis& height;
  const WindowAxis& width;
  cpu::Parts row_parts;
  cpu::Parts column_parts;
  cpu::Parts channel_parts;
  int64_t planes;
  int64_t channels;

  // What does not fill a part of the channels is the last one's.
  SharedChannels(const Plan& plan, int threads, cpu::Parts the_channel_parts, int64_t max_columns);
  int64_t Units() const {
    return planes * row_parts.count * column_parts.count * channel_parts.count;
  }
  uint64_t ElementsPerUnit() const {
    return static_cast<uint64_t>(row_parts.length * column_parts.length * channel_parts.length);
  }
};

struct ChannelTile {
  int64_t plane;  // batch and depth
  IndexRange rows;
  IndexRange columns;
  IndexRange channels;

  // The element offset of its plane and first channel in a tensor.
  int64_t Start(const Plan& plan, const PlaneStrides& strides) const {
    const int64_t depths = plan.loop.axes[WindowLoop::kDepth].input_size;
    return plane / depths * strides.batch + plane % depths * strides.spatial[WindowLoop::kDepth] +
           channels.begin;
  }
};

// How the strategy shared_channels cuts them.
SharedChannels SharedChannelsOf(const Plan& plan, int threads);

// Why channels cannot be the lanes of 16 sums at a time, if so.
Refusal AcceptsChannelsAsLanes(const Plan& plan);

ChannelTile TileAt(const SharedChannels& shared, int64_t number);

}  // namespace anydml::window::gradient
