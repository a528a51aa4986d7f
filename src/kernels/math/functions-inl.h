// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The functions in double, for arguments that are floats, within kMargin of the truth
// (README.md): one text for numbers and for vectors. No include guard: scalar.h includes it
// once, vectors-inl.h once per instruction set. `o` computes: its methods are the operations
// on values V, of which truths are M.
//
// ANYDML_MATH is what a function needs before its type.

// The sum of kCoefficients[i] * x^i, from i = kFirst on. The array is named in constants alone: it
// has no address on CUDA devices.
template <const auto& kCoefficients, size_t kFirst = 0, class O, class V>
ANYDML_MATH V Polynomial(O o, V x) {
  constexpr double kOwn = kCoefficients[kFirst];
  if constexpr (kFirst + 1 == std::size(kCoefficients)) {
    return o.Set(kOwn);
  } else {
    return o.MulAdd(Polynomial<kCoefficients, kFirst + 1>(o, x), x, o.Set(kOwn));
  }
}

// e^(x + low...) = scale * (1 + rest), |rest| < 0.42; for |x| < 700 and a small part beside it.
template <class V>
struct Power {
  V scale;
  V rest;
};
template <class O, class V, class... Low>
ANYDML_MATH Power<V> ExpParts(O o, V x, Low... low) {
  const V magic = o.Set(0x1.8p52);  // added, its last bits are an integer
  const V shifted = o.MulAdd(x, o.Set(kLog2E), magic);
  const V k = o.Sub(shifted, magic);
  V r = o.MulAdd(k, o.Set(-kLn2High), x);
  r = o.MulAdd(k, o.Set(-kLn2Low), r);
  ((r = o.Add(r, low)), ...);
  const V rest = o.MulAdd(o.Mul(r, r), Polynomial<kExpRest>(o, r), r);
  return {o.PowerOf2(shifted), rest};
}

// A value, and how far beside it the truth may lie, relative to it. A margin of 0 says that
// the value rounds to the right float although it may be as near to a midpoint as doubles get.
template <class V>
struct Value {
  V value;
  V margin;
};

// Base of functions that cost more than a call: loops do not repeat their text.
struct Apart {};

// exp.
struct Exp {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    x = o.Min(o.Max(x, o.Set(-110.0)), o.Set(100.0));
    const Power<V> e = ExpParts(o, x);
    return {o.MulAdd(e.scale, e.rest, e.scale), o.Set(kMargin)};
  }
};

// e^x - 1, with the sign of x, also of a zero.
struct Expm1 {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    const Power<V> e = ExpParts(o, o.Min(o.Max(x, o.Set(-40.0)), o.Set(100.0)));
    const V y = o.MulAdd(e.scale, e.rest, o.Sub(e.scale, o.Set(1.0)));
    return {o.CopySign(y, x), o.Set(kMargin)};
  }
};

// (e^2x - 1) / (e^2x + 1)
struct Tanh {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    const V bounded = o.Min(o.Max(x, o.Set(-10.0)), o.Set(10.0));
    const Power<V> e = ExpParts(o, o.Add(bounded, bounded));
    const V expm1 = o.MulAdd(e.scale, e.rest, o.Sub(e.scale, o.Set(1.0)));
    const V y = o.Div(expm1, o.Add(expm1, o.Set(2.0)));
    return {o.CopySign(y, x), o.Set(kMargin)};
  }
};

// 1 / (1 + e^-x). Near 0 it is 1/2 + x/4 - x^3/48 + ..., and 1/2 + x/4 may be a midpoint of
// floats: 2^-53 toward 1/2 decides it, where the cube is too small to.
struct Sigmoid {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    const V bounded = o.Min(o.Max(x, o.Set(-110.0)), o.Set(100.0));
    const Power<V> e = ExpParts(o, o.Sub(o.Set(0.0), bounded));
    const V far = o.Div(o.Set(1.0), o.Add(o.MulAdd(e.scale, e.rest, e.scale), o.Set(1.0)));
    const V size = o.Abs(x);
    const V cube = o.Mul(o.Mul(size, o.Mul(size, size)), o.Set(1.0 / 48));
    const V inward = o.CopySign(o.Add(cube, o.Set(0x1p-53)), x);
    const V near = o.Sub(o.MulAdd(x, o.Set(0.25), o.Set(0.5)), inward);
    const auto is_near = o.Less(size, o.Set(0x1p-14));
    return {o.Choose(is_near, near, far), o.Choose(is_near, o.Set(0.0), o.Set(kMargin))};
  }
};

