// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of an element-wise operator: the formula, its numbers, and one walk over all
// tensors. Knows nothing of threads or vectors.
#pragma once

#include <string_view>
#include <utility>

#include "kernels/elementwise/formula.h"
#include "tensor/strided_loop.h"

namespace anydml::elementwise {

inline constexpr int kMaxInputs = 4;
inline constexpr int kOutput = kMaxInputs;  // the slot of the output in a loop
inline constexpr int kMaxTensors = kMaxInputs + 1;

// Slots that the operator has no input for repeat the output's strides, so that they
// change nothing about how dimensions are merged or cut.
using Loop = StridedLoop<kMaxTensors>;

// The types of all tensors, inputs first: what selects a kernel of a formula.
using TypeKey = uint32_t;
static_assert(kDataTypeCount <= 16 && kMaxTensors * 4 <= 32);

constexpr TypeKey AppendType(TypeKey key, DataType type) {
  return key << 4 | static_cast<TypeKey>(type);
}
template <typename... Ts>
constexpr TypeKey KeyOf() {
  TypeKey key = 0;
  ((key = AppendType(key, kDataTypeOf<Ts>)), ...);
  return key;
}

template <typename T, size_t>
using Repeated = T;

// The key of `inputs` inputs and an output of one type.
template <typename T, int kInputs>
constexpr TypeKey KeyOfAlike() {
  return []<size_t... k>(std::index_sequence<k...>) { return KeyOf<Repeated<T, k>...>(); }
  (std::make_index_sequence<kInputs + 1>());
}

template <size_t kSize>
struct UintOfSize;
template <>
struct UintOfSize<1> {
  using type = uint8_t;
};
template <>
struct UintOfSize<2> {
  using type = uint16_t;
};
template <>
struct UintOfSize<4> {
  using type = uint32_t;
};
template <>
struct UintOfSize<8> {
  using type = uint64_t;
};
// The integer that moves the bits of a T.
template <typename T>
using BitsOf = typename UintOfSize<sizeof(T)>::type;

// What a formula of different types sees of an element: its bits, if the formula says so.
template <class F, typename T>
using SeenBy = std::conditional_t<F::kSeesBits, BitsOf<T>, T>;

struct Plan {
  Formula formula;
  int inputs;
  TypeKey types;
  std::array<uint8_t, kMaxTensors> element_sizes = {};
  std::array<std::string_view, kMaxTensors> names = {};  // of the fields
  Loop loop = {};
  Attributes attributes = {};
  // Applied to the first input before the formula.
  bool scaled = false;
  TypeKey scaled_type = 0;
  Attributes scale_bias = {};
};

}  // namespace anydml::elementwise
