// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Strips (strips.cuh) of FLOAT16 where channels lie side by side: a thread walks
// down four columns of two channels, which share every word that is loaded or
// stored, and have slots of their own.
#include "kernels/window/cuda/gradient/strip_rows.h"
#include "kernels/window/cuda/window_keys.cuh"

namespace anydml::window::gradient {
namespace {

constexpr int kChannels = 2;
constexpr int kBlocks = 5;  // of a multiprocessor
using Halves = cuda::Maximum<Float16>;

template <int kSize, int kStride>
struct ChannelShape {
  static constexpr int kColumns = 4;
  static constexpr int kReach = kSize - 1;
  static constexpr int kWindows = (kColumns - 1 + kReach) / kStride + 1;
  static constexpr int kTaps = (kWindows - 1) * kStride + kReach + 1;
  static constexpr int kLiveRows = std::max(kReach + 1, kStride);
  static constexpr int kWarmUp = (kLiveRows - 1) / kStride;
  static constexpr int kUnroll = kStride == 1 ? kLiveRows : 2;
  static constexpr int kSlotRows = 4;
  static constexpr int kSlotColumns = 8;
  static constexpr int kSlots = kSlotRows * kSlotColumns;
  static constexpr int kThreads = 128;
  static constexpr int kPitch = kThreads * sizeof(float);  // from slot to slot, in bytes
  static_assert(kLiveRows <= kSlotRows && kTaps <= kSlotColumns);
};

// Slots of one thread: channels, rows in a ring, columns from last to first. A
// place falls from row to row and from column to column; its lower bits are the slot.
template <typename Shape>
class ChannelSlots {
 public:
  __device__ explicit ChannelSlots(float* memory)
      : memory_(reinterpret_cast<char*>(memory) + threadIdx.x * sizeof(float)) {}

  __device__ static uint32_t FirstPlace(int row_number) {
    return (kHighest - row_number) * Shape::kSlotColumns + Shape::kSlotColumns - 1;
  }
  __device__ float& At(int channel, int row_number, int column) const {
    return *Slot(channel, FirstPlace(row_number) - column);
  }
  __device__ void Add(int channel, const Halves& winner, float gradient) const {
    float* slot = Slot(channel, winner.word);
    *slot = __fadd_rn(*slot, gradient);
  }

 private:
  static constexpr int kHighest = 2047;  // number of a row; strips are shorter

  __device__ float* Slot(int channel, uint32_t place) const {
    const uint32_t address = place * Shape::kPitch & (Shape::kSlots - 1) * Shape::kPitch;
    return reinterpret_cast<float*>(memory_ + channel * Shape::kSlots * Shape::kPitch + address);
  }

