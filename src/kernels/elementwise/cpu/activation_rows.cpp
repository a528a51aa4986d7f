// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Row kernels of activations, once per instruction set.
#include "kernels/elementwise/cpu/row_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/cpu/activation_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/elementwise/cpu/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::elementwise {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

struct Linear {
  float alpha;
  float beta;
  explicit Linear(const Attributes& a) : alpha(a.As<float>(0)), beta(a.As<float>(1)) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Add(hn::Mul(hn::Set(d, alpha), x), hn::Set(d, beta));
  }
};

struct LeakyRelu {
  float alpha;
  explicit LeakyRelu(const Attributes& a) : alpha(a.As<float>(0)) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::IfThenElse(hn::Ge(x, hn::Zero(d)), x, hn::Mul(hn::Set(d, alpha), x));
  }
};

struct ThresholdedRelu {
  float alpha;
  explicit ThresholdedRelu(const Attributes& a) : alpha(a.As<float>(0)) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::IfThenElseZero(hn::Gt(x, hn::Set(d, alpha)), x);
  }
};

struct HardSigmoid {
  Linear linear;
  explicit HardSigmoid(const Attributes& a) : linear(a) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V one = hn::Set(d, 1.0f);
    const V t = linear(d, x);
    const V at_most_one = hn::IfThenElse(hn::Gt(t, one), one, t);
    return hn::IfThenZeroElse(hn::Lt(t, hn::Zero(d)), at_most_one);
  }
};

struct Softsign {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Div(x, hn::Add(hn::Set(d, 1.0f), hn::Abs(x)));
  }
};

struct ParameterizedRelu {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x, V slope) const {
    const V below = hn::Mul(slope, x);
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), below, x);
  }
};

struct Shrink {
  float bias;
  float threshold;
  explicit Shrink(const Attributes& a) : bias(a.As<float>(0)), threshold(a.As<float>(1)) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V limit = hn::Set(d, threshold), b = hn::Set(d, bias);
    const V below = hn::IfThenElseZero(hn::Lt(x, hn::Neg(limit)), hn::Add(x, b));
    return hn::IfThenElse(hn::Gt(x, limit), hn::Sub(x, b), below);
  }
};

struct HardSwish {
  HardSigmoid gate;
  explicit HardSwish(const Attributes& a) : gate(a) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Mul(x, gate(d, x));
  }
};

constexpr RowTable kRows = [] {
  RowTable rows = {};
  const auto row = [&](Formula formula) -> auto& { return rows[static_cast<size_t>(formula)]; };
  row(Formula::kLinear) = Calculates<1, Linear>(Floats());
  row(Formula::kLeakyRelu) = Calculates<1, LeakyRelu>(Floats());
  row(Formula::kThresholdedRelu) = Calculates<1, ThresholdedRelu>(Floats());
  row(Formula::kHardSigmoid) = Calculates<1, HardSigmoid>(Floats());
  row(Formula::kSoftsign) = Calculates<1, Softsign>(Floats());
  // Of integers: scalar code.
  row(Formula::kParameterizedRelu) = Calculates<2, ParameterizedRelu>(Floats());
  row(Formula::kShrink) = Calculates<1, Shrink>(Floats());
  row(Formula::kHardSwish) = Calculates<1, HardSwish>(Floats());
  return rows;
}();
static_assert(!HasGaps(kRows, Formula::kLinear, Formula::kHardSwish),
              "a formula has no row kernels");

}  // namespace

const RowTable& ActivationRowsOfTarget() { return kRows; }

}  // namespace HWY_NAMESPACE
}  // namespace anydml::elementwise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::elementwise {

HWY_EXPORT(ActivationRowsOfTarget);

const RowTable& ActivationRows() { return HWY_DYNAMIC_DISPATCH(ActivationRowsOfTarget)(); }

}  // namespace anydml::elementwise
#endif  // HWY_ONCE
