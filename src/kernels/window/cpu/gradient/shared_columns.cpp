// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Columns side by side, windows that share rows and columns: bands of rows go
// through buffers that stay in the first-level cache. Keys of the input rows, or
// these where they lie, then the winners of the windows as words of bits, then the
// sums of the elements; what a band shares with the next one is carried over.
#include "kernels/window/cpu/gradient/shared_columns.h"

#include <utility>

#include "kernels/window/cpu/gradient/lines.h"
#include "kernels/window/cpu/gradient/strategies.h"
#include "kernels/window/gradient.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/window/cpu/gradient/shared_columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/window/cpu/gradient/shared_columns-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::window::gradient {
namespace HWY_NAMESPACE {

template <typename T, int kSize, int kStride>
class SharedColumnsUnit {
 public:
  // For units over the same tile as this one.
  SharedColumnsUnit(const Plan& plan, const SharedColumns& shared, const UnitOfColumns& unit,
                    int32_t* scratch)
      : plan_(plan),
        shared_(shared),
        unit_(unit),
        tile_(shared.Tile(unit.positions)),
        key_move_(tile_.keys, shared.InputColumns()),
        gradient_move_(tile_.windows, shared.WindowColumns()),
        column_(unit.positions.begin * kStride - shared.start),
        columns_(std::min((unit.positions.end - unit.positions.begin) * kStride,
                          shared.width.input_size - column_)),
        valid_(shared.WindowsOf(tile_)),
        inside_(shared.Inside(tile_)) {
    const auto take = [&](int64_t lanes) { return std::exchange(scratch, scratch + lanes); };
    const int64_t windows = tile_.windows.phase_size;
    keys_ = take(shared.band * kStride * tile_.keys.size());
    padding_ = take(tile_.keys.size());
    gradients_ = reinterpret_cast<float*>(take(shared.band * windows));
    carried_keys_ = take(kCarried * windows);
    carried_sums_ = reinterpret_cast<float*>(take(kCarried * tile_.elements.size()));
    std::fill(padding_, padding_ + tile_.keys.size(), vectors::kPaddingKey);
    for (int64_t r = 0; r < shared.band * kStride; ++r) {
      vectors::FillOutside(tile_.keys, shared.InputColumns(), vectors::kPaddingKey,
                           keys_ + r * tile_.keys.size());
    }
    for (int64_t j = 0; j < shared.band; ++j) {
      vectors::FillOutside(tile_.windows, shared.WindowColumns(), 0.0f, gradients_ + j * windows);
    }
    for (size_t k = 0; k < kSize; ++k) offsets_[k] = tile_.taps[k].window_offset;
  }

  bool HasTileOf(const UnitOfColumns& unit) const { return unit.positions == unit_.positions; }

  // Every walk: the rows of one remainder modulo the dilation.
  void Run(const Bindings& bindings, const UnitOfColumns& unit) {
    unit_ = unit;
    x_ = bindings.Input<T>(0) + Offset(plan_.input);
    dy_ = bindings.Input<T>(1) + Offset(plan_.input_gradient);
    dx_ = bindings.Output<T>(0) + Offset(plan_.output_gradient) + column_;
    stream_ = SumStore<T, kStride>::kCanStream &&
              ShouldStreamFrom(plan_, dx_, kLine, {plan_.output_gradient.spatial[1]});
    for (remainder_ = 0; remainder_ < shared_.height.dilation; ++remainder_) {
      const auto past = [&](int64_t row) {
        return row <= remainder_ ? 0 : CeilDivideSigned(row - remainder_, shared_.height.dilation);
      };
      const int64_t begin = past(unit_.rows.begin), end = past(unit_.rows.end);
      const int64_t first = begin < kSize ? 0 : (begin - kSize) / kStride + 1;
      const int64_t last = CeilDivideSigned(end, kStride);
      // What a walk has stored is stored again by the one that follows.
      if (!WalkPlain(first, last)) Walk<KeyStrip<kSize>>(first, last);
    }
  }

 private:
  using Band = ColumnBand<T, kSize, kStride>;
  static constexpr int kCarried = kSize - kStride;
  // Whether rows of the input are read where they lie, and whether those of gradients are.
  static constexpr bool kPlain = kLoadsLanes && kSize >= 3;
  static constexpr bool kPlainGradients =
      kPlain && std::is_same_v<T, float> && BandWords<kSize, kStride>::kSelects;

