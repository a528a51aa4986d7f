#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The checksums of `make exhaustive` on an NVIDIA card: every exact function on all 2^32 floats.

    PYTHONPATH=python ANYDML_LIBRARY=build/release/lib/libanydml.so python3 tests/math/cuda_sums.py

Needs PyTorch with CUDA. A sum does not depend on the order: the bits of a result, those of NaN
being 7FC00000, times (2 * the bits of the argument + 1), modulo 2^64. docs/exact_functions.md has
the right ones.
"""
import torch

import anydml

FUNCTIONS = ("exp", "log", "erf", "tanh", "sigmoid", "gelu", "softplus", "sin", "cos", "tan", "asin",
             "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh")
CHUNK = 1 << 28


def checksum(function):
    total = 0
    for first in range(0, 1 << 32, CHUNK):
        bits = torch.arange(first, first + CHUNK, device="cuda")  # int64
        x = bits.to(torch.int32).view(torch.float32)
        y = function(x)
        found = torch.where(y.isnan(), 0x7FC00000, y.view(torch.int32).to(torch.int64) & 0xFFFFFFFF)
        total += int((found * (2 * bits + 1)).sum())              # wraps
    return total % (1 << 64)


def main():
    for name in FUNCTIONS:
        settings = {"steepness": 1} if name == "softplus" else {}
        print(f"{name:8} {checksum(lambda x: getattr(anydml, name)(x, **settings)):016X}", flush=True)


if __name__ == "__main__":
    main()
