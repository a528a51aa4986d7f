// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Nested sums per target element. The outermost sum is the first axis and the
// innermost the last, so each element sees the additions of "axis by axis, last
// axis first" in the same order, without a tensor in between.
#include <cmath>
#include <cstring>
#include <limits>

#include "backends/cpu/rows.h"
#include "base/checked_math.h"
#include "kernels/resample/cpu/axis_sums.h"
#include "kernels/resample/cpu/strategies.h"

namespace anydml::cpu {
namespace {

template <typename T>
float Widen(T value) {
  if constexpr (std::is_same_v<T, Float16>) {
    return ToFloat(value);
  } else {
    return static_cast<float>(value);
  }
}

// Integers: to nearest even, saturated (B26).
template <typename T>
T Narrow(float value) {
  if constexpr (std::is_same_v<T, float>) {
    return value;
  } else if constexpr (std::is_same_v<T, Float16>) {
    return ToFloat16(value);
  } else {
    const auto least = static_cast<float>(std::numeric_limits<T>::min());
    const auto most = static_cast<float>(std::numeric_limits<T>::max());
    return static_cast<T>(std::nearbyint(std::clamp(value, least, most)));
  }
}

// The position of one target element: the terms of each changing axis, looked
// up again only when its coordinate moves.
class Cursor {
 public:
  Cursor(const AxisSums& sums, const AxisSumsTables& tables, uint64_t target_index)
      : sums_(sums), tables_(tables) {
    uint32_t changing = sums.pass_count;
    for (uint32_t i = sums.rank; i-- > 0;) {
      coordinate_[i] = target_index % sums.target_sizes[i];
      target_index /= sums.target_sizes[i];
      if (sums.changes[i]) slot_[i] = --changing;
      if (sums.changes[i]) strides_[slot_[i]] = sums.source_strides[i];
      Place(i);
    }
  }

  void Next() {
    for (uint32_t i = sums_.rank; i-- > 0;) {
      const bool carry = ++coordinate_[i] == sums_.target_sizes[i];
      if (carry) coordinate_[i] = 0;
      Place(i);
      if (!carry) return;
    }
  }

  uint64_t TargetOffset() const { return Offset(sums_.target_strides, true); }
  // Along the axes that change nothing; the sums walk the others.
  uint64_t SourceOffset() const { return Offset(sums_.source_strides, false); }
  const TermRange* terms() const { return terms_.data(); }
  // An axis without terms: the sum is +0, however many terms the others have.
  bool HasEmptySum() const {
    for (uint32_t k = 0; k < sums_.pass_count; ++k) {
      if (terms_[k].size() == 0) return true;
    }
    return false;
  }
  const int64_t* strides() const { return strides_.data(); }

 private:
  void Place(uint32_t i) {
    if (sums_.changes[i]) terms_[slot_[i]] = TermRange(sums_, tables_, i, coordinate_[i]);
  }

  uint64_t Offset(const std::array<int64_t, kMaxSumAxes>& strides, bool all) const {
    uint64_t offset = 0;
    for (uint32_t i = 0; i < sums_.rank; ++i) {
      if (all || !sums_.changes[i]) offset += coordinate_[i] * static_cast<uint64_t>(strides[i]);
    }
    return offset;
  }

  const AxisSums& sums_;
  const AxisSumsTables& tables_;
  std::array<uint64_t, kMaxSumAxes> coordinate_ = {};
  std::array<uint32_t, kMaxSumAxes> slot_ = {};    // of a changing axis, in logical order
  std::array<TermRange, kMaxSumAxes> terms_ = {};  // by slot
  std::array<int64_t, kMaxSumAxes> strides_ = {};  // of the source, by slot
};

template <int kAxes, typename T>
float Sum(const T* source, const TermRange* terms, const int64_t* strides) {
  if constexpr (kAxes == 0) {
    return Widen(*source);
  } else {
    float sum = 0;
    for (uint64_t k = 0; k < terms->size(); ++k) {
      const Term term = (*terms)[k];
      if (term.weight == 0) continue;
      const T* at = source + int64_t{term.source} * *strides;
      sum += term.weight * Sum<kAxes - 1>(at, terms + 1, strides + 1);
    }
    return sum;
  }
}

template <int kAxes>
void SumElements(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                 const Executor& executor) {
  const uint64_t sources = ElementCount(sums.source_sizes, sums.rank);
  const uint64_t targets = ElementCount(sums.target_sizes, sums.rank);
  const uint64_t grain = kElementsPerUnit / std::max<uint64_t>(1, CeilDivide(sources, targets));
  DispatchType(SumTypes(), sums.data_type, [&]<typename T>() {
    const T* source = bindings.Input<T>(0);
    T* target = bindings.Output<T>(0);
    executor.ParallelFor(targets, grain, [&](uint64_t begin, uint64_t end) {
      Cursor cursor(sums, tables, begin);
      for (uint64_t i = begin; i < end; ++i) {
        const float sum = cursor.HasEmptySum() ? 0.0f
                                               : Sum<kAxes>(source + cursor.SourceOffset(),
                                                            cursor.terms(), cursor.strides());
        target[cursor.TargetOffset()] = Narrow<T>(sum);
        if (i + 1 < end) cursor.Next();
      }
    });
  });
}

// No axis changes anything: the bits of every element survive.
void CopyElements(const AxisSums& sums, const Bindings& bindings, const Executor& executor) {
  DispatchWidth(ElementSize(sums.data_type), [&]<typename T>() {
    const T* source = bindings.Input<T>(0);
    T* target = bindings.Output<T>(0);
    const int64_t from = sums.copy.inner_stride(0), to = sums.copy.inner_stride(1);
    ForEachRowPiece(sums.copy, executor, [=](const auto& at, uint64_t count) {
      if (from == 1 && to == 1) {
        std::memcpy(target + at[1], source + at[0], count * sizeof(T));
        return;
      }
      for (int64_t i = 0; i < static_cast<int64_t>(count); ++i) {
        target[at[1] + i * to] = source[at[0] + i * from];
      }
    });
  });
}

// ---- A single axis: its taps are evaluated a block at a time.

// One line along the axis.
template <typename T>
struct Line {
  const T* source;
  int64_t source_stride;
  T* target;
  int64_t target_stride;

