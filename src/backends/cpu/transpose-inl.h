// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Transposes a square of floats in registers: as many vectors as a vector has
// lanes. Included once per instruction set.

#if defined(ANYDML_BACKENDS_CPU_TRANSPOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_BACKENDS_CPU_TRANSPOSE_INL_H_
#undef ANYDML_BACKENDS_CPU_TRANSPOSE_INL_H_
#else
#define ANYDML_BACKENDS_CPU_TRANSPOSE_INL_H_
#endif

#include <hwy/highway.h>

#undef ANYDML_TRANSPOSES

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors whose size the compiler knows, of four lanes at least.
#define ANYDML_TRANSPOSES (HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE)
#if ANYDML_TRANSPOSES

// Four vectors seen as 4 x 4 squares, one per block of four lanes: transposes
// each square.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void TransposeBlocks(D d, V& a, V& b, V& c, V& e) {
  const hn::RepartitionToWide<D> dw;
  const auto ab_low = hn::BitCast(dw, hn::InterleaveLower(d, a, b));
  const auto ab_high = hn::BitCast(dw, hn::InterleaveUpper(d, a, b));
  const auto ce_low = hn::BitCast(dw, hn::InterleaveLower(d, c, e));
  const auto ce_high = hn::BitCast(dw, hn::InterleaveUpper(d, c, e));
  a = hn::BitCast(d, hn::InterleaveLower(dw, ab_low, ce_low));
  b = hn::BitCast(d, hn::InterleaveUpper(dw, ab_low, ce_low));
  c = hn::BitCast(d, hn::InterleaveLower(dw, ab_high, ce_high));
  e = hn::BitCast(d, hn::InterleaveUpper(dw, ab_high, ce_high));
}

// load(r) gives row r of the square; store(c, v) takes column c.
template <class D, class Load, class Store>
HWY_INLINE void TransposeSquare(D d, const Load& load, const Store& store) {
  constexpr size_t kLanes = hn::MaxLanes(D());
  static_assert(kLanes == 4 || kLanes == 8 || kLanes == 16);
  using V = hn::Vec<D>;
  V v[kLanes];  // v[4 g + i]: of rows 4 g to 4 g + 3, in block b column 4 b + i
  for (size_t r = 0; r < kLanes; ++r) v[r] = load(r);
  for (size_t r = 0; r < kLanes; r += 4) TransposeBlocks(d, v[r], v[r + 1], v[r + 2], v[r + 3]);
  for (size_t i = 0; i < 4; ++i) {
    if constexpr (kLanes == 4) {
      store(i, v[i]);
    } else if constexpr (kLanes == 8) {
      store(i, hn::ConcatLowerLower(d, v[i + 4], v[i]));
      store(i + 4, hn::ConcatUpperUpper(d, v[i + 4], v[i]));
    } else {
      const V low_even = hn::ConcatLowerLower(d, v[i + 8], v[i]);
      const V low_odd = hn::ConcatLowerLower(d, v[i + 12], v[i + 4]);
      const V high_even = hn::ConcatUpperUpper(d, v[i + 8], v[i]);
      const V high_odd = hn::ConcatUpperUpper(d, v[i + 12], v[i + 4]);
      store(i, hn::OddEvenBlocks(hn::SwapAdjacentBlocks(low_odd), low_even));
      store(i + 4, hn::OddEvenBlocks(low_odd, hn::SwapAdjacentBlocks(low_even)));
      store(i + 8, hn::OddEvenBlocks(hn::SwapAdjacentBlocks(high_odd), high_even));
      store(i + 12, hn::OddEvenBlocks(high_odd, hn::SwapAdjacentBlocks(high_even)));
    }
  }
}

#endif  // ANYDML_TRANSPOSES

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
