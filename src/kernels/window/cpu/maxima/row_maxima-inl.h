// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The steps of the strategy row_maxima on one row: bits and keys of an input
// row, the maxima along it, the maxima of several such rows. In lanes as wide
// as the elements. Included once per instruction set.

#if defined(ANYDML_KERNELS_WINDOW_MAXIMA_ROW_MAXIMA_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_WINDOW_MAXIMA_ROW_MAXIMA_INL_H_
#undef ANYDML_KERNELS_WINDOW_MAXIMA_ROW_MAXIMA_INL_H_
#else
#define ANYDML_KERNELS_WINDOW_MAXIMA_ROW_MAXIMA_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/window/cpu/maxima/row_maxima.h"
#include "kernels/window/cpu/window_tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::window::maxima {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

// Three buffers that belong together, per lane.
template <typename Lane>
struct Candidates {
  Lane* keys;
  Lane* bits;   // of the element, to be copied
  Lane* codes;  // which tap it is; null where no indices are wanted

  Candidates At(int64_t i) const {
    return {keys + i, bits + i, codes == nullptr ? nullptr : codes + i};
  }
};

template <typename T>
struct LoadCandidates {
  using Lane = vectors::BitsOf<T>;
  const T* from;
  Candidates<Lane> to;

  template <class D>
  HWY_INLINE void Put(D d, hn::Vec<D> bits, int64_t buffer) const {
    hn::StoreU(bits, d, to.bits + buffer);
    hn::StoreU(vectors::ElementKeys(d, bits), d, to.keys + buffer);
  }
  template <class D>
  HWY_INLINE void Block(D d, int64_t memory, int64_t buffer) const {
    Put(d, vectors::LoadElementBits(d, from + memory), buffer);
  }
  template <class D>
  HWY_INLINE void Pairs(D d, int64_t memory, int64_t even, int64_t odd) const {
    if constexpr (hn::MaxLanes(d) == 1) {
      Block(d, memory, even);
      Block(d, memory + 1, odd);
    }
#if HWY_TARGET != HWY_SCALAR
    else {
      const auto low = vectors::LoadElementBits(d, from + memory);
      const auto high =
          vectors::LoadElementBits(d, from + memory + static_cast<int64_t>(hn::Lanes(d)));
      Put(d, hn::ConcatEven(d, high, low), even);
      Put(d, hn::ConcatOdd(d, high, low), odd);
    }
#endif
  }
};

// Offsets of the taps along the width in a buffer of input columns.
struct WidthTaps {
  int64_t count;
  std::array<int64_t, cpu::kMaxTileTaps> offset;
};

// The first maximum along the width for `size` windows side by side. kTaps taps,
// or 0 for any number.
template <int kTaps, bool kIndices, typename Lane>
void MaximaOfRow(const WidthTaps& taps, const Candidates<Lane>& row, int64_t size,
                 const Candidates<Lane>& to) {
  const hn::ScalableTag<Lane> d;
  const int64_t count = kTaps != 0 ? kTaps : taps.count;
  for (int64_t i = 0; i < size; i += static_cast<int64_t>(hn::Lanes(d))) {
    auto best = hn::LoadU(d, row.keys + i + taps.offset[0]);
    auto bits = hn::LoadU(d, row.bits + i + taps.offset[0]);
    auto code = hn::Zero(d);
    for (int64_t k = 1; k < count; ++k) {
      const int64_t at = i + taps.offset[static_cast<size_t>(k)];
      const auto key = hn::LoadU(d, row.keys + at);
      const auto greater = hn::Gt(key, best);
      best = hn::Max(key, best);
      bits = hn::IfThenElse(greater, hn::LoadU(d, row.bits + at), bits);
      if constexpr (kIndices) {
        code = hn::IfThenElse(greater, hn::Set(d, static_cast<Lane>(k)), code);
      }
    }
    hn::StoreU(best, d, to.keys + i);
    hn::StoreU(bits, d, to.bits + i);
    if constexpr (kIndices) hn::StoreU(code, d, to.codes + i);
  }
}

template <int kTaps, typename Lane>
void MaximaOfRow(const WidthTaps& taps, const Candidates<Lane>& row, int64_t size,
                 const Candidates<Lane>& to) {
  if (to.codes != nullptr) {
    MaximaOfRow<kTaps, true>(taps, row, size, to);
  } else {
    MaximaOfRow<kTaps, false>(taps, row, size, to);
  }
}

// Elements as they are, for FLOAT32 rows without NaN and without indices: the padding,
// minus infinity, then needs no key.
struct LoadPlain {
  const float* from;
  float* to;

