// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/decimal.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

namespace anydml::model {
namespace {

constexpr int kBitsHalfway = 25;

// 0.d1d2d3... times 10^exponent; without zeros at either end, and none for 0.
struct Decimal {
  std::string digits;
  int64_t exponent = 0;
};

// Far beyond every double, and far from where sums wrap.
constexpr int64_t kMaxExponent = int64_t{1} << 60;

int64_t ReadExponent(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int64_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc()) exponent = text.starts_with('-') ? -kMaxExponent : kMaxExponent;
  return std::clamp(exponent, -kMaxExponent, kMaxExponent);
}

// Without the sign.
Decimal ReadDecimal(std::string_view text) {
  Decimal decimal;
  if (text.starts_with('-')) text.remove_prefix(1);
  const size_t mark = text.find_first_of("eE");
  if (mark != text.npos) decimal.exponent = ReadExponent(text.substr(mark + 1));
  bool behind_point = false;
  for (char c : text.substr(0, mark)) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit) {
      behind_point = true;
    } else if (c == '0' && decimal.digits.empty()) {
      if (behind_point) --decimal.exponent;
    } else {
      decimal.digits.push_back(c);
      if (!behind_point) ++decimal.exponent;
    }
  }
  decimal.digits.resize(decimal.digits.find_last_not_of('0') + 1);  // npos + 1 is 0
  return decimal;
}

int Compare(const Decimal& a, const Decimal& b) {
  if (a.digits.empty() || b.digits.empty()) return !a.digits.empty() - !b.digits.empty();
  if (a.exponent != b.exponent) return a.exponent < b.exponent ? -1 : 1;
  return a.digits.compare(b.digits);
}

}  // namespace

bool MayBeHalfway(double value) {
  constexpr uint64_t kOtherBits = (uint64_t{1} << (53 - kBitsHalfway)) - 1;
  return (std::bit_cast<uint64_t>(value) & kOtherBits) == 0;
}

bool IsExactInteger(double value) {
  return std::abs(value) <= 0x1p53 && value == std::trunc(value);
}

int CompareDecimal(std::string_view text, double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  // A half has one decimal place, a quarter two, and so on: these are all digits.
  const int places = std::max(0, kBitsHalfway - exponent);
  char digits[1500];  // 309 before the point, or 1,098 behind it
  std::snprintf(digits, sizeof digits, "%.*f", places, std::fabs(value));
  const int order = Compare(ReadDecimal(text), ReadDecimal(digits));
  return text.starts_with('-') ? -order : order;
}

}  // namespace anydml::model
