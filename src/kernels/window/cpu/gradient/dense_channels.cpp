// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Channels side by side, windows at stride 1: bands of rows. Who won is a bit per
// window and channel; the bits of many windows are combined at once, then the
// gradients are added from memory to memory.
#include "kernels/window/cpu/gradient/dense_channels.h"

#include "kernels/window/cpu/gradient/lines.h"
#include "kernels/window/cpu/gradient/strategies.h"
#include "kernels/window/gradient.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/window/cpu/gradient/dense_channels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/window/cpu/gradient/dense_channels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::window::gradient {
namespace HWY_NAMESPACE {

// Buffers of a thread.
template <int kSize>
struct DenseScratch {
  DenseVector<kSize> vectors[kMaxDenseVectors + 1];
  Contests columns[kRingRows];
  Won<kSize> won[kDenseRows];
  MaskRow valid;
};

// The rows of one remainder and the columns of one, within a tile.
struct DenseWalk {
  ChannelTile tile;
  TapWalk rows;
  TapWalk columns;
  IndexRange down() const { return rows.Within(tile.rows); }
  IndexRange across() const { return columns.Within(tile.columns); }
};

template <typename T, int kSize>
class DenseTileWalk {
 public:
  DenseTileWalk(const Plan& plan, const Bindings& bindings, const ChannelTile& tile,
                DenseScratch<kSize>& scratch)
      : plan_(plan),
        x_(bindings.Input<T>(0) + tile.Start(plan, plan.input)),
        dy_(bindings.Input<T>(1) + tile.Start(plan, plan.input_gradient)),
        dx_(bindings.Output<T>(0) + tile.Start(plan, plan.output_gradient)),
        channels_(tile.channels.end - tile.channels.begin),
        scratch_(scratch),
        stream_(ShouldStreamChannels(plan, dx_, sizeof(T) * hn::MaxLanes(Floats()), channels_)) {}

  // `next` is what the thread does after this.
  void Run(const DenseWalk& walk, const DenseWalk& next) {
    const TapWalk& rows = walk.rows;
    down_ = walk.down();
    const IndexRange across = walk.across();
    if (down_.begin >= down_.end || across.begin >= across.end) return;
    SetColumns(walk.columns, across);
    SetAhead(walk, next);
    const int64_t first = FirstWindowOver(down_.begin);
    for (int64_t c = 0; c * Lanes() < channels_; ++c) {
      DenseVector<kSize>& state = scratch_.vectors[c];
      state.plain = true;
      for (auto& sums : state.sums) std::fill(std::begin(sums), std::end(sums), 0.0f);
      const IndexRange carried = {first, first + kSize - 1};
      if (!Find<PlainKeys<2>>(rows, carried, c)) Find<RuleKeys>(rows, carried, c);
    }
    for (int64_t w = first; w < down_.end; w += kDenseRows) {
      const IndexRange band = {w, std::min(w + kDenseRows, down_.end)};
      for (int64_t c = 0; c * Lanes() < channels_; ++c) RunBand(rows, band, c);
    }
  }

 private:
  // From a row to the one that is asked for meanwhile, a band further. Past the
  // walk's last row those of the next walk follow.
  struct RowAhead {
    int64_t end;
    int64_t within;
    int64_t beyond;
    int64_t From(int64_t row) const { return row + kDenseRows < end ? within : beyond; }
  };

