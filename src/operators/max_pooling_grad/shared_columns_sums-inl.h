// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The last sweep of the strategy shared_columns: the sums of the elements, from
// the words that say who won, down a strip of lanes into memory. Included once
// per instruction set.

#if defined(ANYDML_MAX_POOLING_GRAD_SHARED_COLUMNS_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_MAX_POOLING_GRAD_SHARED_COLUMNS_SUMS_INL_H_
#undef ANYDML_MAX_POOLING_GRAD_SHARED_COLUMNS_SUMS_INL_H_
#else
#define ANYDML_MAX_POOLING_GRAD_SHARED_COLUMNS_SUMS_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstring>

#include "operators/max_pooling_grad/shared_columns-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling_grad {
namespace HWY_NAMESPACE {

// Stores vectors of sums, of one phase or of two.
template <typename T, int kPhases>
struct SumStore {
  static constexpr size_t kBytes = kPhases * hn::MaxLanes(Floats()) * sizeof(T);
  // Whole lines, which may go past the caches.
  static constexpr bool kCanStream = std::is_same_v<T, float> && kBytes % 64 == 0;

  template <class D>
  static HWY_INLINE void Store(hn::Vec<D> bits, int64_t count, D d, T* to) {
#if HWY_TARGET <= HWY_AVX3
    hn::BlendedStore(bits, hn::FirstN(d, static_cast<size_t>(count)), d,
                     reinterpret_cast<hn::TFromD<D>*>(to));
#else
    HWY_ALIGN hn::TFromD<D> whole[hn::MaxLanes(d)];
    hn::Store(bits, d, whole);
    std::memcpy(to, whole, static_cast<size_t>(count) * sizeof(T));
#endif
  }

  template <bool kWhole, class D>
  static HWY_INLINE void Put(hn::Vec<D> bits, bool stream, int64_t count, D d, T* to) {
    // Whole lines of a last vector too: a plain store among streamed ones would
    // make them wait for its line.
    if (!kWhole && count < static_cast<int64_t>(hn::Lanes(d))) {
      if (count > 0) Store(bits, count, d, to);
      return;
    }
    auto* at = reinterpret_cast<hn::TFromD<D>*>(to);
    if constexpr (kCanStream) {
      if (stream) return hn::Stream(bits, d, at);
    }
    hn::StoreU(bits, d, at);
    (void)stream;
    (void)count;
  }

  // The first `count` elements, or all of them.
  template <bool kWhole>
  static HWY_INLINE void Sums(const Vector* sums, bool stream, int64_t count, T* to) {
    const Floats df;
    const hn::RebindToUnsigned<Floats> du;
    if constexpr (kPhases == 1 && std::is_same_v<T, float>) {
      Put<kWhole>(sums[0], stream, count, df, to);
    } else if constexpr (kPhases == 1) {
      Put<kWhole>(vectors::HalfBits(df, sums[0]), stream, count, hn::Rebind<uint16_t, Floats>(),
                  to);
    } else if constexpr (std::is_same_v<T, float>) {
      Vector low, high;
      Interleave(sums[0], sums[1], low, high);
      Put<kWhole>(low, stream, count, df, to);
      Put<kWhole>(high, stream, count - Lanes(), df, to + Lanes());
    }
#if HWY_TARGET != HWY_SCALAR
    else {
      const auto low = hn::PromoteTo(du, vectors::HalfBits(df, sums[0]));
      const auto high = hn::ShiftLeft<16>(hn::PromoteTo(du, vectors::HalfBits(df, sums[1])));
      const hn::Repartition<uint16_t, decltype(du)> pairs;
      Put<kWhole>(hn::BitCast(pairs, hn::Or(low, high)), stream, count, pairs, to);
    }
#else
    else {
      const hn::Rebind<uint16_t, Floats> halves;
      Put<kWhole>(vectors::HalfBits(df, sums[0]), stream, count, halves, to);
      Put<kWhole>(vectors::HalfBits(df, sums[1]), stream, count - 1, halves, to + 1);
    }
#endif
    (void)du;
  }

