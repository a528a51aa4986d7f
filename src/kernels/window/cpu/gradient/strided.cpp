// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Everything, one window and one element at a time, in two phases: find the winner
// of every window, then let every element of the output collect the gradients that
// it won. Each phase writes every element once, so threads never meet and the order
// of each sum is fixed.
#include "kernels/window/cpu/gradient/strategies.h"
#include "kernels/window/cpu/pieces.h"
#include "kernels/window/gradient.h"

namespace anydml::window::gradient {
namespace {

template <typename T>
struct Memory {
  const Plan& plan;
  const T* x;
  const T* dy;
  T* dx;
  uint32_t* winners;  // one per window, in logical order

  Memory(const Plan& the_plan, const Bindings& bindings)
      : plan(the_plan),
        x(bindings.Input<T>(0)),
        dy(bindings.Input<T>(1)),
        dx(bindings.Output<T>(0)),
        winners(bindings.Temporary<uint32_t>()) {}

  const T* InputPlane(int64_t plane) const { return x + plan.input.PlaneOffset(plan.loop, plane); }
};

// One row of OutputGradientTensor and the windows that see it.
template <typename T>
struct GradientRow {
  const WindowLoop& loop;
  const PlaneStrides& strides;  // of dy
  const uint32_t* winners;      // of the plane
  const T* dy;                  // of the plane
  T* dx;                        // of the row
  int64_t dx_stride;
  uint32_t index;  // of the row's first element, logical, within the plane
  struct {
    Progression depth;
    Progression height;
  } windows;

  GradientRow(const Memory<T>& memory, int64_t number)
      : loop(memory.plan.loop), strides(memory.plan.input_gradient) {
    const PlaneStrides& output = memory.plan.output_gradient;
    const WindowRow row = InputRow(loop, number);
    winners = memory.winners + row.plane * loop.OutputPlaneSize();
    dy = memory.dy + strides.PlaneOffset(loop, row.plane);
    dx = memory.dx + output.PlaneOffset(loop, row.plane) + row.depth * output.spatial[0] +
         row.height * output.spatial[1];
    dx_stride = output.spatial[2];
    index = static_cast<uint32_t>(number % loop.InputRowsPerPlane() *
                                  loop.axes[WindowLoop::kWidth].input_size);
    windows = {WindowsOver(loop.axes[WindowLoop::kDepth], row.depth),
               WindowsOver(loop.axes[WindowLoop::kHeight], row.height)};
  }

  // The elements [begin, end), one at a time.
  void Collect(int64_t begin, int64_t end) const {
    for (int64_t p = begin; p < end; ++p) {
      const Progression width = WindowsOver(loop.axes[WindowLoop::kWidth], p);
      Round(Gradient(winners, dy, strides, loop, {windows.depth, windows.height, width},
                     index + static_cast<uint32_t>(p)),
            dx[p * dx_stride]);
    }
  }
};

// Calls find(row, first, count) for every row of windows, and afterwards
// collect(row, first, count) for every row of OutputGradientTensor that these
// windows see. Planes do not touch each other: where there are enough of them a
// plane goes through both phases while its winners are still in the cache.
template <typename Find, typename Collect>
void ForBothPhases(const WindowLoop& loop, const cpu::Executor& executor, const Find& find,
                   const Collect& collect) {
  const int64_t planes = loop.PlaneCount();
  const int64_t find_rows = loop.OutputRowsPerPlane();
  const int64_t collect_rows = loop.InputRowsPerPlane();
  const int64_t find_length = loop.axes[WindowLoop::kWidth].output_size;
  const int64_t collect_length = loop.axes[WindowLoop::kWidth].input_size;
  if (planes < 4 * int64_t{executor.threads()}) {
    cpu::ForEachPiece(planes * find_rows, find_length, loop.MostTaps(), executor, find);
    cpu::ForEachPiece(planes * collect_rows, collect_length, loop.MostTaps(), executor, collect);
    return;
  }
  const uint64_t work = static_cast<uint64_t>(loop.OutputPlaneSize()) * loop.MostTaps();
  executor.ParallelFor(static_cast<uint64_t>(planes), cpu::kElementsPerUnit / work,
                       [&](uint64_t begin, uint64_t end) {
                         for (auto plane = static_cast<int64_t>(begin);
                              plane < static_cast<int64_t>(end); ++plane) {
                           for (int64_t row = 0; row < find_rows; ++row) {
                             find(plane * find_rows + row, int64_t{0}, find_length);
                           }
                           for (int64_t row = 0; row < collect_rows; ++row) {
                             collect(plane * collect_rows + row, int64_t{0}, collect_length);
                           }
                         }
                       });
}

template <typename T>
void FindStridedRow(const Memory<T>& memory, int64_t number, int64_t first, int64_t count) {
  const WindowLoop& loop = memory.plan.loop;
  const WindowAxis& width = loop.axes[WindowLoop::kWidth];
  const WindowRow row = OutputRow(loop, number);
  WindowTaps taps = {TapsOf(loop.axes[WindowLoop::kDepth], row.depth),
                     TapsOf(loop.axes[WindowLoop::kHeight], row.height),
                     {}};
  for (int64_t o = first; o < first + count; ++o) {
    taps.width = TapsOf(width, o);
    memory.winners[number * width.output_size + o] =
        FindWinner(memory.InputPlane(row.plane), memory.plan.input, loop, taps).index;
  }
}

// One index per window.
uint64_t WinnerBytes(const Plan& plan) {
  return static_cast<uint64_t>(plan.loop.PlaneCount() * plan.loop.OutputPlaneSize()) *
         sizeof(uint32_t);
}

void RunStrided(const Plan& plan, const NoTables&, const Bindings& bindings,
                const cpu::Executor& executor) {
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    const Memory<T> memory(plan, bindings);
    ForBothPhases(
        plan.loop, executor,
        [&](int64_t row, int64_t first, int64_t count) {
          FindStridedRow(memory, row, first, count);
        },
        [&](int64_t row, int64_t first, int64_t count) {
          GradientRow<T>(memory, row).Collect(first, first + count);
        });
  });
}

using Strategy = StrategyOf<Plan, NoTables>;

}  // namespace

constinit const std::array<CpuStrategy, 6> kStrategies = {
    Strategy::Named<AcceptsSeparateChannels, RunSeparateChannels>("separate_channels"),
    Strategy::Named<AcceptsOneWindow, RunOneWindow>("one_window"),
    Strategy::Named<AcceptsColumnPairs, RunColumnPairs>("column_pairs"),
    Strategy::Named<AcceptsSharedColumns, RunSharedColumns>("shared_columns"),
    Strategy::Named<AcceptsAnyRows, RunAnyRows>("any_rows"),
    Strategy::Named<AcceptsAll<Plan>, RunStrided, WinnerBytes>("strided"),
};

}  // namespace anydml::window::gradient
