// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Gathers and scatters by the width of an element. Compiled with -O3: transposes take 2
// to 6 times as long at -O2.
#include "kernels/elementwise/cpu/gather.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/cpu/gather.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/prefetch.h"
#include "backends/cpu/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::elementwise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using cpu::Box;
using cpu::ForEachRowOfBox;
using cpu::MergeRows;
using cpu::PackedStrides;
using cpu::RowPrefetcher;

// A square of as many rows as 128 bits have lanes: each stage interleaves the
// upper half of the rows with the lower one.
#if HWY_TARGET == HWY_SCALAR
template <typename T>
inline constexpr int64_t kSquareSide = 1;

template <typename T>
HWY_INLINE void TransposeSquare(const T* from, int64_t, T* to, int64_t) {
  *to = *from;
}
#else
template <typename T>
inline constexpr int64_t kSquareSide = 16 / sizeof(T);

template <typename T>
HWY_INLINE void TransposeSquare(const T* from, int64_t from_stride, T* to, int64_t to_stride) {
  constexpr size_t kSide = kSquareSide<T>;
  const hn::FixedTag<T, kSide> d;
  hn::Vec<decltype(d)> rows[kSide];
  hn::Vec<decltype(d)> next[kSide];
  for (size_t i = 0; i < kSide; ++i) {
    rows[i] = hn::LoadU(d, from + static_cast<int64_t>(i) * from_stride);
  }
  for (size_t stage = 1; stage < kSide; stage *= 2) {
    for (size_t i = 0; i < kSide / 2; ++i) {
      next[2 * i] = hn::InterleaveLower(d, rows[i], rows[i + kSide / 2]);
      next[2 * i + 1] = hn::InterleaveUpper(d, rows[i], rows[i + kSide / 2]);
    }
    for (size_t i = 0; i < kSide; ++i) rows[i] = next[i];
  }
  for (size_t i = 0; i < kSide; ++i) {
    hn::StoreU(rows[i], d, to + static_cast<int64_t>(i) * to_stride);
  }
}
#endif

// Elements that are transposed between two questions for lines.
inline constexpr int64_t kAskedElements = 256;

// What of a plane is done: its first `a` rows, of each the first `b` elements.
struct DoneSquares {
  int64_t a = 0, b = 0;
};

// As TransposePlane, for as much as whole vectors make squares. Whole lines of a
// few rows at a time: rows are often a power of two apart, and would push one
// another out of the cache.
#if ANYDML_TRANSPOSES
template <typename T>
HWY_INLINE DoneSquares TransposeWide(const T* from, int64_t from_stride, T* to, int64_t to_stride,
                                     int64_t a_size, int64_t b_size, RowPrefetcher& ahead) {
  DoneSquares done;
  if constexpr (sizeof(T) == 4) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    done = {a_size / lanes * lanes, b_size / lanes * lanes};
    for (int64_t a = 0; a < done.a; a += lanes) {
      for (int64_t b = 0; b < done.b; b += lanes) {
        if (b % (kAskedElements / lanes) == 0) ahead.Prefetch();
        const T* const rows = from + a * from_stride + b;
        T* const columns = to + b * to_stride + a;
        cpu::HWY_NAMESPACE::TransposeSquare(
            d,
            [&](size_t r)
                HWY_ATTR { return hn::LoadU(d, rows + static_cast<int64_t>(r) * from_stride); },
            [&](size_t c, auto column)
                HWY_ATTR { hn::StoreU(column, d, columns + static_cast<int64_t>(c) * to_stride); });
      }
    }
  }
  return done;
}
#else
template <typename T>
HWY_INLINE DoneSquares TransposeWide(const T*, int64_t, T*, int64_t, int64_t, int64_t,
                                     RowPrefetcher&) {
  return {};
}
#endif

