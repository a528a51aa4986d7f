// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The cells of windows that do not overlap (see cells.h), and who takes which.
#pragma once

#include "backends/cuda/launch.cuh"
#include "operators/max_pooling_grad/separate_windows.h"

namespace anydml::max_pooling_grad {

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

// Where a window is.
struct WindowPlace {
  uint32_t batch, channel;
  int at[3];
};

__device__ inline WindowPlace PlaceOf(const SeparateLoop& loop, uint32_t number) {
  WindowPlace place;
  if (loop.channels_closest) {
    place.channel = number;
    number = loop.channels.Split(place.channel);
  }
  for (int i = 2; i >= 0; --i) {
    uint32_t at = number;
    number = loop.output_sizes[i].Split(at);
    place.at[i] = static_cast<int>(at);
  }
  if (loop.channels_closest) {
    place.batch = number;
  } else {
    place.channel = number;
    place.batch = loop.channels.Split(place.channel);
  }
  return place;
}

}  // namespace anydml::max_pooling_grad
