// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Runs of elements that are only moved: copied, turned around or spread.
// Included once per instruction set; elements of any type are unsigned integers
// of their width. Made for kernels that write a range in ascending order: a run
// may write rubbish behind its end, as far as `room` elements from its start,
// because the kernel writes those later. That makes a short run one store.

#if defined(ANYDML_BACKENDS_CPU_RUNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_BACKENDS_CPU_RUNS_INL_H_
#undef ANYDML_BACKENDS_CPU_RUNS_INL_H_
#else
#define ANYDML_BACKENDS_CPU_RUNS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "backends/cpu/streaming-inl.h"

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

HWY_INLINE bool IsInside(int64_t i, uint64_t lanes, uint64_t count) {
  return i >= 0 && static_cast<uint64_t>(i) + lanes <= count;
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
};

// Element i lies i elements below the first one.
template <typename T>
struct Backwards {
  const T* first;
  uint64_t count;
  Readable<T> readable;
  HWY_INLINE T At(uint64_t i) const { return *(first - i); }
  HWY_INLINE bool CanLoad(int64_t i, uint64_t lanes) const {
    return IsInside(i, lanes, count) || readable.Holds(Lowest(i, lanes), lanes);
  }
  template <class D>
  HWY_INLINE hn::Vec<D> Load(D d, int64_t i) const {
    const T* const lowest = Lowest(i, hn::Lanes(d));
    // The processor's own prefetching is made for ascending addresses.
    hwy::Prefetch(reinterpret_cast<const char*>(lowest) - 1024);
    return hn::Reverse(d, hn::LoadU(d, lowest));
  }

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
    const hn::Repartition<hwy::MakeWide<T>, D> d_wide;
    const hn::Rebind<T, decltype(d_wide)> d_half;
    const auto wide = hn::PromoteTo(d_wide, values.Load(d_half, FirstValue(i)));
    return hn::BitCast(d, i % 2 == 0 ? wide : hn::ShiftLeft<8 * sizeof(T)>(wide));
  }

 private:
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

// A run that is shorter than a vector, in one store of at least kBytes.
template <size_t kBytes, typename T, class Run>
HWY_INLINE void CopyShortRun(T* to, const Run& run, uint64_t room) {
  const hn::CappedTag<T, kBytes / sizeof(T)> d;
  const size_t N = hn::Lanes(d);
  if (run.count <= N && N <= room && run.CanLoad(0, N)) {
    hn::StoreU(run.Load(d, 0), d, to);
  } else {
    for (uint64_t i = 0; i < run.count; ++i) to[i] = run.At(i);
  }
}

// The stores in the middle are aligned; the first and the last vector overlap
// their neighbours instead of leaving single elements.
template <typename T, class Run>
HWY_INLINE void CopyRun(T* to, const Run& run, uint64_t room) {
  const hn::ScalableTag<T> d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const auto count = static_cast<int64_t>(run.count);
  if (count >= N) {
    hn::StoreU(run.Load(d, 0), d, to);
    int64_t i = N - static_cast<int64_t>(reinterpret_cast<uintptr_t>(to) / sizeof(T) % N);
    for (; i + N <= count; i += N) hn::Store(run.Load(d, i), d, to + i);
    hn::StoreU(run.Load(d, count - N), d, to + count - N);
  } else if (run.count * sizeof(T) <= 16) {
    CopyShortRun<16>(to, run, room);
  } else if (run.count * sizeof(T) <= 32) {
    CopyShortRun<32>(to, run, room);
  } else {
    CopyShortRun<64>(to, run, room);
  }
}

// Where runs go that follow one another in memory, up to `end`.
template <typename T>
class PlainRuns {
 public:
  PlainRuns(T* to, T* end) : to_(to), end_(end) {}

  template <class Run>
  HWY_INLINE void Append(const Run& run) {
    CopyRun(to_, run, static_cast<uint64_t>(end_ - to_));
    to_ += run.count;
  }
  HWY_INLINE void Append(const Scattered<T>& run) {
    if (run.step != 1) std::memset(to_, 0, run.count * sizeof(T));
    const T* from = run.first;
    for (uint64_t i = 0; i < run.count; i += run.step, from += run.stride) to_[i] = *from;
    to_ += run.count;
  }
  HWY_INLINE void Append(const Zeros<T>& zeros) {
    constexpr uint64_t kLongRunBytes = 2048;  // where the start of memset no longer counts
    if (zeros.count * sizeof(T) >= kLongRunBytes) {
      std::memset(to_, 0, zeros.count * sizeof(T));
    } else {
      CopyRun(to_, zeros, static_cast<uint64_t>(end_ - to_));
    }
    to_ += zeros.count;
  }
  HWY_INLINE void Finish() {}

 private:
  T* to_;
  T* end_;
};

// The same past the caches. A vector that several runs share is put together in a
// register: in memory it would have to wait for the stores before it, which is as
// long as they take to the memory.
template <typename T>
class StreamedRuns {
 public:
  StreamedRuns(T* to, T*)
      : to_(to), fill_(reinterpret_cast<uintptr_t>(to) / sizeof(T) % hn::Lanes(kTag)) {
    to_ -= fill_;
    skipped_ = fill_;
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

  HWY_INLINE void StorePart(uint64_t end) {
    HWY_ALIGN T lanes[HWY_MAX_BYTES / sizeof(T)];
    hn::Store(partial_, kTag, lanes);
    std::memcpy(to_ + skipped_, lanes + skipped_, (end - skipped_) * sizeof(T));
  }

  T* to_;             // where the vector that is being put together goes
  uint64_t fill_;     // lanes of it that are there
  uint64_t skipped_;  // not 0 in the first vector: where the runs begin
  hn::Vec<hn::ScalableTag<T>> partial_ = hn::Zero(kTag);
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
