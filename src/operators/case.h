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

inline constexpr size_t kMaxCaseTensors = 8;  // entries of arrays of tensors included
inline constexpr size_t kMaxCaseSettings = 6;

struct Case {
  std::string_view name;
  std::array<CaseSizes, kMaxCaseTensors> sizes = {};  // in the order of the struct's tensors
  std::array<CaseSetting, kMaxCaseSettings> settings = {};
  bool as_long_axes = false;
};

// The last member of a case whose axes the conformance test takes for too long for
// tables (tensor/axis_sums.h): axes that really are would be of a million elements.
inline constexpr bool kAsLongAxes = true;

// ---- Benchmarks. Their shapes are large, so no test runs them.

// How the tensors of a row lie in memory; a case names a set of them.
enum class BenchLayout : uint8_t {
  kPacked = 1,        // as the logical order says: NCHW
  kChannelsLast = 2,  // NHWC
  kPaddedRows = 4,    // packed, but for a gap after each run of the last dimension
  kPermuted = 8,      // inputs with the dimensions in another order, outputs packed
  kRowRepeated = 16,  // packed, but all rows of the second input, of two dimensions, are one
  kColumnRepeated = 32,
};
constexpr uint8_t operator|(BenchLayout a, BenchLayout b) {
  return static_cast<uint8_t>(static_cast<uint8_t>(a) | static_cast<uint8_t>(b));
}
constexpr uint8_t operator|(uint8_t a, BenchLayout b) {
  return static_cast<uint8_t>(a | static_cast<uint8_t>(b));
}
inline constexpr uint8_t kPackedOnly = static_cast<uint8_t>(BenchLayout::kPacked);
inline constexpr uint8_t kImageLayouts =
    BenchLayout::kPacked | BenchLayout::kChannelsLast | BenchLayout::kPaddedRows;
inline constexpr uint8_t kRepeated = BenchLayout::kRowRepeated | BenchLayout::kColumnRepeated;
inline constexpr uint8_t kPackedAndPermuted = BenchLayout::kPacked | BenchLayout::kPermuted;

// What a row has to reach; 0 where nothing is asked.
struct BenchTarget {
  double float32_floors = 0;       // at most so many times the copy of the same bytes
  double other_floors = 0;         // the same in FLOAT16 and in integers
  double peer_ratio = 1;           // the best peer takes at least so many times our time
  double cuda_float32_floors = 0;  // the same on a CUDA device
  double cuda_float16_floors = 0;
  double most_microseconds = 0;
};

struct BenchCase {
  Case shape;
  uint8_t layouts = kPackedOnly;
  bool core = false;        // in `make bench`; the others only in `make bench-all`
  bool every_type = false;  // of the operator's table; otherwise FLOAT32 and FLOAT16
  // Items of the first dimension do not depend on one another, so a few of them
  // can be checked alone.
  bool independent_items = false;
  // Tensors whose first dimension has the items, a bit each; none: a row for cards alone.
  uint8_t tensors_of_items = 0xFF;
  // Elements of the first input that are read at all; 0 means all of them.
  uint64_t elements_read = 0;
  BenchTarget target = {};
};

}  // namespace anydml
