// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The rare way of functions of two numbers: pairs of doubles, of more than 100 bits, tell on which
// side of a midpoint of floats the truth lies. Series, term by term: neither fast nor often.
#pragma once

#include <cstdint>

namespace anydml::math {

struct Pair {
  double high = 0;
  double low = 0;
};

constexpr Pair PairSum(double a, double b) {
  const double sum = a + b;
  const double of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}
constexpr Pair PairProduct(double a, double b) {
  constexpr double kSplit = 0x1p27 + 1;
  const double of_a = kSplit * a, of_b = kSplit * b;
  const double a1 = of_a - (of_a - a), b1 = of_b - (of_b - b);
  const double a2 = a - a1, b2 = b - b1;
  const double product = a * b;
  return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}
constexpr Pair operator+(Pair a, Pair b) {
  const Pair high = PairSum(a.high, b.high), low = PairSum(a.low, b.low);
  const Pair sum = PairSum(high.high, high.low + low.high);
  return PairSum(sum.high, sum.low + low.low);
}
constexpr Pair operator-(Pair a) { return {-a.high, -a.low}; }
constexpr Pair operator*(Pair a, Pair b) {
  const Pair high = PairProduct(a.high, b.high);
  return PairSum(high.high, high.low + (a.high * b.low + a.low * b.high));
}
constexpr Pair operator/(Pair a, double b) {
  const double quotient = a.high / b;
  const Pair product = PairProduct(quotient, b);
  return PairSum(quotient, ((a.high - product.high) - product.low + a.low) / b);
}

// ln of a number above 0 of at most 32 bits.
constexpr Pair PairLog(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  const auto exponent = static_cast<int64_t>(bits >> 52) - 1023;
  double m = std::bit_cast<double>(bits - (static_cast<uint64_t>(exponent) << 52));
  double e = static_cast<double>(exponent);
  if (m > 1.5) {
    m /= 2;
    e += 1;
  }
  const Pair s = Pair{m - 1, 0} / (m + 1), w = s * s;
  Pair sum;
  for (int k = 47; k >= 1; k -= 2) sum = sum * w + Pair{1, 0} / k;
  return Pair{2, 0} * s * sum + Pair{e, 0} * Pair{kLn2, kLn2Rest};
}

// 1 - x^2/(f (f + 1)) (1 - x^2/((f + 2) (f + 3)) ...): cos x for f = 1, sin x / x for f = 2; of
// |x| < 3.2.
constexpr Pair PairCircle(double x, int f) {
  const Pair w = PairProduct(x, x);
  Pair sum = {1, 0};
  for (int k = f + 44; k >= f; k -= 2) {
    sum = Pair{1, 0} + -(sum * w / (static_cast<double>(k) * (k + 1)));
  }
  return sum;
}

// Its sign is that of |truth| - |midpoint|; 0 where they are equal, as no other truth comes that
// near.
struct Pow;
constexpr double SideOf(const Pow&, double x, double y, double midpoint) {
  const Pair power = Pair{y, 0} * PairLog(x < 0 ? -x : x);
  const Pair side = power + -PairLog(midpoint < 0 ? -midpoint : midpoint);
  return side.high < 0x1p-88 && side.high > -0x1p-88 ? 0 : side.high;
}
// Never 0: the power of a midpoint has more bits than a float.
struct Root;
constexpr double SideOf(const Root&, double x, double p, double midpoint) {
  return (PairLog(x) + -(Pair{p, 0} * PairLog(midpoint))).high;
}
// |y| cos t - x sin t, t the midpoint
struct Atan2;
constexpr double SideOf(const Atan2&, double y, double x, double midpoint) {
  const double t = midpoint < 0 ? -midpoint : midpoint;
  const Pair sine = Pair{t, 0} * PairCircle(t, 2);
  const Pair side = Pair{y < 0 ? -y : y, 0} * PairCircle(t, 1) + -(Pair{x, 0} * sine);
  return side.high;
}

}  // namespace anydml::math
