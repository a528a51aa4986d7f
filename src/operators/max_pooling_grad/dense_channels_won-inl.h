// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How the strategy dense_channels combines who is greater to who has won: bits of
// up to 32 windows, each of up to 16 channels, at a time. Included once per
// instruction set.

#if defined(ANYDML_MAX_POOLING_GRAD_DENSE_CHANNELS_WON_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_MAX_POOLING_GRAD_DENSE_CHANNELS_WON_INL_H_
#undef ANYDML_MAX_POOLING_GRAD_DENSE_CHANNELS_WON_INL_H_
#else
#define ANYDML_MAX_POOLING_GRAD_DENSE_CHANNELS_WON_INL_H_
#endif

#include "operators/max_pooling_grad/dense_channels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling_grad {
namespace HWY_NAMESPACE {

using Words = hn::CappedTag<uint16_t, 32>;
using Word = hn::Vec<Words>;

// From who is greater to who is the first of the greatest.
template <int kSize>
HWY_INLINE void Winners(Word pair, Word pair_before, Word pairs, Word first, Word* won) {
  constexpr int kLast = kSize - 1;
  if constexpr (kSize < 4) {
    won[kLast] = pair;
    won[kLast - 1] = hn::Not(pair);
  } else {
    won[kLast] = hn::And(pairs, pair);
    won[kLast - 1] = hn::AndNot(pair, pairs);
    won[kLast - 2] = hn::AndNot(pairs, pair_before);
    won[kLast - 3] = hn::Not(hn::Or(pairs, pair_before));
  }
  if constexpr (kSize % 2 == 1) {
    HWY_UNROLL(4)
    for (int k = 1; k < kSize; ++k) won[k] = hn::And(won[k], first);
    won[0] = hn::Not(first);
  }
}

HWY_INLINE Word LoadWord(const MaskRow& row, int64_t i) { return hn::LoadU(Words(), row.cell + i); }

// The columns' winners of one row of the input.
template <int kSize>
HWY_INLINE void CombineColumns(const Contests& contests, int64_t columns, int64_t ring_row,
                               DenseVector<kSize>& state) {
  const Words d;
  for (int64_t t = 0; t < columns; t += static_cast<int64_t>(hn::Lanes(d))) {
    Word won[kSize];
    Winners<kSize>(LoadWord(contests.pair, t + 2), LoadWord(contests.pair, t),
                   LoadWord(contests.pairs, t), LoadWord(contests.first, t), won);
    HWY_UNROLL(8)
    for (int k = 0; k < kSize; ++k) {
      hn::StoreU(won[k], d, state.columns[k][ring_row].cell + t);
    }
  }
}

// For one row of windows. Columns: at the last column of a window, tap k has won
// it. Rows: at an element's column, it has won some window in row r of it.
template <int kSize>
struct Won {
  uint16_t cells[2 * kSize * kMaskCells];
  static constexpr int64_t Column(int k, int64_t at) { return k * kMaskCells + at; }
  static constexpr int64_t Row(int r, int64_t at) { return (kSize + r) * kMaskCells + at; }
};

// Row v of the input is the last that these windows see.
template <int kSize>
HWY_INLINE void CombineRows(const DenseVector<kSize>& state, int64_t v, const MaskRow& valid,
                            int64_t columns, Won<kSize>& won) {
  const auto ring = [&](int64_t r) { return (v - (kSize - 1) + r) % kRingRows; };
  const auto step = static_cast<int64_t>(hn::Lanes(Words()));
  const Contests& rows = state.rows[v % kRingRows];
  const Contests& before = state.rows[(v + kRingRows - 2) % kRingRows];
  MaskRow in_row[kSize];
  for (int64_t t = 0; t < columns; t += step) {
    Word row_won[kSize];
    Winners<kSize>(LoadWord(rows.pair, t), LoadWord(before.pair, t), LoadWord(rows.pairs, t),
                   LoadWord(rows.first, t), row_won);
    const Word there = LoadWord(valid, t);
    HWY_UNROLL(8)
    for (int r = 0; r < kSize; ++r) {
      row_won[r] = hn::And(row_won[r], there);
      hn::StoreU(row_won[r], Words(), in_row[r].cell + t);
    }
    HWY_UNROLL(8)
    for (int k = 0; k < kSize; ++k) {
      Word all = hn::Zero(Words());
      HWY_UNROLL(8)
      for (int r = 0; r < kSize; ++r) {
        all = hn::OrAnd(all, row_won[r], LoadWord(state.columns[k][ring(r)], t));
      }
      hn::StoreU(all, Words(), won.cells + Won<kSize>::Column(k, t));
    }
  }
  for (int64_t t = kSize - 1; t + kSize - 1 < columns; t += step) {
    HWY_UNROLL(8)
    for (int r = 0; r < kSize; ++r) {
      Word all = hn::Zero(Words());
      HWY_UNROLL(8)
      for (int k = 0; k < kSize; ++k) {
        const int64_t at = t + kSize - 1 - k;  // a window
        all = hn::OrAnd(all, LoadWord(in_row[r], at), LoadWord(state.columns[k][ring(r)], at));
      }
      hn::StoreU(all, Words(), won.cells + Won<kSize>::Row(r, t));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::max_pooling_grad
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
