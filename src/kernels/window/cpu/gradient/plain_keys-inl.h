// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the strategies share that compare elements as they are until they meet a NaN or
// an infinity (shared_channels, dense_channels, shared_columns): vectors, addresses, and
// the keys by which elements are compared. Included once per instruction set.

#if defined(ANYDML_KERNELS_WINDOW_GRADIENT_PLAIN_KEYS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_KERNELS_WINDOW_GRADIENT_PLAIN_KEYS_INL_H_
#undef ANYDML_KERNELS_WINDOW_GRADIENT_PLAIN_KEYS_INL_H_
#else
#define ANYDML_KERNELS_WINDOW_GRADIENT_PLAIN_KEYS_INL_H_
#endif

#include <hwy/highway.h>

#include <limits>

#include "backends/cpu/prefetch.h"
#include "backends/cpu/unchecked_offset.h"
#include "kernels/window/cpu/window_tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::window::gradient {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace vectors = anydml::cpu::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, cpu::kMaxLanes>;
using Ints = hn::RebindToSigned<Floats>;
using Vector = hn::Vec<Floats>;

HWY_INLINE int64_t Lanes() { return static_cast<int64_t>(hn::Lanes(Floats())); }

using cpu::UncheckedOffset;

// For the line of an element that need not be one of the tensor's.
template <typename T>
HWY_INLINE void Ask(const T* base, int64_t offset) {
  cpu::PrefetchLine(base, static_cast<uintptr_t>(offset * static_cast<int64_t>(sizeof(T))));
}

// Elements as they are, and below them minus infinity for padding. Right unless
// one is a NaN or minus infinity itself: infinity times zero is a NaN. So many
// checks are under way at once.
template <int kChecks>
class PlainKeys {
 public:
  using D = Floats;
  using Key = Vector;
  HWY_INLINE PlainKeys() {
    for (Vector& check : check_) check = hn::Zero(Floats());
  }
  static HWY_INLINE Key Padding() {
    return hn::Set(Floats(), -std::numeric_limits<float>::infinity());
  }
  template <typename T>
  HWY_INLINE Key Load(const T* from, int i) {
    const Key key = vectors::LoadFloats(Floats(), from);
    check_[i % kChecks] = hn::MulAdd(key, hn::Zero(Floats()), check_[i % kChecks]);
    return key;
  }
  HWY_INLINE bool AreRight() const {
    const Floats df;
    Vector all = check_[0];
    for (int i = 1; i < kChecks; ++i) all = hn::Add(all, check_[i]);
    return hn::AllTrue(df, hn::Eq(all, hn::Zero(df)));
  }
  static HWY_INLINE hn::Mask<Floats> Equal(Key a, Key b) { return hn::Eq(a, b); }

 private:
  Vector check_[kChecks];
};

// Keys by the rule (B4, B6).
class RuleKeys {
 public:
  using D = Ints;
  using Key = hn::Vec<Ints>;
  static HWY_INLINE Key Padding() { return hn::Set(Ints(), vectors::kPaddingKey); }
  template <typename T>
  HWY_INLINE Key Load(const T* from, int) {
    return vectors::KeysOf(Ints(), vectors::LoadFloats(Floats(), from));
  }
  static HWY_INLINE bool AreRight() { return true; }
  static HWY_INLINE hn::Mask<Floats> Equal(Key a, Key b) {
    return hn::RebindMask(Floats(), hn::Eq(a, b));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::window::gradient
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