  int64_t Offset(const PlaneStrides& strides) const {
    return strides.PlaneOffset(plan_.loop, unit_.plane) +
           unit_.depth * strides.spatial[WindowLoop::kDepth];
  }

  // The input row of row r of the walk, be there one or not.
  int64_t InputRowAt(int64_t r) const {
    return remainder_ + r * shared_.height.dilation - shared_.height.start_padding;
  }
  // The same; negative in padding.
  int64_t InputRowOf(int64_t r) const {
    const int64_t row = InputRowAt(r);
    return row < shared_.height.input_size ? row : -1;
  }

  // The lanes of the tile's keys in row r of the walk.
  const int32_t* RowOf(KeyStrip<kSize>*, int64_t r, int64_t slot) const {
    const int64_t row = InputRowOf(r);
    if (row < 0) return padding_;
    int32_t* keys = keys_ + slot * tile_.keys.size();
    vectors::MoveRow(Floats(), key_move_,
                     vectors::LoadKeys<T>{x_ + row * plan_.input.spatial[1], keys});
    return keys;
  }
  const T* RowOf(PlainElements<T>*, int64_t r, int64_t) const {
    const int64_t row = InputRowOf(r);
    return row < 0 ? nullptr : UncheckedOffset(x_, row * plan_.input.spatial[1] - inside_.begin);
  }

  // The tile's windows of row j, and which of them there are. Rows past the last add
  // nothing: the walk goes on over them only to finish the sums that it carries.
  const float* GradientRow(int64_t j, int64_t slot) {
    const int64_t row = remainder_ + j * shared_.height.dilation;
    float* const buffer = gradients_ + slot * tile_.windows.phase_size;
    words_.valid[slot] = row < shared_.height.output_size ? valid_ : 0;
    if (words_.valid[slot] == 0) return buffer;
    const T* const gradients = dy_ + row * plan_.input_gradient.spatial[1];
    if constexpr (kPlainGradients) {
      return UncheckedOffset(gradients, tile_.windows.first);
    }
    vectors::MoveRow(Floats(), gradient_move_, vectors::LoadValues<T>{gradients, buffer});
    return buffer;
  }

  T* OutputRow(int64_t r) {
    const int64_t row = InputRowOf(r), padded = row + shared_.height.start_padding;
    if (row < 0 || padded < unit_.rows.begin || padded >= unit_.rows.end) return unwanted_;
    return dx_ + row * plan_.output_gradient.spatial[1];
  }

  // Whether elements can be compared as they are.
  bool WalkPlain(int64_t begin, int64_t end) {
    if constexpr (kPlain && kStride == 1) {
      return Walk<PlainStrip<T, kSize>>(begin, end);
    } else if constexpr (kPlain) {
      return HasOddTaps() ? Walk<PlainPairStrip<T, true>>(begin, end)
                          : Walk<PlainPairStrip<T, false>>(begin, end);
    }
    return false;
  }

  // Of windows at stride 2: whether their first tap lies in an odd column.
  bool HasOddTaps() const { return kStride == 2 && tile_.taps[0].phase == 1; }

  // Whether the keys of the strips are right.
  template <class Strip>
  bool Walk(int64_t begin, int64_t end) {
    using Find = WordFindSweep<Strip, T, kSize, kStride>;
    constexpr Strip* kKind = nullptr;
    const typename Strip::Element* rows[kMaxWordRows * kStride];
    const float* gradients[kMaxWordRows];
    T* outputs[kMaxWordRows * kStride];
    Band band = {tile_,         words_, 0,  gradients, outputs, carried_keys_,
                 carried_sums_, {},     {}, {},        stream_};
    for (int64_t c = 0; c < kCarried; ++c) {
      if (!Find::Start(band, inside_, RowOf(kKind, begin * kStride + c, 0), c)) return false;
    }
    FirstOfColumns(words_, 0, kCarried);
    std::fill(carried_sums_, carried_sums_ + kCarried * tile_.elements.size(), 0.0f);
    for (int64_t j = begin; j < end; j += shared_.band) {
      band.rows = std::min(shared_.band, end - j);
      for (int64_t r = 0; r < band.rows * kStride; ++r) {
        rows[r] = RowOf(kKind, j * kStride + kCarried + r, r);
        outputs[r] = OutputRow(j * kStride + r);
      }
      SetAhead(j, band);
      if (!Find::Run(band, inside_, rows)) return false;
      for (int64_t r = 0; r < band.rows; ++r) gradients[r] = GradientRow(j + r, r);
      FirstOfColumns(words_, kCarried, kCarried + band.rows * kStride);
      CombineWords(words_, offsets_);
      CarryColumns(words_, band.rows);
      Sum(band);
    }
    return true;
  }

