#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Writes src/kernels/math/hard_cases.h: the correctly rounded results of the arguments that
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
}


def float_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def bits_of(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def rounded(value):
    """The bits of the nearest float; None for a midpoint of two."""
    if value == 0:
        return 0
    size = abs(value)
    quantum = mpmath.mpf(2) ** max(int(mpmath.floor(mpmath.log(size, 2))) - 23, -149)
    units = size / quantum
    whole = int(mpmath.floor(units))
    rest = units - whole
    if rest == mpmath.mpf(1) / 2:
        return None
    if rest > mpmath.mpf(1) / 2:
        whole += 1
    result = float(whole * quantum)
    bits = bits_of(result) if result <= 3.4028234663852886e38 else 0x7F800000
    return bits | (0x80000000 if value < 0 else 0)


def correct(function, argument):
    """Both ends of the error must round alike."""
    precision = 120
    while True:
        with mpmath.workprec(precision):
            value = function(mpmath.mpf(argument))
            error = abs(value) * mpmath.mpf(2) ** (40 - precision)
            low, high = rounded(value - error), rounded(value + error)
            if low is not None and low == high:
                return low
        precision *= 2
        assert precision < 10000, argument


def arguments_of(name):
    with open("%s/hard_%s.txt" % (sys.argv[1], name.lower()), encoding="ascii") as file:
        return [int(line, 16) for line in file]


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
// Written by tools/math/make_hard_cases.py: the arguments whose value in double is too near
// to a midpoint of floats to decide it, and their results, as bits.
#pragma once

#include <bit>
#include <cstdint>

namespace anydml::math {

// clang-format off""")
    for name, function in FUNCTIONS.items():
        arguments = arguments_of(name)
        print("struct %s;" % name)
        print("// %d cases. `otherwise` is never needed." % len(arguments))
        print("constexpr float HardCase(const %s&, uint32_t x, float otherwise) {" % name)
        print("  switch (x) {")
        line = "   "
        for argument in arguments:
            result = correct(function, float_of(argument))
            text = " case 0x%08X: return std::bit_cast<float>(0x%08Xu);" % (argument, result)
            if len(line) + len(text) > 120:
                print(line)
                line = "   "
            line += text
        print(line)
        print("    default: return otherwise;")
        print("  }")
        print("}")
    print("""// clang-format on

}  // namespace anydml::math""")


main()
