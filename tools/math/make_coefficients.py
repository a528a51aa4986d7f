#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Writes src/kernels/math/coefficients.h: polynomials for the exact functions, fitted with
mpmath (Debian: python3-mpmath), which the build does not need.

    python3 tools/math/make_coefficients.py > src/kernels/math/coefficients.h
"""
import mpmath
from mpmath import mp, mpf

mp.prec = 450
ERFCX_CENTRE = mpf("2.0")  # of erf's large arguments
GELU_CENTRE = mpf("4.0")


def erfcx(z):
    return mpmath.exp(z * z) * mpmath.erfc(z)


def expm1_rest(r):
    """(e^r - 1 - r) / r^2"""
    if abs(r) < mpf(2) ** -40:
        return mpf(1) / 2 + r / 6 + r * r / 24
    return (mpmath.expm1(r) - r) / r**2


def log_rest(w):
    """(ln((1 + s) / (1 - s)) / s - 2) / s^2 of w = s^2"""
    if w < mpf(2) ** -60:
        return mpf(2) / 3 + w * 2 / 5
    s = mpmath.sqrt(w)
    return (mpmath.log((1 + s) / (1 - s)) / s - 2) / w


def erf_small(w):
    """erf(x) / x of w = x^2"""
    if w < mpf(2) ** -100:
        return 2 / mpmath.sqrt(mpmath.pi)
    x = mpmath.sqrt(w)
    return mpmath.erf(x) / x


def erf_large(t):
    """e^(z^2) erfc(z) of t = (z - c) / (z + c)"""
    return erfcx(ERFCX_CENTRE * (1 + t) / (1 - t))


def gelu_tail(t):
    """e^(u^2/2) erfc(u / sqrt 2) / 2 of t = (u - c) / (u + c)"""
    u = GELU_CENTRE * (1 + t) / (1 - t)
    return erfcx(u / mpmath.sqrt(2)) / 2


def sin_rest(w):
    """(sin(r) - r) / r^3 of w = r^2"""
    return mpmath.nsum(lambda k: (-1) ** (k + 1) * w**k / mpmath.factorial(2 * k + 3), [0, 25], method="direct")


def cos_rest(w):
    """(cos(r) - 1 + r^2/2) / r^4 of w = r^2"""
    return mpmath.nsum(lambda k: (-1) ** k * w**k / mpmath.factorial(2 * k + 4), [0, 25], method="direct")


def asin_rest(w):
    """(asin(x) - x) / x^3 of w = x^2"""
    x = mpmath.sqrt(w)
    return mpf(1) / 6 + w * 3 / 40 if w < mpf(2) ** -60 else (mpmath.asin(x) - x) / x**3


def atan_rest(w):
    """(atan(x) - x) / x^3 of w = x^2"""
    x = mpmath.sqrt(w)
    return mpf(-1) / 3 + w / 5 if w < mpf(2) ** -60 else (mpmath.atan(x) - x) / x**3


def moved(z, centre):
    return (mpf(z) - centre) / (mpf(z) + centre)


HALF_LN2 = mpmath.log(2) / 2 * (1 + mpf(2) ** -20)
ROOT = (mpmath.sqrt(2) - 1) / (mpmath.sqrt(2) + 1) * (1 + mpf(2) ** -20)
# name, function, interval, coefficients, what multiplies the error relative to the result
TABLES = [
    ("kExpRest", expm1_rest, [-HALF_LN2, HALF_LN2], 10),
    ("kLogRest", log_rest, [0, ROOT**2], 8),
    ("kErfSmall", erf_small, [0, 1], 12),
    ("kErfLarge", erf_large, [moved(1, ERFCX_CENTRE), moved(4, ERFCX_CENTRE)], 15),
    ("kGeluTail", gelu_tail, [moved(0, GELU_CENTRE), moved(15, GELU_CENTRE)], 21),
    ("kSinRest", sin_rest, [0, mpf("0.618")], 6),
    ("kCosRest", cos_rest, [0, mpf("0.618")], 6),
    ("kAsinRest", asin_rest, [0, mpf("0.25001")], 14),
    ("kAtanRest", atan_rest, [0, mpf("0.1717")], 12),
]


def turns():
    """2/pi in parts of 28, 28, 28 and 53 bits, a row for sizes below 2^50, 2^78, 2^106 and 2^134: what
    gives whole multiples of 4 there is left out."""
    two_over_pi = int(mpf(2) ** 400 * 2 / mpmath.pi)
    for skipped in (0, 25, 53, 81):
        rest = two_over_pi % 2 ** (400 - skipped)
        for end in (skipped + 28, skipped + 56, skipped + 84):
            part = rest >> (400 - end) << (400 - end)
            yield mpf(part) / 2**400
            rest -= part
        yield mpf(rest) / 2**400


def hexadecimal(value):
    return float(value).hex()


def main():
    print("""// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Written by tools/math/make_coefficients.py. Polynomials, lowest power first; `error` is that
// of the fit, before coefficients are rounded to double.
#pragma once

namespace anydml::math {

// clang-format off""")
    for name, function, interval, count in TABLES:
        coefficients, error = mpmath.chebyfit(function, interval, count, error=True)
        scale = abs(function(mpf(interval[0] + interval[1]) / 2))
        print("// error 2^%.1f of a value near 2^%.1f" % (mpmath.log(error, 2), mpmath.log(scale, 2)))
        print("inline constexpr double %s[] = {" % name)
        for c in reversed(coefficients):
            print("    %s," % hexadecimal(c))
        print("};")
    print("inline constexpr double kTurns[] = {")
    for part in turns():
        print("    %s," % hexadecimal(part))
    print("};")
    ln2 = mpmath.log(2)
    high = mpf(int(ln2 * 2**40)) / 2**40
    for name, value in (("kLn2High", high), ("kLn2Low", ln2 - high), ("kLog2E", 1 / ln2),
                        ("kErfSmallLow", 2 / mpmath.sqrt(mpmath.pi) - mpf(float(2 / mpmath.sqrt(mpmath.pi)))),
                        ("kErfCentre", ERFCX_CENTRE), ("kGeluCentre", GELU_CENTRE), ("kPi", mpmath.pi),
                        ("kLn2", ln2), ("kLn2Rest", ln2 - mpf(float(ln2)))):
        print("inline constexpr double %s = %s;" % (name, hexadecimal(value)))
    print("""// clang-format on

}  // namespace anydml::math""")


main()
