// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The exact functions as the row kernels compute them, on every instruction set, and what
// they must be: the C library's double where it decides, its long double elsewhere.
#pragma once

#include <bit>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cpu/instruction_set.h"
#include "kernels/elementwise/cpu/row_kernel.h"
#include "operators/reference_functions.h"

namespace anydml::test {

// What a float is, or that no more is known.
struct Truth {
  float value = 0;
  bool decided = true;
};

template <typename T>
bool RoundAlike(T value, T margin) {
  return static_cast<float>(value - value * margin) == static_cast<float>(value + value * margin);
}

struct ExactFunction {
  std::string_view name;
  elementwise::Formula formula;
  double (*in_double)(float);  // within 2^-49 of the truth; NaN where it is not
  long double (*in_long_double)(float);
  // By its sign, on which side of a midpoint the truth lies, where the value is one in long
  // double; 0: not known.
  double (*rest)(float);
  bool is_expm1 = false;

  Truth At(float x) const {
    const double y = in_double(x);
    if (std::isfinite(y) && RoundAlike(y, 0x1p-49)) return {static_cast<float>(y)};
    const long double z = in_long_double(x);
    if (std::isnan(z) || std::isinf(z) || RoundAlike(z, 0x1p-60L)) return {static_cast<float>(z)};
    const double side = rest(x);
    return {reference::NearestFloat(z, side), side != 0};
  }
};

inline double NoRest(float) { return 0; }

// One of the C library's functions, which has no exact midpoints.
template <double (*kDouble)(double), long double (*kLong)(long double)>
constexpr ExactFunction Transcendental(std::string_view name, elementwise::Formula formula) {
  return {name, formula, [](float x) { return kDouble(static_cast<double>(x)); },
          [](float x) { return kLong(static_cast<long double>(x)); }, NoRest};
}
inline double Softplus(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

inline constexpr ExactFunction kExactFunctions[] = {
    {"exp", elementwise::Formula::kExp, [](float x) { return std::exp(static_cast<double>(x)); },
     reference::LongExp, NoRest},
    {"log", elementwise::Formula::kLog, [](float x) { return std::log(static_cast<double>(x)); },
     reference::LongLog, NoRest},
    {"tanh", elementwise::Formula::kTanh, [](float x) { return std::tanh(static_cast<double>(x)); },
     reference::LongTanh, NoRest},
    // By ELU with Alpha 1 for x < 0, and CELU with Alpha -1 for what is above.
    {"expm1", elementwise::Formula::kElu,
     [](float x) { return std::expm1(static_cast<double>(x)); }, reference::LongExpm1, NoRest,
     true},
    {"erf", elementwise::Formula::kErf, [](float x) { return std::erf(static_cast<double>(x)); },
     reference::LongErf, NoRest},
    {"sigmoid", elementwise::Formula::kSigmoid,
     [](float x) { return 1 / (1 + std::exp(-static_cast<double>(x))); }, reference::LongSigmoid,
     [](float x) { return std::fabs(x) < 0x1p-12f ? -static_cast<double>(x) : 0.0; }},
    {"gelu", elementwise::Formula::kGelu,
     [](float x) {
       if (!(x > -1)) return std::nan("");
       const double y = x;
       return y * std::erfc(-y * 0.70710678118654752440) / 2;
     },
     reference::LongGelu, [](float x) { return std::fabs(x) < 0x1p-60f ? 1.0 : 0.0; }},
    Transcendental<Softplus, reference::LongSoftplus>("softplus", elementwise::Formula::kSoftplus),
    Transcendental<sin, sinl>("sin", elementwise::Formula::kSin),
    Transcendental<cos, cosl>("cos", elementwise::Formula::kCos),
    Transcendental<tan, tanl>("tan", elementwise::Formula::kTan),
    Transcendental<asin, asinl>("asin", elementwise::Formula::kAsin),
    Transcendental<acos, acosl>("acos", elementwise::Formula::kAcos),
    Transcendental<atan, atanl>("atan", elementwise::Formula::kAtan),
    Transcendental<sinh, sinhl>("sinh", elementwise::Formula::kSinh),
    Transcendental<cosh, coshl>("cosh", elementwise::Formula::kCosh),
    Transcendental<asinh, asinhl>("asinh", elementwise::Formula::kAsinh),
    Transcendental<acosh, acoshl>("acosh", elementwise::Formula::kAcosh),
    Transcendental<atanh, atanhl>("atanh", elementwise::Formula::kAtanh),
};

// Functions of two floats. The long double is exact where the truth is a midpoint of floats, but
// for angles, which lie below it.
struct PairFunction {
  std::string_view name;
  elementwise::Formula formula;
  double (*in_double)(double, double);
  float (*by_reference)(float, float);

  float At(float a, float b) const {
    const double y = in_double(static_cast<double>(a), static_cast<double>(b));
    return std::isfinite(y) && RoundAlike(y, 0x1p-49) ? static_cast<float>(y) : by_reference(a, b);
  }
};
inline constexpr PairFunction kPairFunctions[] = {
    {"pow", elementwise::Formula::kPow, pow,
     [](float x, float e) { return reference::Pow(x, static_cast<long double>(e)); }},
    {"atan2", elementwise::Formula::kAtan2, atan2, reference::Atan2},
};

// Random pairs of a kind: 0: any floats; 1: powers of any size, numbers of like size; 2: bases near
// 1, quotients that are subnormal; 3: small fractions, whose powers are exact or midpoints.
constexpr int kPairKinds = 4;
template <class Random>
void FillPairs(Random& random, int kind, std::vector<float>& a, std::vector<float>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    const auto first = static_cast<uint32_t>(random()), second = static_cast<uint32_t>(random());
    a[i] = std::bit_cast<float>(first);
    b[i] = std::bit_cast<float>(second);
    const double part = static_cast<double>(second) * 0x1p-31 - 1;
    switch (kind) {
      case 1:
        a[i] = std::bit_cast<float>(first >> 1);
        b[i] = (first & 1) == 0 ? static_cast<float>(part * 105 / std::log(a[i]))
                                : std::scalbn(std::fabs(a[i]), static_cast<int>(second >> 28) - 8);
        break;
      case 2:
        b[i] = std::scalbn(static_cast<float>(1 + (second & 15)), static_cast<int>(second >> 27));
        a[i] = std::bit_cast<float>(first & 0x83FFFFFF);
        if ((second & 16) == 0) continue;
        a[i] = 1 + std::scalbn(static_cast<float>(first & 0xFFFFFF) - 0x1p23f,
                               -24 - static_cast<int>(first >> 27));
        b[i] = static_cast<float>(part * 105 / std::log(static_cast<double>(a[i])));
        break;
      case 3:
        a[i] = std::scalbn(static_cast<float>(first & ((2u << (first >> 27)) - 1)),
                           -static_cast<int>(second >> 29));
        b[i] = static_cast<float>(static_cast<int>(second & 63) - 31) /
               static_cast<float>(1 << (second >> 6 & 3));
        break;
      default:
        break;
    }
  }
}

// A name and its row kernels.
struct FunctionKernel {
  std::string name;
  elementwise::RowKernel run;
  elementwise::RowKernel above;  // of expm1
};

// Of every instruction set, and the scalar code.
template <class Function>
std::vector<FunctionKernel> KernelsOf(const Function& function) {
  using elementwise::Formula;
  constexpr auto kOne = elementwise::KeyOf<float, float>();
  constexpr auto kFloats =
      std::is_same_v<Function, PairFunction> ? elementwise::KeyOf<float, float, float>() : kOne;
  std::vector<FunctionKernel> kernels;
  for (const cpu::InstructionSet& set : cpu::AvailableInstructionSets()) {
    const cpu::ScopedInstructionSet scope(set);
    kernels.push_back({std::string(set.name), elementwise::FindRow(function.formula, kFloats).run,
                       elementwise::FindRow(Formula::kCelu, kOne).run});
  }
  kernels.push_back({"scalar", elementwise::FindScalarRow(function.formula, kFloats).run,
                     elementwise::FindScalarRow(Formula::kCelu, kOne).run});
  return kernels;
}

inline elementwise::Attributes WithoutScale() {
  elementwise::Attributes attributes;
  attributes.values[0] = MakeScalar(1.0f);
  attributes.values[elementwise::kScaleAttribute] = MakeScalar(1.0f);
  attributes.values[elementwise::kScaleAttribute + 1] = MakeScalar(-0.0f);
  return attributes;
}
inline void EvaluatePairs(const FunctionKernel& kernel, const std::vector<float>& a,
                          const std::vector<float>& b, std::vector<float>& y) {
  elementwise::RowBlock block;
  block.count = a.size();
  block.output = reinterpret_cast<std::byte*>(y.data());
  block.inputs = {reinterpret_cast<const std::byte*>(a.data()),
                  reinterpret_cast<const std::byte*>(b.data())};
  kernel.run(WithoutScale(), block);
}

// y[i] = f(x[i]). Of expm1 all arguments have one sign.
inline void Evaluate(const ExactFunction& function, const FunctionKernel& kernel,
                     const std::vector<float>& x, std::vector<float>& y) {
  elementwise::Attributes attributes = WithoutScale();
  elementwise::RowBlock block;
  block.count = x.size();
  block.output = reinterpret_cast<std::byte*>(y.data());
  block.inputs[0] = reinterpret_cast<const std::byte*>(x.data());
  if (function.is_expm1 && !std::signbit(x[0])) {
    std::vector<float> negative(x);
    for (float& value : negative) value = -value;
    attributes.values[0] = MakeScalar(-1.0f);
    block.inputs[0] = reinterpret_cast<const std::byte*>(negative.data());
    kernel.above(attributes, block);
    for (float& value : y) value = -value;
    if (x[0] == 0) y[0] = x[0];  // CELU passes a zero
    return;
  }
  kernel.run(attributes, block);
}

// Bits, with one NaN.
inline uint32_t BitsOf(float value) {
  return std::isnan(value) ? 0x7FC00000 : std::bit_cast<uint32_t>(value);
}

}  // namespace anydml::test
