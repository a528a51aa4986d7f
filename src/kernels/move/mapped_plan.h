// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// An output that reads its input through a map of coordinates per axis: around the input lies a
// value, or the input again in some way. Made by plans, walked by kernels.
#pragma once

#include <algorithm>

#include "tensor/scalar.h"
#include "tensor/tensor_desc.h"

namespace anydml::move {

// What lies outside of the input along an axis.
enum class Outside : uint8_t {
  kValue,
  kNearest,
  kFolded,    // the input backwards, without the element at the border
  kMirrored,  // the input backwards
  kWrapped,   // the input
};

struct MappedAxis {
  uint32_t size;    // of the output
  uint32_t start;   // the coordinate of the input's element 0
  uint32_t count;   // of the input
  Outside outside;  // kValue or kNearest where count is 1
  int64_t output_stride;
  int64_t input_stride;

  bool IsWhole() const { return count == size; }
  // After so many coordinates outside of the input everything comes again.
  constexpr uint64_t Period() const {
    if (outside == Outside::kWrapped) return count;
    if (outside == Outside::kMirrored) return uint64_t{2} * count;
    return outside == Outside::kFolded ? uint64_t{2} * (count - 1) : 1;
  }
  constexpr uint32_t PlaceInPeriod(uint32_t distance) const {
    return static_cast<uint32_t>(distance % Period());
  }
};

// Coordinates that read elements at one distance.
struct AxisRun {
  int64_t element;  // that the first one reads; -1: they are the value
  int32_t step;     // to the next one's: 1, 0 or -1
  uint64_t count;
};

// From coordinate `o` on, as many as there are.
template <class Axis>
constexpr AxisRun RunAt(const Axis& axis, uint32_t o) {
  const bool is_before = o < axis.start;
  if (!is_before && o - axis.start < axis.count) {
    return {int64_t{o} - axis.start, 1, uint64_t{axis.start} + axis.count - o};
  }
  const uint64_t left = (is_before ? axis.start : axis.size) - o;
  if (axis.outside == Outside::kValue) return {-1, 0, left};
  const int64_t last = int64_t{axis.count} - 1;
  if (axis.outside == Outside::kNearest) return {is_before ? 0 : last, 0, left};
  // Behind the last element; what lies before the first one is that in a mirror.
  const bool is_folded = axis.outside == Outside::kFolded;
  const uint32_t distance = is_before ? axis.start - 1 - o : o - axis.start - axis.count;
  const uint64_t place = axis.PlaceInPeriod(is_folded ? distance + 1 : distance);
  AxisRun run = {};
  uint64_t ahead = 0, behind = 0;  // how many with those farther out, and with those farther in
  if (axis.outside == Outside::kWrapped) {
    run = {static_cast<int64_t>(place), 1, 0};
    ahead = axis.count - place;
    behind = place + 1;
  } else if (place < axis.count) {
    run = {last - static_cast<int64_t>(place), -1, 0};
    ahead = axis.count - place;
    behind = place + 1;
  } else {
    run = {static_cast<int64_t>(place - axis.count) + (is_folded ? 1 : 0), 1, 0};
    ahead = axis.Period() - place;
    behind = place - axis.count + 1;
  }
  if (is_before) run.element = last - run.element;
  const uint64_t count = is_before ? behind : ahead;
  run.count = count < left ? count : left;
  return run;
}

struct Mapped {
  uint32_t element_size;
  Scalar value;
  uint64_t input_elements;
  // How many elements from the beginning of the input on all belong to it, so that neighbours
  // may be read with what is wanted; 0 where it has gaps.
  uint64_t dense_elements;
  bool is_packed;                               // the output has no gaps
  uint32_t rank;                                // at least 1
  std::array<MappedAxis, kMaxDimensions> axes;  // in the output's order of memory, outermost first
  // Elements that lie side by side in both tensors for each coordinate of the last axis.
  uint32_t inner;

