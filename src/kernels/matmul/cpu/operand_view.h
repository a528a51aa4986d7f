// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One operand of a class and a batch, as it is packed: which of its elements follow one another.
#pragma once

#include "kernels/matmul/products.h"

namespace anydml::cpu {

struct OperandView {
  // What is loaded as vectors, at a step of one or two elements.
  enum class Runs : uint8_t {
    kIndices,  // neighbours along the fastest index axis
    kDepth,    // neighbours along one axis of the depth; they are transposed
    kNone,
  };

  int64_t start = 0;
  std::array<uint64_t, kProductAxes> index_sizes = {};
  std::array<int64_t, kProductAxes> index_steps = {};
  std::array<uint64_t, kProductAxes> depth_sizes = {};
  std::array<int64_t, kProductAxes> depth_steps = {};
  Products::Order order = {0, 1, 2, 3};  // of the index axes, the last one fastest
  bool is_image = false;                 // elements beyond the positions are +0
  size_t first_border = kSpatialAxes;    // axes before it have nothing beyond
  std::array<Positions, kSpatialAxes> positions = {};
  Runs runs = Runs::kNone;
  size_t run_axis = 0;  // of the depth: the first or the last one
  int64_t run_step = 1;

  // Terms of the axes behind the first one.
  uint64_t Taps() const { return depth_sizes[1] * depth_sizes[2] * depth_sizes[3]; }
};

// `batch`: number of the batch. With `of_rows` the rows' operand, else the columns'. Neighbours
// along an index axis, `long_run` or more, need not be more than those along the depth.
OperandView ViewOf(const Products& products, bool of_rows, uint64_t batch, uint64_t long_run);

}  // namespace anydml::cpu
