// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Any window, row by row through buffers in the cache: the maxima along every
// input row, once; the maxima of the rows that a row of windows sees; then every
// window adds its gradient to the winner's sum, in ascending order (B13). The cost
// of a window is its width (shared by the rows of windows that see an input row)
// plus its rows plus one addition. Lanes are columns or channels.
#include "kernels/window/cpu/gradient/any_rows.h"

#include <cstring>

#include "base/float16.h"
#include "kernels/window/cpu/gradient/strategies.h"
#include "tensor/window_maximum.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/window/cpu/gradient/any_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/float16-inl.h"
#include "kernels/window/cpu/window_tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::window::gradient {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

using Ints = hn::ScalableTag<int32_t>;
using Floats = hn::ScalableTag<float>;

HWY_INLINE int64_t Step(Ints d) { return static_cast<int64_t>(hn::Lanes(d)); }

// How `count` elements side by side in memory become lanes and sums become
// elements. `place` is that of the first element in a row of sums.
struct ElementMoves {
  int64_t size;
  void (*keys)(const void* from, int64_t count, int64_t place, int32_t* to);
  void (*values)(const void* from, int64_t count, float* to);
  void (*store)(float* from, int64_t count, void* to);  // and clears the sums
};

void KeysOfFloats(const void* from, int64_t count, int64_t, int32_t* to) {
  const auto* x = static_cast<const float*>(from);
  vectors::ForEachBlock(Ints(), count, [&](auto di, int64_t i) HWY_ATTR {
    const hn::RebindToFloat<decltype(di)> df;
    hn::StoreU(vectors::KeysOf(di, hn::LoadU(df, x + i)), di, to + i);
  });
}

alignas(64) constexpr int32_t kDescending[] = {0xFFFF, 0xFFFE, 0xFFFD, 0xFFFC, 0xFFFB, 0xFFFA,
                                               0xFFF9, 0xFFF8, 0xFFF7, 0xFFF6, 0xFFF5, 0xFFF4,
                                               0xFFF3, 0xFFF2, 0xFFF1, 0xFFF0};
static_assert(std::size(kDescending) == cpu::kMaxLanes);

// The key above, the place below it: of equal keys the first is the greater one.
void KeysOfHalves(const void* from, int64_t count, int64_t place, int32_t* to) {
  const auto* x = static_cast<const Float16*>(from);
  vectors::ForEachBlock(Ints(), count, [&](auto di, int64_t i) HWY_ATTR {
    const hn::Rebind<int16_t, decltype(di)> d16;
    const auto keys = vectors::ElementKeys(d16, vectors::LoadElementBits(d16, x + i));
    const auto first = hn::Set(di, static_cast<int32_t>(place + i));
    const auto high = hn::ShiftLeft<16>(hn::PromoteTo(di, keys));
    hn::StoreU(hn::Or(high, hn::Sub(hn::LoadU(di, kDescending), first)), di, to + i);
  });
}

template <typename T>
void ValuesOf(const void* from, int64_t count, float* to) {
  const auto* x = static_cast<const T*>(from);
  vectors::ForEachBlock(Floats(), count, [&](auto d, int64_t i) HWY_ATTR {
    hn::StoreU(vectors::LoadFloats(d, x + i), d, to + i);
  });
}

template <class D, typename T>
HWY_INLINE void StoreSumsBy(D d, float* from, int64_t count, T* to) {
  const auto step = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + step <= count; i += step) {
    vectors::StoreFloats(d, hn::LoadU(d, from + i), to + i);
    hn::StoreU(hn::Zero(d), d, from + i);
  }
  if constexpr (hn::MaxLanes(d) > 1) {
    if (i < count) StoreSumsBy(hn::Half<D>(), from + i, count - i, to + i);
  }
}

template <typename T>
void StoreSums(float* from, int64_t count, void* to) {
  StoreSumsBy(Floats(), from, count, static_cast<T*>(to));
}

constexpr ElementMoves kFloatMoves = {4, KeysOfFloats, ValuesOf<float>, StoreSums<float>};
constexpr ElementMoves kHalfMoves = {2, KeysOfHalves, ValuesOf<Float16>, StoreSums<Float16>};

