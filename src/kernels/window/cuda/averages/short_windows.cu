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
  uint32_t p;
  uint32_t count;
  PlaneStrides from, to;

  ShortLoop(const Plan& plan, bool gradient)
      : channels(static_cast<uint64_t>(plan.loop.channels)),
        include_padding(plan.include_padding),
        taps(static_cast<float>(plan.Taps())),
        p(plan.p),
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

// Of norms where kNorm says so, whose powers take registers.
template <bool kNorm, typename T>
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
        const float value = cuda::Widen(plane[offset]);
        sum = sum + (kNorm ? PowerOf(value, loop.p) : value);
        ++kept;
      });
    });
  });
  const float result = kNorm ? RootOf(sum, loop.p) : __fdiv_rn(sum, loop.Divisor(kept));
  y[OffsetIn(loop.to, place)] = cuda::Narrow<T>(result);
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

// ---- Square windows of 2 or 3 rows of images, at a step of 1 or 2: a thread takes four rows of a
// column. What lies outside is +0, which changes no sum, since none is -0.

constexpr int kLines = 4;

// The windows, or elements, of `height` lines.
void CutIntoLines(ShortLoop& loop, uint64_t height) {
  const uint64_t strips = (height + kLines - 1) / kLines;
  loop.count = static_cast<uint32_t>(loop.count / height * strips);
  loop.sizes[1] = cuda::Divider(strips);
}

__device__ bool IsInside(int at, int size) {
  return static_cast<uint32_t>(at) < static_cast<uint32_t>(size);
}

template <int kWindow, int kStride, typename T>
__global__ void AverageLines(ShortLoop loop, const T* x, T* y) {
  constexpr int kRows = (kLines - 1) * kStride + kWindow;
  const uint64_t number = cuda::ThreadNumber();
  if (number >= loop.count) return;
  cuda::WindowPlace place = cuda::WindowPlaceOf(loop, loop.sizes, static_cast<uint32_t>(number));
  place.at[1] *= kLines;
  const int top = place.at[1] * kStride - loop.axes[1].pad;
  const int left = place.at[2] * kStride - loop.axes[2].pad;
  const T* const plane = x + PlaneOf(loop.from, place);
  float values[kRows][kWindow];
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const bool row_inside = IsInside(top + i, loop.axes[1].input_size);
    const T* const row = plane + (top + i) * loop.from.spatial[1];
#pragma unroll
    for (int k = 0; k < kWindow; ++k) {
      const bool inside = row_inside && IsInside(left + k, loop.axes[2].input_size);
      values[i][k] = inside ? cuda::Widen(row[(left + k) * loop.from.spatial[2]]) : 0.0f;
    }
  }
  const int columns = min(left + kWindow, loop.axes[2].input_size) - max(left, 0);
  T* to = y + OffsetIn(loop.to, place);
#pragma unroll
  for (int i = 0; i < kLines; ++i, to += loop.to.spatial[1]) {
    if (place.at[1] + i >= loop.axes[1].output_size) break;
    float sum = 0;
#pragma unroll
    for (int j = 0; j < kWindow * kWindow; ++j) {
      sum = sum + values[i * kStride + j / kWindow][j % kWindow];
    }
    const int first = top + i * kStride;
    const int rows = min(first + kWindow, loop.axes[1].input_size) - max(first, 0);
    const bool is_empty = rows <= 0 || columns <= 0;
    const uint32_t kept = is_empty ? 0 : static_cast<uint32_t>(rows * columns);
    *to = cuda::Narrow<T>(__fdiv_rn(sum, loop.Divisor(kept)));
  }
}

template <int kWindow, int kStride, typename T>
__global__ void CollectLines(ShortLoop loop, const T* dy, T* dx) {
  constexpr int kColumns = (kWindow + kStride - 1) / kStride;  // windows over an element
  constexpr int kRows = (kLines + kWindow - 2) / kStride + 1;
  const uint64_t number = cuda::ThreadNumber();
  if (number >= loop.count) return;
  cuda::WindowPlace place = cuda::WindowPlaceOf(loop, loop.sizes, static_cast<uint32_t>(number));
  place.at[1] *= kLines;
  const auto first_over = [&](int a) {  // at least 1 - kWindow: the quotient is one of numbers >= 0
    const int excess = place.at[a] + loop.axes[a].pad - (kWindow - 1) + (kStride - 1);
    return (excess + kWindow * kStride) / kStride - kWindow;
  };
  const int top = first_over(1), left = first_over(2);
  const T* const plane = dy + PlaneOf(loop.from, place);
  const auto taps = [&](int a, int window) {
    const int base = window * kStride - loop.axes[a].pad;
    return min(base + kWindow, loop.axes[a].input_size) - max(base, 0);
  };
  float quotients[kRows][kColumns];
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const bool row_inside = IsInside(top + i, loop.axes[1].output_size);
    const T* const row = plane + (top + i) * loop.from.spatial[1];
    const int rows = taps(1, top + i);
#pragma unroll
    for (int k = 0; k < kColumns; ++k) {
      const int column = place.at[2] + loop.axes[2].pad - (left + k) * kStride;
      const bool inside =
          row_inside && IsInside(left + k, loop.axes[2].output_size) && IsInside(column, kWindow);
      quotients[i][k] = 0;
      if (!inside) continue;
      const auto kept = static_cast<uint32_t>(rows * taps(2, left + k));
      quotients[i][k] =
          __fdiv_rn(cuda::Widen(row[(left + k) * loop.from.spatial[2]]), loop.Divisor(kept));
    }
  }
  T* to = dx + OffsetIn(loop.to, place);
