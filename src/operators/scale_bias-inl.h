// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// DML_SCALE_BIAS on vectors of float, a formula for cpu::TransformFloatRow.
// Included once per instruction set.

#if defined(ANYDML_OPERATORS_SCALE_BIAS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_OPERATORS_SCALE_BIAS_INL_H_
#undef ANYDML_OPERATORS_SCALE_BIAS_INL_H_
#else
#define ANYDML_OPERATORS_SCALE_BIAS_INL_H_
#endif

#include <hwy/highway.h>

#include "operators/scale_bias.h"

HWY_BEFORE_NAMESPACE();
namespace anydml {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct ApplyScaleBias {
  ScaleBias g;

  // No MulAdd: the product is rounded first (B26).
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Add(hn::Mul(x, hn::Set(d, g.scale)), hn::Set(d, g.bias));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
