// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The blocked sum of B61: element r of a block of 4096 is added to slot r mod 128, ascending, from
// +0; then slot j takes slot j + h for h = 64, 32, 16, 8, 4, 2, 1. A slot is never -0, so slots
// without elements are left out. Products likewise, from 1. Included once per instruction set.

#if defined(ANYDML_KERNELS_REDUCE_CPU_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_REDUCE_CPU_SUMS_INL_H_
#undef ANYDML_KERNELS_REDUCE_CPU_SUMS_INL_H_
#else
#define ANYDML_KERNELS_REDUCE_CPU_SUMS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "backends/cpu/float16-inl.h"
#include "backends/cpu/prefetch.h"
#include "kernels/reduce/cpu/block_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::reduce {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

struct Plus {
  static constexpr float kStart = 0;
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Add(a, b);
  }
};
struct Times {
  static constexpr float kStart = 1;
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Mul(a, b);
  }
};

struct AsItIs {
  template <class V>
  HWY_INLINE V operator()(V x) const {
    return x;
  }
};
struct Absolute {
  template <class V>
  HWY_INLINE V operator()(V x) const {
    return hn::Abs(x);
  }
};
struct Squared {
  template <class V>
  HWY_INLINE V operator()(V x) const {
    return hn::Mul(x, x);
  }
};

// Calls body(d, i) for vectors that cover [0, count), the last of them of four lanes and of one.
template <class Body>
HWY_INLINE void ForEachVector(size_t count, const Body& body) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 4> d4;
  const hn::CappedTag<float, 1> d1;
  size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) body(d, i);
  for (; i + hn::Lanes(d4) <= count; i += hn::Lanes(d4)) body(d4, i);
  for (; i < count; ++i) body(d1, i);
}

// The first `used` of 128 slots into the first.
template <class Op>
HWY_INLINE float Halve(float* HWY_RESTRICT slots, size_t used) {
  for (size_t half = kSlots / 2; half > 0; half /= 2) {
    if (used <= half) continue;
    ForEachVector(used - half, [&](auto d, size_t j) HWY_ATTR {
      hn::StoreU(Op()(hn::LoadU(d, slots + j), hn::LoadU(d, slots + half + j)), d, slots + j);
    });
    used = half;
  }
  return slots[0];
}

// The same of rows of `lanes` values, kStrip apart.
template <class Op>
HWY_INLINE void HalveRows(float* HWY_RESTRICT rows, size_t used, size_t lanes) {
  for (size_t half = kSlots / 2; half > 0; half /= 2) {
    for (size_t j = 0; j + half < used; ++j) {
      float* const to = rows + j * kStrip;
      const float* const from = rows + (j + half) * kStrip;
      ForEachVector(lanes, [&](auto d, size_t i) HWY_ATTR {
        hn::StoreU(Op()(hn::LoadU(d, to + i), hn::LoadU(d, from + i)), d, to + i);
      });
    }
    used = std::min(used, half);
  }
}

// Slots of `rows` full rows of 128 elements. Eight vectors at a time hide the latency.
template <class Op, class Map, typename T>
HWY_INLINE void SumRows(const T* HWY_RESTRICT x, size_t rows, float* HWY_RESTRICT slots) {
  const hn::ScalableTag<float> d;
  const size_t n = hn::Lanes(d);
  const Op op;
  const Map map;
  const size_t step = std::min<size_t>(8 * n, kSlots);
  for (size_t first = 0; first < kSlots; first += step) {
    const auto start = hn::Set(d, Op::kStart);
    auto a = start, b = start, c = start, e = start, f = start, g = start, h = start, i = start;
    const T* from = x + first;
    for (size_t row = 0; row < rows; ++row, from += kSlots) {
      for (size_t line = 0; line < step * sizeof(T); line += 64) {
        cpu::PrefetchLine(from, kAhead + line);
      }
      a = op(a, map(vectors::LoadFloats(d, from)));
      b = op(b, map(vectors::LoadFloats(d, from + n)));
      c = op(c, map(vectors::LoadFloats(d, from + 2 * n)));
      e = op(e, map(vectors::LoadFloats(d, from + 3 * n)));
      f = op(f, map(vectors::LoadFloats(d, from + 4 * n)));
      g = op(g, map(vectors::LoadFloats(d, from + 5 * n)));
      h = op(h, map(vectors::LoadFloats(d, from + 6 * n)));
      i = op(i, map(vectors::LoadFloats(d, from + 7 * n)));
    }
    float* const to = slots + first;
    hn::Store(a, d, to);
    hn::Store(b, d, to + n);
    hn::Store(c, d, to + 2 * n);
    hn::Store(e, d, to + 3 * n);
    hn::Store(f, d, to + 4 * n);
    hn::Store(g, d, to + 5 * n);
    hn::Store(h, d, to + 6 * n);
    hn::Store(i, d, to + 7 * n);
  }
}

