// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Where a lane of lane_strips.cuh works, and the sums that it keeps.
#pragma once

#include "kernels/window/cuda/gradient/lane_strips.h"
#include "kernels/window/cuda/window_keys.cuh"

namespace anydml::window::gradient {

template <typename T, int kSize, int kStride, int kDilation, int kPad>
struct LaneShape {
  static constexpr int kRowsPerStep = kStride;
  static constexpr int kColumns = 16 / sizeof(T);
  static constexpr int kReach = (kSize - 1) * kDilation;
  static constexpr int kOwn = kColumns / kStride;  // windows
  // Taps beside the own columns, and windows beside the own ones that reach them.
  static constexpr int kLeftTaps = kPad;
  static constexpr int kRightTaps = std::max(0, kReach - kPad - (kStride - 1));
  static constexpr int kTaps = kLeftTaps + kColumns + kRightTaps;
  static constexpr int kLeftWindows = (kReach - kPad) / kStride;
  static constexpr int kRightWindows = (kColumns - 1 + kPad) / kStride - (kOwn - 1);
  static_assert(kLeftTaps <= kColumns && kRightTaps <= kColumns);
  static_assert(kLeftWindows <= kOwn && kRightWindows <= kOwn);

  // Columns of slots: all that those windows see. The own ones follow kLead others.
  static constexpr int kLead = kLeftWindows * kStride + kPad;
  static constexpr int kFrame = kLead + (kOwn - 1 + kRightWindows) * kStride - kPad + kReach + 1;
  static constexpr int kSlotColumns = sizeof(T) == 2 ? 16 : kFrame;
  static_assert(kFrame <= kSlotColumns);

  // Rows that a window row may hand to.
  static constexpr int kLiveRows = std::max(kReach + 1, kStride);
  static constexpr int kWarmUp = (kLiveRows - 1) / kStride;
  static constexpr int kUnroll = sizeof(T) == 2 && kStride != 1 ? 2 : kLiveRows;
  // The slot rows are a ring; FLOAT16 places need a power of two.
  static constexpr int kSlotRows =
      sizeof(T) == 2 ? std::bit_ceil(static_cast<unsigned>(kLiveRows)) : kLiveRows;
  static constexpr int kStages = 3;  // of copies

  static constexpr int kThreads = sizeof(T) == 2 || kReach > 2 ? 64 : 128;
  static constexpr int kPitch = kThreads * sizeof(float);  // from slot to slot, in bytes
  static constexpr int kSlots = kSlotRows * kSlotColumns;
  static constexpr int kBytes = kThreads * (kSlots * 4 + kStages * (kStride * 16 + 16 / kStride));
  // As many blocks as have room in shared memory, unless registers are missing.
  static constexpr int kRegisters = kReach > 2 || sizeof(T) == 2 ? 128 : 64;
  static constexpr int kMinBlocks =
      std::min((227 << 10) / (kBytes + 1024), 65536 / kRegisters / kThreads);
};

template <typename T>
struct LanePlace {
  const T* x;  // the plane's first elements
  const T* dy;
  T* dx;
  int column, row;
  bool left, right;  // has this neighbour
  bool loads, stores;
};

template <typename T>
__device__ inline LanePlace<T> PlaceOf(const LaneGrid& grid, uint32_t warp, const T* x, const T* dy,
                                       T* dx) {
  uint32_t chunk = warp;
  const uint32_t group = grid.strip.chunks.Split(chunk);
  uint32_t lane = threadIdx.x % 32;
  const uint32_t number = grid.lanes.Split(lane);
  uint32_t unit = group * grid.units_per_warp + number;
  const bool active = number < grid.units_per_warp && unit < grid.all_units;
  unit = min(unit, grid.all_units - 1);
  uint32_t channel = grid.units.Split(unit);
  const uint32_t batch = grid.strip.channels.Split(channel);
  const int at = static_cast<int>(lane);
  const int pack = static_cast<int>(unit) * grid.own + at - grid.lead;
  const bool inside = pack >= 0 && pack < grid.packs;
  LanePlace<T> place;
  place.x = x + batch * grid.strip.x.batch + channel * grid.strip.x.channel;
  place.dy = dy + batch * grid.strip.dy.batch + channel * grid.strip.dy.channel;
  place.dx = dx + batch * grid.strip.dx.batch + channel * grid.strip.dx.channel;
  place.column = pack * (16 / static_cast<int>(sizeof(T)));
  place.row = static_cast<int>(chunk) * grid.strip.rows;
  // A lane without a unit has no neighbours: its own may be in another warp.
  place.left = active && pack > 0 && at > 0;
  place.right = active && pack + 1 < grid.packs && at + 1 < static_cast<int>(grid.lanes.divisor());
  place.loads = active && inside;
  place.stores = place.loads && at >= grid.lead && at < grid.lead + grid.own;
  return place;
}

// Slots of one lane: rows in a ring, columns from last to first.
template <typename Shape, typename T>
class LaneSlots {
 public:
  __device__ explicit LaneSlots(float* memory) : memory_(reinterpret_cast<char*>(memory)) {}

  // Places (cuda::Maximum) of a row's taps: that of the first own column. Those of
  // FLOAT16 fall from row to row, and their lower bits are the slot; those of
  // FLOAT32 are the slot's address.
  static constexpr int kPlaceStep = sizeof(T) == 2 ? 1 : Shape::kPitch;
  __device__ static uint32_t FirstPlace(int number, int known_number) {
    if constexpr (sizeof(T) == 2) {
      return (kHighest - number) * 16 + 15 - Shape::kLead;
    } else {
      return Address(number, known_number, Shape::kLead);
    }
  }
  // A neighbour's place is this lane's place of the same column by this step.
  static constexpr int kLaneStep = Shape::kColumns * kPlaceStep + (sizeof(T) == 2 ? 0 : 4);

  __device__ float& At(int number, int known_number, int column) const {
    return *reinterpret_cast<float*>(memory_ + Address(number, known_number, column));
  }

  // Without a neighbour +0 is added, which changes no sum, and to a slot of this
  // lane: what comes from the warp's other end or from itself is another's place.
  __device__ void AddIf(bool there, uint32_t place, float gradient) const {
    Add(there || sizeof(T) == 2 ? place : Own(), there ? gradient : 0.0f);
  }

  __device__ void Add(uint32_t place, float gradient) const {
    uint32_t address = place;
    if constexpr (sizeof(T) == 2) {
      address = (place * Shape::kPitch & (Shape::kSlots - 1) * Shape::kPitch) + Own();
    }
    auto* slot = reinterpret_cast<float*>(memory_ + address);
    *slot = __fadd_rn(*slot, gradient);
  }

 private:
  static constexpr int kHighest = 2047;  // number of a row; strips are shorter

  __device__ static uint32_t Own() { return threadIdx.x * sizeof(float); }
  // `known_number` is a constant where loops are unrolled, and differs from
  // `number` by a multiple of the rows of one unrolled pass.
  __device__ static uint32_t Address(int number, int known_number, int column) {
    constexpr int kRows = Shape::kSlotRows;
    constexpr bool kKnown = Shape::kUnroll * Shape::kRowsPerStep % kRows == 0;
    uint32_t ring = (kKnown ? known_number + 8 * kRows : number + 8 * kRows) % kRows;
    if constexpr (sizeof(T) == 2) ring = kRows - 1 - ring;  // as kHighest - number
    return (ring * Shape::kSlotColumns + Shape::kSlotColumns - 1 - column) * Shape::kPitch + Own();
  }

  char* memory_;
};

}  // namespace anydml::window::gradient
