// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Correctly rounded functions of a float (B100), for scalar code on CPUs and devices.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>

#include "kernels/math/coefficients.h"
#include "kernels/math/hard_cases.h"
#include "kernels/math/pairs.h"

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
  constexpr double Sqrt(double x) const { return std::sqrt(x); }
  // The first 21 bits of the number.
  constexpr double Leading(double x) const {
    return std::bit_cast<double>(std::bit_cast<uint64_t>(x) & kLeading);
  }
  constexpr bool Less(double a, double b) const { return a < b; }
  constexpr bool IsNan(double x) const { return x != x; }
  constexpr bool Any(bool condition) const { return condition; }
  constexpr double Choose(bool condition, double a, double b) const { return condition ? a : b; }
  // 2^k, of k + 1.5 * 2^52
  constexpr double PowerOf2(double shifted) const {
    return std::bit_cast<double>((std::bit_cast<uint64_t>(shifted) << 52) + kOne);
  }
  // Of n in n + 1.5 * 2^52: whether it is odd, and -y where n mod 4 is 2 or 3, else y.
  constexpr bool IsOdd(double shifted) const { return (std::bit_cast<uint64_t>(shifted) & 1) != 0; }
  constexpr double Turned(double y, double shifted) const {
    return std::bit_cast<double>(std::bit_cast<uint64_t>(y) ^
                                 (std::bit_cast<uint64_t>(shifted) << 62 & kSign));
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
  static constexpr uint64_t kLeading = ~uint64_t{0xFFFFFFFF};
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
#define ANYDML_MATH_RARE [[gnu::noinline]]
#endif
// Which of two neighbours, `low` nearer to zero, the truth rounds to.
template <class F>
ANYDML_MATH_RARE constexpr float Decided(float low, float high, float x) {
  return RoundsAway(F(), std::bit_cast<uint32_t>(x)) ? high : low;
}
template <class F>
ANYDML_MATH_RARE constexpr float Decided(float low, float high, double x, double y) {
  // Infinity stands for 2^128, which would follow the largest float.
  const bool overflows = (high < 0 ? -high : high) > std::numeric_limits<float>::max();
  const double above = overflows ? Numbers().CopySign(0x1p128, low) : double{high};
  const double side = SideOf(F(), x, y, (double{low} + above) / 2);
  const bool even = (std::bit_cast<uint32_t>(low) & 1) == 0;
  return side > 0 || (side == 0 && !even) ? high : low;
}

template <class F, class... X>
constexpr float RoundedHere(X... x) {
  const Value<double> y = F::Double(Numbers(), static_cast<double>(x)...);
  const auto low = static_cast<float>(y.value * (1.0 - y.margin));
  const auto high = static_cast<float>(y.value * (1.0 + y.margin));
  if (std::bit_cast<uint32_t>(low) == std::bit_cast<uint32_t>(high)) return low;
  return Decided<F>(low, high, x...);
}
template <class F, class... X>
ANYDML_MATH_RARE constexpr float RoundedApart(X... x) {
  return RoundedHere<F>(x...);
}
#undef ANYDML_MATH_RARE

// F is one of the structs of functions-inl.h, of one float, or of two numbers as it says.
template <class F, class... X>
constexpr float RoundedOf(X... x) {
  if constexpr (std::is_base_of_v<Apart, F>) return RoundedApart<F>(x...);
  return RoundedHere<F>(x...);
}
template <class F>
constexpr float Rounded(float x) {
  return x != x ? x : RoundedOf<F>(x);
}

}  // namespace anydml::math