  float Load(uint64_t i) const { return Widen(source[static_cast<int64_t>(i) * source_stride]); }
  void Store(uint64_t i, float value) const {
    target[static_cast<int64_t>(i) * target_stride] = Narrow<T>(value);
  }
};

template <typename T>
void SumSamples(const TapAxis& axis, const Line<T>& line, uint64_t begin, uint64_t end) {
  for (uint64_t sample = begin; sample < end; ++sample) {
    const Taps taps = TapsOf(axis, sample);
    float sum = 0;
    sum += taps.weight * line.Load(taps.pixel);
    if (taps.next_weight != 0) sum += taps.next_weight * line.Load(uint64_t{taps.pixel} + 1);
    line.Store(sample, sum);
  }
}

// Pixels in [begin, end) receive their samples; the pixel of a sample never moves
// back, so two sums are open at a time.
template <typename T>
class OpenSums {
 public:
  OpenSums(const Line<T>& line, uint64_t begin, uint64_t end)
      : line_(line), begin_(begin), end_(end), written_(begin), pixel_(0) {}

  void Add(uint64_t pixel, float weight, float next_weight, float value) {
    if (pixel != pixel_) MoveTo(pixel);
    sum_ += weight * value;
    if (next_weight != 0) next_sum_ += next_weight * value;
  }

  void Finish() {
    Write(pixel_, sum_);
    Write(pixel_ + 1, next_sum_);
    while (written_ < end_) line_.Store(written_++, 0.0f);
  }

 private:
  void MoveTo(uint64_t pixel) {
    Write(pixel_, sum_);
    sum_ = next_sum_;
    if (pixel != pixel_ + 1) {
      Write(pixel_ + 1, next_sum_);
      sum_ = 0;
    }
    next_sum_ = 0;
    pixel_ = pixel;
  }

  // And +0 to those before it that no sample names.
  void Write(uint64_t pixel, float sum) {
    if (pixel < begin_ || pixel >= end_) return;
    while (written_ < pixel) line_.Store(written_++, 0.0f);
    line_.Store(written_++, sum);
  }

