// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One row of OutputTensor and of the indices, and the walk over all of them.
// Shared by the CPU strategies.
#pragma once

#include "backends/bindings.h"
#include "kernels/window/cpu/pieces.h"
#include "kernels/window/maximum.h"
#include "kernels/window/plan.h"

namespace anydml::window::maxima {

template <typename T>
struct OutputRowOf {
  const Plan& plan;
  const T* plane;        // of the input
  uint64_t plane_start;  // the logical index of its first element
  T* output;
  uint64_t* indices64 = nullptr;  // at most one of the two is there
  uint32_t* indices32 = nullptr;
  Progression depth;   // taps
  Progression height;  // taps

  OutputRowOf(const Plan& the_plan, const Bindings& bindings, int64_t number) : plan(the_plan) {
    const WindowLoop& loop = plan.loop;
    const WindowRow row = OutputRow(loop, number);
    const auto offset = [&](const PlaneStrides& strides) {
      return strides.PlaneOffset(loop, row.plane) + row.depth * strides.spatial[0] +
             row.height * strides.spatial[1];
    };
    plane = bindings.Input<T>(0) + plan.input.PlaneOffset(loop, row.plane);
    plane_start = static_cast<uint64_t>(row.plane * loop.InputPlaneSize());
    output = bindings.Output<T>(0) + offset(plan.output);
    if (plan.index_type == DataType::kUint64) {
      indices64 = bindings.Output<uint64_t>(1) + offset(plan.indices);
    } else if (plan.index_type == DataType::kUint32) {
      indices32 = bindings.Output<uint32_t>(1) + offset(plan.indices);
    }
    depth = TapsOf(loop.axes[WindowLoop::kDepth], row.depth);
    height = TapsOf(loop.axes[WindowLoop::kHeight], row.height);
  }

  void PutIndex(int64_t o, const Winner& winner) const {
    const int64_t at = o * plan.indices.spatial[WindowLoop::kWidth];
    if (indices64 != nullptr) indices64[at] = IndexOf<uint64_t>(plane_start, winner);
    if (indices32 != nullptr) indices32[at] = IndexOf<uint32_t>(plane_start, winner);
  }

  void Put(int64_t o, const Winner& winner) const {
    output[o * plan.output.spatial[WindowLoop::kWidth]] = MaximumOf(plane, winner);
    PutIndex(o, winner);
  }

  void PutEach(int64_t first, int64_t count) const {
    const WindowAxis& width = plan.loop.axes[WindowLoop::kWidth];
    for (int64_t o = first; o < first + count; ++o) {
      Put(o, FindWinner(plane, plan.input, plan.loop, {depth, height, TapsOf(width, o)}));
    }
  }
};

// Calls body(row, first, count) for pieces of rows that cover OutputTensor.
template <typename T, typename Body>
void ForEachOutputRow(const Plan& plan, const Bindings& bindings, const cpu::Executor& executor,
                      const Body& body) {
  cpu::ForEachPiece(plan.loop.PlaneCount() * plan.loop.OutputRowsPerPlane(),
                    plan.loop.axes[WindowLoop::kWidth].output_size, plan.loop.MostTaps(), executor,
                    [&](int64_t number, int64_t first, int64_t count) {
                      body(OutputRowOf<T>(plan, bindings, number), first, count);
                    });
}

}  // namespace anydml::window::maxima