// ln(1 + n) + e ln 2, of 1/sqrt 2 <= 1 + n < sqrt 2, by s = n / (n + 2).
template <class O, class V>
ANYDML_MATH V LogSum(O o, V n, V e) {
  const V s = o.Div(n, o.Add(n, o.Set(2.0)));
  const V w = o.Mul(s, s);
  // 2 s = n - s n, of which n is exact.
  const V rest = o.MulAdd(w, Polynomial<kLogRest>(o, w), o.Sub(o.Set(0.0), n));
  const V low = o.MulAdd(s, rest, o.Mul(e, o.Set(kLn2Low)));
  return o.Add(o.MulAdd(e, o.Set(kLn2High), n), low);
}

// ln m + e ln 2 of x = m * 2^e.
struct Log {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    V m, e;
    o.Split(x, m, e);  // 1/sqrt 2 <= m < sqrt 2
    const V zero = o.Set(0.0);
    const V y = LogSum(o, o.Sub(m, o.Set(1.0)), e);
    const V infinity = o.Set(std::numeric_limits<double>::infinity());
    const V outside = o.Choose(o.Less(x, zero), o.Set(std::numeric_limits<double>::quiet_NaN()),
                               o.Sub(zero, infinity));
    const V finite = o.Choose(o.Less(zero, x), y, outside);
    return {o.Choose(o.Less(x, infinity), finite, x), o.Set(kMargin)};
  }
};

// ln(1 + t) for t >= 0; t itself where it is infinite or NaN. 1 + t is rounded, unless it is
// small.
template <class O, class V>
ANYDML_MATH V Log1p(O o, V t) {
  const V one = o.Set(1.0);
  V m, e;
  o.Split(o.Add(one, t), m, e);
  const auto is_small = o.Less(t, o.Set(0.41));
  const V n = o.Choose(is_small, t, o.Sub(m, one));
  const V y = LogSum(o, n, o.Choose(is_small, o.Set(0.0), e));
  return o.Choose(o.Less(t, o.Set(std::numeric_limits<double>::infinity())), y, t);
}

// max(x, 0) + ln(1 + e^-|x|)
struct Softplus : Apart {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    const Power<V> e = ExpParts(o, o.Sub(o.Set(0.0), o.Min(o.Abs(x), o.Set(110.0))));
    const V rest = Log1p(o, o.MulAdd(e.scale, e.rest, e.scale));
    return {o.Add(o.Max(x, o.Set(0.0)), rest), o.Set(kMargin)};
  }
};

// x P(x^2), and 1 - e^(-x^2) Q from 1 on.
struct Erf {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    const V z = o.Min(o.Abs(x), o.Set(4.0));
    const V square = o.Mul(z, z);
    const V near = o.MulAdd(z, Polynomial<kErfSmall>(o, square), o.Mul(z, o.Set(kErfSmallLow)));
    const V centre = o.Set(kErfCentre);
    const V t = o.Div(o.Sub(z, centre), o.Add(z, centre));
    const Power<V> e = ExpParts(o, o.Sub(o.Set(0.0), square));
    const V complement = o.Mul(o.MulAdd(e.scale, e.rest, e.scale), Polynomial<kErfLarge>(o, t));
    const V far = o.Sub(o.Set(1.0), complement);
    const V y = o.Choose(o.Less(z, o.Set(1.0)), near, far);
    return {o.CopySign(y, x), o.Set(kMargin)};
  }
};

