// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Formulas of activations on one element, in float, each operation rounded (B102).
#pragma once

#include "kernels/elementwise/formula.h"

namespace anydml::elementwise {

// y = Alpha * x + Beta; two roundings.
template <typename T>
struct Linear {
  float alpha;
  float beta;
  explicit Linear(const Attributes& a) : alpha(a.As<float>(0)), beta(a.As<float>(1)) {}
  constexpr T operator()(T x) const { return FromFloat<T>(alpha * AsFloat(x) + beta); }
};

// y = x >= 0 ? x : Alpha * x.
template <typename T>
struct LeakyRelu {
  float alpha;
  explicit LeakyRelu(const Attributes& a) : alpha(a.As<float>(0)) {}
  constexpr T operator()(T x) const {
    const float value = AsFloat(x);
    return value >= 0 ? x : FromFloat<T>(alpha * value);
  }
};

// y = x > Alpha ? x : 0; NaN gives 0 (B125).
template <typename T>
struct ThresholdedRelu {
  float alpha;
  explicit ThresholdedRelu(const Attributes& a) : alpha(a.As<float>(0)) {}
  constexpr T operator()(T x) const { return AsFloat(x) > alpha ? x : T{}; }
};

// t = Alpha * x + Beta; y = t > 1 ? 1 : t < 0 ? 0 : t. NaN passes.
template <typename T>
struct HardSigmoid {
  float alpha;
  float beta;
  explicit HardSigmoid(const Attributes& a) : alpha(a.As<float>(0)), beta(a.As<float>(1)) {}
  constexpr T operator()(T x) const {
    const float t = alpha * AsFloat(x) + beta;
    return FromFloat<T>(t > 1 ? 1.0f : t < 0 ? 0.0f : t);
  }
};

// y = x / (1 + |x|).
template <typename T>
struct Softsign {
  constexpr T operator()(T x) const {
    const float value = AsFloat(x);
    return FromFloat<T>(value / (1.0f + (value < 0 ? -value : value)));
  }
};

template <class Table>
constexpr void AddActivations(Table& table) {
  table.template Add<Formula::kLinear, 1, Linear>(Floats());
  table.template Add<Formula::kLeakyRelu, 1, LeakyRelu>(Floats());
  table.template Add<Formula::kThresholdedRelu, 1, ThresholdedRelu>(Floats());
  table.template Add<Formula::kHardSigmoid, 1, HardSigmoid>(Floats());
  table.template Add<Formula::kSoftsign, 1, Softsign>(Floats());
}

}  // namespace anydml::elementwise
