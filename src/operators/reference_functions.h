// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The exact functions (B100) for references, by the C library's long double, rounded once.
// Nothing here is shared with the kernels.
#pragma once

#include <cmath>

namespace anydml::reference {

// The float nearest to a value that is known to 63 bits. Where these are a midpoint of two
// floats, `rest` says by its sign on which side the truth lies.
inline float NearestFloat(long double value, double rest = 0) {
  const auto nearest = static_cast<float>(value);
  const auto back = static_cast<long double>(nearest);
  if (std::isnan(value) || std::isinf(nearest) || back == value) return nearest;
  const float other = std::nextafter(nearest, value > back ? HUGE_VALF : -HUGE_VALF);
  if (back + static_cast<long double>(other) != 2 * value || rest == 0) return nearest;
  return rest > 0 ? std::fmax(nearest, other) : std::fmin(nearest, other);
}

inline long double LongExp(float x) { return std::exp(static_cast<long double>(x)); }
inline long double LongExpm1(float x) { return std::expm1(static_cast<long double>(x)); }
inline long double LongLog(float x) { return std::log(static_cast<long double>(x)); }
inline long double LongTanh(float x) { return std::tanh(static_cast<long double>(x)); }
inline long double LongErf(float x) { return std::erf(static_cast<long double>(x)); }
inline long double LongSigmoid(float x) { return 1 / (1 + std::exp(-static_cast<long double>(x))); }
// x times the normal distribution, -0 at -infinity (B108). The derivative of erfc takes away
// what rounding x / sqrt 2 adds, which a tail would multiply.
inline long double LongGelu(float x) {
  if (std::isinf(x)) return x > 0 ? x : -0.0f;
  constexpr long double kRootOfHalf = 0.707106781186547524400844362104849039L;
  const long double z = -static_cast<long double>(x) * kRootOfHalf;
  const long double lost = std::fma(-static_cast<long double>(x), kRootOfHalf, -z) -
                           static_cast<long double>(x) * 1.8950325588932570797e-20L;
  const long double slope = -1.12837916709551257389615890312154517L * std::exp(-z * z);
  return static_cast<long double>(x) * (std::erfc(z) + slope * lost) / 2;
}

inline long double LongSoftplus(long double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

template <long double (*kFunction)(long double)>
float Rounded(float x) {
  return NearestFloat(kFunction(static_cast<long double>(x)));
}
inline float Softplus(float x) { return Rounded<LongSoftplus>(x); }
inline float Pow(float x, long double e) {
  return NearestFloat(std::pow(static_cast<long double>(x), e));
}
// y/x - (y/x)^3 / 3 + ...
inline float Atan2(float y, float x) {
  const long double angle = std::atan2(static_cast<long double>(y), static_cast<long double>(x));
  return NearestFloat(angle, std::fabs(angle) < 0x1p-100L ? -static_cast<double>(y) : 0);
}
inline float Exp(float x) { return NearestFloat(LongExp(x)); }
inline float Expm1(float x) { return NearestFloat(LongExpm1(x)); }
inline float Log(float x) { return NearestFloat(LongLog(x)); }
inline float Tanh(float x) { return NearestFloat(LongTanh(x)); }
inline float Erf(float x) { return NearestFloat(LongErf(x)); }
// 1/2 + x/4 - x^3/48 + ...
inline float Sigmoid(float x) { return NearestFloat(LongSigmoid(x), -static_cast<double>(x)); }
// x/2 + x^2 / sqrt(2 pi) - ...
inline float Gelu(float x) { return NearestFloat(LongGelu(x), 1); }

}  // namespace anydml::reference
