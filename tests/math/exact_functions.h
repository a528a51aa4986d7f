// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The exact functions as the row kernels compute them, on every instruction set, and what
// they must be: the C library's double where it decides, its long double elsewhere.
#pragma once

#include <bit>
#include <cmath>
#include <functional>
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
};

// A name and its row kernels.
struct FunctionKernel {
  std::string name;
  elementwise::RowKernel run;
  elementwise::RowKernel above;  // of expm1
};

// Of every instruction set, and the scalar code.
inline std::vector<FunctionKernel> KernelsOf(const ExactFunction& function) {
  using elementwise::Formula;
  constexpr auto kFloats = elementwise::KeyOf<float, float>();
  std::vector<FunctionKernel> kernels;
  for (const cpu::InstructionSet& set : cpu::AvailableInstructionSets()) {
    const cpu::ScopedInstructionSet scope(set);
    kernels.push_back({std::string(set.name), elementwise::FindRow(function.formula, kFloats).run,
                       elementwise::FindRow(Formula::kCelu, kFloats).run});
  }
  kernels.push_back({"scalar", elementwise::FindScalarRow(function.formula, kFloats).run,
                     elementwise::FindScalarRow(Formula::kCelu, kFloats).run});
  return kernels;
}

// y[i] = f(x[i]). Of expm1 all arguments have one sign.
inline void Evaluate(const ExactFunction& function, const FunctionKernel& kernel,
                     const std::vector<float>& x, std::vector<float>& y) {
  elementwise::Attributes attributes;
  attributes.values[elementwise::kScaleAttribute] = MakeScalar(1.0f);
  attributes.values[elementwise::kScaleAttribute + 1] = MakeScalar(-0.0f);
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
  if (function.is_expm1) attributes.values[0] = MakeScalar(1.0f);
  kernel.run(attributes, block);
}

// Bits, with one NaN.
inline uint32_t BitsOf(float value) {
  return std::isnan(value) ? 0x7FC00000 : std::bit_cast<uint32_t>(value);
}

}  // namespace anydml::test
