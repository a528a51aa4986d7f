// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sums along one or two axes outside the lanes, pixel by pixel: a pixel is the
// lanes of one place (channels that lie last). Its few terms are nested as they
// are defined, so the sums of the inner axis are made again for every index of
// the outer one that adds them, but they never leave the registers, and both
// tensors are walked in the order of memory.
#include "backends/cpu/prefetch.h"
#include "backends/cpu/rows.h"
#include "kernels/resample/cpu/axis_sums.h"

#ifndef ANYDML_KERNELS_RESAMPLE_CPU_CHANNELS_LAST_ONCE_
#define ANYDML_KERNELS_RESAMPLE_CPU_CHANNELS_LAST_ONCE_
namespace anydml::cpu {
namespace {

// Pieces of the inner axis, for every index of the outer one and every plane.
struct PixelUnits {
  uint64_t targets;  // of the inner axis, at most
  uint64_t pieces;   // of the inner axis
  uint64_t count;
};

PixelUnits PixelUnitsOf(const RowNest& nest) {
  const uint64_t size = nest.levels[0].target_size;
  const uint64_t some = std::max<uint64_t>(1, kElementsPerUnit / nest.target_lanes);
  PixelUnits units;
  units.targets = std::min(size, some);
  units.pieces = CeilDivide(size, units.targets);
  const uint64_t outer = nest.level_count == 2 ? nest.levels[1].target_size : 1;
  units.count = units.pieces * outer * nest.PlaneCount();
  return units;
}

// Whether no line of the target holds parts of two pixels.
bool PixelsAreLines(const RowNest& nest, const void* target, uint64_t element_bytes) {
  constexpr uint64_t kLine = 64;
  const auto whole = [&](uint64_t elements) { return elements * element_bytes % kLine == 0; };
  bool all = reinterpret_cast<uintptr_t>(target) % kLine == 0 && whole(nest.target_lanes);
  for (uint32_t j = 0; j < nest.level_count; ++j) {
    all = all && whole(static_cast<uint64_t>(nest.levels[j].target_stride));
  }
  for (uint32_t i = 0; i < nest.plane_axes; ++i) {
    all = all && whole(static_cast<uint64_t>(nest.planes[i].target_stride));
  }
  return all;
}

}  // namespace
}  // namespace anydml::cpu
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/resample/cpu/channels_last.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/float16-inl.h"
#include "backends/cpu/integers-inl.h"
#include "backends/cpu/streaming-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Terms of one axis for one target index; sources are neighbours.
struct PixelTerms {
  const Term* terms;
  uint64_t count;
  int64_t stride;  // of the source, in elements
};

template <typename T>
struct PixelJob {
  PixelTerms inner;  // begins at `from`
  PixelTerms outer;
  bool has_outer;
  bool streams;  // every pixel of the target is whole lines
  const T* from;
  T* to;
};

template <size_t kVectors, class D, typename T>
HWY_INLINE void AddInnerTerms(D d, const PixelTerms& terms, const T* from,
                              hn::Vec<D> (&sums)[kVectors]) {
  const size_t N = hn::Lanes(d);
  for (size_t v = 0; v < kVectors; ++v) sums[v] = hn::Zero(d);
  for (size_t k = 0; k < terms.count; ++k) {
    const auto weight = hn::Set(d, terms.terms[k].weight);
    for (size_t v = 0; v < kVectors; ++v) {
      sums[v] = hn::Add(sums[v], hn::Mul(weight, LoadFloats(d, from + v * N)));
    }
    from += terms.stride;
  }
}

template <size_t kVectors, class D, typename T>
HWY_INLINE void SumVectors(D d, const PixelJob<T>& job, uint64_t lane) {
  const size_t N = hn::Lanes(d);
  hn::Vec<D> sums[kVectors];
  if (!job.has_outer) {
    AddInnerTerms<kVectors>(d, job.inner, job.from + lane, sums);
  } else {
    for (size_t v = 0; v < kVectors; ++v) sums[v] = hn::Zero(d);
    for (size_t k = 0; k < job.outer.count; ++k) {
      const Term term = job.outer.terms[k];
      hn::Vec<D> inner[kVectors];
      const T* from = job.from + int64_t{term.source} * job.outer.stride;
      AddInnerTerms<kVectors>(d, job.inner, from + lane, inner);
      const auto weight = hn::Set(d, term.weight);
      for (size_t v = 0; v < kVectors; ++v) {
        sums[v] = hn::Add(sums[v], hn::Mul(weight, inner[v]));
      }
    }
  }
  if constexpr (std::is_same_v<T, float> && kVectors > 1) {
    if (job.streams) {
      for (size_t v = 0; v < kVectors; ++v) hn::Stream(sums[v], d, job.to + lane + v * N);
      return;
    }
  }
  for (size_t v = 0; v < kVectors; ++v) StoreFloats(d, sums[v], job.to + lane + v * N);
}

// The last whole vector may overlap the one before it.
template <typename T>
HWY_NOINLINE void SumPixel(const PixelJob<T>& job, uint64_t lanes) {
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d);
  uint64_t lane = 0;
  for (; lane + 4 * N <= lanes; lane += 4 * N) SumVectors<4>(d, job, lane);
  for (; lane + N <= lanes; lane += N) SumVectors<1>(d, job, lane);
  if (lane == lanes) return;
  if (lanes >= N) return SumVectors<1>(d, job, lanes - N);
  const hn::CappedTag<float, 1> d1;
  for (; lane < lanes; ++lane) SumVectors<1>(d1, job, lane);
}

PixelTerms TermsOf(const TermTable& table, uint64_t target, int64_t stride) {
  return {table.terms.data() + table.begin[target], table.TermCount(target), stride};
}

