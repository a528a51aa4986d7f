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

#include "backends/cpu/maximum_runs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling_grad {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

// kVectors vectors cover the plane; the last one may overlap the one before it.
// `gradient` is that of the window, as a sum of one term.
template <int kVectors, class D, typename T>
HWY_INLINE void HandOutPlane(D d, const T* x, int64_t count, hn::TFromD<D> gradient, T* dx) {
  using Lane = hn::TFromD<D>;
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
  // Counted from the end: the first of equal elements has the greatest number.
  const auto numbers = hn::Sub(hn::Set(d, static_cast<Lane>(count)), hn::Iota(d, 0));
  const auto number = [&](int v) HWY_ATTR {
    return hn::Sub(numbers, hn::Set(d, static_cast<Lane>(start(v))));
  };
  auto first = hn::Zero(d);
  HWY_UNROLL(8)
  for (int v = 0; v < kVectors; ++v) {
    first = hn::Max(first, hn::IfThenElseZero(hn::Eq(keys[v], maximum), number(v)));
  }
  const auto winner = hn::Set(d, vectors::GreatestLane(d, first));
  HWY_UNROLL(8)
  for (int v = 0; v < kVectors; ++v) {
    vectors::StoreElementBits(
        d, hn::IfThenElseZero(hn::Eq(number(v), winner), hn::Set(d, gradient)), dx + start(v));
  }
}

// The least vectors that cover a plane of at most kMostSmallPlane elements.
template <class D, typename T>
HWY_INLINE void HandOutSmallPlane(D d, const T* x, int64_t count, hn::TFromD<D> gradient, T* dx) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if constexpr (hn::MaxLanes(d) > 1) {
    if (count < lanes) return HandOutSmallPlane(hn::Half<D>(), x, count, gradient, dx);
  }
  switch ((count + lanes - 1) / lanes) {
    case 1:
      return HandOutPlane<1>(d, x, count, gradient, dx);
    case 2:
      return HandOutPlane<2>(d, x, count, gradient, dx);
    case 3:
      return HandOutPlane<3>(d, x, count, gradient, dx);
    default:
      return HandOutPlane<4>(d, x, count, gradient, dx);
  }
}

// Whether HandOutSmallPlane() takes it.
template <typename T>
HWY_INLINE bool IsSmallPlane(int64_t count) {
  return count <= 4 * static_cast<int64_t>(hn::Lanes(hn::ScalableTag<vectors::BitsOf<T>>()));
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::max_pooling_grad
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
