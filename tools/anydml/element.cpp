// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "element.h"

#include <cstring>

#include "tensor/scalar.h"

namespace anydml::tool {
namespace {

template <typename T>
double ToDouble(T value) {
  if constexpr (std::is_same_v<T, Float16>) {
    return ToFloat(value);
  } else {
    return static_cast<double>(value);
  }
}

template <typename T>
T FromDouble(double value) {
  if constexpr (std::is_same_v<T, Float16>) {
    return ToFloat16(static_cast<float>(value));
  } else if constexpr (std::is_integral_v<T>) {
    return SaturateTo<T>(value);
  } else {
    return static_cast<T>(value);
  }
}

// Calls f.operator()<T>() for the C++ type of any data type.
template <typename F>
void Dispatch(DataType type, F&& f) {
  if (!DispatchType(TypeList<float, Float16, double>(), type, f)) {
    DispatchType(IntegerTypes(), type, f);
  }
}

}  // namespace

uint64_t OffsetOf(const TensorDesc& tensor, uint64_t index) {
  uint64_t offset = 0;
  for (size_t i = tensor.dimension_count; i-- > 0;) {
    offset += index % tensor.sizes[i] * tensor.strides[i];
    index /= tensor.sizes[i];
  }
  return offset;
}

double ValueAt(const TensorDesc& tensor, const uint8_t* data, uint64_t index) {
  double value = 0;
  Dispatch(tensor.data_type, [&]<typename T>() {
    T element;
    std::memcpy(&element, data + OffsetOf(tensor, index) * sizeof element, sizeof element);
    value = ToDouble(element);
  });
  return value;
}

void SetValue(const TensorDesc& tensor, uint8_t* data, uint64_t index, double value) {
  Dispatch(tensor.data_type, [&]<typename T>() {
    const T element = FromDouble<T>(value);
    std::memcpy(data + OffsetOf(tensor, index) * sizeof element, &element, sizeof element);
  });
}

}  // namespace anydml::tool
