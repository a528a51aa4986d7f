// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The gradient of one window over a small packed plane: its keys are read once
// and stay in registers.
// Included once per instruction set.

#if defined(ANYDML_KERNELS_WINDOW_GRADIENT_ONE_WINDOW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_WINDOW_GRADIENT_ONE_WINDOW_INL_H_
#undef ANYDML_KERNELS_WINDOW_GRADIENT_ONE_WINDOW_INL_H_
#else
#define ANYDML_KERNELS_WINDOW_GRADIENT_ONE_WINDOW_INL_H_
#endif

#include <hwy/highway.h>

#include <cstring>

#include "backends/cpu/prefetch.h"
#include "kernels/window/cpu/maximum_runs-inl.h"

#ifndef ANYDML_KERNELS_WINDOW_GRADIENT_ONE_WINDOW_INL_ONCE_
#define ANYDML_KERNELS_WINDOW_GRADIENT_ONE_WINDOW_INL_ONCE_
namespace anydml::window::gradient {

// Elements of a plane whose rows have gaps between them, too.
inline constexpr int64_t kMaxGappedLength = 128;

}  // namespace anydml::window::gradient
#endif

HWY_BEFORE_NAMESPACE();
namespace anydml::window::gradient {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

// The other way round.
template <class D>
HWY_INLINE hn::Mask<D> MaskOfBits(D d, uint64_t bits) {
  uint8_t bytes[8];
  std::memcpy(bytes, &bits, sizeof bytes);
  return hn::LoadMaskBits(d, bytes);
}

// Puts the gradient where the greatest key is first. Bits say where: one per
// element, of which the lowest stays. start(v) is the first element of vector v.
template <int kVectors, class D, class Start, typename T>
HWY_INLINE void PutByBits(D d, const hn::Vec<D> (&keys)[kVectors], hn::Vec<D> greatest,
                          const Start& start, hn::Vec<D> gradient, T* dx) {
  uint64_t places = 0;
  HWY_UNROLL(8)
  for (int v = 0; v < kVectors; ++v) {
    places |= vectors::BitsOfMask(d, hn::Eq(keys[v], greatest)) << start(v);
  }
  places &= -places;
  HWY_UNROLL(8)
  for (int v = 0; v < kVectors; ++v) {
    const auto won = MaskOfBits(d, places >> start(v));
    vectors::StoreElementBits(d, hn::IfThenElseZero(won, gradient), dx + start(v));
  }
}

// The same for planes that have more elements than a word has bits.
template <int kVectors, class D, class Start, typename T>
HWY_INLINE void PutByNumbers(D d, const hn::Vec<D> (&keys)[kVectors], hn::Vec<D> greatest,
                             const Start& start, hn::Vec<D> gradient, T* dx) {
  using Lane = hn::TFromD<D>;
  // Counted from the end: the first of equal elements has the greatest number.
  const auto numbers = hn::Sub(hn::Set(d, Lane{4 * HWY_MAX_BYTES}), hn::Iota(d, 0));
  const auto number = [&](int v) HWY_ATTR {
    return hn::Sub(numbers, hn::Set(d, static_cast<Lane>(start(v))));
  };
  auto first = hn::Zero(d);
  HWY_UNROLL(8)
  for (int v = 0; v < kVectors; ++v) {
    first = hn::Max(first, hn::IfThenElseZero(hn::Eq(keys[v], greatest), number(v)));
  }
  const auto winner = hn::Set(d, vectors::GreatestLane(d, first));
  HWY_UNROLL(8)
  for (int v = 0; v < kVectors; ++v) {
    vectors::StoreElementBits(d, hn::IfThenElseZero(hn::Eq(number(v), winner), gradient),
                              dx + start(v));
  }
}

// kVectors vectors cover the plane; the last one may overlap the one before it.
// `gradient` is that of the window, as a sum of one term.
template <int kVectors, class D, typename T>
HWY_INLINE void HandOutPlane(D d, const T* x, int64_t count, hn::TFromD<D> gradient, T* dx) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto start = [&](int v) { return v + 1 < kVectors ? v * lanes : count - lanes; };
  hn::Vec<D> keys[kVectors];
  auto greatest = keys[0] = vectors::KeysAt(d, x);
  HWY_UNROLL(8)
  for (int v = 1; v < kVectors; ++v) {
    keys[v] = vectors::KeysAt(d, x + start(v));
    greatest = hn::Max(greatest, keys[v]);
  }
  const auto maximum = hn::Set(d, vectors::GreatestLane(d, greatest));
  if constexpr (kVectors * hn::MaxLanes(d) <= 64) {
    PutByBits<kVectors>(d, keys, maximum, start, hn::Set(d, gradient), dx);
  } else {
    PutByNumbers<kVectors>(d, keys, maximum, start, hn::Set(d, gradient), dx);
  }
}

