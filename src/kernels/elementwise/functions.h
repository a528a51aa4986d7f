// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Formulas with an exact function (B100) on one element. Those with parameters are defined
// compositions, each operation rounded (B109).
#pragma once

#include "kernels/elementwise/formula.h"
#include "kernels/math/scalar.h"

namespace anydml::elementwise {

// y = f(g(x)).
template <typename T, class F>
struct ScaledFunction {
  ScaledFloat g;
  explicit ScaledFunction(const Attributes& a) : g(a) {}
  constexpr T operator()(T x) const { return FromFloat<T>(math::Rounded<F>(g(x))); }
};
template <typename T>
struct Exp : ScaledFunction<T, math::Exp> {
  using ScaledFunction<T, math::Exp>::ScaledFunction;
};
template <typename T>
struct Log : ScaledFunction<T, math::Log> {
  using ScaledFunction<T, math::Log>::ScaledFunction;
};
template <typename T>
struct Erf : ScaledFunction<T, math::Erf> {
  using ScaledFunction<T, math::Erf>::ScaledFunction;
};
template <typename T>
struct Tanh : ScaledFunction<T, math::Tanh> {
  using ScaledFunction<T, math::Tanh>::ScaledFunction;
};

template <typename T>
struct Sigmoid {
  constexpr T operator()(T x) const {
    return FromFloat<T>(math::Rounded<math::Sigmoid>(AsFloat(x)));
  }
};
template <typename T>
struct Gelu {
  constexpr T operator()(T x) const { return FromFloat<T>(math::Rounded<math::Gelu>(AsFloat(x))); }
};

// y = x >= 0 ? x : Alpha * expm1(x).
template <typename T>
struct Elu {
  float alpha;
  explicit Elu(const Attributes& a) : alpha(a.As<float>(0)) {}
  constexpr T operator()(T x) const {
    const float value = AsFloat(x);
    return value >= 0 ? x : FromFloat<T>(alpha * math::Rounded<math::Expm1>(value));
  }
};

// y = x >= 0 ? x : Alpha * expm1(x / Alpha).
template <typename T>
struct Celu {
  float alpha;
  explicit Celu(const Attributes& a) : alpha(a.As<float>(0)) {}
  constexpr T operator()(T x) const {
    const float value = AsFloat(x);
    return value >= 0 ? x : FromFloat<T>(alpha * math::Rounded<math::Expm1>(value / alpha));
  }
};

// y = x > 0 ? Gamma * x : Gamma * (Alpha * expm1(x)).
template <typename T>
struct ScaledElu {
  float alpha;
  float gamma;
  explicit ScaledElu(const Attributes& a) : alpha(a.As<float>(0)), gamma(a.As<float>(1)) {}
  constexpr T operator()(T x) const {
    const float value = AsFloat(x);
    const float scaled = value > 0 ? value : alpha * math::Rounded<math::Expm1>(value);
    return FromFloat<T>(gamma * scaled);
  }
};

// y = Alpha * tanh(Beta * x).
template <typename T>
struct ScaledTanh {
  float alpha;
  float beta;
  explicit ScaledTanh(const Attributes& a) : alpha(a.As<float>(0)), beta(a.As<float>(1)) {}
  constexpr T operator()(T x) const {
    return FromFloat<T>(alpha * math::Rounded<math::Tanh>(beta * AsFloat(x)));
  }
};

template <class Table>
constexpr void AddFunctions(Table& table) {
  table.template Add<Formula::kExp, 1, Exp>(Floats());
  table.template Add<Formula::kLog, 1, Log>(Floats());
  table.template Add<Formula::kErf, 1, Erf>(Floats());
  table.template Add<Formula::kTanh, 1, Tanh>(Floats());
  table.template Add<Formula::kSigmoid, 1, Sigmoid>(Floats());
  table.template Add<Formula::kGelu, 1, Gelu>(Floats());
  table.template Add<Formula::kElu, 1, Elu>(Floats());
  table.template Add<Formula::kCelu, 1, Celu>(Floats());
  table.template Add<Formula::kScaledElu, 1, ScaledElu>(Floats());
  table.template Add<Formula::kScaledTanh, 1, ScaledTanh>(Floats());
}

}  // namespace anydml::elementwise
