// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/resample/cpu/row_units.h"

#include <algorithm>
#include <bit>

#include "backends/cpu/rows.h"
#include "base/checked_math.h"
#include "kernels/resample/cpu/axis_sums.h"

namespace anydml::cpu {
namespace {

// A piece of fewer targets makes too much of its neighbours' rows or items again.
constexpr uint64_t kFewTargets = 8;
// Pieces of rows that nothing is summed outside of: prefetches come a piece at a time.
constexpr uint64_t kLanesAlone = 256;
constexpr uint64_t kMinLanes = 64;

// Lays out the scratch memory; returns its size.
uint64_t Place(const RowNest& nest, RowUnits& units) {
  const uint64_t lanes = units.MaxLanes(nest.target_lanes);
  uint64_t at = 0, item = PitchOf(lanes);
  for (uint32_t j = 0; j < nest.level_count; ++j) {
    units.slots_at[j] = at;
    at += PitchOf(units.slots[j] * item);
    item = (j == 0 ? lanes : item) * units.targets[j];
  }
  return at;
}

void CutLanes(const RowNest& nest, uint64_t lanes, RowUnits& units) {
  units.lanes = PitchOf(lanes);
  units.pieces = std::max<uint64_t>(1, nest.target_lanes / units.lanes);
}

void CountUnits(const RowNest& nest, RowUnits& units) {
  units.count = nest.PlaneCount() * units.pieces;
  for (uint32_t j = 0; j < nest.level_count; ++j) {
    units.count *= CeilDivide(nest.levels[j].target_size, units.targets[j]);
  }
}

// Cuts the outermost of the first `levels` that has more targets than this: pieces of
// rows that lie far apart are read slowly.
bool CutLevels(RowUnits& units, uint32_t levels, uint64_t least) {
  for (uint32_t j = levels; j-- > 0;) {
    if (units.targets[j] <= least) continue;
    units.targets[j] = least < kFewTargets ? units.targets[j] - 1 : CeilDivide(units.targets[j], 2);
    return true;
  }
  return false;
}

}  // namespace

RowUnits MakeRowUnits(const RowNest& nest, const std::array<uint32_t, kMaxSumAxes>& max_terms,
                      uint64_t threads) {
  RowUnits units;
  CutLanes(nest,
           nest.level_count == 0 ? std::min(nest.target_lanes, kLanesAlone) : nest.target_lanes,
           units);
  for (uint32_t j = 0; j < nest.level_count; ++j) {
    const uint64_t terms = std::max(max_terms[nest.levels[j].axis], 1u);
    if (terms > kMaxRowTerms) return units;
    units.slots[j] = std::bit_ceil(terms);
    units.targets[j] = nest.levels[j].target_size;
  }
  // The last level's targets do not wait.
  const uint32_t waiting = nest.level_count == 0 ? 0 : nest.level_count - 1;
  while (Place(nest, units) > kScratchFloats) {
    if (CutLevels(units, waiting, kFewTargets) || CutLevels(units, waiting, 2)) continue;
    if (units.lanes < 2 * kMinLanes) return units;
    CutLanes(nest, units.lanes / 2, units);
  }
  // Enough for the executor to even out a busy core.
  const uint64_t wanted = threads == 1 ? 1 : (nest.level_count == 1 ? 4 : 2) * threads;
  CountUnits(nest, units);
  while (units.count < wanted && CutLevels(units, nest.level_count, 2 * kFewTargets)) {
    CountUnits(nest, units);
  }
  Place(nest, units);
  units.possible = true;
  return units;
}

RowUnit UnitOf(const RowNest& nest, const RowUnits& units, uint64_t unit) {
  RowUnit result;
  const uint64_t piece = unit % units.pieces;
  unit /= units.pieces;
  const bool last = piece + 1 == units.pieces;
  result.lanes = {piece * units.lanes, last ? nest.target_lanes : (piece + 1) * units.lanes};
  for (uint32_t j = 0; j < nest.level_count; ++j) {
    const uint64_t size = nest.levels[j].target_size, pieces = CeilDivide(size, units.targets[j]);
    const uint64_t begin = unit % pieces * units.targets[j];
    result.targets[j] = {begin, std::min(begin + units.targets[j], size)};
    unit /= pieces;
  }
  result.plane = unit;
  return result;
}

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

PlaneOffsets OffsetsOf(const RowNest& nest, uint64_t plane) {
  PlaneOffsets offsets;
  for (uint32_t i = nest.plane_axes; i-- > 0;) {
    const auto index = static_cast<int64_t>(plane % nest.planes[i].target_size);
    plane /= nest.planes[i].target_size;
    offsets.source += index * nest.planes[i].source_stride;
    offsets.target += index * nest.planes[i].target_stride;
  }
  return offsets;
}

uint64_t GrainOf(const AxisSums& sums, uint64_t units) {
  const uint64_t elements =
      ElementCount(sums.source_sizes, sums.rank) + ElementCount(sums.target_sizes, sums.rank);
  return kElementsPerUnit / std::max<uint64_t>(1, elements / units);
}

Refusal AcceptsLongAxes(const AxisSums& sums) {
  for (uint32_t i = 0; i < sums.rank; ++i) {
    if (sums.changes[i] && !HasTable(sums.axes[i])) {
      return {"an axis is too long for a table of taps"};
    }
  }
  return {};
}

}  // namespace anydml::cpu