// ----
// The gradient of one window over a small plane whose rows lie apart, in one
// tensor or both: row by row, from memory to memory.

// A plane as its rows.
template <typename T>
struct GappedPlane {
  T* first;
  int64_t height_stride;
  int64_t depth_stride;
  // Bytes to a plane that will be needed soon, and is asked for.
  uintptr_t ahead;

  HWY_INLINE T* Row(int64_t depth, int64_t height) const {
    return first + depth * depth_stride + height * height_stride;
  }
};

struct RowsOfPlane {
  int64_t depths;
  int64_t heights;
  int64_t length;
};

// A vector of a row. What lies behind a row may be read no more than written, so the
// last vector overlaps the one before it. A row that is shorter than a vector is its
// two ends side by side, which overlap: the vector is the least that holds it.
template <bool kShorter, class D, typename T>
HWY_INLINE hn::Vec<D> LoadOfRow(D d, const T* row, int64_t length, int64_t begin) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (kShorter) {
    const hn::Half<D> half;
    const auto end = row + length - hn::Lanes(half);
    return hn::Combine(d, hn::LoadU(half, end), hn::LoadU(half, row));
  }
#endif
  (void)length;
  return hn::LoadU(d, row + begin);
}

template <bool kShorter, class D, typename T>
HWY_INLINE void StoreZeros(D d, T* row, int64_t length, int64_t begin) {
  if constexpr (kShorter) {
    const hn::Half<D> half;
    hn::StoreU(hn::Zero(half), half, row);
    hn::StoreU(hn::Zero(half), half, row + length - hn::Lanes(half));
  } else {
    hn::StoreU(hn::Zero(d), d, row + begin);
  }
}

// Calls body(begin) for every vector of a row.
template <bool kShorter, class D, class Body>
HWY_INLINE void ForEachVector(D d, int64_t length, const Body& body) {
  int64_t begin = 0;
  if constexpr (!kShorter) {
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    for (; begin + lanes < length; begin += lanes) body(begin);
    begin = length - lanes;
  }
  body(begin);
}

// Minus the column in every lane of a row's first vector.
template <bool kShorter, class D>
HWY_INLINE hn::Vec<D> MinusColumns(D d, int64_t length) {
  using T = hn::TFromD<D>;
  const auto lane = hn::Iota(d, 0);
  if (!kShorter) return hn::Neg(lane);
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto is_end = hn::Gt(lane, hn::Set(d, static_cast<T>(lanes / 2 - 1)));
  return hn::Sub(hn::IfThenElseZero(is_end, hn::Set(d, static_cast<T>(lanes - length))), lane);
}

// `gradient` is that of the window, as a sum of one term. kShorter: a row is shorter
// than a vector.
template <bool kShorter, class D, typename T>
HWY_INLINE void HandOutGappedPlane(D d, const RowsOfPlane rows, const GappedPlane<const T> x,
                                   T gradient, const GappedPlane<T> dx) {
  const auto lowest = hn::Set(d, std::numeric_limits<T>::min());
  // Of each lane: the greatest key, and minus the place where it is first.
  auto greatest = lowest, first = lowest;
  auto row = MinusColumns<kShorter>(d, rows.length);
  for (int64_t i = 0; i < rows.depths; ++i) {
    for (int64_t j = 0; j < rows.heights; ++j) {
      const T* from = x.Row(i, j);
      T* to = dx.Row(i, j);
      cpu::PrefetchLine(from, x.ahead);
      cpu::PrefetchLine(to, dx.ahead);
      ForEachVector<kShorter>(d, rows.length, [&](int64_t begin) HWY_ATTR {
        StoreZeros<kShorter>(d, to, rows.length, begin);
        const auto key = vectors::ElementKeys(d, LoadOfRow<kShorter>(d, from, rows.length, begin));
        const auto place = kShorter ? row : hn::Sub(row, hn::Set(d, static_cast<T>(begin)));
        first = hn::IfThenElse(hn::Gt(key, greatest), place, first);
        greatest = hn::Max(key, greatest);
      });
      row = hn::Sub(row, hn::Set(d, static_cast<T>(kMaxGappedLength)));
    }
  }
  const auto maximum = hn::Set(d, vectors::GreatestLane(d, greatest));
  const auto places = hn::IfThenElse(hn::Eq(greatest, maximum), first, lowest);
  const int64_t place = -int64_t{vectors::GreatestLane(d, places)};
  int64_t depth = 0, height = place / kMaxGappedLength;
  if (rows.depths > 1) {
    depth = height / rows.heights;
    height -= depth * rows.heights;
  }
  dx.Row(depth, height)[place % kMaxGappedLength] = gradient;
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::gradient
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
