// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A thread per window, or some lanes per window if it has many taps, with
// divisions by multiplication. Neighbouring threads work on neighbouring memory:
// columns, or channels where those lie closest.
#include "backends/cuda/launch.cuh"
#include "kernels/window/cuda/maxima/strategies.h"
#include "kernels/window/cuda/window_place.cuh"
#include "kernels/window/maximum.h"

namespace anydml::window::maxima {
namespace {

constexpr int64_t kManyTaps = 40;  // from here on several lanes take a window

struct ShortAxis {
  int input_size, stride, dilation, pad, reach;
  int64_t x, y, indices;  // strides
};

struct ShortLoop {
  ShortAxis axes[3];  // depth, height, width
  cuda::Divider output_sizes[3];
  cuda::Divider channels;
  bool channels_closest;
  uint32_t windows;
  int64_t x_batch, x_channel, y_batch, y_channel, indices_batch, indices_channel;
  uint32_t plane_size;
  DataType index_type;
};

// Every kLanes-th tap of a window, logical order.
template <int kLanes>
struct TapWalk {
  int first[3], counts[3], at[3], step[3];
  int number, count;

  __device__ TapWalk(const ShortLoop& loop, const cuda::WindowPlace& place, int lane)
      : number(lane), count(1) {
    for (int i = 0; i < 3; ++i) {
      const ShortAxis& axis = loop.axes[i];
      const int base = place.at[i] * axis.stride - axis.pad;
      const int end = min(base + axis.reach + 1, axis.input_size);
      first[i] = max(base, 0);
      counts[i] = max(end - first[i], 0);
      if (axis.dilation != 1) {
        const int skipped = (first[i] - base + axis.dilation - 1) / axis.dilation;
        first[i] = base + skipped * axis.dilation;
        counts[i] = first[i] < end ? (end - first[i] - 1) / axis.dilation + 1 : 0;
      }
      count *= counts[i];
    }
    if constexpr (kLanes == 1) {
      for (int i = 0; i < 3; ++i) at[i] = 0, step[i] = i == 2;
    } else {
      Split(lane, at);
      Split(kLanes, step);
    }
  }
  __device__ void Split(int n, int (&to)[3]) const {
    const int width = max(counts[2], 1);
    const int height = max(counts[1], 1);
    to[2] = n % width;
    to[1] = n / width % height;
    to[0] = n / width / height;
  }
  __device__ void Next() {
    number += kLanes;
    at[2] += step[2];
    if (at[2] >= counts[2]) at[2] -= counts[2], ++at[1];
    at[1] += step[1];
    if (at[1] >= counts[1]) at[1] -= counts[1], ++at[0];
    at[0] += step[0];
  }
};

template <typename Key>
struct Best {
  Key key = {};
  Winner winner;

