// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "tensor/axis_sums.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "base/checked_math.h"

namespace anydml {
namespace {

RowNest RowsOf(const AxisSums& sums) {
  std::array<RowAxis, kMaxSumAxes> axes = {};
  for (uint32_t i = 0; i < sums.rank; ++i) {
    axes[i] = {.axis = i,
               .source_size = sums.source_sizes[i],
               .target_size = sums.target_sizes[i],
               .source_stride = sums.source_strides[i],
               .target_stride = sums.target_strides[i]};
  }
  return MakeRowNest(sums.rank, axes, sums.changes);
}

TermTable ForwardTable(const TapAxis& axis) {
  TermTable table;
  table.begin.reserve(axis.sample_count + 1);
  table.terms.reserve(2 * axis.sample_count);
  for (uint64_t sample = 0; sample < axis.sample_count; ++sample) {
    table.begin.push_back(static_cast<uint32_t>(table.terms.size()));
    const Taps taps = TapsOf(axis, sample);
    table.terms.push_back({taps.pixel, taps.weight});
    if (taps.next_weight != 0) table.terms.push_back({taps.pixel + 1, taps.next_weight});
  }
  table.begin.push_back(static_cast<uint32_t>(table.terms.size()));
  return table;
}

// Counts the terms of every pixel, then puts each at its place: samples ascend,
// so the terms of a pixel do too.
TermTable TransposedTable(const TapAxis& axis) {
  TermTable table;
  table.begin.assign(axis.pixel_count + 1, 0);
  for (uint64_t sample = 0; sample < axis.sample_count; ++sample) {
    const Taps taps = TapsOf(axis, sample);
    ++table.begin[taps.pixel + 1];
    if (taps.next_weight != 0) ++table.begin[taps.pixel + 2];
  }
  std::partial_sum(table.begin.begin(), table.begin.end(), table.begin.begin());
  table.terms.resize(table.begin.back());
  std::vector<uint32_t> next(table.begin.begin(), table.begin.end() - 1);
  for (uint32_t sample = 0; sample < axis.sample_count; ++sample) {
    const Taps taps = TapsOf(axis, sample);
    table.terms[next[taps.pixel]++] = {sample, taps.weight};
    if (taps.next_weight != 0) table.terms[next[taps.pixel + 1]++] = {sample, taps.next_weight};
  }
  return table;
}

// The terms of an index name neighbours, and neither end of them moves back with
// the index.
void FindPlaces(TermTable& table) {
  const uint64_t targets = table.begin.size() - 1;
  table.first.reserve(targets);
  for (uint64_t target = 0; target < targets; ++target) {
    const uint32_t count = table.TermCount(target);
    const Term* terms = table.terms.data() + table.begin[target];
    uint64_t known = 0;  // of its terms' places, at the end of `places`
    if (count != 0 && !table.places.empty() && table.places.back() >= terms[0].source) {
      known = table.places.back() - terms[0].source + 1;
    }
    table.first.push_back(static_cast<uint32_t>(table.places.size() - known));
    for (uint64_t k = known; k < count; ++k) table.places.push_back(terms[k].source);
    table.most_terms = std::max(table.most_terms, count);
  }
}

uint64_t SpreadOf(const LaneTable& table, uint64_t block, uint64_t repeat) {
  uint64_t most = 0;
  for (uint64_t lane = 0; lane < table.lanes; lane += block) {
    const int32_t* first = table.first.data() + lane;
    const int64_t last = *std::max_element(first, first + block);
    most = std::max(most, static_cast<uint64_t>(last) - FirstLaneOf(*first, repeat));
  }
  return most;
}

uint64_t WindowOf(const LaneTable& table, uint64_t block, uint64_t repeat, uint32_t terms) {
  uint64_t most = 0;
  for (uint64_t lane = 0; lane < table.lanes; ++lane) {
    for (uint32_t k = 0; k < terms; ++k) {
      if (table.weights[k * table.lanes + lane] == 0) continue;
      const auto begin = static_cast<uint64_t>(table.first[lane - lane % block]);
      most = std::max(most, static_cast<uint64_t>(table.first[lane]) + k * repeat + 1 - begin);
    }
  }
  return most;
}

LaneTable MakeLaneTable(const TermTable& axis, const RowNest& rows) {
  LaneTable table;
  const bool few = axis.most_terms <= LaneTable::kMostTerms;
  if (!few || rows.target_lanes > kMostTableElements) return table;
  const uint64_t repeat = rows.lane_repeat, lanes = rows.target_lanes;
  table.lanes = CeilDivide(lanes, LaneTable::kMostLanesOfAVector) * LaneTable::kMostLanesOfAVector;
  table.first.resize(table.lanes);
  table.weights.resize(table.lanes * axis.most_terms);
  uint32_t source = 0;  // where an index without terms stays
  for (uint64_t lane = 0; lane < lanes; ++lane) {
    const uint64_t target = lane / repeat;
    const Term* terms = axis.terms.data() + axis.begin[target];
    const uint32_t count = axis.TermCount(target);
    if (count != 0) source = terms[0].source;
    table.first[lane] = static_cast<int32_t>(source * repeat + lane % repeat);
    for (uint32_t k = 0; k < count; ++k) table.weights[k * table.lanes + lane] = terms[k].weight;
  }
  std::fill(table.first.begin() + static_cast<int64_t>(lanes), table.first.end(),
            table.first[lanes - 1]);
  for (size_t i = 0; i < table.spread.size(); ++i) {
    table.spread[i] = SpreadOf(table, uint64_t{4} << i, repeat);
    table.window[i] = WindowOf(table, uint64_t{4} << i, repeat, axis.most_terms);
  }
  return table;
}

// Fills a grid of this step; false if the terms do not lie on one.
bool FillGrid(const TermTable& axis, uint64_t lanes, uint32_t step, LaneGrid& grid) {
  int64_t least = std::numeric_limits<int64_t>::max(), most = std::numeric_limits<int64_t>::min();
  for (uint64_t lane = 0; lane < lanes; ++lane) {
    if (axis.TermCount(lane) == 0) continue;
    const auto place = static_cast<int64_t>(lane * step);
    least = std::min(least, axis.terms[axis.begin[lane]].source - place);
    most = std::max(most, axis.terms[axis.begin[lane + 1] - 1].source - place);
  }
  // Wider ones would mostly drop terms.
  if (least > most || most - least >= int64_t{LaneGrid::kMostTerms} ||
      most - least >= 2 * int64_t{step}) {
    return false;
  }
  grid.step = step;
  grid.offset = least;
  grid.terms = std::max(std::bit_ceil(static_cast<uint32_t>(most - least + 1)), step / 4 * 4);
  grid.lanes = CeilDivide(lanes, LaneTable::kMostLanesOfAVector) * LaneTable::kMostLanesOfAVector;
  grid.weights.resize(grid.lanes * grid.terms);
  for (uint64_t lane = 0; lane < lanes; ++lane) {
    for (uint32_t i = axis.begin[lane]; i < axis.begin[lane + 1]; ++i) {
      const int64_t k = axis.terms[i].source - static_cast<int64_t>(lane * step) - least;
      grid.weights[static_cast<uint64_t>(k) * grid.lanes + lane] = axis.terms[i].weight;
    }
  }
  return true;
}

LaneGrid MakeLaneGrid(const TermTable& axis, const RowNest& rows) {
  LaneGrid grid;
  if (rows.lane_repeat != 1 || rows.target_lanes > kMostTableElements) return grid;
  if (!FillGrid(axis, rows.target_lanes, 2, grid) && !FillGrid(axis, rows.target_lanes, 4, grid)) {
    return grid;
  }
  constexpr uint64_t kBlock = LaneTable::kMostLanesOfAVector;
  for (uint64_t lane = 0; lane < grid.lanes; lane += kBlock) {
    bool complete = true;
    for (uint32_t k = 0; k < grid.terms; ++k) {
      const float* weights = grid.weights.data() + k * grid.lanes + lane;
      complete = complete && std::find(weights, weights + kBlock, 0.0f) == weights + kBlock;
    }
    grid.complete.push_back(complete ? 1 : 0);
  }
  return grid;
}

RepeatedTerms FindRepeatedTerms(const AxisSums& sums, const TermTable& table) {
  const RowNest& rows = sums.rows;
  if (rows.lane_repeat != 1) return {};
  if (table.present()) return FindPattern(table, rows.source_lanes);
  const TapAxis& axis = sums.axes[rows.lane_axis];
  const bool alone = sums.pass_count == 1;  // nobody asks otherwise
  return alone && MayHavePattern(axis) ? FindPattern(axis, sums.transposed) : RepeatedTerms();
}

bool IsPacked(const TensorDesc& tensor) {
  uint64_t last = 0;
  for (uint32_t i = 0; i < tensor.dimension_count; ++i) {
    last += (tensor.sizes[i] - uint64_t{1}) * tensor.strides[i];
  }
  return last + 1 == tensor.ElementCount();
}

}  // namespace

AxisSums MakeAxisSums(const TensorDesc& source, const TensorDesc& target,
                      std::span<const TapAxis> axes, bool transposed) {
  AxisSums sums;
  sums.data_type = source.data_type;
  sums.transposed = transposed;
  sums.rank = source.dimension_count;
  for (uint32_t i = 0; i < sums.rank; ++i) {
    sums.source_sizes[i] = source.sizes[i];
    sums.target_sizes[i] = target.sizes[i];
    sums.source_strides[i] = source.strides[i];
    sums.target_strides[i] = target.strides[i];
    sums.axes[i] = axes[i];
    sums.changes[i] = !EverySampleIsItsPixel(axes[i]);
    sums.has_table[i] = sums.changes[i] && HasTable(axes[i]);
  }
  for (uint32_t i = 0; i < sums.rank; ++i) sums.pass_count += sums.changes[i] ? 1 : 0;
  sums.rows = RowsOf(sums);
  sums.source_is_packed = IsPacked(source);
  if (sums.pass_count == 0) sums.copy = ElementwiseLoop<2>({&source, &target});
  return sums;
}

bool HasTable(const TapAxis& axis) {
  const uint64_t elements = std::max(axis.pixel_count, axis.sample_count);
  return elements <= internal::most_table_elements.load(std::memory_order_relaxed);
}

Result<AxisSumsTables> MakeAxisSumsTables(const AxisSums& sums) {
  AxisSumsTables tables;
  for (uint32_t i = 0; i < sums.rank; ++i) {
    const TapAxis& axis = sums.axes[i];
    if (!sums.changes[i] || !HasTable(axis)) continue;
    tables.axes[i] = sums.transposed ? TransposedTable(axis) : ForwardTable(axis);
    FindPlaces(tables.axes[i]);
  }
  const RowNest& rows = sums.rows;
  if (!rows.lanes_change) return tables;
  const TermTable& lane_axis = tables.axes[rows.lane_axis];
  tables.repeated = FindRepeatedTerms(sums, lane_axis);
  if (lane_axis.present()) {
    tables.lanes = MakeLaneTable(lane_axis, rows);
    tables.grid = MakeLaneGrid(lane_axis, rows);
  }
  return tables;
}

TermRange::TermRange(const AxisSums& sums, const AxisSumsTables& tables, uint32_t axis,
                     uint64_t target)
    : axis_(&sums.axes[axis]), transposed_(sums.transposed), target_(target) {
  const TermTable& table = tables.axes[axis];
  if (table.present()) {
    terms_ = table.terms.data() + table.begin[target];
    size_ = table.begin[target + 1] - table.begin[target];
  } else if (!transposed_) {
    size_ = TapsOf(*axis_, target).next_weight != 0 ? 2 : 1;
  } else {
    // Samples whose own pixel is the one before can have this one as the next.
    const bool reaches_back = axis_->sampling == Sampling::kLinear && target > 0;
    first_sample_ = FirstSampleAt(*axis_, reaches_back ? target - 1 : target);
    size_ = FirstSampleAt(*axis_, target + 1) - first_sample_;
  }
}

Term TermRange::Evaluate(uint64_t k) const {
  if (!transposed_) {
    const Taps taps = TapsOf(*axis_, target_);
    if (k == 0) return {taps.pixel, taps.weight};
    return {taps.pixel + 1, taps.next_weight};
  }
  const uint64_t sample = first_sample_ + k;
  const Taps taps = TapsOf(*axis_, sample);
  return {static_cast<uint32_t>(sample), taps.pixel == target_ ? taps.weight : taps.next_weight};
}

}  // namespace anydml
