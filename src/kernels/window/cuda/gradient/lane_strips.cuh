// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// As in strips.cuh a lane walks down 16 bytes of columns and adds gradients to
// slots of its own in shared memory. But it finds the winners of its own windows
// only: taps beside its columns, and winners and gradients of windows beside its
// own, come from its neighbours by shuffles. Rows arrive through a ring of
// asynchronous copies that is the lane's own too, so there are no barriers.
#pragma once

#include <cuda_pipeline.h>

#include "kernels/window/cuda/gradient/lane_slots.cuh"

namespace anydml::window::gradient {

// A tap in a neighbour's column, kDelta = 1 on the left and -1 on the right. Where
// there is no neighbour it is below everything. `place` is the own one.
template <typename T, typename Slots, int kDelta>
__device__ inline cuda::Maximum<T> TapOfNeighbour(const cuda::Maximum<T>& own, bool there,
                                                  uint32_t place) {
  const auto shuffle = [](auto value) {
    return kDelta > 0 ? __shfl_up_sync(0xFFFFFFFFu, value, 1)
                      : __shfl_down_sync(0xFFFFFFFFu, value, 1);
  };
  if constexpr (sizeof(T) == 2) {
    const uint32_t word = shuffle(own.word) + static_cast<uint32_t>(kDelta * Slots::kLaneStep);
    return {there ? word : 0};
  } else {
    const int32_t key = shuffle(own.key);
    return {there ? key : INT32_MIN, place};
  }
}

// Copies of rows of taps and of gradients, three iterations of them.
template <typename Shape, typename T, int kStride>
struct LaneRing {
  using Gradients = cuda::Pack<T, Shape::kOwn>;
  uint4 (&taps)[Shape::kStages][kStride][Shape::kThreads];
  uint4 (&gradients)[(Shape::kStages * Shape::kThreads + kStride - 1) / kStride];

  __device__ Gradients* GradientsOf(int stage) const {
    return reinterpret_cast<Gradients*>(gradients) + stage * Shape::kThreads + threadIdx.x;
  }
};

// The rows and windows that a strip walks over.
struct LaneWalk {
  int window_row, row;  // of iteration 0
  int height, out_height, iterations;

