// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Several lanes per window. They share its cell's elements in turn, and the
// winner among the lanes is the greatest key of the lowest number.
#include "kernels/window/cuda/gradient/separate_cells.cuh"
#include "kernels/window/cuda/window_keys.cuh"
#include "kernels/window/cuda/window_place.cuh"

namespace anydml::window::gradient {
namespace {

// `kLanes` lanes per window: `columns` lanes, a power of two, side by side.
template <typename T, int kLanes>
__global__ void __launch_bounds__(cuda::kThreadsPerBlock)
    CollectLargeCells(SeparateLoop loop, int columns, const T* x, const T* dy, T* dx) {
  const uint64_t window = cuda::ThreadNumber() / kLanes;
  const bool active = window < loop.windows;
  const int lane = static_cast<int>(threadIdx.x % kLanes);
  const int column = lane & (columns - 1);
  const int row = lane / columns;
  const int rows = kLanes / columns;
  const cuda::WindowPlace place = cuda::WindowPlaceOf(
      loop, loop.output_sizes, active ? static_cast<uint32_t>(window) : loop.windows - 1);
  Cell cells[3];
  for (int i = 0; i < 3; ++i) cells[i] = CellOf(loop.axes[i], place.at[i]);
  const auto& [depth, height, width] = loop.axes;
  const auto number_of = [&](int d, int h, int w) {  // within the cell
    return ((d - cells[0].begin) * cells[1].size() + h - cells[1].begin) * cells[2].size() + w -
           cells[2].begin;
  };
  x += place.batch * loop.x_batch + place.channel * loop.x_channel;
  dx += place.batch * loop.dx_batch + place.channel * loop.dx_channel;
  const T gradient = dy[place.batch * loop.dy_batch + place.channel * loop.dy_channel +
                        place.at[0] * depth.dy + place.at[1] * height.dy + place.at[2] * width.dy];
  int32_t best = INT32_MIN;  // below every key
  int winner = INT32_MAX;
  for (int d = cells[0].first; d < cells[0].taps_end; d += depth.dilation) {
#pragma unroll 4
    for (int h = cells[1].first + row * height.dilation; h < cells[1].taps_end;
         h += rows * height.dilation) {
      for (int w = cells[2].first + column * width.dilation; w < cells[2].taps_end;
           w += columns * width.dilation) {
        const int32_t key = cuda::KeyOf(x[d * depth.x + h * height.x + w * width.x]);
        winner = key > best ? number_of(d, h, w) : winner;
        best = max(key, best);
      }
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
  for (int d = cells[0].begin; d < cells[0].end; ++d) {
    for (int h = cells[1].begin + row; h < cells[1].end; h += rows) {
      for (int w = cells[2].begin + column; w < cells[2].end; w += columns) {
        const bool won = number_of(d, h, w) == winner;
        dx[d * depth.dx + h * height.dx + w * width.dx] = won ? value : T{};
      }
    }
  }
}

template <typename T, int kLanes>
void LaunchLarge(const SeparateLoop& loop, int64_t columns, const Bindings& bindings,
                 cuda::Stream stream) {
  const auto lanes = std::bit_ceil(static_cast<uint64_t>(std::min<int64_t>(columns, kLanes)));
  CollectLargeCells<T, kLanes>
      <<<cuda::BlocksFor(uint64_t{loop.windows} * kLanes), cuda::kThreadsPerBlock, 0, stream>>>(
          loop, static_cast<int>(lanes), bindings.Input<T>(0), bindings.Input<T>(1),
          bindings.Output<T>(0));
}

}  // namespace

void RunLargeCells(const SeparateLoop& loop, DataType data_type, const LargestCell& cell,
                   const Bindings& bindings, cuda::Stream stream) {
  DispatchType(Types(), data_type, [&]<typename T>() {
    if (cell.elements < 128) {
      LaunchLarge<T, 16>(loop, cell.columns, bindings, stream);
    } else {
      LaunchLarge<T, 32>(loop, cell.columns, bindings, stream);
    }
  });
}

}  // namespace anydml::window::gradient
