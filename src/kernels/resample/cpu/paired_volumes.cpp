// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sums along three axes outside channels that lie last, each half as long afterwards, with
// terms that repeat as in paired_rows-inl.h: sources 2t + 1 and 2t + 2 of an axis end the
// sums of target t and begin those of the next one. A step takes two such rows of two such
// slices, reads every source once and ends a target row. What is begun waits: of pixels in
// registers, of rows in a row per slice, of slices in rows that are the only ones beyond
// the nearest cache.

#include "base/checked_math.h"
#include "kernels/resample/cpu/axis_sums.h"
#include "kernels/resample/cpu/row_functions.h"

#ifndef ANYDML_KERNELS_RESAMPLE_CPU_PAIRED_VOLUMES_ONCE_
#define ANYDML_KERNELS_RESAMPLE_CPU_PAIRED_VOLUMES_ONCE_
namespace anydml::cpu {
namespace {

// On the stack of each thread.
constexpr uint64_t kVolumeFloats = 28672;
// Rows of that memory beside one for each target row.
constexpr uint64_t kOtherVolumeRows = 6;

// Inline by force: a call that only prefetches is one without effects, and dropped.
__attribute__((always_inline)) inline void PrefetchLine(const void* from, uint64_t offset) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(from) + offset), 0,
                     2);
}

}  // namespace
}  // namespace anydml::cpu
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/resample/cpu/paired_volumes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "backends/cpu/float16-inl.h"
#include "backends/cpu/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ANYDML_TRANSPOSES

// Of a step: source 2t + 1 and 2t + 2 in the sums that end, and in those that begin. 0 where
// there is no such source, or no such sum.
struct PairWeights {
  float end[2] = {};
  float begin[2] = {};

  // Step t - 1 of the axis, so that there is one before the first target.
  PairWeights(const TermTable& table, uint64_t t) {
    const uint64_t targets = table.begin.size() - 1;
    const Term* const terms = table.terms.data() + table.begin[t];
    if (t > 0) end[0] = terms[t < targets ? -2 : -1].weight;
    if (t > 0 && t < targets) end[1] = terms[-1].weight;
    if (t == 0) begin[1] = terms[0].weight;
    if (t > 0 && t < targets) begin[0] = terms[0].weight, begin[1] = terms[1].weight;
  }
};

template <typename T>
struct VolumeStep {
  const T* rows[4];   // of one slice, then of the other
  const T* ahead[4];  // the next step's
  PairWeights of_rows, of_slices;
  float* open_rows[2];
  float* open_slices;
  T* to;
};

// kBlocks vectors of the channels, along the rows of a step.
template <size_t kBlocks, typename T>
class PixelPairs {
 public:
  HWY_INLINE PixelPairs(const TermTable& table, uint64_t channels, const VolumeStep<T>& step)
      : table_(table), channels_(channels), step_(step) {}

  HWY_INLINE void Run(uint64_t channel) const {
    const uint64_t last = table_.begin.size() - 2;
    V open[4][kBlocks], sums[4][kBlocks];
    const Term* terms = table_.terms.data();
    uint64_t at = channel, source = channel;  // of the target and the source pixel
    ForEach([&](size_t r, size_t b)
                HWY_ATTR { open[r][b] = hn::Mul(hn::Set(d, terms->weight), Load(r, source, b)); });
    source += channels_;
    for (uint64_t x = 0; x < last; ++x, at += channels_, source += 2 * channels_) {
      terms = table_.terms.data() + table_.begin[x + 1];
      const V end[2] = {hn::Set(d, terms[-2].weight), hn::Set(d, terms[-1].weight)};
      const V begin[2] = {hn::Set(d, terms[0].weight), hn::Set(d, terms[1].weight)};
      Prefetch(source);
      ForEach([&](size_t r, size_t b) HWY_ATTR {
        const V first = Load(r, source, b), second = Load(r, source + channels_, b);
        sums[r][b] = AddPair(open[r][b], end, first, second);
        open[r][b] = hn::Add(hn::Mul(begin[0], first), hn::Mul(begin[1], second));
      });
      SumRowsAndSlices(at, sums);
    }
    const V end = hn::Set(d, (table_.terms.data() + table_.terms.size() - 1)->weight);
    Prefetch(source);
    ForEach([&](size_t r, size_t b)
                HWY_ATTR { sums[r][b] = hn::Add(open[r][b], hn::Mul(end, Load(r, source, b))); });
    SumRowsAndSlices(at, sums);
  }

 private:
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  static constexpr D d = {};
  static constexpr size_t kLanes = hn::MaxLanes(D());

  template <class Body>
  static HWY_INLINE void ForEach(const Body& body) {
    for (size_t r = 0; r < 4; ++r) {
      for (size_t b = 0; b < kBlocks; ++b) body(r, b);
    }
  }