  void SetAhead(const DenseWalk& walk, const DenseWalk& next) {
    const auto ahead = [&](const PlaneStrides& strides, bool windows) {
      const auto start = [&](const DenseWalk& of) {
        int64_t row = of.down().begin, column = of.across().begin;
        row = windows ? of.rows.Window(FirstWindowOver(row)) : of.rows.Input(row);
        column = windows ? of.columns.Window(FirstWindowOver(column)) : of.columns.Input(column);
        return of.tile.Start(plan_, strides) + row * strides.spatial[WindowLoop::kHeight] +
               column * strides.spatial[WindowLoop::kWidth];
      };
      const int64_t step = walk.rows.step * strides.spatial[WindowLoop::kHeight];
      const int64_t begin = windows ? FirstWindowOver(down_.begin) : down_.begin;
      const int64_t end = windows ? std::min(down_.end, walk.rows.windows) : down_.end;
      return RowAhead{end, kDenseRows * step,
                      start(next) - start(walk) + (kDenseRows - (end - begin)) * step};
    };
    next_x_ = ahead(plan_.input, false);
    next_dy_ = ahead(plan_.input_gradient, true);
    next_dx_ = ahead(plan_.output_gradient, false);
  }

  // The first of the windows that see a row or column.
  static int64_t FirstWindowOver(int64_t v) { return std::max<int64_t>(0, v - (kSize - 1)); }

  // Column 0 of the tile is the first that any of its windows sees.
  void SetColumns(const TapWalk& columns, IndexRange across) {
    const int64_t before = across.begin - (kSize - 1);
    step_ = columns.step;
    column_ = columns.Input(before);
    window_ = columns.Window(before);
    elements_ = across.end - across.begin;
    seen_ = elements_ + 2 * (kSize - 1);
    inside_ = {columns.inside.begin - before, columns.inside.end - before};
    windows_ = {std::max<int64_t>(0, -before), std::min(columns.windows, across.end) - before};
    for (int64_t t = 0; t < kMaskCells; ++t) {
      const int64_t window = t - (kSize - 1);
      const bool valid = window >= windows_.begin && window < windows_.end;
      scratch_.valid.cell[t] = valid ? 0xFFFF : 0;
    }
  }

  // The last vector may overlap the one before.
  int64_t Channel(int64_t c) const { return std::min(c * Lanes(), channels_ - Lanes()); }

  DenseRow<T> InputRow(const TapWalk& rows, int64_t v, int64_t channel) const {
    const auto& [depth, height, width] = plan_.input.spatial;
    const bool inside = v >= rows.inside.begin && v < rows.inside.end;
    return {
        inside ? UncheckedOffset(x_, rows.Input(v) * height + column_ * width + channel) : nullptr,
        step_ * width, next_x_.From(v), inside_, seen_};
  }

  // Whether these keys suffice.
  template <class Keys>
  bool Find(const TapWalk& rows, IndexRange range, int64_t c) const {
    Keys keys;
    DenseVector<kSize>& state = scratch_.vectors[c];
    for (int64_t v = range.begin; v < range.end; ++v) {
      FindWalk<Keys, T, kSize>(state, v, scratch_.columns[v % kRingRows], keys)
          .Run(InputRow(rows, v, Channel(c)));
    }
    if (!keys.AreRight()) {
      state.plain = false;
      return false;
    }
    for (int64_t v = range.begin; v < range.end; ++v) {
      CombineColumns(scratch_.columns[v % kRingRows], seen_, v % kRingRows, state);
    }
    return true;
  }

  void RunBand(const TapWalk& rows, IndexRange band, int64_t c) const {
    DenseVector<kSize>& state = scratch_.vectors[c];
    const IndexRange fresh = {band.begin + kSize - 1, band.end + kSize - 1};
    if (!state.plain) {
      Find<RuleKeys>(rows, fresh, c);
    } else if (!Find<PlainKeys<2>>(rows, fresh, c)) {
      // What was kept are elements as they are: begin anew.
      Find<RuleKeys>(rows, {band.begin, fresh.end}, c);
    }
    for (int64_t w = band.begin; w < std::min(band.end, rows.windows); ++w) {
      CombineRows(state, w + kSize - 1, scratch_.valid, seen_, scratch_.won[w - band.begin]);
    }
    SumWalk<T, kSize>(Band(rows, band, Channel(c)), state).Run();
  }

