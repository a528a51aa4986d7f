// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Channels side by side, windows at stride 1: bands of rows. Who won is a bit per
// window and channel; the bits of many windows are combined at once, then the
// gradients are added from memory to memory.
#include "operators/max_pooling_grad/dense_channels.h"

#include "operators/max_pooling_grad/formula.h"
#include "operators/max_pooling_grad/lines.h"
#include "operators/max_pooling_grad/strategies.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "operators/max_pooling_grad/dense_channels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "operators/max_pooling_grad/dense_channels-inl.h"
#include "operators/max_pooling_grad/dense_channels_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling_grad {
namespace HWY_NAMESPACE {

// Buffers of a thread.
template <int kSize>
struct DenseScratch {
  DenseVector<kSize> vectors[kMostDenseVectors + 1];
  Contests columns[kRingRows];
  Won<kSize> won[kDenseRows];
  MaskRow valid;
};

template <typename T, int kSize>
class DenseTileWalk {
 public:
  DenseTileWalk(const Plan& plan, const Bindings& bindings, const ChannelTile& tile,
                DenseScratch<kSize>& scratch)
      : plan_(plan),
        x_(bindings.Input<T>(0) + Start(plan.input, tile)),
        dy_(bindings.Input<T>(1) + Start(plan.input_gradient, tile)),
        dx_(bindings.Output<T>(0) + Start(plan.output_gradient, tile)),
        channels_(tile.channels.end - tile.channels.begin),
        scratch_(scratch),
        stream_(ShouldStream()) {}

  void Run(const TapWalk& rows, const TapWalk& columns, const ChannelTile& tile) {
    down_ = rows.Within(tile.rows);
    const IndexRange across = columns.Within(tile.columns);
    if (down_.begin >= down_.end || across.begin >= across.end) return;
    SetColumns(columns, across);
    const int64_t first = std::max<int64_t>(0, down_.begin - (kSize - 1));
    for (int64_t c = 0; c * Lanes() < channels_; ++c) {
      DenseVector<kSize>& state = scratch_.vectors[c];
      state.plain = true;
      for (auto& sums : state.sums) std::fill(std::begin(sums), std::end(sums), 0.0f);
      const IndexRange carried = {first, first + kSize - 1};
      if (!Find<DensePlainKeys>(rows, carried, c)) Find<DenseRuleKeys>(rows, carried, c);
    }
    for (int64_t w = first; w < down_.end; w += kDenseRows) {
      const IndexRange band = {w, std::min(w + kDenseRows, down_.end)};
      for (int64_t c = 0; c * Lanes() < channels_; ++c) RunBand(rows, band, c);
    }
  }

 private:
  int64_t Start(const PlaneStrides& strides, const ChannelTile& tile) const {
    const int64_t depths = plan_.loop.axes[WindowLoop::kDepth].input_size;
    return tile.plane / depths * strides.batch +
           tile.plane % depths * strides.spatial[WindowLoop::kDepth] + tile.channels.begin;
  }

  bool ShouldStream() const {
    const auto& [depth, height, width] = plan_.output_gradient.spatial;
    return ShouldStreamLines(plan_, dx_, sizeof(T) * hn::MaxLanes(Floats()),
                             {height, width, channels_});
  }

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
    return {inside ? Elsewhere(x_, rows.Input(v) * height + column_ * width + channel) : nullptr,
            step_ * width, kDenseRows * rows.step * height, inside_, seen_};
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
      Find<DenseRuleKeys>(rows, fresh, c);
    } else if (!Find<DensePlainKeys>(rows, fresh, c)) {
      // What was kept are elements as they are: begin anew.
      Find<DenseRuleKeys>(rows, {band.begin, fresh.end}, c);
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
    band.next_dy = kDenseRows * rows.step * dy.spatial[WindowLoop::kHeight];
    band.next_dx = kDenseRows * rows.step * dx.spatial[WindowLoop::kHeight];
    band.windows = windows_;
    band.columns = elements_;
    band.stream = stream_;
    const int64_t column = column_ + (kSize - 1) * step_;
    for (int64_t w = range.begin; w < range.end; ++w) {
      const auto j = static_cast<size_t>(w - range.begin);
      if (w < rows.windows) {
        band.dy[j] = Elsewhere(dy_, rows.Window(w) * dy.spatial[WindowLoop::kHeight] +
                                        window_ * dy.spatial[WindowLoop::kWidth] + channel);
      }
      if (w >= down_.begin) {
        band.dx[j] = Elsewhere(dx_, rows.Input(w) * dx.spatial[WindowLoop::kHeight] +
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
  const auto elements = static_cast<uint64_t>(shared.row_parts.length * shared.column_parts.length *
                                              shared.channel_parts.length);
  executor.ParallelFor(static_cast<uint64_t>(shared.Units()),
                       cpu::kElementsPerUnit / (kSize * elements),
                       [&](uint64_t begin, uint64_t end) HWY_ATTR {
                         DenseScratch<kSize> scratch;
                         for (uint64_t number = begin; number < end; ++number) {
                           const ChannelTile tile = TileAt(shared, static_cast<int64_t>(number));
                           DenseTileWalk<T, kSize> walk(plan, bindings, tile, scratch);
                           for (int64_t i = 0; i < shared.height.dilation; ++i) {
                             for (int64_t j = 0; j < shared.width.dilation; ++j) {
                               walk.Run(TapWalk(shared.height, i), TapWalk(shared.width, j), tile);
                             }
                           }
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
}  // namespace anydml::max_pooling_grad
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::max_pooling_grad {
namespace {

HWY_EXPORT(DenseChannelsOf);

}  // namespace

void RunDenseChannels(const Plan& plan, const NoTables&, const Bindings& bindings,
                      const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(DenseChannelsOf)(plan, bindings, executor);
}

}  // namespace anydml::max_pooling_grad
#endif  // HWY_ONCE
