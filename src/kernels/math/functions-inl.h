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

// e^x = scale * (1 + rest), |rest| < 0.42; for |x| < 700.
template <class V>
struct Power {
  V scale;
  V rest;
};
template <class O, class V>
ANYDML_MATH Power<V> ExpParts(O o, V x) {
  const V magic = o.Set(0x1.8p52);  // added, its last bits are an integer
  const V shifted = o.MulAdd(x, o.Set(kLog2E), magic);
  const V k = o.Sub(shifted, magic);
  V r = o.MulAdd(k, o.Set(-kLn2High), x);
  r = o.MulAdd(k, o.Set(-kLn2Low), r);
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

// ln m + e ln 2 for x = m * 2^e, by s = (m - 1) / (m + 1).
struct Log {
  template <class O, class V>
  static ANYDML_MATH Value<V> Double(O o, V x) {
    V m, e;
    o.Split(x, m, e);  // 1/sqrt 2 <= m < sqrt 2
    const V one = o.Set(1.0), zero = o.Set(0.0);
    const V n = o.Sub(m, one);
    const V s = o.Div(n, o.Add(m, one));
    const V w = o.Mul(s, s);
    // 2 s = n - s n, of which n is exact.
    const V rest = o.MulAdd(w, Polynomial<kLogRest>(o, w), o.Sub(zero, n));
    const V low = o.MulAdd(s, rest, o.Mul(e, o.Set(kLn2Low)));
    const V y = o.Add(o.MulAdd(e, o.Set(kLn2High), n), low);
    const V infinity = o.Set(std::numeric_limits<double>::infinity());
    const V outside = o.Choose(o.Less(x, zero), o.Set(std::numeric_limits<double>::quiet_NaN()),
                               o.Sub(zero, infinity));
    const V finite = o.Choose(o.Less(zero, x), y, outside);
    return {o.Choose(o.Less(x, infinity), finite, x), o.Set(kMargin)};
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
