// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Windows of three elements along each of three axes, on NVIDIA devices.
#pragma once

#include <string_view>

#include "backends/bindings.h"
#include "backends/cuda/launch.cuh"
#include "operators/max_pooling_grad/formula.h"
#include "operators/max_pooling_grad/plan.h"

namespace anydml::max_pooling_grad {

// Strides of a tensor of volumes.
struct CubeTensor {
  int64_t batch, channel, depth;
  int height, width;
};

struct CubeGrid {
  // Of the threads of a phase; each walks over a chunk of the depth.
  cuda::Divider heights, widths, chunks, channels;
  uint32_t threads;
  int chunk;
  bool channels_closest;
  int in_depth, in_height, in_width;
  int out_depth, out_height, out_width;
  int pad_depth, pad_height, pad_width;
  CubeTensor x, dy, dx, winners;
};

// Why cubes do not take a plan; empty when they do.
std::string_view RefuseCubes(const Plan& plan);
uint64_t CubeBytes(const Plan& plan);  // of temporary memory
void RunCubes(const Plan& plan, uint8_t* winners, const Bindings& bindings, cuda::Stream stream);

}  // namespace anydml::max_pooling_grad