  char* memory_;
};

// Words of two channels.
struct ChannelPlace {
  const uint32_t* x;  // the first column of the plane's first row
  const uint32_t* dy;
  uint32_t* dx;
  int column, row;
};

// Strides count words from here on.
__device__ ChannelPlace PlaceOf(const StripGrid& grid, uint32_t number, const uint32_t* x,
                                const uint32_t* dy, uint32_t* dx) {
  uint32_t channel = number;
  uint32_t pack = grid.channels.Split(channel);
  uint32_t chunk = grid.packs.Split(pack);
  const uint32_t batch = grid.chunks.Split(chunk);
  return {x + batch * grid.x.batch + channel, dy + batch * grid.dy.batch + channel,
          dx + batch * grid.dx.batch + channel, static_cast<int>(pack) * 4,
          static_cast<int>(chunk) * grid.rows};
}

// Words of columns `first` and on; 0 outside the row.
template <int kCount>
__device__ void LoadColumns(const uint32_t* row, int64_t stride, int first, int row_size,
                            uint32_t (&words)[kCount]) {
  const uint32_t* at = row + first * stride;
#pragma unroll
  for (int i = 0; i < kCount; ++i, at += stride) {
    words[i] = first + i >= 0 && first + i < row_size ? *at : 0;
  }
}

// The taps of a row, by channel.
template <int kTaps>
__device__ void TapsOf(const uint32_t (&words)[kTaps], const uint32_t (&masks)[kTaps],
                       uint32_t first_place, Halves (&taps)[kChannels][kTaps]) {
#pragma unroll
  for (int i = 0; i < kTaps; ++i) {
    const uint32_t keys = cuda::KeysOf(words[i]) & masks[i];
    taps[0][i].word = cuda::Permute(keys, first_place - i, 0x1054);
    taps[1][i].word = cuda::Permute(keys, first_place - i, 0x3254);
  }
}

template <typename Shape>
__device__ void StoreColumns(const ChannelSlots<Shape>& slots, const StripGrid& grid,
                             const ChannelPlace& place, int row, int row_number, int own_slot) {
  uint32_t* at = place.dx + row * grid.dx.row + place.column * grid.dx.column;
#pragma unroll
  for (int i = 0; i < Shape::kColumns; ++i, at += grid.dx.column) {
    const uint32_t low = cuda::Narrow<Float16>(slots.At(0, row_number, own_slot + i)).bits;
    const uint32_t high = cuda::Narrow<Float16>(slots.At(1, row_number, own_slot + i)).bits;
    if (place.column + i < grid.width) *at = low | high << 16;
  }
}

template <int kSize, int kStride>
__global__ void __launch_bounds__(ChannelShape<kSize, kStride>::kThreads, kBlocks)
    WalkChannels(StripGrid grid, const uint32_t* x, const uint32_t* dy, uint32_t* dx) {
  using Shape = ChannelShape<kSize, kStride>;
  constexpr int kLive = Shape::kLiveRows;
  __shared__ float memory[kChannels * Shape::kSlots * Shape::kThreads];
  const auto number = static_cast<uint32_t>(cuda::ThreadNumber());
  if (number >= grid.strips) return;
  const ChannelPlace place = PlaceOf(grid, number, x, dy, dx);
  const ChannelSlots<Shape> slots(memory);
  const int first_window = place.column / kStride + grid.first_window;
  const int first_tap = first_window * kStride - grid.pad_width;
  const int own_slot = place.column - first_tap;
  const int window_row0 = place.row / kStride + grid.first_window_row;
  const int row0 = window_row0 * kStride - grid.pad_height;  // its first input row
  uint32_t masks[Shape::kTaps];
  for (int i = 0; i < Shape::kTaps; ++i) {
    masks[i] = first_tap + i >= 0 && first_tap + i < grid.width ? 0xFFFFFFFFu : 0;
  }

  // Loads of one iteration: the new rows, and the gradients of its windows.
  uint32_t words[kStride][Shape::kTaps];
  uint32_t gradients[Shape::kWindows];
  const auto has_row = [&](int row) { return row >= row0 && row >= 0 && row < grid.height; };
  const auto load = [&](int iteration) {
    if (iteration >= grid.iterations) return;
    for (int s = 0; s < kStride; ++s) {
      const int row = row0 + iteration * kStride + kLive - kStride + s;
      if (has_row(row)) {
        LoadColumns(place.x + row * grid.x.row, grid.x.column, first_tap, grid.width, words[s]);
      }
    }
    const int window_row = window_row0 + iteration;
    if (iteration < 0 || window_row < 0 || window_row >= grid.out_height) return;
    LoadColumns(place.dy + window_row * grid.dy.row, grid.dy.column, first_window, grid.out_width,
                gradients);
  };

  Halves maxima[kLive][kChannels][Shape::kWindows] = {};
  load(-Shape::kWarmUp);
#pragma unroll 1
  for (int begin = -Shape::kWarmUp; begin < grid.iterations; begin += Shape::kUnroll) {
#pragma unroll
    for (int u = 0; u < Shape::kUnroll; ++u) {
      const int iteration = begin + u;
      if (iteration >= grid.iterations) break;
#pragma unroll
      for (int k = 0; k + kStride < kLive; ++k) {
        for (int w = 0; w < kChannels * Shape::kWindows; ++w) {
          maxima[k][w / Shape::kWindows][w % Shape::kWindows] =
              maxima[k + kStride][w / Shape::kWindows][w % Shape::kWindows];
        }
      }
#pragma unroll
      for (int s = 0; s < kStride; ++s) {
        const int row_number = (iteration + Shape::kWarmUp) * kStride + s;
        const bool there = has_row(row0 + iteration * kStride + kLive - kStride + s);
        Halves taps[kChannels][Shape::kTaps];
        TapsOf(words[s], masks, slots.FirstPlace(row_number), taps);
        for (int c = 0; c < kChannels; ++c) {
          auto& row_maxima = maxima[kLive - kStride + s][c];
          cuda::MaximaOfRow<kSize, kStride, 1, Shape::kWindows>(taps[c], row_maxima);
          for (int w = 0; w < Shape::kWindows; ++w) row_maxima[w].word *= there;
          for (int i = 0; i < Shape::kColumns; ++i) slots.At(c, row_number, own_slot + i) = 0;
        }
      }
      cuda::Words<Float16, 2 * Shape::kWindows> held;
      for (int w = 0; w < Shape::kWindows; ++w) held.values[w] = gradients[w];
      load(iteration + 1);
      if (iteration < 0) continue;
      const int window_row = window_row0 + iteration;
      if (window_row >= 0 && window_row < grid.out_height) {
        for (int c = 0; c < kChannels; ++c) {
          for (int w = 0; w < Shape::kWindows; ++w) {
            Halves column[kLive];
            for (int k = 0; k < kLive; ++k) column[k] = maxima[k][c][w];
            slots.Add(c, cuda::GreatestOf<kSize, 1>(column), cuda::FloatAt(held, 2 * w + c));
          }
        }
      }
      for (int s = 0; s < kStride; ++s) {
        const int row = row0 + iteration * kStride + s;
        const int row_number = (iteration + Shape::kWarmUp) * kStride + s - (kLive - kStride);
        if (row >= place.row && row < place.row + grid.rows && row < grid.height) {
          StoreColumns(slots, grid, place, row, row_number, own_slot);
        }
      }
    }
  }
}

// Counts words of two channels instead of elements.
cuda::RowTensor InWords(const cuda::RowTensor& tensor) {
  return {tensor.batch / 2, tensor.channel, tensor.row / 2, tensor.column / 2};
}

StripGrid InWords(const StripGrid& strip, const Plan& plan, const StripCosts& costs) {
  StripGrid grid = strip;
  const int64_t packs = CeilDivideSigned(grid.width, costs.columns);
  const int64_t pairs = plan.loop.channels / kChannels;
  const int64_t columns = packs * pairs * plan.loop.batches;
  const int64_t chunks = SetRows(grid, CeilDivideSigned(columns, 32), costs);
  grid.packs = cuda::Divider(static_cast<uint64_t>(packs));
  grid.channels = cuda::Divider(static_cast<uint64_t>(pairs));
  grid.strips = static_cast<uint32_t>(columns * chunks);
  grid.x = InWords(grid.x);
  grid.dy = InWords(grid.dy);
  grid.dx = InWords(grid.dx);
  return grid;
}

template <int kSize, int kStride>
bool TryChannelStrips(const Plan& plan, const StripGrid& strip, const StripWindow& window,
                      const Bindings& bindings, cuda::Stream stream) {
  if (window != StripWindow{kSize, kStride, 1}) return false;
  using Shape = ChannelShape<kSize, kStride>;
  constexpr auto kKernel = WalkChannels<kSize, kStride>;
  const StripGrid grid = InWords(strip, plan,
                                 {.columns = Shape::kColumns,
                                  .stride = kStride,
                                  .warm_up = Shape::kWarmUp,
                                  .warps_at_once = WarpsAtOnce<kKernel>(Shape::kThreads)});
  kKernel<<<cuda::BlocksFor(grid.strips, Shape::kThreads), Shape::kThreads, 0, stream>>>(
      grid, bindings.Input<uint32_t>(0), bindings.Input<uint32_t>(1), bindings.Output<uint32_t>(0));
  return true;
}

bool HasPairs(const cuda::RowTensor& tensor, const void* data) {
  return tensor.channel == 1 && tensor.batch % 2 == 0 && tensor.row % 2 == 0 &&
         tensor.column % 2 == 0 && reinterpret_cast<uintptr_t>(data) % 4 == 0;
}

}  // namespace

bool LaunchChannelStrips(const Plan& plan, const StripGrid& strip, const StripWindow& window,
                         const Bindings& bindings, cuda::Stream stream) {
  if (plan.data_type != DataType::kFloat16 || plan.loop.channels % kChannels != 0 ||
      !HasPairs(strip.x, bindings.inputs[0]) || !HasPairs(strip.dy, bindings.inputs[1]) ||
      !HasPairs(strip.dx, bindings.outputs[0])) {
    return false;
  }
  return TryChannelStrips<3, 2>(plan, strip, window, bindings, stream) ||
         TryChannelStrips<3, 1>(plan, strip, window, bindings, stream) ||
         TryChannelStrips<2, 1>(plan, strip, window, bindings, stream);
}

}  // namespace anydml::window::gradient
