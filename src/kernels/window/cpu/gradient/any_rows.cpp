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

#include "backends/cpu/prefetch.h"
#include "base/float16.h"
#include "kernels/window/cpu/gradient/lines.h"
#include "kernels/window/cpu/gradient/strategies.h"
#include "tensor/window_maximum.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/window/cpu/gradient/any_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/float16-inl.h"
#include "backends/cpu/streaming-inl.h"
#include "kernels/window/cpu/window_tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::window::gradient {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

using Ints = hn::ScalableTag<int32_t>;
using Floats = hn::ScalableTag<float>;

HWY_INLINE int64_t Step(Ints d) { return static_cast<int64_t>(hn::Lanes(d)); }

constexpr uintptr_t kPrefetchBytes = 2048, kMaxAhead = 65536;

// Runs of elements side by side, in memory and in a buffer.
struct Runs {
  int64_t count;
  int64_t length;
  int64_t memory_step;
  int64_t buffer_step;
  int64_t place_step;
  uintptr_t ahead;  // bytes to memory that will be needed soon
};

// Calls body(tag, memory, buffer, place) for blocks that cover the runs.
template <class D, class Body>
HWY_INLINE void ForEachBlockOf(D d, const Runs& runs, const Body& body) {
  for (int64_t r = 0; r < runs.count; ++r) {
    vectors::ForEachBlock(d, runs.length, [&](auto tag, int64_t i) HWY_ATTR {
      body(tag, r * runs.memory_step + i, r * runs.buffer_step + i, r * runs.place_step + i);
    });
  }
}

// How elements become lanes and sums become elements. `place` is that of the first
// element in a row of sums. `stream`: whole aligned lines.
struct ElementMoves {
  int64_t size;
  void (*keys)(const void* from, const Runs& runs, int64_t place, int32_t* to);
  void (*values)(const void* from, const Runs& runs, float* to);
  void (*store)(const float* from, const Runs& runs, bool stream, void* to);
};

void KeysOfFloats(const void* from, const Runs& runs, int64_t, int32_t* to) {
  const auto* x = static_cast<const float*>(from);
  ForEachBlockOf(Ints(), runs, [&](auto di, int64_t m, int64_t b, int64_t) HWY_ATTR {
    const hn::RebindToFloat<decltype(di)> df;
    cpu::PrefetchLine(x + m, runs.ahead);
    hn::StoreU(vectors::KeysOf(di, hn::LoadU(df, x + m)), di, to + b);
  });
}

// The key above, the place below it: of equal keys the first is the greater one.
void KeysOfHalves(const void* from, const Runs& runs, int64_t place, int32_t* to) {
  const auto* x = static_cast<const Float16*>(from);
  ForEachBlockOf(Ints(), runs, [&](auto di, int64_t m, int64_t b, int64_t p) HWY_ATTR {
    const hn::Rebind<int16_t, decltype(di)> d16;
    cpu::PrefetchLine(x + m, runs.ahead);
    const auto keys = vectors::ElementKeys(d16, vectors::LoadElementBits(d16, x + m));
    const auto high = hn::ShiftLeft<16>(hn::PromoteTo(di, keys));
    const auto last = hn::Set(di, static_cast<int32_t>(0xFFFF - place - p));
    hn::StoreU(hn::Or(high, hn::Sub(last, hn::Iota(di, 0))), di, to + b);
  });
}

template <typename T>
void ValuesOf(const void* from, const Runs& runs, float* to) {
  const auto* x = static_cast<const T*>(from);
  ForEachBlockOf(Floats(), runs, [&](auto d, int64_t m, int64_t b, int64_t) HWY_ATTR {
    cpu::PrefetchLine(x + m, runs.ahead);
    hn::StoreU(vectors::LoadFloats(d, x + m), d, to + b);
  });
}

template <class D>
HWY_INLINE void StreamFloats(D d, hn::Vec<D> values, float* to) {
  hn::Stream(values, d, to);
}
template <class D>
HWY_INLINE void StreamFloats(D d, hn::Vec<D> values, Float16* to) {
  const hn::Rebind<uint16_t, D> d16;
  // Less than 16 bytes cannot be streamed.
  if constexpr (hn::MaxLanes(d16) < 8) return vectors::StoreFloats(d, values, to);
  hn::Stream(vectors::HalfBits(d, values), d16, reinterpret_cast<uint16_t*>(to));
}

