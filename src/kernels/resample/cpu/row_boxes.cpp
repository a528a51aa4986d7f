// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/resample/cpu/row_boxes.h"

#include <algorithm>
#include <bit>

#include "base/checked_math.h"

namespace anydml::cpu {
namespace {

constexpr uint64_t kVector = LaneTable::kMostLanesOfAVector;
// Before the lanes' turn rows are as long as in the source, however few lanes
// are made of them.
constexpr uint64_t kMostLanesBeforeTurn = 512;
// Boxes of fewer targets compute too many of their neighbours' items again.
constexpr uint64_t kFewTargets = 8;
constexpr uint64_t kFewLanes = 64;

class Fitter {
 public:
  Fitter(const RowNest& nest, const AxisSumsTables& tables) : nest_(nest), tables_(tables) {
    boxes_.lanes = nest.target_lanes;
    for (uint32_t j = 0; j < nest.level_count; ++j) {
      boxes_.targets[j] = nest.levels[j].target_size;
      const uint64_t terms = std::max<uint32_t>(Table(j).most_terms, 1);
      // Rows are made several at a time, ahead of the sums.
      const uint64_t ahead = j == 0 ? kRowsTogether - 1 : 0;
      if (!ReadsTensor(j)) {
        boxes_.slots[j] = std::bit_ceil(std::min(terms + ahead, kTermsTogether));
      }
    }
    if (nest.level_count == 0) {
      boxes_.planes = kRowsTogether;
      boxes_.lanes = std::min<uint64_t>(boxes_.lanes, 512);
    }
  }

  RowBoxes Fit(uint64_t threads) {
    while (NeedsTransposing() && LongestWindow() > kMostColumns &&
           Halve(boxes_.lanes, kVector, kVector)) {
    }
    while (Place() > kNearScratchFloats && ShrinkGently()) {
    }
    while (Place() > kScratchFloats && Shrink()) {
    }
    // Enough for the executor to even out a busy core.
    const uint64_t wanted = threads == 1 ? 1 : 4 * threads;
    while (UnitCount(nest_, boxes_) < wanted && Split()) {
    }
    Place();
    return boxes_;
  }

 private:
  const TermTable& Table(uint32_t level) const { return tables_.axes[nest_.levels[level].axis]; }
  bool Summed(uint32_t level) const { return nest_.lanes_change && nest_.lane_turn <= level; }
  bool ReadsTensor(uint32_t level) const { return level == 0 && !Summed(0); }

  // Whether blocks of lanes read more than two vectors, even of the largest size.
  bool NeedsTransposing() const {
    const LaneTable& table = tables_.lanes;
    return nest_.lanes_change && (!table.present() || table.spread.back() >= 2 * kVector);
  }

  uint64_t LongestWindow() const {
    if (!nest_.lanes_change) return boxes_.lanes;
    uint64_t longest = 0;
    for (uint64_t lane = 0; lane < nest_.target_lanes; lane += boxes_.lanes) {
      const uint64_t end = std::min(lane + boxes_.lanes, nest_.target_lanes);
      longest = std::max(longest, WindowOf(nest_, tables_, {lane, end}).size());
    }
    return longest;
  }

  // Lays out the scratch memory; returns its size.
  uint64_t Place() {
    uint64_t at = 0;
    const auto take = [&](uint64_t floats) {
      const uint64_t begin = at;
      at += CeilDivide(floats, kVector) * kVector;
      return begin;
    };
    const uint64_t before = nest_.lanes_change && nest_.lane_turn == 0 ? 0 : LongestWindow();
    const uint64_t after = PitchOf(boxes_.lanes, true);
    uint64_t rows = 1;
    for (uint32_t j = 0; j <= nest_.level_count; ++j) {
      if (nest_.lanes_change && nest_.lane_turn == j) {
        if (j != 0) boxes_.rows_at = take(rows * before);
        if (j == nest_.level_count) boxes_.stores_at = take(kRowsTogether * after);
      }
      if (j == nest_.level_count) break;
      boxes_.item[j] = rows * (Summed(j) ? after : before);
      boxes_.slots_at[j] = take(boxes_.slots[j] * boxes_.item[j]);
      if (Table(j).most_terms > boxes_.PieceOf(j)) boxes_.sums_at[j] = take(boxes_.item[j]);
      rows *= boxes_.targets[j];
    }
    return at;
  }

  bool Halve(uint64_t& size, uint64_t least, uint64_t multiple) {
    if (size <= least) return false;
    size = std::max(least, CeilDivide(CeilDivide(size, 2), multiple) * multiple);
    return true;
  }

  // Levels whose targets lie in the scratch memory: the last one's go to the
  // tensor, unless the lanes' turn is still to come.
  uint32_t LevelsInScratch() const {
    const bool all = nest_.lanes_change && nest_.lane_turn == nest_.level_count;
    return nest_.level_count - (all || nest_.level_count == 0 ? 0 : 1);
  }

