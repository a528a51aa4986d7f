// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The walk of the strategy shared_channels along a row of windows, for one
// vector of channels: the elements that a window sees and their sums are in
// registers. Included once per instruction set.

#if defined(ANYDML_KERNELS_WINDOW_GRADIENT_SHARED_CHANNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_WINDOW_GRADIENT_SHARED_CHANNELS_INL_H_
#undef ANYDML_KERNELS_WINDOW_GRADIENT_SHARED_CHANNELS_INL_H_
#else
#define ANYDML_KERNELS_WINDOW_GRADIENT_SHARED_CHANNELS_INL_H_
#endif

#include <hwy/highway.h>

#include "backends/cpu/streaming-inl.h"
#include "kernels/window/cpu/gradient/plain_keys-inl.h"
#include "kernels/window/cpu/gradient/shared_channels.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::window::gradient {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

// Vectors that are whole lines.
template <typename T>
constexpr bool CanStream() {
  return sizeof(T) * hn::MaxLanes(Floats()) == vectors::kLineBytes;
}

// One row of windows over a tile. Strides count elements.
template <typename T, int kSize, int kStride>
struct WindowRowOf {
  TapWalk columns;
  IndexRange tile;     // of the columns' walk
  int64_t first = 0;   // the tile's first window
  bool whole = false;  // no row is null
  bool stream = false;
  std::array<const T*, kSize> x{};  // column 0 of the walk; null in padding
  const T* dy = nullptr;            // window 0 of the walk; null past the last row
  std::array<T*, kStride> dx{};     // rows that are finished; null outside the tile
  float* before = nullptr;          // sums of rows that were seen before
  float* after = nullptr;           // sums of rows that will be seen again
  int64_t x_stride = 0, dy_stride = 0, dx_stride = 0;
  int64_t next_x = 0, next_dy = 0, next_dx = 0;  // to what the next row of windows needs
  int64_t sums_row = 0;                          // from row to row of sums
};

// A vector of channels of such a row.
struct ChannelsOfRow {
  int64_t channel;
  int64_t sums;    // where its sums begin
  float* carried;  // sums of the columns that the next block of windows sees again
};

template <class Keys, typename T, int kSize, int kStride>
class ColumnWalk {
 public:
  using Row = WindowRowOf<T, kSize, kStride>;

  HWY_INLINE ColumnWalk(const Row& row, const ChannelsOfRow& at) : row_(row), at_(at) {}

  // A block of windows; inner ones have all their columns in the tile. False:
  // these keys do not suffice, and nothing has been carried over.
  HWY_INLINE bool Run(IndexRange block, bool inner) {
    const Floats df;
    HWY_UNROLL(4)
    for (int k = 0; k < kShared; ++k) {
      Enter<true>(k, block.begin * kStride + k);
      if (block.begin != row_.first) {
        HWY_UNROLL(4)
        for (int r = 0; r < kSize; ++r) {
          sum_[r][k] = hn::LoadU(df, at_.carried + (k * kSize + r) * Lanes());
        }
      }
    }
    if (inner) {
      for (int64_t w = block.begin; w < block.end; ++w) Step<false>(w);
    } else {
      for (int64_t w = block.begin; w < block.end; ++w) Step<true>(w);
    }
    if (!keys_.AreRight()) return false;
    HWY_UNROLL(4)
    for (int k = 0; k < kShared; ++k) {
      HWY_UNROLL(4)
      for (int r = 0; r < kSize; ++r) {
        hn::StoreU(sum_[r][k], df, at_.carried + (k * kSize + r) * Lanes());
      }
    }
    return true;
  }

 private:
  using Key = typename Keys::Key;
  static constexpr int kShared = kSize - kStride;

  // Column v takes place k of the window.
  template <bool kEdge>
  HWY_INLINE void Enter(int k, int64_t v) {
    const Floats df;
    const IndexRange inside = row_.columns.inside;
    const bool seen = !kEdge || (v >= inside.begin && v < inside.end);
    const bool kept = !kEdge || (v >= row_.tile.begin && v < row_.tile.end);
    const int64_t offset = v * row_.x_stride + at_.channel;
    HWY_UNROLL(4)
    for (int r = 0; r < kSize; ++r) {
      const T* row = row_.x[static_cast<size_t>(r)];
      key_[r][k] =
          !kEdge || (seen && row != nullptr) ? keys_.Load(row + offset, r) : Keys::Padding();
      best_[k] = r == 0 ? key_[0][k] : hn::Max(best_[k], key_[r][k]);
    }
    const float* before = row_.before + at_.sums + (v - row_.tile.begin) * Lanes();
    HWY_UNROLL(4)
    for (int r = 0; r < kSize; ++r) {
      sum_[r][k] = r < kShared && kept ? hn::LoadU(df, before + r * row_.sums_row) : hn::Zero(df);
    }
  }

