// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Element types: the enumeration (values of DML_TENSOR_DATA_TYPE), sets of
// them, and the library's only dispatch from a run-time type to a C++ type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <type_traits>

#include "base/float16.h"

namespace anydml {

enum class DataType : uint32_t {
  kUnknown = 0,
  kFloat32 = 1,
  kFloat16 = 2,
  kUint32 = 3,
  kUint16 = 4,
  kUint8 = 5,
  kInt32 = 6,
  kInt16 = 7,
  kInt8 = 8,
  kFloat64 = 9,
  kUint64 = 10,
  kInt64 = 11,
  kUint4 = 12,
  kInt4 = 13,
};
inline constexpr uint32_t kDataTypeCount = 14;

// "FLOAT32"; "UNKNOWN" for 0; empty for a value that is no enumerator.
std::string_view DataTypeName(DataType type);

// 0 for UNKNOWN, for undefined values and for the 4-bit types, which no
// implemented operator takes.
uint32_t ElementSize(DataType type);

class DataTypeSet {
 public:
  constexpr DataTypeSet() = default;
  constexpr DataTypeSet(std::initializer_list<DataType> types) {
    for (DataType type : types) bits_ |= Bit(type);
  }
  constexpr bool Contains(DataType type) const {
    return static_cast<uint32_t>(type) < kDataTypeCount && (bits_ & Bit(type)) != 0;
  }
  constexpr bool operator==(const DataTypeSet&) const = default;
  constexpr DataTypeSet operator|(DataTypeSet other) const {
    DataTypeSet both;
    both.bits_ = bits_ | other.bits_;
    return both;
  }

 private:
  static constexpr uint32_t Bit(DataType type) { return 1u << static_cast<uint32_t>(type); }
  uint32_t bits_ = 0;
};

template <typename... Ts>
struct TypeList {};

template <typename T>
inline constexpr DataType kDataTypeOf = DataType::kUnknown;
template <>
inline constexpr DataType kDataTypeOf<float> = DataType::kFloat32;
template <>
inline constexpr DataType kDataTypeOf<Float16> = DataType::kFloat16;
template <>
inline constexpr DataType kDataTypeOf<double> = DataType::kFloat64;
template <>
inline constexpr DataType kDataTypeOf<uint64_t> = DataType::kUint64;
template <>
inline constexpr DataType kDataTypeOf<uint32_t> = DataType::kUint32;
template <>
inline constexpr DataType kDataTypeOf<uint16_t> = DataType::kUint16;
template <>
inline constexpr DataType kDataTypeOf<uint8_t> = DataType::kUint8;
template <>
inline constexpr DataType kDataTypeOf<int64_t> = DataType::kInt64;
template <>
inline constexpr DataType kDataTypeOf<int32_t> = DataType::kInt32;
template <>
inline constexpr DataType kDataTypeOf<int16_t> = DataType::kInt16;
template <>
inline constexpr DataType kDataTypeOf<int8_t> = DataType::kInt8;

using IntegerTypes =
    TypeList<int64_t, int32_t, int16_t, int8_t, uint64_t, uint32_t, uint16_t, uint8_t>;

template <typename... Ts>
constexpr DataTypeSet SetOf(TypeList<Ts...>) {
  return DataTypeSet{kDataTypeOf<Ts>...};
}

// Calls f.operator()<T>() for the T in `Ts` whose DataType is `type`; returns
// false if there is none.
template <typename... Ts, typename F>
bool DispatchType(TypeList<Ts...>, DataType type, F&& f) {
  return ((type == kDataTypeOf<Ts> && (f.template operator()<Ts>(), true)) || ...);
}

// For operators that only move elements: four instantiations serve all types.
template <typename F>
bool DispatchWidth(uint32_t element_size, F&& f) {
  switch (element_size) {
    case 1:
      f.template operator()<uint8_t>();
      return true;
    case 2:
      f.template operator()<uint16_t>();
      return true;
    case 4:
      f.template operator()<uint32_t>();
      return true;
    case 8:
      f.template operator()<uint64_t>();
      return true;
    default:
      return false;
  }
}

}  // namespace anydml