  HWY_INLINE V Load(size_t r, uint64_t at, size_t b) const {
    return LoadFloats(d, step_.rows[r] + at + b * kLanes);
  }
  // For two pixels of the next step.
  HWY_INLINE void Prefetch(uint64_t at) const {
    for (const T* row : step_.ahead) {
      for (uint64_t i = 0; i < kBlocks * kLanes * sizeof(T); i += 64) {
        PrefetchLine(row, at * sizeof(T) + i);
        PrefetchLine(row, (at + channels_) * sizeof(T) + i);
      }
    }
  }

  static HWY_INLINE V AddPair(V sum, const V (&weights)[2], V first, V second) {
    return hn::Add(hn::Add(sum, hn::Mul(weights[0], first)), hn::Mul(weights[1], second));
  }
  static HWY_INLINE V AddPair(V sum, const float (&weights)[2], V first, V second) {
    const V both[2] = {hn::Set(d, weights[0]), hn::Set(d, weights[1])};
    return AddPair(sum, both, first, second);
  }

  // What begins with +0 is what no other sum follows (B13): the sign of a zero is nothing
  // before one.
  HWY_INLINE void SumRowsAndSlices(uint64_t at, const V (&sums)[4][kBlocks]) const {
    for (size_t b = 0; b < kBlocks; ++b) {
      V rows[2];
      for (size_t i = 0; i < 2; ++i) {
        float* const open = step_.open_rows[i] + at + b * kLanes;
        const V first = sums[2 * i][b], second = sums[2 * i + 1][b];
        rows[i] = AddPair(hn::LoadU(d, open), step_.of_rows.end, first, second);
        hn::StoreU(AddPair(hn::Zero(d), step_.of_rows.begin, first, second), d, open);
      }
      float* const open = step_.open_slices + at + b * kLanes;
      const V sum = AddPair(hn::LoadU(d, open), step_.of_slices.end, rows[0], rows[1]);
      hn::StoreU(AddPair(hn::Zero(d), step_.of_slices.begin, rows[0], rows[1]), d, open);
      StoreFloats(d, sum, step_.to + at + b * kLanes);
    }
  }

  const TermTable& table_;
  const uint64_t channels_;
  const VolumeStep<T>& step_;
};

template <typename T>
class PairedVolumes {
 public:
  // For units of at most so many target rows.
  PairedVolumes(const RowNest& nest, const AxisSumsTables& tables, uint64_t max_rows)
      : nest_(nest), tables_(tables), pitch_(PitchOf(nest.target_lanes)) {
    std::fill_n(scratch_, (kOtherVolumeRows + max_rows) * pitch_, 0.0f);
  }

  // Target rows of all slices of a volume.
  HWY_INLINE void Run(const T* source, T* target, IndexSpan rows) {
    source_ = source;
    const uint64_t slices = nest_.levels[1].target_size;
    VolumeStep<T> step = {{}, {}, {Rows(), 0}, {Slices(), 0}, {}, nullptr, nullptr};
    step.open_rows[0] = scratch_ + 2 * pitch_;
    step.open_rows[1] = scratch_ + 3 * pitch_;
    RowsOf(0, rows.begin, step.ahead);
    for (uint64_t s = 0; s <= slices; ++s) {
      step.of_slices = PairWeights(Slices(), s);
      for (uint64_t t = rows.begin; t <= rows.end; ++t) {
        step.of_rows = PairWeights(Rows(), t);
        std::copy_n(step.ahead, 4, step.rows);
        if (t < rows.end) RowsOf(s, t + 1, step.ahead);
        if (t == rows.end && s < slices) RowsOf(s + 1, rows.begin, step.ahead);
        // Of the first step of either axis only what it begins is of use.
        step.open_slices = scratch_ + (5 + t - rows.begin) * pitch_;
        step.to = s == 0 || t == rows.begin ? reinterpret_cast<T*>(scratch_ + 4 * pitch_)
                                            : target + Offset(0, t - 1) + Offset(1, s - 1);
        Take(step);
      }
    }
  }

 private:
  const TermTable& Rows() const { return tables_.axes[nest_.levels[0].axis]; }
  const TermTable& Slices() const { return tables_.axes[nest_.levels[1].axis]; }
  int64_t Offset(uint32_t level, uint64_t target) const {
    return static_cast<int64_t>(target) * nest_.levels[level].target_stride;
  }