// x times the normal distribution: for x < 0 its tail, which is e^(-x^2/2) T. x/2 + x^2/sqrt
// (2 pi) of a tiny x may begin with a midpoint of subnormal floats, above which it lies.
struct Gelu {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    const V u = o.Min(o.Abs(x), o.Set(15.0));
    const V centre = o.Set(kGeluCentre);
    const V t = o.Div(o.Sub(u, centre), o.Add(u, centre));
    const Power<V> e = ExpParts(o, o.Mul(o.Mul(u, u), o.Set(-0.5)));
    const V tail = o.Mul(o.MulAdd(e.scale, e.rest, e.scale), Polynomial<kGeluTail>(o, t));
    const V part = o.Choose(o.Less(x, o.Set(0.0)), tail, o.Sub(o.Set(1.0), tail));
    const V y = o.Mul(o.Max(x, o.Set(-15.0)), part);
    const V half = o.Mul(x, o.Set(0.5));
    const V tiny = o.Choose(o.Less(o.Set(0.0), u), o.Add(half, o.Set(0x1p-175)), half);
    const auto is_tiny = o.Less(u, o.Set(0x1p-100));
    return {o.Choose(is_tiny, tiny, y), o.Choose(is_tiny, o.Set(0.0), o.Set(kMargin))};
  }
};

// a + b = high + low
template <class O, class V>
ANYDML_MATH V SumWithRest(O o, V a, V b, V& rest) {
  const V sum = o.Add(a, b);
  const V of_b = o.Sub(sum, a);
  rest = o.Add(o.Sub(a, o.Sub(sum, of_b)), o.Sub(b, of_b));
  return sum;
}

// Part k of 2 / pi, without what gives x of this size whole multiples of 4.
template <size_t k, class O, class V>
ANYDML_MATH V TurnPart(O o, V size, bool any_large) {
  constexpr double k0 = kTurns[k], k1 = kTurns[4 + k], k2 = kTurns[8 + k], k3 = kTurns[12 + k];
  if (!any_large) return o.Set(k0);
  const V large = o.Choose(o.Less(size, o.Set(0x1p78)), o.Set(k1),
                           o.Choose(o.Less(size, o.Set(0x1p106)), o.Set(k2), o.Set(k3)));
  return o.Choose(o.Less(size, o.Set(0x1p50)), o.Set(k0), large);
}

// y mod 4, between -2 and 2.
template <class O, class V>
ANYDML_MATH V WithoutTurns(O o, V y) {
  const V magic = o.Set(0x1.8p52);
  return o.MulAdd(o.Sub(o.Add(o.Mul(y, o.Set(0.25)), magic), magic), o.Set(-4.0), y);
}

// sin and cos of what x has beyond whole quarter turns, and their number, plus 1.5 * 2^52.
template <class V>
struct Angle {
  V sin;
  V cos;
  V quarters;
};
template <class O, class V>
ANYDML_MATH Angle<V> AngleOf(O o, V x) {
  const V magic = o.Set(0x1.8p52), size = o.Abs(x);
  const bool any_large = o.Any(o.Less(o.Set(0x1p49), size));
  // These products are exact but for the last.
  const V a = WithoutTurns(o, o.Mul(x, TurnPart<0>(o, size, any_large)));
  const V b = WithoutTurns(o, o.Mul(x, TurnPart<1>(o, size, any_large)));
  const V c = o.Mul(x, TurnPart<2>(o, size, any_large));
  const V d = o.Mul(x, TurnPart<3>(o, size, any_large));
  const V quarters = o.Add(o.Add(o.Add(a, b), c), magic);
  V rest_ab, rest_abc;
  const V ab = SumWithRest(o, o.Sub(a, o.Sub(quarters, magic)), b, rest_ab);
  const V abc = SumWithRest(o, ab, c, rest_abc);
  const V part = o.Add(abc, o.Add(o.Add(rest_ab, rest_abc), d));
  const V r = o.Mul(part, o.Set(kPi / 2));
  const V w = o.Mul(r, r);
  const V sin = o.MulAdd(o.Mul(r, w), Polynomial<kSinRest>(o, w), r);
  const V cos =
      o.MulAdd(o.Mul(w, w), Polynomial<kCosRest>(o, w), o.MulAdd(w, o.Set(-0.5), o.Set(1.0)));
  return {sin, cos, quarters};
}

