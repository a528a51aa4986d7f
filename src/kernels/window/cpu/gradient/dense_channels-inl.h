// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How the strategy dense_channels finds who won, for one vector of channels. The
// maxima of windows of one row, then of rows, are found by pairs and pairs of
// pairs, which neighbours share; every comparison leaves one bit per channel.
// Included once per instruction set.

#if defined(ANYDML_KERNELS_WINDOW_GRADIENT_DENSE_CHANNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_WINDOW_GRADIENT_DENSE_CHANNELS_INL_H_
#undef ANYDML_KERNELS_WINDOW_GRADIENT_DENSE_CHANNELS_INL_H_
#else
#define ANYDML_KERNELS_WINDOW_GRADIENT_DENSE_CHANNELS_INL_H_
#endif

#include <hwy/highway.h>

#include "backends/cpu/streaming-inl.h"
#include "kernels/window/cpu/gradient/dense_channels.h"
#include "kernels/window/cpu/gradient/plain_keys-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::window::gradient {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

// A bit per channel for every column of a row: sixteen bits per vector, or the
// first so many of them. Columns are counted from the first that a window of the
// tile sees; a window stands at its last column.
inline constexpr int64_t kMaskCells = 104;
struct MaskRow {
  uint16_t cell[kMaskCells];
};

// The last of the columns, rounded up to whole groups.
inline constexpr int kGroup = 4;
inline constexpr int64_t kMaxCells = kMaxDenseColumns + 2 * (kMaxDenseSize - 1);
static_assert(kMaxCells % kGroup == 0);
// Read and written by up to 32 at a time, from cell 2 on too.
static_assert((kMaxCells + 31) / 32 * 32 + 2 <= kMaskCells);

HWY_INLINE void StoreMask(hn::Mask<Floats> mask, uint16_t* cell) {
  hn::StoreMaskBits(Floats(), mask, reinterpret_cast<uint8_t*>(cell));
}
HWY_INLINE void StoreMask(hn::Mask<Ints> mask, uint16_t* cell) {
  hn::StoreMaskBits(Ints(), mask, reinterpret_cast<uint8_t*>(cell));
}
HWY_INLINE hn::Mask<Floats> LoadMask(const uint16_t* cell) {
  return hn::LoadMaskBits(Floats(), reinterpret_cast<const uint8_t*>(cell));
}

// Which of two candidates is greater, along a row or a column: the last against
// the one before it, that pair against the pair before it, and the one to four
// last against the first. A strict `>` keeps the first.
struct Contests {
  MaskRow pair;  // two cells further: that of the pair before it is read too
  MaskRow pairs;
  MaskRow first;
};

// What one vector of channels keeps from band to band.
template <int kSize>
struct DenseVector {
  static constexpr bool kPairs = kSize >= 4;
  static constexpr bool kFirst = kSize % 2 == 1;
  static constexpr int kBestRows = kFirst ? kSize - 1 : 1;
  using Row = float[kMaxCells * cpu::kMaxLanes];

  alignas(64) Row best[kBestRows];            // of the last rows, for every window
  alignas(64) Row pair_best[kPairs ? 2 : 1];  // of the last pairs of rows
  alignas(64) float sums[kSize - 1][kMaxDenseColumns * cpu::kMaxLanes];
  MaskRow columns[kSize][kRingRows];  // tap k is the first of the greatest in a row
  Contests rows[kRingRows];
  bool plain;
};

// One row of the input as a vector of channels sees it.
template <typename T>
struct DenseRow {
  const T* x;  // column 0; null in padding
  int64_t stride;
  int64_t next;       // to the row that is asked for
  IndexRange inside;  // columns of the input
  int64_t columns;    // that windows of the tile see
};

template <class Keys, typename T, int kSize>
class FindWalk {
 public:
  using State = DenseVector<kSize>;
  using Key = typename Keys::Key;

  HWY_INLINE FindWalk(State& state, int64_t v, Contests& columns, Keys& keys)
      : best_(state.best[v % State::kBestRows]),
        above_(state.best[(v + State::kBestRows - 1) % State::kBestRows]),
        pairs_(state.pair_best[State::kPairs ? v % 2 : 0]),
        columns_(columns),
        rows_(state.rows[v % kRingRows]),
        keys_(keys) {}

  HWY_INLINE void Run(const DenseRow<T>& row) {
    const bool whole = row.x != nullptr;
    Group<true, true>(row, 0);
    for (int64_t t = kGroup; t < row.columns; t += kGroup) {
      if (whole && t >= row.inside.begin && t + kGroup <= row.inside.end) {
        Group<false, false>(row, t);
      } else {
        Group<true, false>(row, t);
      }
    }
  }

