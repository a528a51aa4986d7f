// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/resample/cpu/ordered_boxes.h"

#include <algorithm>
#include <bit>

#include "backends/cpu/rows.h"
#include "base/checked_math.h"
#include "kernels/resample/cpu/axis_sums.h"

namespace anydml::cpu {
namespace {

// A piece of fewer targets makes too much of its neighbours' rows or items again.
constexpr uint64_t kFewTargets = 8;

// Lays out the scratch memory; returns its size.
uint64_t Place(const RowNest& nest, OrderedBoxes& boxes) {
  uint64_t at = 0, item = PitchOf(nest.target_lanes, true);
  for (uint32_t j = 0; j < nest.level_count; ++j) {
    boxes.slots_at[j] = at;
    at += PitchOf(boxes.slots[j] * item, true);
    item = (j == 0 ? nest.target_lanes : item) * boxes.targets[j];
  }
  return at;
}

void CountUnits(const RowNest& nest, OrderedBoxes& boxes) {
  boxes.units = nest.PlaneCount();
  for (uint32_t j = 0; j < nest.level_count; ++j) {
    boxes.units *= CeilDivide(nest.levels[j].target_size, boxes.targets[j]);
  }
}

// Cuts the outermost of the first `levels` that has more targets than this: pieces of
// rows that lie far apart are read slowly.
bool CutLevels(OrderedBoxes& boxes, uint32_t levels, uint64_t least) {
  for (uint32_t j = levels; j-- > 0;) {
    if (boxes.targets[j] <= least) continue;
    boxes.targets[j] = least < kFewTargets ? boxes.targets[j] - 1 : CeilDivide(boxes.targets[j], 2);
    return true;
  }
  return false;
}

}  // namespace

RowNest JoinPixels(const RowNest& nest) {
  const RowAxis& pixels = nest.levels[0];
  const auto lanes = static_cast<int64_t>(nest.target_lanes);
  if (nest.lanes_change || nest.level_count < 2) return nest;
  if (pixels.source_stride != lanes || pixels.target_stride != lanes) return nest;
  RowNest joined = nest;
  joined.lanes_change = true;
  joined.lane_axis = pixels.axis;
  joined.lane_repeat = nest.target_lanes;
  joined.lane_turn = 0;
  joined.source_lanes = nest.source_lanes * pixels.source_size;
  joined.target_lanes = nest.target_lanes * pixels.target_size;
  joined.level_count = nest.level_count - 1;
  for (uint32_t j = 0; j < joined.level_count; ++j) joined.levels[j] = nest.levels[j + 1];
  return joined;
}

OrderedBoxes MakeOrderedBoxes(const RowNest& nest, const AxisSumsTables& tables, uint64_t threads) {
  OrderedBoxes boxes;
  if (nest.lane_repeat != 1) boxes.rows_at_once = 1;  // they are long
  for (uint32_t j = 0; j < nest.level_count; ++j) {
    const uint64_t terms = std::max(tables.axes[nest.levels[j].axis].most_terms, 1u);
    if (terms > kTermsTogether) return boxes;
    boxes.slots[j] = std::bit_ceil(j == 0 ? terms + boxes.rows_at_once - 1 : terms);
    boxes.targets[j] = nest.levels[j].target_size;
  }
  // The last level's targets do not wait.
  const uint32_t waiting = nest.level_count - 1;
  while (Place(nest, boxes) > kOrderedFloats) {
    if (!CutLevels(boxes, waiting, kFewTargets) && !CutLevels(boxes, waiting, 2)) return boxes;
  }
  // Enough for the executor to even out a busy core.
  const uint64_t wanted = threads == 1 ? 1 : (nest.level_count == 1 ? 4 : 2) * threads;
  CountUnits(nest, boxes);
  while (boxes.units < wanted && CutLevels(boxes, nest.level_count, 2 * kFewTargets)) {
    CountUnits(nest, boxes);
  }
  Place(nest, boxes);
  boxes.possible = true;
  return boxes;
}

OrderedUnit OrderedUnitOf(const RowNest& nest, const OrderedBoxes& boxes, uint64_t unit) {
  OrderedUnit result;
  for (uint32_t j = 0; j < nest.level_count; ++j) {
    const uint64_t size = nest.levels[j].target_size, pieces = CeilDivide(size, boxes.targets[j]);
    const uint64_t begin = unit % pieces * boxes.targets[j];
    result.targets[j] = {begin, std::min(begin + boxes.targets[j], size)};
    unit /= pieces;
  }
  result.plane = unit;
  return result;
}

uint64_t GrainOf(const AxisSums& sums, uint64_t units) {
  const uint64_t elements =
      ElementCount(sums.source_sizes, sums.rank) + ElementCount(sums.target_sizes, sums.rank);
  return kElementsPerUnit / std::max<uint64_t>(1, elements / units);
}

}  // namespace anydml::cpu
