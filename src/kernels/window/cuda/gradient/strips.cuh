// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A thread owns a strip of OutputGradientTensor: 16 bytes of columns, some rows.
// It walks down the window rows that touch the strip, finds the winner of every
// window that reaches its columns, and adds the window's gradient to the
// winner's slot in shared memory: slots are the thread's own, so there are no
// conflicts and the order is that of the walk, which is ascending (B13). Windows
// at the borders of strips are found by both neighbours; each keeps only what
// falls into its own columns. A row is written when the last window row over it
// is done.
#pragma once

#include <bit>

#include "kernels/window/cuda/gradient/strips.h"
#include "kernels/window/cuda/window_keys.cuh"

namespace anydml::window::gradient {

// kPad: the padding along the width where kAccess is kAligned; elsewhere it is
// known at run time only.
template <typename T, int kSize, int kStride, int kDilation, Access kAccess, int kPad>
struct StripShape {
  static constexpr bool kIsAligned = kAccess == Access::kAligned;
  static constexpr int kColumns = 16 / sizeof(T);
  static constexpr int kReach = (kSize - 1) * kDilation;
  static constexpr int kWindows = (kColumns - 1 + kReach) / kStride + 1;
  // The first of them, and its first tap, counted from the strip's first column.
  static constexpr int kFirstWindow =
      kPad >= kReach ? (kPad - kReach + kStride - 1) / kStride : -((kReach - kPad) / kStride);
  static constexpr int kFirstTap = kFirstWindow * kStride - kPad;
  // Aligned words begin with an even element.
  static constexpr int kPerWord = kIsAligned ? 4 / sizeof(T) : 1;
  static constexpr int Below(int n) { return n - (n % kPerWord + kPerWord) % kPerWord; }
  static constexpr int kTapLead = kIsAligned ? kFirstTap - Below(kFirstTap) : 0;
  static constexpr int kWindowLead = kIsAligned ? kFirstWindow - Below(kFirstWindow) : 0;
  static constexpr int kTaps = (kWindows - 1) * kStride + kReach + 1 + kTapLead;
  static constexpr int kGradients = kWindows + kWindowLead;

  // Rows that a window row may hand to, and slots for them.
  static constexpr int kLiveRows = kReach + 1 > kStride ? kReach + 1 : kStride;
  static constexpr int kSlotRows = std::bit_ceil(static_cast<unsigned>(kLiveRows));
  static constexpr int kSlotColumns =
      sizeof(T) == 2 ? 16 : std::bit_ceil(static_cast<unsigned>(kTaps));
  static constexpr int kThreads = kSlotRows * kSlotColumns > 64 ? 64 : 128;
  static constexpr int kPitch = kThreads * sizeof(float);  // from slot to slot, in bytes
  static constexpr int kSlots = kSlotRows * kSlotColumns;
  static_assert(kTaps <= kSlotColumns);

  static constexpr int kWarmUp = (kLiveRows - kStride + kStride - 1) / kStride;
  // Unrolled, the rows of maxima change names instead of registers. Measured:
  // aligned FLOAT32 rather wants the registers for more threads.
  static constexpr bool kFewRegisters = kIsAligned && sizeof(T) == 4 && kReach <= 2;
  static constexpr int kUnroll = kFewRegisters ? 1 : kStride == 1 ? kLiveRows : 2;
  static constexpr int kMinBlocks = kFewRegisters ? 5 : kReach <= 2 ? 4 : 1;
};

// Where a thread works.
template <typename T>
struct StripPlace {
  const T* x;  // the plane's first elements
  const T* dy;
  T* dx;
  int pack;    // among those of a row
  int column;  // first one owned
  int row;
};

template <typename T, int kColumns>
__device__ inline StripPlace<T> PlaceOf(const StripGrid& grid, uint32_t number, const T* x,
                                        const T* dy, T* dx) {
  const auto [batch, channel, pack, chunk] = grid.PositionOf(number);
  return {x + batch * grid.x.batch + channel * grid.x.channel,
          dy + batch * grid.dy.batch + channel * grid.dy.channel,
          dx + batch * grid.dx.batch + channel * grid.dx.channel,
          pack,
          pack * kColumns,
          chunk * grid.rows};
}

// Slots of one thread: rows in a ring, columns from last to first.
template <typename Shape, typename T>
class StripSlots {
 public:
  __device__ explicit StripSlots(float* memory) : memory_(reinterpret_cast<char*>(memory)) {}