template <typename T>
void StoreSums(const float* from, const Runs& runs, bool stream, void* to) {
  T* const dx = static_cast<T*>(to);
  if (stream) {
    return ForEachBlockOf(Floats(), runs, [&](auto d, int64_t m, int64_t b, int64_t) HWY_ATTR {
      StreamFloats(d, hn::LoadU(d, from + b), dx + m);
    });
  }
  ForEachBlockOf(Floats(), runs, [&](auto d, int64_t m, int64_t b, int64_t) HWY_ATTR {
    cpu::PrefetchLine(dx + m, runs.ahead);
    vectors::StoreFloats(d, hn::LoadU(d, from + b), dx + m);
  });
}

constexpr ElementMoves kFloatMoves = {4, KeysOfFloats, ValuesOf<float>, StoreSums<float>};
constexpr ElementMoves kHalfMoves = {2, KeysOfHalves, ValuesOf<Float16>, StoreSums<Float16>};

// Puts column t of a row at lane t / phases of phase t % phases, for `lanes` of them,
// which are whole vectors.
void SplitPhases(const int32_t* from, int64_t lanes, int64_t phases, int32_t* to) {
#if HWY_TARGET != HWY_SCALAR
  const Ints di;
  hn::Vec<Ints> v[4];
  if (phases >= 2 && phases <= 4) {
    for (int64_t i = 0; i < lanes; i += Step(di), from += phases * Step(di)) {
      if (phases == 2) hn::LoadInterleaved2(di, from, v[0], v[1]);
      if (phases == 3) hn::LoadInterleaved3(di, from, v[0], v[1], v[2]);
      if (phases == 4) hn::LoadInterleaved4(di, from, v[0], v[1], v[2], v[3]);
      hn::StoreU(v[0], di, to + i);
      hn::StoreU(v[1], di, to + lanes + i);
      if (phases > 2) hn::StoreU(v[2], di, to + 2 * lanes + i);
      if (phases > 3) hn::StoreU(v[3], di, to + 3 * lanes + i);
    }
    return;
  }
#endif
  for (int64_t i = 0; i < lanes; ++i) {
    for (int64_t phase = 0; phase < phases; ++phase) to[phase * lanes + i] = *from++;
  }
}

// The other way round.
void MergePhases(const float* from, int64_t lanes, int64_t phases, float* to) {
#if HWY_TARGET != HWY_SCALAR
  if (phases == 2) {
    const Floats d;
    for (int64_t i = 0; i < lanes; i += Step(Ints())) {
      hn::StoreInterleaved2(hn::LoadU(d, from + i), hn::LoadU(d, from + lanes + i), d, to + 2 * i);
    }
    return;
  }
#endif
  for (int64_t i = 0; i < lanes; ++i) {
    for (int64_t phase = 0; phase < phases; ++phase) *to++ = from[phase * lanes + i];
  }
}

// Where the taps of a window lie in a row of keys, from its first lane, and how far
// their places are from the first one's.
struct TapTable {
  int64_t count;
  std::array<int64_t, kMaxWidthTaps> key;
  std::array<int32_t, kMaxWidthTaps> place;
};

// The first maximum along a row, and its place.
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

// The windows that see the elements of a phase: so many lanes before the element, the
// first window first.
struct PhaseTaps {
  int64_t count = 0;
  std::array<int64_t, kMaxVectorTaps> before;
};

// What a row of windows adds to a phase of the rows that it sees.
struct RowOfGradients {
  const SeenRow* rows;
  int64_t row_count;
  int64_t size;
  const int32_t* winners;
  const float* gradients;
  const int32_t* places;  // of the phase
  float* sums;            // of the phase, in slot 0
};

