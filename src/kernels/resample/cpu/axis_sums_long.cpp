// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sums along a single axis without a table of terms. Where its terms repeat and the row
// is contiguous, nothing is looked up. Otherwise the taps of an axis that is too long for
// a table are evaluated a block of samples at a time, once each (twice at the edges of a
// unit of work), in the order of the samples, which is the order of every sum.
#include "backends/cpu/rows.h"
#include "kernels/resample/cpu/axis_sums.h"
#include "kernels/resample/cpu/row_boxes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/resample/cpu/axis_sums_long.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/float16-inl.h"
#include "backends/cpu/integers-inl.h"
#include "kernels/resample/cpu/doubled_lanes-inl.h"
#include "kernels/resample/cpu/repeated_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr uint64_t kTapsTogether = 512;

struct TapBlock {
  alignas(64) int32_t pixel[kTapsTogether];  // the bits of a uint32_t
  alignas(64) float weight[kTapsTogether];
  alignas(64) float next_weight[kTapsTogether];
};

// TapsIn<float>() of samples from `begin` on, in vectors.
void EvaluateSingle(const TapAxis& axis, uint64_t begin, uint64_t count, TapBlock& block) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto zero = hn::Zero(d), last = hn::Set(d, static_cast<float>(axis.pixel_count - 1));
  for (uint64_t i = 0; i < count; i += hn::Lanes(d)) {
    // Whole numbers below 2^23: exact.
    const auto sample = hn::ConvertTo(d, hn::Iota(di, static_cast<int32_t>(begin + i)));
    const auto offset = hn::Sub(sample, hn::Set(d, axis.output_pixel_offset));
    auto place =
        hn::Sub(hn::Div(offset, hn::Set(d, axis.scale)), hn::Set(d, axis.input_pixel_offset));
    if (axis.sampling == Sampling::kCeil) place = hn::Ceil(place);
    const auto inside = hn::Min(hn::Max(place, zero), last);
    const auto whole = hn::Floor(inside);
    const bool linear = axis.sampling == Sampling::kLinear;
    const auto fraction = linear ? hn::Sub(inside, whole) : zero;
    hn::Store(hn::ConvertTo(di, whole), di, block.pixel + i);
    hn::Store(hn::Sub(hn::Set(d, 1.0f), fraction), d, block.weight + i);
    hn::Store(fraction, d, block.next_weight + i);
  }
}

void Evaluate(const TapAxis& axis, uint64_t begin, uint64_t count, TapBlock& block) {
  if (std::max(axis.pixel_count, axis.sample_count) <= kMostSinglePrecisionElements) {
    return EvaluateSingle(axis, begin, count, block);
  }
  for (uint64_t i = 0; i < count; ++i) {
    const Taps taps = TapsIn<double>(axis, begin + i);
    block.pixel[i] = static_cast<int32_t>(taps.pixel);
    block.weight[i] = taps.weight;
    block.next_weight[i] = taps.next_weight;
  }
}

// One line along the axis.
template <typename T>
struct LongLine {
  const T* source;
  int64_t source_stride;
  T* target;
  int64_t target_stride;

  HWY_INLINE float Load(uint64_t i) const {
    const hn::CappedTag<float, 1> d1;
    return hn::GetLane(LoadFloats(d1, source + static_cast<int64_t>(i) * source_stride));
  }
  HWY_INLINE void Store(uint64_t i, float value) const {
    const hn::CappedTag<float, 1> d1;
    StoreFloats(d1, hn::Set(d1, value), target + static_cast<int64_t>(i) * target_stride);
  }
};

template <typename T>
void SumSamples(const TapAxis& axis, const LongLine<T>& line, uint64_t begin, uint64_t end) {
  TapBlock block;
  for (uint64_t at = begin; at < end; at += kTapsTogether) {
    const uint64_t count = std::min(kTapsTogether, end - at);
    Evaluate(axis, at, count, block);
    for (uint64_t i = 0; i < count; ++i) {
      const auto pixel = static_cast<uint32_t>(block.pixel[i]);
      float sum = 0;
      sum += block.weight[i] * line.Load(pixel);
      if (block.next_weight[i] != 0) {
        sum += block.next_weight[i] * line.Load(uint64_t{pixel} + 1);
      }
      line.Store(at + i, sum);
    }
  }
}

// Pixels in [begin, end) receive their samples; the pixel of a sample never moves
// back, so two sums are open at a time.
template <typename T>
class OpenSums {
 public:
  OpenSums(const LongLine<T>& line, uint64_t begin, uint64_t end)
      : line_(line), begin_(begin), end_(end), written_(begin), pixel_(0) {}

