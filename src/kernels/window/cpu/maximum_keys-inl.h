// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Keys whose order is the rule's order of maxima (tensor/window_maximum.h), in
// lanes as wide as the elements: FLOAT16 is compared and selected as 16-bit
// integers, and never converted. Included once per instruction set.

#if defined(ANYDML_KERNELS_WINDOW_CPU_MAXIMUM_KEYS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_WINDOW_CPU_MAXIMUM_KEYS_INL_H_
#undef ANYDML_KERNELS_WINDOW_CPU_MAXIMUM_KEYS_INL_H_
#else
#define ANYDML_KERNELS_WINDOW_CPU_MAXIMUM_KEYS_INL_H_
#endif

#include <hwy/highway.h>

#include <limits>
#include <type_traits>

#include "base/float16.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The integer that holds an element's bits.
template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 2, int16_t, int32_t>;

template <class D, typename T>
HWY_INLINE hn::Vec<D> LoadElementBits(D d, const T* from) {
  return hn::LoadU(d, reinterpret_cast<const hn::TFromD<D>*>(from));
}
template <class D, typename T>
HWY_INLINE void StoreElementBits(D d, hn::Vec<D> bits, T* to) {
  hn::StoreU(bits, d, reinterpret_cast<hn::TFromD<D>*>(to));
}

// NaN on top, negatives below the one 0, all above `lowest` of the lanes' type.
template <class D>
HWY_INLINE hn::Vec<D> ElementKeys(D d, hn::Vec<D> bits) {
  using Lane = hn::TFromD<D>;
  constexpr Lane kMagnitude = std::numeric_limits<Lane>::max();
  constexpr Lane kInfinity = static_cast<Lane>(sizeof(Lane) == 2 ? 0x7C00 : 0x7F800000);
  const auto top = hn::Set(d, kMagnitude);
  const auto sign = hn::BroadcastSignBit(bits);
  const auto key = hn::Sub(hn::Xor(bits, hn::And(sign, top)), sign);
  return hn::IfThenElse(hn::Gt(hn::And(bits, top), hn::Set(d, kInfinity)), top, key);
}

// `next` where it is greater, `best` otherwise: of equal elements, which zeros of both
// signs are, the first stays. Not for NaN.
template <class DF>
HWY_INLINE hn::Vec<DF> FirstGreater(DF, hn::Vec<DF> best, hn::Vec<DF> next) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4
  return hn::Max(next, best);  // the instruction gives its second operand of equal ones
#else
  return hn::IfThenElse(hn::Gt(next, best), next, best);
#endif
}

// What a sum of this one term gives: -0 becomes +0 (B13).
template <class D>
HWY_INLINE hn::Vec<D> SingleTerm(D d, hn::Vec<D> bits) {
  const auto minus_zero = hn::Set(d, std::numeric_limits<hn::TFromD<D>>::min());
  return hn::IfThenZeroElse(hn::Eq(bits, minus_zero), bits);
}

// Calls body(tag, i) for blocks that cover [0, count). The last block may
// overlap the one before it.
template <class D, class Body>
HWY_INLINE void ForEachBlock(D d, int64_t count, const Body& body) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if (count >= lanes) {
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) body(d, i);
    if (i < count) body(d, count - lanes);
  } else if constexpr (hn::MaxLanes(d) > 1) {
    if (count > 0) ForEachBlock(hn::Half<D>(), count, body);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
