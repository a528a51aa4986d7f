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
using Exp = ScaledFunction<T, math::Exp>;
template <typename T>
using Log = ScaledFunction<T, math::Log>;
template <typename T>
using Erf = ScaledFunction<T, math::Erf>;
template <typename T>
using Tanh = ScaledFunction<T, math::Tanh>;
template <typename T>
using Sin = ScaledFunction<T, math::Sin>;
template <typename T>
using Cos = ScaledFunction<T, math::Cos>;
template <typename T>
using Tan = ScaledFunction<T, math::Tan>;
template <typename T>
using Asin = ScaledFunction<T, math::Asin>;
template <typename T>
using Acos = ScaledFunction<T, math::Acos>;
template <typename T>
using Atan = ScaledFunction<T, math::Atan>;
template <typename T>
using Sinh = ScaledFunction<T, math::Sinh>;
template <typename T>
using Cosh = ScaledFunction<T, math::Cosh>;
template <typename T>
using Asinh = ScaledFunction<T, math::Asinh>;
template <typename T>
using Acosh = ScaledFunction<T, math::Acosh>;
template <typename T>
using Atanh = ScaledFunction<T, math::Atanh>;

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

// y = softplus(Steepness * x) / Steepness.
template <typename T>
struct Softplus {
  float steepness;
  explicit Softplus(const Attributes& a) : steepness(a.As<float>(0)) {}
  constexpr T operator()(T x) const {
    return FromFloat<T>(math::Rounded<math::Softplus>(steepness * AsFloat(x)) / steepness);
  }
};

// y = Alpha * softplus(Beta * x).
template <typename T>
struct ParametricSoftplus {
  float alpha;
  float beta;
  explicit ParametricSoftplus(const Attributes& a) : alpha(a.As<float>(0)), beta(a.As<float>(1)) {}
  constexpr T operator()(T x) const {
    return FromFloat<T>(alpha * math::Rounded<math::Softplus>(beta * AsFloat(x)));
  }
};

// y = x * sigmoid(Scale * x).
template <typename T>
struct Swish {
  float scale;
  explicit Swish(const Attributes& a) : scale(a.As<float>(0)) {}
  constexpr T operator()(T x) const {
    return FromFloat<T>(AsFloat(x) * math::Rounded<math::Sigmoid>(scale * AsFloat(x)));
  }
};

template <typename T>
struct Atan2 {
  constexpr T operator()(T y, T x) const {
    return FromFloat<T>(math::RoundedOf<math::Atan2>(double{AsFloat(y)}, double{AsFloat(x)}));
  }
};

// y = g(x)^Exponent.
template <typename T>
struct ConstantPow {
  ScaledFloat g;
  float exponent;
  explicit ConstantPow(const Attributes& a) : g(a), exponent(a.As<float>(0)) {}
  constexpr T operator()(T x) const {
    return FromFloat<T>(math::RoundedOf<math::Pow>(double{g(x)}, double{exponent}));
  }
};

// An exponent, exactly: at most 32 bits.
template <typename T>
constexpr double AsExponent(T x) {
  if constexpr (std::is_integral_v<T>) {
    return x;
  } else {
    return AsFloat(x);
  }
}

// x^e of integers, modulo 2^64 (B113): a negative exponent gives the reciprocal toward zero, of 0
// all bits 1.
constexpr uint64_t IntegerPower(int64_t x, int64_t e) {
  if (e < 0) {
    if (x == 0) return ~uint64_t{0};
    if (x == 1 || x == -1) return static_cast<uint64_t>(e % 2 == 0 ? 1 : x);
    return 0;
  }
  uint64_t power = 1, square = static_cast<uint64_t>(x);
  for (; e != 0; e /= 2, square *= square) {
    if (e % 2 != 0) power *= square;
  }
  return power;
}

// y = g(x)^e. A ScaleBias of integers is a stage before.
template <typename T, typename E>
struct Pow {
  ScaledFloat g;
  explicit Pow(const Attributes& a) : g(a) {}
  constexpr T operator()(T x, E e) const { return Of(x, AsExponent(e)); }
  constexpr T Of(T x, double e) const {
    if constexpr (std::is_integral_v<T> && std::is_integral_v<E>) {
      return static_cast<T>(IntegerPower(x, static_cast<int64_t>(e)));
    } else if constexpr (std::is_integral_v<T>) {
      return SaturateTo<T>(math::RoundedOf<math::Pow>(double{static_cast<float>(x)}, e));
    } else {
      return FromFloat<T>(math::RoundedOf<math::Pow>(double{g(x)}, e));
    }
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
  table.template Add<Formula::kSoftplus, 1, Softplus>(Floats());
  table.template Add<Formula::kParametricSoftplus, 1, ParametricSoftplus>(Floats());
  table.template Add<Formula::kSwish, 1, Swish>(Floats());
  table.template Add<Formula::kSin, 1, Sin>(Floats());
  table.template Add<Formula::kCos, 1, Cos>(Floats());
  table.template Add<Formula::kTan, 1, Tan>(Floats());
  table.template Add<Formula::kAsin, 1, Asin>(Floats());
  table.template Add<Formula::kAcos, 1, Acos>(Floats());
  table.template Add<Formula::kAtan, 1, Atan>(Floats());
  table.template Add<Formula::kSinh, 1, Sinh>(Floats());
  table.template Add<Formula::kCosh, 1, Cosh>(Floats());
  table.template Add<Formula::kAsinh, 1, Asinh>(Floats());
  table.template Add<Formula::kAcosh, 1, Acosh>(Floats());
  table.template Add<Formula::kAtanh, 1, Atanh>(Floats());
  table.template Add<Formula::kConstantPow, 1, ConstantPow>(Floats());
  table.template Add<Formula::kAtan2, 2, Atan2>(Floats());
  table.template AddPowers<Formula::kPow>(FloatsAndNarrowIntegers());
}

}  // namespace anydml::elementwise
