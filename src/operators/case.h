// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A named shape of an operator: the sizes of its tensors and the settings that
// differ from the schema's fallbacks. Tests, benchmarks and front ends make
// complete descriptions from it for any data type and layout.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tensor/tensor_desc.h"

namespace anydml {

// Sizes of one tensor; none for an optional tensor that is absent.
struct CaseSizes {
  Dimensions values = {};
  uint32_t count = 0;

  constexpr CaseSizes() = default;
  constexpr CaseSizes(std::initializer_list<uint32_t> sizes) {
    for (uint32_t size : sizes) values[count++] = size;
  }
};

// One field, by the name in the struct. A double holds every UINT, INT and FLOAT
// exactly. A scalar field takes the first value.
struct CaseSetting {
  std::string_view field;
  std::array<double, kMaxDimensions> values = {};
  uint32_t count = 0;

  constexpr CaseSetting() = default;
  constexpr CaseSetting(std::string_view name, std::initializer_list<double> list) : field(name) {
    for (double value : list) values[count++] = value;
  }
};

inline constexpr size_t kMaxCaseTensors = 4;
inline constexpr size_t kMaxCaseSettings = 6;

struct Case {
  std::string_view name;
  std::array<CaseSizes, kMaxCaseTensors> sizes = {};  // in the order of the struct's tensors
  std::array<CaseSetting, kMaxCaseSettings> settings = {};
};

}  // namespace anydml
