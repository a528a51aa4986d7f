// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One value of a data type that is known at run time (the bounds of a clip,
// say), and conversion of numbers to element types.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tensor/data_type.h"

namespace anydml {

// Toward zero, saturated; NaN gives 0 (B26). Every float is a double, so one
// function serves both. The greatest 64-bit integers round up to a power of two
// as doubles, which the comparison must not let through to the cast.
template <typename T>
constexpr T SaturateTo(double value) {
  static_assert(std::is_integral_v<T>);
  using Limits = std::numeric_limits<T>;
  if (value != value) return 0;
  if (value <= static_cast<double>(Limits::min())) return Limits::min();
  if (value >= static_cast<double>(Limits::max())) return Limits::max();
  return static_cast<T>(value);
}

struct Scalar {
  std::array<uint8_t, 8> bytes = {};  // the element's bytes first, the rest 0

  template <typename T>
  T As() const {
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
};

template <typename T>
Scalar MakeScalar(T value) {
  Scalar scalar;
  std::memcpy(scalar.bytes.data(), &value, sizeof value);
  return scalar;
}

// From the 8 bytes of a DML_SCALAR_UNION, of which only those of the member
// that `type` selects have a meaning. FLOAT16 has no member; its bits are in UInt16.
inline Scalar ScalarFromUnion(DataType type, uint64_t bytes) {
  Scalar scalar;
  std::memcpy(scalar.bytes.data(), &bytes, ElementSize(type));
  return scalar;
}

// A FLOAT converted to `type`: integers truncate toward zero and saturate, half
// rounds to nearest even.
inline Scalar ScalarFromFloat(DataType type, float value) {
  if (type == DataType::kFloat32) return MakeScalar(value);
  if (type == DataType::kFloat16) return MakeScalar(ToFloat16(value));
  if (type == DataType::kFloat64) return MakeScalar(static_cast<double>(value));
  Scalar scalar;
  DispatchType(IntegerTypes(), type,
               [&]<typename T>() { scalar = MakeScalar(SaturateTo<T>(value)); });
  return scalar;
}

}  // namespace anydml