  static HWY_INLINE void Interleave(Vector even, Vector odd, Vector& low, Vector& high) {
#if HWY_TARGET <= HWY_AVX3
    const auto lanes = hn::Iota(hn::RebindToSigned<Floats>(), 0);
    const auto half = hn::ShiftRight<1>(lanes);
    const auto index = hn::Or(half, hn::ShiftLeft<4>(hn::And(lanes, hn::Set(Ints(), 1))));
    low = Vector{_mm512_permutex2var_ps(even.raw, index.raw, odd.raw)};
    high = Vector{_mm512_permutex2var_ps(even.raw, hn::Or(index, hn::Set(Ints(), 8)).raw, odd.raw)};
#elif HWY_TARGET == HWY_SCALAR
    low = even;
    high = odd;
#else
    const Floats df;
    HWY_ALIGN float both[2 * hn::MaxLanes(df)];
    hn::StoreInterleaved2(even, odd, df, both);
    low = hn::Load(df, both);
    high = hn::Load(df, both + hn::Lanes(df));
#endif
  }
};

// Adds the gradients of every row of windows to the sums of the kSize rows of
// elements that it sees. kOdd: tap 0 has phase 1.
template <typename T, int kSize, int kStride, bool kOdd>
struct WordSumSweep {
  using Band = ColumnBand<T, kSize, kStride>;
  using Words = BandWords<kSize, kStride>;
  using Sums = Vector[kSize][kStride];
  using Store = SumStore<T, kStride>;
  static constexpr int kCarried = kSize - kStride;
  static constexpr int PhaseOf(int k) { return (k + (kOdd ? 1 : 0)) % kStride; }

  // The last tap first: ascending windows (B13).
  static HWY_INLINE void AddEach(const Words& words, const float* gradients, const int64_t* offsets,
                                 int64_t j, int64_t i, Sums& sums) {
    HWY_UNROLL(8)
    for (int k = kSize - 1; k >= 0; --k) {
      const auto gradient = hn::LoadU(Floats(), gradients + offsets[k]);
      HWY_UNROLL(8)
      for (int r = 0; r < kSize; ++r) {
        Vector& sum = sums[r][PhaseOf(k)];
        sum = hn::IfThenElse(LoadBits(&words.won[r][k][j], i), hn::Add(sum, gradient), sum);
      }
    }
  }

  // All windows of one row that a column wins are won by the same element of it:
  // they all see both of any two candidates. So the sum is selected once.
  static HWY_INLINE void AddSelected(const Words& words, const float* gradients,
                                     const int64_t* offsets, int64_t j, int64_t i, Sums& sums) {
    auto sum = sums[0][0];
    HWY_UNROLL(8)
    for (int r = 1; r < kSize; ++r) {
      sum = hn::IfThenElse(LoadBits(&words.won_rows[r][j], i), sums[r][0], sum);
    }
    HWY_UNROLL(8)
    for (int k = kSize - 1; k >= 0; --k) {
      const auto won = LoadBits(&words.won_columns[k][j], i);
      if constexpr (kLoadsLanes) {
        // No sum is -0, so that adding +0 changes none.
        sum = hn::Add(sum, hn::MaskedLoad(won, Floats(), Elsewhere(gradients, offsets[k])));
      } else {
        const auto gradient = hn::LoadU(Floats(), gradients + offsets[k]);
        sum = hn::IfThenElse(won, hn::Add(sum, gradient), sum);
      }
    }
    HWY_UNROLL(8)
    for (int r = 0; r < kSize; ++r) {
      sums[r][0] = hn::IfThenElse(LoadBits(&words.won_rows[r][j], i), sum, sums[r][0]);
    }
  }

  static HWY_INLINE void AddRow(const Words& words, const float* gradients, const int64_t* offsets,
                                int64_t j, int64_t i, Sums& sums) {
    HWY_UNROLL(8)
    for (int r = kCarried; r < kSize; ++r) {
      HWY_UNROLL(2)
      for (int s = 0; s < kStride; ++s) sums[r][s] = hn::Zero(Floats());
    }
    if constexpr (Words::kSelects) {
      AddSelected(words, gradients, offsets, j, i, sums);
    } else {
      AddEach(words, gradients, offsets, j, i, sums);
    }
  }

