// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Row kernels of arithmetic, comparison, choice and conversion, once per instruction set.
#include "kernels/elementwise/cpu/row_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/cpu/arithmetic_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/elementwise/cpu/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anydml::elementwise {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
struct Add {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Add(a, b);
  }
};

template <typename T>
struct Subtract {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Sub(a, b);
  }
};

template <typename T>
struct Multiply {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Mul(a, b);
  }
};

struct Divide {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Div(a, b);
  }
};

template <typename T>
struct Max {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    if constexpr (std::is_integral_v<T>) {
      return hn::Max(a, b);
    } else {  // equal numbers have equal bits but for zeros; b where one is NaN
      const V greater = hn::IfThenElse(hn::Gt(a, b), a, b);
      const V number = hn::IfThenElse(hn::Eq(a, b), hn::And(a, b), greater);
      return hn::IfThenElse(hn::Eq(a, a), number, a);
    }
  }
};

template <typename T>
struct Min {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    if constexpr (std::is_integral_v<T>) {
      return hn::Min(a, b);
    } else {
      const V less = hn::IfThenElse(hn::Lt(a, b), a, b);
      const V number = hn::IfThenElse(hn::Eq(a, b), hn::Or(a, b), less);
      return hn::IfThenElse(hn::Eq(a, a), number, a);
    }
  }
};

// Halves are their bits.
template <typename T>
struct Negate {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    if constexpr (std::is_same_v<T, Float16>) {
      return hn::Xor(x, hn::Set(d, std::numeric_limits<int16_t>::min()));
    } else {
      return hn::Neg(x);
    }
  }
};

template <typename T>
struct Abs {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    if constexpr (std::is_same_v<T, Float16>) {
      return hn::And(x, hn::Set(d, int16_t{0x7FFF}));
    } else {
      return hn::Abs(x);
    }
  }
};

struct Recip {
  Scaled g;
  explicit Recip(const Attributes& a) : g(a) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Div(hn::Set(d, 1.0f), g(d, x));
  }
};

struct Sqrt {
  Scaled g;
  explicit Sqrt(const Attributes& a) : g(a) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Sqrt(g(d, x));
  }
};

template <typename T>
struct Mean {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    if constexpr (std::is_same_v<T, float>) {
      return hn::Mul(hn::Add(a, b), hn::Set(d, 0.5f));
    } else {  // bits that both have, and half of the others; then toward zero
      const V others = hn::Xor(a, b);
      const V mean = hn::Add(hn::And(a, b), hn::ShiftRight<1>(others));
      if constexpr (!std::is_signed_v<T>) return mean;
      const V odd = hn::And(others, hn::Set(d, T{1}));
      return hn::Add(mean, hn::IfThenElseZero(hn::Lt(mean, hn::Zero(d)), odd));
    }
  }
};

template <typename T>
struct DifferenceSquare {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    const V difference = hn::Sub(a, b);
    return hn::Mul(difference, difference);
  }
};

template <typename T>
struct Sign {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V one = hn::Set(d, T{1}), zero = hn::Zero(d);
    if constexpr (std::is_same_v<T, float>) {
      const V negative = hn::IfThenElseZero(hn::Lt(x, zero), hn::Set(d, -1.0f));
      return hn::IfThenElse(hn::Gt(x, zero), one, negative);
    } else {
      const V least = hn::Min(x, one);
      if constexpr (!std::is_signed_v<T>) return least;
      return hn::Max(least, hn::Sub(zero, one));
    }
  }
};

struct Ceil {
  Scaled g;
  explicit Ceil(const Attributes& a) : g(a) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Ceil(g(d, x));
  }
};

struct Floor {
  Scaled g;
  explicit Floor(const Attributes& a) : g(a) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Floor(g(d, x));
  }
};

struct Round {
  uint32_t mode;
  explicit Round(const Attributes& a) : mode(a.As<uint32_t>(0)) {}

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    if (mode == kHalvesToEven) return hn::Round(x);
    const V whole = hn::Trunc(x);
    if (mode == kTowardZero) return whole;
    const auto up = hn::Ge(hn::Abs(hn::Sub(x, whole)), hn::Set(d, 0.5f));  // false of infinity
    return hn::IfThenElse(up, hn::Add(whole, hn::CopySign(hn::Set(d, 1.0f), x)), whole);
  }
};

// 1 where a number is true.
template <class D, class V>
HWY_INLINE V Truth(D d, V x) {
  return hn::Min(x, hn::Set(d, hn::TFromD<D>{1}));
}
template <typename T>
struct LogicalAnd {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return hn::And(Truth(d, a), Truth(d, b));
  }
};
template <typename T>
struct LogicalOr {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return Truth(d, hn::Or(a, b));
  }
};
template <typename T>
struct LogicalXor {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return hn::Xor(Truth(d, a), Truth(d, b));
  }
};
template <typename T>
struct LogicalNot {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Xor(Truth(d, x), hn::Set(d, T{1}));
  }
};

template <typename T>
struct BitAnd {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::And(a, b);
  }
};
template <typename T>
struct BitOr {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Or(a, b);
  }
};
template <typename T>
struct BitXor {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Xor(a, b);
  }
};
template <typename T>
struct BitNot {
  template <class D, class V>
  HWY_INLINE V operator()(D, V x) const {
    return hn::Not(x);
  }
};

