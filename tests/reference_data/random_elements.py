# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Random sizes and random tensor elements, the awkward ones included.

Elements are made as bit patterns, so that no conversion changes the payload of a NaN.
"""
import math

import numpy as np

FLOAT_LAYOUT = {2: (5, 10), 4: (8, 23), 8: (11, 52)}      # bytes: (exponent bits, mantissa bits)

# How a tensor is filled: kind of element and its weight.
ANYTHING = {'special': 3, 'random_bits': 2, 'ordinary': 3, 'small': 2}
TIES = {'small': 1}
ORDINARY = {'ordinary': 1}
MOSTLY_ORDINARY = {'ordinary': 20, 'small': 10, 'special': 1}
MOSTLY_TIES = {'small': 8, 'special': 1}
WIDE = {'finite': 1}


def random_sizes(rng, count, most):
    """`count` sizes whose product is at most `most`; often some of them are 1."""
    target = rng.randint(max(1, most // 4), most)
    growing = rng.sample(range(count), rng.randint((count + 1) // 2, count))
    sizes = [1] * count
    for _ in range(3 * target):
        axis = rng.choice(growing)
        if math.prod(sizes) // sizes[axis] * (sizes[axis] + 1) <= target:
            sizes[axis] += 1
    return tuple(sizes)


def special_floats(size):
    """Zeros, subnormals, the ends of the normal range, ones, infinities and NaNs, as bits."""
    exponent, mantissa = FLOAT_LAYOUT[size]
    infinity = ((1 << exponent) - 1) << mantissa
    one = ((1 << (exponent - 1)) - 1) << mantissa
    quiet = infinity | 1 << (mantissa - 1)
    positive = [0, 1, (1 << mantissa) - 1, 1 << mantissa, one, one + 1, infinity - 1, infinity,
                quiet, quiet | 0x55, infinity | 0x2A, infinity | ((1 << mantissa) - 1)]
    return positive + [p | 1 << (8 * size - 1) for p in positive]


def special_integers(size):
    half = 1 << (8 * size - 1)
    return [0, 1, half - 1, half, half + 1, 2 * half - 2, 2 * half - 1]


def ordinary_float(rng, size):
    exponent, mantissa = FLOAT_LAYOUT[size]
    bias = (1 << (exponent - 1)) - 1
    return (rng.getrandbits(1) << (exponent + mantissa) | (bias + rng.randint(-4, 3)) << mantissa
            | rng.getrandbits(mantissa))


def finite_float(rng, size):
    exponent, mantissa = FLOAT_LAYOUT[size]
    return (rng.getrandbits(1) << (exponent + mantissa) | rng.randrange((1 << exponent) - 1) << mantissa
            | rng.getrandbits(mantissa))


def bits_of(value, dtype):
    """The bits of a number that the type represents."""
    array = np.array(value, dtype)
    return int(array.view('u%d' % array.dtype.itemsize)[()])


def element_bits(rng, dtype, kind):
    size, is_float = dtype.itemsize, dtype.kind == 'f'
    if kind == 'special':
        return rng.choice(special_floats(size) if is_float else special_integers(size))
    if kind == 'small':
        return bits_of(rng.randint(0 if dtype.kind == 'u' else -3, 3), dtype)
    if kind == 'ordinary' and is_float:
        return ordinary_float(rng, size)
    if kind == 'finite' and is_float:
        return finite_float(rng, size)
    return rng.getrandbits(8 * size)


def array_of_bits(pattern, dtype, sizes):
    return np.array(pattern, 'u%d' % dtype.itemsize).view(dtype).reshape(sizes)


def random_array(rng, dtype, sizes, style):
    dtype = np.dtype(dtype)
    kinds = rng.choices(list(style), weights=list(style.values()), k=math.prod(sizes))
    return array_of_bits([element_bits(rng, dtype, kind) for kind in kinds], dtype, sizes)


def random_array_near(rng, dtype, sizes, values):
    """Half of the elements are one of `values` or its neighbours in bits, the others anything."""
    dtype = np.dtype(dtype)
    array = random_array(rng, dtype, sizes, ANYTHING)
    flat = array.reshape(-1).view('u%d' % dtype.itemsize)
    for i in range(flat.size):
        if rng.random() < 0.5:
            near = bits_of(rng.choice(values), dtype) + rng.choice((-1, 0, 0, 1))
            flat[i] = near % (1 << 8 * dtype.itemsize)
    return flat.view(dtype).reshape(sizes)
