// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The cells of windows that do not overlap (see cells.h).
#pragma once

#include "backends/cuda/launch.cuh"
#include "kernels/window/cuda/gradient/separate_windows.h"

namespace anydml::window::gradient {

// Elements [begin, end) of a cell along one axis; `first` is its first tap, and
// the taps end before `taps_end`.
struct Cell {
  int begin, end, first, taps_end;
  __device__ int size() const { return end - begin; }
};

__device__ inline Cell CellOf(const SeparateAxis& axis, int window) {
  const int base = window * axis.stride - axis.pad;
  const int next = window + 1 == axis.output_size ? axis.input_size : base + axis.stride;
  Cell cell;
  cell.begin = min(max(base, 0), axis.input_size);
  cell.end = min(max(next, cell.begin), axis.input_size);
  cell.first = base;
  if (base < 0) {
    cell.first = axis.dilation == 1 ? 0 : (axis.dilation - 1 - (-base - 1) % axis.dilation);
  }
  cell.taps_end = min(base + axis.reach + 1, axis.input_size);
  return cell;
}

}  // namespace anydml::window::gradient
