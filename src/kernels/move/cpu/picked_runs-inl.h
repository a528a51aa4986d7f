// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Runs (runs-inl.h) of every second, third or fourth element, forwards or
// backwards. Included once per instruction set. Whole vectors are loaded and what
// is between the elements is dropped in registers.

#if defined(ANYDML_KERNELS_MOVE_CPU_PICKED_RUNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_MOVE_CPU_PICKED_RUNS_INL_H_
#undef ANYDML_KERNELS_MOVE_CPU_PICKED_RUNS_INL_H_
#else
#define ANYDML_KERNELS_MOVE_CPU_PICKED_RUNS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/move/cpu/runs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Elements 0, kStep, 2 * kStep ... of memory, as many as a vector has lanes. Reads
// kStep - 1 elements behind the last one.
template <int kStep, class D, typename T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> LoadEvery(D d, const T* from) {
  static_assert(kStep == 2 || kStep == 3 || kStep == 4);
  [[maybe_unused]] const size_t N = hn::Lanes(d);
#if HWY_TARGET == HWY_SCALAR
  return hn::LoadU(d, from);
#else
  if constexpr (kStep == 3) {
    hn::Vec<D> first, second, third;
    hn::LoadInterleaved3(d, from, first, second, third);
    return first;
  } else if constexpr (kStep == 2) {
    return hn::ConcatEven(d, hn::LoadU(d, from + N), hn::LoadU(d, from));
  } else {
    return hn::ConcatEven(d, LoadEvery<2>(d, from + 2 * N), LoadEvery<2>(d, from));
  }
#endif
}

// Element i lies i * kStride elements from the first one. All between the first one
// and the last must be readable, and `behind` elements behind the highest one.
template <typename T, int kStride>
class Picked {
 public:
  HWY_INLINE Picked(const T* first, uint64_t run_count, const Readable<T>& readable,
                    uint64_t behind)
      : count(run_count), first_(first), readable_(readable) {
    // A tensor's last elements may have nothing behind them.
    const T* const highest = kStride > 0 ? Address(static_cast<int64_t>(count) - 1) : first_;
    end_ = std::max(highest + 1 + behind, readable.end);
  }

  HWY_INLINE T At(uint64_t i) const { return *Address(static_cast<int64_t>(i)); }
  HWY_INLINE bool CanLoad(int64_t i, uint64_t lanes) const {
    return IsInside(i, lanes, count) || readable_.Holds(Lowest(i, lanes), lanes * kStep);
  }
  template <class D>
  HWY_INLINE hn::Vec<D> Load(D d, int64_t i) const {
    const size_t N = hn::Lanes(d);
    const T* const lowest = Lowest(i, N);
    if (HWY_LIKELY(end_ - lowest >= static_cast<int64_t>(N * kStep))) {
      return InOrder(d, LoadEvery<kStep>(d, lowest));
    }
    HWY_ALIGN T some[HWY_MAX_BYTES / sizeof(T) * kStep];
    std::memcpy(some, lowest, ((N - 1) * kStep + 1) * sizeof(T));
    return InOrder(d, LoadEvery<kStep>(d, static_cast<const T*>(some)));
  }

  uint64_t count;

 private:
  static constexpr int kStep = kStride < 0 ? -kStride : kStride;

  template <class D>
  static HWY_INLINE hn::Vec<D> InOrder(D d, hn::Vec<D> ascending) {
    if constexpr (kStride > 0) return ascending;
    return ReverseLanes(d, ascending);
  }
  HWY_INLINE const T* Address(int64_t i) const { return first_ + i * kStride; }
  // Of the elements of a vector that begins with element i.
  HWY_INLINE const T* Lowest(int64_t i, uint64_t lanes) const {
    return Address(kStride > 0 ? i : i + static_cast<int64_t>(lanes) - 1);
  }

  const T* first_;
  Readable<T> readable_;
  const T* end_;
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