// The slots of at most 4096 elements, of which min(count, 128) are used.
template <class Op, class Map, typename T>
HWY_INLINE void SumSlots(const T* HWY_RESTRICT x, size_t count, float* HWY_RESTRICT slots) {
  const size_t rows = count / kSlots, rest = count % kSlots;
  const T* const tail = x + rows * kSlots;
  if (rows > 0) SumRows<Op, Map>(x, rows, slots);
  ForEachVector(rest, [&](auto d, size_t j) HWY_ATTR {
    const auto before = rows > 0 ? hn::LoadU(d, slots + j) : hn::Set(d, Op::kStart);
    hn::StoreU(Op()(before, Map()(vectors::LoadFloats(d, tail + j))), d, slots + j);
  });
}

template <class Op, class Map, typename T>
HWY_INLINE float SumBlock(const T* HWY_RESTRICT x, size_t count) {
  alignas(64) float slots[kSlots];
  SumSlots<Op, Map>(x, count, slots);
  return Halve<Op>(slots, std::min<size_t>(count, kSlots));
}

// Partial sums, in place, until one is left.
template <class Op>
HWY_INLINE float SumOfSums(float* sums, uint64_t count) {
  do {
    const uint64_t blocks = (count + kBlock - 1) / kBlock;
    for (uint64_t b = 0; b < blocks; ++b) {
      sums[b] = SumBlock<Op, AsItIs>(sums + b * kBlock, std::min(kBlock, count - b * kBlock));
    }
    count = blocks;
  } while (count > 1);
  return sums[0];
}

// Of the slot after this one: `lanes` elements of the row, which the caller will read next.
template <typename T>
HWY_INLINE void PrefetchRow(const T* x, const int64_t* offsets, size_t row, size_t rows,
                            size_t lane, size_t lanes) {
  const T* const from = x + offsets[row < rows ? row : 0] + lane;
  for (size_t line = 0; line < lanes * sizeof(T); line += 64) cpu::PrefetchLine(from, line);
}

// Slots of sets side by side. One slot after the other: its at most 32 rows are added in
// registers, four vectors of each.
template <class Op, class Map, typename T>
HWY_INLINE void SumColumns(const T* x, const int64_t* HWY_RESTRICT offsets, size_t count,
                           size_t lanes, float* HWY_RESTRICT sums, StripBuffer& buffer) {
  const hn::ScalableTag<float> d;
  const size_t n = hn::Lanes(d);
  const Op op;
  const Map map;
  const size_t used = std::min<size_t>(count, kSlots);
  for (size_t slot = 0; slot < used; ++slot) {
    float* const to = buffer.slots + slot * kStrip;
    size_t i = 0;
    for (; i + 4 * n <= lanes; i += 4 * n) {
      const auto start = hn::Set(d, Op::kStart);
      auto a = start, b = start, c = start, e = start;
      for (size_t r = slot; r < count; r += kSlots) {
        const T* const from = x + offsets[r] + i;
        PrefetchRow<T>(x, offsets, r + 1, count, i, 4 * n);
        a = op(a, map(vectors::LoadFloats(d, from)));
        b = op(b, map(vectors::LoadFloats(d, from + n)));
        c = op(c, map(vectors::LoadFloats(d, from + 2 * n)));
        e = op(e, map(vectors::LoadFloats(d, from + 3 * n)));
      }
      hn::Store(a, d, to + i);
      hn::Store(b, d, to + i + n);
      hn::Store(c, d, to + i + 2 * n);
      hn::Store(e, d, to + i + 3 * n);
    }
    ForEachVector(lanes - i, [&](auto dv, size_t j) HWY_ATTR {
      auto sum = hn::Set(dv, Op::kStart);
      for (size_t r = slot; r < count; r += kSlots) {
        sum = op(sum, map(vectors::LoadFloats(dv, x + offsets[r] + i + j)));
      }
      hn::StoreU(sum, dv, to + i + j);
    });
  }
  HalveRows<Op>(buffer.slots, used, lanes);
  std::copy_n(buffer.slots, lanes, sums);
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::reduce
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
