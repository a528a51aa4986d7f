// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The two phases of the README, one window and then one element per thread, with
// divisions by multiplication. Neighbouring threads work on neighbouring memory:
// columns, or channels where those lie closest.
#include "backends/cuda/launch.cuh"
#include "kernels/window/cuda/gradient/strategies.h"
#include "kernels/window/cuda/window_place.cuh"
#include "kernels/window/gradient.h"

namespace anydml::window::gradient {
namespace {

struct SmallAxis {
  int input_size, output_size, window_size, stride, dilation, pad, reach;
  cuda::Divider by_stride;
  int64_t x, dy, dx;  // strides
  uint32_t winners;
};

struct SmallLoop {
  SmallAxis axes[3];  // depth, height, width
  cuda::Divider input_sizes[3];
  cuda::Divider output_sizes[3];
  cuda::Divider channels;
  bool channels_closest;
  uint32_t windows, elements;
  int64_t x_batch, x_channel, dy_batch, dy_channel, dx_batch, dx_channel;
  uint32_t winners_batch, winners_channel;
};

// One window per thread. The number of a winner is its logical index within the
// plane; every window has one or the mark that none has.
template <typename T>
__global__ void __launch_bounds__(cuda::kThreadsPerBlock)
    FindSmallWinners(SmallLoop loop, const T* x, uint32_t* winners) {
  const uint64_t number = cuda::ThreadNumber();
  if (number >= loop.windows) return;
  const cuda::WindowPlace window =
      cuda::WindowPlaceOf(loop, loop.output_sizes, static_cast<uint32_t>(number));
  const T* plane = x + window.batch * loop.x_batch + window.channel * loop.x_channel;
  const auto& [depth, height, width] = loop.axes;
  int base[3];
  for (int i = 0; i < 3; ++i) {
    base[i] = window.at[i] * loop.axes[i].stride - loop.axes[i].pad;
  }
  uint32_t winner = kNoWinner;
  int32_t best = INT32_MIN;  // below every key
  for (int d = base[0]; d <= base[0] + depth.reach; d += depth.dilation) {
    if (d < 0 || d >= depth.input_size) continue;
    for (int h = base[1]; h <= base[1] + height.reach; h += height.dilation) {
      if (h < 0 || h >= height.input_size) continue;
      const T* row = plane + d * depth.x + h * height.x;
      const uint32_t row_index = (d * height.input_size + h) * width.input_size;
      for (int w = base[2]; w <= base[2] + width.reach; w += width.dilation) {
        if (w < 0 || w >= width.input_size) continue;
        const int32_t key = MaximumKey(row[w * width.x]);
        if (key > best) {
          best = key;
          winner = row_index + w;
        }
      }
    }
  }
  winners[number] = winner;
}

// The windows whose span reaches an element; those that skip it by dilation never
// name it as winner.
struct Span {
  int first, last;
};
__device__ Span SpanOver(const SmallAxis& axis, int at) {
  const int target = at + axis.pad;
  const int excess = target - axis.reach;
  const int first =
      excess > 0 ? static_cast<int>(axis.by_stride.Quotient(excess + axis.stride - 1)) : 0;
  return {first, min(axis.output_size - 1, static_cast<int>(axis.by_stride.Quotient(target)))};
}

// One element of OutputGradientTensor per thread.
template <typename T>
__global__ void __launch_bounds__(cuda::kThreadsPerBlock)
    CollectSmall(SmallLoop loop, const uint32_t* winners, const T* dy, T* dx) {
  const uint64_t number = cuda::ThreadNumber();
  if (number >= loop.elements) return;
  const cuda::WindowPlace element =
      cuda::WindowPlaceOf(loop, loop.input_sizes, static_cast<uint32_t>(number));
  const auto& [depth, height, width] = loop.axes;
  const uint32_t* plane_winners =
      winners + (element.batch * loop.winners_batch + element.channel * loop.winners_channel);
  const T* plane = dy + element.batch * loop.dy_batch + element.channel * loop.dy_channel;
  const uint32_t index =
      (element.at[0] * height.input_size + element.at[1]) * width.input_size + element.at[2];
  const Span depths = SpanOver(depth, element.at[0]);
  const Span heights = SpanOver(height, element.at[1]);
  const Span widths = SpanOver(width, element.at[2]);
  float sum = 0;
  for (int d = depths.first; d <= depths.last; ++d) {
    for (int h = heights.first; h <= heights.last; ++h) {
      const uint32_t* winner_row = plane_winners + (d * depth.winners + h * height.winners);
      const T* row = plane + d * depth.dy + h * height.dy;
      for (int w = widths.first; w <= widths.last; ++w) {
        if (winner_row[w * width.winners] == index) {
          sum = __fadd_rn(sum, cuda::Widen(row[w * width.dy]));
        }
      }
    }
  }
  dx[element.batch * loop.dx_batch + element.channel * loop.dx_channel + element.at[0] * depth.dx +
     element.at[1] * height.dx + element.at[2] * width.dx] = cuda::Narrow<T>(sum);
}

SmallAxis AxisOf(const Plan& plan, size_t i) {
  const WindowAxis& axis = plan.loop.axes[i];
  const auto narrow = [](int64_t value) { return static_cast<int>(value); };
  return {.input_size = narrow(axis.input_size),
          .output_size = narrow(axis.output_size),
          .window_size = narrow(axis.window_size),
          .stride = narrow(axis.stride),
          .dilation = narrow(axis.dilation),
          .pad = narrow(axis.start_padding),
          .reach = narrow(axis.reach()),
          .by_stride = cuda::Divider(static_cast<uint64_t>(axis.stride)),
          .x = plan.input.spatial[i],
          .dy = plan.input_gradient.spatial[i],
          .dx = plan.output_gradient.spatial[i],
          .winners = 0};
}

// Winners lie in the order of the threads that find them.
void NumberWinners(SmallLoop& loop, uint32_t channels) {
  uint32_t stride = 1;
  if (loop.channels_closest) {
    loop.winners_channel = stride;
    stride *= channels;
  }
  for (int i = 2; i >= 0; --i) {
    loop.axes[i].winners = stride;
    stride *= static_cast<uint32_t>(loop.axes[i].output_size);
  }
  if (!loop.channels_closest) {
    loop.winners_channel = stride;
    stride *= channels;
  }
  loop.winners_batch = stride;
}

SmallLoop LoopOf(const Plan& plan) {
  SmallLoop loop = {};
  for (size_t i = 0; i < 3; ++i) {
    loop.axes[i] = AxisOf(plan, i);
    loop.input_sizes[i] = cuda::Divider(static_cast<uint64_t>(loop.axes[i].input_size));
    loop.output_sizes[i] = cuda::Divider(static_cast<uint64_t>(loop.axes[i].output_size));
  }
  loop.channels = cuda::Divider(static_cast<uint64_t>(plan.loop.channels));
  loop.windows = static_cast<uint32_t>(plan.loop.PlaneCount() * plan.loop.OutputPlaneSize());
  loop.elements = static_cast<uint32_t>(plan.loop.PlaneCount() * plan.loop.InputPlaneSize());
  loop.x_batch = plan.input.batch;
  loop.x_channel = plan.input.channel;
  loop.dy_batch = plan.input_gradient.batch;
  loop.dy_channel = plan.input_gradient.channel;
  loop.dx_batch = plan.output_gradient.batch;
  loop.dx_channel = plan.output_gradient.channel;
  loop.channels_closest = loop.axes[2].dx != 1 && loop.dx_channel < loop.axes[2].dx;
  NumberWinners(loop, static_cast<uint32_t>(plan.loop.channels));
  return loop;
}

}  // namespace

Refusal AcceptsSmallWindows(const Plan& plan) {
  constexpr int64_t kMax = 1 << 28;
  constexpr int64_t kMaxTaps = 1 << 12;
  int64_t taps = 1;  // of a window, and windows over an element
  for (const WindowAxis& axis : plan.loop.axes) {
    taps = std::min(taps, kMaxTaps) * std::min(axis.reach() + 1, kMax);
    if (std::max({axis.input_size, axis.output_size, axis.window_size, axis.stride, axis.dilation,
                  axis.start_padding, axis.reach(), axis.output_size * axis.stride}) > kMax) {
      return {"a size, a stride, a dilation or a padding is too large"};
    }
  }
  if (taps > kMaxTaps) return {"the windows are too large"};
  return {};
}

void RunSmallWindows(const Plan& plan, const NoTables&, const Bindings& bindings,
                     cuda::Stream stream) {
  auto* winners = bindings.Temporary<uint32_t>();
  const SmallLoop loop = LoopOf(plan);
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    FindSmallWinners<<<cuda::BlocksFor(loop.windows), cuda::kThreadsPerBlock, 0, stream>>>(
        loop, bindings.Input<T>(0), winners);
    CollectSmall<<<cuda::BlocksFor(loop.elements), cuda::kThreadsPerBlock, 0, stream>>>(
        loop, winners, bindings.Input<T>(1), bindings.Output<T>(0));
  });
}

}  // namespace anydml::window::gradient
