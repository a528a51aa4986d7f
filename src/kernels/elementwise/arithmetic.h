// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Formulas of arithmetic, comparison, choice and conversion on one element.
#pragma once

#include <cmath>
#include <limits>

#include "kernels/elementwise/formula.h"

namespace anydml::elementwise {

// y = a + b.
template <typename T>
struct Add {
  constexpr T operator()(T a, T b) const {
    if constexpr (kIsFloat<T>) {
      return FromFloat<T>(AsFloat(a) + AsFloat(b));
    } else {
      return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
    }
  }
};

// y = a - b.
template <typename T>
struct Subtract {
  constexpr T operator()(T a, T b) const {
    if constexpr (kIsFloat<T>) {
      return FromFloat<T>(AsFloat(a) - AsFloat(b));
    } else {
      return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
    }
  }
};

// y = a * b.
template <typename T>
struct Multiply {
  constexpr T operator()(T a, T b) const {
    if constexpr (kIsFloat<T>) {
      return FromFloat<T>(AsFloat(a) * AsFloat(b));
    } else {
      return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
    }
  }
};

// y = a / b; integers toward zero. By 0 all bits are 1 (B115), and MIN / -1 = MIN (B114):
// never a trap.
template <typename T>
struct Divide {
  constexpr T operator()(T a, T b) const {
    if constexpr (kIsFloat<T>) {
      return FromFloat<T>(AsFloat(a) / AsFloat(b));
    } else {
      if (b == 0) return static_cast<T>(~T{0});
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(a));
      }
      return static_cast<T>(a / b);
    }
  }
};

// The greater; a NaN wins, and +0 is greater than -0 (B105). Equal numbers have equal bits
// but for zeros.
template <typename T>
struct Max {
  constexpr T operator()(T a, T b) const {
    if constexpr (kIsFloat<T>) {
      const float x = AsFloat(a), y = AsFloat(b);
      if (x != x) return a;
      if (x == y) {
        return std::bit_cast<T>(static_cast<Bits>(std::bit_cast<Bits>(a) & std::bit_cast<Bits>(b)));
      }
      return x > y ? a : b;
    } else {
      return a > b ? a : b;
    }
  }
  using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
};

template <typename T>
struct Min {
  constexpr T operator()(T a, T b) const {
    if constexpr (kIsFloat<T>) {
      const float x = AsFloat(a), y = AsFloat(b);
      if (x != x) return a;
      if (x == y) {
        return std::bit_cast<T>(static_cast<Bits>(std::bit_cast<Bits>(a) | std::bit_cast<Bits>(b)));
      }
      return x < y ? a : b;
    } else {
      return a < b ? a : b;
    }
  }
  using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
};

// y = -x: flips the sign of a float, of a NaN too (B103); integers wrap.
template <typename T>
struct Negate {
  constexpr T operator()(T x) const {
    if constexpr (std::is_same_v<T, float>) {
      return std::bit_cast<float>(std::bit_cast<uint32_t>(x) ^ 0x80000000u);
    } else if constexpr (std::is_same_v<T, Float16>) {
      return {static_cast<uint16_t>(x.bits ^ 0x8000u)};
    } else {
      return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(x));
    }
  }
};

// y = |x|: clears the sign of a float; integers wrap.
template <typename T>
struct Abs {
  constexpr T operator()(T x) const {
    if constexpr (std::is_same_v<T, float>) {
      return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0x7FFFFFFFu);
    } else if constexpr (std::is_same_v<T, Float16>) {
      return {static_cast<uint16_t>(x.bits & 0x7FFFu)};
    } else {
      return x < 0 ? Negate<T>()(x) : x;
    }
  }
};

// y = 1 / g(x).
template <typename T>
struct Recip {
  ScaledFloat g;
  explicit Recip(const Attributes& a) : g(a) {}
  constexpr T operator()(T x) const { return FromFloat<T>(1.0f / g(x)); }
};

// y = sqrt(g(x)), as IEEE 754 rounds it.
template <typename T>
struct Sqrt {
  ScaledFloat g;
  explicit Sqrt(const Attributes& a) : g(a) {}
  constexpr T operator()(T x) const { return FromFloat<T>(std::sqrt(g(x))); }
};

// ---- Comparisons: IEEE, 1 or 0 in the output's type (B118).

