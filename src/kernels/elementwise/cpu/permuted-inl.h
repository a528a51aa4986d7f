// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Element-wise formulas over tensors whose dimensions lie in memory in different
// orders. Included once per instruction set. Tile by tile (tiles.h), what does not
// lie in the output's order is brought into it in the first-level cache, and the
// formula runs over rows. The twin for packed rows is elementwise-inl.h.

#if defined(ANYDML_KERNELS_ELEMENTWISE_CPU_PERMUTED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_ELEMENTWISE_CPU_PERMUTED_INL_H_
#undef ANYDML_KERNELS_ELEMENTWISE_CPU_PERMUTED_INL_H_
#else
#define ANYDML_KERNELS_ELEMENTWISE_CPU_PERMUTED_INL_H_
#endif

#include <hwy/highway.h>

#include <utility>

#include "backends/bindings.h"
#include "backends/cpu/rows.h"
#include "backends/cpu/rows_ahead.h"
#include "backends/cpu/streaming-inl.h"
#include "backends/cpu/transpose-inl.h"
#include "kernels/elementwise/cpu/elementwise-inl.h"
#include "kernels/elementwise/cpu/tiles.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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
                                     int64_t a_size, int64_t b_size, RowsAhead& ahead) {
  DoneSquares done;
  if constexpr (sizeof(T) == 4) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    done = {a_size / lanes * lanes, b_size / lanes * lanes};
    for (int64_t a = 0; a < done.a; a += lanes) {
      for (int64_t b = 0; b < done.b; b += lanes) {
        if (b % (kAskedElements / lanes) == 0) ahead.Ask();
        const T* const rows = from + a * from_stride + b;
        T* const columns = to + b * to_stride + a;
        TransposeSquare(
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
HWY_INLINE DoneSquares TransposeWide(const T*, int64_t, T*, int64_t, int64_t, int64_t, RowsAhead&) {
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
  RowsAhead ahead(next, from_stride * static_cast<int64_t>(sizeof(T)),
                  static_cast<uint64_t>(a_size), static_cast<uint64_t>(b_size) * sizeof(T));
  ahead.Spread(static_cast<uint64_t>(a_size * b_size / kAskedElements + 1));
  const DoneSquares done = TransposeWide(from, from_stride, to, to_stride, a_size, b_size, ahead);
  for (int64_t a = 0; a < a_squares; a += kSide) {
    for (int64_t b = a < done.a ? done.b : 0; b < b_squares; b += kSide) {
      if (b % (kAskedElements / kSide) == 0) ahead.Ask();
      TransposeSquare(from + a * from_stride + b, from_stride, to + b * to_stride + a, to_stride);
    }
  }
  for (int64_t b = 0; b < b_size; ++b) {
    for (int64_t a = b < b_squares ? a_squares : 0; a < a_size; ++a) {
      to[b * to_stride + a] = from[a * from_stride + b];
    }
  }
}

// Strides of a box whose elements lie side by side.
HWY_INLINE std::array<int64_t, kMaxDimensions> PackedStrides(const Box& box) {
  std::array<int64_t, kMaxDimensions> strides = {};
  int64_t stride = 1;
  for (uint32_t i = box.rank; i-- > 0;) {
    strides[i] = stride;
    stride *= static_cast<int64_t>(box.sizes[i]);
  }
  return strides;
}

// Dimensions that are contiguous in every tensor of the strides become one row.
template <size_t K>
HWY_INLINE Box MergeRows(Box box, const std::array<const int64_t*, K>& strides) {
  while (box.rank > 1) {
    const uint32_t last = box.rank - 1;
    for (size_t k = 0; k < K; ++k) {
      if (strides[k][last - 1] != static_cast<int64_t>(box.sizes[last])) return box;
    }
    box.sizes[last - 1] *= box.sizes[last];
    --box.rank;
  }
  return box;
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
    for (int64_t i = 0; i < count; ++i) to[at[1] + i * to_step] = from[at[0] + i * from_step];
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

// Which tensors are used where they are: those with runs that are worth it.
template <int N>
HWY_INLINE std::array<bool, N> TensorsUsedDirectly(const StridedLoop<N>& loop, const Box& box) {
  constexpr uint64_t kShortestRun = 16;
  std::array<bool, N> direct = {};
  for (int t = 0; t < N; ++t) {
    const Box rows = MergeRows<1>(box, {loop.strides[t].data()});
    direct[t] = loop.inner_stride(t) == 1 && rows.sizes[rows.rank - 1] >= kShortestRun;
  }
  return direct;
}

// Output 0 = f(input 0, input 1 ...) for one tile; the last tensor is the output.
template <typename Lane, int N, class F, size_t... kInputs>
HWY_INLINE void TransformTile(const StridedLoop<N>& loop, const Tile<N>& tile, const Tile<N>& next,
                              const std::array<bool, N>& direct, bool stream,
                              const std::array<const Lane*, N - 1>& inputs, Lane* output,
                              const F& f, std::index_sequence<kInputs...>) {
  HWY_ALIGN Lane buffers[N][kMostTileElements];
  const auto packed = PackedStrides(tile.box);
  const auto prepare = [&](int t) HWY_ATTR -> const Lane* {
    const Lane* const from = inputs[t] + tile.offsets[t];
    if (direct[t]) return from;
    GatherBox(tile.box, loop.strides[t].data(), from, inputs[t] + next.offsets[t], buffers[t]);
    return buffers[t];
  };
  const std::array<const Lane*, N - 1> sources = {prepare(kInputs)...};
  Lane* const target =
      direct[N - 1] ? output + tile.offsets[N - 1] : static_cast<Lane*>(buffers[N - 1]);
  const auto strides_of = [&](int t) { return direct[t] ? loop.strides[t].data() : packed.data(); };
  const std::array<const int64_t*, N> strides = {strides_of(kInputs)..., strides_of(N - 1)};
  const Box rows = MergeRows(tile.box, strides);
  const uint64_t count = rows.sizes[rows.rank - 1];
  ForEachRowOfBox<N>(rows, strides, [&](const auto& at) HWY_ATTR {
    if (stream) {
      StreamTransformedRow(f, count, target + at[N - 1], (sources[kInputs] + at[kInputs])...);
    } else {
      TransformRow(f, count, target + at[N - 1], (sources[kInputs] + at[kInputs])...);
    }
  });
  if (!direct[N - 1]) {
    CopyRows(tile.box, packed.data(), target, loop.strides[N - 1].data(),
             output + tile.offsets[N - 1]);
  }
}

// An output that is laid over an input works: a tile is read before it is
// written, and its elements belong to no other tile.
template <typename Lane, int N, class F>
HWY_INLINE void TransformPermuted(const StridedLoop<N>& loop, const Bindings& bindings,
                                  const Executor& executor, const F& f) {
  [&]<size_t... kInputs>(std::index_sequence<kInputs...> indices) HWY_ATTR {
    const Box box = ChooseTile(loop, sizeof(Lane));
    const std::array<bool, N> direct = TensorsUsedDirectly(loop, box);
    const std::array<const Lane*, N - 1> inputs = {bindings.Input<Lane>(kInputs)...};
    Lane* const output = bindings.Output<Lane>(0);
    // Far rows of the output push one another out of the caches: they gain most from
    // stores past them, if their pieces are whole lines.
    const bool in_place = ((inputs[kInputs] == output) || ...);
    constexpr auto kPerLine = static_cast<int64_t>(kLineBytes / sizeof(Lane));
    const bool whole_lines = direct[N - 1] && loop.rank > 1 &&
                             reinterpret_cast<uintptr_t>(output) % kLineBytes == 0 &&
                             loop.strides[N - 1][loop.rank - 2] % kPerLine == 0;
    const bool stream =
        !in_place && whole_lines && ShouldStream(loop.ElementCount() * N * sizeof(Lane));
    ForEachTile(
        loop, box, executor, kElementsPerUnit,
        [&](const Tile<N>& tile, const Tile<N>& next) HWY_ATTR {
          TransformTile<Lane, N>(loop, tile, next, direct, stream, inputs, output, f, indices);
        },
        hwy::FlushStream);
  }
  (std::make_index_sequence<N - 1>());
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
