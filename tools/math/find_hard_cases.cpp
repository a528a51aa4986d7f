// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Prints the arguments of a function whose value in double lies so near to a midpoint of
// floats that its margin does not decide; make_hard_cases.py decides them. Twice the margin
// is searched, since vectors round otherwise than numbers.
//
//     g++ -O2 -std=c++20 -Isrc -ffp-contract=off tools/math/find_hard_cases.cpp -o find
//     ./find exp 0 100000000      of the arguments with these bits
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "kernels/math/scalar.h"

namespace {

template <class F>
void Find(uint64_t begin, uint64_t end) {
  using namespace anydml::math;
  for (uint64_t bits = begin; bits < end; ++bits) {
    const auto x = std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (x != x) continue;
    const Value<double> y = F::Double(Numbers(), static_cast<double>(x));
    const auto low = static_cast<float>(y.value * (1.0 - 2 * y.margin));
    const auto high = static_cast<float>(y.value * (1.0 + 2 * y.margin));
    if (low != high && low == low) std::printf("%08x\n", static_cast<unsigned>(bits));
  }
}

}  // namespace

int main(int, char** arguments) {
  const std::string_view name = arguments[1];
  const uint64_t begin = std::strtoull(arguments[2], nullptr, 16);
  const uint64_t end = std::strtoull(arguments[3], nullptr, 16);
  if (name == "exp") Find<anydml::math::Exp>(begin, end);
  if (name == "expm1") Find<anydml::math::Expm1>(begin, end);
  if (name == "tanh") Find<anydml::math::Tanh>(begin, end);
  if (name == "sigmoid") Find<anydml::math::Sigmoid>(begin, end);
  if (name == "log") Find<anydml::math::Log>(begin, end);
  if (name == "erf") Find<anydml::math::Erf>(begin, end);
  if (name == "gelu") Find<anydml::math::Gelu>(begin, end);
  if (name == "softplus") Find<anydml::math::Softplus>(begin, end);
  if (name == "sin") Find<anydml::math::Sin>(begin, end);
  if (name == "cos") Find<anydml::math::Cos>(begin, end);
  if (name == "tan") Find<anydml::math::Tan>(begin, end);
  if (name == "asin") Find<anydml::math::Asin>(begin, end);
  if (name == "acos") Find<anydml::math::Acos>(begin, end);
  if (name == "atan") Find<anydml::math::Atan>(begin, end);
  if (name == "sinh") Find<anydml::math::Sinh>(begin, end);
  if (name == "cosh") Find<anydml::math::Cosh>(begin, end);
  if (name == "asinh") Find<anydml::math::Asinh>(begin, end);
  if (name == "acosh") Find<anydml::math::Acosh>(begin, end);
  if (name == "atanh") Find<anydml::math::Atanh>(begin, end);
}