struct Equals {
  template <typename V>
  constexpr bool operator()(V a, V b) const {
    return a == b;
  }
};
struct Greater {
  template <typename V>
  constexpr bool operator()(V a, V b) const {
    return a > b;
  }
};
struct Less {
  template <typename V>
  constexpr bool operator()(V a, V b) const {
    return a < b;
  }
};
struct GreaterOrEqual {
  template <typename V>
  constexpr bool operator()(V a, V b) const {
    return a >= b;
  }
};
struct LessOrEqual {
  template <typename V>
  constexpr bool operator()(V a, V b) const {
    return a <= b;
  }
};

// Halves as integers in the order of their values, which compilers make vectors of.
template <typename T, typename Out, class Test>
struct Compare {
  constexpr Out operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, Float16>) {
      const int x = a.bits & 0x7FFF, y = b.bits & 0x7FFF;
      const bool ordered = (x <= 0x7C00) & (y <= 0x7C00);
      return ordered & Test()((a.bits & 0x8000) != 0 ? -x : x, (b.bits & 0x8000) != 0 ? -y : y);
    } else {
      return Test()(a, b);
    }
  }
};

// y = condition ? a : b, bit for bit (B119).
template <typename T>
struct If {
  constexpr T operator()(uint8_t condition, T a, T b) const { return condition != 0 ? a : b; }
};

// ---- CAST: a conversion by value (B120).

// The float that rounds to the same half as the double: cut off, and odd where something
// was.
constexpr float RoundToOdd(double x) {
  const auto nearest = static_cast<float>(x);
  const auto back = static_cast<double>(nearest);
  if (back == x || x != x) return nearest;
  auto bits = std::bit_cast<uint32_t>(nearest);
  if ((back < 0 ? -back : back) > (x < 0 ? -x : x)) --bits;
  return std::bit_cast<float>(bits | 1u);
}

// Float to integer toward zero, saturated, NaN 0; integer to integer the low bits; to a
// float one rounding to nearest even.
template <typename From, typename To>
struct Cast {
  constexpr To operator()(From x) const {
    if constexpr (std::is_same_v<From, To>) {
      return x;
    } else if constexpr (std::is_same_v<From, Float16>) {
      return Cast<float, To>()(ToFloat(x));
    } else if constexpr (std::is_same_v<To, Float16>) {
      if constexpr (std::is_same_v<From, float>) {
        return ToFloat16(x);
      } else if constexpr (std::is_same_v<From, double>) {
        return ToFloat16(RoundToOdd(x));
      } else {  // float holds what is not infinite as a half
        if constexpr (sizeof(From) > 2) {
          if (x > 65536) return ToFloat16(65536.0f);
          if constexpr (std::is_signed_v<From>) {
            if (x < -65536) return ToFloat16(-65536.0f);
          }
        }
        return ToFloat16(static_cast<float>(x));
      }
    } else if constexpr (std::is_integral_v<To> && !std::is_integral_v<From>) {
      return SaturateTo<To>(static_cast<double>(x));
    } else {
      return static_cast<To>(x);
    }
  }
};

// ---- Moduli, exact (B116).

// a - b * trunc(a / b), of which a has the sign. Of integers, by 0 all bits are 1 (B115).
template <typename T>
struct ModulusTruncate {
  constexpr T operator()(T a, T b) const {
    if constexpr (kIsFloat<T>) {
      return FromFloat<T>(std::fmod(AsFloat(a), AsFloat(b)));
    } else {
      if (b == 0) return static_cast<T>(~T{0});
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return 0;
      }
      return static_cast<T>(a % b);
    }
  }
};

// Python's %: b has the sign. From the remainder above, which FLOAT16 holds exactly, too.
template <typename T>
constexpr T WithSignOfDivisor(T rest, T b) {
  if constexpr (kIsFloat<T>) {
    const float value = AsFloat(rest), divisor = AsFloat(b);
    if (value == 0) return FromFloat<T>(std::copysign(value, divisor));
    return (value < 0) != (divisor < 0) ? FromFloat<T>(value + divisor) : rest;
  } else {
    if constexpr (std::is_signed_v<T>) {
      if (rest != 0 && (rest < 0) != (b < 0)) return static_cast<T>(rest + b);
    }
    return rest;
  }
}
template <typename T>
struct ModulusFloor {
  constexpr T operator()(T a, T b) const {
    return WithSignOfDivisor(ModulusTruncate<T>()(a, b), b);
  }
};

// y = (a + b) / 2. Floats may overflow; integers go toward zero (B123).
template <typename T>
struct Mean {
  constexpr T operator()(T a, T b) const {
    if constexpr (kIsFloat<T>) {
      return FromFloat<T>((AsFloat(a) + AsFloat(b)) * 0.5f);
    } else {
      return static_cast<T>((int64_t{a} + int64_t{b}) / 2);
    }
  }
};

