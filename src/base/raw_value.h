// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The number that an enumeration of the caller's holds. It may be no enumerator,
// and then loading it as its own type would be undefined behaviour.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace anydml {

template <typename Enum>
uint32_t RawValue(const Enum& member) {
  static_assert(std::is_enum_v<Enum> && sizeof(Enum) == sizeof(uint32_t));
  uint32_t value = 0;
  std::memcpy(&value, &member, sizeof value);
  return value;
}

template <typename Enum>
bool Holds(const Enum& member, Enum value) {
  return RawValue(member) == static_cast<uint32_t>(value);
}

}  // namespace anydml