  __device__ LaneWalk(const StripGrid& grid, int first_row, int stride)
      : window_row(first_row / stride + grid.first_window_row),
        row(window_row * stride - grid.pad_height),
        height(grid.height),
        out_height(grid.out_height),
        iterations(grid.iterations) {}
  __device__ bool HasRow(int number) const {
    return number >= row && number >= 0 && number < height;
  }
  __device__ bool HasWindows(int iteration) const {
    return iteration >= 0 && window_row + iteration >= 0 && window_row + iteration < out_height;
  }
};

template <typename Shape, typename T, int kStride>
__device__ inline void StartCopies(const LaneRing<Shape, T, kStride>& ring, const LaneGrid& grid,
                                   const LaneWalk& walk, const LanePlace<T>& place, int iteration,
                                   int stage) {
  if (iteration < walk.iterations && place.loads) {
#pragma unroll
    for (int s = 0; s < kStride; ++s) {
      const int row = walk.row + iteration * kStride + Shape::kLiveRows - kStride + s;
      if (walk.HasRow(row)) {
        __pipeline_memcpy_async(&ring.taps[stage][s][threadIdx.x],
                                place.x + row * grid.strip.x.row + place.column, 16);
      }
    }
    if (walk.HasWindows(iteration)) {
      __pipeline_memcpy_async(
          ring.GradientsOf(stage),
          place.dy + (walk.window_row + iteration) * grid.strip.dy.row + place.column / kStride,
          16 / kStride);
    }
  }
  __pipeline_commit();
}

// The taps of a row, with those of the neighbours.
template <typename Shape, typename Slots, typename T>
__device__ inline void TapsOfRow(const uint4& words, const LanePlace<T>& place,
                                 uint32_t first_place, cuda::Maximum<T> (&taps)[Shape::kTaps]) {
  constexpr int kColumns = Shape::kColumns;
  constexpr int kStep = Slots::kPlaceStep;
  const cuda::TapKeys<T, kColumns> keys(0, kColumns);
  cuda::Maximum<T> own[kColumns];
  keys.template Maxima<kStep>(std::bit_cast<cuda::Words<T, kColumns>>(words), first_place, own);
  for (int i = 0; i < kColumns; ++i) taps[Shape::kLeftTaps + i] = own[i];
  for (int i = 0; i < Shape::kLeftTaps; ++i) {
    const int back = Shape::kLeftTaps - i;
    taps[i] =
        TapOfNeighbour<T, Slots, 1>(own[kColumns - back], place.left, first_place + back * kStep);
  }
  for (int i = 0; i < Shape::kRightTaps; ++i) {
    taps[Shape::kLeftTaps + kColumns + i] =
        TapOfNeighbour<T, Slots, -1>(own[i], place.right, first_place - (kColumns + i) * kStep);
  }
}

// Adds the gradients of a row of windows, ascending.
template <typename Shape, typename T, typename Slots>
__device__ inline void HandOut(const cuda::Maximum<T> (&winners)[Shape::kOwn],
                               const float (&gradients)[Shape::kOwn], const LanePlace<T>& place,
                               const Slots& slots) {
  const auto place_of = [](const cuda::Maximum<T>& winner) {
    if constexpr (sizeof(T) == 2) return winner.word;
    if constexpr (sizeof(T) == 4) return winner.number;
  };
#pragma unroll
  for (int i = 0; i < Shape::kLeftWindows; ++i) {
    const int w = Shape::kOwn - Shape::kLeftWindows + i;
    const float gradient = __shfl_up_sync(0xFFFFFFFFu, gradients[w], 1);
    const uint32_t winner = __shfl_up_sync(0xFFFFFFFFu, place_of(winners[w]), 1);
    slots.AddIf(place.left, winner + Slots::kLaneStep, gradient);
  }
#pragma unroll
  for (int w = 0; w < Shape::kOwn; ++w) slots.Add(place_of(winners[w]), gradients[w]);
#pragma unroll
  for (int w = 0; w < Shape::kRightWindows; ++w) {
    const float gradient = __shfl_down_sync(0xFFFFFFFFu, gradients[w], 1);
    const uint32_t winner = __shfl_down_sync(0xFFFFFFFFu, place_of(winners[w]), 1);
    slots.AddIf(place.right, winner - Slots::kLaneStep, gradient);
  }
}

// All that decides the way is the same in a whole warp.
template <typename T, int kSize, int kStride, int kDilation, int kPad>
__global__ void __launch_bounds__(LaneShape<T, kSize, kStride, kDilation, kPad>::kThreads,
                                  LaneShape<T, kSize, kStride, kDilation, kPad>::kMinBlocks)
    WalkLanes(LaneGrid grid, const T* x, const T* dy, T* dx) {
  using Shape = LaneShape<T, kSize, kStride, kDilation, kPad>;
  using Slots = LaneSlots<Shape, T>;
  using Ring = LaneRing<Shape, T, kStride>;
  constexpr int kLive = Shape::kLiveRows;
  __shared__ float slot_memory[Shape::kSlots * Shape::kThreads];
  __shared__ uint4 tap_memory[Shape::kStages][kStride][Shape::kThreads];
  __shared__ uint4 gradient_memory[(Shape::kStages * Shape::kThreads + kStride - 1) / kStride];
  const Ring ring{tap_memory, gradient_memory};
  const Slots slots(slot_memory);
  const auto warp = static_cast<uint32_t>(cuda::ThreadNumber() / 32);
  if (warp >= grid.warps) return;
  const LanePlace<T> place = PlaceOf(grid, warp, x, dy, dx);
  const LaneWalk walk(grid.strip, place.row, kStride);

  cuda::Maximum<T> maxima[kLive][Shape::kOwn] = {};
  for (int i = 0; i < Shape::kStages - 1; ++i) {
    StartCopies(ring, grid, walk, place, i - Shape::kWarmUp, i);
  }
#pragma unroll 1
  for (int begin = -Shape::kWarmUp; begin < walk.iterations; begin += Shape::kUnroll) {
#pragma unroll
    for (int u = 0; u < Shape::kUnroll; ++u) {
      const int iteration = begin + u;
      if (iteration >= walk.iterations) break;
      const int stage = Shape::kUnroll % Shape::kStages == 0
                            ? u % Shape::kStages
                            : (iteration + Shape::kWarmUp) % Shape::kStages;
      __pipeline_wait_prior(Shape::kStages - 2);
      cuda::DropRows<kStride>(maxima);
#pragma unroll
      for (int s = 0; s < kStride; ++s) {
        const int number = (iteration + Shape::kWarmUp) * kStride + s;
        const int known = u * kStride + s;
        auto& row_maxima = maxima[kLive - kStride + s];
        for (int w = 0; w < Shape::kOwn; ++w) row_maxima[w] = {};
        if (walk.HasRow(walk.row + iteration * kStride + kLive - kStride + s)) {
          cuda::Maximum<T> taps[Shape::kTaps];
          TapsOfRow<Shape, Slots>(tap_memory[stage][s][threadIdx.x], place,
                                  Slots::FirstPlace(number, known), taps);
          cuda::MaximaOfRow<kSize, kStride, kDilation, Shape::kOwn>(taps, row_maxima);
        }
        for (int i = 0; i < Shape::kColumns; ++i) slots.At(number, known, Shape::kLead + i) = 0;
      }
      const auto words = std::bit_cast<cuda::Words<T, Shape::kOwn>>(*ring.GradientsOf(stage));
      StartCopies(ring, grid, walk, place, iteration + Shape::kStages - 1,
                  (stage + Shape::kStages - 1) % Shape::kStages);
      if (iteration < 0) continue;
      if (walk.HasWindows(iteration)) {
        cuda::Maximum<T> winners[Shape::kOwn];
        float gradients[Shape::kOwn];
        for (int w = 0; w < Shape::kOwn; ++w) {
          winners[w] = cuda::GreatestOfColumn<kSize, kDilation>(maxima, w);
          gradients[w] = cuda::FloatAt(words, w);
        }
        HandOut<Shape>(winners, gradients, place, slots);
      }
#pragma unroll
      for (int s = 0; s < kStride; ++s) {
        const int row = walk.row + iteration * kStride + s;
        const int back = s - (kLive - kStride);
        if (!place.stores || row < place.row || row >= place.row + grid.strip.rows ||
            row >= walk.height) {
          continue;
        }
        cuda::Pack<T> pack;
        for (int i = 0; i < Shape::kColumns; ++i) {
          pack.values[i] = cuda::Narrow<T>(slots.At((iteration + Shape::kWarmUp) * kStride + back,
                                                    u * kStride + back, Shape::kLead + i));
        }
        cuda::StorePack(pack, place.dx + row * grid.strip.dx.row + place.column);
      }
    }
  }
}

}  // namespace anydml::window::gradient