  bool HalveMostTargets(uint64_t least) {
    const uint32_t levels = LevelsInScratch();
    if (levels == 0) return false;
    return Halve(*std::max_element(boxes_.targets.begin(), boxes_.targets.begin() + levels), least,
                 1);
  }

  bool HalveSlots() {
    for (uint32_t j = nest_.level_count; j-- > 0;) {
      const uint64_t least = j == 0 ? kRowsTogether : 2;
      if (boxes_.slots[j] > least) {
        boxes_.slots[j] /= 2;
        return true;
      }
    }
    return false;
  }

  bool ShrinkGently() {
    return Halve(boxes_.lanes, kFewLanes, kVector) || HalveMostTargets(4 * kFewTargets);
  }

  bool Shrink() {
    return Halve(boxes_.lanes, kFewLanes, kVector) || HalveMostTargets(kFewTargets) ||
           HalveSlots() || Halve(boxes_.lanes, kVector, kVector) || HalveMostTargets(1);
  }

  bool Split() {
    if (nest_.level_count == 0) return Halve(boxes_.lanes, 2 * kFewLanes, kVector);
    return Halve(boxes_.targets[nest_.level_count - 1], 2 * kFewTargets, 1);
  }

  const RowNest& nest_;
  const AxisSumsTables& tables_;
  RowBoxes boxes_;
};

}  // namespace

std::string_view RefuseRowBoxes(const RowNest& nest) {
  if (!nest.possible) return "no axis lies side by side in both tensors";
  const bool waits = nest.lanes_change && nest.lane_turn != 0;
  if (waits && nest.source_lanes > kMostLanesBeforeTurn) {
    return "long rows are summed along other axes first";
  }
  return {};
}

RowBoxes MakeRowBoxes(const RowNest& nest, const AxisSumsTables& tables, uint64_t threads) {
  return Fitter(nest, tables).Fit(threads);
}

uint64_t UnitCount(const RowNest& nest, const RowBoxes& boxes) {
  uint64_t units = CeilDivide(nest.PlaneCount(), boxes.planes);
  for (uint32_t j = 0; j < nest.level_count; ++j) {
    units *= CeilDivide(nest.levels[j].target_size, boxes.targets[j]);
  }
  return units * CeilDivide(nest.target_lanes, boxes.lanes);
}

RowUnit UnitOf(const RowNest& nest, const AxisSumsTables& tables, const RowBoxes& boxes,
               uint64_t unit) {
  const auto cut = [&](uint64_t size, uint64_t box) -> IndexSpan {
    const uint64_t pieces = CeilDivide(size, box), begin = unit % pieces * box;
    unit /= pieces;
    return {begin, std::min(begin + box, size)};
  };
  RowUnit result;
  result.lanes = cut(nest.target_lanes, boxes.lanes);
  result.window = WindowOf(nest, tables, result.lanes);
  for (uint32_t j = 0; j < nest.level_count; ++j) {
    result.targets[j] = cut(nest.levels[j].target_size, boxes.targets[j]);
  }
  result.planes = cut(nest.PlaneCount(), boxes.planes);
  return result;
}

ItemShapes ShapesOf(const RowNest& nest, const RowUnit& unit) {
  ItemShapes shapes = {};
  uint64_t rows = 1;
  bool side_by_side = true;
  for (uint32_t j = 0; j <= nest.level_count; ++j) {
    const bool summed = nest.lanes_change && nest.lane_turn <= j;
    const uint64_t pitch = PitchOf(summed ? unit.lanes.size() : unit.window.size(), summed);
    side_by_side = side_by_side && pitch == unit.lanes.size();
    shapes[j] = {rows, pitch, rows * pitch, side_by_side};
    if (j == nest.level_count) break;
    const auto distance = static_cast<int64_t>(rows * pitch);
    side_by_side = side_by_side && nest.levels[j].target_stride == distance;
    rows *= unit.targets[j].size();
  }
  return shapes;
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

IndexSpan WindowOf(const RowNest& nest, const AxisSumsTables& tables, IndexSpan lanes) {
  if (!nest.lanes_change) return lanes;
  const TermTable& table = tables.axes[nest.lane_axis];
  const uint64_t first = lanes.begin / nest.lane_repeat, last = (lanes.end - 1) / nest.lane_repeat;
  // Places ascend, so the first and the last of the range are its ends.
  const uint64_t place = table.first[first], end = table.first[last] + table.TermCount(last);
  if (place == end) return {0, 0};
  return {table.places[place] * nest.lane_repeat,
          (uint64_t{table.places[end - 1]} + 1) * nest.lane_repeat};
}

}  // namespace anydml::cpu
