// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Correctly rounded functions of vectors of float (B100). Included once per instruction set.

#if defined(ANYDML_KERNELS_MATH_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_MATH_VECTORS_INL_H_
#undef ANYDML_KERNELS_MATH_VECTORS_INL_H_
#else
#define ANYDML_KERNELS_MATH_VECTORS_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/math/scalar.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::math {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// What math::Numbers is for one.
template <class D>
struct Vectors {
  using V = hn::Vec<D>;
  using M = hn::Mask<D>;
  using DU = hn::RebindToUnsigned<D>;

  HWY_INLINE V Set(double x) const { return hn::Set(D(), x); }
  HWY_INLINE V Add(V a, V b) const { return hn::Add(a, b); }
  HWY_INLINE V Sub(V a, V b) const { return hn::Sub(a, b); }
  HWY_INLINE V Mul(V a, V b) const { return hn::Mul(a, b); }
  HWY_INLINE V Div(V a, V b) const { return hn::Div(a, b); }
  HWY_INLINE V MulAdd(V a, V b, V c) const { return hn::MulAdd(a, b, c); }
  HWY_INLINE V Min(V a, V b) const { return hn::Min(a, b); }
  HWY_INLINE V Max(V a, V b) const { return hn::Max(a, b); }
  HWY_INLINE V Abs(V x) const { return hn::Abs(x); }
  HWY_INLINE V CopySign(V size, V sign) const { return hn::CopySign(size, sign); }
  HWY_INLINE M Less(V a, V b) const { return hn::Lt(a, b); }
  HWY_INLINE V Choose(M condition, V a, V b) const { return hn::IfThenElse(condition, a, b); }
  HWY_INLINE V PowerOf2(V shifted) const {
    return FromBits(hn::Add(hn::ShiftLeft<52>(Bits(shifted)), hn::Set(DU(), Numbers::kOne)));
  }
  HWY_INLINE void Split(V x, V& m, V& e) const {
    const auto bits = Bits(x);
    const auto one = hn::Set(DU(), Numbers::kOne);
    const auto root = hn::Set(DU(), Numbers::kRootOfHalf);
    const auto exponent = hn::ShiftRight<52>(hn::Add(hn::Sub(bits, root), one));
    const auto number = FromBits(hn::Or(exponent, hn::Set(DU(), Numbers::kTwoTo52)));
    e = hn::Sub(number, Set(0x1p52 + 1023));
    m = FromBits(hn::Add(hn::Sub(bits, hn::ShiftLeft<52>(exponent)), one));
  }

  static HWY_INLINE hn::Vec<DU> Bits(V x) { return hn::BitCast(DU(), x); }
  static HWY_INLINE V FromBits(hn::Vec<DU> bits) { return hn::BitCast(D(), bits); }
};

#define ANYDML_MATH HWY_INLINE
#include "kernels/math/functions-inl.h"
#undef ANYDML_MATH

// What rounds to two floats within its margin: about one number in a million.
template <class F, class D>
HWY_NOINLINE hn::Vec<D> HardCases(D d, hn::Vec<D> x, hn::Vec<D> y, hn::Mask<D> hard) {
  HWY_ALIGN float arguments[hn::MaxLanes(d)];
  HWY_ALIGN float results[hn::MaxLanes(d)];
  HWY_ALIGN float is_hard[hn::MaxLanes(d)];
  hn::Store(x, d, arguments);
  hn::Store(y, d, results);
  hn::Store(hn::IfThenElseZero(hard, hn::Set(d, 1.0f)), d, is_hard);
  for (size_t i = 0; i < hn::Lanes(d); ++i) {
    if (is_hard[i] == 0) continue;
    results[i] = HardCase(typename F::Scalar(), std::bit_cast<uint32_t>(arguments[i]), results[i]);
  }
  return hn::Load(d, results);
}

// One vector of double is enough.
template <class F, class D>
HWY_INLINE hn::Vec<D> RoundedHalf(D d, hn::Vec<D> x) {
  const hn::Rebind<double, D> dd;
  const hn::RebindToUnsigned<D> du;
  const auto y = F::Function::Double(Vectors<decltype(dd)>(), hn::PromoteTo(dd, x));
  const auto one = hn::Set(dd, 1.0);
  const auto low = hn::DemoteTo(d, hn::Mul(y.value, hn::Sub(one, y.margin)));
  const auto high = hn::DemoteTo(d, hn::Mul(y.value, hn::Add(one, y.margin)));
  const auto hard = hn::Ne(hn::BitCast(du, low), hn::BitCast(du, high));
  if (HWY_LIKELY(hn::AllFalse(du, hard))) return low;
  return HardCases<F>(d, x, hn::DemoteTo(d, y.value), hn::RebindMask(d, hard));
}

template <class F, class D>
HWY_INLINE hn::Vec<D> RoundedVector(D d, hn::Vec<D> x) {
  hn::Vec<D> y;
  if constexpr (hn::MaxLanes(d) <= hn::MaxLanes(hn::ScalableTag<double>())) {
    y = RoundedHalf<F>(d, x);
  } else {
    const hn::Half<D> half;
    y = hn::Combine(d, RoundedHalf<F>(half, hn::UpperHalf(half, x)),
                    RoundedHalf<F>(half, hn::LowerHalf(half, x)));
  }
  return hn::IfThenElse(hn::Eq(x, x), y, x);
}

// The function for vectors, and that for numbers, whose hard cases it shares.
template <class Vector, class Number>
struct Both {
  using Function = Vector;
  using Scalar = Number;
};
using ExpOf = Both<Exp, math::Exp>;
using Expm1Of = Both<Expm1, math::Expm1>;
using TanhOf = Both<Tanh, math::Tanh>;
using SigmoidOf = Both<Sigmoid, math::Sigmoid>;
using LogOf = Both<Log, math::Log>;
using ErfOf = Both<Erf, math::Erf>;
using GeluOf = Both<Gelu, math::Gelu>;

}  // namespace HWY_NAMESPACE
}  // namespace anydml::math
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
