// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One row of windows that are two columns wide at stride 2. A vector of columns is
// compared with itself after the two columns of every window have changed places.
// Included once per instruction set.

#if defined(ANYDML_KERNELS_WINDOW_GRADIENT_COLUMN_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_WINDOW_GRADIENT_COLUMN_PAIRS_INL_H_
#undef ANYDML_KERNELS_WINDOW_GRADIENT_COLUMN_PAIRS_INL_H_
#else
#define ANYDML_KERNELS_WINDOW_GRADIENT_COLUMN_PAIRS_INL_H_
#endif

#include <hwy/highway.h>

#include <array>

#include "backends/cpu/prefetch.h"
#include "backends/cpu/streaming-inl.h"
#include "kernels/window/cpu/gradient/lines.h"
#include "kernels/window/cpu/maximum_keys-inl.h"
#include "kernels/window/gradient.h"

#ifndef ANYDML_KERNELS_WINDOW_GRADIENT_COLUMN_PAIRS_ONCE_
#define ANYDML_KERNELS_WINDOW_GRADIENT_COLUMN_PAIRS_ONCE_
namespace anydml::window::gradient {

inline constexpr int64_t kMaxPairRows = 8;
inline constexpr int64_t kHalfLine = kLine / 2;
inline constexpr int64_t kPrefetchBytes = 1536;

// How OutputGradientTensor is written.
enum class PairStores {
  kPlain,
  kLines,      // non-temporal: every vector is a line
  kHalfLines,  // non-temporal: rows are half lines; the lines that they share are plain
  kRowEnd,     // the first or the last vector of such a row
};

// What rows of windows have in common; distances in elements.
struct PairRows {
  int64_t count = 0;                         // of input rows that each of them sees
  std::array<int64_t, kMaxPairRows> x = {};  // from the first of these to each
  std::array<int64_t, kMaxPairRows> dx = {};
  int64_t x_step = 0, dy_step = 0, dx_step = 0;  // from a row of windows to the next
  int64_t windows = 0;
  PairStores stores = PairStores::kPlain;
  // Bytes to a row of windows that will be needed soon, and is asked for.
  uintptr_t x_ahead = 0, dx_ahead = 0;

  // Whether the half line from column c on, at `to`, shares its line with another row.
  template <typename T>
  bool IsShared(const T* to, int64_t c) const {
    const int64_t half = c * static_cast<int64_t>(sizeof(T)) / kHalfLine;
    const int64_t halves = 2 * windows * static_cast<int64_t>(sizeof(T)) / kHalfLine;
    const bool is_upper = reinterpret_cast<uintptr_t>(to) % kLine != 0;
    return is_upper ? half == 0 : half + 1 == halves;
  }
};

// Rows of windows: the first input row and the first window of the first of them.
// Apart from what they have in common, because a copy of what was stored just now
// would wait for these stores.
template <typename T>
struct PairPlace {
  const T* x;
  const T* dy;
  T* dx;
  int64_t count;

  void Next(const PairRows& rows) {
    x += rows.x_step;
    dy += rows.dy_step;
    dx += rows.dx_step;
  }
};

}  // namespace anydml::window::gradient
#endif

