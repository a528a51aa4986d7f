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
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "tensor/strided_loop.h"
#include "tensor/taps.h"
#include "tensor/tensor_desc.h"

namespace anydml {

inline constexpr uint32_t kMaxSumAxes = 4;

// One changing axis of packed data: [outer, source_size, inner] becomes
// [outer, target_size, inner].
struct AxisPass {
  uint32_t axis = 0;
  uint64_t outer = 1;
  uint64_t source_size = 1;
  uint64_t target_size = 1;
  uint64_t inner = 1;
  uint64_t TargetElements() const { return outer * target_size * inner; }
};

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

  uint32_t pass_count = 0;  // the number of changing axes
  // For the bit copy that remains when no axis changes anything.
  StridedLoop<2> copy;

  // Both tensors are packed in one order of the axes (channels last, say).
  bool packed = false;
  std::array<AxisPass, kMaxSumAxes> passes = {};  // of packed data, in the order of execution
  uint64_t planes = 1;  // the outermost unchanged axes in memory: independent of one another
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
  bool present() const { return !begin.empty(); }
  uint64_t Bytes() const { return begin.size() * sizeof(uint32_t) + terms.size() * sizeof(Term); }
};

struct AxisSumsTables {
  std::array<TermTable, kMaxSumAxes> axes;

  uint64_t Bytes() const {
    uint64_t bytes = 0;
    for (const TermTable& axis : axes) bytes += axis.Bytes();
    return bytes;
  }
};

// 16 MiB for the terms of a linear axis.
inline constexpr uint64_t kMostTableElements = uint64_t{1} << 20;
bool HasTable(const TapAxis& axis);

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