// Pixels of a range of the inner axis; `job` has all but the inner terms.
template <typename T>
void SumPixelsOfRow(const RowNest& nest, const TermTable& inner, IndexSpan targets,
                    const PixelJob<T>& row, RowPrefetcher ahead) {
  const RowAxis& axis = nest.levels[0];
  PixelJob<T> job = row;
  for (uint64_t t = targets.begin; t < targets.end; ++t) {
    job.inner = TermsOf(inner, t, axis.source_stride);
    job.from = row.from;
    if (job.inner.count != 0) job.from += int64_t{job.inner.terms[0].source} * axis.source_stride;
    job.to = row.to + static_cast<int64_t>(t) * axis.target_stride;
    ahead.Prefetch();
    SumPixel(job, nest.target_lanes);
  }
}

// The source rows that the next target of the outer axis adds and this one does
// not, as far as a range of the inner axis reads them.
template <typename T>
RowPrefetcher RowsOfNext(const PixelJob<T>& job, const PixelTerms& next, const PixelTerms& first,
                         const PixelTerms& last) {
  if (job.outer.count == 0 || next.count == 0 || first.count == 0 || last.count == 0) return {};
  const int64_t begin = int64_t{job.outer.terms[job.outer.count - 1].source} + 1;
  const int64_t end = int64_t{next.terms[next.count - 1].source} + 1;
  const int64_t column = first.terms[0].source;
  const int64_t columns = int64_t{last.terms[last.count - 1].source} + 1 - column;
  if (end <= begin || columns <= 0) return {};
  return RowPrefetcher(job.from + begin * next.stride + column * first.stride,
                       next.stride * int64_t{sizeof(T)}, static_cast<uint64_t>(end - begin),
                       static_cast<uint64_t>(columns * first.stride) * sizeof(T));
}

template <typename T>
void SumUnit(const AxisSumsTables& tables, const RowNest& nest, const PixelUnits& units,
             uint64_t unit, PixelJob<T> job) {
  const RowAxis& inner = nest.levels[0];
  const TermTable& table = tables.axes[inner.axis];
  const uint64_t begin = unit % units.pieces * units.targets;
  const IndexSpan targets = {begin, std::min(begin + units.targets, inner.target_size)};
  unit /= units.pieces;
  PixelTerms next = {};
  if (job.has_outer) {
    const RowAxis& outer = nest.levels[1];
    const TermTable& outer_table = tables.axes[outer.axis];
    const uint64_t target = unit % outer.target_size;
    unit /= outer.target_size;
    job.outer = TermsOf(outer_table, target, outer.source_stride);
    job.to += static_cast<int64_t>(target) * outer.target_stride;
    if (target + 1 < outer.target_size) {
      next = TermsOf(outer_table, target + 1, outer.source_stride);
    }
  }
  const PlaneOffsets plane = OffsetsOf(nest, unit);
  job.from += plane.source;
  job.to += plane.target;
  RowPrefetcher ahead = RowsOfNext(job, next, TermsOf(table, targets.begin, inner.source_stride),
                                   TermsOf(table, targets.end - 1, inner.source_stride));
  ahead.Spread(targets.size());
  SumPixelsOfRow(nest, table, targets, job, ahead);
}

void SumPixels(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
               const Executor& executor) {
  const RowNest& nest = sums.rows;
  const PixelUnits units = PixelUnitsOf(nest);
  const uint64_t elements =
      ElementCount(sums.source_sizes, sums.rank) + ElementCount(sums.target_sizes, sums.rank);
  const uint64_t grain = kElementsPerUnit / std::max<uint64_t>(1, elements / units.count);
  DispatchType(SumTypes(), sums.data_type, [&]<typename T>() HWY_ATTR {
    const bool streams = ShouldStream(elements * sizeof(T)) &&
                         PixelsAreLines(nest, bindings.Output<T>(0), sizeof(T));
    const PixelJob<T> job = {.inner = {},
                             .outer = {},
                             .has_outer = nest.level_count == 2,
                             .streams = streams,
                             .from = bindings.Input<T>(0),
                             .to = bindings.Output<T>(0)};
    executor.ParallelFor(units.count, grain, [&](uint64_t begin, uint64_t end) HWY_ATTR {
      for (uint64_t unit = begin; unit < end; ++unit) SumUnit(tables, nest, units, unit, job);
      if (streams) hwy::FlushStream();
    });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::cpu {
namespace {

HWY_EXPORT(SumPixels);

}  // namespace

Refusal AcceptsChannelsLast(const AxisSums& sums) {
  // More terms are cheaper when the inner sums are kept.
  constexpr uint64_t kMaxTermsOfAPixel = 64;
  const RowNest& nest = sums.rows;
  if (sums.pass_count == 0) return {"no axis changes anything: the result is a copy"};
  if (!nest.possible) return {"no axis lies side by side in both tensors"};
  if (nest.lanes_change) return {"the innermost axis changes"};
  if (nest.level_count > 2) return {"more than two axes change"};
  const Refusal refusal = AcceptsLongAxes(sums);
  if (!refusal.accepted()) return refusal;
  uint64_t terms = 1;
  for (uint32_t j = 0; j < nest.level_count; ++j) terms *= sums.max_terms[nest.levels[j].axis];
  return {terms <= kMaxTermsOfAPixel ? "" : "a pixel has more than 64 terms"};
}

void SumChannelsLast(const AxisSums& sums, const AxisSumsTables& tables, const Bindings& bindings,
                     const Executor& executor) {
  HWY_DYNAMIC_DISPATCH(SumPixels)(sums, tables, bindings, executor);
}

}  // namespace anydml::cpu
#endif  // HWY_ONCE
