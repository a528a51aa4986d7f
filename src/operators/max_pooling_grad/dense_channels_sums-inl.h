// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// How the strategy dense_channels adds the gradients, for one vector of channels:
// down a few columns at a time, the sums of as many rows as a window has in
// registers. Included once per instruction set.

#if defined(ANYDML_MAX_POOLING_GRAD_DENSE_CHANNELS_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_MAX_POOLING_GRAD_DENSE_CHANNELS_SUMS_INL_H_
#undef ANYDML_MAX_POOLING_GRAD_DENSE_CHANNELS_SUMS_INL_H_
#else
#define ANYDML_MAX_POOLING_GRAD_DENSE_CHANNELS_SUMS_INL_H_
#endif

#include "backends/cpu/streaming-inl.h"
#include "operators/max_pooling_grad/dense_channels_won-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling_grad {
namespace HWY_NAMESPACE {

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
}  // namespace anydml::max_pooling_grad
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