  // The place (cuda::Maximum) of the first tap of a row. FLOAT16 places fall from
  // row to row, and their lower bits are the slot; FLOAT32 places are the slot's
  // address.
  __device__ uint32_t FirstPlace(int row_number) const {
    const uint32_t row = kHighest - row_number;
    if constexpr (sizeof(T) == 2) return row * Shape::kSlotColumns + Shape::kSlotColumns - 1;
    return Address(row, 0);
  }
  static constexpr int kPlaceStep = sizeof(T) == 2 ? 1 : Shape::kPitch;

  // What a row of padding holds. It may stay the maximum of a window that does not
  // exist, whose gradient is 0: its place, too, must be a slot of this thread.
  __device__ cuda::Maximum<T> Nothing() const {
    cuda::Maximum<T> nothing;
    if constexpr (sizeof(T) == 4) nothing.number = Own();
    return nothing;
  }

  __device__ void Add(const cuda::Maximum<T>& winner, float gradient) const {
    uint32_t address = winner.place();
    if constexpr (sizeof(T) == 2) {
      address = (winner.word * Shape::kPitch & (Shape::kSlots - 1) * Shape::kPitch) | Own();
    }
    auto* slot = reinterpret_cast<float*>(memory_ + address);
    *slot = __fadd_rn(*slot, gradient);
  }

  __device__ float& At(int row_number, int column) const {
    return *reinterpret_cast<float*>(memory_ + Address(kHighest - row_number, column));
  }

 private:
  static constexpr int kHighest = 2047;  // number of a row; strips are shorter

  __device__ static uint32_t Own() { return threadIdx.x * sizeof(float); }
  __device__ static uint32_t Address(uint32_t row, int column) {
    const uint32_t ring = row % Shape::kSlotRows;
    return (ring * Shape::kSlotColumns + Shape::kSlotColumns - 1 - column) * Shape::kPitch + Own();
  }