struct Sin : Apart {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    const Angle<V> a = AngleOf(o, x);
    const V y = o.Turned(o.Choose(o.IsOdd(a.quarters), a.cos, a.sin), a.quarters);
    return {o.Choose(o.Less(o.Set(0.0), o.Abs(x)), y, x), o.Set(kMargin)};
  }
};

struct Cos : Apart {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    const Angle<V> a = AngleOf(o, x);
    const V next = o.Add(a.quarters, o.Set(1.0));
    return {o.Turned(o.Choose(o.IsOdd(next), a.cos, a.sin), next), o.Set(kMargin)};
  }
};

struct Tan : Apart {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    const Angle<V> a = AngleOf(o, x);
    const auto is_odd = o.IsOdd(a.quarters);
    const V y =
        o.Div(o.Choose(is_odd, a.cos, a.sin), o.Choose(is_odd, o.Sub(o.Set(0.0), a.sin), a.cos));
    return {o.Choose(o.Less(o.Set(0.0), o.Abs(x)), y, x), o.Set(kMargin)};
  }
};

// asin |x| up to 1/2. Above it the half of acos |x|, by sqrt((1 - |x|) / 2), whose square is exact.
template <class V, class M>
struct Arc {
  V value;
  M is_large;
};
template <class O, class V>
ANYDML_MATH auto ArcOf(O o, V x) {
  const V size = o.Abs(x);
  const auto is_large = o.Less(o.Set(0.5), size);
  const V w = o.Choose(is_large, o.MulAdd(size, o.Set(-0.5), o.Set(0.5)), o.Mul(size, size));
  const V z = o.Choose(is_large, o.Sqrt(w), size);
  const V value = o.MulAdd(o.Mul(z, w), Polynomial<kAsinRest>(o, w), z);
  return Arc<V, decltype(o.Less(x, x))>{value, is_large};
}

struct Asin : Apart {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    const auto arc = ArcOf(o, x);
    const V large = o.MulAdd(arc.value, o.Set(-2.0), o.Set(kPi / 2));
    return {o.CopySign(o.Choose(arc.is_large, large, arc.value), x), o.Set(kMargin)};
  }
};

// pi/2 - asin x; 2 arc for x > 1/2, pi - 2 arc for x < -1/2.
struct Acos : Apart {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    const auto arc = ArcOf(o, x);
    const V value = o.CopySign(arc.value, x);
    const V from = o.Choose(o.Less(x, o.Set(0.0)), o.Set(kPi), o.Set(0.0));
    const V large = o.MulAdd(value, o.Set(2.0), from);
    return {o.Choose(arc.is_large, large, o.Sub(o.Set(kPi / 2), value)), o.Set(kMargin)};
  }
};

// The angle between 0 and pi/2 of y >= 0 and x >= 0, one of them above 0: the arc tangent of y/x,
// of (y - x)/(y + x), or of -x/y, each below tan(pi/8).
template <class O, class V>
ANYDML_MATH V ArcTangent(O o, V y, V x) {
  const auto is_low = o.Less(y, o.Mul(x, o.Set(0.41421356)));
  const auto is_high = o.Less(x, o.Mul(y, o.Set(0.41421356)));
  const V over = o.Choose(is_low, y, o.Choose(is_high, o.Sub(o.Set(0.0), x), o.Sub(y, x)));
  const V under = o.Choose(is_low, x, o.Choose(is_high, y, o.Add(y, x)));
  const V from = o.Choose(is_low, o.Set(0.0), o.Choose(is_high, o.Set(kPi / 2), o.Set(kPi / 4)));
  const V u = o.Div(over, under);
  const V w = o.Mul(u, u);
  return o.Add(o.MulAdd(o.Mul(u, w), Polynomial<kAtanRest>(o, w), u), from);
}

