// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Everything, one element at a time; and the list of strategies.
#include "base/float16.h"
#include "kernels/window/cpu/averages/averages.h"
#include "kernels/window/cpu/averages/strategies.h"
#include "kernels/window/cpu/pieces.h"

namespace anydml::window::average {
namespace {

using Floats = TypeList<float, Float16>;

float Load(const float& element) { return element; }
float Load(const Float16& element) { return ToFloat(element); }
void Store(float value, float& element) { element = value; }
void Store(float value, Float16& element) { element = ToFloat16(value); }

enum Axis {
  kDepth = WindowLoop::kDepth,
  kHeight = WindowLoop::kHeight,
  kWidth = WindowLoop::kWidth
};

// The number, in its window, of a tap that lies at `p`.
TapCount TapAt(const WindowAxis& axis, int64_t o, int64_t p) {
  return static_cast<TapCount>((p - o * axis.stride + axis.start_padding) / axis.dilation);
}

template <typename T>
float Average(const Plan& plan, const T* plane, const std::array<int64_t, 3>& o) {
  const auto& axes = plan.loop.axes;
  const auto& strides = plan.wide.spatial;
  std::array<Progression, 3> taps;
  int64_t kept = 1;
  for (int a = 0; a < 3; ++a) {
    taps[a] = TapsOf(axes[a], o[a]);
    kept *= taps[a].count;
  }
  const auto for_each = [&](const auto& add) {
    for (int64_t i = 0; i < taps[0].count && kept != 0; ++i) {
      const int64_t d = taps[0].first + i * taps[0].step;
      for (int64_t j = 0; j < taps[1].count; ++j) {
        const int64_t h = taps[1].first + j * taps[1].step;
        for (int64_t k = 0; k < taps[2].count; ++k) {
          const int64_t w = taps[2].first + k * taps[2].step;
          add(d, h, w, Load(plane[d * strides[0] + h * strides[1] + w * strides[2]]));
        }
      }
    }
  };
  const auto term = [&](float x) { return plan.p == 0 ? x : PowerOf(x, plan.p); };
  const auto finish = [&](float sum) {
    return plan.p == 0 ? sum / Divisor(plan, kept) : RootOf(sum, plan.p);
  };
  if (plan.Taps() <= kMaxChain) {
    float sum = 0;
    for_each([&](int64_t, int64_t, int64_t, float x) { sum += term(x); });
    return finish(sum);
  }
  BlockedSum sum(plan.Taps());
  for_each([&](int64_t d, int64_t h, int64_t w, float x) {
    const TapCount row = TapAt(axes[0], o[0], d) * static_cast<TapCount>(axes[1].window_size) +
                         TapAt(axes[1], o[1], h);
    sum.Add(row * static_cast<TapCount>(axes[2].window_size) + TapAt(axes[2], o[2], w), term(x));
  });
  return finish(sum.Finish());
}

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  const WindowLoop& loop = plan.loop;
  DispatchType(Floats(), plan.data_type, [&]<typename T>() {
    cpu::ForEachPiece(
        loop.PlaneCount() * loop.OutputRowsPerPlane(), loop.axes[kWidth].output_size,
        loop.MostTaps(), executor, [&](int64_t number, int64_t first, int64_t count) {
          const WindowRow row = OutputRow(loop, number);
          const T* plane = bindings.Input<T>(0) + plan.wide.PlaneOffset(loop, row.plane);
          T* const output = bindings.Output<T>(0) + OffsetOf(loop, plan.narrow, row, 0);
          for (int64_t o = first; o < first + count; ++o) {
            Store(Average(plan, plane, {row.depth, row.height, o}),
                  output[o * plan.narrow.spatial[kWidth]]);
          }
        });
  });
}

// Of the element at `p`: what every window that keeps it has for it, in ascending order.
template <typename T>
float Gradient(const Plan& plan, const T* plane, const std::array<int64_t, 3>& p) {
  const auto& axes = plan.loop.axes;
  const auto& strides = plan.narrow.spatial;
  std::array<Progression, 3> windows;
  for (int a = 0; a < 3; ++a) windows[a] = WindowsOver(axes[a], p[a]);
  float sum = 0;
  for (int64_t i = 0; i < windows[0].count; ++i) {
    const int64_t d = windows[0].first + i * windows[0].step;
    const int64_t kept_slices = TapsOf(axes[0], d).count;
    for (int64_t j = 0; j < windows[1].count; ++j) {
      const int64_t h = windows[1].first + j * windows[1].step;
      const int64_t kept_rows = kept_slices * TapsOf(axes[1], h).count;
      for (int64_t k = 0; k < windows[2].count; ++k) {
        const int64_t w = windows[2].first + k * windows[2].step;
        const float y = Load(plane[d * strides[0] + h * strides[1] + w * strides[2]]);
        const float share = y / Divisor(plan, kept_rows * TapsOf(axes[2], w).count);
        sum += share;
      }
    }
  }
  return sum;
}

void RunStridedGradient(const Plan& plan, const NoTables&, const Bindings& bindings,
                        const cpu::Executor& executor) {
  const WindowLoop& loop = plan.loop;
  DispatchType(Floats(), plan.data_type, [&]<typename T>() {
    cpu::ForEachPiece(loop.PlaneCount() * loop.InputRowsPerPlane(), loop.axes[kWidth].input_size,
                      16, executor, [&](int64_t number, int64_t first, int64_t count) {
                        const WindowRow row = InputRow(loop, number);
                        const T* plane =
                            bindings.Input<T>(0) + plan.narrow.PlaneOffset(loop, row.plane);
                        T* const output = bindings.Output<T>(0) + OffsetOf(loop, plan.wide, row, 0);
                        for (int64_t p = first; p < first + count; ++p) {
                          Store(Gradient(plan, plane, {row.depth, row.height, p}),
                                output[p * plan.wide.spatial[kWidth]]);
                        }
                      });
  });
}

using Strategy = StrategyOf<Plan, NoTables>;

}  // namespace

constinit const std::array<CpuStrategy, 4> kAverageStrategies = {
    Strategy::Named<AcceptsOneWindow, RunOneWindow>("one_window"),
    Strategy::Named<AcceptsChannelPlanes, RunChannelPlanes>("channel_planes"),
    Strategy::Named<AcceptsRowSums, RunRowSums>("row_sums"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided>("strided"),
};
constinit const std::array<CpuStrategy, 3> kGradientStrategies = {
    Strategy::Named<AcceptsOneWindow, RunOneWindowGradient>("one_window"),
    Strategy::Named<AcceptsRowGradients, RunRowGradients>("row_sums"),
    Strategy::Named<AcceptsAll<Plan>, RunStridedGradient>("strided"),
};

}  // namespace anydml::window::average