  __device__ bool IsBehind(const Key& other, uint32_t index) const {
    if (index == kNoWinner) return false;
    return winner.index == kNoWinner || other > key || (other == key && index < winner.index);
  }
};

template <typename Key>
__device__ Key ShuffleKey(Key key, int distance) {
  using Word = std::conditional_t<sizeof(Key) == 8, long long, int>;
  return static_cast<Key>(__shfl_xor_sync(0xFFFFFFFFu, static_cast<Word>(key), distance));
}

// The winner is left in the lane that found it; `found` is its index.
template <int kLanes, typename T>
__device__ Winner FindShort(const ShortLoop& loop, const cuda::WindowPlace& place, const T* plane,
                            int lane, uint32_t& found) {
  const auto& [depth, height, width] = loop.axes;
  Best<decltype(MaximumKey(T{}))> best;
#pragma unroll 4
  for (TapWalk<kLanes> walk(loop, place, lane); walk.number < walk.count; walk.Next()) {
    const int d = walk.first[0] + walk.at[0] * depth.dilation;
    const int h = walk.first[1] + walk.at[1] * height.dilation;
    const int w = walk.first[2] + walk.at[2] * width.dilation;
    const int64_t offset = d * depth.x + h * height.x + w * width.x;
    const auto key = MaximumKey(plane[offset]);
    if (key > best.key || best.winner.index == kNoWinner) {
      const auto row = static_cast<uint32_t>(d) * height.input_size + h;
      best = {key, {row * width.input_size + w, offset}};
    }
  }
  const Winner own = best.winner;
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    const auto key = ShuffleKey(best.key, distance);
    const uint32_t index = __shfl_xor_sync(0xFFFFFFFFu, best.winner.index, distance);
    if (best.IsBehind(key, index)) best = {key, {index, 0}};
  }
  found = best.winner.index;
  return own;
}

template <typename T, int kLanes>
__global__ void __launch_bounds__(cuda::kThreadsPerBlock)
    PoolShort(ShortLoop loop, const T* x, T* y, void* indices) {
  const uint64_t number = cuda::ThreadNumber() / kLanes;
  const bool active = number < loop.windows;
  const int lane = static_cast<int>(threadIdx.x % kLanes);
  const cuda::WindowPlace place = cuda::WindowPlaceOf(
      loop, loop.output_sizes, active ? static_cast<uint32_t>(number) : loop.windows - 1);
  const T* plane = x + place.batch * loop.x_batch + place.channel * loop.x_channel;
  uint32_t found = kNoWinner;
  const Winner winner = FindShort<kLanes>(loop, place, plane, lane, found);
  const bool mine = found == kNoWinner ? lane == 0 : winner.index == found;
  if (!active || !mine) return;
  const auto offset = [&](int64_t batch, int64_t channel, int64_t ShortAxis::*stride) {
    int64_t at = place.batch * batch + place.channel * channel;
    for (int i = 0; i < 3; ++i) at += place.at[i] * (loop.axes[i].*stride);
    return at;
  };
  y[offset(loop.y_batch, loop.y_channel, &ShortAxis::y)] = MaximumOf(plane, winner);
  if (loop.index_type == DataType::kUnknown) return;
  const int64_t at = offset(loop.indices_batch, loop.indices_channel, &ShortAxis::indices);
  const uint64_t number_of_plane = uint64_t{place.batch} * loop.channels.divisor() + place.channel;
  const uint64_t plane_start = number_of_plane * loop.plane_size;
  if (loop.index_type == DataType::kUint64) {
    static_cast<uint64_t*>(indices)[at] = IndexOf<uint64_t>(plane_start, winner);
  } else {
    static_cast<uint32_t*>(indices)[at] = IndexOf<uint32_t>(plane_start, winner);
  }
}

ShortLoop LoopOf(const Plan& plan) {
  const auto narrow = [](int64_t value) { return static_cast<int>(value); };
  ShortLoop loop = {};
  for (size_t i = 0; i < 3; ++i) {
    const WindowAxis& axis = plan.loop.axes[i];
    loop.axes[i] = {.input_size = narrow(axis.input_size),
                    .stride = narrow(axis.output_size == 1 ? 1 : axis.stride),
                    .dilation = narrow(axis.dilation),
                    .pad = narrow(axis.start_padding),
                    .reach = narrow(axis.reach()),
                    .x = plan.input.spatial[i],
                    .y = plan.output.spatial[i],
                    .indices = plan.indices.spatial[i]};
    loop.output_sizes[i] = cuda::Divider(static_cast<uint64_t>(axis.output_size));
  }
  loop.channels = cuda::Divider(static_cast<uint64_t>(plan.loop.channels));
  loop.windows = static_cast<uint32_t>(plan.loop.PlaneCount() * plan.loop.OutputPlaneSize());
  loop.x_batch = plan.input.batch;
  loop.x_channel = plan.input.channel;
  loop.y_batch = plan.output.batch;
  loop.y_channel = plan.output.channel;
  loop.indices_batch = plan.indices.batch;
  loop.indices_channel = plan.indices.channel;
  loop.plane_size = static_cast<uint32_t>(plan.loop.InputPlaneSize());
  loop.index_type = plan.index_type;
  loop.channels_closest = loop.axes[2].y != 1 && loop.y_channel < loop.axes[2].y;
  return loop;
}

template <typename T, int kLanes>
void Launch(const ShortLoop& loop, const Bindings& bindings, cuda::Stream stream) {
  PoolShort<T, kLanes>
      <<<cuda::BlocksFor(uint64_t{loop.windows} * kLanes), cuda::kThreadsPerBlock, 0, stream>>>(
          loop, bindings.Input<T>(0), bindings.Output<T>(0), bindings.outputs[1]);
}

}  // namespace

Refusal AcceptsShortWindows(const Plan& plan) {
  constexpr int64_t kMax = 1 << 28;
  for (const WindowAxis& axis : plan.loop.axes) {
    const int64_t last_window = axis.output_size == 1 ? 0 : axis.output_size * axis.stride;
    if (std::max({axis.input_size, axis.dilation, axis.start_padding, axis.reach(), last_window}) >
        kMax) {
      return {"a size, a stride, a dilation or a padding is too large"};
    }
  }
  if (plan.loop.MostTaps() > (1 << 20)) return {"the windows are too large"};
  return {};
}

void RunShortWindows(const Plan& plan, const NoTables&, const Bindings& bindings,
                     cuda::Stream stream) {
  const ShortLoop loop = LoopOf(plan);
  // Where channels lie closest, lanes of one window would lie far apart.
  const bool few =
      plan.loop.MostTaps() < kManyTaps || (loop.channels_closest && plan.loop.MostTaps() < 1024);
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    if (few) {
      Launch<T, 1>(loop, bindings, stream);
    } else {
      Launch<T, 16>(loop, bindings, stream);
    }
  });
}

}  // namespace anydml::window::maxima