  const Line<T> line_;
  const uint64_t begin_, end_;
  uint64_t written_;
  uint64_t pixel_;
  float sum_ = 0, next_sum_ = 0;  // of pixel_ and of the one after it
};

template <typename T>
void SumPixelsOfLine(const TapAxis& axis, const Line<T>& line, uint64_t begin, uint64_t end) {
  const bool reaches_back = axis.sampling == Sampling::kLinear && begin > 0;
  const uint64_t first = FirstSampleAt(axis, reaches_back ? begin - 1 : begin);
  const uint64_t last = end == axis.pixel_count ? axis.sample_count : FirstSampleAt(axis, end);
  OpenSums<T> sums(line, begin, end);
  for (uint64_t sample = first; sample < last; ++sample) {
    const Taps taps = TapsOf(axis, sample);
    sums.Add(taps.pixel, taps.weight, taps.next_weight, line.Load(sample));
  }
  sums.Finish();
}

// Element offset of a line: `index` counts the places of the other axes.
int64_t OffsetOfLine(const AxisSums& sums, uint32_t axis, uint64_t index,
                     const std::array<int64_t, kMaxSumAxes>& strides) {
  int64_t offset = 0;
  for (uint32_t i = sums.rank; i-- > 0;) {
    if (i == axis) continue;
    offset += static_cast<int64_t>(index % sums.target_sizes[i]) * strides[i];
    index /= sums.target_sizes[i];
  }
  return offset;
}

Refusal AcceptsUnchanged(const AxisSums& sums) {
  return {sums.pass_count == 0 ? "" : "an axis changes"};
}

void CopyUnchanged(const AxisSums& sums, const AxisSumsTables&, const Bindings& bindings,
                   const Executor& executor) {
  CopyElements(sums, bindings, executor);
}

// A single axis, whose taps are evaluated a block at a time.
Refusal AcceptsOneAxis(const AxisSums& sums) {
  if (sums.pass_count != 1) return {"not a single axis changes"};
  return {AcceptsLongAxes(sums).accepted() ? "the axis has a table of taps" : ""};
}

void SumOneAxis(const AxisSums& sums, const AxisSumsTables&, const Bindings& bindings,
                const Executor& executor) {
  uint32_t axis = 0;
  while (!sums.changes[axis]) ++axis;
  const uint64_t targets = sums.target_sizes[axis], sources = sums.source_sizes[axis];
  const uint64_t lines = ElementCount(sums.target_sizes, sums.rank) / targets;
  // Pieces are long enough for their edges not to count, where there are so many.
  const uint64_t wanted = CeilDivide(4 * static_cast<uint64_t>(executor.threads()), lines);
  const uint64_t pieces = std::clamp<uint64_t>(wanted, 1, targets);
  const uint64_t length = CeilDivide(targets, pieces);
  const uint64_t grain = kElementsPerUnit / std::max(length, sources / pieces);
  DispatchType(SumTypes(), sums.data_type, [&]<typename T>() {
    executor.ParallelFor(lines * pieces, grain, [&](uint64_t unit, uint64_t units_end) {
      for (; unit < units_end; ++unit) {
        const uint64_t index = unit / pieces, begin = unit % pieces * length;
        const uint64_t end = std::min(begin + length, targets);
        if (begin >= end) continue;
        const Line<T> line = {
            bindings.Input<T>(0) + OffsetOfLine(sums, axis, index, sums.source_strides),
            sums.source_strides[axis],
            bindings.Output<T>(0) + OffsetOfLine(sums, axis, index, sums.target_strides),
            sums.target_strides[axis]};
        const auto sum = sums.transposed ? SumPixelsOfLine<T> : SumSamples<T>;
        sum(sums.axes[axis], line, begin, end);
      }
    });
  });
}

// Everything that is not a copy.
void SumStrided(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                const Executor& executor) {
  switch (sums.pass_count) {
    case 0:
      return CopyElements(sums, bindings, executor);
    case 1:
      return SumElements<1>(sums, tables, bindings, executor);
    case 2:
      return SumElements<2>(sums, tables, bindings, executor);
    case 3:
      return SumElements<3>(sums, tables, bindings, executor);
    default:
      return SumElements<4>(sums, tables, bindings, executor);
  }
}

template <RowKind kKind>
Refusal AcceptsRowsOf(const AxisSums& sums) {
  return AcceptsRows(sums, kKind);
}
template <RowKind kKind>
void SumRowsOf(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
               const Executor& executor) {
  SumRows(sums, tables, bindings, executor, kKind);
}

using Strategy = StrategyOf<AxisSums, AxisSumsTables>;
template <RowKind kKind>
constexpr CpuStrategy Rows(std::string_view name) {
  return Strategy::Named<AcceptsRowsOf<kKind>, SumRowsOf<kKind>>(name);
}

}  // namespace
}  // namespace anydml::cpu

namespace anydml::resample {

constinit const std::array<CpuStrategy, 13> kGradientStrategies = {
    cpu::Strategy::Named<cpu::AcceptsPairedVolumes, cpu::SumPairedVolumes>("paired_volumes"),
    cpu::Rows<cpu::RowKind::kPairedRows>("paired_rows"),
    cpu::Rows<cpu::RowKind::kNearest>("nearest_rows"),
    cpu::Strategy::Named<cpu::AcceptsUnchanged, cpu::CopyUnchanged>("unchanged"),
    cpu::Strategy::Named<cpu::AcceptsChannelsLast, cpu::SumChannelsLast>("channels_last"),
    cpu::Rows<cpu::RowKind::kRepeated>("divided_rows"),
    cpu::Rows<cpu::RowKind::kDoubled>("doubled_rows"),
    cpu::Rows<cpu::RowKind::kPixels>("pixel_rows"),
    cpu::Rows<cpu::RowKind::kWindows>("windowed_rows"),
    cpu::Rows<cpu::RowKind::kUnchanged>("unchanged_rows"),
    cpu::Rows<cpu::RowKind::kAny>("any_rows"),
    cpu::Strategy::Named<cpu::AcceptsOneAxis, cpu::SumOneAxis>("long_axis"),
    cpu::Strategy::Named<AcceptsAll<AxisSums>, cpu::SumStrided>("strided"),
};

}  // namespace anydml::resample
