#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The checksums of `make exhaustive` on any device: exact functions on all 2^32 floats.

    PYTHONPATH=python ANYDML_LIBRARY=build/release/lib/libanydml.so \\
      python3 tests/math/function_sums.py [cuda] [FUNCTION...]

Needs PyTorch, with CUDA for a card. A sum does not depend on the order: the bits of a result,
those of NaN being 7FC00000, times (2 * the bits of the argument + 1), modulo 2^64.
docs/exact_functions.md has the right ones.
"""
import sys

import torch

import anydml

FUNCTIONS = ("exp", "log", "erf", "tanh", "sigmoid", "gelu", "softplus", "sin", "cos", "tan", "asin",
             "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh")
CHUNK = 1 << 26


def checksum(function, device):
    total = 0
    for first in range(0, 1 << 32, CHUNK):
        bits = torch.arange(first, first + CHUNK, device=device)  # int64
        x = bits.to(torch.int32).view(torch.float32)
        y = function(x)
        found = torch.where(y.isnan(), 0x7FC00000, y.view(torch.int32).to(torch.int64) & 0xFFFFFFFF)
        total += int((found * (2 * bits + 1)).sum())              # wraps
    return total % (1 << 64)


def main():
    wanted = sys.argv[1:]
    device = wanted.pop(0) if wanted[:1] in (["cpu"], ["cuda"]) else "cuda"
    for name in wanted or FUNCTIONS:
        settings = {"steepness": 1} if name == "softplus" else {}
        total = checksum(lambda x: getattr(anydml, name)(x, **settings), device)
        print(f"{name:8} {total:016X}", flush=True)


if __name__ == "__main__":
    main()