 private:
  template <bool kEdge, bool kStart>
  HWY_INLINE void Group(const DenseRow<T>& row, int64_t t) {
    HWY_UNROLL(4)
    for (int u = 0; u < kGroup; ++u) {
      const int64_t at = t + u;
      const bool seen =
          !kEdge || (row.x != nullptr && at >= row.inside.begin && at < row.inside.end);
      const Key key = seen ? keys_.Load(row.x + at * row.stride, u) : Keys::Padding();
      if (seen) Ask(row.x, row.next + at * row.stride);
      const Key best = kStart && u < kSize - 1 ? Start(key, u) : BestOfRow(key, u, at);
      if (!kStart || u >= kSize - 1) BestOfRows(best, at);
    }
  }

  HWY_INLINE Key Start(Key key, int u) {
    if (u > 0) pair_[u] = hn::Max(key_[u - 1], key);
    key_[u] = key;
    return key;
  }

  HWY_INLINE Key BestOfRow(Key key, int u, int64_t at) {
    const Key before = key_[(u + 3) % 4];
    const Key first = key_[(u + 4 - (State::kFirst ? kSize - 1 : 1)) % 4];
    const Key pair_before = pair_[(u + 2) % 4];
    key_[u] = key;
    StoreMask(hn::Gt(key, before), &columns_.pair.cell[at + 2]);
    Key best = hn::Max(before, key);
    pair_[u] = best;
    if (State::kPairs) {
      StoreMask(hn::Gt(best, pair_before), &columns_.pairs.cell[at]);
      best = hn::Max(pair_before, best);
    }
    if (State::kFirst) {
      StoreMask(hn::Gt(best, first), &columns_.first.cell[at]);
      best = hn::Max(first, best);
    }
    return best;
  }

  HWY_INLINE void BestOfRows(Key key, int64_t at) {
    const int64_t lane = at * Lanes();
    const Key above = LoadKey(above_ + lane), first = LoadKey(best_ + lane);
    StoreMask(hn::Gt(key, above), &rows_.pair.cell[at]);
    Key best = hn::Max(above, key);
    StoreKey(key, best_ + lane);
    if (State::kPairs) {
      const Key before = LoadKey(pairs_ + lane);
      StoreMask(hn::Gt(best, before), &rows_.pairs.cell[at]);
      StoreKey(best, pairs_ + lane);
      best = hn::Max(before, best);
    }
    if (State::kFirst) StoreMask(hn::Gt(best, first), &rows_.first.cell[at]);
  }

  static HWY_INLINE Key LoadKey(const float* from) {
    return hn::BitCast(typename Keys::D(), hn::Load(Floats(), from));
  }
  static HWY_INLINE void StoreKey(Key key, float* to) {
    hn::Store(hn::BitCast(Floats(), key), Floats(), to);
  }

  float* const best_;         // of the row that this one replaces, and of this one
  const float* const above_;  // of the row before
  float* const pairs_;
  Contests& columns_;
  Contests& rows_;
  Keys& keys_;
  Key key_[4];
  Key pair_[4];
};

// ----
// How the strategy dense_channels combines who is greater to who has won: bits of
// up to 32 windows, each of up to 16 channels, at a time.

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

// ----
// How the strategy dense_channels adds the gradients, for one vector of channels:
// down a few columns at a time, the sums of as many rows as a window has in
// registers.

// A band of rows of windows, and the rows of elements that they finish.
template <typename T, int kSize>
struct DenseBand {
  int64_t rows;
  const Won<kSize>* won;
  std::array<const T*, kDenseRows> dy;  // the tile's first window; null past the last row
  std::array<T*, kDenseRows> dx;        // the tile's first element; null outside the tile
  int64_t dy_stride, dx_stride;
  std::array<int64_t, kDenseRows> next_dy, next_dx;  // to what is asked for
  IndexRange windows;                                // of the tile's that there are
  int64_t columns;                                   // of elements
  bool stream;
};

template <typename T, int kSize>
class SumWalk {
 public:
  // Vectors that are whole lines.
  static constexpr bool kCanStream = sizeof(T) * hn::MaxLanes(Floats()) == vectors::kLineBytes;

  HWY_INLINE SumWalk(const DenseBand<T, kSize>& band, DenseVector<kSize>& state)
      : band_(band), state_(state) {}

  HWY_INLINE void Run() {
    int64_t e = 0;
    for (; e + 4 <= band_.columns; e += 4) Strips<4>(e);
    for (; e < band_.columns; ++e) Strips<1>(e);
  }

 private:
  static constexpr int kCarried = kSize - 1;

  template <int kStrips>
  HWY_INLINE void Strips(int64_t e) {
    if (e >= band_.windows.begin && e + kStrips + kSize - 1 <= band_.windows.end) {
      Walk<kStrips, false>(e);
    } else {
      Walk<kStrips, true>(e);
    }
  }

