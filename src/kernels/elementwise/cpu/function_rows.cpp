// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Row kernels of exact functions and of activations made of them, once per instruction set.
#include "kernels/elementwise/cpu/row_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/cpu/function_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/elementwise/cpu/rows-inl.h"
#include "kernels/math/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::elementwise {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

namespace exact = math::HWY_NAMESPACE;

// f(g(x))
template <class F>
struct Scaling {
  Scaled g;
  explicit Scaling(const Attributes& a) : g(a) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return exact::RoundedVector<F>(d, g(d, x));
  }
};

template <class F>
struct Unscaled {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return exact::RoundedVector<F>(d, x);
  }
};

struct Elu {
  float alpha;
  explicit Elu(const Attributes& a) : alpha(a.As<float>(0)) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V below = hn::Mul(hn::Set(d, alpha), exact::RoundedVector<exact::Expm1Of>(d, x));
    return hn::IfThenElse(hn::Ge(x, hn::Zero(d)), x, below);
  }
};

struct Celu {
  float alpha;
  explicit Celu(const Attributes& a) : alpha(a.As<float>(0)) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V a = hn::Set(d, alpha);
    const V below = hn::Mul(a, exact::RoundedVector<exact::Expm1Of>(d, hn::Div(x, a)));
    return hn::IfThenElse(hn::Ge(x, hn::Zero(d)), x, below);
  }
};

struct ScaledElu {
  float alpha;
  float gamma;
  explicit ScaledElu(const Attributes& a) : alpha(a.As<float>(0)), gamma(a.As<float>(1)) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V below = hn::Mul(hn::Set(d, alpha), exact::RoundedVector<exact::Expm1Of>(d, x));
    return hn::Mul(hn::Set(d, gamma), hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, below));
  }
};

struct ScaledTanh {
  float alpha;
  float beta;
  explicit ScaledTanh(const Attributes& a) : alpha(a.As<float>(0)), beta(a.As<float>(1)) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V product = hn::Mul(hn::Set(d, beta), x);
    return hn::Mul(hn::Set(d, alpha), exact::RoundedVector<exact::TanhOf>(d, product));
  }
};

struct Softplus {
  float steepness;
  explicit Softplus(const Attributes& a) : steepness(a.As<float>(0)) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V s = hn::Set(d, steepness);
    return hn::Div(exact::RoundedVector<exact::SoftplusOf>(d, hn::Mul(s, x)), s);
  }
};

struct ParametricSoftplus {
  float alpha;
  float beta;
  explicit ParametricSoftplus(const Attributes& a) : alpha(a.As<float>(0)), beta(a.As<float>(1)) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V product = hn::Mul(hn::Set(d, beta), x);
    return hn::Mul(hn::Set(d, alpha), exact::RoundedVector<exact::SoftplusOf>(d, product));
  }
};

struct Swish {
  float scale;
  explicit Swish(const Attributes& a) : scale(a.As<float>(0)) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V product = hn::Mul(hn::Set(d, scale), x);
    return hn::Mul(x, exact::RoundedVector<exact::SigmoidOf>(d, product));
  }
};

struct Atan2 {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V y, V x) const {
    return exact::RoundedOf<exact::Atan2Of>(d, y, x);
  }
};

struct Pow {
  Scaled g;
  explicit Pow(const Attributes& a) : g(a) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x, V e) const {
    return exact::RoundedOf<exact::PowOf>(d, g(d, x), e);
  }
};

struct ConstantPow {
  Scaled g;
  float exponent;
  explicit ConstantPow(const Attributes& a) : g(a), exponent(a.As<float>(0)) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return exact::RoundedOf<exact::PowOf>(d, g(d, x), hn::Set(d, exponent));
  }
};

constexpr RowTable kRows = [] {
  RowTable rows = {};
  const auto row = [&](Formula formula) -> auto& { return rows[static_cast<size_t>(formula)]; };
  row(Formula::kExp) = Functions<Scaling<exact::ExpOf>>(Floats());
  row(Formula::kLog) = Functions<Scaling<exact::LogOf>>(Floats());
  row(Formula::kErf) = Functions<Scaling<exact::ErfOf>>(Floats());
  row(Formula::kTanh) = Functions<Scaling<exact::TanhOf>>(Floats());
  row(Formula::kSigmoid) = Functions<Unscaled<exact::SigmoidOf>>(Floats());
  row(Formula::kGelu) = Functions<Unscaled<exact::GeluOf>>(Floats());
  row(Formula::kElu) = Functions<Elu>(Floats());
  row(Formula::kCelu) = Functions<Celu>(Floats());
  row(Formula::kScaledElu) = Functions<ScaledElu>(Floats());
  row(Formula::kScaledTanh) = Functions<ScaledTanh>(Floats());
  row(Formula::kSoftplus) = Functions<Softplus>(Floats());
  row(Formula::kParametricSoftplus) = Functions<ParametricSoftplus>(Floats());
  row(Formula::kSwish) = Functions<Swish>(Floats());
  row(Formula::kSin) = Functions<Scaling<exact::SinOf>>(Floats());
  row(Formula::kCos) = Functions<Scaling<exact::CosOf>>(Floats());
  row(Formula::kTan) = Functions<Scaling<exact::TanOf>>(Floats());
  row(Formula::kAsin) = Functions<Scaling<exact::AsinOf>>(Floats());
  row(Formula::kAcos) = Functions<Scaling<exact::AcosOf>>(Floats());
  row(Formula::kAtan) = Functions<Scaling<exact::AtanOf>>(Floats());
  row(Formula::kSinh) = Functions<Scaling<exact::SinhOf>>(Floats());
  row(Formula::kCosh) = Functions<Scaling<exact::CoshOf>>(Floats());
  row(Formula::kAsinh) = Functions<Scaling<exact::AsinhOf>>(Floats());
  row(Formula::kAcosh) = Functions<Scaling<exact::AcoshOf>>(Floats());
  row(Formula::kAtanh) = Functions<Scaling<exact::AtanhOf>>(Floats());
  row(Formula::kConstantPow) = Functions<ConstantPow>(Floats());
  row(Formula::kAtan2) = Functions<Atan2, 2>(Floats());
  row(Formula::kPow) = Functions<Pow, 2>(Floats());  // of integers there is scalar code
  return rows;
}();
static_assert(!HasGaps(kRows, Formula::kExp, Formula::kPow), "a formula has no row kernels");

}  // namespace

const RowTable& FunctionRowsOfTarget() { return kRows; }

}  // namespace HWY_NAMESPACE
}  // namespace anydml::elementwise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::elementwise {

HWY_EXPORT(FunctionRowsOfTarget);

const RowTable& FunctionRows() { return HWY_DYNAMIC_DISPATCH(FunctionRowsOfTarget)(); }

}  // namespace anydml::elementwise
#endif  // HWY_ONCE