struct Atan : Apart {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    return {o.CopySign(ArcTangent(o, o.Abs(x), o.Set(1.0)), x), o.Set(kMargin)};
  }
};

// e^|x| - 1 = E: sinh is (E + E / (E + 1)) / 2.
struct Sinh : Apart {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    const Power<V> e = ExpParts(o, o.Min(o.Abs(x), o.Set(100.0)));
    const V one = o.Set(1.0);
    const V expm1 = o.MulAdd(e.scale, e.rest, o.Sub(e.scale, one));
    const V y = o.Mul(o.Add(expm1, o.Div(expm1, o.Add(expm1, one))), o.Set(0.5));
    return {o.CopySign(y, x), o.Set(kMargin)};
  }
};

struct Cosh : Apart {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    const Power<V> e = ExpParts(o, o.Min(o.Abs(x), o.Set(100.0)));
    const V exp = o.MulAdd(e.scale, e.rest, e.scale);
    return {o.Mul(o.Add(exp, o.Div(o.Set(1.0), exp)), o.Set(0.5)), o.Set(kMargin)};
  }
};

// ln(1 + |x| + x^2 / (1 + sqrt(1 + x^2)))
struct Asinh : Apart {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    const V size = o.Abs(x), square = o.Mul(x, x), one = o.Set(1.0);
    const V root = o.Sqrt(o.Add(one, square));
    const V y = Log1p(o, o.Add(size, o.Div(square, o.Add(one, root))));
    const auto is_finite = o.Less(size, o.Set(std::numeric_limits<double>::infinity()));
    return {o.CopySign(o.Choose(is_finite, y, size), x), o.Set(kMargin)};
  }
};

// ln(1 + t), t = x - 1 + sqrt((x - 1) (x + 1))
struct Acosh : Apart {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    const V one = o.Set(1.0), above = o.Sub(x, one);
    const V y = Log1p(o, o.Add(above, o.Sqrt(o.Mul(above, o.Add(x, one)))));
    const V nan = o.Set(std::numeric_limits<double>::quiet_NaN());
    return {o.Choose(o.Less(x, one), nan, y), o.Set(kMargin)};
  }
};

// ln(1 + 2 |x| / (1 - |x|)) / 2
struct Atanh : Apart {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    const V size = o.Abs(x), one = o.Set(1.0);
    const V y = o.Mul(Log1p(o, o.Div(o.Add(size, size), o.Sub(one, size))), o.Set(0.5));
    const V nan = o.Set(std::numeric_limits<double>::quiet_NaN());
    return {o.CopySign(o.Choose(o.Less(one, size), nan, y), x), o.Set(kMargin)};
  }
};

// The angle of the point (x, y) (B112): infinities and zeros by large and small numbers, which have
// their limits.
struct Atan2 : Apart {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V y, V x) {
    const V most = o.Set(0x1p500), least = o.Set(0x1p-300);
    const V first = ArcTangent(o, o.Min(o.Abs(y), most), o.Min(o.Max(o.Abs(x), least), most));
    const auto is_left = o.Less(o.CopySign(o.Set(1.0), x), o.Set(0.0));
    // An angle lies below y/x, which may be a midpoint of subnormal floats.
    const auto is_tiny = o.Less(o.Choose(is_left, o.Set(1.0), first), o.Set(0x1p-100));
    const V angle = o.Choose(is_left, o.Sub(o.Set(kPi), first),
                             o.Choose(is_tiny, o.Mul(first, o.Set(1.0 - 0x1p-52)), first));
    const V nan = o.Set(std::numeric_limits<double>::quiet_NaN());
    return {o.Choose(o.IsNan(o.Add(o.Abs(x), o.Abs(y))), nan, o.CopySign(angle, y)),
            o.Choose(is_tiny, o.Set(0.0), o.Set(kMargin))};
  }
};