  template <int kStrips, bool kEdge>
  HWY_INLINE void Walk(int64_t e) {
    const int64_t rows = band_.rows;
    Vector sums[kStrips][kSize];
    ForCarried<kStrips>(
        e, [&](int s, int r, float* kept) HWY_ATTR { sums[s][r] = hn::Load(Floats(), kept); });
    for (int64_t j = 0; j < rows; ++j) {
      HWY_UNROLL(4)
      for (int s = 0; s < kStrips; ++s) sums[s][kSize - 1] = hn::Zero(Floats());
      if (band_.dy[static_cast<size_t>(j)] != nullptr) Add<kStrips, kEdge>(j, e, sums);
      if (band_.dx[static_cast<size_t>(j)] != nullptr) Store<kStrips>(j, e, sums);
      HWY_UNROLL(4)
      for (int s = 0; s < kStrips; ++s) {
        HWY_UNROLL(8)
        for (int r = 0; r < kCarried; ++r) sums[s][r] = sums[s][r + 1];
      }
    }
    ForCarried<kStrips>(
        e, [&](int s, int r, float* kept) HWY_ATTR { hn::Store(sums[s][r], Floats(), kept); });
  }

  // The sums of rows that come again.
  template <int kStrips, class Body>
  HWY_INLINE void ForCarried(int64_t e, const Body& body) {
    HWY_UNROLL(4)
    for (int s = 0; s < kStrips; ++s) {
      HWY_UNROLL(8)
      for (int r = 0; r < kCarried; ++r) body(s, r, state_.sums[r] + (e + s) * Lanes());
    }
  }

  template <int kStrips, bool kEdge>
  HWY_INLINE void Add(int64_t j, int64_t e, Vector (&sums)[kStrips][kSize]) const {
    constexpr int kWindows = kStrips + kSize - 1;
    const int64_t stride = band_.dy_stride, next = band_.next_dy[static_cast<size_t>(j)];
    const T* at = band_.dy[static_cast<size_t>(j)] + e * stride;
    Vector gradients[kWindows];
    HWY_UNROLL(8)
    for (int i = 0; i < kWindows; ++i, at += stride) {
      const bool there = !kEdge || (e + i >= band_.windows.begin && e + i < band_.windows.end);
      gradients[i] = there ? vectors::LoadFloats(Floats(), at) : hn::Zero(Floats());
      if (i >= kSize / 2 && i < kSize / 2 + kStrips) Ask(at, next);
    }
    const uint16_t* const won = band_.won[j].cells + e;
    HWY_UNROLL(4)
    for (int s = 0; s < kStrips; ++s) AddTo(won + s, gradients + s, sums[s]);
  }

  // All windows of one row that a column wins are won by the same element of it:
  // they all see both of any two candidates. So the sum is selected once. The last
  // tap first: ascending windows (B13).
  static HWY_INLINE void AddTo(const uint16_t* won, const Vector* gradients, Vector* sums) {
    using Masks = Won<kSize>;
    Vector sum = sums[0];
    HWY_UNROLL(8)
    for (int r = 1; r < kSize; ++r) {
      sum = hn::IfThenElse(LoadMask(won + Masks::Row(r, kSize - 1)), sums[r], sum);
    }
    HWY_UNROLL(8)
    for (int k = kSize - 1; k >= 0; --k) {
      const int window = kSize - 1 - k;
      const auto mask = LoadMask(won + Masks::Column(k, window + kSize - 1));
      sum = hn::IfThenElse(mask, hn::Add(sum, gradients[window]), sum);
    }
    HWY_UNROLL(8)
    for (int r = 0; r < kSize; ++r) {
      sums[r] = hn::IfThenElse(LoadMask(won + Masks::Row(r, kSize - 1)), sum, sums[r]);
    }
  }

  template <int kStrips>
  HWY_INLINE void Store(int64_t j, int64_t e, const Vector (&sums)[kStrips][kSize]) const {
    const int64_t stride = band_.dx_stride, next = band_.next_dx[static_cast<size_t>(j)];
    T* to = band_.dx[static_cast<size_t>(j)] + e * stride;
    if constexpr (kCanStream) {
      if (band_.stream) {
        HWY_UNROLL(4)
        for (int s = 0; s < kStrips; ++s, to += stride) hn::Stream(sums[s][0], Floats(), to);
        return;
      }
    }
    HWY_UNROLL(4)
    for (int s = 0; s < kStrips; ++s, to += stride) {
      vectors::StoreFloats(Floats(), sums[s][0], to);
      Ask(to, next);
    }
  }

  const DenseBand<T, kSize> band_;  // a copy, which no store of a vector can change
  DenseVector<kSize>& state_;
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::gradient
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
