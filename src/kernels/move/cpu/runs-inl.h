// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Runs of elements that are only moved: repeated, copied, turned around or spread.
// Included once per instruction set; elements of any type are unsigned integers
// of their width. Below, what streams them.

#if defined(ANYDML_KERNELS_MOVE_CPU_RUNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_MOVE_CPU_RUNS_INL_H_
#undef ANYDML_KERNELS_MOVE_CPU_RUNS_INL_H_
#else
#define ANYDML_KERNELS_MOVE_CPU_RUNS_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/move/cpu/row_movers.h"

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
struct Same {
  T value;
  uint64_t count;
  HWY_INLINE T At(uint64_t) const { return value; }
  HWY_INLINE bool CanLoad(int64_t, uint64_t) const { return true; }
  template <class D>
  HWY_INLINE hn::Vec<D> Load(D d, int64_t) const {
    return hn::Set(d, value);
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

// Writes runs that follow one another in memory by non-temporal stores. A vector that several
// runs share is put together in a
// register: in memory it would have to wait for the stores before it, which is as
// long as they take to the memory.
template <typename T>
class StreamedRuns {
 public:
  HWY_INLINE explicit StreamedRuns(const StreamState& state)
      : to_(reinterpret_cast<T*>(state.to)),
        fill_(state.fill / sizeof(T)),
        skipped_(state.skipped / sizeof(T)),
        partial_(state.begins ? hn::Zero(kTag)
                              : hn::Load(kTag, reinterpret_cast<const T*>(state.partial))) {
    if (state.begins) {
      fill_ = skipped_ = reinterpret_cast<uintptr_t>(to_) / sizeof(T) % hn::Lanes(kTag);
      to_ -= fill_;
    }
  }
  HWY_INLINE void Save(StreamState& state) const {
    state.begins = false;
    state.to = reinterpret_cast<std::byte*>(to_);
    state.fill = fill_ * sizeof(T);
    state.skipped = skipped_ * sizeof(T);
    hn::Store(partial_, kTag, reinterpret_cast<T*>(state.partial));
  }

  template <class Run>
  HWY_INLINE void Append(const Run& run) {
    const size_t N = hn::Lanes(kTag);
    auto i = -static_cast<int64_t>(fill_);
    const auto count = static_cast<int64_t>(run.count);
    if (fill_ != 0) {
      partial_ = hn::IfThenElse(hn::FirstN(kTag, fill_), partial_, LoadAny(run, i));
      if (i + static_cast<int64_t>(N) > count) {
        fill_ += run.count;
        return;
      }
      StoreFirst();
      i += static_cast<int64_t>(N);
    }
    for (; i + static_cast<int64_t>(N) <= count; i += static_cast<int64_t>(N), to_ += N) {
      hn::Stream(run.Load(kTag, i), kTag, to_);
    }
    fill_ = static_cast<uint64_t>(count - i);
    if (fill_ != 0) partial_ = LoadAny(run, i);
  }

  HWY_INLINE void Finish() { StorePart(fill_); }

 private:
  static constexpr hn::ScalableTag<T> kTag = {};

  // Lanes outside of the run are rubbish.
  template <class Run>
  HWY_INLINE hn::Vec<hn::ScalableTag<T>> LoadAny(const Run& run, int64_t i) const {
    const size_t N = hn::Lanes(kTag);
    if (run.CanLoad(i, N)) return run.Load(kTag, i);
#if ANYDML_LOADS_PARTS
    if constexpr (requires { run.LoadPart(kTag, i); }) return run.LoadPart(kTag, i);
#endif
    HWY_ALIGN T lanes[HWY_MAX_BYTES / sizeof(T)] = {};
    for (size_t k = 0; k < N; ++k) {
      const int64_t at = i + static_cast<int64_t>(k);
      if (at >= 0 && at < static_cast<int64_t>(run.count)) {
        lanes[k] = run.At(static_cast<uint64_t>(at));
      }
    }
    return hn::Load(kTag, lanes);
  }

  // The first vector may begin inside of what belongs to someone else.
  HWY_INLINE void StoreFirst() {
    if (skipped_ != 0) {
      StorePart(hn::Lanes(kTag));
    } else {
      hn::Stream(partial_, kTag, to_);
    }
    to_ += hn::Lanes(kTag);
    skipped_ = 0;
  }

  // In a few stores of fixed sizes: a call of memcpy takes as long as the rest of a
  // short row, and a masked store between streamed ones even longer. A part is less than
  // a vector, so the sizes are too: what is larger has no code, and a compiler that does
  // not know how much is there sees no store from behind the lanes.
  HWY_INLINE void StorePart(uint64_t end) {
    HWY_ALIGN T lanes[HWY_MAX_BYTES / sizeof(T)];
    hn::Store(partial_, kTag, lanes);
    const uint64_t bytes = (end - skipped_) * sizeof(T);
    auto* to = reinterpret_cast<char*>(to_ + skipped_);
    const auto* from = reinterpret_cast<const char*>(lanes + skipped_);
    if constexpr (HWY_MAX_BYTES > 64) {
      for (uint64_t i = 64; i <= bytes; i += 64) StoreBytes<64>(to, from);
    }
    StoreIfIn<32>(bytes, to, from);
    StoreIfIn<16>(bytes, to, from);
    StoreIfIn<8>(bytes, to, from);
    StoreIfIn<4>(bytes, to, from);
    StoreIfIn<2>(bytes, to, from);
    StoreIfIn<1>(bytes, to, from);
  }

  template <size_t kBytes>
  static HWY_INLINE void StoreIfIn(uint64_t bytes, char*& to, const char*& from) {
    if constexpr (kBytes >= sizeof(T) && kBytes < HWY_MAX_BYTES) {
      if ((bytes & kBytes) != 0) StoreBytes<kBytes>(to, from);
    }
  }

  template <size_t kBytes>
  static HWY_INLINE void StoreBytes(char*& to, const char*& from) {
    std::memcpy(to, from, kBytes);
    to += kBytes;
    from += kBytes;
  }

  T* to_;             // where the vector that is being put together goes
  uint64_t fill_;     // lanes of it that are there
  uint64_t skipped_;  // not 0 in the first vector: where the runs begin
  hn::Vec<hn::ScalableTag<T>> partial_;
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
