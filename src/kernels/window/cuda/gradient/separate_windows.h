// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Windows that do not overlap, on NVIDIA devices. They cut the input into cells,
// one per window: a cell is read and written by those who find its
// window's winner, in one launch.
#pragma once

#include "backends/bindings.h"
#include "backends/cuda/launch.cuh"
#include "kernels/window/gradient.h"
#include "kernels/window/plan.h"

namespace anydml::window::gradient {

struct SeparateAxis {
  int input_size, output_size, stride, dilation, pad, reach;
  int64_t x, dy, dx;  // strides
};

struct SeparateLoop {
  SeparateAxis axes[3];  // depth, height, width
  cuda::Divider output_sizes[3];
  cuda::Divider channels;  // packs of them
  bool channels_closest;
  uint32_t windows;  // times packs of channels
  int64_t x_batch, x_channel, dy_batch, dy_channel, dx_batch, dx_channel;
};

// Several lanes per window.
struct LargestCell {
  int64_t elements, columns;
};
void RunLargeCells(const SeparateLoop& loop, DataType data_type, const LargestCell& cell,
                   const Bindings& bindings, cuda::Stream stream);

}  // namespace anydml::window::gradient