// Puts column t of a row at place t / phases of phase t % phases, for `places` of them,
// which are whole vectors.
void SplitPhases(const int32_t* from, int64_t places, int64_t phases, int64_t phase_size,
                 int32_t* to) {
#if HWY_TARGET != HWY_SCALAR
  const Ints di;
  hn::Vec<Ints> v[4];
  if (phases >= 2 && phases <= 4) {
    for (int64_t i = 0; i < places; i += Step(di), from += phases * Step(di)) {
      if (phases == 2) hn::LoadInterleaved2(di, from, v[0], v[1]);
      if (phases == 3) hn::LoadInterleaved3(di, from, v[0], v[1], v[2]);
      if (phases == 4) hn::LoadInterleaved4(di, from, v[0], v[1], v[2], v[3]);
      hn::StoreU(v[0], di, to + i);
      hn::StoreU(v[1], di, to + phase_size + i);
      if (phases > 2) hn::StoreU(v[2], di, to + 2 * phase_size + i);
      if (phases > 3) hn::StoreU(v[3], di, to + 3 * phase_size + i);
    }
    return;
  }
#endif
  for (int64_t i = 0; i < places; ++i) {
    for (int64_t phase = 0; phase < phases; ++phase) to[phase * phase_size + i] = *from++;
  }
}

// Where the taps of a window lie in a row of keys, from its first lane, and how far
// they are from its first one in a row of sums.
struct TapTable {
  int64_t count;
  std::array<int64_t, kMaxWidthTaps> key;
  std::array<int32_t, kMaxWidthTaps> place;
};

// The first maximum along a row, and its place, from `places` (of the first taps) on.
void BestOfRow(const TapTable& taps, const int32_t* keys, int64_t size, const int32_t* places,
               int32_t slot, int32_t* best_out, int32_t* code_out) {
  const Ints di;
  for (int64_t i = 0; i < size; i += Step(di)) {
    auto best = hn::LoadU(di, keys + i);
    auto code = hn::Zero(di);
    for (int64_t k = 1; k < taps.count; ++k) {
      const auto key = hn::LoadU(di, keys + i + taps.key[static_cast<size_t>(k)]);
      code =
          hn::IfThenElse(hn::Gt(key, best), hn::Set(di, taps.place[static_cast<size_t>(k)]), code);
      best = hn::Max(key, best);
    }
    hn::StoreU(best, di, best_out + i);
    hn::StoreU(hn::Add(code, hn::Add(hn::LoadU(di, places + i), hn::Set(di, slot))), di,
               code_out + i);
  }
}

// The same for keys that carry their places.
void BestOfPackedRow(const TapTable& taps, const int32_t* keys, int64_t size, int32_t* best_out) {
  const Ints di;
  for (int64_t i = 0; i < size; i += Step(di)) {
    auto best = hn::LoadU(di, keys + i);
    for (int64_t k = 1; k < taps.count; ++k) {
      best = hn::Max(best, hn::LoadU(di, keys + i + taps.key[static_cast<size_t>(k)]));
    }
    hn::StoreU(best, di, best_out + i);
  }
}

// The rows that a row of windows sees, in logical order.
struct SeenRow {
  const int32_t* best;
  const int32_t* codes;
  int32_t slot;  // where its sums begin
};

// The place of the winner's sum. `>` keeps the first row.
void BestOfRows(const SeenRow* rows, int64_t count, int64_t size, int32_t* winners) {
  const Ints di;
  for (int64_t i = 0; i < size; i += Step(di)) {
    auto best = hn::LoadU(di, rows[0].best + i);
    auto code = hn::LoadU(di, rows[0].codes + i);
    for (int64_t r = 1; r < count; ++r) {
      const auto key = hn::LoadU(di, rows[r].best + i);
      code = hn::IfThenElse(hn::Gt(key, best), hn::LoadU(di, rows[r].codes + i), code);
      best = hn::Max(key, best);
    }
    hn::StoreU(code, di, winners + i);
  }
}

void BestOfPackedRows(const SeenRow* rows, int64_t count, int64_t size, int32_t* winners) {
  const Ints di;
  const auto key_bits = hn::Set(di, static_cast<int32_t>(0xFFFF0000u));
  for (int64_t i = 0; i < size; i += Step(di)) {
    auto best = hn::LoadU(di, rows[0].best + i);
    auto slot = hn::Set(di, rows[0].slot);
    for (int64_t r = 1; r < count; ++r) {
      const auto key = hn::LoadU(di, rows[r].best + i);
      const auto greater = hn::Gt(hn::And(key, key_bits), best);
      best = hn::IfThenElse(greater, key, best);
      slot = hn::IfThenElse(greater, hn::Set(di, rows[r].slot), slot);
    }
    hn::StoreU(hn::Add(slot, hn::AndNot(best, hn::Set(di, 0xFFFF))), di, winners + i);
  }
}

