// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Several lanes per window. They share its cell's elements in turn, and the
// winner among the lanes is the greatest key of the lowest number.
#include "operators/max_pooling_grad/separate_cells.cuh"

namespace anydml::max_pooling_grad {
namespace {

// The coordinates of every kLanes-th element of a cell.
template <int kLanes>
struct LaneWalk {
  int sizes[3], at[3], step[3];
  int number;

  __device__ LaneWalk(const Cell (&cells)[3], int lane) : number(lane) {
    for (int i = 0; i < 3; ++i) sizes[i] = cells[i].size();
    Split(lane, at);
    Split(kLanes, step);
  }
  __device__ void Split(int n, int (&to)[3]) const {
    const int width = max(sizes[2], 1);
    const int height = max(sizes[1], 1);
    to[2] = n % width;
    to[1] = n / width % height;
    to[0] = n / width / height;
  }
  __device__ void Next() {
    number += kLanes;
    at[2] += step[2];
    if (at[2] >= sizes[2]) at[2] -= sizes[2], ++at[1];
    at[1] += step[1];
    if (at[1] >= sizes[1]) at[1] -= sizes[1], ++at[0];
    at[0] += step[0];
  }
};

__device__ bool IsTap(const SeparateAxis& axis, const Cell& cell, int at) {
  return at >= cell.first && at < cell.taps_end &&
         (axis.dilation == 1 || (at - cell.first) % axis.dilation == 0);
}

// `kLanes` lanes per window.
template <typename T, int kLanes>
__global__ void __launch_bounds__(cuda::kThreadsPerBlock)
    CollectLargeCells(SeparateLoop loop, const T* x, const T* dy, T* dx) {
  const uint64_t window = cuda::ThreadNumber() / kLanes;
  const bool active = window < loop.windows;
  const int lane = static_cast<int>(threadIdx.x % kLanes);
  const WindowPlace place =
      PlaceOf(loop, active ? static_cast<uint32_t>(window) : loop.windows - 1);
  Cell cells[3];
  for (int i = 0; i < 3; ++i) cells[i] = CellOf(loop.axes[i], place.at[i]);
  const auto& [depth, height, width] = loop.axes;
  const int count = cells[0].size() * cells[1].size() * cells[2].size();
  x += place.batch * loop.x_batch + place.channel * loop.x_channel + cells[0].begin * depth.x +
       cells[1].begin * height.x + cells[2].begin * width.x;
  dx += place.batch * loop.dx_batch + place.channel * loop.dx_channel + cells[0].begin * depth.dx +
        cells[1].begin * height.dx + cells[2].begin * width.dx;
  const T gradient = dy[place.batch * loop.dy_batch + place.channel * loop.dy_channel +
                        place.at[0] * depth.dy + place.at[1] * height.dy + place.at[2] * width.dy];
  int32_t best = INT32_MIN;  // below every key
  int winner = INT32_MAX;
#pragma unroll 4
  for (LaneWalk<kLanes> walk(cells, lane); walk.number < count; walk.Next()) {
    const auto [d, h, w] = walk.at;
    if (!IsTap(depth, cells[0], cells[0].begin + d) ||
        !IsTap(height, cells[1], cells[1].begin + h) ||
        !IsTap(width, cells[2], cells[2].begin + w)) {
      continue;
    }
    const int32_t key = MaximumKey(x[d * depth.x + h * height.x + w * width.x]);
    if (key > best) {
      best = key;
      winner = walk.number;
    }
  }
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    const int32_t key = __shfl_xor_sync(0xFFFFFFFFu, best, distance);
    const int number = __shfl_xor_sync(0xFFFFFFFFu, winner, distance);
    const bool greater = key > best || (key == best && number < winner);
    best = greater ? key : best;
    winner = greater ? number : winner;
  }
  if (!active) return;
  const T value = cuda::Narrow<T>(__fadd_rn(cuda::Widen(gradient), 0.0f));
  for (LaneWalk<kLanes> walk(cells, lane); walk.number < count; walk.Next()) {
    const auto [d, h, w] = walk.at;
    dx[d * depth.dx + h * height.dx + w * width.dx] = walk.number == winner ? value : T{};
  }
}

template <typename T, int kLanes>
void LaunchLarge(const SeparateLoop& loop, const Bindings& bindings, cuda::Stream stream) {
  CollectLargeCells<T, kLanes>
      <<<cuda::BlocksFor(uint64_t{loop.windows} * kLanes), cuda::kThreadsPerBlock, 0, stream>>>(
          loop, bindings.Input<T>(0), bindings.Input<T>(1), bindings.Output<T>(0));
}

}  // namespace

void RunLargeCells(const SeparateLoop& loop, DataType data_type, int64_t elements,
                   const Bindings& bindings, cuda::Stream stream) {
  DispatchType(Types(), data_type, [&]<typename T>() {
    if (elements < 128) {
      LaunchLarge<T, 16>(loop, bindings, stream);
    } else {
      LaunchLarge<T, 32>(loop, bindings, stream);
    }
  });
}

}  // namespace anydml::max_pooling_grad
