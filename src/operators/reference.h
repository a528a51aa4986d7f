// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Helpers of the references: logical coordinates, element access and a half
// precision of their own. Plain loops and plain arithmetic on purpose: nothing
// here is shared with the kernels that the references judge.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tensor/data_type.h"
#include "tensor/tensor_desc.h"

namespace anydml::reference {

using Coordinate = std::array<int64_t, kMaxDimensions>;

// Calls f(coordinate) for every coordinate, last dimension fastest.
template <typename F>
void ForEachCoordinate(const TensorDesc& tensor, F&& f) {
  Coordinate c = {};
  for (;;) {
    f(c);
    int64_t i = int64_t{tensor.dimension_count} - 1;
    while (i >= 0 && ++c[i] == int64_t{tensor.sizes[i]}) c[i--] = 0;
    if (i < 0) return;
  }
}

inline uint64_t ElementOffset(const TensorDesc& tensor, const Coordinate& c) {
  uint64_t offset = 0;
  for (uint32_t i = 0; i < tensor.dimension_count; ++i) {
    offset += static_cast<uint64_t>(c[i]) * tensor.strides[i];
  }
  return offset;
}

// "Logical index": never depends on Strides.
inline uint64_t LogicalIndex(const TensorDesc& tensor, const Coordinate& c) {
  uint64_t index = 0;
  for (uint32_t i = 0; i < tensor.dimension_count; ++i) {
    index = index * tensor.sizes[i] + static_cast<uint64_t>(c[i]);
  }
  return index;
}

template <typename T>
T Get(const TensorDesc& tensor, const void* data, const Coordinate& c) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + ElementOffset(tensor, c) * sizeof(T),
              sizeof(T));
  return value;
}

template <typename T>
void Put(const TensorDesc& tensor, void* data, const Coordinate& c, T value) {
  std::memcpy(static_cast<char*>(data) + ElementOffset(tensor, c) * sizeof(T), &value, sizeof(T));
}

// Copies the bits of an element, whatever its type.
inline void Copy(const TensorDesc& from, const void* source, const Coordinate& a,
                 const TensorDesc& to, void* target, const Coordinate& b) {
  const uint32_t size = ElementSize(from.data_type);
  std::memcpy(static_cast<char*>(target) + ElementOffset(to, b) * size,
              static_cast<const char*>(source) + ElementOffset(from, a) * size, size);
}

// "If an index is negative, it counts from the end"; of any index type.
inline int64_t IndexAt(const TensorDesc& indices, const void* data, const Coordinate& c,
                       int64_t size) {
  int64_t index = 0;
  DispatchType(IntegerTypes(), indices.data_type, [&]<typename I>() {
    const I raw = Get<I>(indices, data, c);
    // Beyond every size; a UINT64 would otherwise look negative.
    constexpr auto kFar = int64_t{1} << 40;
    index = raw > I{0} && static_cast<uint64_t>(raw) > uint64_t{kFar} ? kFar
                                                                      : static_cast<int64_t>(raw);
  });
  return index < 0 ? index + size : index;
}

inline void PutZero(const TensorDesc& tensor, void* data, const Coordinate& c) {
  const uint32_t size = ElementSize(tensor.data_type);
  std::memset(static_cast<char*>(data) + ElementOffset(tensor, c) * size, 0, size);
}

// The value of binary16 bits by its definition: (-1)^s * 2^(e-15) * 1.m
inline float HalfValue(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  double value = 0;
  if (exponent == 31) {
    value = mantissa == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(mantissa, -24);
  } else {
    value = std::ldexp(1024 + mantissa, exponent - 25);
  }
  return static_cast<float>((bits & 0x8000) != 0 ? -value : value);
}

// The nearest half, ties to even, by scaling to the unit of the result and
// rounding to an integer (nearbyint rounds to even by default).
inline uint16_t NearestHalf(long double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const long double magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<uint16_t>(sign | 0x7E00);
  if (magnitude >= 65520.0L) return static_cast<uint16_t>(sign | 0x7C00);
  int exponent = magnitude == 0 ? -14 : std::ilogb(magnitude);
  if (exponent < -14) exponent = -14;
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // A normal half has 1024 units at its exponent; 2048 units carry into the
  // next exponent by themselves.
  return static_cast<uint16_t>(sign + ((exponent + 14) << 10) + units);
}

// An element of FLOAT32 or FLOAT16 as float.
inline float GetFloat(const TensorDesc& tensor, const void* data, const Coordinate& c) {
  if (tensor.data_type == DataType::kFloat16) return HalfValue(Get<uint16_t>(tensor, data, c));
  return Get<float>(tensor, data, c);
}

inline void PutFloat(const TensorDesc& tensor, void* data, const Coordinate& c, float value) {
  if (tensor.data_type == DataType::kFloat16) {
    Put<uint16_t>(tensor, data, c, NearestHalf(value));
  } else {
    Put<float>(tensor, data, c, value);
  }
}

using AllTypes = TypeList<float, Float16, double, int64_t, int32_t, int16_t, int8_t, uint64_t,
                          uint32_t, uint16_t, uint8_t>;

// An element as the number that it stands for; two of one type compare exactly.
template <typename T>
T Value(T element) {
  return element;
}
inline float Value(Float16 element) { return HalfValue(element.bits); }

// A number as an element: the floating-point types round to nearest even, integers drop the
// fraction and saturate, NaN becomes the integer 0 (B26).
template <typename T>
T Element(double number) {
  if constexpr (std::numeric_limits<T>::is_integer) {
    const double beyond = std::ldexp(1.0, std::numeric_limits<T>::digits);
    const double whole = std::trunc(number);
    if (std::isnan(number)) return 0;
    if (whole >= beyond) return std::numeric_limits<T>::max();
    if (whole < (std::numeric_limits<T>::is_signed ? -beyond : 0)) {
      return std::numeric_limits<T>::min();
    }
    return static_cast<T>(whole);
  } else if constexpr (std::is_same_v<T, Float16>) {
    return {NearestHalf(static_cast<float>(number))};
  } else {
    return static_cast<T>(number);
  }
}

// x * Scale + Bias in float, in double for FLOAT64 and integers of 32 and 64 bits; two roundings
// and the conversion back to the element's type.
template <typename T>
T Scaled(T x, float scale, float bias) {
  if (sizeof(T) >= 4 && !std::is_same_v<T, float>) {
    const double product = static_cast<double>(Value(x)) * static_cast<double>(scale);
    return Element<T>(product + static_cast<double>(bias));
  }
  const float product = static_cast<float>(Value(x)) * scale;
  const float sum = product + bias;
  return Element<T>(sum);
}

}  // namespace anydml::reference