  const MappedAxis& row() const { return axes[rank - 1]; }
  uint64_t RowElements() const { return uint64_t{row().size} * inner; }
  uint64_t RowCount() const {
    uint64_t rows = 1;
    for (uint32_t i = 0; i + 1 < rank; ++i) rows *= axes[i].size;
    return rows;
  }
  // Between neighbours of a row.
  int64_t OutputStep() const { return inner == 1 ? row().output_stride : 1; }
  bool HasPackedRows() const {
    return OutputStep() == 1 && (inner != 1 || row().count == 1 || row().input_stride <= 1);
  }
};

// Elements of a row of the output that lie at one distance in the input.
struct RowRun {
  int64_t source;  // of the first one, from the input's row on; -1: they are the value
  int64_t step;
  uint64_t count;
};

// From element `skip` of coordinate `o` on.
template <class Axis>
constexpr RowRun RowRunAt(const Axis& axis, uint32_t inner, uint32_t o, uint32_t skip) {
  const AxisRun run = RunAt(axis, o);
  if (run.element < 0) return {-1, 0, run.count * inner - skip};
  if (inner == 1) {
    return {run.element * axis.input_stride, run.step * axis.input_stride, run.count};
  }
  return {run.element * inner + skip, 1, (run.step == 1 ? run.count : 1) * inner - skip};
}

// Those of elements [begin, end) of a row, one after the other.
class RowRuns {
 public:
  RowRuns(const Mapped& plan, bool is_value, uint64_t begin, uint64_t end)
      : plan_(plan), is_value_(is_value), at_(begin), end_(end) {
    Find();
  }
  bool done() const { return at_ == end_; }
  uint64_t at() const { return at_; }
  const RowRun& run() const { return run_; }
  void Next() {
    at_ += run_.count;
    Find();
  }

 private:
  void Find() {
    if (done()) return;
    if (is_value_) {
      run_ = {-1, 0, end_ - at_};
    } else if (plan_.inner == 1) {
      run_ = RowRunAt(plan_.row(), 1, static_cast<uint32_t>(at_), 0);
    } else {
      run_ = RowRunAt(plan_.row(), plan_.inner, static_cast<uint32_t>(at_ / plan_.inner),
                      static_cast<uint32_t>(at_ % plan_.inner));
    }
    run_.count = std::min(run_.count, end_ - at_);
  }

  const Mapped& plan_;
  bool is_value_;
  uint64_t at_;
  uint64_t end_;
  RowRun run_ = {};
};

// Walks the rows of the output in its order, starting anywhere.
class MappedRows {
 public:
  MappedRows(const Mapped& plan, uint64_t row) : plan_(plan) {
    for (uint32_t i = plan.rank - 1; i-- > 0;) {
      MoveTo(i, static_cast<uint32_t>(row % plan.axes[i].size));
      row /= plan.axes[i].size;
    }
  }
  void Next() {
    for (uint32_t i = plan_.rank - 1; i-- > 0;) {
      if (position_[i] + 1 < plan_.axes[i].size) return MoveTo(i, position_[i] + 1);
      MoveTo(i, 0);
    }
  }
  bool IsValue() const { return values_ != 0; }  // all of the row
  int64_t output() const { return output_; }
  int64_t input() const { return input_; }  // where it is not

 private:
  void MoveTo(uint32_t i, uint32_t position) {
    const MappedAxis& axis = plan_.axes[i];
    const int64_t element = RunAt(axis, position).element;
    output_ += (int64_t{position} - int64_t{position_[i]}) * axis.output_stride;
    position_[i] = position;
    values_ = (values_ & ~(1u << i)) | (element < 0 ? 1u << i : 0u);
    if (element < 0) return;
    input_ += (element - element_[i]) * axis.input_stride;
    element_[i] = element;
  }

  const Mapped& plan_;
  std::array<uint32_t, kMaxDimensions> position_ = {};
  std::array<int64_t, kMaxDimensions> element_ = {};  // the last one that was read
  uint32_t values_ = 0;                               // a bit per axis that is outside
  int64_t output_ = 0;
  int64_t input_ = 0;
};

}  // namespace anydml::move
