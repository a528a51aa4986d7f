// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Weighted sums along the axes of a tensor: a target element is the sum of
// source elements, each times the product of one weight per axis. The weights
// are the taps of tensor/taps.h, taken forward (sources are pixels, targets are
// samples) or transposed (sources are samples, targets are pixels).
//
// The order of the sums is part of the definition (B13): axis by axis, last
// logical axis first; along an axis from +0 over ascending source index, product
// rounded to float, then added. Axes that change nothing are skipped.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "tensor/row_nest.h"
#include "tensor/strided_loop.h"
#include "tensor/taps.h"
#include "tensor/tensor_desc.h"
#include "tensor/term_pattern.h"

namespace anydml {

struct AxisSums {
  DataType data_type = DataType::kUnknown;
  bool transposed = false;
  uint32_t rank = 0;
  std::array<uint64_t, kMaxSumAxes> source_sizes = {};
  std::array<uint64_t, kMaxSumAxes> target_sizes = {};
  std::array<int64_t, kMaxSumAxes> source_strides = {};
  std::array<int64_t, kMaxSumAxes> target_strides = {};
  std::array<TapAxis, kMaxSumAxes> axes = {};
  std::array<bool, kMaxSumAxes> changes = {};  // false: the axis is skipped
  // Of a changing axis: the most terms of a target, 0 where it has no table, and
  // whether its terms repeat.
  std::array<uint32_t, kMaxSumAxes> max_terms = {};
  std::array<TermPattern, kMaxSumAxes> patterns = {};

  uint32_t pass_count = 0;  // the number of changing axes
  // For the bit copy that remains when no axis changes anything.
  StridedLoop<2> copy;

  RowNest rows;
};

AxisSums MakeAxisSums(const TensorDesc& source, const TensorDesc& target,
                      std::span<const TapAxis> axes, bool transposed);

// ---- The terms of the sum that makes one target index of an axis.

struct Term {
  uint32_t source;
  float weight;
};

// Terms of all target indices of an axis, one after the other. Empty for an
// axis that is skipped or too long: its terms are evaluated where needed.
struct TermTable {
  std::vector<uint32_t> begin;  // target_size + 1 entries
  std::vector<Term> terms;
  uint32_t max_terms = 0;  // of any target index

  // The source indices that any term names, ascending: what a target index needs
  // is a contiguous range of them, from places[first] on.
  std::vector<uint32_t> places;
  std::vector<uint32_t> first;  // never decreases, also over indices without terms

  bool present() const { return !begin.empty(); }
  uint32_t TermCount(uint64_t target) const { return begin[target + 1] - begin[target]; }
  uint64_t Bytes() const {
    return (begin.size() + places.size() + first.size()) * sizeof(uint32_t) +
           terms.size() * sizeof(Term);
  }
};

// The same per lane, for rows whose lanes change: term k of lane l is at source
// lane first[l] + k * lane_repeat, with weights[k * lanes + l]. A weight of 0 is
// no term. `lanes` is rounded up to whole vectors of any size; empty when a
// lane has many terms or rows are very long.
struct LaneTable {
  static constexpr uint64_t kMaxLanesOfAVector = 16;
  static constexpr uint64_t kGroup = 4;  // lanes of the smallest vector
  static constexpr uint32_t kMaxTerms = 4;

  uint64_t lanes = 0;
  uint32_t terms = 0;  // of a lane, at most
  std::vector<int32_t> first;
  std::vector<float> weights;
  // Of each group: the source lanes that its terms name lie in [begin, end), neither of
  // which moves back.
  std::vector<int32_t> begin, end;

  bool present() const { return lanes != 0; }
  uint64_t Bytes() const {
    return (first.size() + begin.size() + end.size()) * sizeof(int32_t) +
           weights.size() * sizeof(float);
  }
};

struct AxisSumsTables {
  std::array<TermTable, kMaxSumAxes> axes;
  LaneTable lanes;
  // Of the axis in the lanes, where each of its indices has one lane; also of one
  // that is too long for a table.
  RepeatedTerms repeated;

  uint64_t Bytes() const {
    uint64_t bytes = lanes.Bytes();
    for (const TermTable& axis : axes) bytes += axis.Bytes();
    return bytes;
  }
};

// 16 MiB for the terms of a linear axis.
inline constexpr uint64_t kMaxTableElements = uint64_t{1} << 20;
namespace internal {
inline std::atomic<uint64_t> max_table_elements = kMaxTableElements;
}
bool HasTable(const TapAxis& axis);

// Moves the border until the destructor, for tests of what longer axes do. Not for use
// while kernels run.
class ScopedTables {
 public:
  explicit ScopedTables(uint64_t max_elements) { internal::max_table_elements = max_elements; }
  ~ScopedTables() { internal::max_table_elements = kMaxTableElements; }
  ScopedTables(const ScopedTables&) = delete;
  ScopedTables& operator=(const ScopedTables&) = delete;
};

Result<AxisSumsTables> MakeAxisSumsTables(const AxisSums& sums);

// The terms of one target index, ascending. A weight of 0 is no term.
class TermRange {
 public:
  TermRange() = default;
  TermRange(const AxisSums& sums, const AxisSumsTables& tables, uint32_t axis, uint64_t target);

  uint64_t size() const { return size_; }
  Term operator[](uint64_t k) const {
    if (terms_ != nullptr) return terms_[k];
    return Evaluate(k);
  }

 private:
  Term Evaluate(uint64_t k) const;

  const Term* terms_ = nullptr;
  const TapAxis* axis_ = nullptr;
  bool transposed_ = false;
  uint64_t target_ = 0;
  uint64_t first_sample_ = 0;  // transposed
  uint64_t size_ = 0;
};

}  // namespace anydml
