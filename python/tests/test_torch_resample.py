# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""anydml.torch: which pixel nearest sampling reads, in whole numbers."""
import math
from fractions import Fraction

import pytest
import torch

import anydml
import anydml.torch as ours


def test_nearest_by_sizes_rounds_like_whole_numbers():
    for n in range(1, 41):
        x = torch.arange(float(n))
        for m in range(1, 41):
            expected = [o * n // m for o in range(m)]
            assert ours.upsample(x[None, None], size=m)[0, 0].tolist() == expected, (n, m)


@pytest.mark.parametrize("nearest_mode, pick", [
    ("floor", math.floor), ("ceil", math.ceil),
    ("round_prefer_floor", lambda at: math.ceil(at - Fraction(1, 2))),
    ("round_prefer_ceil", lambda at: math.floor(at + Fraction(1, 2)))])
@pytest.mark.parametrize("convention, place", [
    ("align_corners", lambda o, n, m: Fraction(o * (n - 1), m - 1)),
    ("asymmetric", lambda o, n, m: Fraction(o * n, m)),
    ("half_pixel", lambda o, n, m: Fraction((2 * o + 1) * n, 2 * m) - Fraction(1, 2))])
def test_nearest_conventions_of_onnx_are_exact(convention, place, nearest_mode, pick):
    for n in range(2, 20):
        for m in range(2, 20):
            if n == m:
                continue
            result = ours.resample(torch.arange(float(n)), sizes=m, mode="nearest",
                                   nearest_mode=nearest_mode,
                                   coordinate_transformation_mode=convention)
            expected = [min(max(pick(place(o, n, m)), 0), n - 1) for o in range(m)]
            assert result.tolist() == expected, (n, m)


@pytest.mark.parametrize("nearest_mode, expected", [
    ("floor", [0, 0, 0, 1, 1, 2]), ("ceil", [0, 1, 1, 2, 2, 2]),
    ("round_prefer_floor", [0, 0, 1, 1, 2, 2]), ("round_prefer_ceil", [0, 0, 1, 1, 2, 2])])
def test_nearest_modes_of_onnx(nearest_mode, expected):
    """x(o) = (o + 0.5) / 2 - 0.5 = -0.25, 0.25, 0.75, 1.25, 1.75, 2.25."""
    result = ours.resample(torch.arange(3.0), scales=2, mode="nearest", nearest_mode=nearest_mode)
    assert result.tolist() == expected


@pytest.mark.parametrize("nearest_mode, expected", [("round_prefer_floor", [0, 0, 1, 1]),
                                                    ("round_prefer_ceil", [0, 1, 1, 1])])
def test_halves_of_onnx(nearest_mode, expected):
    """Asymmetric: x(o) = 0, 0.5, 1, 1.5."""
    result = ours.resample(torch.arange(2.0), scales=2, mode="nearest", nearest_mode=nearest_mode,
                           coordinate_transformation_mode="asymmetric")
    assert result.tolist() == expected


@pytest.mark.parametrize("n, m, mode", [(54, 110, "nearest"), (54, 55, "nearest-exact"),
                                        (375, 102, "nearest"), (29, 15, "nearest-exact")])
def test_nearest_by_sizes_reads_the_exact_pixel(n, m, mode):
    """m / n is no double here, and n times it is not m."""
    assert n * (m / n) != m or (n, m) == (29, 15)
    if mode == "nearest":
        exact = [o * n // m for o in range(m)]
    else:
        exact = [(2 * o + 1) * n // (2 * m) for o in range(m)]
    x = torch.arange(float(n)).reshape(1, 1, n).requires_grad_()
    y = ours.upsample(x, size=m, mode=mode)
    assert y.flatten().tolist() == exact
    y.sum().backward()
    assert x.grad.flatten().tolist() == [float(exact.count(i)) for i in range(n)]


def test_resizing_an_empty_batch_is_refused_in_words():
    with pytest.raises(anydml.Error, match="RESAMPLE2"):
        ours.upsample(torch.ones(0, 1, 2, 2), scale_factor=2)
