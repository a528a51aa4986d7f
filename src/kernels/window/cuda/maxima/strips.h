// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Strips of maxima: where each thread works.
#pragma once

#include "backends/bindings.h"
#include "kernels/window/cuda/strip_order.cuh"
#include "kernels/window/plan.h"

namespace anydml::window::maxima {

// Strips of OutputTensor.
struct StripGrid : cuda::StripOrder {
  uint32_t strips;
  int rows;
  int height, width;          // of InputTensor
  int out_height, out_width;  // of OutputTensor
  int pad_height, pad_width;
  cuda::RowTensor x, y, indices;
  DataType index_type;  // unknown without indices
};

// Sizes of the window, the same along both axes.
struct StripWindow {
  int size, stride;
  bool operator==(const StripWindow&) const = default;
};

template <typename T>
void LaunchStrips(const StripGrid& grid, const StripWindow& window, cuda::RowAccess access,
                  const Bindings& bindings, cuda::Stream stream);
extern template void LaunchStrips<float>(const StripGrid&, const StripWindow&, cuda::RowAccess,
                                         const Bindings&, cuda::Stream);
extern template void LaunchStrips<Float16>(const StripGrid&, const StripWindow&, cuda::RowAccess,
                                           const Bindings&, cuda::Stream);

}  // namespace anydml::window::maxima