// to[b * to_stride + a] = from[a * from_stride + b]. Asks for the same rows of the
// plane at `next`: far apart as they are, the processor does not foresee them.
template <typename T>
HWY_INLINE void TransposePlane(const T* from, int64_t from_stride, const T* next, T* to,
                               int64_t to_stride, int64_t a_size, int64_t b_size) {
  constexpr int64_t kSide = kSquareSide<T>;
  const int64_t a_squares = a_size / kSide * kSide;
  const int64_t b_squares = b_size / kSide * kSide;
  RowPrefetcher ahead(next, from_stride * static_cast<int64_t>(sizeof(T)),
                      static_cast<uint64_t>(a_size), static_cast<uint64_t>(b_size) * sizeof(T));
  ahead.Spread(static_cast<uint64_t>(a_size * b_size / kAskedElements + 1));
  const DoneSquares done = TransposeWide(from, from_stride, to, to_stride, a_size, b_size, ahead);
  for (int64_t a = 0; a < a_squares; a += kSide) {
    for (int64_t b = a < done.a ? done.b : 0; b < b_squares; b += kSide) {
      if (b % (kAskedElements / kSide) == 0) ahead.Prefetch();
      TransposeSquare(from + a * from_stride + b, from_stride, to + b * to_stride + a, to_stride);
    }
  }
  for (int64_t b = 0; b < b_size; ++b) {
    for (int64_t a = b < b_squares ? a_squares : 0; a < a_size; ++a) {
      to[b * to_stride + a] = from[a * from_stride + b];
    }
  }
}

// Copies rows of a box, between strides of which one is packed.
template <typename T>
HWY_INLINE void CopyRows(const Box& box, const int64_t* from_strides, const T* from,
                         const int64_t* to_strides, T* to) {
  const int64_t from_step = from_strides[box.rank - 1];
  const int64_t to_step = to_strides[box.rank - 1];
  const bool packed = from_step == 1 && to_step == 1;
  const Box rows = packed ? MergeRows<2>(box, {from_strides, to_strides}) : box;
  const auto count = static_cast<int64_t>(rows.sizes[rows.rank - 1]);
  ForEachRowOfBox<2>(rows, {from_strides, to_strides}, [&](const auto& at) HWY_ATTR {
    if (packed) {
      std::memcpy(to + at[1], from + at[0], static_cast<size_t>(count) * sizeof(T));
    } else if (from_step == 0 && to_step == 1) {
      std::fill_n(to + at[1], count, from[at[0]]);
    } else {
      for (int64_t i = 0; i < count; ++i) to[at[1] + i * to_step] = from[at[0] + i * from_step];
    }
  });
}

// Puts the elements of a box side by side, in its order of dimensions: plane by
// plane where another dimension than the row is contiguous. The box at `next` comes
// after it.
template <typename T>
HWY_INLINE void GatherBox(const Box& box, const int64_t* from_strides, const T* from, const T* next,
                          T* to) {
  const auto packed = PackedStrides(box);
  const uint32_t row = box.rank - 1;
  uint32_t unit = 0;
  while (unit < row && (from_strides[unit] != 1 || box.sizes[unit] == 1)) ++unit;
  if (unit == row || from_strides[row] == 1) {
    return CopyRows(box, from_strides, from, packed.data(), to);
  }
  Box planes = box;
  planes.sizes[unit] = 1;
  ForEachRowOfBox<2>(planes, {from_strides, packed.data()}, [&](const auto& at) HWY_ATTR {
    TransposePlane(from + at[0], from_strides[row], next + at[0], to + at[1], packed[unit],
                   static_cast<int64_t>(box.sizes[row]), static_cast<int64_t>(box.sizes[unit]));
  });
}

template <typename T>
void Gather(const Box& box, const int64_t* from_strides, const void* from, const void* next,
            void* to) {
  GatherBox(box, from_strides, static_cast<const T*>(from), static_cast<const T*>(next),
            static_cast<T*>(to));
}

template <typename T>
void Scatter(const Box& box, const int64_t* to_strides, const void* from, void* to) {
  CopyRows(box, PackedStrides(box).data(), static_cast<const T*>(from), to_strides,
           static_cast<T*>(to));
}

template <typename T>
inline constexpr TileMoves kMoves = {Gather<T>, Scatter<T>};

const TileMoves& MovesOfWidth(uint32_t element_size) {
  switch (element_size) {
    case 1:
      return kMoves<uint8_t>;
    case 2:
      return kMoves<uint16_t>;
    case 4:
      return kMoves<uint32_t>;
    default:
      return kMoves<uint64_t>;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::elementwise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::elementwise {

HWY_EXPORT(MovesOfWidth);

const TileMoves& TileMovesOf(uint32_t element_size) {
  return HWY_DYNAMIC_DISPATCH(MovesOfWidth)(element_size);
}

}  // namespace anydml::elementwise
#endif  // HWY_ONCE
