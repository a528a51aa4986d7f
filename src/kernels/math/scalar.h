// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Correctly rounded functions of a float (B100), for scalar code on CPUs and devices.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>

#include "kernels/math/coefficients.h"
#include "kernels/math/hard_cases.h"

namespace anydml::math {

// The error of all functions in double, relative to the result, is below it.
inline constexpr double kMargin = 0x1p-49;

// CUDA devices fuse products with sums, which changes no result: hard_cases.h has all that could.
struct Numbers {
  constexpr double Set(double x) const { return x; }
  constexpr double Add(double a, double b) const { return a + b; }
  constexpr double Sub(double a, double b) const { return a - b; }
  constexpr double Mul(double a, double b) const { return a * b; }
  constexpr double Div(double a, double b) const { return a / b; }
  constexpr double MulAdd(double a, double b, double c) const {
#ifdef __CUDA_ARCH__
    if (!std::is_constant_evaluated()) return __fma_rn(a, b, c);
#endif
    return a * b + c;
  }
  constexpr double Min(double a, double b) const { return a < b ? a : b; }
  constexpr double Max(double a, double b) const { return a > b ? a : b; }
  constexpr double Abs(double x) const {
    return std::bit_cast<double>(std::bit_cast<uint64_t>(x) & ~kSign);
  }
  constexpr double CopySign(double size, double sign) const {
    return std::bit_cast<double>((std::bit_cast<uint64_t>(size) & ~kSign) |
                                 (std::bit_cast<uint64_t>(sign) & kSign));
  }
  constexpr bool Less(double a, double b) const { return a < b; }
  constexpr double Choose(bool condition, double a, double b) const { return condition ? a : b; }
  // 2^k, of k + 1.5 * 2^52
  constexpr double PowerOf2(double shifted) const {
    return std::bit_cast<double>((std::bit_cast<uint64_t>(shifted) << 52) + kOne);
  }
  // x = m * 2^e, 1/sqrt 2 <= m < sqrt 2, of a normal number above 0
  constexpr void Split(double x, double& m, double& e) const {
    const auto bits = std::bit_cast<uint64_t>(x);
    const uint64_t exponent = (bits - kRootOfHalf + kOne) >> 52;
    e = std::bit_cast<double>(exponent | kTwoTo52) - (0x1p52 + 1023);
    m = std::bit_cast<double>(bits - (exponent << 52) + kOne);
  }

  static constexpr uint64_t kSign = uint64_t{1} << 63;
  static constexpr uint64_t kOne = uint64_t{1023} << 52;
  static constexpr uint64_t kTwoTo52 = uint64_t{1023 + 52} << 52;
  static constexpr uint64_t kRootOfHalf = 0x3FE6A09E667F3BCD;
};

#define ANYDML_MATH constexpr
#include "kernels/math/functions-inl.h"
#undef ANYDML_MATH

// Apart from the rest on CUDA devices, whose unrolled loops would repeat it many times.
#ifdef __CUDACC__
#define ANYDML_MATH_RARE __noinline__
#else
#define ANYDML_MATH_RARE
#endif
template <class F>
ANYDML_MATH_RARE constexpr float Rare(uint32_t x, float otherwise) {
  return HardCase(F(), x, otherwise);
}
#undef ANYDML_MATH_RARE

// F is one of the structs of functions-inl.h.
template <class F>
constexpr float Rounded(float x) {
  if (x != x) return x;
  const Value<double> y = F::Double(Numbers(), static_cast<double>(x));
  const auto low = static_cast<float>(y.value * (1.0 - y.margin));
  const auto high = static_cast<float>(y.value * (1.0 + y.margin));
  if (std::bit_cast<uint32_t>(low) == std::bit_cast<uint32_t>(high)) return low;
  return Rare<F>(std::bit_cast<uint32_t>(x), static_cast<float>(y.value));
}

}  // namespace anydml::math
