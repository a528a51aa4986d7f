// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the windows of the strategy shared_columns compare, a vector of them at a time:
// keys from buffers, or FLOAT32 elements where they lie, by loads of single lanes, so
// that nothing is read but what a window sees. Included once per instruction set.

#if defined(ANYDML_MAX_POOLING_GRAD_COLUMN_STRIPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_MAX_POOLING_GRAD_COLUMN_STRIPS_INL_H_
#undef ANYDML_MAX_POOLING_GRAD_COLUMN_STRIPS_INL_H_
#else
#define ANYDML_MAX_POOLING_GRAD_COLUMN_STRIPS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "operators/max_pooling_grad/plain_keys-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::max_pooling_grad {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The windows at lanes i and following see tap k of an input row as one vector: of
// keys by the rule, from a buffer.
template <int kSize>
class KeyStrip {
 public:
  using D = Ints;
  using Key = hn::Vec<Ints>;
  using Element = int32_t;

  HWY_INLINE KeyStrip(const cpu::WindowTile& tile, IndexRange, int64_t i) {
    for (size_t k = 0; k < kSize; ++k) at_[k] = tile.taps[k].key_offset + i;
  }
  static HWY_INLINE bool Sees(const int32_t*) { return true; }
  static HWY_INLINE Key Padding() { return RuleKeys::Padding(); }
  HWY_INLINE Key Load(const int32_t* row, int k) { return hn::LoadU(Ints(), row + at_[k]); }
  static HWY_INLINE bool AreRight() { return true; }

 private:
  int64_t at_[kSize];
};

// Whether lanes that a load leaves out are not touched: AMD does not promise it of
// AVX2 (HWY_MEM_OPS_MIGHT_FAULT).
constexpr bool kLoadsLanes = HWY_TARGET <= HWY_AVX3;

// The same of rows of the tensor: the elements as they are, and minus infinity for
// padding. Wrong where one is a NaN or minus infinity. Both times zero are a NaN, and so
// is plus infinity, for which keys are taken as well.
template <int kSize>
class PlainStrip {
 public:
  using D = Floats;
  using Key = Vector;
  using Element = float;

  HWY_INLINE PlainStrip(const cpu::WindowTile& tile, IndexRange inside, int64_t i)
      : check_(hn::Zero(Floats())),
        first_(std::max(i, inside.begin) < tile.taps[kSize - 1].key_offset) {
    for (size_t k = 0; k < kSize; ++k) {
      at_[k] = tile.taps[k].key_offset + i;
      inside_[k] = hn::AndNot(FirstLanes(inside.begin - at_[k]), FirstLanes(inside.end - at_[k]));
    }
  }
  static HWY_INLINE bool Sees(const float* row) { return row != nullptr; }
  static HWY_INLINE Key Padding() { return PlainKeys<1>::Padding(); }
  // The last taps of all strips are all columns but those that lie before the first
  // strip's: these are first taps.
  HWY_INLINE Key Load(const float* row, int k) {
    const Key key = LoadInside(inside_[k], Elsewhere(row, at_[k]));
    if (k == kSize - 1 || (k == 0 && first_)) {
      check_ = hn::IfThenElse(inside_[k], hn::MulAdd(key, hn::Zero(Floats()), check_), check_);
    }
    return key;
  }
  HWY_INLINE bool AreRight() const {
    return hn::AllTrue(Floats(), hn::Eq(check_, hn::Zero(Floats())));
  }

 private:
  static HWY_INLINE hn::Mask<Floats> FirstLanes(int64_t count) {
    return hn::FirstN(Floats(), static_cast<size_t>(std::clamp<int64_t>(count, 0, Lanes())));
  }
  static HWY_INLINE Key LoadInside(hn::Mask<Floats> inside, const float* from) {
    return hn::IfThenElse(inside, hn::MaskedLoad(inside, Floats(), from), Padding());
  }

  Key check_;
  const bool first_;
  int64_t at_[kSize];
  hn::Mask<Floats> inside_[kSize];
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::max_pooling_grad
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
