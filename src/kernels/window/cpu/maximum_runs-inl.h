// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The first maximum of a plane of FLOAT32 or FLOAT16 elements. Included once
// per instruction set.

#if defined(ANYDML_KERNELS_WINDOW_CPU_MAXIMUM_RUNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_WINDOW_CPU_MAXIMUM_RUNS_INL_H_
#undef ANYDML_KERNELS_WINDOW_CPU_MAXIMUM_RUNS_INL_H_
#else
#define ANYDML_KERNELS_WINDOW_CPU_MAXIMUM_RUNS_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstring>
#include <type_traits>

#include "kernels/window/cpu/maximum_keys-inl.h"
#include "kernels/window/cpu/plane_runs.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, typename T>
HWY_INLINE hn::Vec<D> KeysAt(D d, const T* from) {
  return ElementKeys(d, LoadElementBits(d, from));
}

// By halves; the last lanes of 16 bits by the one instruction that some processors
// have for it, or as 32-bit ones.
template <class D>
HWY_INLINE hn::TFromD<D> GreatestLane(D d, hn::Vec<D> v) {
  using Lane = hn::TFromD<D>;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4
  if constexpr (sizeof(Lane) == 2 && hn::MaxLanes(d) == 8) {
    // The least of unsigned ones, in the opposite order.
    const auto opposite = hn::Xor(v, hn::Set(d, Lane{0x7FFF}));
    return static_cast<Lane>(_mm_cvtsi128_si32(_mm_minpos_epu16(opposite.raw)) ^ 0x7FFF);
  }
#endif
#if HWY_TARGET != HWY_SCALAR
  constexpr size_t kMinBytes = sizeof(Lane) == 2 ? 8 : 16;
  if constexpr (hn::MaxLanes(d) * sizeof(Lane) > kMinBytes) {
    const hn::Half<D> half;
    return GreatestLane(half, hn::Max(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  } else  // NOLINT: the scalar target has no halves
#endif
      if constexpr (sizeof(Lane) == 4) {
    return hn::GetLane(hn::MaxOfLanes(d, v));
  } else {
    const hn::Rebind<int32_t, D> wide;
    return static_cast<Lane>(hn::GetLane(hn::MaxOfLanes(wide, hn::PromoteTo(wide, v))));
  }
}

// The greatest key of a plane. Runs are not reduced one by one: which of them
// is the greatest so far would be a branch that nobody can predict.
template <class D, typename T>
HWY_INLINE hn::TFromD<D> GreatestKey(D d, const T* plane, const PlaneRuns& runs) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if constexpr (hn::MaxLanes(d) > 1) {
    if (runs.length < lanes) return GreatestKey(hn::Half<D>(), plane, runs);
  }
  auto greatest = KeysAt(d, plane);
  for (int64_t depth = 0; depth < runs.depths; ++depth) {
    const T* run = plane + depth * runs.depth_stride;
    for (int64_t height = 0; height < runs.heights; ++height, run += runs.height_stride) {
      for (int64_t i = 0; i + lanes < runs.length; i += lanes) {
        greatest = hn::Max(greatest, KeysAt(d, run + i));
      }
      greatest = hn::Max(greatest, KeysAt(d, run + runs.length - lanes));
    }
  }
  return GreatestLane(d, greatest);
}

// The position of the first element of this key in a run, or -1.
template <class D, typename T>
HWY_INLINE int64_t FindKey(D d, hn::TFromD<D> key, const T* from, int64_t count) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if constexpr (hn::MaxLanes(d) > 1) {
    if (count < lanes) return FindKey(hn::Half<D>(), key, from, count);
  }
  const auto find = [&](int64_t i) HWY_ATTR {
    return static_cast<int64_t>(hn::FindFirstTrue(d, hn::Eq(KeysAt(d, from + i), hn::Set(d, key))));
  };
  for (int64_t i = 0; i + lanes < count; i += lanes) {
    const int64_t found = find(i);
    if (found >= 0) return i + found;
  }
  const int64_t found = find(count - lanes);
  return found < 0 ? -1 : count - lanes + found;
}

// The plane's first maximum.
template <typename T>
HWY_INLINE RunElement FirstMaximum(const T* plane, const PlaneRuns& runs) {
  const hn::ScalableTag<BitsOf<T>> d;
  const auto key = GreatestKey(d, plane, runs);
  for (int64_t depth = 0, run = 0; depth < runs.depths; ++depth) {
    for (int64_t height = 0; height < runs.heights; ++height, ++run) {
      const T* from = plane + depth * runs.depth_stride + height * runs.height_stride;
      const int64_t position = FindKey(d, key, from, runs.length);
      if (position >= 0) return {run, position};
    }
  }
  return {0, 0};
}

// A bit per lane.
template <class D>
HWY_INLINE uint64_t BitsOfMask(D d, hn::Mask<D> mask) {
  using Bits = std::conditional_t<
      hn::MaxLanes(d) <= 8, uint8_t,
      std::conditional_t<hn::MaxLanes(d) <= 16, uint16_t,
                         std::conditional_t<hn::MaxLanes(d) <= 32, uint32_t, uint64_t>>>;
  uint8_t bytes[8];
  hn::StoreMaskBits(d, mask, bytes);
  Bits bits;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

// Calls body.operator()<kVectors>(tag) with the least vectors that cover a plane.
template <class D, class Body>
HWY_INLINE void WithPlaneVectors(D d, int64_t count, const Body& body) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if constexpr (hn::MaxLanes(d) > 1) {
    if (count < lanes) return WithPlaneVectors(hn::Half<D>(), count, body);
  }
  switch ((count + lanes - 1) / lanes) {
    case 1:
      return body.template operator()<1>(d);
    case 2:
      return body.template operator()<2>(d);
    case 3:
      return body.template operator()<3>(d);
    default:
      return body.template operator()<4>(d);
  }
}

// Whether that many are enough.
template <typename T>
HWY_INLINE bool IsSmallPlane(int64_t count) {
  return count <= 4 * static_cast<int64_t>(hn::Lanes(hn::ScalableTag<BitsOf<T>>()));
}

// The first maximum of a small packed plane, which kVectors vectors cover; the last
// one may overlap the one before it. At most 64 elements.
template <int kVectors, class D, typename T>
HWY_INLINE int64_t FirstMaximumOfVectors(D d, const T* x, int64_t count) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto start = [&](int v) { return v + 1 < kVectors ? v * lanes : count - lanes; };
  hn::Vec<D> keys[kVectors];
  auto greatest = keys[0] = KeysAt(d, x);
  HWY_UNROLL(8)
  for (int v = 1; v < kVectors; ++v) {
    keys[v] = KeysAt(d, x + start(v));
    greatest = hn::Max(greatest, keys[v]);
  }
  const auto maximum = hn::Set(d, GreatestLane(d, greatest));
  uint64_t places = 0;
  HWY_UNROLL(8)
  for (int v = 0; v < kVectors; ++v) {
    places |= BitsOfMask(d, hn::Eq(keys[v], maximum)) << start(v);
  }
  return std::countr_zero(places);
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
