// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What operators on sets of elements do with axes (kernels/reduce/sets.h).
#pragma once

#include <fmt/format.h>

#include <array>

#include "kernels/reduce/sets.h"
#include "schema/arguments.h"
#include "tensor/explain.h"

namespace anydml {

using AxisSet = std::array<bool, kMaxDimensions>;

inline AxisSet AxesOf(std::span<const uint32_t> axes) {
  AxisSet reduced = {};
  for (uint32_t axis : axes) reduced[axis] = true;
  return reduced;
}

inline Dimensions ReducedSizes(const TensorDesc& input, const AxisSet& reduced) {
  Dimensions sizes = input.sizes;
  for (uint32_t i = 0; i < input.dimension_count; ++i) {
    if (reduced[i]) sizes[i] = 1;
  }
  return sizes;
}

template <int N>
std::string ExplainSets(const reduce::Sets<N>& sets) {
  return fmt::format("{} sets of {} elements\nstrides inside of a set: {}\nstrides of the sets: {}",
                     sets.count(), sets.size(), Explain(sets.reduced, {"the input", "the output"}),
                     Explain(sets.kept, {"the input", "the output"}));
}

}  // namespace anydml
