// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The rows of a kernel: read in place where their terms are neighbours in memory, else packed.
// Included once per instruction set.

#if defined(ANYDML_KERNELS_MATMUL_CPU_ROW_READER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_MATMUL_CPU_ROW_READER_INL_H_
#undef ANYDML_KERNELS_MATMUL_CPU_ROW_READER_INL_H_
#else
#define ANYDML_KERNELS_MATMUL_CPU_ROW_READER_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>

#include "kernels/matmul/cpu/pack-inl.h"
#include "kernels/matmul/cpu/panels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Where the terms of a panel of rows are, in one piece of the depth: in the tensor, or packed.
template <typename T>
class RowReader {
 public:
  RowReader(const OperandView& view, const T* data, uint64_t first, uint64_t terms, float* packed)
      : view_(view), data_(data), packed_(packed), packer_(view, data, first, terms, kPackedRows) {
    if (!AreInReach(view)) return;
    are_in_reach_ = true;
    FindSteps(first, terms);
  }

  // Rows behind the last one are any.
  void Read(uint64_t row, uint64_t count) {
    if constexpr (std::is_same_v<T, float>) {
      if (are_in_reach_) {
        const PackedLanes<kPackedRows> lanes(view_, row, count);
        if (!view_.is_image || AreInside(lanes)) {
          for (uint64_t r = 0; r < kPackedRows; ++r) {
            rows_[r] = UncheckedOffset(data_, lanes.offsets[std::min(r, count - 1)]);
          }
          current_steps_ = steps_;
          return;
        }
      }
    }
    packer_.Pack(row, count, packed_);
    for (uint64_t r = 0; r < kPackedRows; ++r) rows_[r] = packed_ + r;
    current_steps_ = kPackedSteps.data();
  }

  const float* const* rows() const { return rows_; }
  const int64_t* steps() const { return current_steps_; }

 private:
  static constexpr auto kPackedSteps = [] {
    std::array<int64_t, kChain> steps = {};
    for (size_t k = 0; k < kChain; ++k) steps[k] = static_cast<int64_t>(k * kPackedRows);
    return steps;
  }();

  // Terms that follow one another share cache lines and pages; of others each would need its own.
  static bool AreInReach(const OperandView& view) {
    if (!std::is_same_v<T, float> || view.runs == OperandView::Runs::kIndices) return false;
    for (size_t i = 0; i < kProductAxes; ++i) {
      if (view.depth_steps[i] == 1 && view.depth_sizes[i] > 1) return true;
    }
    return false;
  }

  void FindSteps(uint64_t first, uint64_t terms) {
    int64_t at[kProductAxes], step = 0;
    for (size_t i = kProductAxes; i-- > 0;) {
      at[i] = static_cast<int64_t>(first % view_.depth_sizes[i]);
      first /= view_.depth_sizes[i];
      step += at[i] * view_.depth_steps[i];
    }
    for (uint64_t k = 0; k < terms; ++k) {
      steps_[k] = step;
      step += view_.depth_steps[3];
      ++at[3];
      for (size_t i = kProductAxes - 1;
           i > 0 && at[i] == static_cast<int64_t>(view_.depth_sizes[i]); --i) {
        step += view_.depth_steps[i - 1] - at[i] * view_.depth_steps[i];
        at[i] = 0;
        ++at[i - 1];
      }
    }
  }

  // Whether all taps of all rows lie in the image.
  bool AreInside(const PackedLanes<kPackedRows>& lanes) const {
    for (size_t i = view_.first_border; i < kSpatialAxes; ++i) {
      const Positions& p = view_.positions[i];
      const int64_t last = (static_cast<int64_t>(view_.depth_sizes[1 + i]) - 1) * p.tap_step;
      for (int64_t lane = 0; lane < lanes.count; ++lane) {
        const int64_t place = lanes.places[i][lane];
        if (place < 0 || place + last >= p.size) return false;
      }
    }
    return true;
  }

  const OperandView& view_;
  const T* data_;
  float* packed_;
  VectorPacker<hn::CappedTag<float, kPackedRows>, T> packer_;
  bool are_in_reach_ = false;
  int64_t steps_[kChain];
  const float* rows_[kPackedRows];
  const int64_t* current_steps_ = nullptr;
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
