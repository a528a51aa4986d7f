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
  // The innermost axes that leave no gaps in the output; 0 where the innermost
  // stride is not 1.
  uint32_t block_rank;
  uint64_t input_elements;
  // Whether the input's elements fill its memory, so that their neighbours may be
  // read with them.
  bool input_is_dense;

  const Axis& inner() const { return axes[rank - 1]; }
  uint64_t RowCount() const { return Count(0, rank - 1); }
  uint64_t BlockCount() const { return Count(0, rank - block_rank); }
  uint64_t BlockSize() const { return Count(rank - block_rank, rank); }
  uint64_t ElementCount() const { return Count(0, rank); }

 private:
  uint64_t Count(uint32_t begin, uint32_t end) const {
    uint64_t count = 1;
    for (uint32_t i = begin; i < end; ++i) count *= axes[i].size;
    return count;
  }
};

Plan MakePlan(const Desc& desc);
std::string Explain(const Plan& plan);

}  // namespace anydml::slice_grad
