// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Averages whose sums are chains, a thread per window, and gradients, a thread per element: in 32
// bits, with divisions by multiplication. Neighbouring threads work on neighbouring memory:
// columns, or channels where those lie closest.
#include "backends/cuda/launch.cuh"
#include "kernels/window/cuda/averages/strategies.h"
#include "kernels/window/cuda/window_place.cuh"

namespace anydml::window::average {
namespace {

struct ShortAxis {
  int input_size, output_size, window, dilation, pad;
  cuda::Divider stride;
};

// `from` is read, `to` written, whose places are numbered.
struct ShortLoop {
  ShortAxis axes[3];  // depth, height, width
  cuda::Divider sizes[3];
  cuda::Divider channels;
  bool channels_closest;
  bool include_padding;
  float taps;  // those in padding included
  uint32_t count;
  PlaneStrides from, to;

  ShortLoop(const Plan& plan, bool gradient)
      : channels(static_cast<uint64_t>(plan.loop.channels)),
        include_padding(plan.include_padding),
        taps(static_cast<float>(plan.Taps())),
        from(gradient ? plan.narrow : plan.wide),
        to(gradient ? plan.wide : plan.narrow) {
    uint64_t number = static_cast<uint64_t>(plan.loop.PlaneCount());
    for (int a = 0; a < 3; ++a) {
      const WindowAxis& axis = plan.loop.axes[a];
      const auto size = static_cast<uint64_t>(gradient ? axis.input_size : axis.output_size);
      axes[a] = {static_cast<int>(axis.input_size),    static_cast<int>(axis.output_size),
                 static_cast<int>(axis.window_size),   static_cast<int>(axis.dilation),
                 static_cast<int>(axis.start_padding), cuda::Divider(axis.stride)};
      sizes[a] = cuda::Divider(size);
      number *= size;
    }
    count = static_cast<uint32_t>(number);
    channels_closest = to.spatial[2] != 1 && to.channel < to.spatial[2];
  }

  __device__ float Divisor(uint32_t kept) const {
    return include_padding ? taps : static_cast<float>(kept == 0 ? 1 : kept);
  }
  __device__ int Base(int a, int window) const {
    return window * static_cast<int>(axes[a].stride.divisor()) - axes[a].pad;
  }
};

__device__ int64_t PlaneOf(const PlaneStrides& strides, const cuda::WindowPlace& place) {
  return place.batch * strides.batch + place.channel * strides.channel;
}
__device__ int64_t OffsetIn(const PlaneStrides& strides, const cuda::WindowPlace& place) {
  int64_t offset = PlaneOf(strides, place);
  for (int a = 0; a < 3; ++a) offset += place.at[a] * strides.spatial[a];
  return offset;
}

template <typename T>
__global__ void AverageShortWindows(ShortLoop loop, const T* x, T* y) {
  const uint64_t number = cuda::ThreadNumber();
  if (number >= loop.count) return;
  const cuda::WindowPlace place =
      cuda::WindowPlaceOf(loop, loop.sizes, static_cast<uint32_t>(number));
  const T* const plane = x + PlaneOf(loop.from, place);
  float sum = 0;
  uint32_t kept = 0;
  // Calls body(offset) for the taps of an axis that lie inside.
  const auto each = [&](int a, int64_t offset, const auto& body) {
    int p = loop.Base(a, place.at[a]);
    for (int k = 0; k < loop.axes[a].window; ++k, p += loop.axes[a].dilation) {
      if (p >= 0 && p < loop.axes[a].input_size) body(offset + p * loop.from.spatial[a]);
    }
  };
  each(0, 0, [&](int64_t slice) {
    each(1, slice, [&](int64_t row) {
      each(2, row, [&](int64_t offset) {
        sum = sum + cuda::Widen(plane[offset]);
        ++kept;
      });
    });
  });
  y[OffsetIn(loop.to, place)] = cuda::Narrow<T>(__fdiv_rn(sum, loop.Divisor(kept)));
}

template <typename T>
__global__ void CollectShortWindows(ShortLoop loop, const T* dy, T* dx) {
  const uint64_t number = cuda::ThreadNumber();
  if (number >= loop.count) return;
  const cuda::WindowPlace place =
      cuda::WindowPlaceOf(loop, loop.sizes, static_cast<uint32_t>(number));
  const T* const plane = dy + PlaneOf(loop.from, place);
  float sum = 0;
  // Calls body(offset, kept taps) for the windows that see the element's coordinate.
  const auto each = [&](int a, int64_t offset, uint32_t kept, const auto& body) {
    const ShortAxis& axis = loop.axes[a];
    const int target = place.at[a] + axis.pad;
    const int excess = target - (axis.window - 1);
    const int stride = static_cast<int>(axis.stride.divisor());
    const int first = excess <= 0 ? 0 : static_cast<int>(axis.stride.Quotient(excess + stride - 1));
    const int last = min(axis.output_size - 1, static_cast<int>(axis.stride.Quotient(target)));
    for (int o = first; o <= last; ++o) {
      const int base = loop.Base(a, o);
      const int taps = min(base + axis.window, axis.input_size) - max(base, 0);
      body(offset + o * loop.from.spatial[a], kept * static_cast<uint32_t>(taps));
    }
  };
  each(0, 0, 1, [&](int64_t slice, uint32_t kept_slices) {
    each(1, slice, kept_slices, [&](int64_t row, uint32_t kept_rows) {
      each(2, row, kept_rows, [&](int64_t offset, uint32_t kept) {
        sum = sum + __fdiv_rn(cuda::Widen(plane[offset]), loop.Divisor(kept));
      });
    });
  });
  dx[OffsetIn(loop.to, place)] = cuda::Narrow<T>(sum);
}

template <bool kGradient>
void Run(const Plan& plan, const Bindings& bindings, cuda::Stream stream) {
  const ShortLoop loop(plan, kGradient);
  DispatchType(TypeList<float, Float16>(), plan.data_type, [&]<typename T>() {
    const auto run = kGradient ? CollectShortWindows<T> : AverageShortWindows<T>;
    run<<<cuda::BlocksFor(loop.count), cuda::kThreadsPerBlock, 0, stream>>>(
        loop, bindings.Input<T>(0), bindings.Output<T>(0));
  });
}

bool FitsShortLoop(const Plan& plan) {
  constexpr int64_t kMost = 1 << 29;  // twice that and more is added up
  for (const WindowAxis& axis : plan.loop.axes) {
    if (axis.start_padding > kMost || axis.input_size > kMost || axis.reach() > kMost ||
        axis.output_size * axis.stride > kMost || axis.dilation > kMost) {
      return false;
    }
  }
  return true;
}

}  // namespace

Refusal AcceptsShortWindows(const Plan& plan) {
  if (plan.Taps() > kMaxChain) return {"the sum of a window is no chain"};
  return FitsShortLoop(plan) ? kAccepted : Refusal{"coordinates need more than 29 bits"};
}
void RunShortWindows(const Plan& plan, const NoTables&, const Bindings& bindings,
                     cuda::Stream stream) {
  Run<false>(plan, bindings, stream);
}

Refusal AcceptsShortGradients(const Plan& plan) {
  for (const WindowAxis& axis : plan.loop.axes) {
    if (axis.dilation != 1) return {"the windows are dilated"};
  }
  return FitsShortLoop(plan) ? kAccepted : Refusal{"coordinates need more than 29 bits"};
}
void RunShortGradients(const Plan& plan, const NoTables&, const Bindings& bindings,
                       cuda::Stream stream) {
  Run<true>(plan, bindings, stream);
}

}  // namespace anydml::window::average