// An element looks whether it is the winner of each window that sees it.
template <int kTaps>
void AddToPhase(const PhaseTaps& taps, const RowOfGradients& row) {
  const Ints di;
  const Floats df;
  const int64_t count = kTaps != 0 ? kTaps : taps.count;
  for (int64_t i = 0; i < row.size; i += Step(di)) {
    hn::Vec<Ints> winner[kTaps != 0 ? kTaps : kMaxVectorTaps];
    hn::Vec<Floats> gradient[kTaps != 0 ? kTaps : kMaxVectorTaps];
    for (int64_t k = 0; k < count; ++k) {
      const int64_t at = i - taps.before[static_cast<size_t>(k)];
      winner[k] = hn::LoadU(di, row.winners + at);
      gradient[k] = hn::LoadU(df, row.gradients + at);
    }
    const auto place = hn::LoadU(di, row.places + i);
    for (int64_t r = 0; r < row.row_count; ++r) {
      float* const to = row.sums + row.rows[r].slot + i;
      const auto own = hn::Add(place, hn::Set(di, row.rows[r].slot));
      auto sum = hn::LoadU(df, to);
      for (int64_t k = 0; k < count; ++k) {
        const auto won = hn::RebindMask(df, hn::Eq(winner[k], own));
        sum = hn::IfThenElse(won, hn::Add(sum, gradient[k]), sum);
      }
      hn::StoreU(sum, df, to);
    }
  }
}