  char* memory_;
};

// Writes the own columns of a row whose `first` slot column is the strip's first.
// Where rows begin anywhere the whole warp takes part; nothing is stored where
// `stores` is false.
template <typename Shape, Access kAccess, typename T>
__device__ inline void StoreRow(const StripSlots<Shape, T>& slots, const StripGrid& grid,
                                const StripPlace<T>& place, int row, int row_number, int first,
                                const cuda::RowNeighbours& neighbours, bool stores) {
  if (kAccess != Access::kAnywhere && !stores) return;
  T* at = place.dx + row * grid.dx.row;
  cuda::Pack<T> pack;
  for (int i = 0; i < Shape::kColumns; ++i) {
    pack.values[i] = cuda::Narrow<T>(slots.At(row_number, first + i));
  }
  if constexpr (kAccess == Access::kAligned) {
    cuda::StorePack(pack, at + place.column);
  } else if constexpr (kAccess == Access::kAnywhere) {
    cuda::StoreAnywhere(pack, at, place.column, grid.width, neighbours, stores);
  } else {
    at += place.column * grid.dx.column;
    for (int i = 0; i < Shape::kColumns; ++i, at += grid.dx.column) {
      if (place.column + i < grid.width) *at = pack.values[i];
    }
  }
}

template <typename T, int kSize, int kStride, int kDilation, Access kAccess, int kPad>
__global__ void __launch_bounds__(
    StripShape<T, kSize, kStride, kDilation, kAccess, kPad>::kThreads,
    StripShape<T, kSize, kStride, kDilation, kAccess, kPad>::kMinBlocks)
    WalkStrips(StripGrid grid, const T* x, const T* dy, T* dx) {
  using Shape = StripShape<T, kSize, kStride, kDilation, kAccess, kPad>;
  constexpr int kLive = Shape::kLiveRows;
  __shared__ float memory[Shape::kSlots * Shape::kThreads];

  const auto number = static_cast<uint32_t>(cuda::ThreadNumber());
  const bool active = number < grid.strips;
  if (kAccess != Access::kAnywhere && !active) return;
  const StripPlace<T> place =
      PlaceOf<T, Shape::kColumns>(grid, active ? number : grid.strips - 1, x, dy, dx);
  const auto neighbours = cuda::RowNeighbours::Of(number, grid.strips, place.pack,
                                                  static_cast<int>(grid.packs.divisor()));

  const int first_window =
      place.column / kStride + (Shape::kIsAligned ? Shape::kFirstWindow : grid.first_window);
  const int first_tap =
      Shape::kIsAligned ? place.column + Shape::kFirstTap : first_window * kStride - grid.pad_width;
  constexpr int kOwnTap = Shape::kIsAligned ? Shape::kTapLead - Shape::kFirstTap : 0;
  constexpr int kOwnEnd = Shape::kIsAligned ? kOwnTap + Shape::kColumns : 0;
  const cuda::TapKeys<T, Shape::kTaps, kOwnTap, kOwnEnd> keys(first_tap - Shape::kTapLead,
                                                              grid.width);
  const int own_slot = Shape::kIsAligned ? kOwnTap : place.column - first_tap;
  const StripSlots<Shape, T> slots(memory);

  const int window_row0 = place.row / kStride + grid.first_window_row;
  const int row0 = window_row0 * kStride - grid.pad_height;  // its first input row

  // Loads of one iteration: the new rows, and the gradients of its windows.
  cuda::Words<T, Shape::kTaps> taps[kStride];
  cuda::Words<T, Shape::kGradients> gradients;
  auto load = [&](int iteration) {
    for (int s = 0; s < kStride; ++s) {
      const int row = row0 + iteration * kStride + kLive - kStride + s;
      taps[s] = {};
      if (row < 0 || row >= grid.height || row < row0 || iteration >= grid.iterations) continue;
      taps[s] = cuda::LoadRow<T, kAccess, Shape::kFirstTap - Shape::kTapLead, Shape::kTaps,
                              Shape::kColumns>(grid.x, place.x, row, place.column,
                                               first_tap - Shape::kTapLead, grid.width);
    }
    const int window_row = window_row0 + iteration;
    gradients = {};
    if (iteration < 0 || iteration >= grid.iterations) return;
    if (window_row < 0 || window_row >= grid.out_height) return;
    gradients = cuda::LoadRow<T, kAccess, Shape::kFirstWindow - Shape::kWindowLead,
                              Shape::kGradients, Shape::kColumns / kStride>(
        grid.dy, place.dy, window_row, place.column / kStride, first_window - Shape::kWindowLead,
        grid.out_width);
  };

  cuda::Maximum<T> maxima[kLive][Shape::kWindows] = {};
  load(-Shape::kWarmUp);
#pragma unroll 1
  for (int begin = -Shape::kWarmUp; begin < grid.iterations; begin += Shape::kUnroll) {
#pragma unroll
    for (int u = 0; u < Shape::kUnroll; ++u) {
      const int iteration = begin + u;
      if (iteration >= grid.iterations) break;
      // Maxima of the new rows of taps, along the width.
      cuda::DropRows<kStride>(maxima);
#pragma unroll
      for (int s = 0; s < kStride; ++s) {
        const int row_number = (iteration + Shape::kWarmUp) * kStride + s;
        const int row = row0 + iteration * kStride + kLive - kStride + s;
        if (row >= 0 && row < grid.height) {
          cuda::Maximum<T> single[Shape::kTaps];
          keys.template Maxima<StripSlots<Shape, T>::kPlaceStep>(
              taps[s], slots.FirstPlace(row_number), single);
          cuda::MaximaOfRow<kSize, kStride, kDilation, Shape::kWindows>(
              single + Shape::kTapLead, maxima[kLive - kStride + s]);
        } else {
          for (int w = 0; w < Shape::kWindows; ++w) {
            maxima[kLive - kStride + s][w] = slots.Nothing();
          }
        }
        for (int i = 0; i < Shape::kColumns; ++i) slots.At(row_number, own_slot + i) = 0;
      }
      const auto held = gradients;
      load(iteration + 1);
      if (iteration < 0) continue;
      const int window_row = window_row0 + iteration;
      if (window_row >= 0 && window_row < grid.out_height) {
        for (int w = 0; w < Shape::kWindows; ++w) {
          // GreatestOfColumn here: 2x2 windows at stride 1 compile to other code.
          cuda::Maximum<T> column[kLive];
          for (int k = 0; k < kLive; ++k) column[k] = maxima[k][w];
          const cuda::Maximum<T> winner = cuda::GreatestOf<kSize, kDilation>(column);
          slots.Add(winner, cuda::FloatAt(held, w + Shape::kWindowLead));
        }
      }
#pragma unroll
      for (int s = 0; s < kStride; ++s) {
        const int row = row0 + iteration * kStride + s;
        const int row_number = (iteration + Shape::kWarmUp) * kStride + s - (kLive - kStride);
        const bool stores =
            active && row >= place.row && row < place.row + grid.rows && row < grid.height;
        StoreRow<Shape, kAccess>(slots, grid, place, row, row_number, own_slot, neighbours, stores);
      }
    }
  }
}

}  // namespace anydml::window::gradient