  // What the band after the one that begins with row j of windows reads, and
  // what this one writes.
  void SetAhead(int64_t j, Band& band) const {
    const int64_t next = j + shared_.band;
    band.next_inputs =
        Ahead(x_ + key_move_.memory, plan_.input, InputRowAt(next * kStride + kCarried));
    band.next_gradients = Ahead(dy_ + gradient_move_.memory, plan_.input_gradient,
                                remainder_ + next * shared_.height.dilation);
    band.outputs_ahead = Ahead(dx_, plan_.output_gradient, InputRowAt(j * kStride));
  }

  // Row `row` of a tensor and those that follow it on the walk.
  LinePrefetcher Ahead(const T* tensor, const PlaneStrides& strides, int64_t row) const {
    const int64_t step = strides.spatial[WindowLoop::kHeight] * static_cast<int64_t>(sizeof(T));
    return {reinterpret_cast<uintptr_t>(tensor) + static_cast<uintptr_t>(row * step),
            step * shared_.height.dilation};
  }

  void Sum(const Band& band) const {
    if (HasOddTaps()) {
      WordSumSweep<T, kSize, kStride, kStride == 2>::Run(band, offsets_, columns_);
    } else {
      WordSumSweep<T, kSize, kStride, false>::Run(band, offsets_, columns_);
    }
  }

