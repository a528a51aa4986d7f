// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "tensor/data_type.h"

#include <array>

namespace anydml {
namespace {

struct Row {
  std::string_view name;
  uint32_t size;
};

// Indexed by DataType.
constexpr std::array<Row, kDataTypeCount> kRows = {{{"UNKNOWN", 0},
                                                    {"FLOAT32", 4},
                                                    {"FLOAT16", 2},
                                                    {"UINT32", 4},
                                                    {"UINT16", 2},
                                                    {"UINT8", 1},
                                                    {"INT32", 4},
                                                    {"INT16", 2},
                                                    {"INT8", 1},
                                                    {"FLOAT64", 8},
                                                    {"UINT64", 8},
                                                    {"INT64", 8},
                                                    {"UINT4", 0},
                                                    {"INT4", 0}}};

}  // namespace

std::string_view DataTypeName(DataType type) {
  const auto index = static_cast<uint32_t>(type);
  return index < kDataTypeCount ? kRows[index].name : std::string_view();
}

uint32_t ElementSize(DataType type) {
  const auto index = static_cast<uint32_t>(type);
  return index < kDataTypeCount ? kRows[index].size : 0;
}

}  // namespace anydml