  // kStrips vectors side by side: the sums of one alone would wait for their own
  // last addition. `count`: elements of a row from lane i on.
  template <int kStrips, bool kWhole>
  static HWY_INLINE void Walk(const Band& band, const int64_t* offsets, int64_t i, int64_t count) {
    const Floats df;
    const int64_t size = band.tile.elements.phase_size;
    const int64_t rows = band.rows, lanes = Lanes();
    const bool stream = band.stream;
    float* const carried = band.carried_sums + i;
    T* const* outputs = band.outputs;
    LinesAhead inputs = band.next_inputs.From(i * kStride * static_cast<int64_t>(sizeof(T)));
    Sums sums[kStrips];
    ForCarried<kStrips>([&](int t, int r, int s) HWY_ATTR {
      sums[t][r][s] = hn::LoadU(df, carried + (r * kStride + s) * size + t * lanes);
    });
    for (int64_t j = 0; j < rows; ++j) {
      const float* gradients = Elsewhere(band.gradients[j], i);
      HWY_UNROLL(2)
      for (int s = 0; s < kStride; ++s) {
        inputs.Ask<kStrips * kStride * sizeof(T) * hn::MaxLanes(df)>();
      }
      HWY_UNROLL(4)
      for (int t = 0; t < kStrips; ++t) {
        AddRow(band.words, Elsewhere(gradients, t * lanes), offsets, j, i + t * lanes, sums[t]);
      }
      HWY_UNROLL(2)
      for (int r = 0; r < kStride; ++r) {
        StoreRow<kStrips, kWhole>(sums, r, stream, count, outputs[j * kStride + r] + i * kStride);
      }
      ForCarried<kStrips>([&](int t, int r, int s)
                              HWY_ATTR { sums[t][r][s] = sums[t][r + kStride][s]; });
    }
    ForCarried<kStrips>([&](int t, int r, int s) HWY_ATTR {
      hn::StoreU(sums[t][r][s], df, carried + (r * kStride + s) * size + t * lanes);
    });
  }

  // Sums that are complete: row r of the strips; the last one may be a part.
  template <int kStrips, bool kWhole>
  static HWY_INLINE void StoreRow(const Sums* sums, int r, bool stream, int64_t count, T* to) {
    HWY_UNROLL(4)
    for (int t = 0; t < kStrips; ++t) {
      const int64_t before = t * Lanes() * kStride;
      if (kWhole || t + 1 < kStrips) {
        Store::template Sums<true>(sums[t][r], stream, 0, to + before);
      } else {
        Store::template Sums<false>(sums[t][r], stream, count - before, to + before);
      }
    }
  }

  // The sums of rows that come again.
  template <int kStrips, class Body>
  static HWY_INLINE void ForCarried(const Body& body) {
    HWY_UNROLL(4)
    for (int t = 0; t < kStrips; ++t) {
      HWY_UNROLL(8)
      for (int r = 0; r < kCarried; ++r) {
        HWY_UNROLL(2)
        for (int s = 0; s < kStride; ++s) body(t, r, s);
      }
    }
  }

  template <int kStrips>
  static HWY_INLINE void Walks(const Band& band, const int64_t* offsets, int64_t columns,
                               int64_t& i) {
    const int64_t length = kStrips * Lanes() * kStride, last = Lanes() * kStride;
    while (columns - i * kStride > length - last) {
      const int64_t count = columns - i * kStride;
      if (count >= length) {
        Walk<kStrips, true>(band, offsets, i, count);
      } else {
        Walk<kStrips, false>(band, offsets, i, count);
      }
      i += kStrips * Lanes();
    }
  }

  // `columns` of a row.
  static void Run(const Band& band, const int64_t* the_offsets, int64_t columns) {
    int64_t offsets[kSize];
    std::copy(the_offsets, the_offsets + kSize, offsets);
    int64_t i = 0;
    Walks<4>(band, offsets, columns, i);
    Walks<2>(band, offsets, columns, i);
    Walks<1>(band, offsets, columns, i);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::max_pooling_grad
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
