// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Brings rows of the input gradient near that the processor does not foresee:
// where a stride is negative or the order of memory is another one, they do not
// follow one another at ascending addresses.
#pragma once

#include <algorithm>
#include <cstdint>

#include "operators/slice_grad/plan.h"

namespace anydml::slice_grad {

class InputAhead {
 public:
  static constexpr uint64_t kBytes = 4096;  // twice as many gain nothing more

  // Rows of a group, and behind them those of the next group.
  class Rows {
   public:
    // Called before each row of the group is read.
    void AskForOne() {
      if (bytes_ == 0) return;
      if (left_in_group_-- == 0) row_ = next_group_;
      // Into the second-level cache: the nearest one has few places for lines under way.
      for (uint64_t i = 0; i < bytes_; i += kLine) __builtin_prefetch(row_ + i, 0, 2);
      __builtin_prefetch(row_ + bytes_ - 1, 0, 2);
      row_ += distance_;
    }

   private:
    friend class InputAhead;
    static constexpr uint64_t kLine = 64;
    const char* row_ = nullptr;
    const char* next_group_ = nullptr;
    int64_t distance_ = 0;
    uint64_t bytes_ = 0;  // 0 where nobody needs to ask
    uint64_t left_in_group_ = 0;
  };

  InputAhead(const Plan& plan, const void* input) : size_(plan.element_size) {
    if (!TakesRows(plan)) return;
    bytes_ = uint64_t{plan.inner().count} * size_;
    input_ = static_cast<const char*>(input);
    if (plan.inner().input_stride < 0) input_ -= bytes_ - size_;
  }

  // Rows that the processor does not foresee, several to a block, and short enough to
  // be asked for as a whole.
  static bool TakesRows(const Plan& plan) {
    const Axis& row = plan.inner();
    const bool packed = row.input_stride == 1 || row.input_stride == -1;
    const bool is_short = uint64_t{row.count} * plan.element_size <= kBytes;
    if (!packed || !is_short || plan.block_rank < 2) return false;
    for (uint32_t i = 0; i + 1 < plan.rank; ++i) {
      const Axis& inner = plan.axes[i + 1];
      const bool ascends =
          inner.input_stride > 0 && plan.axes[i].input_stride >= inner.count * inner.input_stride;
      if (plan.axes[i].count > 1 && !ascends) return true;
    }
    return row.input_stride < 0;
  }

  // Element offsets of the first row and of that of the next group.
  Rows Of(int64_t first, uint64_t count, int64_t distance, int64_t next_group) const {
    Rows rows;
    if (bytes_ == 0) return rows;
    const auto ahead = static_cast<int64_t>(std::min(kBytes / bytes_, count));
    const auto size = static_cast<int64_t>(size_);
    rows.row_ = input_ + (first + ahead * distance) * size;
    rows.next_group_ = input_ + next_group * size;
    rows.distance_ = distance * size;
    rows.bytes_ = bytes_;
    rows.left_in_group_ = count - static_cast<uint64_t>(ahead);
    return rows;
  }

 private:
  const char* input_ = nullptr;
  uint64_t bytes_ = 0;
  uint64_t size_;
};

}  // namespace anydml::slice_grad
