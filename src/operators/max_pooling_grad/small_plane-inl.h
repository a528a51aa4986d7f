// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The gradient of one window over a small packed plane: its keys are read once
// and stay in registers. Included once per instruction set.

#if defined(ANYDML_MAX_POOLING_GRAD_SMALL_PLANE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_MAX_POOLING_GRAD_SMALL_PLANE_INL_H_
#undef ANYDML_MAX_POOLING_GRAD_SMALL_PLANE_INL_H_
#else
#define ANYDML_MAX_POOLING_GRAD_SMALL_PLANE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstring>

#include "kernels/window/cpu/maximum_runs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling_grad {
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

}  // namespace HWY_NAMESPACE
}  // namespace anydml::max_pooling_grad
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
