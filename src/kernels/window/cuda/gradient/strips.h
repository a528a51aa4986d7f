// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Strips of the gradient of a maximum: where each thread works.
#pragma once

#include "backends/bindings.h"
#include "kernels/window/cuda/strip_order.cuh"
#include "kernels/window/gradient.h"
#include "kernels/window/plan.h"

namespace anydml::window::gradient {

using Access = cuda::RowAccess;

// Strips of OutputGradientTensor.
struct StripGrid : cuda::StripOrder {
  uint32_t strips_per_chunk;  // of all planes
  uint32_t strips;
  int rows;
  int iterations;
  int height, width;          // of InputTensor
  int out_height, out_width;  // of InputGradientTensor
  int pad_height, pad_width;
  int first_window_row, first_window;  // that sees row 0, column 0 (may be below 0)
  cuda::RowTensor x, dy, dx;
};

// Sizes of the window, the same along both axes.
struct StripWindow {
  int size, stride, dilation;
  bool operator==(const StripWindow&) const = default;
};

// Where channels of FLOAT16 lie side by side, two at a time. False where there is
// no such kernel; nothing is launched then.
bool LaunchChannelStrips(const Plan& plan, const StripGrid& strip, const StripWindow& window,
                         const Bindings& bindings, cuda::Stream stream);

template <typename T>
void LaunchStrips(const StripGrid& grid, const StripWindow& window, Access access,
                  const Bindings& bindings, cuda::Stream stream);
extern template void LaunchStrips<float>(const StripGrid&, const StripWindow&, Access,
                                         const Bindings&, cuda::Stream);
extern template void LaunchStrips<Float16>(const StripGrid&, const StripWindow&, Access,
                                           const Bindings&, cuda::Stream);

}  // namespace anydml::window::gradient
