// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The two phases of the README, each with threads that walk along the depth: a
// slice of a window, or a slice of windows over an element, is looked at once.
// Winners are bytes: 26 minus the number of the tap in logical order.
#include "backends/cuda/launch.cuh"
#include "kernels/window/cuda/gradient/strategies.h"
#include "kernels/window/cuda/window_keys.cuh"
#include "kernels/window/gradient.h"

namespace anydml::window::gradient {
namespace {

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

constexpr int kSize = 3;
constexpr int kSlice = kSize * kSize;  // taps of a window

struct CubePlace {
  uint32_t batch, channel;
  int depth, height, width;
};

__device__ CubePlace PlaceOf(const CubeGrid& grid, uint32_t number) {
  uint32_t channel = 0;
  if (grid.channels_closest) {
    channel = number;
    number = grid.channels.Split(channel);
  }
  uint32_t width = number;
  uint32_t height = grid.widths.Split(width);
  uint32_t chunk = grid.heights.Split(height);
  uint32_t batch = grid.chunks.Split(chunk);
  if (!grid.channels_closest) {
    channel = batch;
    batch = grid.channels.Split(channel);
  }
  return {batch, channel, static_cast<int>(chunk) * grid.chunk, static_cast<int>(height),
          static_cast<int>(width)};
}

template <typename T>
__device__ T* PlaneOf(const CubeTensor& tensor, const CubePlace& place, T* data) {
  return data + place.batch * tensor.batch + place.channel * tensor.channel;
}

template <typename T>
__device__ cuda::Maximum<T> TapOf(const T& value, uint32_t place) {
  if constexpr (sizeof(T) == 2) {
    return {cuda::KeysOf(value.bits) << 16 | place};
  } else {
    return {cuda::KeyOf(__float_as_uint(value)), place};
  }
}

// The maximum at the same place in a slice that lies `slices` before the last.
template <typename T>
__device__ cuda::Maximum<T> Earlier(cuda::Maximum<T> maximum, int slices) {
  if constexpr (sizeof(T) == 2) maximum.word += slices * kSlice;
  if constexpr (sizeof(T) == 4) maximum.number += slices * kSlice;
  return maximum;
}

// The taps of a window in one slice. A tap in padding is replaced by its
// neighbour in the window, together with its place: seen twice, it wins once.
struct SliceTaps {
  int offsets[kSlice];
  uint32_t places[kSlice];

  __device__ SliceTaps(const CubeGrid& grid, int first_height, int first_width) {
    for (int i = 0; i < kSlice; ++i) {
      const int height = min(max(first_height + i / kSize, 0), grid.in_height - 1);
      const int width = min(max(first_width + i % kSize, 0), grid.in_width - 1);
      offsets[i] = height * grid.x.height + width * grid.x.width;
      places[i] = kSlice - 1 - ((height - first_height) * kSize + width - first_width);
    }
  }

  template <typename T>
  __device__ cuda::Maximum<T> MaximumOf(const T* slice) const {
    T values[kSlice];
    for (int i = 0; i < kSlice; ++i) values[i] = slice[offsets[i]];
    cuda::Maximum<T> maximum = TapOf(values[0], places[0]);
    for (int i = 1; i < kSlice; ++i) {
      maximum = cuda::Greater(maximum, TapOf(values[i], places[i]));
    }
    return maximum;
  }
};

// One column of windows per thread.
template <typename T, int kStride>
__global__ void __launch_bounds__(cuda::kThreadsPerBlock)
    FindCubeWinners(CubeGrid grid, const T* x, uint8_t* winners) {
  const uint64_t number = cuda::ThreadNumber();
  if (number >= grid.threads) return;
  const CubePlace place = PlaceOf(grid, static_cast<uint32_t>(number));
  const SliceTaps taps(grid, place.height * kStride - grid.pad_height,
                       place.width * kStride - grid.pad_width);
  x = PlaneOf(grid.x, place, x);
  winners = PlaneOf(grid.winners, place, winners) + place.height * grid.winners.height +
            place.width * grid.winners.width;
  const auto slice = [&](int depth) -> cuda::Maximum<T> {
    if (depth < 0 || depth >= grid.in_depth) return {};
    return taps.MaximumOf(x + depth * grid.x.depth);
  };
  const int end = min(place.depth + grid.chunk, grid.out_depth);
  int depth = place.depth * kStride - grid.pad_depth;
  cuda::Maximum<T> first = slice(depth);
  cuda::Maximum<T> second = kStride == 1 ? slice(depth + 1) : first;
  for (int window = place.depth; window < end; ++window, depth += kStride) {
    if constexpr (kStride == 2) second = slice(depth + 1);
    const cuda::Maximum<T> third = slice(depth + 2);
    const cuda::Maximum<T> winner = cuda::Greatest(Earlier(first, 2), Earlier(second, 1), third);
    winners[window * grid.winners.depth] = static_cast<uint8_t>(winner.place());
    first = kStride == 1 ? second : third;
    second = third;
  }
}

// The windows of a slice that see an element; those that are not there have a
// place that no winner has.
template <int kStride>
struct SliceWindows {
  static constexpr int kMax = (kSize - 1) / kStride + 1;  // along an axis
  int winners[kMax * kMax];
  int gradients[kMax * kMax];
  int places[kMax * kMax];

