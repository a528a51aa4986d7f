# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Random descriptions: every data type with every dimension count, geometry as wild as is legal.

One function per operator; each yields the entries of one file.
"""
import itertools
import math

import numpy as np

import random_elements as elements
from random_elements import ANYTHING, MOSTLY_ORDINARY, MOSTLY_TIES, ORDINARY, TIES, WIDE

FLOATS = (np.float32, np.float16)
INTEGERS = (np.int64, np.int32, np.int16, np.int8, np.uint64, np.uint32, np.uint16, np.uint8)
RELU_TYPES = FLOATS + (np.int32, np.int16, np.int8)
UINT_MAX, INT_MIN = 2 ** 32 - 1, -2 ** 31
FLT_MAX = float(np.finfo(np.float32).max)


def most_elements(dtype):
    """Enough for the widest vectors and their tails, little enough to keep the files small."""
    return 288 // np.dtype(dtype).itemsize


def numbered(cases, count):
    """`count` cases with names, going around `cases` as often as needed."""
    for number, case in enumerate(itertools.islice(itertools.cycle(cases), count)):
        yield 'random_%03d' % number, case


# ------------------------------------------------------------------ ReLU and clip

def activation_relu_grad(entries, rng):
    for name, (count, dtype) in numbered(list(itertools.product(range(1, 9), RELU_TYPES)), 80):
        sizes = elements.random_sizes(rng, count, most_elements(dtype))
        yield entries.activation_relu_grad(name, elements.random_array(rng, dtype, sizes, ANYTHING),
                                           elements.random_array(rng, dtype, sizes, ANYTHING))


def activation_relu(entries, rng):
    for name, (count, dtype) in numbered(list(itertools.product(range(1, 9), RELU_TYPES)), 80):
        sizes = elements.random_sizes(rng, count, most_elements(dtype))
        yield entries.activation_relu(name, elements.random_array(rng, dtype, sizes, ANYTHING))


def float_bounds(rng, dtype, kind):
    info, low = np.finfo(dtype), rng.randint(-24, 8) / 8
    high = low + rng.randint(1, 24) / 8
    largest, smallest = float(info.max), float(info.smallest_subnormal)
    return {'ordered': (low, high), 'reversed': (high, low), 'equal': (low, low),
            'nan_min': (math.nan, high), 'nan_max': (low, math.nan),
            'infinite': rng.choice(((-math.inf, math.inf), (math.inf, -math.inf), (-math.inf, high),
                                    (low, math.inf), (math.inf, math.inf))),
            'extreme': rng.choice(((-largest, largest), (0.0, smallest), (-0.0, high), (-smallest, 0.0))),
            'large': rng.choice(((math.nan, math.nan), (largest, math.inf), (-math.inf, -largest)))}[kind]


def integer_bounds(rng, dtype, kind):
    info = np.iinfo(dtype)
    least, greatest = int(info.min), int(info.max)
    low = rng.randint(max(least, -100), 20)
    high = low + rng.randint(1, 100)
    middle = rng.randint(greatest // 2, greatest - 2)          # above 2^53 in a 64-bit type
    edge = 2 ** 53 + 1 if greatest > 2 ** 53 else greatest - 2
    return {'ordered': (low, high), 'reversed': (high, low), 'equal': (low, low),
            'nan_min': (edge, edge + 2), 'nan_max': (-edge if least else 1, edge),
            'infinite': (least, greatest), 'extreme': (least + 1, greatest - 1),
            'large': (middle, middle + 2)}[kind]


BOUND_KINDS = ('ordered', 'reversed', 'equal', 'nan_min', 'nan_max', 'infinite', 'extreme', 'large')


def clip_cases(rng):
    """(name, type, sizes, Min, Max): each type meets each kind of bounds and each dimension count."""
    types = FLOATS + INTEGERS
    for name, (count, (shift, dtype)) in numbered(list(itertools.product(range(1, 9), enumerate(types))), 80):
        kind = BOUND_KINDS[(count + shift) % len(BOUND_KINDS)]
        make = float_bounds if dtype in FLOATS else integer_bounds
        low, high = (np.array(v, dtype) for v in make(rng, dtype, kind))
        yield name, dtype, elements.random_sizes(rng, count, most_elements(dtype)), low, high


def element_wise_clip_grad1(entries, rng):
    for name, dtype, sizes, low, high in clip_cases(rng):
        x = elements.random_array_near(rng, dtype, sizes, (low, high))
        gradient = elements.random_array(rng, dtype, sizes, ANYTHING)
        yield entries.element_wise_clip_grad1(name, x, gradient, low, high)


def element_wise_clip1(entries, rng):
    for name, dtype, sizes, low, high in clip_cases(rng):
        x = elements.random_array_near(rng, dtype, sizes, (low, high))
        yield entries.element_wise_clip1(name, x, low, high)


# ------------------------------------------------------------------ slice

def slice_axis(rng, size):
    """(window offset, window size, stride, number of elements) inside an axis of `size`."""
    if rng.random() < 0.4:
        return 0, size, rng.choice((1, -1)), size
    offset = rng.choice((0, rng.randrange(size)))
    window = rng.choice((size - offset, rng.randint(1, size - offset)))
    step = rng.choice((1, 1, 2, 2, 3, rng.randint(1, window), rng.choice((100, 2 ** 31 - 1))))
    stride = INT_MIN if rng.random() < 0.05 else rng.choice((step, -step))
    reachable = 1 + (window - 1) // abs(stride)
    return offset, window, stride, rng.choice((reachable, reachable, rng.randint(1, reachable)))


def slice_cases(rng):
    """(name, type, outer sizes, inner sizes, window)."""
    types = FLOATS + (np.float64,) + INTEGERS
    for name, (count, dtype) in numbered(list(itertools.product(range(1, 9), types)), 88):
        outer = elements.random_sizes(rng, count, 2 * most_elements(dtype))
        offsets, sizes, strides, inner = zip(*(slice_axis(rng, n) for n in outer))
        yield name, dtype, outer, inner, (offsets, sizes, strides)


def slice_grad(entries, rng):
    for name, dtype, outer, inner, window in slice_cases(rng):
        gradient = elements.random_array(rng, dtype, inner, ANYTHING)
        yield entries.slice_grad(name, gradient, outer, window)


def slice1(entries, rng):
    for name, dtype, outer, inner, window in slice_cases(rng):
        yield entries.slice1(name, elements.random_array(rng, dtype, outer, ANYTHING), inner, window)


# ------------------------------------------------------------------ resampling

AXIS_STYLES = {'usual': 12, 'arbitrary': 8, 'extreme': 3, 'nothing': 2}


def resample_axis(rng, n, m, style):
    """(Scale, InputPixelOffset, OutputPixelOffset): usual, arbitrary, extreme or changing nothing."""
    ratio = float(np.float32(m) / np.float32(n))
    if style == 'usual':
        scale = rng.choice((ratio, ratio, ratio, 1.0, 0.5, 2.0, 1 / 3))
        return (scale,) + rng.choice(((0.5, -0.5), (0.0, 0.0), (0.0, -0.5), (0.5, 0.0), (-0.5, 0.5), (1.0, -0.5)))
    if style == 'arbitrary':
        return rng.uniform(0.1, 4), rng.uniform(-3, 3), rng.uniform(-3, 3)
    if style == 'nothing':
        return (1.0,) + rng.choice(((0.0, 0.0), (0.5, -0.5), (-1.0, 1.0)))
    offsets = (0.0, -0.0, 0.5, 1e-40, -1e-30, 1e6, -1e6, 16777217.0, -1e30, FLT_MAX, -FLT_MAX)
    scale = rng.choice((FLT_MAX, 1e30, 1e-38, 1e-40, 1.5e-45, 1e-3, 1000.0, ratio))
    return scale, rng.choice(offsets), rng.choice(offsets)


def resample_cases(rng, roundings):
    """(name, forward input, forward output, type and style of the data, mode, rounding, axes)."""
    cases = list(itertools.product(range(1, 5), FLOATS, (0, 1), roundings))
    for name, (count, dtype, mode, rounding) in numbered(cases, 96):
        n, m = (elements.random_sizes(rng, count, most_elements(dtype)) for _ in range(2))
        styles = rng.choices(list(AXIS_STYLES), weights=list(AXIS_STYLES.values()), k=count)
        if rng.random() < 0.1:
            m, styles = n, ['nothing'] * count                # the result is a bit copy
        axes = tuple(zip(*(resample_axis(rng, *axis) for axis in zip(n, m, styles))))
        style = rng.choice((TIES, ORDINARY, ORDINARY, ORDINARY, WIDE, MOSTLY_ORDINARY, MOSTLY_ORDINARY, ANYTHING))
        yield name, n, m, (dtype, style), mode, rounding, axes


def resample_grad1(entries, rng):
    for name, n, m, (dtype, style), mode, rounding, axes in resample_cases(rng, (0, 1)):
        gradient = elements.random_array(rng, dtype, m, style)
        yield entries.resample_grad1(name, gradient, n, mode, rounding, axes)


def resample_grad(entries, rng):
    for name, n, m, (dtype, style), mode, _, axes in resample_cases(rng, (None,)):
        yield entries.resample_grad(name, elements.random_array(rng, dtype, m, style), n, mode, axes)


def resample2(entries, rng):
    for name, n, m, (dtype, style), mode, rounding, axes in resample_cases(rng, (0, 1)):
        yield entries.resample2(name, elements.random_array(rng, dtype, n, style), m, mode, rounding, axes)


# ------------------------------------------------------------------ max pooling

def huge_pooling_axis(rng, size):
    """Attributes near 2^32: products and sums must not be computed in 32 bits."""
    far = 2 ** 31
    return rng.choice(((1, UINT_MAX, 0, 0, 1),                    # one window, or two in the ceil size
                       (1, UINT_MAX, UINT_MAX, 0, 1),             # the second window holds element 0
                       (2, 1, 0, far, far),                       # the second tap is far beyond the end
                       (2, rng.randint(1, size), far, 0, far)))   # the first tap is far before the start


def overlapping_pooling_axis(rng, size):
    """Windows that share most of their elements: the sums of the gradient get many terms."""
    window = min(size, rng.randint(2, 4))
    return window, 1, rng.randrange(window), rng.randrange(window), 1


def pooling_axis(rng, size):
    """(window, stride, start padding, end padding, dilation), legal for an axis of `size`."""
    if rng.random() < 0.06:
        return huge_pooling_axis(rng, size)
    while True:
        window, dilation = rng.randint(1, 4), rng.choice((1, 1, 2, 3))
        start, end = (rng.choice((0, 0, 0, 1, 1, 2, rng.randint(0, 6))) for _ in range(2))
        if (window - 1) * dilation + 1 <= size + start + end:
            return window, rng.choice((1, 1, 2, 3, 5)), start, end, dilation


def pooling_description(entries, rng, count, most):
    """(input sizes, output sizes, geometry); floor and ceil sizes are mixed axis by axis."""
    while True:
        batch, channels = rng.choice((1, 1, 2)), rng.choice((1, 1, 2, 3))
        sizes = (batch, channels) + elements.random_sizes(rng, count - 2, most // (batch * channels))
        make_axis = rng.choice((pooling_axis, overlapping_pooling_axis))
        geometry = tuple(zip(*(make_axis(rng, n) for n in sizes[2:])))
        allowed = entries.reference.pool_sizes(sizes, *geometry)
        out_sizes = sizes[:2] + tuple(rng.choice(pair) for pair in allowed)
        if math.prod(out_sizes) <= most and max(sizes[2:]) > 1:
            return sizes, out_sizes, geometry


def pooling_cases(entries, rng, types, most_bytes):
    for name, (count, dtype) in numbered(list(itertools.product((4, 5), types)), 80):
        sizes, out_sizes, geometry = pooling_description(entries, rng, count, most_bytes // np.dtype(dtype).itemsize)
        x = elements.random_array(rng, dtype, sizes, rng.choice((TIES, MOSTLY_TIES, ORDINARY, ANYTHING)))
        yield name, x, out_sizes, geometry


def max_pooling_grad(entries, rng):
    for name, x, out_sizes, geometry in pooling_cases(entries, rng, FLOATS, 480):
        style = rng.choice((ORDINARY, TIES, WIDE, MOSTLY_ORDINARY, MOSTLY_ORDINARY, ANYTHING))
        gradient = elements.random_array(rng, x.dtype, out_sizes, style)
        yield entries.max_pooling_grad(name, x, gradient, geometry)


def max_pooling2(entries, rng):
    """Indices in turn: UINT64 and UINT32, every type meets both; every eleventh entry has none."""
    for number, (name, x, out_sizes, geometry) in enumerate(pooling_cases(entries, rng, FLOATS + INTEGERS, 240)):
        turn = number + number // 10
        index_type = None if number % 11 == 5 else (np.uint64, np.uint32)[turn % 2]
        yield entries.max_pooling2(name, x, out_sizes, geometry, index_type)


# ------------------------------------------------------------------ sums of products

PRODUCT_STYLES = (ORDINARY, ORDINARY, TIES, WIDE, MOSTLY_ORDINARY)


def gemm(entries, rng):
    """Every tenth has more than 512 terms, so that chains are cut."""
    for name, (count, dtype) in numbered(list(itertools.product((2, 3, 4), FLOATS)), 72):
        number = int(name[-3:])
        m, n, k = (rng.randint(1, 9) for _ in range(3))
        if number % 10 == 9:
            m, n, k = 1, rng.randint(1, 2), rng.choice((511, 512, 513, 1030))
        lead = elements.random_sizes(rng, count - 2, 4) if count > 2 else ()
        trans_a, trans_b = rng.randrange(2), rng.randrange(2)
        style = rng.choice(PRODUCT_STYLES)
        a = elements.random_array(rng, dtype, lead + ((k, m) if trans_a else (m, k)), style)
        b = elements.random_array(rng, dtype, lead + ((n, k) if trans_b else (k, n)), style)
        c = elements.random_array(rng, dtype, lead + (m, n), style) if rng.randrange(2) else None
        yield entries.gemm(name, a, b, c, dict(
            trans_a=trans_a, trans_b=trans_b, alpha=rng.choice((1, 1, 0.3, -2, 0)),
            beta=rng.choice((1, -0.7, 0))))


def convolution_axis(rng, backward, most):
    """(input size, window, output size, (stride, dilation, start, end, output padding)) of one axis."""
    while True:
        image, window = rng.randint(1, most), rng.randint(1, 4)
        stride, dilation = rng.choice((1, 1, 2, 3)), rng.choice((1, 1, 2, 3))
        start, end = (rng.choice((0, 0, 1, 2, 4)) for _ in range(2))
        span, padded = (window - 1) * dilation + 1, image + start + end
        if span > padded:
            continue
        out_pad = rng.choice((0, 0, 0, 1, 2))
        map_size = rng.randint(1, (padded - span) // stride + 1)   # often cropped (B71)
        if rng.randrange(3):
            map_size = (padded - span) // stride + 1
        sizes = (map_size, window, image + out_pad) if backward else (image, window, map_size + out_pad)
        return sizes + ((stride, dilation, start, end, out_pad),)


def convolution(entries, rng):
    cases = list(itertools.product((1, 2, 3), FLOATS, (0, 1), (0, 1)))
    for name, (axes, dtype, direction, mode) in numbered(cases, 96):
        most, most_channels = (12, 6, 4)[axes - 1], (4, 3, 2)[axes - 1]
        groups, of_input, of_output = rng.choice((1, 1, 2)), rng.randint(1, most_channels), rng.randint(1, 3)
        if int(name[-3:]) % 12 == 11 and axes == 1:
            groups, of_input, of_output, most = 1, 260, 1, 3      # more than 512 terms
        sizes_in, window, sizes_out, attributes = zip(*(convolution_axis(rng, direction, most) for _ in range(axes)))
        batch = rng.choice((1, 2))
        x_sizes = (batch, groups * of_input) + sizes_in
        y_sizes = (batch, groups * of_output) + sizes_out
        w_sizes = ((x_sizes[1], of_output) if direction else (y_sizes[1], of_input)) + window
        style = rng.choice(PRODUCT_STYLES)
        x, w = (elements.random_array(rng, dtype, sizes, style) for sizes in (x_sizes, w_sizes))
        bias = elements.random_array(rng, dtype, (1, y_sizes[1]) + (1,) * axes, style) if rng.randrange(2) else None
        strides, dilations, start, end, out_pad = zip(*attributes)
        yield entries.convolution(name, x, w, bias, y_sizes, dict(
            mode=mode, direction=direction, strides=strides, dilations=dilations, start=start, end=end,
            out_pad=out_pad, groups=groups))
