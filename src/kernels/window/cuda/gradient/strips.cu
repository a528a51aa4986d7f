// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cuda/launch.cuh"
#include "kernels/window/cuda/gradient/lane_strips.h"
#include "kernels/window/cuda/gradient/strategies.h"
#include "kernels/window/gradient.h"

namespace anydml::window::gradient {
namespace {

constexpr StripWindow kWindows[] = {{2, 2, 1}, {3, 2, 1}, {3, 1, 1},
                                    {2, 1, 1}, {5, 1, 1}, {3, 1, 2}};

StripWindow WindowOf(const WindowAxis& axis) {
  const auto small = [](int64_t value) { return static_cast<int>(std::min<int64_t>(value, 99)); };
  return {small(axis.window_size), small(axis.stride), small(axis.dilation)};
}

int FirstWindow(const WindowAxis& axis) {                     // that sees input 0
  const int64_t missing = axis.reach() - axis.start_padding;  // not negative
  return static_cast<int>(-(missing / axis.stride));
}

// A strip reads fewer than 16 bytes of gradients where the stride is above 1.
bool IsAligned(const StripGrid& grid, const StripWindow& window, const Bindings& bindings,
               uint32_t element_size) {
  const int columns = static_cast<int>(16 / element_size);
  return grid.width % columns == 0 && grid.out_width * window.stride == grid.width &&
         grid.x.IsAligned(bindings.inputs[0], element_size) &&
         grid.dy.IsAligned(bindings.inputs[1], element_size,
                           16 / static_cast<uint32_t>(window.stride)) &&
         grid.dx.IsAligned(bindings.outputs[0], element_size);
}

}  // namespace

Refusal AcceptsStrips(const Plan& plan) {
  const auto& [depth, height, width] = plan.loop.axes;
  if (!depth.is_trivial()) return {"there is a depth"};
  if (WindowOf(height) != WindowOf(width)) return {"the window is not square"};
  if (std::find(std::begin(kWindows), std::end(kWindows), WindowOf(width)) == std::end(kWindows)) {
    return {"there is no kernel for this window"};
  }
  if (!EveryWindowHasTaps(height) || !EveryWindowHasTaps(width)) {
    return {"there are windows that see only padding"};
  }
  if (std::max(height.input_size, width.input_size) > (1 << 30)) return {"an axis is too long"};
  return {};
}

// Without rows, which are the kernels' choice.
StripGrid MakeStripGrid(const Plan& plan) {
  const WindowLoop& loop = plan.loop;
  const auto& [depth, height, width] = loop.axes;
  const int64_t columns = plan.data_type == DataType::kFloat16 ? 8 : 4;
  const int64_t packs = CeilDivideSigned(width.input_size, columns);
  StripGrid grid = {};
  grid.packs = cuda::Divider(packs);
  grid.channels = cuda::Divider(loop.channels);
  grid.strips_per_chunk = static_cast<uint32_t>(packs * loop.PlaneCount());
  grid.height = static_cast<int>(height.input_size);
  grid.width = static_cast<int>(width.input_size);
  grid.out_height = static_cast<int>(height.output_size);
  grid.out_width = static_cast<int>(width.output_size);
  grid.pad_height = static_cast<int>(height.start_padding);
  grid.pad_width = static_cast<int>(width.start_padding);
  grid.first_window_row = FirstWindow(height);
  grid.first_window = FirstWindow(width);
  grid.x = cuda::RowTensorOf(plan.input);
  grid.dy = cuda::RowTensorOf(plan.input_gradient);
  grid.dx = cuda::RowTensorOf(plan.output_gradient);
  grid.channels_closest = grid.dx.column != 1 && grid.dx.channel < grid.dx.column;
  return grid;
}

void RunStrips(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  const StripGrid grid = MakeStripGrid(plan);
  const StripWindow window = WindowOf(plan.loop.axes[WindowLoop::kWidth]);
  const bool side_by_side = (grid.x.column == 1 || grid.width == 1) &&
                            (grid.dy.column == 1 || grid.out_width == 1) &&
                            (grid.dx.column == 1 || grid.width == 1);
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    const Access access = !side_by_side                                  ? Access::kApart
                          : IsAligned(grid, window, bindings, sizeof(T)) ? Access::kAligned
                                                                         : Access::kAnywhere;
    const bool done =
        (access == Access::kAligned &&
         LaunchLaneStrips<T>(grid, window, plan.loop.PlaneCount(), bindings, stream)) ||
        (access == Access::kApart && LaunchChannelStrips(plan, grid, window, bindings, stream));
    if (!done) LaunchStrips<T>(grid, window, access, bindings, stream);
  });
}

}  // namespace anydml::window::gradient