constexpr decltype(&AddToPhase<0>) kAddToPhase[] = {AddToPhase<0>, AddToPhase<1>, AddToPhase<2>,
                                                    AddToPhase<3>, AddToPhase<4>, AddToPhase<5>};

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
    const int64_t row = RowLanes(), windows = tile.phase_size, before = rows.LanesBefore(tile);
    keys_ = take(row);
    places_ = take(row);
    linear_ = take(rows.splits_rows ? row : 0);
    merged_ = reinterpret_cast<float*>(take(rows.splits_rows ? row : 0));
    if (rows.has_gaps) elements_ = take(row);
    winners_ = take(before + windows) + before;
    gradients_ = reinterpret_cast<float*>(take(before + windows)) + before;
    best_ = take(rows.Slots() * windows);
    codes_ = rows.packs_codes ? nullptr : take(rows.Slots() * windows);
    sums_ = reinterpret_cast<float*>(take(rows.Slots() * row));
    std::fill_n(sums_, rows.Slots() * row, 0.0f);
    std::fill_n(winners_ - before, before + windows, 0);
    std::fill_n(gradients_ - before, before + windows, 0.0f);
    for (int64_t i = 0; i < row; ++i) {
      const int64_t lane = i % windows, column = lane / tile.lanes * Stride() + i / windows;
      places_[i] = static_cast<int32_t>(column * tile.lanes + lane % tile.lanes);
      keys_[i] = PaddingKey(places_[i]);
      if (rows.splits_rows) linear_[i] = PaddingKey(static_cast<int32_t>(i));
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
    x_ = bindings.Input<char>(0) + Offset(plan_.input, plane, channel);
    dy_ = bindings.Input<char>(1) + Offset(plan_.input_gradient, plane, channel);
    dx_ = bindings.Output<char>(0) + Offset(plan_.output_gradient, plane, channel);
    const PlaneStrides& strides = plan_.output_gradient;
    const int64_t stride = strides.spatial[WindowLoop::kWidth];
    const int64_t lanes = tile_.lanes, columns = tile_.columns.end - tile_.columns.begin;
    stream_ = !HasGaps(strides) &&
              ShouldStreamFrom(
                  plan_, dx_ + tile_.columns.begin * stride * moves_.size, kLine,
                  {lanes == 1 ? columns : lanes, lanes == 1 ? 0 : stride,
                   count == 1 ? 0 : strides.channel, strides.spatial[0], strides.spatial[1]});
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
  int64_t Offset(const PlaneStrides& strides, int64_t plane, int64_t channel) const {
    return moves_.size * (rows_.lanes == 1 ? strides.PlaneOffset(plan_.loop, plane)
                                           : plane * strides.batch + channel);
  }
  template <typename Byte>
  Byte* Row(Byte* tensor, const PlaneStrides& strides, int64_t d, int64_t h) const {
    return tensor + moves_.size * (d * strides.spatial[0] + h * strides.spatial[1]);
  }

  int64_t Stride() const { return rows_.axes[WindowLoop::kWidth].stride; }
  int64_t RowLanes() const { return Stride() * tile_.phase_size; }
  // Of halves: padding has a place too, whose sum nobody asks for.
  int32_t PaddingKey(int32_t place) const {
    return vectors::kPaddingKey | (rows_.packs_codes ? 0xFFFF - place : 0);
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
    if (!rows_.adds_vectors) return;
    // The last tap first: ascending windows (B13).
    for (int64_t k = taps_.count; k-- > 0;) {
      const int64_t t = k * width.dilation;
      PhaseTaps& taps = phase_taps_[static_cast<size_t>(t % width.stride)];
      taps.before[static_cast<size_t>(taps.count++)] = t / width.stride * tile_.lanes;
    }
  }

  // Single columns with gaps between them: one element at a time, through a packed row.
  bool HasGaps(const PlaneStrides& strides) const {
    return tile_.lanes == 1 && strides.spatial[WindowLoop::kWidth] != 1;
  }
  struct Steps {
    int64_t run;
    int64_t element;
  };
  void CopyElements(const void* from, Steps from_steps, void* to, Steps to_steps,
                    const Runs& runs) const {
    const auto copy = [&]<typename T>(T) {
      for (int64_t r = 0; r < runs.count; ++r) {
        const T* const source = static_cast<const T*>(from) + r * from_steps.run;
        T* const target = static_cast<T*>(to) + r * to_steps.run;
        for (int64_t i = 0; i < runs.length; ++i) {
          target[i * to_steps.element] = source[i * from_steps.element];
        }
      }
    };
    moves_.size == 4 ? copy(uint32_t{}) : copy(uint16_t{});
  }
  // Where the elements of runs lie side by side.
  const char* Packed(const char* from, const PlaneStrides& strides, Runs& runs) const {
    if (!HasGaps(strides)) return from;
    CopyElements(from, {runs.memory_step, strides.spatial[WindowLoop::kWidth]}, elements_,
                 {runs.length, 1}, runs);
    runs.memory_step = runs.length;
    runs.ahead = 0;
    return reinterpret_cast<const char*>(elements_);
  }

  // Columns of a row of a tensor: calls move(memory, runs, lane, place) where `lane` is
  // that of the first in a buffer. There columns of several lanes lie by their phases.
  template <typename Byte, typename Move>
  void ForRuns(Byte* row, const PlaneStrides& strides, IndexRange columns, int64_t pitch,
               int64_t phases, const Move& move) {
    const int64_t stride = strides.spatial[WindowLoop::kWidth], lanes = tile_.lanes;
    const int64_t count = columns.end - columns.begin, t = columns.begin - tile_.first_column;
    row += columns.begin * stride * moves_.size;
    if (lanes == 1) {
      // The same rows of the planes that follow, if these are small.
      const auto next = static_cast<uintptr_t>(rows_.group * strides.channel * moves_.size);
      const uintptr_t ahead = next <= kMaxAhead ? next : kPrefetchBytes;
      return move(row, Runs{group_, count, strides.channel, pitch, pitch, ahead}, t, t);
    }
    if (phases == 1 && stride == lanes) {
      return move(row, Runs{1, count * lanes, 0, 0, 0, kPrefetchBytes}, t * lanes, t * lanes);
    }
    for (int64_t i = 0; i < std::min(phases, count); ++i) {
      const int64_t phase = (t + i) % phases, position = (t + i) / phases;
      const Runs runs = {CeilDivideSigned(count - i, phases),
                         lanes,
                         phases * stride,
                         lanes,
                         phases * lanes,
                         kPrefetchBytes};
      move(row + i * stride * moves_.size, runs, phase * tile_.phase_size + position * lanes,
           (t + i) * lanes);
    }
  }

  // The keys of row (d, h) of all planes.
  void LoadKeys(int64_t d, int64_t h) {
    const WindowAxis& width = rows_.axes[WindowLoop::kWidth];
    const int64_t first_tap = tile_.first_column + tile_.lead * width.stride;
    const int64_t past =
        (tile_.windows.end - 1) * width.stride - width.start_padding + width.reach() + 1;
    const IndexRange seen = {std::max<int64_t>(0, first_tap), std::min(width.input_size, past)};
    int32_t* const keys = rows_.splits_rows ? linear_ : keys_;
    ForRuns(Row(x_, plan_.input, d, h), plan_.input, seen, tile_.pitch * Stride(), Stride(),
            [&](const char* from, Runs runs, int64_t at, int64_t place) {
              from = Packed(from, plan_.input, runs);
              moves_.keys(from, runs, place, keys + at);
            });
    if (rows_.splits_rows) SplitPhases(linear_, tile_.phase_size, width.stride, keys_);
  }

  void LoadGradients(int64_t d, int64_t h) {
    float* const to = gradients_ + tile_.lead * tile_.lanes;
    const PlaneStrides& strides = plan_.input_gradient;
    ForRuns(Row(dy_, strides, d, h), strides, tile_.windows, tile_.pitch, 1,
            [&](const char* from, Runs runs, int64_t, int64_t) {
              from = Packed(from, strides, runs);
              moves_.values(from, runs, to);
            });
  }

  // Stores the tile's own columns of a finished row of all planes, and clears the sums.
  void StoreRow(int64_t d, int64_t h, float* sums) {
    const PlaneStrides& strides = plan_.output_gradient;
    const bool is_split = rows_.adds_vectors && Stride() > 1;
    if (h >= own_.begin && h < own_.end) {
      const float* source = sums;
      if (is_split && tile_.lanes == 1) {
        MergePhases(sums, tile_.phase_size, Stride(), merged_);
        source = merged_;
      }
      ForRuns(Row(dx_, strides, d, h), strides, tile_.columns, tile_.pitch * Stride(),
              is_split ? Stride() : 1, [&](char* to, Runs runs, int64_t at, int64_t) {
                if (!HasGaps(strides)) return moves_.store(source + at, runs, stream_, to);
                Runs packed = runs;
                packed.memory_step = runs.length;
                packed.ahead = 0;
                moves_.store(source + at, packed, false, elements_);
                CopyElements(elements_, {runs.length, 1}, to,
                             {runs.memory_step, strides.spatial[WindowLoop::kWidth]}, runs);
              });
    }
    std::fill_n(sums, RowLanes(), 0.0f);
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
        StoreRow(d, h, sums_);
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
      StoreRow(d, h, sums_ + slots.slot() * RowLanes());
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
            best_ + slot * tile_.phase_size,
            codes_ == nullptr ? nullptr : codes_ + slot * tile_.phase_size,
            static_cast<int32_t>(slot * RowLanes())};
      }
    }
    loaded_height_ = std::max(loaded_height_, taps.first + (taps.count - 1) * taps.step);
    if (rows_.packs_codes) {
      BestOfPackedRows(seen_.data(), count, tile_.phase_size, winners_);
    } else {
      BestOfRows(seen_.data(), count, tile_.phase_size, winners_);
    }
    LoadGradients(od, oh);
    if (rows_.adds_vectors) return AddVectors(count);
    const int64_t first = tile_.lead * tile_.lanes;
    int64_t g = 0;
    for (; g + kTurns <= group_; g += kTurns) AddByTurns(g * tile_.pitch + first);
    for (; g < group_; ++g) Add(g * tile_.pitch + first);
  }

  void LoadRow(int64_t d, int64_t h, int64_t slot) {
    const int64_t at = slot * tile_.phase_size;
    LoadKeys(d, h);
    if (rows_.packs_codes) {
      BestOfPackedRow(taps_, keys_, tile_.phase_size, best_ + at);
    } else {
      BestOfRow(taps_, keys_, tile_.phase_size, places_, static_cast<int32_t>(slot * RowLanes()),
                best_ + at, codes_ + at);
    }
  }

  // Between the windows of two planes gradients are +0, which change no sum: none is -0.
  void AddVectors(int64_t row_count) {
    for (int64_t phase = 0; phase < Stride(); ++phase) {
      const PhaseTaps& taps = phase_taps_[static_cast<size_t>(phase)];
      if (taps.count == 0) continue;
      const int64_t lane = phase * tile_.phase_size;
      const auto add = kAddToPhase[taps.count < std::ssize(kAddToPhase) ? taps.count : 0];
      add(taps, {seen_.data(), row_count, group_ * tile_.pitch, winners_, gradients_,
                 places_ + lane, sums_ + lane});
    }
  }

  // The gradients of a plane whose windows begin at lane `at`, ascending.
  void Add(int64_t at) {
    const int32_t* const winners = winners_ + at;
    const float* const gradients = gradients_ + at;
    float* const sums = sums_;
    const int64_t count = UsedLanes();
    for (int64_t i = 0; i < count; ++i) sums[winners[i]] += gradients[i];
  }
  void AddByTurns(int64_t at) {
    const int64_t pitch = tile_.pitch, count = UsedLanes();
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
  int64_t UsedLanes() const { return (tile_.windows.end - tile_.windows.begin) * tile_.lanes; }

  const Plan& plan_;
  const AnyRows& rows_;
  const ColumnTile tile_;
  const ElementMoves moves_;
  TapTable taps_;
  std::array<PhaseTaps, kMaxVectorTaps> phase_taps_;
  bool stream_ = false;
  IndexRange own_;  // rows
  int64_t group_ = 0;
  const char* x_ = nullptr;  // the first plane's
  const char* dy_ = nullptr;
  char* dx_ = nullptr;
  int64_t loaded_depth_ = -1;
  int64_t loaded_height_ = -1;
  int32_t* keys_;      // of one input row, split by the stride
  int32_t* places_;    // of its lanes, in a row that is not split
  int32_t* linear_;    // keys, not split
  float* merged_;      // sums, not split
  int32_t* elements_;  // of one row, as they are
  int32_t* winners_;   // of windows: where the winner's sum lies
  float* gradients_;   // of windows
  int32_t* best_;      // of the windows on every row that is held
  int32_t* codes_;     // of the same, where the winner's sum lies
  float* sums_;        // of every row that is held
  std::array<SeenRow, kMaxSlots> seen_;
};