// Between FLOAT32 and FLOAT16; the others are scalar code.
void WidenRows(const Attributes&, const RowBlock& block) {
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d);
  const hn::CappedTag<float, 1> d1;
  for (int64_t r = 0; r < static_cast<int64_t>(block.rows); ++r) {
    const auto* const from = reinterpret_cast<const Float16*>(block.inputs[0] + r * block.steps[0]);
    auto* const to = reinterpret_cast<float*>(block.output + r * block.steps[kOutput]);
    uint64_t i = 0;
    for (; i + N <= block.count; i += N)
      hn::StoreU(cpu::HWY_NAMESPACE::LoadFloats(d, from + i), d, to + i);
    for (; i < block.count; ++i)
      hn::StoreU(cpu::HWY_NAMESPACE::LoadFloats(d1, from + i), d1, to + i);
  }
}
void NarrowRows(const Attributes&, const RowBlock& block) {
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d);
  const hn::CappedTag<float, 1> d1;
  for (int64_t r = 0; r < static_cast<int64_t>(block.rows); ++r) {
    const auto* const from = reinterpret_cast<const float*>(block.inputs[0] + r * block.steps[0]);
    auto* const to = reinterpret_cast<Float16*>(block.output + r * block.steps[kOutput]);
    uint64_t i = 0;
    for (; i + N <= block.count; i += N)
      cpu::HWY_NAMESPACE::StoreFloats(d, hn::LoadU(d, from + i), to + i);
    for (; i < block.count; ++i)
      cpu::HWY_NAMESPACE::StoreFloats(d1, hn::LoadU(d1, from + i), to + i);
  }
}
constexpr RowEntry kCasts[] = {{.types = KeyOf<Float16, float>(), .run = WidenRows},
                               {.types = KeyOf<float, Float16>(), .run = NarrowRows}};

// Highway multiplies integers of 16 and 32 bits; compilers do the others.
using FloatsAndMultiplied = TypeList<float, Float16, int32_t, int16_t, uint32_t, uint16_t>;

constexpr RowTable kRows = [] {
  RowTable rows = {};
  const auto row = [&](Formula formula) -> auto& { return rows[static_cast<size_t>(formula)]; };
  row(Formula::kAdd) = Arithmetic<2, Add>(FloatsAndIntegers());
  row(Formula::kSubtract) = Arithmetic<2, Subtract>(FloatsAndIntegers());
  row(Formula::kMultiply) = Arithmetic<2, Multiply>(FloatsAndMultiplied());
  row(Formula::kDivide) = Calculates<2, Divide>(Floats());
  row(Formula::kMax) = Arithmetic<2, Max>(FloatsAndIntegers());
  row(Formula::kMin) = Arithmetic<2, Min>(FloatsAndIntegers());
  row(Formula::kNegate) = Selects<1, Negate>(FloatsAndAllSigned());
  row(Formula::kAbs) = Selects<1, Abs>(FloatsAndAllSigned());
  row(Formula::kRecip) = Calculates<1, Recip>(Floats());
  row(Formula::kSqrt) = Calculates<1, Sqrt>(Floats());
  row(Formula::kEquals) = Compares<Equals>(FloatsAndIntegers());
  row(Formula::kGreater) = Compares<Greater>(FloatsAndIntegers());
  row(Formula::kLess) = Compares<Less>(FloatsAndIntegers());
  row(Formula::kGreaterOrEqual) = Compares<GreaterOrEqual>(FloatsAndIntegers());
  row(Formula::kLessOrEqual) = Compares<LessOrEqual>(FloatsAndIntegers());
  row(Formula::kIf) = Chooses(EveryType());
  row(Formula::kCast) = kCasts;
  row(Formula::kMean) = Arithmetic<2, Mean>(FloatsAndWide());
  row(Formula::kDifferenceSquare) = Arithmetic<2, DifferenceSquare>(FloatsAndWide());
  row(Formula::kSign) = Arithmetic<1, Sign>(FloatsAndIntegers());
  row(Formula::kCeil) = Calculates<1, Ceil>(Floats());
  row(Formula::kFloor) = Calculates<1, Floor>(Floats());
  row(Formula::kRound) = Calculates<1, Round>(Floats());
  row(Formula::kLogicalAnd) = Moves<2, LogicalAnd>(Truths());
  row(Formula::kLogicalOr) = Moves<2, LogicalOr>(Truths());
  row(Formula::kLogicalXor) = Moves<2, LogicalXor>(Truths());
  row(Formula::kLogicalNot) = Moves<1, LogicalNot>(Truths());
  row(Formula::kBitAnd) = Moves<2, BitAnd>(EveryType());
  row(Formula::kBitOr) = Moves<2, BitOr>(EveryType());
  row(Formula::kBitXor) = Moves<2, BitXor>(EveryType());
  row(Formula::kBitNot) = Moves<1, BitNot>(EveryType());
  row(Formula::kBitCount) = Typed<BitCount>(TestsOf(EveryType()));
  row(Formula::kBitShiftLeft) = Plain<2, BitShiftLeft>(AllUnsigned());
  row(Formula::kBitShiftRight) = Plain<2, BitShiftRight>(AllUnsigned());
  row(Formula::kIsNan) = Typed<IsNan>(TestsOf(Floats()));
  row(Formula::kIsInfinity) = Typed<IsInfinity>(TestsOf(Floats()));
  row(Formula::kQuantize) = Typed<Quantize>(QuantizesTo(Quantized()));
  row(Formula::kDequantize) = Typed<Dequantize>(DequantizesFrom(Dequantized()));
  return rows;
}();
static_assert(!HasGaps(kRows, Formula::kAdd, Formula::kDequantize), "a formula has no row kernels");

}  // namespace

const RowTable& ArithmeticRowsOfTarget() { return kRows; }

}  // namespace HWY_NAMESPACE
}  // namespace anydml::elementwise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::elementwise {

HWY_EXPORT(ArithmeticRowsOfTarget);

const RowTable& ArithmeticRows() { return HWY_DYNAMIC_DISPATCH(ArithmeticRowsOfTarget)(); }

}  // namespace anydml::elementwise
#endif  // HWY_ONCE
