// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Row kernels of vectors: the table, once per instruction set. A formula is called with
// a tag and one vector per input; FLOAT16 that is selected or moved is a vector of its
// bits, int16_t.
#include "kernels/elementwise/cpu/row_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/cpu/rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/elementwise/cpu/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::elementwise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using cpu::HWY_NAMESPACE::HalfKeys;
using cpu::HWY_NAMESPACE::IsIn;

template <typename T>
struct Identity {
  template <class D, class V>
  HWY_INLINE V operator()(D, V x) const {
    return x;
  }
};

template <typename T>
struct Relu {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    if constexpr (std::is_same_v<T, Float16>) {
      // As int16_t, the halves from -0.0 (0x8000) to -infinity (0xFC00) are the
      // least; the negative NaN follow, and then all that is positive.
      return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -0x3FF)), x);
    } else if constexpr (std::is_same_v<T, float>) {
      return hn::IfThenZeroElse(hn::Le(x, hn::Zero(d)), x);
    } else {
      return hn::Max(x, hn::Zero(d));
    }
  }
};

template <typename T>
struct ReluGrad {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x, V dy) const {
    if constexpr (std::is_same_v<T, Float16>) {
      const auto positive = hn::And(hn::Gt(x, hn::Zero(d)), hn::Lt(x, hn::Set(d, 0x7C01)));
      return hn::IfThenElseZero(positive, dy);
    } else {
      return hn::IfThenElseZero(hn::Gt(x, hn::Zero(d)), dy);
    }
  }
};

template <typename T>
struct Clip {
  T min;
  T max;
  explicit Clip(const Attributes& a) : min(a.As<T>(0)), max(a.As<T>(1)) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V least = hn::Set(d, min);
    const V most = hn::Set(d, max);
    const V at_most_max = hn::IfThenElse(hn::Gt(x, most), most, x);
    return hn::IfThenElse(hn::Lt(at_most_max, least), least, at_most_max);
  }
};

// Halves are compared by their keys, which stay the same for both bounds: what
// lies above Max becomes Max, or Min where that is greater still.
template <>
struct Clip<Float16> {
  HalfKeyRange below;
  HalfKeyRange above;
  int16_t min;
  int16_t clipped_max;
  explicit Clip(const Attributes& a) {
    const auto least = a.As<Float16>(0);
    const auto most = a.As<Float16>(1);
    below = HalfKeysLess(least);
    above = HalfKeysGreater(most);
    min = static_cast<int16_t>(least.bits);
    clipped_max = static_cast<int16_t>((most < least ? least : most).bits);
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V keys = HalfKeys(d, x);
    const V at_most_max = hn::IfThenElse(IsIn(d, keys, above), hn::Set(d, clipped_max), x);
    return hn::IfThenElse(IsIn(d, keys, below), hn::Set(d, min), at_most_max);
  }
};

template <typename T>
struct ClipGrad {
  T min;
  T max;
  explicit ClipGrad(const Attributes& a) : min(a.As<T>(0)), max(a.As<T>(1)) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x, V dy) const {
    const V least = hn::Set(d, min);
    const V most = hn::Set(d, max);
    if constexpr (std::is_same_v<T, float>) {
      return hn::IfThenZeroElse(hn::Or(hn::Le(x, least), hn::Ge(x, most)), dy);
    } else {  // without NaN the two forms are one, and Highway has no Le for integers
      return hn::IfThenElseZero(hn::And(hn::Gt(x, least), hn::Lt(x, most)), dy);
    }
  }
};

template <>
struct ClipGrad<Float16> {
  HalfKeyRange at_min_or_below;
  HalfKeyRange at_max_or_above;
  explicit ClipGrad(const Attributes& a)
      : at_min_or_below(HalfKeysLessOrEqual(a.As<Float16>(0))),
        at_max_or_above(HalfKeysGreaterOrEqual(a.As<Float16>(1))) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x, V dy) const {
    const V keys = HalfKeys(d, x);
    return hn::IfThenZeroElse(
        hn::Or(IsIn(d, keys, at_min_or_below), IsIn(d, keys, at_max_or_above)), dy);
  }
};

struct ScaleBias {
  float scale;
  float bias;
  explicit ScaleBias(const Attributes& a) : scale(a.As<float>(0)), bias(a.As<float>(1)) {}

  // No MulAdd: the product is rounded first (B26).
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Add(hn::Mul(x, hn::Set(d, scale)), hn::Set(d, bias));
  }
};

constexpr RowTable kRows = [] {
  RowTable rows = {};
  const auto row = [&](Formula formula) -> auto& { return rows[static_cast<size_t>(formula)]; };
  row(Formula::kIdentity) = Moves<1, Identity>(EveryType());
  row(Formula::kRelu) = Selects<1, Relu>(FloatsAndSigned());
  row(Formula::kReluGrad) = Selects<2, ReluGrad>(FloatsAndSigned());
  row(Formula::kClip) = Selects<1, Clip>(FloatsAndIntegers());
  row(Formula::kClipGrad) = Selects<2, ClipGrad>(FloatsAndIntegers());
  row(Formula::kScaleBias) = Calculates<1, ScaleBias>(Floats());
  return rows;
}();
static_assert(!HasGaps(kRows, Formula::kIdentity, Formula::kClipGrad) &&
                  !HasGaps(kRows, Formula::kScaleBias, Formula::kScaleBias),
              "a formula has no row kernels");

const RowTable& VectorRows() { return kRows; }

}  // namespace HWY_NAMESPACE
}  // namespace anydml::elementwise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::elementwise {

HWY_EXPORT(VectorRows);

const RowEntry& FindRow(Formula formula, TypeKey types) {
  for (const RowTable* table : {&HWY_DYNAMIC_DISPATCH(VectorRows)(), &ArithmeticRows(),
                                &ActivationRows(), &FunctionRows()}) {
    if (const RowEntry* entry = Find(*table, formula, types)) return *entry;
  }
  return FindScalarRow(formula, types);
}

}  // namespace anydml::elementwise
#endif  // HWY_ONCE
