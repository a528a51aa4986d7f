// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "tensor/axis_sums.h"

#include <algorithm>
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
    table.max_terms = std::max(table.max_terms, count);
  }
}

void FindGroups(LaneTable& table, uint64_t repeat, uint64_t source_lanes) {
  int32_t end = 0;
  for (uint64_t group = 0; group < table.lanes; group += LaneTable::kGroup) {
    table.begin.push_back(table.first[group]);
    for (uint64_t lane = group; lane < group + LaneTable::kGroup; ++lane) {
      table.begin.back() = std::min(table.begin.back(), table.first[lane]);
      for (uint64_t k = 0; k < table.terms; ++k) {
        if (table.weights[k * table.lanes + lane] == 0) continue;
        end = std::max(end, table.first[lane] + static_cast<int32_t>(k * repeat) + 1);
      }
    }
    table.end.push_back(end);
  }
  // Lanes that share an index of the axis come in any order.
  int32_t begin = static_cast<int32_t>(source_lanes);
  for (size_t i = table.begin.size(); i-- > 0;) {
    begin = table.begin[i] = std::min(begin, table.begin[i]);
  }
}

LaneTable MakeLaneTable(const TermTable& axis, const RowNest& rows) {
  LaneTable table;
  const bool few = axis.max_terms <= LaneTable::kMaxTerms;
  if (!few || rows.target_lanes > kMaxTableElements) return table;
  const uint64_t repeat = rows.lane_repeat, lanes = rows.target_lanes;
  table.lanes = CeilDivide(lanes, LaneTable::kMaxLanesOfAVector) * LaneTable::kMaxLanesOfAVector;
  table.terms = axis.max_terms;
  table.first.resize(table.lanes);
  table.weights.resize(table.lanes * axis.max_terms);
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
  FindGroups(table, repeat, rows.source_lanes);
  return table;
}

// Samples ascend, and so do their pixels: those of two pixels are counted at a time.
uint32_t MaxTermsOf(const TapAxis& axis, bool transposed) {
  uint32_t max = 1, here = 0, next = 0;
  uint64_t pixel = 0;
  for (uint64_t sample = 0; sample < axis.sample_count; ++sample) {
    const Taps taps = TapsOf(axis, sample);
    if (!transposed && taps.next_weight != 0) return 2;
    if (!transposed) continue;
    if (taps.pixel != pixel) here = taps.pixel == pixel + 1 ? next : 0, next = 0;
    pixel = taps.pixel;
    ++here;
    if (taps.next_weight != 0) ++next;
    max = std::max({max, here, next});
  }
  return max;
}

RepeatedTerms FindRepeatedTerms(const AxisSums& sums, const TermTable& table) {
  const RowNest& rows = sums.rows;
  if (rows.lane_repeat != 1 || sums.patterns[rows.lane_axis] == TermPattern::kNone) return {};
  if (table.present()) return FindPattern(table, rows.source_lanes);
  return FindPattern(sums.axes[rows.lane_axis], sums.transposed);
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
  }
  for (uint32_t i = 0; i < sums.rank; ++i) {
    if (!sums.changes[i]) continue;
    ++sums.pass_count;
    if (HasTable(axes[i])) sums.max_terms[i] = MaxTermsOf(axes[i], transposed);
    if (MayHavePattern(axes[i])) sums.patterns[i] = FindPattern(axes[i], transposed).pattern;
  }
  sums.rows = RowsOf(sums);
  if (sums.pass_count == 0) sums.copy = ElementwiseLoop<2>({&source, &target});
  return sums;
}

bool HasTable(const TapAxis& axis) {
  const uint64_t elements = std::max(axis.pixel_count, axis.sample_count);
  return elements <= internal::max_table_elements.load(std::memory_order_relaxed);
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
