// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Windows that do not overlap, on NVIDIA devices. They cut the input into cells,
// one per window (see cells.h): a cell is read and written by those who find its
// window's winner, in one launch.
#pragma once

#include <string_view>

#include "backends/bindings.h"
#include "backends/cuda/launch.cuh"
#include "operators/max_pooling_grad/formula.h"
#include "operators/max_pooling_grad/plan.h"

namespace anydml::max_pooling_grad {

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

// Channels lie side by side: a thread takes a pack of channels of one window.
std::string_view RefuseSeparateChannels(const Plan& plan);
void RunSeparateChannels(const Plan& plan, const Bindings& bindings, cuda::Stream stream);

// Any strides: a thread takes a window, or several lanes take it if it is large.
std::string_view RefuseSeparateWindows(const Plan& plan);
void RunSeparateWindows(const Plan& plan, const Bindings& bindings, cuda::Stream stream);

// Several lanes per window.
struct LargestCell {
  int64_t elements, columns;
};
void RunLargeCells(const SeparateLoop& loop, DataType data_type, const LargestCell& cell,
                   const Bindings& bindings, cuda::Stream stream);

// One window sees the whole plane, and planes lie side by side: a block takes some.
std::string_view RefuseOneWindow(const Plan& plan);
void RunOneWindow(const Plan& plan, const Bindings& bindings, cuda::Stream stream);

}  // namespace anydml::max_pooling_grad
