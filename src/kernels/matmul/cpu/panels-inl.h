// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A block of sums in registers: one chain for each (B60), added to the totals in memory. Included
// once per instruction set.

#if defined(ANYDML_KERNELS_MATMUL_CPU_PANELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_MATMUL_CPU_PANELS_INL_H_
#undef ANYDML_KERNELS_MATMUL_CPU_PANELS_INL_H_
#else
#define ANYDML_KERNELS_MATMUL_CPU_PANELS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "backends/cpu/float16-inl.h"
#include "backends/cpu/prefetch.h"
#include "backends/cpu/unchecked_offset.h"

#undef ANYDML_HAS_FMA

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// As many sums as there are registers for.
#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2
#define ANYDML_HAS_FMA 0
inline constexpr size_t kPanelRows = 4, kPanelVectors = 2, kPackedRows = 4;
#elif HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3
#define ANYDML_HAS_FMA 1
inline constexpr size_t kPanelRows = 6, kPanelVectors = 2, kPackedRows = 8;
#else
#define ANYDML_HAS_FMA 1
inline constexpr size_t kPanelRows = 8, kPanelVectors = 3, kPackedRows = 8;
#endif

#if !ANYDML_HAS_FMA
// a * b is exact in double; the sum is rounded to odd, so that the rounding to float is the only
// one that counts (B70).
template <class DD>
HWY_INLINE hn::Vec<DD> AddToOdd(DD dd, hn::Vec<DD> a, hn::Vec<DD> b, hn::Vec<DD> c) {
  const hn::RebindToUnsigned<DD> du;
  const auto product = hn::Mul(a, b);
  const auto sum = hn::Add(product, c);
  const auto part = hn::Sub(sum, product);
  const auto rest = hn::Add(hn::Sub(product, hn::Sub(sum, part)), hn::Sub(c, part));
  const auto zero = hn::Zero(dd);
  const auto bits = hn::BitCast(du, sum);
  const auto one = hn::Set(du, uint64_t{1});
  const auto is_even = hn::Eq(hn::And(bits, one), hn::Zero(du));
  const auto is_finite = hn::Lt(hn::Abs(sum), hn::Set(dd, 1e300));
  const auto away =
      hn::Xor(hn::VecFromMask(dd, hn::Gt(rest, zero)), hn::VecFromMask(dd, hn::Lt(sum, zero)));
  const auto stepped = hn::IfThenElse(hn::RebindMask(du, hn::MaskFromVec(away)), hn::Add(bits, one),
                                      hn::Sub(bits, one));
  const auto inexact = hn::And(hn::RebindMask(dd, is_even), hn::And(hn::Ne(rest, zero), is_finite));
  return hn::IfThenElse(inexact, hn::BitCast(dd, stepped), sum);
}
#endif

// One rounding on every processor.
template <class D>
HWY_INLINE hn::Vec<D> FusedMultiplyAdd(D d, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> c) {
#if ANYDML_HAS_FMA
  (void)d;
  return hn::MulAdd(a, b, c);
#else
  const hn::Half<D> dh;
  const hn::Rebind<double, hn::Half<D> > dd;
  const auto low =
      AddToOdd(dd, hn::PromoteTo(dd, hn::LowerHalf(dh, a)), hn::PromoteTo(dd, hn::LowerHalf(dh, b)),
               hn::PromoteTo(dd, hn::LowerHalf(dh, c)));
  const auto high =
      AddToOdd(dd, hn::PromoteTo(dd, hn::UpperHalf(dh, a)), hn::PromoteTo(dd, hn::UpperHalf(dh, b)),
               hn::PromoteTo(dd, hn::UpperHalf(dh, c)));
  return hn::Combine(d, hn::DemoteTo(dh, high), hn::DemoteTo(dh, low));
#endif
}

// Row r has its term k at rows[r][steps[k]], and its totals from totals[r][first] on; `columns` has
// kPanelVectors vectors a term. The first chain begins the totals: +0 is added to it, so that no
// total is -0.
template <size_t kRows, size_t kVectors>
HWY_NOINLINE void AddChains(const float* const* rows, const int64_t* HWY_RESTRICT steps,
                            const float* HWY_RESTRICT columns, uint64_t terms, bool is_first,
                            float* const* totals, int64_t first) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const size_t N = hn::Lanes(d);
  const float* from[kRows];
#pragma GCC unroll 8
  for (size_t r = 0; r < kRows; ++r) from[r] = rows[r];
  V sums[kRows][kVectors];