HWY_BEFORE_NAMESPACE();
namespace anydml::window::gradient {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
template <typename T>
constexpr size_t kBlockColumns = 0;

template <int kRows, typename T>
void HandOutRow(const PairRows& rows, const PairPlace<T>& row) {
  for (int64_t o = 0; o < rows.windows; ++o) {
    int64_t winner = 0;
    const auto at = [&](int64_t tap) {
      return row.x + rows.x[static_cast<size_t>(tap / 2)] + 2 * o + tap % 2;
    };
    for (int64_t tap = 1; tap < 2 * rows.count; ++tap) {
      if (MaximumKey(*at(tap)) > MaximumKey(*at(winner))) winner = tap;
    }
    for (int64_t tap = 0; tap < 2 * rows.count; ++tap) {
      const float sum = tap == winner ? 0.0f + Widen(row.dy[o]) : 0.0f;
      Round(sum, row.dx[rows.dx[static_cast<size_t>(tap / 2)] + 2 * o + tap % 2]);
    }
  }
}
#else
// A lane for every window: its two columns.
template <typename T>
using PairLanes =
    hn::ScalableTag<std::conditional_t<std::is_same_v<T, float>, uint64_t, uint32_t> >;

template <typename T>
constexpr size_t kBlockColumns = 2 * hn::MaxLanes(PairLanes<T>());

// The gradients of neighbouring windows, each twice.
template <class D, typename T>
HWY_INLINE auto TwiceEach(D d, const T* dy) {
  constexpr int kBits = 8 * sizeof(T);
  using Half = std::make_unsigned_t<vectors::BitsOf<T> >;
  const hn::Repartition<vectors::BitsOf<T>, D> columns;
  const hn::Rebind<Half, D> halves;
  const auto once = hn::PromoteTo(d, hn::LoadU(halves, reinterpret_cast<const Half*>(dy)));
  const auto both = hn::Or(once, hn::ShiftLeft<kBits>(once));
  return vectors::SingleTerm(columns, hn::BitCast(columns, both));
}

// kRows rows, or 0 for any number.
template <int kRows, PairStores kStores, typename T, class D>
HWY_INLINE void HandOutBlock(D d, const PairRows& rows, const PairPlace<T>& row, int64_t o) {
  constexpr int kBits = 8 * sizeof(T);
  using Bits = vectors::BitsOf<T>;
  const hn::Repartition<Bits, D> columns;
  const int64_t count = kRows != 0 ? kRows : rows.count;
  // One less turns `>` into `>=`: the first column wins a tie.
  const auto first_column = hn::BitCast(columns, hn::Set(d, 1));
  hn::Vec<decltype(columns)> best, winner = hn::Zero(columns);
  hn::Mask<decltype(columns)> wins_row[kRows != 0 ? kRows : kMaxPairRows];
  for (int64_t r = 0; r < count; ++r) {
    const T* x = row.x + 2 * o + rows.x[static_cast<size_t>(r)];
    cpu::PrefetchLine(x, rows.x_ahead);
    const auto key = vectors::ElementKeys(columns, vectors::LoadElementBits(columns, x));
    const auto other = hn::BitCast(columns, hn::RotateRight<kBits>(hn::BitCast(d, key)));
    wins_row[r] = hn::Gt(key, hn::Sub(other, first_column));
    const auto of_row = hn::Max(key, other);
    if (r == 0) {
      best = of_row;
    } else {
      winner = hn::IfThenElse(hn::Gt(of_row, best), hn::Set(columns, static_cast<Bits>(r)), winner);
      best = hn::Max(of_row, best);
    }
  }
  const auto gradient = TwiceEach(d, row.dy + o);
  for (int64_t r = 0; r < count; ++r) {
    const auto won = hn::And(wins_row[r], hn::Eq(winner, hn::Set(columns, static_cast<Bits>(r))));
    const auto sums = hn::IfThenElseZero(won, gradient);
    T* dx = row.dx + 2 * o + rows.dx[static_cast<size_t>(r)];
    if constexpr (kStores == PairStores::kPlain) cpu::PrefetchLine(dx, rows.dx_ahead);
    if (kStores == PairStores::kPlain ||
        (kStores == PairStores::kRowEnd && rows.IsShared(dx, 2 * o))) {
      vectors::StoreElementBits(columns, sums, dx);
    } else {
      hn::Stream(sums, columns, reinterpret_cast<Bits*>(dx));
    }
  }
}

template <int kRows, typename T>
HWY_INLINE void HandOutHalfLines(const PairRows& rows, const PairPlace<T>& row) {
  const hn::CappedTag<hn::TFromD<PairLanes<T> >, kHalfLine / (2 * sizeof(T))> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  HandOutBlock<kRows, PairStores::kRowEnd>(d, rows, row, 0);
  for (int64_t o = lanes; o < rows.windows - lanes; o += lanes) {
    HandOutBlock<kRows, PairStores::kHalfLines>(d, rows, row, o);
  }
  HandOutBlock<kRows, PairStores::kRowEnd>(d, rows, row, rows.windows - lanes);
}

template <int kRows, typename T>
HWY_INLINE void HandOutRow(const PairRows& rows, const PairPlace<T>& row) {
  const PairLanes<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if (rows.stores == PairStores::kLines) {
    for (int64_t o = 0; o < rows.windows; o += lanes) {
      HandOutBlock<kRows, PairStores::kLines>(d, rows, row, o);
    }
  } else if (rows.stores == PairStores::kHalfLines) {
    HandOutHalfLines<kRows>(rows, row);
  } else {
    vectors::ForEachBlock(d, rows.windows, [&](auto tag, int64_t o) HWY_ATTR {
      HandOutBlock<kRows, PairStores::kPlain>(tag, rows, row, o);
    });
  }
}
#endif

template <int kRows, typename T>
void HandOutPairs(const PairRows& the_rows, PairPlace<T> row) {
  const PairRows rows = the_rows;
  for (int64_t i = 0; i < row.count; ++i, row.Next(rows)) HandOutRow<kRows>(rows, row);
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::gradient
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