// One tile of columns and channels; runs over parts of planes.
class RowsOfTile {
 public:
  RowsOfTile(const Plan& plan, const AnyRows& rows, const ColumnTile& tile, int32_t* scratch)
      : plan_(plan),
        rows_(rows),
        tile_(tile),
        moves_(plan.data_type == DataType::kFloat32 ? kFloatMoves : kHalfMoves) {
    const auto take = [&](int64_t lanes) {
      int32_t* taken = scratch;
      scratch += lanes;
      return taken;
    };
    const WindowAxis& width = rows.axes[WindowLoop::kWidth];
    const int64_t key_lanes = width.stride * tile.phase_size;
    keys_ = take(key_lanes);
    linear_ = take(key_lanes);
    elements_ = take(tile.sum_lanes);
    places_ = take(tile.window_lanes);
    winners_ = take(tile_.window_lanes);
    gradients_ = reinterpret_cast<float*>(take(tile_.window_lanes));
    best_ = take(rows.Slots() * tile_.window_lanes);
    codes_ = rows.packs_codes ? nullptr : take(rows.Slots() * tile_.window_lanes);
    sums_ = reinterpret_cast<float*>(take(rows.Slots() * tile_.sum_lanes));
    std::fill_n(sums_, rows.Slots() * tile_.sum_lanes, 0.0f);
    for (int64_t i = 0; i < key_lanes; ++i) {
      const int64_t lane = i % tile.phase_size, t = lane / tile.lanes * width.stride;
      keys_[i] = PaddingKey((t + i / tile.phase_size) * tile.lanes + lane % tile.lanes);
      linear_[i] = PaddingKey(i);
    }
    SetTaps();
  }

  bool HasTile(const ColumnTile& tile) const {
    return tile.columns == tile_.columns && tile.lanes == tile_.lanes;
  }

  // The rows `own` of `count` planes.
  void Run(const Bindings& bindings, int64_t plane, int64_t count, int64_t channel,
           IndexRange own) {
    own_ = own;
    group_ = count;
    for (int64_t g = 0; g < count; ++g) {
      Plane& to = planes_[static_cast<size_t>(g)];
      to.x = bindings.Input<char>(0) + Offset(plan_.input, plane + g, channel);
      to.dy = bindings.Input<char>(1) + Offset(plan_.input_gradient, plane + g, channel);
      to.dx = bindings.Output<char>(0) + Offset(plan_.output_gradient, plane + g, channel);
    }
    StoreUnseen();
    if (tile_.windows.begin == tile_.windows.end) return;
    // A dilation may be far larger than the axis: further classes have no windows.
    const auto classes = [](const WindowAxis& axis) {
      return std::min(axis.output_step, axis.output_size);
    };
    for (int64_t i = 0; i < classes(rows_.axes[0]); ++i) {
      for (int64_t j = 0; j < classes(rows_.axes[1]); ++j) RunClass(i, j);
    }
  }

 private:
  struct Plane {
    const char* x;
    const char* dy;
    char* dx;
  };

  int64_t Offset(const PlaneStrides& strides, int64_t plane, int64_t channel) const {
    return moves_.size * (rows_.lanes == 1 ? strides.PlaneOffset(plan_.loop, plane)
                                           : plane * strides.batch + channel);
  }
  template <typename Byte>
  Byte* Row(Byte* tensor, const PlaneStrides& strides, int64_t d, int64_t h) const {
    return tensor + moves_.size * (d * strides.spatial[0] + h * strides.spatial[1]);
  }

  // The place in a row of sums of lane i of a row of keys that is not split.
  int64_t PlaceOf(int64_t i) const {
    const int64_t pitch = tile_.window_pitch * rows_.axes[WindowLoop::kWidth].stride;
    const int64_t plane = rows_.group == 1 ? 0 : i / pitch;
    return plane * tile_.sum_pitch + (tile_.first_tap - tile_.first_sum) * tile_.lanes + i -
           plane * pitch;
  }
  // Of halves: padding has a place too, whose sum nobody asks for.
  int32_t PaddingKey(int64_t i) const {
    if (!rows_.packs_codes) return vectors::kPaddingKey;
    return vectors::kPaddingKey |
           (0xFFFF - static_cast<int32_t>(std::min(PlaceOf(i), tile_.sum_lanes - 1)));
  }