void AnyRowsOf(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor) {
  const AnyRows rows(plan, executor.threads(), Step(Ints()));
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
        hwy::FlushStream();
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
// columns have more windows, or more than one position more.
int64_t ScratchLanesOf(const AnyRows& rows, int64_t lanes, int64_t columns) {
  WindowAxis width = rows.axes[WindowLoop::kWidth];
  const int64_t begin = width.reach();
  width.start_padding = 0;
  width.output_size = int64_t{1} << 36;
  ColumnTile tile(width, lanes, rows.group, {begin, begin + columns});
  tile.phase_size = cpu::WholeVectors(rows.group * (tile.pitch + lanes));
  return rows.ScratchLanes(tile);
}

}  // namespace

ColumnTile::ColumnTile(const WindowAxis& width, int64_t lane_count, int64_t group, IndexRange own)
    : lanes(lane_count), columns(own), windows(WindowsOf(width, own)) {
  const int64_t count = windows.end - windows.begin;
  const int64_t first = count == 0 ? own.begin : windows.begin * width.stride - width.start_padding;
  lead = first <= own.begin ? 0 : CeilDivideSigned(first - own.begin, width.stride);
  first_column = first - lead * width.stride;
  // So a window that sees two planes lies between those of either, and nobody asks for it.
  const int64_t past =
      count == 0 ? own.end : first + (count - 1) * width.stride + width.reach() + 1;
  pitch = CeilDivideSigned(std::max(past, own.end) - first_column, width.stride) * lanes;
  phase_size = cpu::WholeVectors(group * pitch);
}

