// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Runs of elements that are only moved: copied, turned around or spread.
// Included once per instruction set; elements of any type are unsigned integers
// of their width. What writes them is in run_writers-inl.h.

#if defined(ANYDML_KERNELS_MOVE_CPU_RUNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_MOVE_CPU_RUNS_INL_H_
#undef ANYDML_KERNELS_MOVE_CPU_RUNS_INL_H_
#else
#define ANYDML_KERNELS_MOVE_CPU_RUNS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Memory every element of which belongs to the tensor that is read, so that a
// vector may be loaded where only a part of it is wanted. Empty where a tensor
// has gaps.
template <typename T>
struct Readable {
  const T* begin = nullptr;
  const T* end = nullptr;
  HWY_INLINE bool Holds(const T* from, uint64_t count) const {
    return from >= begin && end - from >= static_cast<int64_t>(count);
  }
};

// Where masked loads of every width leave alone what they do not load, runs have
// LoadPart(d, i), too: Load() without the lanes outside of the run, which need not
// be readable.
#undef ANYDML_LOADS_PARTS
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#define ANYDML_LOADS_PARTS 1

// Lanes of a vector that begins with element i of `count`.
template <class D>
HWY_INLINE hn::Mask<D> LanesInside(D d, int64_t i, uint64_t count) {
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const auto begin = std::clamp<int64_t>(-i, 0, N);
  const auto end = std::clamp<int64_t>(static_cast<int64_t>(count) - i, 0, N);
  return hn::AndNot(hn::FirstN(d, static_cast<size_t>(begin)),
                    hn::FirstN(d, static_cast<size_t>(end)));
}
#else
#define ANYDML_LOADS_PARTS 0
#endif

HWY_INLINE bool IsInside(int64_t i, uint64_t lanes, uint64_t count) {
  return i >= 0 && static_cast<uint64_t>(i) + lanes <= count;
}

// The lanes of a vector in the other order. Highway 1.0.3 does not reverse bytes.
template <class D, class V>
HWY_INLINE V ReverseLanes([[maybe_unused]] D d, V v) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(hn::TFromD<D>) == 1) {
    const hn::RepartitionToWide<D> pairs;
    const auto reversed = hn::Reverse(pairs, hn::BitCast(pairs, v));
    return hn::BitCast(d, hn::Or(hn::ShiftLeft<8>(reversed), hn::ShiftRight<8>(reversed)));
  } else {
    return hn::Reverse(d, v);
  }
#else
  return v;
#endif
}

// The elements of a run: At(i), and Load(d, i), the vector that begins with
// element i, wherever CanLoad(i, lanes). It may begin before the run and end
// behind it, with rubbish.
template <typename T>
struct Zeros {
  uint64_t count;
  HWY_INLINE T At(uint64_t) const { return 0; }
  HWY_INLINE bool CanLoad(int64_t, uint64_t) const { return true; }
  template <class D>
  HWY_INLINE hn::Vec<D> Load(D d, int64_t) const {
    return hn::Zero(d);
  }
};

template <typename T>
struct Forwards {
  const T* first;
  uint64_t count;
  Readable<T> readable;
  HWY_INLINE T At(uint64_t i) const { return first[i]; }
  HWY_INLINE bool CanLoad(int64_t i, uint64_t lanes) const {
    return IsInside(i, lanes, count) || readable.Holds(first + i, lanes);
  }
  template <class D>
  HWY_INLINE hn::Vec<D> Load(D d, int64_t i) const {
    return hn::LoadU(d, first + i);
  }
#if ANYDML_LOADS_PARTS
  template <class D>
  HWY_INLINE hn::Vec<D> LoadPart(D d, int64_t i) const {
    return hn::MaskedLoad(LanesInside(d, i, count), d, first + i);
  }
#endif
};