  void SetTaps() {
    const WindowAxis& width = rows_.axes[WindowLoop::kWidth];
    taps_.count = width.window_size;
    for (int64_t k = 0; k < taps_.count; ++k) {
      const int64_t t = k * width.dilation;
      taps_.key[static_cast<size_t>(k)] =
          t % width.stride * tile_.phase_size + t / width.stride * tile_.lanes;
      taps_.place[static_cast<size_t>(k)] = static_cast<int32_t>(t * tile_.lanes);
    }
    for (int64_t i = 0; i < tile_.window_lanes; ++i) {
      const int64_t lane = i / tile_.lanes * width.stride * tile_.lanes + i % tile_.lanes;
      places_[i] = static_cast<int32_t>(PlaceOf(lane));
    }
  }

  // Calls run(memory, place, count) for elements that lie side by side; the first of
  // `columns` has place 0.
  template <typename Byte, typename Run>
  void ForRuns(Byte* row, int64_t stride, IndexRange columns, const Run& run) const {
    const int64_t count = columns.end - columns.begin;
    Byte* const first = row + columns.begin * stride * moves_.size;
    if (stride == tile_.lanes) return run(first, int64_t{0}, count * tile_.lanes);
    for (int64_t i = 0; i < count; ++i) {
      run(first + i * stride * moves_.size, i * tile_.lanes, tile_.lanes);
    }
  }

  // Single columns with gaps between them: one element at a time, through a packed row.
  bool HasGaps(const PlaneStrides& strides) const {
    return tile_.lanes == 1 && strides.spatial[WindowLoop::kWidth] != 1;
  }
  void CopyElements(const void* from, int64_t stride, int64_t count, void* to,
                    int64_t to_stride) const {
    const auto copy = [&]<typename T>(T) {
      const T* const source = static_cast<const T*>(from);
      for (int64_t i = 0; i < count; ++i) static_cast<T*>(to)[i * to_stride] = source[i * stride];
    };
    moves_.size == 4 ? copy(uint32_t{}) : copy(uint16_t{});
  }
  // Where the columns [begin, end) of a row lie packed.
  const char* Packed(const char* row, const PlaneStrides& strides, IndexRange columns) {
    const int64_t stride = strides.spatial[WindowLoop::kWidth];
    const char* const first = row + columns.begin * stride * moves_.size;
    if (!HasGaps(strides)) return first;
    CopyElements(first, stride, columns.end - columns.begin, elements_, 1);
    return reinterpret_cast<const char*>(elements_);
  }

  // The keys of row (d, h) of all planes.
  void LoadKeys(int64_t d, int64_t h) {
    const WindowAxis& width = rows_.axes[WindowLoop::kWidth];
    const int64_t past =
        (tile_.windows.end - 1) * width.stride - width.start_padding + width.reach() + 1;
    const IndexRange seen = {std::max<int64_t>(0, tile_.first_tap),
                             std::min(width.input_size, past)};
    const int64_t t = seen.begin - tile_.first_tap;
    const int64_t place = (seen.begin - tile_.first_sum) * tile_.lanes;
    int32_t* const keys = width.stride == 1 ? keys_ : linear_;
    for (int64_t g = 0; g < group_; ++g) {
      const char* const row = Row(planes_[static_cast<size_t>(g)].x, plan_.input, d, h);
      const char* const first = Packed(row, plan_.input, seen);
      if (tile_.lanes > 1) return LoadKeyColumns(first, seen.end - seen.begin, t, place);
      moves_.keys(first, seen.end - seen.begin, place + g * tile_.sum_pitch,
                  keys + g * tile_.window_pitch * width.stride + t);
    }
    if (width.stride == 1) return;
    SplitPhases(linear_, tile_.phase_size, width.stride, tile_.phase_size, keys_);
  }

  // Columns of several lanes; the first has place `t` among the keys.
  void LoadKeyColumns(const char* first, int64_t count, int64_t t, int64_t place) {
    const int64_t phases = rows_.axes[WindowLoop::kWidth].stride, lanes = tile_.lanes;
    const int64_t stride = plan_.input.spatial[WindowLoop::kWidth];
    if (phases == 1 && stride == lanes) {
      return moves_.keys(first, count * lanes, place, keys_ + t * lanes);
    }
    int64_t phase = t % phases, position = t / phases;
    for (int64_t i = 0; i < count; ++i, first += stride * moves_.size, place += lanes) {
      moves_.keys(first, lanes, place, keys_ + phase * tile_.phase_size + position * lanes);
      if (++phase == phases) {
        phase = 0;
        ++position;
      }
    }
  }

  void LoadGradients(const char* row, float* to) {
    const PlaneStrides& strides = plan_.input_gradient;
    if (tile_.lanes == 1) {
      return moves_.values(Packed(row, strides, tile_.windows),
                           tile_.windows.end - tile_.windows.begin, to);
    }
    ForRuns(row, strides.spatial[WindowLoop::kWidth], tile_.windows,
            [&](const char* from, int64_t at, int64_t count)
                HWY_ATTR { moves_.values(from, count, to + at); });
  }

