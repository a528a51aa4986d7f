// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Channels side by side, windows that share elements: a row of windows at a
// time, from memory to memory. Only the sums of rows that the next row of windows
// sees again are kept aside.
#include "kernels/window/cpu/gradient/shared_channels.h"

#include <tuple>

#include "kernels/window/cpu/gradient/dense_channels.h"
#include "kernels/window/cpu/gradient/lines.h"
#include "kernels/window/cpu/gradient/strategies.h"
#include "kernels/window/gradient.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/window/cpu/gradient/shared_channels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/window/cpu/gradient/shared_channels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::window::gradient {
namespace HWY_NAMESPACE {

template <typename T, int kSize, int kStride>
class ChannelTileWalk {
 public:
  ChannelTileWalk(const Plan& plan, const Bindings& bindings, const ChannelTile& tile,
                  float* scratch)
      : plan_(plan),
        x_(bindings.Input<T>(0) + tile.Start(plan, plan.input)),
        dy_(bindings.Input<T>(1) + tile.Start(plan, plan.input_gradient)),
        dx_(bindings.Output<T>(0) + tile.Start(plan, plan.output_gradient)),
        channels_(tile.channels.end - tile.channels.begin),
        carried_(scratch),
        sums_(scratch + kCarriedSums),
        stream_(ShouldStreamChannels(plan, dx_, sizeof(T) * hn::MaxLanes(Floats()), channels_)) {}

  void Run(const TapWalk& rows, const TapWalk& columns, const ChannelTile& tile) const {
    const IndexRange down = rows.Within(tile.rows), across = columns.Within(tile.columns);
    if (down.begin >= down.end || across.begin >= across.end) return;
    const int64_t kept = (across.end - across.begin) * cpu::WholeVectors(channels_) * kShared;
    Row row{columns, across};
    row.before = sums_;
    row.after = sums_ + kept;
    std::fill(row.before, row.before + kept, 0.0f);
    SetStrides(rows, row);
    for (int64_t w = FirstWindowOver(down); w <= (down.end - 1) / kStride; ++w) {
      SetRows(rows, down, w, row);
      RunRow(row);
      std::swap(row.before, row.after);
    }
  }

 private:
  using Row = WindowRowOf<T, kSize, kStride>;
  static constexpr int kShared = kSize - kStride;
  static_assert(kShared <= kMaxSharedRows && kSize <= kMaxSharedWindow);

  // The first of the windows that see the range.
  static int64_t FirstWindowOver(IndexRange range) {
    const int64_t start = range.begin - (kSize - 1);
    return start <= 0 ? 0 : CeilDivideSigned(start, kStride);
  }

  void SetStrides(const TapWalk& rows, Row& row) const {
    const auto& [x, dy, dx] =
        std::tie(plan_.input.spatial, plan_.input_gradient.spatial, plan_.output_gradient.spatial);
    const int64_t step = row.columns.step;
    row.x_stride = step * x[WindowLoop::kWidth];
    row.dy_stride = step * dy[WindowLoop::kWidth];
    row.dx_stride = step * dx[WindowLoop::kWidth];
    row.next_x = kStride * rows.step * x[WindowLoop::kHeight];
    row.next_dy = rows.step * dy[WindowLoop::kHeight];
    row.next_dx = kStride * rows.step * dx[WindowLoop::kHeight];
    row.sums_row = (row.tile.end - row.tile.begin) * Lanes();
    row.stream = stream_;
  }

  // The rows that row w of windows sees.
  void SetRows(const TapWalk& rows, IndexRange down, int64_t w, Row& row) const {
    const auto at = [&](auto* base, const PlaneStrides& strides, int64_t r, int64_t column) {
      return UncheckedOffset(base, r * strides.spatial[WindowLoop::kHeight] +
                                       column * strides.spatial[WindowLoop::kWidth]);
    };
    const int64_t column = row.columns.Input(0);  // may lie in padding
    const bool has_windows = w < rows.windows;
    row.whole = has_windows;
    for (int64_t r = 0; r < kSize; ++r) {
      const int64_t v = w * kStride + r;
      const bool inside = v >= rows.inside.begin && v < rows.inside.end;
      row.x[static_cast<size_t>(r)] = inside ? at(x_, plan_.input, rows.Input(v), column) : nullptr;
      row.whole = row.whole && inside;
    }
    for (int64_t r = 0; r < kStride; ++r) {
      const int64_t v = w * kStride + r;
      const bool kept = v >= down.begin && v < down.end;
      row.dx[static_cast<size_t>(r)] =
          kept ? at(dx_, plan_.output_gradient, rows.Input(v), column) : nullptr;
      row.whole = row.whole && kept;
    }
    row.dy = has_windows ? at(dy_, plan_.input_gradient, rows.Window(w), row.columns.Window(0))
                         : nullptr;
  }

  // In blocks of windows, so that all channels of a column are near each other
  // in time as they are in memory.
  void RunRow(Row& row) const {
    row.first = FirstWindowOver(row.tile);
    const int64_t end = (row.tile.end - 1) / kStride + 1;
    const int64_t inner_begin = std::min(end, CeilDivideSigned(row.tile.begin, kStride));
    const int64_t whole_end = row.tile.end < kSize ? 0 : (row.tile.end - kSize) / kStride + 1;
    const int64_t inner_end = row.whole ? std::min(row.columns.windows, whole_end) : 0;
    for (int64_t w = row.first; w < end;) {
      const bool inner = w >= inner_begin && w < inner_end;
      const int64_t most = inner ? inner_end : w < inner_begin ? inner_begin : end;
      const IndexRange block = {w, std::min(w + kBlockWindows, most)};
      RunBlock(row, block, inner);
      w = block.end;
    }
  }