// y = (a - b)^2, difference and product rounded.
template <typename T>
struct DifferenceSquare {
  constexpr T operator()(T a, T b) const {
    if constexpr (kIsFloat<T>) {
      const float difference = AsFloat(a) - AsFloat(b);
      return FromFloat<T>(difference * difference);
    } else {
      const T difference = Subtract<T>()(a, b);
      return Multiply<T>()(difference, difference);
    }
  }
};

// 1, -1 or 0; NaN and -0 give +0 (B106).
template <typename T>
struct Sign {
  constexpr T operator()(T x) const {
    if constexpr (kIsFloat<T>) {
      const float value = AsFloat(x);
      return FromFloat<T>(value > 0 ? 1.0f : value < 0 ? -1.0f : 0.0f);
    } else if constexpr (std::is_signed_v<T>) {
      return static_cast<T>((x > 0) - (x < 0));
    } else {
      return x != 0;
    }
  }
};

// Exact; a zero has the sign of the argument (B107).
template <typename T>
struct Ceil {
  ScaledFloat g;
  explicit Ceil(const Attributes& a) : g(a) {}
  constexpr T operator()(T x) const { return FromFloat<T>(std::ceil(g(x))); }
};
template <typename T>
struct Floor {
  ScaledFloat g;
  explicit Floor(const Attributes& a) : g(a) {}
  constexpr T operator()(T x) const { return FromFloat<T>(std::floor(g(x))); }
};

// Of DML_ROUNDING_MODE: halves to even, toward zero; "toward infinity" is halves away from it.
enum RoundingMode : uint32_t { kHalvesToEven, kTowardZero, kHalvesAwayFromZero };
template <typename T>
struct Round {
  uint32_t mode;
  explicit Round(const Attributes& a) : mode(a.As<uint32_t>(0)) {}
  constexpr T operator()(T x) const {
    const float value = AsFloat(x);
    return FromFloat<T>(mode == kHalvesToEven ? std::nearbyint(value)
                        : mode == kTowardZero ? std::trunc(value)
                                              : std::round(value));
  }
};

template <class Table>
constexpr void AddArithmetic(Table& table) {
  table.template Add<Formula::kAdd, 2, Add>(FloatsAndIntegers());
  table.template Add<Formula::kSubtract, 2, Subtract>(FloatsAndIntegers());
  table.template Add<Formula::kMultiply, 2, Multiply>(FloatsAndIntegers());
  table.template Add<Formula::kDivide, 2, Divide>(FloatsAndIntegers());
  table.template Add<Formula::kMax, 2, Max>(FloatsAndIntegers());
  table.template Add<Formula::kMin, 2, Min>(FloatsAndIntegers());
  table.template Add<Formula::kNegate, 1, Negate>(FloatsAndAllSigned());
  table.template AddScaled<Formula::kAbs, 1, Abs>(FloatsAndAllSigned());
  table.template Add<Formula::kRecip, 1, Recip>(Floats());
  table.template Add<Formula::kSqrt, 1, Sqrt>(Floats());
  table.template AddComparison<Formula::kEquals, Equals>(FloatsAndIntegers());
  table.template AddComparison<Formula::kGreater, Greater>(FloatsAndIntegers());
  table.template AddComparison<Formula::kLess, Less>(FloatsAndIntegers());
  table.template AddComparison<Formula::kGreaterOrEqual, GreaterOrEqual>(FloatsAndIntegers());
  table.template AddComparison<Formula::kLessOrEqual, LessOrEqual>(FloatsAndIntegers());
  table.template AddIf<Formula::kIf>(EveryType());
  table.template AddCast<Formula::kCast>(EveryType());
  table.template Add<Formula::kModulusTruncate, 2, ModulusTruncate>(FloatsAndIntegers());
  table.template Add<Formula::kModulusFloor, 2, ModulusFloor>(FloatsAndIntegers());
  table.template Add<Formula::kMean, 2, Mean>(FloatsAndWide());
  table.template Add<Formula::kDifferenceSquare, 2, DifferenceSquare>(FloatsAndWide());
  table.template Add<Formula::kSign, 1, Sign>(FloatsAndIntegers());
  table.template Add<Formula::kCeil, 1, Ceil>(Floats());
  table.template Add<Formula::kFloor, 1, Floor>(Floats());
  table.template Add<Formula::kRound, 1, Round>(Floats());
}

}  // namespace anydml::elementwise