AnyRows::AnyRows(const Plan& plan, int threads, int64_t vector_lanes) : axes(plan.loop.axes) {
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
  splits_rows = lanes == 1 && width.stride > 1;
  for (const PlaneStrides* s : {&plan.input, &plan.input_gradient, &plan.output_gradient}) {
    has_gaps = has_gaps || (lanes == 1 && s->spatial[WindowLoop::kWidth] != 1);
    // Planes of a group lie at equal distances.
    if (plan.loop.batches > 1 && s->batch != plan.loop.channels * s->channel) group = 1;
  }
  // Asking every element of every tap costs less than an addition per window.
  const int64_t most = std::min(kMaxVectorTaps, 2 * vector_lanes);
  int64_t taps = width.stride <= most ? 1 : most + 1;
  for (const WindowAxis& axis : axes) taps *= std::min(axis.window_size, most + 1);
  adds_vectors = taps <= most;
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

int64_t AnyRows::LanesBefore(const ColumnTile& tile) const {
  const WindowAxis& width = axes[WindowLoop::kWidth];
  return adds_vectors ? cpu::WholeVectors(width.reach() / width.stride * tile.lanes) : 0;
}

int64_t AnyRows::ScratchLanes(const ColumnTile& tile) const {
  const int64_t row = axes[WindowLoop::kWidth].stride * tile.phase_size;
  return Slots() * (tile.phase_size * (packs_codes ? 1 : 2) + row) + (splits_rows ? 5 : 3) * row +
         2 * (tile.phase_size + LanesBefore(tile)) + cpu::kMaxLanes;
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
  const AnyRows rows(plan, 1, cpu::kMaxLanes);
  if (rows.MaxScratchLanes() > kMaxScratchLanes || rows.Slots() > kMaxSlots) {
    return {"the window is too large for the row buffers"};
  }
  return kAccepted;
}

}  // namespace anydml::window::gradient
#endif  // HWY_ONCE
