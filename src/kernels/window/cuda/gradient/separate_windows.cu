// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Places (cuda::Maximum) are numbers of a cell's elements, falling in logical
// order, and only elements that are taps get into a maximum: the second walk
// over the cell compares places, and needs neither the input nor the taps.
#include "backends/cuda/launch.cuh"
#include "kernels/window/cuda/gradient/separate_cells.cuh"
#include "kernels/window/cuda/gradient/strategies.h"
#include "kernels/window/cuda/window_keys.cuh"
#include "kernels/window/cuda/window_place.cuh"
#include "kernels/window/gradient.h"

namespace anydml::window::gradient {
namespace {

constexpr int kHighestPlace = 0x7FFF;
constexpr int64_t kMaxOfThread = 1 << 12;  // elements of a cell
constexpr int64_t kMaxOfLanes = 1 << 20;
constexpr int64_t kManyElements = 40;  // from here on several lanes take a window

// `kCount` neighbouring channels.
template <typename T, int kCount>
__device__ cuda::Words<T, kCount> LoadChannels(const T* at) {
  if constexpr (kCount == 1) {
    if constexpr (sizeof(T) == 2) return {{at->bits}};
    if constexpr (sizeof(T) == 4) return {{__float_as_uint(*at)}};
  } else {
    return std::bit_cast<cuda::Words<T, kCount>>(cuda::LoadPack<cuda::Pack<T, kCount>>(at));
  }
}

template <typename T, int kCount>
__device__ void StoreChannels(const cuda::Pack<T, kCount>& pack, T* at) {
  if constexpr (kCount == 1) {
    *at = pack.values[0];
  } else {
    cuda::StorePack(pack, at);
  }
}

// A walk over coordinates, logical order.
struct Walk {
  Cell cells[3];
  int begin[3], end[3], step[3];
  int at[3];