// e^(y ln |x|), with a logarithm of more than 60 bits, and C's special values (B111). y is a float
// or an integer of 32 bits.
struct Pow : Apart {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x, V y) {
    const V zero = o.Set(0.0), one = o.Set(1.0), size = o.Abs(x);
    V m, e;
    o.Split(size, m, e);
    // ln m = 2 s + s^3 P(s^2), s + low = n / d
    const V n = o.Sub(m, one), d = o.Add(m, one);
    const V s = o.Div(n, d), first = o.Leading(s);
    const V low = o.Div(o.Sub(o.Sub(n, o.Mul(first, d)), o.Mul(o.Sub(s, first), d)), d);
    const V w = o.Mul(s, s), whole = o.Mul(e, o.Set(kLn2High)), twice = o.Add(s, s);
    const V high = o.Add(whole, twice);
    const V lost = o.Sub(twice, o.Sub(high, whole));
    const V rest = o.MulAdd(o.Mul(s, w), Polynomial<kLogRest>(o, w),
                            o.Add(o.Add(low, low), o.MulAdd(e, o.Set(kLn2Low), lost)));
    const V log = o.Add(high, rest), lead = o.Leading(log);
    const V product = o.Mul(y, lead);  // exact
    const V beside = o.Mul(y, o.Add(o.Sub(log, lead), o.Add(o.Sub(high, log), rest)));
    const V exponent = o.Min(o.Max(product, o.Set(-120.0)), o.Set(100.0));
    const Power<V> p = ExpParts(o, exponent, o.Min(o.Max(beside, o.Set(-1.0)), one));
    V power = o.MulAdd(p.scale, p.rest, p.scale);

    const V infinity = o.Set(std::numeric_limits<double>::infinity());
    const V nan = o.Set(std::numeric_limits<double>::quiet_NaN());
    // Of a zero and of infinities: the limit.
    const V grows = o.Mul(o.Sub(size, one), o.CopySign(one, y));
    const V limit =
        o.Choose(o.Less(grows, zero), zero, o.Choose(o.Less(zero, grows), infinity, one));
    const auto has_infinity = o.Less(o.Set(0x1p200), o.Max(size, o.Abs(y)));
    power = o.Choose(o.Less(zero, size), o.Choose(has_infinity, limit, power), limit);
    // Whether y is an integer, and an odd one: all from 2^33 on are even.
    const V magic = o.Set(0x1.8p52), z = o.Min(o.Abs(y), o.Set(0x1p33)),
            half = o.Mul(z, o.Set(0.5));
    const V past_integer = o.Abs(o.Sub(z, o.Sub(o.Add(z, magic), magic)));
    const V past_even = o.Abs(o.Sub(half, o.Sub(o.Add(half, magic), magic)));
    const V of_odd = o.Choose(o.Less(o.Set(0.5 - 0x1p-40), past_even), o.CopySign(power, x), power);
    const V is_finite = o.Choose(o.Less(size, infinity), past_integer, zero);
    const V outside = o.Choose(o.Less(x, zero), is_finite, zero);
    power = o.Choose(o.Less(zero, outside), nan, of_odd);
    power = o.Choose(o.IsNan(o.Add(size, o.Abs(y))), nan, power);
    // 1 for y = 0 and for x = 1, which a NaN beside it does not change.
    const V from_0 = o.Choose(o.IsNan(y), one, o.Abs(y));
    const V from_1 = o.Choose(o.IsNan(x), one, o.Abs(o.Sub(x, one)));
    return {o.Choose(o.Less(zero, o.Min(from_0, from_1)), power, one), o.Set(kMargin)};
  }
};

// The root of x >= 0 whose degree is an integer p from 1 on: x^(1/p). That 1/p is rounded may move
// the exponent, which is at most 52 for p from 2 on, by 2^-53 of it.
struct Root : Apart {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x, V p) {
    return {Pow::Double(o, x, o.Div(o.Set(1.0), p)).value, o.Set(0x1p-46)};
  }
};