// Element i lies i elements below the first one. The processor's own prefetching
// is made for ascending addresses: elements that lie `ahead` below those that are
// read are asked for, unless the kernel does that itself.
template <typename T>
struct Backwards {
  const T* first;
  uint64_t count;
  Readable<T> readable;
  int64_t ahead = 0;
  HWY_INLINE T At(uint64_t i) const { return *(first - i); }
  HWY_INLINE bool CanLoad(int64_t i, uint64_t lanes) const {
    return IsInside(i, lanes, count) || readable.Holds(Lowest(i, lanes), lanes);
  }
  template <class D>
  HWY_INLINE hn::Vec<D> Load(D d, int64_t i) const {
    const T* const lowest = Lowest(i, hn::Lanes(d));
    __builtin_prefetch(lowest - ahead, 0, 2);
    return ReverseLanes(d, hn::LoadU(d, lowest));
  }
#if ANYDML_LOADS_PARTS
  template <class D>
  HWY_INLINE hn::Vec<D> LoadPart(D d, int64_t i) const {
    const auto N = static_cast<int64_t>(hn::Lanes(d));
    const auto inside = LanesInside(d, static_cast<int64_t>(count) - i - N, count);
    return ReverseLanes(d, hn::MaskedLoad(inside, d, Lowest(i, hn::Lanes(d))));
  }
#endif

 private:
  HWY_INLINE const T* Lowest(int64_t i, uint64_t lanes) const {
    return first - i - static_cast<int64_t>(lanes - 1);
  }
};

// The elements of another run with a zero between each two. In memory, little end
// first, an element and a zero are the element widened; a zero and an element are
// that shifted.
template <typename T, class Values>
struct SpreadByTwo {
  Values values;
  uint64_t count;  // 2 * values.count - 1
  explicit HWY_INLINE SpreadByTwo(const Values& v) : values(v), count(2 * v.count - 1) {}
  HWY_INLINE T At(uint64_t i) const { return i % 2 == 0 ? values.At(i / 2) : T{0}; }
  HWY_INLINE bool CanLoad(int64_t i, uint64_t lanes) const {
    return values.CanLoad(FirstValue(i), (lanes + 1) / 2);
  }
  template <class D>
  HWY_INLINE hn::Vec<D> Load(D d, int64_t i) const {
    return Widen(d, i, values.Load(HalfTag<D>(), FirstValue(i)));
  }
#if ANYDML_LOADS_PARTS
  template <class D>
  HWY_INLINE hn::Vec<D> LoadPart(D d, int64_t i) const {
    return Widen(d, i, values.LoadPart(HalfTag<D>(), FirstValue(i)));
  }
#endif

 private:
  template <class D>
  using WideTag = hn::Repartition<hwy::MakeWide<T>, D>;
  template <class D>
  using HalfTag = hn::Rebind<T, WideTag<D>>;

  template <class D>
  static HWY_INLINE hn::Vec<D> Widen(D d, int64_t i, hn::Vec<HalfTag<D>> half) {
    const auto wide = hn::PromoteTo(WideTag<D>(), half);
    return hn::BitCast(d, i % 2 == 0 ? wide : hn::ShiftLeft<8 * sizeof(T)>(wide));
  }

  // Of element i or, where that is a zero, of the next one.
  static HWY_INLINE int64_t FirstValue(int64_t i) { return (i + 1) >> 1; }
};

// Elements at any stride with step - 1 zeros between each two. A vector is put
// together in memory.
template <typename T>
struct Scattered {
  const T* first;
  int64_t stride;
  uint64_t step;
  uint64_t count;  // with the zeros
  HWY_INLINE T At(uint64_t i) const {
    return i % step == 0 ? first[static_cast<int64_t>(i / step) * stride] : T{0};
  }
  HWY_INLINE bool CanLoad(int64_t i, uint64_t lanes) const { return IsInside(i, lanes, count); }
  template <class D>
  HWY_INLINE hn::Vec<D> Load(D d, int64_t at) const {
    const auto i = static_cast<uint64_t>(at);
    HWY_ALIGN T lanes[HWY_MAX_BYTES / sizeof(T)];
    const size_t N = hn::Lanes(d);
    if (step != 1) hn::Store(hn::Zero(d), d, lanes);
    uint64_t k = i % step == 0 ? 0 : step - i % step;
    const T* from = first + static_cast<int64_t>((i + k) / step) * stride;
    for (; k < N; k += step, from += stride) lanes[k] = *from;
    return hn::Load(d, lanes);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
