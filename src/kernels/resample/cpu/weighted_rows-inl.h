// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Weighted sums of whole rows, and rows of floats made of a tensor's elements.
// Included once per instruction set.
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
#include "kernels/resample/cpu/row_functions.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Calls body(d, i) for vectors that cover [0, count). The last ones are smaller: one
// that overlaps the one before it would wait for what two stores have just written.
template <class Body>
HWY_INLINE void ForEachVector(size_t count, const Body& body) {
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d);
  size_t i = 0;
  for (; i + N <= count; i += N) body(d, i);
  const hn::CappedTag<float, 4> d4;
  const size_t few = hn::Lanes(d4);
  for (; i + few <= count; i += few) body(d4, i);
  const hn::CappedTag<float, 1> d1;
  for (; i < count; ++i) body(d1, i);
}

// A number of terms that the compiler knows: weights stay in registers.
template <size_t kTerms, typename Out>
HWY_NOINLINE void SumFewRows(const float* const* rows, const float* weights, size_t count,
                             Out* to) {
  const float* from[kTerms];
  float weight[kTerms];
  for (size_t k = 0; k < kTerms; ++k) from[k] = rows[k], weight[k] = weights[k];
  ForEachVector(count, [&](auto d, size_t i) HWY_ATTR {
    auto sum = hn::Zero(d);
    for (size_t k = 0; k < kTerms; ++k) {
      sum = hn::Add(sum, hn::Mul(hn::Set(d, weight[k]), hn::LoadU(d, from[k] + i)));
    }
    StoreFloats(d, sum, to + i);
  });
}

template <typename Out>
void SumRows(const float* const* rows, const float* weights, uint64_t terms, uint64_t count,
             void* target) {
  Out* const to = static_cast<Out*>(target);
  if (terms == 1) return SumFewRows<1>(rows, weights, count, to);
  if (terms == 2) return SumFewRows<2>(rows, weights, count, to);
  if (terms == 4) return SumFewRows<4>(rows, weights, count, to);
  ForEachVector(count, [&](auto d, size_t i) HWY_ATTR {
    auto sum = hn::Zero(d);
    for (size_t k = 0; k < terms; ++k) {
      sum = hn::Add(sum, hn::Mul(hn::Set(d, weights[k]), hn::LoadU(d, rows[k] + i)));
    }
    StoreFloats(d, sum, to + i);
  });
}

template <typename In>
void ConvertRow(const void* source, uint64_t count, float* to) {
  const In* const from = static_cast<const In*>(source);
  ForEachVector(count,
                [&](auto d, size_t i) HWY_ATTR { hn::StoreU(LoadFloats(d, from + i), d, to + i); });
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
