// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// What the windows of the strategy shared_columns compare, a vector of them at a time:
// keys from buffers, or elements where they lie, by loads of single lanes, so that
// nothing is read but what a window sees. Included once per instruction set.

#if defined(ANYDML_MAX_POOLING_GRAD_COLUMN_STRIPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ANYDML_MAX_POOLING_GRAD_COLUMN_STRIPS_INL_H_
#undef ANYDML_MAX_POOLING_GRAD_COLUMN_STRIPS_INL_H_
#else
#define ANYDML_MAX_POOLING_GRAD_COLUMN_STRIPS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>

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
  HWY_INLINE void Load(const int32_t* row, Key (&keys)[kSize]) {
    HWY_UNROLL(8)
    for (int k = 0; k < kSize; ++k) keys[k] = hn::LoadU(Ints(), row + at_[k]);
  }
  static HWY_INLINE bool AreRight() { return true; }

 private:
  int64_t at_[kSize];
};

// Whether lanes that a load leaves out are not touched: AMD does not promise it of
// AVX2 (HWY_MEM_OPS_MIGHT_FAULT).
constexpr bool kLoadsLanes = HWY_TARGET <= HWY_AVX3;

// What rows of the tensor have in common: the elements as they are, and minus infinity
// for padding. Wrong where one is a NaN or minus infinity: times zero, either gives a NaN.
// So does plus infinity, for which keys are taken as well.
template <typename T>
class PlainElements {
 public:
  using D = Floats;
  using Key = Vector;
  using Element = T;

  static HWY_INLINE bool Sees(const T* row) { return row != nullptr; }
  static HWY_INLINE Key Padding() { return PlainKeys<1>::Padding(); }
  HWY_INLINE bool AreRight() const {
    return hn::AllTrue(Floats(), hn::Eq(check_, hn::Zero(Floats())));
  }

 protected:
  HWY_INLINE PlainElements() : check_(hn::Zero(Floats())) {}
  static HWY_INLINE hn::Mask<Floats> FirstLanes(int64_t count) {
    return hn::FirstN(Floats(), static_cast<size_t>(std::clamp<int64_t>(count, 0, Lanes())));
  }
  // Of the lanes from `at` on, those inside.
  static HWY_INLINE hn::Mask<Floats> LanesInside(IndexRange inside, int64_t at) {
    return hn::AndNot(FirstLanes(inside.begin - at), FirstLanes(inside.end - at));
  }
  static HWY_INLINE Key LoadInside(hn::Mask<Floats> inside, const float* from) {
    return hn::IfThenElse(inside, hn::MaskedLoad(inside, Floats(), from), Padding());
  }
  static HWY_INLINE Key LoadInside(hn::Mask<Floats> inside, const Float16* from) {
#if HWY_TARGET <= HWY_AVX3
    const __m256i halves = _mm256_maskz_loadu_epi16(inside.raw, from);
    return Key{_mm512_mask_cvtph_ps(Padding().raw, inside.raw, halves)};
#else
    (void)inside, (void)from;  // kLoadsLanes is false: never called
    return Padding();
#endif
  }
  HWY_INLINE void Check(hn::Mask<Floats> inside, Key key) {
    check_ = hn::IfThenElse(inside, hn::MulAdd(key, hn::Zero(Floats()), check_), check_);
  }

 private:
  Key check_;
};

// At stride 1.
template <typename T, int kSize>
class PlainStrip : public PlainElements<T> {
  using Base = PlainElements<T>;

 public:
  using typename Base::Key;
  HWY_INLINE PlainStrip(const cpu::WindowTile& tile, IndexRange inside, int64_t i)
      : first_(std::max(i, inside.begin) < tile.taps[kSize - 1].key_offset) {
    for (size_t k = 0; k < kSize; ++k) {
      at_[k] = tile.taps[k].key_offset + i;
      inside_[k] = Base::LanesInside(inside, at_[k]);
    }
  }
  // The last taps of all strips are all columns but those that lie before the first
  // strip's: these are first taps.
  HWY_INLINE void Load(const T* row, Key (&keys)[kSize]) {
    HWY_UNROLL(8)
    for (int k = 0; k < kSize; ++k) {
      keys[k] = Base::LoadInside(inside_[k], Elsewhere(row, at_[k]));
      if (k == kSize - 1 || (k == 0 && first_)) Base::Check(inside_[k], keys[k]);
    }
  }

 private:
  const bool first_;
  int64_t at_[kSize];
  hn::Mask<Floats> inside_[kSize];
};

// Windows of three columns at stride 2. Columns are counted from the first that the tile's
// keys have; two taps are the even and the odd ones of two vectors, the third is one of
// them and a column beside these. kOdd: the first tap is the odd column.
template <typename T, bool kOdd>
class PlainPairStrip : public PlainElements<T> {
  using Base = PlainElements<T>;

 public:
  using typename Base::Key;
  HWY_INLINE PlainPairStrip(const cpu::WindowTile&, IndexRange inside, int64_t i)
      : at_(2 * i + (kOdd ? 2 : 0)), beside_(kOdd ? at_ - Lanes() : at_ + 2 * Lanes()) {
    for (int v = 0; v < 2; ++v) inside_[v] = Base::LanesInside(inside, at_ + v * Lanes());
    const auto one = kOdd ? hn::Not(Base::FirstLanes(Lanes() - 1)) : Base::FirstLanes(1);
    inside_beside_ = hn::And(one, Base::LanesInside(inside, beside_));
  }
  HWY_INLINE void Load(const T* row, Key (&keys)[3]) {
    const Key low = Base::LoadInside(inside_[0], Elsewhere(row, at_));
    const Key high = Base::LoadInside(inside_[1], Elsewhere(row, at_ + Lanes()));
    const Key beside = Base::LoadInside(inside_beside_, Elsewhere(row, beside_));
    Base::Check(inside_[0], low);
    Base::Check(inside_[1], high);
    Base::Check(inside_beside_, beside);
#if HWY_TARGET <= HWY_AVX3
    const Key even = hn::ConcatEven(Floats(), high, low), odd = hn::ConcatOdd(Floats(), high, low);
    const auto join = [](Key upper, Key lower, auto lanes) HWY_ATTR {
      return Key{_mm512_castsi512_ps(_mm512_alignr_epi32(
          _mm512_castps_si512(upper.raw), _mm512_castps_si512(lower.raw), lanes.value))};
    };
    if constexpr (kOdd) {
      keys[0] = join(odd, beside, std::integral_constant<int, 15>());
      keys[1] = even;
      keys[2] = odd;
    } else {
      keys[0] = even;
      keys[1] = odd;
      keys[2] = join(beside, even, std::integral_constant<int, 1>());
    }
#else
    // kLoadsLanes is false: never called.
    keys[0] = keys[1] = keys[2] = beside;
#endif
  }

 private:
  const int64_t at_;
  const int64_t beside_;  // a vector of which one lane is wanted
  hn::Mask<Floats> inside_[2];
  hn::Mask<Floats> inside_beside_;
};

}  // namespace HWY_NAMESPACE
}  // namespace anydml::max_pooling_grad
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
