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
  HWY_INLINE V Sqrt(V x) const { return hn::Sqrt(x); }
  HWY_INLINE V Leading(V x) const {
    return FromBits(hn::And(Bits(x), hn::Set(DU(), Numbers::kLeading)));
  }
  HWY_INLINE M Less(V a, V b) const { return hn::Lt(a, b); }
  HWY_INLINE M IsNan(V x) const { return hn::IsNaN(x); }
  HWY_INLINE bool Any(M condition) const { return !hn::AllFalse(D(), condition); }
  HWY_INLINE V Choose(M condition, V a, V b) const { return hn::IfThenElse(condition, a, b); }
  HWY_INLINE V PowerOf2(V shifted) const {
    return FromBits(hn::Add(hn::ShiftLeft<52>(Bits(shifted)), hn::Set(DU(), Numbers::kOne)));
  }
  HWY_INLINE M IsOdd(V shifted) const {
    return hn::RebindMask(D(), hn::TestBit(Bits(shifted), hn::Set(DU(), uint64_t{1})));
  }
  HWY_INLINE V Turned(V y, V shifted) const {
    const auto sign = hn::And(hn::ShiftLeft<62>(Bits(shifted)), hn::Set(DU(), Numbers::kSign));
    return FromBits(hn::Xor(Bits(y), sign));
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

// What rounds to two floats within its margin: about one number in ten millions.
template <class F, class D, class... X>
HWY_NOINLINE hn::Vec<D> HardCases(D d, hn::Vec<D> low, hn::Vec<D> high, X... x) {
  HWY_ALIGN float lows[hn::MaxLanes(d)];
  HWY_ALIGN float highs[hn::MaxLanes(d)];
  HWY_ALIGN float arguments[sizeof...(X)][hn::MaxLanes(d)];
  hn::Store(low, d, lows);
  hn::Store(high, d, highs);
  size_t next = 0;
  (hn::Store(x, d, arguments[next++]), ...);
  for (size_t i = 0; i < hn::Lanes(d); ++i) {
    if (std::bit_cast<uint32_t>(lows[i]) == std::bit_cast<uint32_t>(highs[i])) continue;
    using Scalar = typename F::Scalar;
    if constexpr (sizeof...(X) == 1) {
      lows[i] = math::Decided<Scalar>(lows[i], highs[i], arguments[0][i]);
    } else {
      lows[i] = math::Decided<Scalar>(lows[i], highs[i], arguments[0][i], arguments[1][i]);
    }
  }
  return hn::Load(d, lows);
}

// One vector of double is enough.
template <class F, class D, class... X>
HWY_INLINE hn::Vec<D> RoundedHalf(D d, X... x) {
  const hn::Rebind<double, D> dd;
  const hn::RebindToUnsigned<D> du;
  const auto y = F::Function::Double(Vectors<decltype(dd)>(), hn::PromoteTo(dd, x)...);
  const auto one = hn::Set(dd, 1.0);
  const auto low = hn::DemoteTo(d, hn::Mul(y.value, hn::Sub(one, y.margin)));
  const auto high = hn::DemoteTo(d, hn::Mul(y.value, hn::Add(one, y.margin)));
  const auto hard = hn::Ne(hn::BitCast(du, low), hn::BitCast(du, high));
  if (HWY_LIKELY(hn::AllFalse(du, hard))) return low;
  return HardCases<F>(d, low, high, x...);
}

template <class F, class D, class... X>
HWY_NOINLINE hn::Vec<D> RoundedApart(D d, X... x) {
  return RoundedHalf<F>(d, x...);
}

template <class F, class D, class... X>
HWY_INLINE hn::Vec<D> RoundedPart(D d, X... x) {
  if constexpr (std::is_base_of_v<math::Apart, typename F::Scalar>) return RoundedApart<F>(d, x...);
  return RoundedHalf<F>(d, x...);
}

template <class F, class D, class... X>
HWY_INLINE hn::Vec<D> RoundedOf(D d, X... x) {
  if constexpr (hn::MaxLanes(d) <= hn::MaxLanes(hn::ScalableTag<double>())) {
    return RoundedPart<F>(d, x...);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, RoundedPart<F>(half, hn::UpperHalf(half, x)...),
                       RoundedPart<F>(half, hn::LowerHalf(half, x)...));
  }
}

template <class F, class D>
HWY_INLINE hn::Vec<D> RoundedVector(D d, hn::Vec<D> x) {
  return hn::IfThenElse(hn::Eq(x, x), RoundedOf<F>(d, x), x);
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
using SoftplusOf = Both<Softplus, math::Softplus>;
using SinOf = Both<Sin, math::Sin>;
using CosOf = Both<Cos, math::Cos>;
using TanOf = Both<Tan, math::Tan>;
using AsinOf = Both<Asin, math::Asin>;
using AcosOf = Both<Acos, math::Acos>;
using AtanOf = Both<Atan, math::Atan>;
using SinhOf = Both<Sinh, math::Sinh>;
using CoshOf = Both<Cosh, math::Cosh>;
using AsinhOf = Both<Asinh, math::Asinh>;
using AcoshOf = Both<Acosh, math::Acosh>;
using AtanhOf = Both<Atanh, math::Atanh>;
using PowOf = Both<Pow, math::Pow>;
using RootOf = Both<Root, math::Root>;
using Atan2Of = Both<Atan2, math::Atan2>;

}  // namespace HWY_NAMESPACE
}  // namespace anydml::math
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
