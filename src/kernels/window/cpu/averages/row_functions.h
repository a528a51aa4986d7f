// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What is done to whole rows of elements that lie side by side, of the instruction set in use.
#pragma once

#include <bit>
#include <cstdint>

#include "base/float16.h"

namespace anydml::window::average {

// By what sums are divided: widths[i] * others, or `others` without widths, or nothing where
// that is 0; or the root that is taken of them.
struct Divisors {
  const float* widths = nullptr;
  float others = 0;
  uint32_t root = 0;  // its degree; 0: none

  // 1 / others where that is exact, so that a product with it is the quotient; 0 elsewhere.
  float ExactReciprocal() const {
    const uint32_t bits = std::bit_cast<uint32_t>(others);
    const bool is_power_of_two = widths == nullptr && (bits & 0x7FFFFF) == 0 && others != 0;
    return is_power_of_two ? 1 / others : 0;
  }
};

struct RowFunctions {
  // to[i] = (+0 + rows[0][from + i] + rows[1][from + i] ...) divided; by non-temporal stores
  // where `stream` says so, which wants whole vectors.
  template <typename From, typename To>
  using Sum = void (*)(const From* const* rows, int64_t row_count, int64_t from, int64_t count,
                       const Divisors& divisors, To* to, bool stream);
  // Element i goes to phases[i % stride][i / stride], or comes from there.
  template <typename T>
  using Split = void (*)(const T* from, int64_t count, int64_t stride, float* const* phases);
  template <typename T>
  using Merge = void (*)(const float* const* phases, int64_t stride, int64_t count, T* to,
                         bool stream);

  // Rows and widths are buffers of ours: what follows them may be read, up to a vector.
  Sum<float, float> sum_floats;
  Sum<float, Float16> sum_to_halves;
  // Rows of the caller's.
  Sum<float, float> divide_floats;
  Sum<Float16, float> divide_halves;
  Sum<Float16, Float16> average_halves;
  Split<float> split_floats;
  Split<Float16> split_halves;
  Merge<float> merge_floats;
  Merge<Float16> merge_halves;
  // powers[i] = |row[i]|^p; may be in place.
  void (*power_floats)(const float* row, int64_t count, uint32_t p, float* powers);
  void (*power_halves)(const Float16* row, int64_t count, uint32_t p, float* powers);
  // Adds `count` terms to the slots of a block: term i to slot i % 128.
  void (*add_floats)(const float* terms, int64_t count, float* slots);
  void (*add_halves)(const Float16* terms, int64_t count, float* slots);
};

const RowFunctions& ChooseRowFunctions();

}  // namespace anydml::window::average
