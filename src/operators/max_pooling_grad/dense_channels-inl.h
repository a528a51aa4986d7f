// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How the strategy dense_channels finds who won, for one vector of channels. The
// maxima of windows of one row, then of rows, are found by pairs and pairs of
// pairs, which neighbours share; every comparison leaves one bit per channel.
// Included once per instruction set.

#if defined(ANYDML_MAX_POOLING_GRAD_DENSE_CHANNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_MAX_POOLING_GRAD_DENSE_CHANNELS_INL_H_
#undef ANYDML_MAX_POOLING_GRAD_DENSE_CHANNELS_INL_H_
#else
#define ANYDML_MAX_POOLING_GRAD_DENSE_CHANNELS_INL_H_
#endif

#include <hwy/highway.h>

#include "operators/max_pooling_grad/dense_channels.h"
#include "operators/max_pooling_grad/plain_keys-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling_grad {
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
inline constexpr int64_t kMostCells = kMostDenseColumns + 2 * (kMostDenseSize - 1);
static_assert(kMostCells % kGroup == 0);
// Read and written by up to 32 at a time, from cell 2 on too.
static_assert((kMostCells + 31) / 32 * 32 + 2 <= kMaskCells);

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
  using Row = float[kMostCells * cpu::kMostLanes];

  alignas(64) Row best[kBestRows];            // of the last rows, for every window
  alignas(64) Row pair_best[kPairs ? 2 : 1];  // of the last pairs of rows
  alignas(64) float sums[kSize - 1][kMostDenseColumns * cpu::kMostLanes];
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

}  // namespace HWY_NAMESPACE
}  // namespace anydml::max_pooling_grad
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