  __device__ bool Next() {  // false at the end
    at[2] += step[2];
    if (at[2] < end[2]) return true;
    at[2] = begin[2];
    at[1] += step[1];
    if (at[1] < end[1]) return true;
    at[1] = begin[1];
    at[0] += step[0];
    return at[0] < end[0];
  }
  // The number within the cell.
  __device__ int Number() const {
    return ((at[0] - cells[0].begin) * cells[1].size() + at[1] - cells[1].begin) * cells[2].size() +
           at[2] - cells[2].begin;
  }
};

// Finds the winners of a window in `kCount` channels; kBatch loads at a time.
template <typename T, int kCount, int kBatch>
__device__ void FindWinners(const SeparateLoop& loop, Walk& walk, const T* x,
                            cuda::Maximum<T> (&winners)[kCount]) {
  const cuda::TapKeys<T, kCount> keys(0, kCount);
  bool more = true;
  for (int i = 0; i < 3; ++i) {
    walk.begin[i] = walk.at[i] = walk.cells[i].first;
    walk.end[i] = walk.cells[i].taps_end;
    walk.step[i] = loop.axes[i].dilation;
    more = more && walk.begin[i] < walk.end[i];
  }
  while (more) {
    cuda::Words<T, kCount> taps[kBatch];
    int places[kBatch];
#pragma unroll
    for (int i = 0; i < kBatch; ++i) {
      places[i] = -1;
      if (!more) continue;
      places[i] = kHighestPlace - walk.Number();
      taps[i] = LoadChannels<T, kCount>(x + walk.at[0] * loop.axes[0].x +
                                        walk.at[1] * loop.axes[1].x + walk.at[2] * loop.axes[2].x);
      more = walk.Next();
    }
#pragma unroll
    for (int i = 0; i < kBatch; ++i) {
      if (places[i] < 0) break;
      cuda::Maximum<T> single[kCount];
      keys.template Maxima<0>(taps[i], static_cast<uint32_t>(places[i]), single);
      for (int c = 0; c < kCount; ++c) winners[c] = cuda::Greater(winners[c], single[c]);
    }
  }
}

// A thread per window and pack of `kCount` channels.
template <typename T, int kCount, int kBatch>
__global__ void __launch_bounds__(cuda::kThreadsPerBlock)
    CollectCells(SeparateLoop loop, const T* x, const T* dy, T* dx) {
  const uint64_t number = cuda::ThreadNumber();
  if (number >= loop.windows) return;
  const cuda::WindowPlace place =
      cuda::WindowPlaceOf(loop, loop.output_sizes, static_cast<uint32_t>(number));
  const int64_t channel = int64_t{place.channel} * kCount;
  const auto gradients = LoadChannels<T, kCount>(
      dy + place.batch * loop.dy_batch + channel * loop.dy_channel + place.at[0] * loop.axes[0].dy +
      place.at[1] * loop.axes[1].dy + place.at[2] * loop.axes[2].dy);
  Walk walk;
  for (int i = 0; i < 3; ++i) walk.cells[i] = CellOf(loop.axes[i], place.at[i]);
  cuda::Maximum<T> winners[kCount] = {};
  FindWinners<T, kCount, kBatch>(
      loop, walk, x + place.batch * loop.x_batch + channel * loop.x_channel, winners);
  T values[kCount];
  for (int c = 0; c < kCount; ++c) {
    values[c] = cuda::Narrow<T>(__fadd_rn(cuda::FloatAt(gradients, c), 0.0f));
  }
  dx += place.batch * loop.dx_batch + channel * loop.dx_channel;
  uint32_t number_in_cell = kHighestPlace;
  for (int d = walk.cells[0].begin; d < walk.cells[0].end; ++d) {
    for (int h = walk.cells[1].begin; h < walk.cells[1].end; ++h) {
      T* row = dx + d * loop.axes[0].dx + h * loop.axes[1].dx;
      for (int w = walk.cells[2].begin; w < walk.cells[2].end; ++w, --number_in_cell) {
        cuda::Pack<T, kCount> pack;
        for (int c = 0; c < kCount; ++c) {
          pack.values[c] = winners[c].place() == number_in_cell ? values[c] : T{};
        }
        StoreChannels(pack, row + w * loop.axes[2].dx);
      }
    }
  }
}

SeparateLoop LoopOf(const Plan& plan, int64_t channels_per_pack) {
  SeparateLoop loop = {};
  const auto narrow = [](int64_t value) { return static_cast<int>(value); };
  for (size_t i = 0; i < 3; ++i) {
    const WindowAxis& axis = plan.loop.axes[i];
    loop.axes[i] = {.input_size = narrow(axis.input_size),
                    .output_size = narrow(axis.output_size),
                    .stride = narrow(axis.output_size == 1 ? 1 : axis.stride),
                    .dilation = narrow(axis.dilation),
                    .pad = narrow(axis.start_padding),
                    .reach = narrow(axis.reach()),
                    .x = plan.input.spatial[i],
                    .dy = plan.input_gradient.spatial[i],
                    .dx = plan.output_gradient.spatial[i]};
    loop.output_sizes[i] = cuda::Divider(static_cast<uint64_t>(axis.output_size));
  }
  const int64_t packs = plan.loop.channels / channels_per_pack;
  loop.channels = cuda::Divider(static_cast<uint64_t>(packs));
  loop.windows = static_cast<uint32_t>(plan.loop.batches * packs * plan.loop.OutputPlaneSize());
  loop.x_batch = plan.input.batch;
  loop.x_channel = plan.input.channel;
  loop.dy_batch = plan.input_gradient.batch;
  loop.dy_channel = plan.input_gradient.channel;
  loop.dx_batch = plan.output_gradient.batch;
  loop.dx_channel = plan.output_gradient.channel;
  return loop;
}

// The size of the largest cell, along an axis and in all.
int64_t CellSize(const WindowAxis& axis) {
  const int64_t last = (axis.output_size - 1) * axis.stride - axis.start_padding;
  const int64_t last_cell = axis.input_size - std::clamp<int64_t>(last, 0, axis.input_size);
  if (axis.output_size == 1) return last_cell;
  return std::max(last_cell, std::min(axis.stride, axis.input_size));
}

int64_t CellSize(const Plan& plan) {
  const auto& [depth, height, width] = plan.loop.axes;
  const int64_t most = kMaxOfLanes + 1;  // the product of three stays below 2^63
  return std::min(CellSize(depth), most) * std::min(CellSize(height), most) *
         std::min(CellSize(width), most);
}

Refusal AcceptsSeparate(const Plan& plan) {
  constexpr int64_t kMax = 1 << 28;
  for (const WindowAxis& axis : plan.loop.axes) {
    if (axis.output_size > 1 && axis.reach() >= axis.stride) return {"windows overlap"};
    const int64_t last_window = axis.output_size == 1 ? 0 : axis.output_size * axis.stride;
    if (std::max({axis.input_size, axis.dilation, axis.start_padding, axis.reach(), last_window}) >
        kMax) {
      return {"a size, a stride, a dilation or a padding is too large"};
    }
  }
  return {};
}

// Packs of channels of so many bytes, everywhere.
bool HasPacks(const Plan& plan, const Bindings& bindings, int64_t bytes, int64_t element_size) {
  const auto whole = [&](int64_t elements) { return elements * element_size % bytes == 0; };
  const auto aligned = [&](const PlaneStrides& strides, const void* data) {
    return reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(bytes) == 0 &&
           whole(strides.batch) &&
           std::all_of(strides.spatial.begin(), strides.spatial.end(), whole);
  };
  return whole(plan.loop.channels) && aligned(plan.input, bindings.inputs[0]) &&
         aligned(plan.input_gradient, bindings.inputs[1]) &&
         aligned(plan.output_gradient, bindings.outputs[0]);
}

template <typename T, int kCount, int kBatch>
void Launch(const Plan& plan, bool channels_closest, const Bindings& bindings,
            cuda::Stream stream) {
  SeparateLoop loop = LoopOf(plan, kCount);
  loop.channels_closest = channels_closest;
  CollectCells<T, kCount, kBatch>
      <<<cuda::BlocksFor(loop.windows), cuda::kThreadsPerBlock, 0, stream>>>(
          loop, bindings.Input<T>(0), bindings.Input<T>(1), bindings.Output<T>(0));
}

}  // namespace

Refusal AcceptsSeparateChannels(const Plan& plan) {
  for (const PlaneStrides* strides : {&plan.input, &plan.input_gradient, &plan.output_gradient}) {
    if (strides->channel != 1 || plan.loop.channels == 1)
      return {"channels do not lie side by side"};
  }
  if (CellSize(plan) > kMaxOfThread) return {"the windows are too large"};
  return AcceptsSeparate(plan);
}

void RunSeparateChannels(const Plan& plan, const NoTables&, const Bindings& bindings,
                         cuda::Stream stream) {
  constexpr int64_t kEnoughThreads = 132 * 1024;
  constexpr int64_t kFewElements = 8;
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    constexpr int kPack = 16 / sizeof(T);
    const int64_t packs = plan.loop.PlaneCount() * plan.loop.OutputPlaneSize() / kPack;
    const bool fills = packs >= kEnoughThreads || CellSize(plan) <= kFewElements;
    if (fills && HasPacks(plan, bindings, 16, sizeof(T))) {
      return Launch<T, kPack, 4>(plan, true, bindings, stream);
    }
    if (sizeof(T) == 2 && HasPacks(plan, bindings, 4, sizeof(T))) {
      return Launch<T, 4 / sizeof(T), 8>(plan, true, bindings, stream);
    }
    Launch<T, 1, 8>(plan, true, bindings, stream);
  });
}

Refusal AcceptsSeparateWindows(const Plan& plan) {
  if (CellSize(plan) > kMaxOfLanes) return {"the windows are too large"};
  return AcceptsSeparate(plan);
}

void RunSeparateWindows(const Plan& plan, const NoTables&, const Bindings& bindings,
                        cuda::Stream stream) {
  const int64_t elements = CellSize(plan);
  if (elements >= kManyElements) {
    const int64_t columns = CellSize(plan.loop.axes[WindowLoop::kWidth]);
    return RunLargeCells(LoopOf(plan, 1), plan.data_type, {elements, columns}, bindings, stream);
  }
  const int64_t column = plan.output_gradient.spatial[WindowLoop::kWidth];
  const bool channels_closest = column != 1 && plan.output_gradient.channel < column;
  DispatchType(Types(), plan.data_type,
               [&]<typename T>() { Launch<T, 1, 4>(plan, channels_closest, bindings, stream); });
}

}  // namespace anydml::window::gradient
