// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/numbers.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "model/decimal.h"
#include "model/members.h"

namespace anydml::model {
namespace {

// The least magnitudes that round to infinity: half a unit past the largest
// finite value.
constexpr double kFloat32Limit = 0x1.ffffffp127;
constexpr double kFloat16Limit = 65520.0;

template <typename T>
std::optional<T> ToInteger(const Json& value) {
  if (const auto* number = value.get_ptr<const Json::number_unsigned_t*>()) {
    if (std::in_range<T>(*number)) return static_cast<T>(*number);
  } else if (const auto* number = value.get_ptr<const Json::number_integer_t*>()) {
    if (std::in_range<T>(*number)) return static_cast<T>(*number);
  } else if (const auto* number = value.get_ptr<const Json::number_float_t*>()) {
    if (IsExactInteger(*number) && std::in_range<T>(static_cast<int64_t>(*number)))
      return static_cast<T>(*number);
  }
  return std::nullopt;
}

std::optional<double> NamedFloat(const Json& value) {
  const auto* text = value.get_ptr<const Json::string_t*>();
  if (text == nullptr) return std::nullopt;
  if (EqualsIgnoringCase(*text, "nan")) return std::numeric_limits<double>::quiet_NaN();
  if (EqualsIgnoringCase(*text, "inf")) return std::numeric_limits<double>::infinity();
  if (EqualsIgnoringCase(*text, "-inf")) return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

bool IsNumber(const Json& value) { return value.is_number() || AsInexactNumber(value); }

double ToDouble(const Json& value) {
  const auto inexact = AsInexactNumber(value);
  return inexact ? inexact->nearest : value.get<double>();
}

// A double that rounds to every smaller type as the number itself does. Where the
// nearest one turns, the number is on the side of it on which the next one is.
double ToRoundable(const Json& value) {
  const auto inexact = AsInexactNumber(value);
  if (!inexact || !MayBeHalfway(inexact->nearest)) return ToDouble(value);
  const double infinity = std::numeric_limits<double>::infinity();
  const bool above = CompareDecimal(inexact->text, inexact->nearest) > 0;
  return std::nextafter(inexact->nearest, above ? infinity : -infinity);
}

// Integers are converted directly: by way of double, large ones would be
// rounded twice.
float ToFloat(const Json& value) {
  if (const auto* number = value.get_ptr<const Json::number_unsigned_t*>()) {
    return static_cast<float>(*number);
  }
  if (const auto* number = value.get_ptr<const Json::number_integer_t*>()) {
    return static_cast<float>(*number);
  }
  return static_cast<float>(ToRoundable(value));
}

template <typename T>
void Store(T value, uint8_t* out) {
  std::memcpy(out, &value, sizeof value);
}

std::string StoreFloat(const Json& value, DataType type, uint8_t* out) {
  const std::optional<double> named = NamedFloat(value);
  if (!named && !IsNumber(value)) return "must be a number, \"nan\", \"inf\" or \"-inf\"";
  if (type == DataType::kFloat64) {
    Store(named ? *named : ToDouble(value), out);
    return "";
  }
  const double number = named ? *named : ToRoundable(value);
  if (type == DataType::kFloat32) {
    if (!named && std::abs(number) >= kFloat32Limit) {
      return "must be from -3.4028235e+38 to 3.4028235e+38, \"inf\" or \"-inf\"";
    }
    Store(named ? static_cast<float>(number) : ToFloat(value), out);
  } else {
    if (!named && std::abs(number) >= kFloat16Limit) {
      return "must be from -65504 to 65504, \"inf\" or \"-inf\"";
    }
    Store(ToFloat16(number), out);
  }
  return "";
}

}  // namespace

Float16 ToFloat16(double value) {
  // Rounding to odd keeps what the second rounding needs to know: float has
  // more than two bits beyond FLOAT16, and the last one says "inexact".
  float rounded = static_cast<float>(value);
  if (std::isfinite(rounded) && static_cast<double>(rounded) != value) {
    if (std::abs(static_cast<double>(rounded)) > std::abs(value)) {
      rounded = std::nextafter(rounded, 0.0f);
    }
    rounded = std::bit_cast<float>(std::bit_cast<uint32_t>(rounded) | 1u);
  }
  return anydml::ToFloat16(rounded);
}

std::string StoreElement(const Json& value, DataType type, uint8_t* out) {
  std::string rule;
  const bool is_integer = DispatchType(IntegerTypes(), type, [&]<typename T>() {
    if (const std::optional<T> number = ToInteger<T>(value)) return Store(*number, out);
    rule = fmt::format("must be an integer from {} to {}", +std::numeric_limits<T>::min(),
                       +std::numeric_limits<T>::max());
  });
  return is_integer ? rule : StoreFloat(value, type, out);
}

std::optional<uint64_t> ReadUnsigned(const Json& value, uint64_t most, const Place& place) {
  const std::optional<uint64_t> number = ToInteger<uint64_t>(value);
  if (number && *number <= most) return number;
  place.Refuse(value, "must be an integer from 0 to {}", most);
  return std::nullopt;
}

}  // namespace anydml::model