#pragma unroll
  for (int i = 0; i < kLines; ++i, to += loop.to.spatial[1]) {
    if (place.at[1] + i >= loop.axes[1].input_size) break;
    float sum = 0;
#pragma unroll
    for (int j = 0; j < kRows; ++j) {
      const int row = place.at[1] + i + loop.axes[1].pad - (top + j) * kStride;
      if (!IsInside(row, kWindow)) continue;
#pragma unroll
      for (int k = 0; k < kColumns; ++k) sum = sum + quotients[j][k];
    }
    *to = cuda::Narrow<T>(sum);
  }
}

template <bool kGradient>
void RunLines(const Plan& plan, const Bindings& bindings, cuda::Stream stream) {
  ShortLoop loop(plan, kGradient);
  const WindowAxis& axis = plan.loop.axes[1];
  CutIntoLines(loop, static_cast<uint64_t>(kGradient ? axis.input_size : axis.output_size));
  DispatchType(TypeList<float, Float16>(), plan.data_type, [&]<typename T>() {
    const auto run = [&]<int kWindow, int kStride>() {
      const auto kernel =
          kGradient ? CollectLines<kWindow, kStride, T> : AverageLines<kWindow, kStride, T>;
      kernel<<<cuda::BlocksFor(loop.count), cuda::kThreadsPerBlock, 0, stream>>>(
          loop, bindings.Input<T>(0), bindings.Output<T>(0));
    };
    if (axis.window_size == 2) {
      axis.stride == 1 ? run.template operator()<2, 1>() : run.template operator()<2, 2>();
    } else {
      axis.stride == 1 ? run.template operator()<3, 1>() : run.template operator()<3, 2>();
    }
  });
}

template <bool kGradient>
void Run(const Plan& plan, const Bindings& bindings, cuda::Stream stream) {
  const ShortLoop loop(plan, kGradient);
  DispatchType(TypeList<float, Float16>(), plan.data_type, [&]<typename T>() {
    const auto run = kGradient     ? CollectShortWindows<T>
                     : loop.p != 0 ? AverageShortWindows<true, T>
                                   : AverageShortWindows<false, T>;
    run<<<cuda::BlocksFor(loop.count), cuda::kThreadsPerBlock, 0, stream>>>(
        loop, bindings.Input<T>(0), bindings.Output<T>(0));
  });
}

bool FitsShortLoop(const Plan& plan) {
  constexpr int64_t kMax = 1 << 29;  // twice that and more is added up
  for (const WindowAxis& axis : plan.loop.axes) {
    if (axis.start_padding > kMax || axis.input_size > kMax || axis.reach() > kMax ||
        axis.output_size * axis.stride > kMax || axis.dilation > kMax) {
      return false;
    }
  }
  return true;
}

}  // namespace

Refusal AcceptsLines(const Plan& plan) {
  const WindowAxis &depth = plan.loop.axes[0], &height = plan.loop.axes[1];
  if (plan.p != 0) return {"norms are calculated window by window"};
  if (depth.input_size != 1 || depth.output_size != 1 || depth.window_size != 1 ||
      depth.start_padding != 0) {
    return {"the images have depth"};
  }
  for (int a = 1; a < 3; ++a) {
    const WindowAxis& axis = plan.loop.axes[a];
    if (axis.dilation != 1) return {"the windows are dilated"};
    if (axis.window_size != height.window_size || axis.stride != height.stride) {
      return {"windows or steps are not square"};
    }
    // A window in padding only is nobody's.
    if (axis.start_padding >= axis.window_size) return {"windows lie in the padding alone"};
  }
  if (height.window_size < 2 || height.window_size > 3 || height.stride > 2) {
    return {"the windows are not 2x2 or 3x3 at steps of 1 or 2"};
  }
  return FitsShortLoop(plan) ? kAccepted : Refusal{"coordinates need more than 29 bits"};
}
void RunAverageLines(const Plan& plan, const NoTables&, const Bindings& bindings,
                     cuda::Stream stream) {
  RunLines<false>(plan, bindings, stream);
}
void RunGradientLines(const Plan& plan, const NoTables&, const Bindings& bindings,
                      cuda::Stream stream) {
  RunLines<true>(plan, bindings, stream);
}

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