  // Rows 2t - 1 and 2t of slices 2s - 1 and 2s; zeros where there is none.
  void RowsOf(uint64_t s, uint64_t t, const T* (&rows)[4]) const {
    for (uint64_t i = 0; i < 4; ++i) {
      const uint64_t slice = 2 * s + i / 2, row = 2 * t + i % 2;  // each one more than it is
      const bool there = slice > 0 && slice <= nest_.levels[1].source_size && row > 0 &&
                         row <= nest_.levels[0].source_size;
      rows[i] = reinterpret_cast<const T*>(scratch_);
      if (there) {
        rows[i] = source_ + static_cast<int64_t>(slice - 1) * nest_.levels[1].source_stride +
                  static_cast<int64_t>(row - 1) * nest_.levels[0].source_stride;
      }
    }
  }

  HWY_NOINLINE void Take(const VolumeStep<T>& step) const {
    constexpr size_t kLanes = hn::MaxLanes(hn::ScalableTag<float>());
    constexpr size_t kBlocks = kLanes == 16 ? 2 : 1;  // there are as many registers
    const TermTable& table = tables_.axes[nest_.lane_axis];
    const uint64_t channels = nest_.lane_repeat;
    uint64_t c = 0;
    const PixelPairs<kBlocks, T> some(table, channels, step);
    for (; c + kBlocks * kLanes <= channels; c += kBlocks * kLanes) some.Run(c);
    const PixelPairs<1, T> one(table, channels, step);
    for (; c < channels; c += kLanes) one.Run(c);
  }

  const RowNest& nest_;
  const AxisSumsTables& tables_;
  const uint64_t pitch_;  // floats of a target row
  const T* source_ = nullptr;
  // A source row of zeros, two open rows, two rows that nobody reads, and what is open of
  // slices.
  alignas(64) float scratch_[kVolumeFloats];
};

#endif  // ANYDML_TRANSPOSES

void SumVolumes(const AxisSums& sums, const RowNest& nest, const AxisSumsTables& tables,
                uint64_t pieces, const Bindings& bindings, const Executor& executor) {
#if ANYDML_TRANSPOSES
  const uint64_t rows = nest.levels[0].target_size;
  const uint64_t units = nest.PlaneCount() * pieces;
  const uint64_t grain = GrainOf(sums, units);
  DispatchType(TypeList<float, Float16>(), sums.data_type, [&]<typename T>() HWY_ATTR {
    executor.ParallelFor(units, grain, [&](uint64_t begin, uint64_t end) HWY_ATTR {
      PairedVolumes<T> volumes(nest, tables, CeilDivide(rows, pieces));
      for (uint64_t unit = begin; unit < end; ++unit) {
        const PlaneOffsets plane = OffsetsOf(nest, unit / pieces);
        const uint64_t piece = unit % pieces;
        volumes.Run(bindings.Input<T>(0) + plane.source, bindings.Output<T>(0) + plane.target,
                    {piece * rows / pieces, (piece + 1) * rows / pieces});
      }
    });
  });
#else
  (void)nest, (void)pieces;
  SumStrided(sums, tables, bindings, executor);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::cpu {
namespace {

HWY_EXPORT(SumVolumes);

}  // namespace

Refusal AcceptsPairedVolumes(const AxisSums& sums) {
  if (!sums.transposed) return {"the sums are not those of a gradient"};
  if (!sums.rows.possible || sums.rows.lanes_change || sums.rows.level_count != 3) {
    return {"not three axes outside channels change"};
  }
  for (uint32_t i = 0; i < sums.rank; ++i) {
    if (sums.changes[i] && sums.patterns[i] != TermPattern::kPairsAround) {
      return {"an axis is not made half as long"};
    }
    if (sums.changes[i] && sums.target_sizes[i] < 2) return {"an axis has a single target"};
  }
  const Refusal refusal = AcceptsLongAxes(sums);
  if (!refusal.accepted()) return refusal;
  const RowNest nest = JoinPixels(sums.rows);
  if (!nest.lanes_change) return {"pixels of a row do not lie side by side"};
  if (nest.lane_repeat % LaneTable::kMaxLanesOfAVector != 0) {
    return {"the channels are not a multiple of 16"};
  }
  const uint64_t places = kVolumeFloats / PitchOf(nest.target_lanes);
  return {places < kOtherVolumeRows + 2 ? "too much waits between the sums for a near cache" : ""};
}

void SumPairedVolumes(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                      const Executor& executor) {
  const RowNest nest = JoinPixels(sums.rows);
  const uint64_t places = kVolumeFloats / PitchOf(nest.target_lanes);
  // As few pieces as fit, since each makes a row of its neighbour's again, but as many for
  // every thread.
  const auto threads = static_cast<uint64_t>(executor.threads());
  const uint64_t rows = nest.levels[0].target_size;
  const uint64_t pieces =
      CeilDivide(CeilDivide(rows, places - kOtherVolumeRows), threads) * threads;
  HWY_DYNAMIC_DISPATCH(SumVolumes)(sums, nest, tables, std::min(pieces, rows), bindings, executor);
}

}  // namespace anydml::cpu
#endif  // HWY_ONCE
