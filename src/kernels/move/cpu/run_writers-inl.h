// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Write runs (runs-inl.h) that follow one another in memory, through the caches or
// past them. Included once per instruction set. Made for kernels that write a
// range in ascending order: a run may write rubbish behind its end, as far as
// `room` elements from its start, because the kernel writes those later. That
// makes a short run one store.

#if defined(ANYDML_KERNELS_MOVE_CPU_RUN_WRITERS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_MOVE_CPU_RUN_WRITERS_INL_H_
#undef ANYDML_KERNELS_MOVE_CPU_RUN_WRITERS_INL_H_
#else
#define ANYDML_KERNELS_MOVE_CPU_RUN_WRITERS_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

#include "kernels/move/cpu/runs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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
  hn::Vec<hn::ScalableTag<T>> partial_ = hn::Zero(kTag);
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