  // Column v, at place k, is seen by no further window of this row.
  template <bool kEdge>
  HWY_INLINE void Leave(int k, int64_t v) {
    const Floats df;
    if (kEdge && (v < row_.tile.begin || v >= row_.tile.end)) return;
    HWY_UNROLL(4)
    for (int r = 0; r < kStride; ++r) {
      T* row = row_.dx[static_cast<size_t>(r)];
      if (!kEdge || row != nullptr) {
        Store(sum_[r][k], row + v * row_.dx_stride + at_.channel);
      }
    }
    float* after = row_.after + at_.sums + (v - row_.tile.begin) * Lanes();
    HWY_UNROLL(4)
    for (int r = kStride; r < kSize; ++r) {
      hn::StoreU(sum_[r][k], df, after + (r - kStride) * row_.sums_row);
    }
  }

  HWY_INLINE void Store(Vector sum, T* to) const {
    const Floats df;
    if constexpr (CanStream<T>()) {
      if (row_.stream) return hn::Stream(sum, df, to);
    }
    vectors::StoreFloats(df, sum, to);
  }

  template <bool kEdge>
  HWY_INLINE void Step(int64_t w) {
    const int64_t v = w * kStride;
    HWY_UNROLL(4)
    for (int k = kShared; k < kSize; ++k) Enter<kEdge>(k, v + k);
    if (!kEdge || (w < row_.columns.windows && row_.dy != nullptr)) HandOut(w);
    HWY_UNROLL(4)
    for (int k = 0; k < kStride; ++k) Leave<kEdge>(k, v + k);
    if (!kEdge) Prefetch(w);
    HWY_UNROLL(4)
    for (int k = 0; k < kShared; ++k) {
      best_[k] = best_[k + kStride];
      HWY_UNROLL(4)
      for (int r = 0; r < kSize; ++r) {
        key_[r][k] = key_[r][k + kStride];
        sum_[r][k] = sum_[r][k + kStride];
      }
    }
  }

  // To the first of the elements that equal the maximum. Padding that does so,
  // where a window sees nothing else, belongs to no sum that is ever stored.
  HWY_INLINE void HandOut(int64_t w) {
    const Floats df;
    const auto gradient = vectors::LoadFloats(df, row_.dy + w * row_.dy_stride + at_.channel);
    auto best = best_[0];
    HWY_UNROLL(4)
    for (int k = 1; k < kSize; ++k) best = hn::Max(best, best_[k]);
    auto open = Keys::Equal(best, best);
    HWY_UNROLL(4)
    for (int r = 0; r < kSize; ++r) {
      HWY_UNROLL(4)
      for (int k = 0; k < kSize; ++k) {
        const auto equal = Keys::Equal(key_[r][k], best);
        const auto won = hn::And(equal, open);
        open = hn::AndNot(equal, open);
        sum_[r][k] = hn::IfThenElse(won, hn::Add(sum_[r][k], gradient), sum_[r][k]);
      }
    }
  }

  // What the next row of windows needs.
  HWY_INLINE void Prefetch(int64_t w) const {
    HWY_UNROLL(4)
    for (int k = 0; k < kStride; ++k) {
      const int64_t v = w * kStride + k;
      HWY_UNROLL(4)
      for (int r = 0; r < kStride; ++r) {
        Ask(row_.x[size_t{kShared} + static_cast<size_t>(r)],
            row_.next_x + (v + kShared) * row_.x_stride + at_.channel);
        if (CanStream<T>() && row_.stream) continue;
        Ask(row_.dx[static_cast<size_t>(r)], row_.next_dx + v * row_.dx_stride + at_.channel);
      }
    }
    Ask(row_.dy, row_.next_dy + w * row_.dy_stride + at_.channel);
  }

  const Row row_;  // a copy, which no store of a vector can change
  const ChannelsOfRow at_;
  Keys keys_;
  Key key_[kSize][kSize];
  Key best_[kSize];  // of each column
  Vector sum_[kSize][kSize];
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::gradient
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