#pragma GCC unroll 8
  for (size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 3
    for (size_t v = 0; v < kVectors; ++v) sums[r][v] = hn::Zero(d);
  }
  for (uint64_t k = 0; k < terms; ++k) {
    V column[kVectors];
#pragma GCC unroll 3
    for (size_t v = 0; v < kVectors; ++v) column[v] = hn::Load(d, columns + v * N);
#pragma GCC unroll 8
    for (size_t r = 0; r < kRows; ++r) {
      const V row = hn::Set(d, *UncheckedOffset(from[r], steps[k]));
#pragma GCC unroll 3
      for (size_t v = 0; v < kVectors; ++v) {
        sums[r][v] = FusedMultiplyAdd(d, row, column[v], sums[r][v]);
      }
    }
    columns += kPanelVectors * N;
  }
#pragma GCC unroll 8
  for (size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 3
    for (size_t v = 0; v < kVectors; ++v) {
      float* const total = totals[r] + first + v * N;
      hn::StoreU(hn::Add(is_first ? hn::Zero(d) : hn::LoadU(d, total), sums[r][v]), d, total);
    }
  }
}

using AddChainsFunction = void (*)(const float* const*, const int64_t*, const float*, uint64_t,
                                   bool, float* const*, int64_t);

// Whether no sums but those of so many rows are stored.
inline bool IsWholePanel(uint64_t rows) {
  return rows == kPanelRows || rows == 1 || rows == 2 || rows == 4;
}

// Rows are rounded up to 1, 2, 4, 6 or all of a panel.
template <size_t kVectors>
AddChainsFunction ForRows(uint64_t rows) {
  if (rows == 1) return AddChains<1, kVectors>;
  if (rows == 2) return AddChains<2, kVectors>;
  if (rows <= 4) return AddChains<4, kVectors>;
  return rows <= 6 ? AddChains<std::min<size_t>(kPanelRows, 6), kVectors>
                   : AddChains<kPanelRows, kVectors>;
}

inline AddChainsFunction AddChainsFor(uint64_t rows, uint64_t vectors) {
  if (vectors == 1) return ForRows<1>(rows);
  if (vectors == 2) return ForRows<2>(rows);
  return ForRows<kPanelVectors>(rows);
}

// Terms for chains that lie in memory: so many rows, and vectors of columns, whose terms are
// `column_step` elements apart, in the tensor or packed. Some terms at a time, so that a chain is
// loaded and stored once for all of them.
template <size_t kRows, size_t kTerms, typename T>
HWY_NOINLINE void AddTerms(const float* const* rows, const int64_t* steps, const T* columns,
                           int64_t column_step, uint64_t vectors, uint64_t terms,
                           float* HWY_RESTRICT chains, uint64_t pitch) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const size_t N = hn::Lanes(d);
  constexpr int64_t kTermsAhead = 8;
  uint64_t k = 0;
  for (; k + kTerms <= terms; k += kTerms) {
    V row[kTerms][kRows];
    const T* from[kTerms];
#pragma GCC unroll 8
    for (size_t t = 0; t < kTerms; ++t) {
      from[t] = UncheckedOffset(columns, static_cast<int64_t>(k + t) * column_step);
#pragma GCC unroll 8
      for (size_t r = 0; r < kRows; ++r) {
        row[t][r] = hn::Set(d, *UncheckedOffset(rows[r], steps[k + t]));
      }
    }
    const int64_t ahead = kTermsAhead * static_cast<int64_t>(sizeof(T)) * column_step;
    for (uint64_t v = 0; v < vectors; ++v) {
      float* const chain = chains + v * N;
      V sums[kRows];
#pragma GCC unroll 8
      for (size_t r = 0; r < kRows; ++r) sums[r] = hn::LoadU(d, chain + r * pitch);
#pragma GCC unroll 8
      for (size_t t = 0; t < kTerms; ++t) {
        PrefetchLine(from[t] + v * N, ahead);
        const V column = LoadFloats(d, from[t] + v * N);
#pragma GCC unroll 8
        for (size_t r = 0; r < kRows; ++r) {
          sums[r] = FusedMultiplyAdd(d, row[t][r], column, sums[r]);
        }
      }
#pragma GCC unroll 8
      for (size_t r = 0; r < kRows; ++r) hn::StoreU(sums[r], d, chain + r * pitch);
    }
  }
  if constexpr (kTerms > 1) {
    AddTerms<kRows, 1>(rows, steps + k,
                       UncheckedOffset(columns, static_cast<int64_t>(k) * column_step), column_step,
                       vectors, terms - k, chains, pitch);
  }
}

template <typename T>
using AddTermsFunction = void (*)(const float* const*, const int64_t*, const T*, int64_t, uint64_t,
                                  uint64_t, float*, uint64_t);

template <typename T>
AddTermsFunction<T> AddTermsFor(uint64_t rows) {
  constexpr size_t kFactors = kPanelVectors == 3 ? 16 : 8;  // in registers
  if (rows == 1) return AddTerms<1, 8, T>;
  if (rows == 2) return AddTerms<2, kFactors / 2, T>;
  if (rows <= 4) return AddTerms<4, kFactors / 4, T>;
  return AddTerms<8, kFactors / 8, T>;
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