  // Stores the tile's own columns of a finished row and clears the sums.
  void StoreRow(char* dx, int64_t d, int64_t h, float* sums) {
    const int64_t own = (tile_.columns.begin - tile_.first_sum) * tile_.lanes;
    const int64_t count = (tile_.columns.end - tile_.columns.begin) * tile_.lanes;
    if (h < own_.begin || h >= own_.end) {
      std::fill_n(sums, tile_.sum_pitch, 0.0f);
      return;
    }
    const PlaneStrides& strides = plan_.output_gradient;
    const int64_t stride = strides.spatial[WindowLoop::kWidth];
    char* const row = Row(dx, strides, d, h);
    if (HasGaps(strides)) {
      moves_.store(sums + own, count, elements_);
      CopyElements(elements_, 1, count, row + tile_.columns.begin * stride * moves_.size, stride);
    } else {
      ForRuns(row, stride, tile_.columns, [&](char* to, int64_t at, int64_t length) HWY_ATTR {
        moves_.store(sums + own + at, length, to);
      });
    }
    std::fill_n(sums, own, 0.0f);
    std::fill(sums + own + count, sums + tile_.sum_pitch, 0.0f);
  }

  // Rows that no window sees, or all where the tile's columns are seen by none.
  void StoreUnseen() {
    const auto& [depth, height, width] = rows_.axes;
    const bool all = tile_.windows.begin == tile_.windows.end;
    if (!all && rows_.all_rows_seen) return;
    for (int64_t d = 0; d < depth.input_size; ++d) {
      const bool slice = all || WindowsOver(depth, d).count == 0;
      for (int64_t h = own_.begin; h < own_.end; ++h) {
        if (!slice && WindowsOver(height, h).count != 0) continue;
        for (int64_t g = 0; g < group_; ++g)
          StoreRow(planes_[static_cast<size_t>(g)].dx, d, h, sums_);
      }
    }
  }

  // The slots of the rows (d, h), (d, h + dilation), ...
  struct SlotWalk {
    int64_t slice;
    int64_t row;
    int64_t rows;
    int64_t slot() const { return slice + row; }
    void Next() { row = row + 1 == rows ? 0 : row + 1; }
  };
  SlotWalk SlotsFrom(int64_t d, int64_t h) const {
    const int64_t slice =
        rows_.ring_depths == 1 ? 0 : d / rows_.axes[0].dilation % rows_.ring_depths;
    return {slice * rows_.ring_heights, h / rows_.axes[1].dilation % rows_.ring_heights,
            rows_.ring_heights};
  }

  // The first window of a class that sees an input of `own` or a later one, and the end.
  static IndexRange ClassWindows(const WindowAxis& axis, int64_t remainder, IndexRange own) {
    const int64_t excess = own.begin + axis.start_padding - axis.reach();
    int64_t first = excess > 0 ? CeilDivideSigned(excess, axis.stride) : 0;
    const int64_t step = axis.output_step;
    first += (remainder - first % step + step) % step;
    const int64_t last = (own.end - 1 + axis.start_padding) / axis.stride;
    return {first, std::min(axis.output_size, last + 1)};
  }

  // The first input that windows of this class after window o see.
  static int64_t FirstKept(const WindowAxis& axis, int64_t o, IndexRange windows) {
    const int64_t next = o + axis.output_step;
    return next < windows.end ? next * axis.stride - axis.start_padding : axis.input_size;
  }

  void RunClass(int64_t depth_remainder, int64_t height_remainder) {
    const auto& [depth, height, width] = rows_.axes;
    const IndexRange depths = ClassWindows(depth, depth_remainder, {0, depth.input_size});
    const IndexRange heights = ClassWindows(height, height_remainder, own_);
    loaded_depth_ = -1;
    for (int64_t od = depths.begin; od < depths.end; od += depth.output_step) {
      const Progression slices = TapsOf(depth, od);
      if (slices.count == 0) continue;
      loaded_height_ = -1;
      for (int64_t oh = heights.begin; oh < heights.end; oh += height.output_step) {
        const Progression taps = TapsOf(height, oh);
        if (taps.count == 0) continue;
        RunWindows(od, oh, slices, taps);
        if (!rows_.has_depth) FinishRows(slices.first, taps, FirstKept(height, oh, heights));
      }
      if (!rows_.has_depth) continue;
      loaded_depth_ = slices.first + (slices.count - 1) * slices.step;
      const int64_t kept = FirstKept(depth, od, depths);
      for (int64_t d = slices.first; d < kept && d <= loaded_depth_; d += slices.step) {
        for (int64_t oh = heights.begin; oh < heights.end; oh += height.output_step) {
          FinishRows(d, TapsOf(height, oh), FirstKept(height, oh, heights));
        }
      }
    }
  }