  template <class D>
  HWY_INLINE void Block(D d, int64_t memory, int64_t buffer) const {
    hn::StoreU(hn::LoadU(d, from + memory), d, to + buffer);
  }
  template <class D>
  HWY_INLINE void Pairs(D d, int64_t memory, int64_t even, int64_t odd) const {
    if constexpr (hn::MaxLanes(d) == 1) {
      Block(d, memory, even);
      Block(d, memory + 1, odd);
    }
#if HWY_TARGET != HWY_SCALAR
    else {
      const auto low = hn::LoadU(d, from + memory);
      const auto high = hn::LoadU(d, from + memory + hn::Lanes(d));
      hn::StoreU(hn::ConcatEven(d, high, low), d, to + even);
      hn::StoreU(hn::ConcatOdd(d, high, low), d, to + odd);
    }
#endif
  }
};

// As MaximaOfRow, and whether there was no NaN. Infinity beside padding or minus
// infinity counts as one: their sum is.
template <int kTaps>
bool PlainMaximaOfRow(const WidthTaps& taps, const float* row, int64_t size, float* to) {
  const hn::ScalableTag<float> d;
  const int64_t count = kTaps != 0 ? kTaps : taps.count;
  auto sum = hn::Zero(d);
  for (int64_t i = 0; i < size; i += static_cast<int64_t>(hn::Lanes(d))) {
    auto best = hn::LoadU(d, row + i + taps.offset[0]);
    auto all = best;
    for (int64_t k = 1; k < count; ++k) {
      const auto next = hn::LoadU(d, row + i + taps.offset[static_cast<size_t>(k)]);
      all = hn::Add(all, next);
      best = vectors::FirstGreater(d, best, next);
    }
    sum = hn::Add(sum, all);
    hn::StoreU(best, d, to + i);
  }
  return hn::AllFalse(d, hn::IsNaN(sum));
}

struct StorePlainMaxima {
  const Candidates<int32_t>* rows;
  int64_t count;
  float* to;

  template <class D>
  HWY_INLINE void Block(D d, int64_t memory, int64_t buffer) const {
    const auto load = [&](int64_t r) HWY_ATTR {
      return hn::LoadU(d, reinterpret_cast<const float*>(rows[r].bits) + buffer);
    };
    auto best = load(0);
    for (int64_t r = 1; r < count; ++r) best = vectors::FirstGreater(d, best, load(r));
    hn::StoreU(best, d, to + memory);
  }
  template <class D>
  HWY_INLINE void Pairs(D, int64_t, int64_t, int64_t) const {}
};

// Stores the first maximum of `count` rows of candidates, and the number of its
// tap in logical order, -1 for none.
template <typename T>
struct StoreMaxima {
  using Lane = vectors::BitsOf<T>;
  const Candidates<Lane>* rows;
  int64_t count;
  int64_t width_taps;
  T* to;
  Lane* codes;  // null where no indices are wanted

  template <class D>
  HWY_INLINE void Block(D d, int64_t memory, int64_t buffer) const {
    auto best = hn::LoadU(d, rows[0].keys + buffer);
    auto bits = hn::LoadU(d, rows[0].bits + buffer);
    for (int64_t r = 1; r < count; ++r) {
      const auto key = hn::LoadU(d, rows[r].keys + buffer);
      const auto greater = hn::Gt(key, best);
      best = hn::Max(key, best);
      bits = hn::IfThenElse(greater, hn::LoadU(d, rows[r].bits + buffer), bits);
    }
    vectors::StoreElementBits(d, bits, to + memory);
    if (codes != nullptr) PutCodes(d, buffer, best);
  }

  // The row that has the maximum first.
  template <class D>
  HWY_INLINE void PutCodes(D d, int64_t buffer, hn::Vec<D> best) const {
    auto code = hn::Set(d, Lane{-1});
    for (int64_t r = count - 1; r >= 0; --r) {
      const auto first = hn::Add(hn::LoadU(d, rows[r].codes + buffer),
                                 hn::Set(d, static_cast<Lane>(r * width_taps)));
      code = hn::IfThenElse(hn::Eq(hn::LoadU(d, rows[r].keys + buffer), best), first, code);
    }
    const auto padding = hn::Eq(best, hn::Set(d, std::numeric_limits<Lane>::min()));
    hn::StoreU(hn::IfThenElse(padding, hn::Set(d, Lane{-1}), code), d, codes + buffer);
  }

  template <class D>
  HWY_INLINE void Pairs(D, int64_t, int64_t, int64_t) const {}
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::maxima
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