  DenseBand<T, kSize> Band(const TapWalk& rows, IndexRange range, int64_t channel) const {
    const PlaneStrides &dy = plan_.input_gradient, &dx = plan_.output_gradient;
    DenseBand<T, kSize> band{};
    band.rows = range.end - range.begin;
    band.won = scratch_.won;
    band.dy_stride = step_ * dy.spatial[WindowLoop::kWidth];
    band.dx_stride = step_ * dx.spatial[WindowLoop::kWidth];
    band.windows = windows_;
    band.columns = elements_;
    band.stream = stream_;
    const int64_t column = column_ + (kSize - 1) * step_;
    for (int64_t w = range.begin; w < range.end; ++w) {
      const auto j = static_cast<size_t>(w - range.begin);
      band.next_dy[j] = next_dy_.From(w);
      band.next_dx[j] = next_dx_.From(w);
      if (w < rows.windows) {
        band.dy[j] = UncheckedOffset(dy_, rows.Window(w) * dy.spatial[WindowLoop::kHeight] +
                                              window_ * dy.spatial[WindowLoop::kWidth] + channel);
      }
      if (w >= down_.begin) {
        band.dx[j] = UncheckedOffset(dx_, rows.Input(w) * dx.spatial[WindowLoop::kHeight] +
                                              column * dx.spatial[WindowLoop::kWidth] + channel);
      }
    }
    return band;
  }

  const Plan& plan_;
  const T* const x_;
  const T* const dy_;
  T* const dx_;
  const int64_t channels_;
  DenseScratch<kSize>& scratch_;
  const bool stream_;
  RowAhead next_x_{}, next_dy_{}, next_dx_{};
  IndexRange down_{};     // rows of elements
  IndexRange inside_{};   // of the tile's columns, those of the input
  IndexRange windows_{};  // of the tile's windows, those that there are
  int64_t step_ = 1;
  int64_t column_ = 0, window_ = 0;  // the tile's first; may lie outside
  int64_t elements_ = 0;             // columns of elements
  int64_t seen_ = 0;                 // columns that their windows see
};

template <typename T, int kSize>
void RunDenseTiles(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const SharedChannels shared = DenseChannels(plan, executor.threads(), Lanes());
  executor.ParallelFor(static_cast<uint64_t>(shared.Units()),
                       cpu::kElementsPerUnit / (kSize * shared.ElementsPerUnit()),
                       [&](uint64_t begin, uint64_t end) HWY_ATTR {
                         DenseScratch<kSize> scratch;
                         const int64_t across = shared.width.dilation,
                                       walks = across * shared.height.dilation;
                         const auto at = [&](uint64_t number) {
                           const auto walk = static_cast<int64_t>(number);
                           return DenseWalk{TileAt(shared, walk / walks),
                                            TapWalk(shared.height, walk % walks / across),
                                            TapWalk(shared.width, walk % across)};
                         };
                         const auto steps = static_cast<uint64_t>(walks);
                         const uint64_t last = static_cast<uint64_t>(shared.Units()) * steps - 1;
                         for (uint64_t number = begin * steps; number < end * steps; ++number) {
                           const DenseWalk walk = at(number);
                           // A thread mostly goes on with the next piece.
                           DenseTileWalk<T, kSize>(plan, bindings, walk.tile, scratch)
                               .Run(walk, at(std::min(number + 1, last)));
                         }
                         hwy::FlushStream();
                       });
}

void DenseChannelsOf(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const WindowAxis& height = plan.loop.axes[WindowLoop::kHeight];
  DispatchType(Types(), plan.data_type, [&]<typename T>() HWY_ATTR {
    if (height.window_size == 5) return RunDenseTiles<T, 5>(plan, bindings, executor);
    return RunDenseTiles<T, 3>(plan, bindings, executor);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::gradient
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::window::gradient {
namespace {

HWY_EXPORT(DenseChannelsOf);

}  // namespace

void RunDenseChannels(const Plan& plan, const NoTables&, const Bindings& bindings,
                      const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(DenseChannelsOf)(plan, bindings, executor);
}

}  // namespace anydml::window::gradient
#endif  // HWY_ONCE
