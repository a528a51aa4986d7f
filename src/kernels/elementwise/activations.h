// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Formulas of activations on one element, in float, each operation rounded (B102).
#pragma once

#include "kernels/elementwise/arithmetic.h"

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

// y = x >= 0 ? x : slope * x; integers wrap.
template <typename T>
struct ParameterizedRelu {
  constexpr T operator()(T x, T slope) const {
    if constexpr (kIsFloat<T>) {
      return AsFloat(x) >= 0 ? x : FromFloat<T>(AsFloat(slope) * AsFloat(x));
    } else {
      return x >= 0 ? x : Multiply<T>()(slope, x);
    }
  }
};

// y = x > Threshold ? x - Bias : x < -Threshold ? x + Bias : 0; NaN gives 0. Integers in float, of
// 32 bits in double, then toward zero (B125).
template <typename T>
struct Shrink {
  float bias;
  float threshold;
  explicit Shrink(const Attributes& a) : bias(a.As<float>(0)), threshold(a.As<float>(1)) {}
  constexpr T operator()(T x) const {
    if constexpr (kIsFloat<T>) {
      return FromFloat<T>(Shrunk(AsFloat(x)));
    } else {
      using Number = std::conditional_t<sizeof(T) == 4, double, float>;
      return SaturateTo<T>(Shrunk(static_cast<Number>(x)));
    }
  }
  template <typename V>
  constexpr V Shrunk(V x) const {
    return x > V{threshold} ? x - V{bias} : x < -V{threshold} ? x + V{bias} : V{0};
  }
};

// y = x * HARD_SIGMOID(x).
template <typename T>
struct HardSwish {
  HardSigmoid<float> gate;
  explicit HardSwish(const Attributes& a) : gate(a) {}
  constexpr T operator()(T x) const { return FromFloat<T>(AsFloat(x) * gate(AsFloat(x))); }
};

template <class Table>
constexpr void AddActivations(Table& table) {
  table.template Add<Formula::kLinear, 1, Linear>(Floats());
  table.template Add<Formula::kLeakyRelu, 1, LeakyRelu>(Floats());
  table.template Add<Formula::kThresholdedRelu, 1, ThresholdedRelu>(Floats());
  table.template Add<Formula::kHardSigmoid, 1, HardSigmoid>(Floats());
  table.template Add<Formula::kSoftsign, 1, Softsign>(Floats());
  table.template Add<Formula::kParameterizedRelu, 2, ParameterizedRelu>(FloatsAndSigned());
  table.template Add<Formula::kShrink, 1, Shrink>(FloatsAndNarrowIntegers());
  table.template Add<Formula::kHardSwish, 1, HardSwish>(Floats());
}

}  // namespace anydml::elementwise