  // The rows before `kept` are complete.
  void FinishRows(int64_t d, const Progression& taps, int64_t kept) {
    SlotWalk slots = SlotsFrom(d, taps.first);
    for (int64_t j = 0; j < taps.count; ++j, slots.Next()) {
      const int64_t h = taps.first + j * taps.step;
      if (h >= kept) break;
      float* const sums = sums_ + slots.slot() * tile_.sum_lanes;
      for (int64_t g = 0; g < group_; ++g) {
        StoreRow(planes_[static_cast<size_t>(g)].dx, d, h, sums + g * tile_.sum_pitch);
      }
    }
  }

  void RunWindows(int64_t od, int64_t oh, const Progression& slices, const Progression& taps) {
    int64_t count = 0;
    for (int64_t i = 0; i < slices.count; ++i) {
      const int64_t d = slices.first + i * slices.step;
      SlotWalk slots = SlotsFrom(d, taps.first);
      for (int64_t j = 0; j < taps.count; ++j, slots.Next()) {
        const int64_t h = taps.first + j * taps.step;
        const int64_t slot = slots.slot();
        if (d > loaded_depth_ && h > loaded_height_) LoadRow(d, h, slot);
        seen_[static_cast<size_t>(count++)] = {
            best_ + slot * tile_.window_lanes,
            codes_ == nullptr ? nullptr : codes_ + slot * tile_.window_lanes,
            static_cast<int32_t>(slot * tile_.sum_lanes)};
      }
    }
    loaded_height_ = std::max(loaded_height_, taps.first + (taps.count - 1) * taps.step);
    if (rows_.packs_codes) {
      BestOfPackedRows(seen_.data(), count, tile_.window_lanes, winners_);
    } else {
      BestOfRows(seen_.data(), count, tile_.window_lanes, winners_);
    }
    for (int64_t g = 0; g < group_; ++g) {
      LoadGradients(Row(planes_[static_cast<size_t>(g)].dy, plan_.input_gradient, od, oh),
                    gradients_ + g * tile_.window_pitch);
    }
    int64_t g = 0;
    for (; g + kTurns <= group_; g += kTurns) AddByTurns(g * tile_.window_pitch);
    for (; g < group_; ++g) Add(g * tile_.window_pitch);
  }

  void LoadRow(int64_t d, int64_t h, int64_t slot) {
    const int64_t at = slot * tile_.window_lanes;
    LoadKeys(d, h);
    if (rows_.packs_codes) {
      BestOfPackedRow(taps_, keys_, tile_.window_lanes, best_ + at);
    } else {
      BestOfRow(taps_, keys_, tile_.window_lanes, places_,
                static_cast<int32_t>(slot * tile_.sum_lanes), best_ + at, codes_ + at);
    }
  }

  // The gradients of a plane whose windows begin at lane `at`, ascending.
  void Add(int64_t at) {
    const int32_t* const winners = winners_ + at;
    const float* const gradients = gradients_ + at;
    float* const sums = sums_;
    const int64_t count = tile_.UsedLanes();
    for (int64_t i = 0; i < count; ++i) sums[winners[i]] += gradients[i];
  }
  void AddByTurns(int64_t at) {
    const int64_t pitch = tile_.window_pitch, count = tile_.UsedLanes();
    const int32_t* const winners = winners_ + at;
    const float* const gradients = gradients_ + at;
    float* const sums = sums_;
    for (int64_t i = 0; i < count; ++i) {
      HWY_UNROLL(4)
      for (int64_t g = 0; g < kTurns; ++g) {
        sums[winners[g * pitch + i]] += gradients[g * pitch + i];
      }
    }
  }

  const Plan& plan_;
  const AnyRows& rows_;
  const ColumnTile tile_;
  const ElementMoves moves_;
  TapTable taps_;
  IndexRange own_;  // rows
  int64_t group_ = 0;
  std::array<Plane, kMaxGroup> planes_;
  int64_t loaded_depth_ = -1;
  int64_t loaded_height_ = -1;
  int32_t* keys_;      // of one input row, split by the stride
  int32_t* linear_;    // the same, not split
  int32_t* elements_;  // of one row, as they are
  int32_t* places_;    // of windows: where the first tap's sum lies in its row
  int32_t* winners_;   // of windows: where the winner's sum lies
  float* gradients_;   // of windows
  int32_t* best_;      // of the windows on every row that is held
  int32_t* codes_;     // of the same, where the winner's sum lies
  float* sums_;        // of every row that is held
  std::array<SeenRow, kMaxSlots> seen_;
};