  HWY_INLINE void Add(uint64_t pixel, float weight, float next_weight, float value) {
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
  HWY_INLINE void MoveTo(uint64_t pixel) {
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
  HWY_INLINE void Write(uint64_t pixel, float sum) {
    if (pixel < begin_ || pixel >= end_) return;
    while (written_ < pixel) line_.Store(written_++, 0.0f);
    line_.Store(written_++, sum);
  }

  const LongLine<T> line_;
  const uint64_t begin_, end_;
  uint64_t written_;
  uint64_t pixel_;
  float sum_ = 0, next_sum_ = 0;  // of pixel_ and of the one after it
};

template <typename T>
void SumPixelsOfLine(const TapAxis& axis, const LongLine<T>& line, uint64_t begin, uint64_t end) {
  const bool reaches_back = axis.sampling == Sampling::kLinear && begin > 0;
  const uint64_t first = FirstSampleAt(axis, reaches_back ? begin - 1 : begin);
  const uint64_t last = end == axis.pixel_count ? axis.sample_count : FirstSampleAt(axis, end);
  TapBlock block;
  OpenSums<T> sums(line, begin, end);
  for (uint64_t at = first; at < last; at += kTapsTogether) {
    const uint64_t count = std::min(kTapsTogether, last - at);
    Evaluate(axis, at, count, block);
    for (uint64_t i = 0; i < count; ++i) {
      sums.Add(static_cast<uint32_t>(block.pixel[i]), block.weight[i], block.next_weight[i],
               line.Load(at + i));
    }
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

void SumLong(const AxisSums& sums, const Bindings& bindings, const Executor& executor) {
  uint32_t axis = 0;
  while (!sums.changes[axis]) ++axis;
  const uint64_t targets = sums.target_sizes[axis], sources = sums.source_sizes[axis];
  const uint64_t lines = ElementCount(sums.target_sizes, sums.rank) / targets;
  // Pieces are long enough for their edges not to count, where there are so many.
  const uint64_t wanted = CeilDivide(4 * static_cast<uint64_t>(executor.threads()), lines);
  const uint64_t pieces = std::clamp<uint64_t>(wanted, 1, targets);
  const uint64_t length = CeilDivide(targets, pieces);
  const uint64_t grain = kElementsPerUnit / std::max(length, sources / pieces);
  DispatchType(SumTypes(), sums.data_type, [&]<typename T>() HWY_ATTR {
    executor.ParallelFor(lines * pieces, grain, [&](uint64_t unit, uint64_t units_end) HWY_ATTR {
      for (; unit < units_end; ++unit) {
        const uint64_t index = unit / pieces, begin = unit % pieces * length;
        const uint64_t end = std::min(begin + length, targets);
        if (begin >= end) continue;
        const LongLine<T> line = {
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

// False, and nothing done, where the terms do not repeat as it needs.
bool SumRepeated(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                 const Executor& executor) {
#if ANYDML_TRANSPOSES
  constexpr uint64_t kLanes = LaneTable::kMostLanesOfAVector;
  const RowNest& nest = sums.rows;
  const uint64_t targets = nest.target_lanes, planes = nest.PlaneCount();
  if (targets < 2 * kLanes) return false;
  const uint64_t wanted = CeilDivide(4 * static_cast<uint64_t>(executor.threads()), planes);
  const uint64_t pieces = std::clamp<uint64_t>(wanted, 1, targets / (2 * kLanes));
  const uint64_t length = targets / pieces / kLanes * kLanes;
  const uint64_t grain = kElementsPerUnit / std::max(length, nest.source_lanes / pieces);
  const auto sum_rows = [&]<class Lanes>() HWY_ATTR {
    const Lanes lanes(tables.repeated, targets);
    DispatchType(SumTypes(), sums.data_type, [&]<typename T>() HWY_ATTR {
      executor.ParallelFor(planes * pieces, grain, [&](uint64_t unit, uint64_t end) HWY_ATTR {
        for (; unit < end; ++unit) {
          const PlaneOffsets plane = OffsetsOf(nest, unit / pieces);
          const uint64_t piece = unit % pieces, first = piece * length;
          lanes.Sum(bindings.Input<T>(0) + plane.source, first,
                    piece + 1 == pieces ? targets : first + length,
                    bindings.Output<T>(0) + plane.target + first);
        }
      });
    });
    return true;
  };
  return WithRepeatedLanes<true>(tables.repeated, targets, sum_rows) ||
         WithDoubledLanes(tables.repeated, sum_rows);
#else
  (void)sums, (void)tables, (void)bindings, (void)executor;
  return false;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::cpu {
namespace {

HWY_EXPORT(SumLong);
HWY_EXPORT(SumRepeated);

}  // namespace

void SumLongAxis(const AxisSums& sums, const Bindings& bindings, const Executor& executor) {
  HWY_DYNAMIC_DISPATCH(SumLong)(sums, bindings, executor);
}

bool SumRepeatedRows(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                     const Executor& executor) {
  return HWY_DYNAMIC_DISPATCH(SumRepeated)(sums, tables, bindings, executor);
}

}  // namespace anydml::cpu
#endif  // HWY_ONCE
