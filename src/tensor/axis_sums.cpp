// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "tensor/axis_sums.h"

#include <algorithm>
#include <numeric>

namespace anydml {
namespace {

using AxisOrder = std::array<uint32_t, kMaxSumAxes>;  // outermost in memory first

bool IsPackedIn(const AxisOrder& order, uint32_t rank,
                const std::array<uint64_t, kMaxSumAxes>& sizes,
                const std::array<int64_t, kMaxSumAxes>& strides) {
  uint64_t expected = 1;
  for (uint32_t k = rank; k-- > 0;) {
    const uint32_t axis = order[k];
    if (sizes[axis] != 1 && static_cast<uint64_t>(strides[axis]) != expected) return false;
    expected *= sizes[axis];
  }
  return true;
}

// An order in which both tensors are packed; logical order is tried first.
bool FindPackedOrder(const AxisSums& sums, AxisOrder& order) {
  std::iota(order.begin(), order.end(), 0u);
  do {
    if (IsPackedIn(order, sums.rank, sums.source_sizes, sums.source_strides) &&
        IsPackedIn(order, sums.rank, sums.target_sizes, sums.target_strides)) {
      return true;
    }
  } while (std::next_permutation(order.begin(), order.begin() + sums.rank));
  return false;
}

// Sizes between two passes are a mixture of source and target sizes. No product
// wraps: it is at most the product of both tensors' element counts, each below
// 2^32.
AxisPass MakePass(const AxisSums& sums, uint32_t axis, const AxisOrder& order) {
  AxisPass pass;
  pass.axis = axis;
  pass.source_size = sums.source_sizes[axis];
  pass.target_size = sums.target_sizes[axis];
  bool outside = true;
  for (uint32_t k = 0; k < sums.rank; ++k) {
    const uint32_t other = order[k];
    if (other == axis) {
      outside = false;
      continue;
    }
    const bool done = other > axis;  // last logical axis first
    const uint64_t size = done ? sums.target_sizes[other] : sums.source_sizes[other];
    (outside ? pass.outer : pass.inner) *= size;
  }
  return pass;
}

void PlanPasses(AxisSums& sums) {
  for (uint32_t axis = 0; axis < sums.rank; ++axis) sums.pass_count += sums.changes[axis] ? 1 : 0;
  AxisOrder order = {};
  sums.packed = FindPackedOrder(sums, order);
  if (!sums.packed) return;
  uint32_t pass = 0;
  for (uint32_t axis = sums.rank; axis-- > 0;) {
    if (sums.changes[axis]) sums.passes[pass++] = MakePass(sums, axis, order);
  }
  for (uint32_t k = 0; k < sums.rank && !sums.changes[order[k]]; ++k) {
    sums.planes *= sums.target_sizes[order[k]];
  }
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
  PlanPasses(sums);
  if (sums.pass_count == 0) sums.copy = ElementwiseLoop<2>({&source, &target});
  return sums;
}

bool HasTable(const TapAxis& axis) {
  return std::max(axis.pixel_count, axis.sample_count) <= kMostTableElements;
}

Result<AxisSumsTables> MakeAxisSumsTables(const AxisSums& sums) {
  AxisSumsTables tables;
  for (uint32_t i = 0; i < sums.rank; ++i) {
    const TapAxis& axis = sums.axes[i];
    if (!sums.changes[i] || !HasTable(axis)) continue;
    tables.axes[i] = sums.transposed ? TransposedTable(axis) : ForwardTable(axis);
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