  const Plan& plan_;
  const SharedColumns& shared_;
  UnitOfColumns unit_;
  const cpu::WindowTile tile_;
  const cpu::LaneMove key_move_;
  const cpu::LaneMove gradient_move_;
  const int64_t column_;   // of the input, the tile's first
  const int64_t columns_;  // of the input within the tile
  const uint64_t valid_;
  const IndexRange inside_;
  const T* x_ = nullptr;
  const T* dy_ = nullptr;
  T* dx_ = nullptr;
  int64_t remainder_ = 0;
  int32_t* keys_;
  int32_t* padding_;  // keys of a row of padding
  float* gradients_;
  int32_t* carried_keys_;
  float* carried_sums_;
  int64_t offsets_[kSize];  // from an element to the window of which it is tap k
  bool stream_ = false;
  BandWords<kSize, kStride> words_;
  alignas(64) T unwanted_[2 * kWordWindows];  // rows that are another unit's
};

template <typename T, int kSize, int kStride>
void RunUnitsOfColumns(const Plan& plan, const SharedColumns& shared, const Bindings& bindings,
                       const cpu::Executor& executor) {
  const auto elements = static_cast<uint64_t>(shared.row_parts.length *
                                              shared.position_parts.length * kStride * kSize);
  executor.ParallelFor(static_cast<uint64_t>(shared.Units()),
                       cpu::kElementsPerUnit / std::max<uint64_t>(1, elements),
                       [&](uint64_t begin, uint64_t end) HWY_ATTR {
                         alignas(64) int32_t scratch[kWordRowLanes];
                         std::optional<SharedColumnsUnit<T, kSize, kStride>> columns;
                         for (uint64_t number = begin; number < end; ++number) {
                           const UnitOfColumns unit =
                               ColumnsAt(shared, static_cast<int64_t>(number));
                           if (!columns || !columns->HasTileOf(unit))
                             columns.emplace(plan, shared, unit, scratch);
                           columns->Run(bindings, unit);
                         }
                         hwy::FlushStream();
                       });
}

template <typename T>
void RunColumns(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const SharedColumns shared(plan, executor.threads());
  if (shared.height.stride == 2) {
    return RunUnitsOfColumns<T, 3, 2>(plan, shared, bindings, executor);
  }
  if (shared.height.window_size == 3) {
    return RunUnitsOfColumns<T, 3, 1>(plan, shared, bindings, executor);
  }
  return RunUnitsOfColumns<T, 5, 1>(plan, shared, bindings, executor);
}

void SharedColumnsOf(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type,
               [&]<typename T>() HWY_ATTR { RunColumns<T>(plan, bindings, executor); });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::gradient
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::window::gradient {
namespace {

HWY_EXPORT(SharedColumnsOf);

}  // namespace

void RunSharedColumns(const Plan& plan, const NoTables&, const Bindings& bindings,
                      const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(SharedColumnsOf)(plan, bindings, executor);
}

namespace {

constexpr int64_t kMaxDilation = 64;
constexpr int64_t kMaxReach = 16;

bool IsInstantiated(const WindowAxis& axis) {
  if (axis.stride == 1) {
    return axis.window_size == 3 || axis.window_size == 5;
  }
  return axis.stride == 2 && axis.window_size == 3 && axis.dilation == 1;
}

}  // namespace

SharedColumns::SharedColumns(const Plan& plan, int threads)
    : height(plan.loop.axes[WindowLoop::kHeight]),
      width(plan.loop.axes[WindowLoop::kWidth]),
      start(CeilDivideSigned(width.start_padding, width.stride) * width.stride),
      first_position(start / width.stride),
      positions(CeilDivideSigned(width.input_size, width.stride)),
      planes(plan.loop.PlaneCount()),
      depths(plan.loop.axes[WindowLoop::kDepth].input_size) {
  const int64_t reach = (start - width.start_padding + width.reach()) / width.stride;
  position_parts = cpu::Parts::Of(positions, kWordWindows - reach);
  const cpu::WindowTile tile = Tile({0, position_parts.length});
  band = 1;
  while (band < kMaxWordRows && BufferLanes(tile, band + 1) <= kWordRowLanes) ++band;
  // Enough units for all threads; each begins with rows that its neighbour has
  // seen too.
  const int64_t tiles = planes * depths * position_parts.count;
  const int64_t wanted = threads == 1 ? 1 : CeilDivideSigned(int64_t{4} * threads, tiles);
  const int64_t rows = CeilDivideSigned(PaddedRows(), wanted);
  row_parts = cpu::Parts::Of(PaddedRows(), std::max(rows, 4 * (height.reach() + 1)));
}

cpu::WindowTile SharedColumns::Tile(IndexRange range) const {
  return cpu::WindowTile(width, 1, range.begin, range.end, start - width.start_padding);
}

uint64_t SharedColumns::WindowsOf(const cpu::WindowTile& tile) const {
  uint64_t valid = 0;
  for (int64_t i = 0; i < tile.windows.positions; ++i) {
    const int64_t window = tile.windows.first + i;
    if (window >= 0 && window < width.output_size) valid |= uint64_t{1} << i;
  }
  return valid;
}

int64_t SharedColumns::BufferLanes(const cpu::WindowTile& tile, int64_t rows) const {
  return (rows * height.stride + 1) * tile.keys.size() + rows * tile.windows.phase_size +
         carried() * (tile.windows.phase_size + tile.elements.size());
}

Refusal AcceptsSharedColumns(const Plan& plan) {
  for (const PlaneStrides* strides : {&plan.input, &plan.input_gradient, &plan.output_gradient}) {
    if (strides->spatial[WindowLoop::kWidth] != 1) {
      return {"the innermost stride is not 1 in every tensor"};
    }
  }
  const auto& [depth, height, width] = plan.loop.axes;
  if (!SeesOneSlice(depth)) return {"the window has a depth"};
  if (!IsInstantiated(height) || height.window_size != width.window_size ||
      height.stride != width.stride || !IsInstantiated(width)) {
    return {"the window is neither 3x3 or 5x5 at stride 1 nor 3x3 at stride 2"};
  }
  if (height.dilation > kMaxDilation || width.reach() > kMaxReach ||
      height.start_padding > height.reach() || width.start_padding > width.reach()) {
    return {"the dilation is too large, or whole rows of windows lie in padding"};
  }
  return kAccepted;
}

}  // namespace anydml::window::gradient
#endif  // HWY_ONCE
