// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A weighted sum of whole rows. Included once per instruction set.
//
// Each product is rounded, then added in the order of the rows: no MulAdd (B13).

#if defined(ANYDML_KERNELS_RESAMPLE_CPU_WEIGHTED_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_RESAMPLE_CPU_WEIGHTED_ROWS_INL_H_
#undef ANYDML_KERNELS_RESAMPLE_CPU_WEIGHTED_ROWS_INL_H_
#else
#define ANYDML_KERNELS_RESAMPLE_CPU_WEIGHTED_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include "backends/cpu/float16-inl.h"
#include "backends/cpu/integers-inl.h"
#include "kernels/resample/cpu/row_boxes.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The terms of a sum: row(k) is where term k begins, weight(k) its weight. Terms
// are rows at a stride, or items in slots that are used in turn.
template <typename In>
struct StridedTerms {
  const Term* terms;
  uint64_t count;
  const In* begin;
  int64_t stride;
  const In* row(uint64_t k) const { return begin + int64_t{terms[k].source} * stride; }
  float weight(uint64_t k) const { return terms[k].weight; }
};
struct SlottedTerms {
  const Term* terms;
  uint64_t count;
  const float* slots;
  uint64_t item;   // floats of a slot
  uint64_t place;  // of term 0
  uint64_t mask;   // the number of slots, a power of two, less 1
  const float* row(uint64_t k) const { return slots + ((place + k) & mask) * item; }
  float weight(uint64_t k) const { return terms[k].weight; }
};

// Calls body(d, i) for vectors that cover [0, count). The last ones are smaller: one
// that overlaps the one before it would wait for what two stores have just written.
template <class D, class Body>
HWY_INLINE void ForEachVector(D d, size_t count, const Body& body) {
  const size_t N = hn::Lanes(d);
  size_t i = 0;
  for (; i + N <= count; i += N) body(d, i);
  const hn::CappedTag<float, 8> d8;
  if (hn::Lanes(d8) < N && i + hn::Lanes(d8) <= count) {
    body(d8, i);
    i += hn::Lanes(d8);
  }
  const hn::CappedTag<float, 4> d4;
  const size_t few = hn::Lanes(d4);
  for (; i + few <= count; i += few) body(d4, i);
  const hn::CappedTag<float, 1> d1;
  for (; i < count; ++i) body(d1, i);
}

// A number of terms that the compiler knows: weights stay in registers.
template <size_t kTerms, class Terms, typename Out>
HWY_INLINE void SumFewRows(const Terms& terms, size_t offset, size_t count, Out* to) {
  decltype(terms.row(0)) rows[kTerms];
  float weights[kTerms];
  for (size_t k = 0; k < kTerms; ++k) {
    rows[k] = terms.row(k) + offset;
    weights[k] = terms.weight(k);
  }
  const hn::ScalableTag<float> d;
  ForEachVector(d, count, [&](auto dv, size_t i) HWY_ATTR {
    auto sum = hn::Zero(dv);
    for (size_t k = 0; k < kTerms; ++k) {
      sum = hn::Add(sum, hn::Mul(hn::Set(dv, weights[k]), LoadFloats(dv, rows[k] + i)));
    }
    StoreFloats(dv, sum, to + i);
  });
}

template <class Terms, typename Out>
HWY_INLINE void SumManyRows(const Terms& terms, size_t offset, size_t count, Out* to) {
  decltype(terms.row(0)) rows[kTermsTogether];
  for (size_t k = 0; k < terms.count; ++k) rows[k] = terms.row(k) + offset;
  const hn::ScalableTag<float> d;
  ForEachVector(d, count, [&](auto dv, size_t i) HWY_ATTR {
    auto sum = hn::Zero(dv);
    for (size_t k = 0; k < terms.count; ++k) {
      sum = hn::Add(sum, hn::Mul(hn::Set(dv, terms.weight(k)), LoadFloats(dv, rows[k] + i)));
    }
    StoreFloats(dv, sum, to + i);
  });
}

// to[i] = the sum over at most kTermsTogether terms of weight * row[offset + i].
template <class Terms, typename Out>
HWY_INLINE void SumRows(const Terms& terms, size_t offset, size_t count, Out* to) {
  switch (terms.count) {
    case 1:
      return SumFewRows<1>(terms, offset, count, to);
    case 2:
      return SumFewRows<2>(terms, offset, count, to);
    case 3:
      return SumFewRows<3>(terms, offset, count, to);
    case 4:
      return SumFewRows<4>(terms, offset, count, to);
    default:
      return SumManyRows(terms, offset, count, to);
  }
}

// Goes on with sums that were begun: sums[i] += ..., for rows that are too many
// to be at hand at once. No element twice here.
template <class Terms>
HWY_INLINE void AddRows(const Terms& terms, size_t count, float* sums) {
  const auto add = [&](auto d, size_t i) HWY_ATTR {
    auto sum = hn::LoadU(d, sums + i);
    for (size_t k = 0; k < terms.count; ++k) {
      const auto value = LoadFloats(d, terms.row(k) + i);
      sum = hn::Add(sum, hn::Mul(hn::Set(d, terms.weight(k)), value));
    }
    hn::StoreU(sum, d, sums + i);
  };
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d), whole = count - count % N;
  for (size_t i = 0; i < whole; i += N) add(d, i);
  const hn::CappedTag<float, 1> d1;
  for (size_t i = whole; i < count; ++i) add(d1, i);
}

// Rounds floats to the elements of Out.
template <typename Out>
HWY_INLINE void StoreRow(const float* from, size_t count, Out* to) {
  const hn::ScalableTag<float> d;
  ForEachVector(d, count, [&](auto dv, size_t i) HWY_ATTR {
    StoreFloats(dv, hn::LoadU(dv, from + i), to + i);
  });
}

// A box none of whose lanes has a term, however many terms its levels have.
template <typename T>
HWY_NOINLINE void ZeroBox(const RowNest& nest, const RowUnit& unit, T* target) {
  const hn::ScalableTag<float> d;
  target += OffsetsOf(nest, unit.planes.begin).target + static_cast<int64_t>(unit.lanes.begin);
  uint64_t rows = 1;
  for (uint32_t j = 0; j < nest.level_count; ++j) rows *= unit.targets[j].size();
  for (uint64_t row = 0; row < rows; ++row) {
    T* to = target;
    uint64_t rest = row;
    for (uint32_t j = 0; j < nest.level_count; ++j) {
      const uint64_t index = unit.targets[j].begin + rest % unit.targets[j].size();
      rest /= unit.targets[j].size();
      to += static_cast<int64_t>(index) * nest.levels[j].target_stride;
    }
    ForEachVector(d, unit.lanes.size(),
                  [&](auto dv, size_t i) HWY_ATTR { StoreFloats(dv, hn::Zero(dv), to + i); });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