void AnyRowsOf(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const AnyRows rows(plan, executor.threads());
  const WindowAxis& height = rows.axes[WindowLoop::kHeight];
  const WindowAxis& width = rows.axes[WindowLoop::kWidth];
  const auto elements =
      static_cast<uint64_t>(rows.group * rows.row_parts.length * rows.column_parts.length *
                            rows.channel_parts.length * rows.axes[WindowLoop::kDepth].input_size);
  executor.ParallelFor(
      static_cast<uint64_t>(rows.Units()), cpu::kElementsPerUnit / std::max<uint64_t>(1, elements),
      [&](uint64_t begin, uint64_t end) HWY_ATTR {
        alignas(64) int32_t scratch[kMaxScratchLanes];
        std::optional<RowsOfTile> work;
        for (uint64_t unit = begin; unit < end; ++unit) {
          cpu::Digits digits{static_cast<int64_t>(unit)};
          const IndexRange channels = digits.NextPart(rows.channel_parts, rows.lanes);
          const IndexRange columns = digits.NextPart(rows.column_parts, width.input_size);
          const IndexRange own = digits.NextPart(rows.row_parts, height.input_size);
          const int64_t plane = digits.number * rows.group;
          const ColumnTile tile(width, channels.end - channels.begin, rows.group, columns);
          if (!work || !work->HasTile(tile)) work.emplace(plan, rows, tile, scratch);
          work->Run(bindings, plane, std::min(rows.group, rows.planes - plane), channels.begin,
                    own);
        }
      });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::gradient
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::window::gradient {
namespace {

HWY_EXPORT(AnyRowsOf);

}  // namespace

void RunAnyRows(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  HWY_DYNAMIC_DISPATCH(AnyRowsOf)(plan, bindings, executor);
}

namespace {

constexpr int64_t kTargetScratchLanes = 61440;
constexpr int64_t kFilledLanes = 128;
constexpr int64_t kMinRowParts = 4;  // reaches of a window

// The windows that see a column of [begin, end).
IndexRange WindowsOf(const WindowAxis& axis, IndexRange inputs) {
  const int64_t excess = inputs.begin + axis.start_padding - axis.reach();
  const int64_t first = excess > 0 ? CeilDivideSigned(excess, axis.stride) : 0;
  const int64_t begin = std::min(first, axis.output_size);
  const int64_t last = (inputs.end - 1 + axis.start_padding) / axis.stride;
  return {begin, std::max(begin, std::min(last + 1, axis.output_size))};
}

// In the middle of a long row, from the last tap of a window on: nowhere do as many
// columns have more windows.
int64_t ScratchLanesOf(const AnyRows& rows, int64_t lanes, int64_t columns) {
  WindowAxis width = rows.axes[WindowLoop::kWidth];
  const int64_t begin = width.reach();
  width.start_padding = 0;
  width.output_size = int64_t{1} << 36;
  return rows.ScratchLanes(ColumnTile(width, lanes, rows.group, {begin, begin + columns}));
}

}  // namespace

ColumnTile::ColumnTile(const WindowAxis& width, int64_t lane_count, int64_t group, IndexRange own)
    : lanes(lane_count), columns(own), windows(WindowsOf(width, own)) {
  const int64_t count = windows.end - windows.begin, more = width.reach() / width.stride;
  first_tap = count == 0 ? own.begin : windows.begin * width.stride - width.start_padding;
  first_sum = std::min(first_tap, own.begin);
  const int64_t past = first_tap + (count - 1) * width.stride + width.reach() + 1;
  // Windows between those of two planes see both, and nobody asks for them.
  window_pitch = (group == 1 ? count : count + more) * lanes;
  window_lanes = cpu::WholeVectors(group * window_pitch);
  phase_size = cpu::WholeVectors(group * window_pitch + more * lanes);
  sum_pitch = (std::max(count == 0 ? own.end : past, own.end) - first_sum) * lanes;
  sum_lanes = cpu::WholeVectors(group * sum_pitch);
}

AnyRows::AnyRows(const Plan& plan, int threads) : axes(plan.loop.axes) {
  for (WindowAxis& axis : axes) {
    if (axis.output_size == 1) axis.stride = 1;
    axis = CompleteAxis(axis);
  }
  const auto& [depth, height, width] = axes;
  lanes = cpu::LanesPerColumn(plan.loop, plan.input, plan.input_gradient, plan.output_gradient);
  if (lanes == 0) lanes = 1;
  planes = lanes == 1 ? plan.loop.PlaneCount() : plan.loop.batches;
  group = lanes == 1 && planes >= 4 * kTurns * threads ? kTurns : 1;
  has_depth = depth.window_size > 1;
  packs_codes = plan.data_type == DataType::kFloat16;
  ring_depths = std::min(depth.window_size, CeilDivideSigned(depth.input_size, depth.dilation));
  const int64_t class_rows = CeilDivideSigned(height.input_size, height.dilation);
  row_parts = {1, height.input_size};
  ring_heights = has_depth ? class_rows : std::min(height.window_size, class_rows);
  // Channels first: their runs in memory should be long.
  const int64_t reach = width.reach() + 1;
  const auto fits = [&](int64_t lane_count, int64_t columns) {
    return ScratchLanesOf(*this, lane_count, columns) <= kTargetScratchLanes;
  };
  if (group > 1 && !fits(1, std::min(width.input_size, 4 * reach))) group = 1;
  // Rows of small planes fill vectors together.
  while (group > 1 && group < kMaxGroup && width.output_size * group < kFilledLanes &&
         planes >= 8 * group * threads) {
    group *= 2;
    if (fits(1, width.input_size)) continue;
    group /= 2;
    break;
  }
  int64_t channels = lanes;
  const int64_t min_columns = std::min(width.input_size, 4 * reach);
  while (channels > 16 && !fits(channels, min_columns)) channels = (channels + 1) / 2;
  if (channels < lanes && channels > 16) channels = channels / 16 * 16;
  channel_parts = cpu::Parts::Of(lanes, channels);
  int64_t columns = width.input_size;
  while (columns > min_columns && !fits(channel_parts.length, columns)) columns = (columns + 1) / 2;
  column_parts = cpu::Parts::Of(width.input_size, columns);
  // Enough units for all threads. With a depth all rows of a part are held.
  const int64_t tiles = planes / group * column_parts.count * channel_parts.count;
  const int64_t wanted = threads == 1 ? 1 : CeilDivideSigned(int64_t{4} * threads, tiles);
  const int64_t least = kMinRowParts * (height.reach() + 1);
  row_parts = cpu::Parts::Of(height.input_size,
                             std::max(CeilDivideSigned(height.input_size, wanted), least));
  const auto set_ring = [this, class_rows] {
    const WindowAxis& rows = axes[WindowLoop::kHeight];
    if (!has_depth) return;
    ring_heights = std::min(
        class_rows, CeilDivideSigned(row_parts.length + 2 * rows.reach(), rows.dilation) + 1);
  };
  set_ring();
  while (has_depth && MaxScratchLanes() > kMaxScratchLanes && row_parts.length > 1) {
    row_parts = cpu::Parts::Of(height.input_size, (row_parts.length + 1) / 2);
    set_ring();
  }
  all_rows_seen = EveryInputHasWindows(depth) && EveryInputHasWindows(height);
}

int64_t AnyRows::ScratchLanes(const ColumnTile& tile) const {
  const WindowAxis& width = axes[WindowLoop::kWidth];
  const int64_t keys = width.stride * tile.phase_size;
  return Slots() * (tile.window_lanes * (packs_codes ? 1 : 2) + tile.sum_lanes) + 2 * keys +
         tile.sum_lanes + 3 * tile.window_lanes + cpu::kMaxLanes;
}

int64_t AnyRows::MaxScratchLanes() const {
  return ScratchLanesOf(*this, channel_parts.length, column_parts.length);
}

Refusal AcceptsAnyRows(const Plan& plan) {
  for (const WindowAxis& axis : plan.loop.axes) {
    if (axis.window_size > kMaxScratchLanes || axis.reach() > kMaxScratchLanes ||
        (axis.output_size > 1 && axis.stride > kMaxScratchLanes)) {
      return {"the window is too large for the row buffers"};
    }
  }
  if (plan.loop.axes[WindowLoop::kWidth].window_size > kMaxWidthTaps) {
    return {"the window is too wide"};
  }
  const AnyRows rows(plan, 1);
  if (rows.MaxScratchLanes() > kMaxScratchLanes || rows.Slots() > kMaxSlots) {
    return {"the window is too large for the row buffers"};
  }
  return kAccepted;
}

}  // namespace anydml::window::gradient
#endif  // HWY_ONCE
