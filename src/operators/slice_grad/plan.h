// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Plan of SLICE_GRAD: the axes of the output gradient, each with the elements of
// the input gradient that land on it. Knows nothing of threads or vectors.
#pragma once

#include <array>

#include "operators/slice_grad/desc.h"
#include "operators/slice_grad/formula.h"

namespace anydml::slice_grad {

struct Plan {
  uint32_t element_size;
  int64_t input_start;  // element offset of the element that has q = 0 on every axis
  uint32_t rank;        // at least 1
  std::array<Axis, kMaxDimensions> axes;  // in the output's order of memory, outermost first

  const Axis& inner() const { return axes[rank - 1]; }
  uint64_t RowCount() const {
    uint64_t rows = 1;
    for (uint32_t i = 0; i + 1 < rank; ++i) rows *= axes[i].size;
    return rows;
  }
};

Plan MakePlan(const Desc& desc);
std::string Explain(const Plan& plan);

}  // namespace anydml::slice_grad
