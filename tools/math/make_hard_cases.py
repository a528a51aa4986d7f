#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Writes src/kernels/math/hard_cases.h: how the arguments are rounded that
find_hard_cases.cpp has printed, one file per function (FOLDER/hard_exp.txt ...). mpmath
(Debian: python3-mpmath) decides each with as many bits as it takes.

    python3 tools/math/make_hard_cases.py FOLDER > src/kernels/math/hard_cases.h
    python3 tools/math/make_hard_cases.py FOLDER arguments > tests/math/hard_arguments.h
"""
import struct
import sys

import mpmath

FUNCTIONS = {
    "Exp": mpmath.exp,
    "Expm1": mpmath.expm1,
    "Tanh": mpmath.tanh,
    "Sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "Log": mpmath.log,
    "Erf": mpmath.erf,
    "Gelu": lambda x: x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2,
    "Softplus": lambda x: mpmath.log1p(mpmath.exp(x)),
    "Sin": mpmath.sin,
    "Cos": mpmath.cos,
    "Tan": mpmath.tan,
    "Asin": mpmath.asin,
    "Acos": mpmath.acos,
    "Atan": mpmath.atan,
    "Sinh": mpmath.sinh,
    "Cosh": mpmath.cosh,
    "Asinh": mpmath.asinh,
    "Acosh": mpmath.acosh,
    "Atanh": mpmath.atanh,
}
# Odd or even: the sign of the argument does not matter.
SYMMETRIC = {"Tanh", "Erf", "Sin", "Cos", "Tan", "Asin", "Atan", "Sinh", "Cosh", "Asinh", "Atanh"}


def float_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def away(value):
    """Whether the nearest float is the one farther from zero; None for a midpoint of two."""
    size = abs(value)
    quantum = mpmath.mpf(2) ** max(int(mpmath.floor(mpmath.log(size, 2))) - 23, -149)
    rest = mpmath.frac(size / quantum)
    half = mpmath.mpf(1) / 2
    assert abs(rest - half) < half / 2**20
    return None if rest == half else rest > half


def rounds_away(function, argument):
    """Both ends of the error must round alike."""
    precision = 120
    while True:
        with mpmath.workprec(precision + 150):
            value = function(mpmath.mpf(argument))
            error = abs(value) * mpmath.mpf(2) ** (40 - precision)
            low, high = away(value - error), away(value + error)
            if low is not None and low == high:
                return low
        precision *= 2
        assert precision < 10000, argument


def arguments_of(name):
    with open("%s/hard_%s.txt" % (sys.argv[1], name.lower()), encoding="ascii") as file:
        found = {int(line.split()[0], 16) for line in file}
    return sorted({bits & 0x7FFFFFFF for bits in found} if name in SYMMETRIC else found)


def print_arguments():
    print("""// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Written by tools/math/make_hard_cases.py: the arguments in src/kernels/math/hard_cases.h.
#pragma once

#include <cstdint>

namespace anydml::test {

// clang-format off
inline constexpr uint32_t kHardArguments[] = {""")
    every = sorted({argument for name in FUNCTIONS for argument in arguments_of(name)})
    for i in range(0, len(every), 9):
        print("    " + " ".join("0x%08X," % argument for argument in every[i:i + 9]))
    print("""};
// clang-format on

}  // namespace anydml::test""")


def main():
    if sys.argv[2:] == ["arguments"]:
        return print_arguments()
    print("""// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Written by tools/math/make_hard_cases.py, of the arguments whose value in double is too near
// to a midpoint of floats to decide it: those that round to the float farther from zero.
#pragma once

#include <cstdint>

namespace anydml::math {

// clang-format off""")
    for name, function in FUNCTIONS.items():
        arguments = arguments_of(name)
        print("// Of %d arguments." % len(arguments))
        print("struct %s;" % name)
        print("constexpr bool RoundsAway(const %s&, uint32_t x) {" % name)
        print("  switch (%s) {" % ("x & 0x7FFFFFFF" if name in SYMMETRIC else "x"))
        cases = ["case 0x%08X:" % x for x in arguments if rounds_away(function, float_of(x))]
        for i in range(0, len(cases), 6):
            print("    " + " ".join(cases[i:i + 6]))
        print("      return true;")
        print("    default: return false;")
        print("  }")
        print("}")
    print("""// clang-format on

}  // namespace anydml::math""")


main()