  __device__ SliceWindows(const CubeGrid& grid, int height, int width) {
    const int last_height = (height + grid.pad_height) / kStride;
    const int last_width = (width + grid.pad_width) / kStride;
    for (int i = 0; i < kMax * kMax; ++i) {
      const int h = last_height - (kMax - 1) + i / kMax;
      const int w = last_width - (kMax - 1) + i % kMax;
      const int tap_h = height + grid.pad_height - h * kStride;
      const int tap_w = width + grid.pad_width - w * kStride;
      const bool there = h >= 0 && h < grid.out_height && w >= 0 && w < grid.out_width &&
                         tap_h < kSize && tap_w < kSize;
      winners[i] = there ? h * grid.winners.height + w * grid.winners.width : 0;
      gradients[i] = there ? h * grid.dy.height + w * grid.dy.width : 0;
      places[i] = there ? kSlice - 1 - (tap_h * kSize + tap_w) : -1000;
    }
  }

  // Adds to the sums of the three slices that the windows see.
  template <typename T>
  __device__ void Add(const uint8_t* winner, const T* dy, float (&sums)[kSize]) const {
    int found[kMax * kMax];
    for (int i = 0; i < kMax * kMax; ++i) found[i] = winner[winners[i]];
    for (int i = 0; i < kMax * kMax; ++i) {
      const float gradient = cuda::Widen(dy[gradients[i]]);
      const int behind = found[i] - places[i];
      if (behind == 2 * kSlice) sums[0] = __fadd_rn(sums[0], gradient);
      if (behind == kSlice) sums[1] = __fadd_rn(sums[1], gradient);
      if (behind == 0) sums[2] = __fadd_rn(sums[2], gradient);
    }
  }
};

// One column of elements per thread.
template <typename T, int kStride>
__global__ void __launch_bounds__(cuda::kThreadsPerBlock)
    CollectCubes(CubeGrid grid, const uint8_t* winners, const T* dy, T* dx) {
  const uint64_t number = cuda::ThreadNumber();
  if (number >= grid.threads) return;
  const CubePlace place = PlaceOf(grid, static_cast<uint32_t>(number));
  const SliceWindows<kStride> windows(grid, place.height, place.width);
  winners = PlaneOf(grid.winners, place, winners);
  dy = PlaneOf(grid.dy, place, dy);
  dx = PlaneOf(grid.dx, place, dx) + place.height * grid.dx.height + place.width * grid.dx.width;
  const int end = min(place.depth + grid.chunk, grid.in_depth);
  // The first window that reaches this far.
  const int excess = place.depth + grid.pad_depth - (kSize - 1);
  int window = excess > 0 ? (excess + kStride - 1) / kStride : 0;
  float sums[kSize] = {};
  for (int depth = window * kStride - grid.pad_depth; depth < end; depth += kStride, ++window) {
    if (window < grid.out_depth) {
      windows.Add(winners + window * grid.winners.depth, dy + window * grid.dy.depth, sums);
    }
    for (int s = 0; s < kStride; ++s) {
      if (depth + s >= place.depth && depth + s < end) {
        dx[(depth + s) * grid.dx.depth] = cuda::Narrow<T>(sums[s]);
      }
    }
    for (int i = 0; i < kSize; ++i) sums[i] = i + kStride < kSize ? sums[i + kStride] : 0;
  }
}

CubeTensor TensorOf(const PlaneStrides& strides) {
  const auto [depth, height, width] = strides.spatial;
  return {strides.batch, strides.channel, depth, static_cast<int>(height), static_cast<int>(width)};
}

// Winners lie in the order of the threads that find them.
CubeTensor WinnersOf(const WindowLoop& loop, bool channels_closest) {
  const auto& [depth, height, width] = loop.axes;
  const int64_t unit = channels_closest ? loop.channels : 1;
  const int64_t slice = unit * height.output_size * width.output_size;
  const int64_t plane = slice * depth.output_size;
  return {.batch = channels_closest ? plane : plane * loop.channels,
          .channel = channels_closest ? 1 : plane,
          .depth = slice,
          .height = static_cast<int>(unit * width.output_size),
          .width = static_cast<int>(unit)};
}

CubeGrid GridOf(const Plan& plan) {
  const WindowLoop& loop = plan.loop;
  const auto& [depth, height, width] = loop.axes;
  const auto narrow = [](int64_t value) { return static_cast<int>(value); };
  CubeGrid grid = {};
  grid.channels = cuda::Divider(static_cast<uint64_t>(loop.channels));
  grid.in_depth = narrow(depth.input_size);
  grid.in_height = narrow(height.input_size);
  grid.in_width = narrow(width.input_size);
  grid.out_depth = narrow(depth.output_size);
  grid.out_height = narrow(height.output_size);
  grid.out_width = narrow(width.output_size);
  grid.pad_depth = narrow(depth.start_padding);
  grid.pad_height = narrow(height.start_padding);
  grid.pad_width = narrow(width.start_padding);
  grid.x = TensorOf(plan.input);
  grid.dy = TensorOf(plan.input_gradient);
  grid.dx = TensorOf(plan.output_gradient);
  grid.channels_closest = grid.dx.width != 1 && grid.dx.channel < grid.dx.width;
  grid.winners = WinnersOf(loop, grid.channels_closest);
  return grid;
}

// Gives threads to columns of `depth` elements, and cuts those where there are few.
void Spread(CubeGrid& grid, const Plan& plan, int depth, int height, int width) {
  constexpr int64_t kEnoughThreads = 132 * 2048 * 2;
  const int64_t columns = plan.loop.PlaneCount() * height * width;
  const int64_t chunks =
      std::clamp<int64_t>(kEnoughThreads / columns, 1, CeilDivideSigned(depth, 4));
  grid.chunk = static_cast<int>(CeilDivideSigned(depth, chunks));
  const int64_t used = CeilDivideSigned(depth, grid.chunk);
  grid.heights = cuda::Divider(static_cast<uint64_t>(height));
  grid.widths = cuda::Divider(static_cast<uint64_t>(width));
  grid.chunks = cuda::Divider(static_cast<uint64_t>(used));
  grid.threads = static_cast<uint32_t>(columns * used);
}

template <typename T, int kStride>
void Launch(const Plan& plan, uint8_t* winners, const Bindings& bindings, cuda::Stream stream) {
  CubeGrid grid = GridOf(plan);
  Spread(grid, plan, grid.out_depth, grid.out_height, grid.out_width);
  FindCubeWinners<T, kStride><<<cuda::BlocksFor(grid.threads), cuda::kThreadsPerBlock, 0, stream>>>(
      grid, bindings.Input<T>(0), winners);
  Spread(grid, plan, grid.in_depth, grid.in_height, grid.in_width);
  CollectCubes<T, kStride><<<cuda::BlocksFor(grid.threads), cuda::kThreadsPerBlock, 0, stream>>>(
      grid, winners, bindings.Input<T>(1), bindings.Output<T>(0));
}

// Whether offsets within a slice fit 31 bits.
bool HasShortSlices(const PlaneStrides& strides, int64_t height, int64_t width) {
  constexpr int64_t kMax = int64_t{1} << 30;
  const auto [depth, row, column] = strides.spatial;
  return row <= kMax && column <= kMax && row * height + column * width <= kMax;
}

}  // namespace

Refusal AcceptsCubes(const Plan& plan) {
  const auto& [depth, height, width] = plan.loop.axes;
  for (const WindowAxis& axis : plan.loop.axes) {
    if (axis.window_size != kSize || axis.dilation != 1 || axis.stride > 2 ||
        axis.stride != width.stride) {
      return {"the window is not of three elements along every axis, of stride 1 or 2"};
    }
    if (axis.start_padding >= kSize || !EveryWindowHasTaps(axis)) {
      return {"there are windows that see only padding"};
    }
    if (axis.input_size > (1 << 28)) return {"an axis is too long"};
  }
  if (!HasShortSlices(plan.input, height.input_size, width.input_size) ||
      !HasShortSlices(plan.output_gradient, height.input_size, width.input_size) ||
      !HasShortSlices(plan.input_gradient, height.output_size, width.output_size) ||
      plan.loop.channels * height.output_size * width.output_size > (1 << 30)) {
    return {"slices are too large"};
  }
  return {};
}

uint64_t CubeBytes(const Plan& plan) {
  return static_cast<uint64_t>(plan.loop.PlaneCount() * plan.loop.OutputPlaneSize());
}

void RunCubes(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  auto* winners = bindings.Temporary<uint8_t>();
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    if (plan.loop.axes[WindowLoop::kWidth].stride == 1) {
      Launch<T, 1>(plan, winners, bindings, stream);
    } else {
      Launch<T, 2>(plan, winners, bindings, stream);
    }
  });
}

}  // namespace anydml::window::gradient
