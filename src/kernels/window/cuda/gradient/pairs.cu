// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Windows of two by two (by two) side by side without padding: every element of
// OutputGradientTensor belongs to one window at most. A thread finds the winners
// of 16 bytes of columns in all rows of a window row and writes those rows.
#include "backends/cuda/launch.cuh"
#include "kernels/window/cuda/gradient/strategies.h"
#include "kernels/window/cuda/window_keys.cuh"
#include "kernels/window/gradient.h"

namespace anydml::window::gradient {
namespace {

struct PairTensor {
  int64_t batch, channel, depth, row;
};

struct PairGrid {
  cuda::Divider packs;  // of a row
  cuda::Divider rows;   // of windows, also where only elements without one are left
  cuda::Divider depths;
  cuda::Divider channels;
  uint32_t threads;
  int depth, height, width;
  int out_depth, out_height, out_width;
  PairTensor x, dy, dx;
};

// `kCount` elements from number `first` of the row on.
template <typename T, int kCount, bool kAligned>
__device__ cuda::Words<T, kCount> LoadPairs(const T* row, int first, int row_size) {
  if constexpr (kAligned) {
    using P = cuda::Pack<T, kCount>;
    return std::bit_cast<cuda::Words<T, kCount>>(cuda::LoadPack<P>(row + first));
  } else {
    return cuda::LoadAnywhere<T, kCount>(row, first, row_size);
  }
}

template <typename T, int kDepth, bool kAligned>
__global__ void __launch_bounds__(cuda::kThreadsPerBlock)
    CollectPairs(PairGrid grid, const T* x, const T* dy, T* dx) {
  constexpr int kColumns = 16 / sizeof(T);
  constexpr int kWindows = kColumns / 2;
  constexpr int kRows = kDepth * 2;
  const auto number = static_cast<uint32_t>(cuda::ThreadNumber());
  const bool active = number < grid.threads;
  if (kAligned && !active) return;
  uint32_t pack = active ? number : grid.threads - 1;
  uint32_t window_row = grid.packs.Split(pack);
  uint32_t window_depth = grid.rows.Split(window_row);
  uint32_t channel = grid.depths.Split(window_depth);
  const uint32_t batch = grid.channels.Split(channel);
  const auto neighbours = cuda::RowNeighbours::Of(number, grid.threads, static_cast<int>(pack),
                                                  static_cast<int>(grid.packs.divisor()));
  const int column = static_cast<int>(pack) * kColumns;
  const int row0 = static_cast<int>(window_row) * 2;
  const int depth0 = static_cast<int>(window_depth) * kDepth;
  const auto offset = [&](const PairTensor& tensor, int depth, int row) {
    return batch * tensor.batch + channel * tensor.channel + depth * tensor.depth +
           row * tensor.row;
  };

  cuda::Words<T, kColumns> taps[kRows] = {};
  for (int r = 0; r < kRows; ++r) {
    const int depth = depth0 + r / 2;
    const int row = row0 + r % 2;
    if (depth >= grid.depth || row >= grid.height) continue;
    taps[r] = LoadPairs<T, kColumns, kAligned>(x + offset(grid.x, depth, row), column, grid.width);
  }
  cuda::Words<T, kWindows> gradients = {};
  const bool seen = static_cast<int>(window_row) < grid.out_height &&
                    static_cast<int>(window_depth) < grid.out_depth;
  if (seen) {
    gradients = LoadPairs<T, kWindows, kAligned>(
        dy + offset(grid.dy, static_cast<int>(window_depth), static_cast<int>(window_row)),
        column / 2, grid.out_width);
  }

  // Places: 16 per row, falling.
  cuda::Maximum<T> winners[kWindows] = {};
  const cuda::TapKeys<T, kColumns> keys(column, grid.width);
  for (int r = 0; r < kRows; ++r) {
    if (depth0 + r / 2 >= grid.depth || row0 + r % 2 >= grid.height) continue;
    cuda::Maximum<T> single[kColumns];
    keys.template Maxima<1>(taps[r], (kRows - r) * 16 - 1, single);
    for (int w = 0; w < kWindows; ++w) {
      winners[w] = cuda::Greater(winners[w], cuda::Greater(single[2 * w], single[2 * w + 1]));
    }
  }
  T values[kWindows];
  for (int w = 0; w < kWindows; ++w) {
    const bool has_window = seen && (kAligned || column / 2 + w < grid.out_width);
    const float sum = has_window ? __fadd_rn(cuda::FloatAt(gradients, w), 0.0f) : 0.0f;
    values[w] = cuda::Narrow<T>(sum);
  }
  for (int r = 0; r < kRows; ++r) {
    const int depth = depth0 + r / 2;
    const int row = row0 + r % 2;
    const bool inside = depth < grid.depth && row < grid.height;
    cuda::Pack<T> result;
    for (int i = 0; i < kColumns; ++i) {
      const uint32_t place = (kRows - r) * 16 - 1 - i;
      result.values[i] = winners[i / 2].place() == place ? values[i / 2] : T{};
    }
    T* to = dx + offset(grid.dx, depth, row);
    if constexpr (kAligned) {
      if (inside) cuda::StorePack(result, to + column);
    } else {
      cuda::StoreAnywhere(result, to, column, grid.width, neighbours, active && inside);
    }
  }
}

bool IsPair(const WindowAxis& axis) {
  return axis.window_size == 2 && axis.stride == 2 && axis.dilation == 1 && axis.start_padding == 0;
}

PairTensor TensorOf(const PlaneStrides& strides) {
  const auto [depth, row, column] = strides.spatial;
  return {strides.batch, strides.channel, depth, row};
}

PairGrid GridOf(const Plan& plan) {
  const WindowLoop& loop = plan.loop;
  const auto& [depth, height, width] = loop.axes;
  const int64_t columns = plan.data_type == DataType::kFloat16 ? 8 : 4;
  const int64_t packs = CeilDivideSigned(width.input_size, columns);
  const int64_t rows = CeilDivideSigned(height.input_size, 2);
  const int64_t depths = CeilDivideSigned(depth.input_size, depth.window_size);
  return {.packs = cuda::Divider(packs),
          .rows = cuda::Divider(rows),
          .depths = cuda::Divider(depths),
          .channels = cuda::Divider(loop.channels),
          .threads = static_cast<uint32_t>(packs * rows * depths * loop.PlaneCount()),
          .depth = static_cast<int>(depth.input_size),
          .height = static_cast<int>(height.input_size),
          .width = static_cast<int>(width.input_size),
          .out_depth = static_cast<int>(depth.output_size),
          .out_height = static_cast<int>(height.output_size),
          .out_width = static_cast<int>(width.output_size),
          .x = TensorOf(plan.input),
          .dy = TensorOf(plan.input_gradient),
          .dx = TensorOf(plan.output_gradient)};
}

bool IsAligned(const PairTensor& tensor, const void* data, int64_t unit, uint32_t element_size) {
  const auto whole = [&](int64_t elements) { return elements * element_size % unit == 0; };
  return reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(unit) == 0 &&
         whole(tensor.batch) && whole(tensor.channel) && whole(tensor.depth) && whole(tensor.row);
}

template <typename T, int kDepth>
void Launch(const PairGrid& grid, const Bindings& bindings, cuda::Stream stream) {
  const bool aligned = grid.width % (16 / sizeof(T)) == 0 && grid.out_width * 2 == grid.width &&
                       IsAligned(grid.x, bindings.inputs[0], 16, sizeof(T)) &&
                       IsAligned(grid.dy, bindings.inputs[1], 8, sizeof(T)) &&
                       IsAligned(grid.dx, bindings.outputs[0], 16, sizeof(T));
  const auto kernel = aligned ? CollectPairs<T, kDepth, true> : CollectPairs<T, kDepth, false>;
  kernel<<<cuda::BlocksFor(grid.threads), cuda::kThreadsPerBlock, 0, stream>>>(
      grid, bindings.Input<T>(0), bindings.Input<T>(1), bindings.Output<T>(0));
}

}  // namespace

Refusal AcceptsPairs(const Plan& plan) {
  const auto& [depth, height, width] = plan.loop.axes;
  if (!IsPair(width) || !IsPair(height) || !(IsPair(depth) || depth.is_trivial())) {
    return {"the window is not of two elements, side by side and without padding"};
  }
  for (const PlaneStrides* strides : {&plan.input, &plan.input_gradient, &plan.output_gradient}) {
    if (strides->spatial[WindowLoop::kWidth] != 1) return {"elements of a row lie apart"};
  }
  for (const WindowAxis& axis : plan.loop.axes) {
    if (axis.input_size > (1 << 30)) return {"an axis is too long"};
  }
  return {};
}

void RunPairs(const Plan& plan, const NoTables&, const Bindings& bindings, cuda::Stream stream) {
  const PairGrid grid = GridOf(plan);
  const bool volume = IsPair(plan.loop.axes[WindowLoop::kDepth]);
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    if (volume) {
      Launch<T, 2>(grid, bindings, stream);
    } else {
      Launch<T, 1>(grid, bindings, stream);
    }
  });
}

}  // namespace anydml::window::gradient
