// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Moves rows of FLOAT32 and FLOAT16 tensors into the lane buffers of
// window_tiles.h and back. Included once per instruction set. Reads and writes
// nothing outside the rows' elements.

#if defined(ANYDML_KERNELS_WINDOW_CPU_WINDOW_TILES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_WINDOW_CPU_WINDOW_TILES_INL_H_
#undef ANYDML_KERNELS_WINDOW_CPU_WINDOW_TILES_INL_H_
#else
#define ANYDML_KERNELS_WINDOW_CPU_WINDOW_TILES_INL_H_
#endif

#include <hwy/highway.h>

#include "backends/cpu/float16-inl.h"
#include "kernels/window/cpu/maximum_keys-inl.h"
#include "kernels/window/cpu/window_tiles.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Below every key, also that of minus infinity.
inline constexpr int32_t kPaddingKey = std::numeric_limits<int32_t>::min();

// Move has Block(tag, memory, buffer) for lanes side by side, and Pairs(tag,
// memory, even, odd) for twice as many elements whose columns alternate between
// two phases.
template <class D, class Move>
HWY_INLINE void MoveRow(D d, const LaneMove& row, const Move& move) {
  const hn::CappedTag<hn::TFromD<D>, 1> d1;
  if (row.kind == LaneMove::kRun) {
    ForEachBlock(d, row.count, [&](auto tag, int64_t i) HWY_ATTR {
      move.Block(tag, row.memory + i, row.buffer + i);
    });
  } else if (row.kind == LaneMove::kPairs) {
    const int64_t odd = row.buffer + row.phase_size;
    if (row.odd_before) move.Block(d1, row.memory - 1, odd - 1);
    ForEachBlock(d, row.count, [&](auto tag, int64_t i) HWY_ATTR {
      move.Pairs(tag, row.memory + 2 * i, row.buffer + i, odd + i);
    });
    if (row.even_after) move.Block(d1, row.memory + 2 * row.count, row.buffer + row.count);
  } else {
    int64_t phase = row.phase, buffer = row.buffer, memory = row.memory;
    for (int64_t column = 0; column < row.count; ++column, memory += row.stride) {
      const int64_t to = phase * row.phase_size + buffer;
      ForEachBlock(d, row.lanes,
                   [&](auto tag, int64_t i) HWY_ATTR { move.Block(tag, memory + i, to + i); });
      if (++phase == row.phases) {
        phase = 0;
        buffer += row.lanes;
      }
    }
  }
}

// Fills the columns of a buffer that the tensor's row does not have, and the
// lanes after the last column.
template <typename T>
void FillOutside(const LaneRow& row, const RowColumns& columns, T value, T* buffer) {
  const auto position = [&](int64_t padded, int64_t phase) {
    const int64_t first = padded <= phase ? 0 : CeilDivideSigned(padded - phase, row.phases);
    return std::clamp<int64_t>(first - row.first, 0, row.positions) * row.lanes;
  };
  for (int64_t phase = 0; phase < row.phases; ++phase) {
    T* lanes = buffer + phase * row.phase_size;
    std::fill(lanes, lanes + position(columns.start_padding, phase), value);
    std::fill(lanes + position(columns.start_padding + columns.count, phase),
              lanes + row.phase_size, value);
  }
}

// MaximumKey of every element.
template <class DI>
HWY_INLINE hn::Vec<DI> KeysOf(DI di, hn::Vec<hn::RebindToFloat<DI>> values) {
  const hn::RebindToFloat<DI> df;
  // Minus zero becomes zero.
  const auto bits = hn::BitCast(di, hn::Add(values, hn::Zero(df)));
  const auto flip = hn::And(hn::BroadcastSignBit(bits), hn::Set(di, 0x7FFFFFFF));
  return hn::IfThenElse(hn::RebindMask(di, hn::IsNaN(values)), hn::Set(di, 0x7FFFFFFF),
                        hn::Xor(bits, flip));
}

template <typename T>
struct LoadKeys {
  const T* from;
  int32_t* to;

  template <class D>
  HWY_INLINE void Block(D d, int64_t memory, int64_t buffer) const {
    const hn::RebindToSigned<D> di;
    hn::StoreU(Keys(di, from + memory), di, to + buffer);
    (void)d;
  }

  template <class D>
  HWY_INLINE void Pairs(D, int64_t memory, int64_t even, int64_t odd) const {
    const hn::RebindToSigned<D> di;
    if constexpr (hn::MaxLanes(di) == 1) {
      hn::StoreU(Keys(di, from + memory), di, to + even);
      hn::StoreU(Keys(di, from + memory + 1), di, to + odd);
    }
#if HWY_TARGET != HWY_SCALAR
    else if constexpr (std::is_same_v<T, Float16>) {
      const hn::Repartition<int16_t, decltype(di)> d16;
      const auto both = hn::BitCast(di, ElementKeys(d16, LoadElementBits(d16, from + memory)));
      hn::StoreU(hn::ShiftRight<16>(hn::ShiftLeft<16>(both)), di, to + even);
      hn::StoreU(hn::ShiftRight<16>(both), di, to + odd);
    } else {
      const auto low = Keys(di, from + memory);
      const auto high = Keys(di, from + memory + hn::Lanes(di));
      hn::StoreU(hn::ConcatEven(di, high, low), di, to + even);
      hn::StoreU(hn::ConcatOdd(di, high, low), di, to + odd);
    }
#endif
  }

 private:
  template <class DI>
  static HWY_INLINE hn::Vec<DI> Keys(DI di, const float* x) {
    return KeysOf(di, hn::LoadU(hn::RebindToFloat<DI>(), x));
  }
  template <class DI>
  static HWY_INLINE hn::Vec<DI> Keys(DI di, const Float16* x) {
    const hn::Rebind<int16_t, DI> d16;
    return hn::PromoteTo(di, ElementKeys(d16, LoadElementBits(d16, x)));
  }
};

// For rows of one phase.
template <typename T>
struct LoadValues {
  const T* from;
  float* to;

  template <class D>
  HWY_INLINE void Block(D d, int64_t memory, int64_t buffer) const {
    hn::StoreU(LoadFloats(d, from + memory), d, to + buffer);
  }
  template <class D>
  HWY_INLINE void Pairs(D, int64_t, int64_t, int64_t) const {}
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
