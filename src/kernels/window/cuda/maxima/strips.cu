// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "backends/cuda/launch.cuh"
#include "kernels/window/cuda/maxima/strategies.h"
#include "kernels/window/cuda/maxima/strips.h"
#include "kernels/window/maximum.h"

namespace anydml::window::maxima {
namespace {

constexpr StripWindow kWindows[] = {{2, 2}, {3, 2}, {3, 1}, {2, 1}, {5, 1}};

StripWindow WindowOf(const WindowAxis& axis) {
  const auto small = [](int64_t value) { return static_cast<int>(std::min<int64_t>(value, 99)); };
  return {small(axis.window_size), small(axis.stride)};
}

// Rows per strip. The rows that two strips share are read twice, so more rows are
// less work; fewer rows are more threads.
int ChooseRows(int64_t strips_per_row, int64_t height) {
  constexpr int64_t kEnoughThreads = 200000;
  constexpr int64_t kMaxRows = 14;
  int64_t chunks = CeilDivideSigned(height, kMaxRows);
  while (strips_per_row * chunks < kEnoughThreads && height / chunks > 2) ++chunks;
  return static_cast<int>(CeilDivideSigned(height, chunks));
}

StripGrid MakeStripGrid(const Plan& plan, int64_t columns) {
  const WindowLoop& loop = plan.loop;
  const auto& [depth, height, width] = loop.axes;
  const int64_t packs = CeilDivideSigned(width.output_size, columns);
  StripGrid grid = {};
  grid.rows = ChooseRows(packs * loop.PlaneCount(), height.output_size);
  const int64_t chunks = CeilDivideSigned(height.output_size, grid.rows);
  grid.packs = cuda::Divider(packs);
  grid.chunks = cuda::Divider(chunks);
  grid.channels = cuda::Divider(loop.channels);
  grid.strips = static_cast<uint32_t>(packs * chunks * loop.PlaneCount());
  grid.height = static_cast<int>(height.input_size);
  grid.width = static_cast<int>(width.input_size);
  grid.out_height = static_cast<int>(height.output_size);
  grid.out_width = static_cast<int>(width.output_size);
  grid.pad_height = static_cast<int>(height.start_padding);
  grid.pad_width = static_cast<int>(width.start_padding);
  grid.x = cuda::RowTensorOf(plan.input);
  grid.y = cuda::RowTensorOf(plan.output);
  grid.indices = cuda::RowTensorOf(plan.indices);
  grid.index_type = plan.index_type;
  grid.channels_closest = grid.y.column != 1 && grid.y.channel < grid.y.column;
  return grid;
}

}  // namespace

Refusal AcceptsStrips(const Plan& plan) {
  const auto& [depth, height, width] = plan.loop.axes;
  if (plan.data_type != DataType::kFloat32 && plan.data_type != DataType::kFloat16) {
    return {"the data type is neither FLOAT32 nor FLOAT16"};
  }
  if (!depth.is_trivial()) return {"there is a depth"};
  if (height.dilation != 1 || width.dilation != 1) return {"the window is dilated"};
  if (WindowOf(height) != WindowOf(width)) return {"the window is not square"};
  if (std::find(std::begin(kWindows), std::end(kWindows), WindowOf(width)) == std::end(kWindows)) {
    return {"there is no kernel for this window"};
  }
  if (!EveryWindowHasTaps(height) || !EveryWindowHasTaps(width)) {
    return {"there are windows that see only padding"};
  }
  if (std::max(height.input_size, width.input_size) > (1 << 29)) return {"an axis is too long"};
  return {};
}

void RunStrips(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  DispatchType(TypeList<float, Float16>(), plan.data_type, [&]<typename T>() {
    constexpr int kColumns = 16 / sizeof(T);
    const StripGrid grid = MakeStripGrid(plan, kColumns);
    const StripWindow window = WindowOf(plan.loop.axes[WindowLoop::kWidth]);
    const bool side_by_side =
        (grid.x.column == 1 || grid.width == 1) && (grid.y.column == 1 || grid.out_width == 1);
    const bool aligned = grid.width % (kColumns * window.stride) == 0 &&
                         grid.out_width * window.stride == grid.width &&
                         grid.x.IsAligned(bindings.inputs[0], sizeof(T)) &&
                         grid.y.IsAligned(bindings.outputs[0], sizeof(T));
    const auto access = !side_by_side ? cuda::RowAccess::kApart
                        : aligned     ? cuda::RowAccess::kAligned
                                      : cuda::RowAccess::kAnywhere;
    LaunchStrips<T>(grid, window, access, bindings, stream);
  });
}

}  // namespace anydml::window::maxima