  void RunBlock(const Row& row, IndexRange block, bool inner) const {
    const int64_t lanes = Lanes();
    ChannelsOfRow at = {0, 0, carried_};
    for (int64_t channel = 0; channel < channels_; channel += lanes) {
      at.channel = std::min(channel, channels_ - lanes);  // the last may overlap
      if (!ColumnWalk<PlainKeys<kSize>, T, kSize, kStride>(row, at).Run(block, inner)) {
        ColumnWalk<RuleKeys, T, kSize, kStride>(row, at).Run(block, false);
      }
      at.sums += row.sums_row * kShared;
      at.carried += kShared * kSize * lanes;
    }
  }

  const Plan& plan_;
  const T* const x_;
  const T* const dy_;
  T* const dx_;
  const int64_t channels_;
  float* const carried_;
  float* const sums_;
  const bool stream_;
};

template <typename T, int kSize, int kStride>
void RunTiles(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const SharedChannels shared = SharedChannelsOf(plan, executor.threads());
  executor.ParallelFor(
      static_cast<uint64_t>(shared.Units()),
      cpu::kElementsPerUnit / (kSize * shared.ElementsPerUnit()),
      [&](uint64_t begin, uint64_t end) HWY_ATTR {
        alignas(64) float scratch[kCarriedSums + 2 * kMaxSharedRows * kMaxTileSums];
        for (uint64_t number = begin; number < end; ++number) {
          const ChannelTile tile = TileAt(shared, static_cast<int64_t>(number));
          const ChannelTileWalk<T, kSize, kStride> walk(plan, bindings, tile, scratch);
          walk.Run(TapWalk(shared.height, 0), TapWalk(shared.width, 0), tile);
        }
        hwy::FlushStream();
      });
}

void RunSharedChannelsOn(const Plan& plan, const Bindings& bindings,
                         const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type,
               [&]<typename T>() HWY_ATTR { RunTiles<T, 3, 2>(plan, bindings, executor); });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::gradient
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::window::gradient {
namespace {

HWY_EXPORT(RunSharedChannelsOn);

}  // namespace

void RunSharedChannels(const Plan& plan, const NoTables&, const Bindings& bindings,
                       const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(RunSharedChannelsOn)(plan, bindings, executor);
}

namespace {

constexpr int64_t kMaxDilation = 64;
// So many parts of a few hundred are all longer than a vector.
constexpr int64_t kMaxChannels = 16384;

bool Is(const WindowAxis& axis, int64_t window_size, int64_t stride) {
  return axis.window_size == window_size && axis.stride == stride;
}

}  // namespace

SharedChannels::SharedChannels(const Plan& plan, int threads, cpu::Parts the_channel_parts,
                               int64_t max_columns)
    : height(plan.loop.axes[WindowLoop::kHeight]),
      width(plan.loop.axes[WindowLoop::kWidth]),
      column_parts(cpu::Parts::Of(width.input_size, max_columns)),
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
  cpu::Parts parts = cpu::Parts::Of(plan.loop.channels, kMaxTileChannels);
  parts.length = cpu::WholeVectors(parts.length);
  parts.count = CeilDivideSigned(plan.loop.channels, parts.length);
  // A neighbour's windows are looked at twice: the wider the better.
  return {plan, threads, parts, kMaxTileSums / parts.length};
}

// Whole vectors, so that no tile has less than one.
SharedChannels DenseChannels(const Plan& plan, int threads, int64_t lanes) {
  cpu::Parts parts = cpu::Parts::Of(plan.loop.channels / lanes, kMaxDenseVectors);
  parts.length *= lanes;
  return {plan, threads, parts, kMaxDenseColumns * plan.loop.axes[WindowLoop::kWidth].dilation};
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
  if (plan.loop.channels < cpu::kMaxLanes || plan.loop.channels > kMaxChannels) {
    return {"there are fewer than 16 or more than 16384 channels"};
  }
  const auto& [depth, height, width] = plan.loop.axes;
  if (!SeesOneSlice(depth)) return {"the window has a depth"};
  for (const WindowAxis* axis : {&height, &width}) {
    if (axis->dilation > kMaxDilation || axis->start_padding > axis->reach()) {
      return {"the dilation is too large, or whole rows of windows lie in padding"};
    }
  }
  return kAccepted;
}

Refusal AcceptsDenseChannels(const Plan& plan) {
  const auto& [depth, height, width] = plan.loop.axes;
  for (int64_t size : {3, 5}) {
    if (Is(height, size, 1) && Is(width, size, 1)) return AcceptsChannelsAsLanes(plan);
  }
  return {"the window is not 3x3 or 5x5 at stride 1"};
}

Refusal AcceptsSharedChannels(const Plan& plan) {
  const auto& [depth, height, width] = plan.loop.axes;
  if (!Is(height, 3, 2) || !Is(width, 3, 2) || height.dilation != 1 || width.dilation != 1) {
    return {"the window is not 3x3 at stride 2, or it is dilated"};
  }
  return AcceptsChannelsAsLanes(plan);
}

}  // namespace anydml::window::gradient
#endif  // HWY_ONCE
