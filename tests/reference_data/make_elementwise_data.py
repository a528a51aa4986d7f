#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Writes element_wise.json, element_wise_bits.json and dynamic_quantize_linear.json, in the format of make_reference_data.py: what another program, which
was written from the pages in NumPy and mpmath and is not in this repository, makes of random
elements in every element-wise operator of its list.

    python3 make_elementwise_data.py REFERENCE_PY OUTPUT_FOLDER
"""
import importlib.util
import json
import pathlib
import random
import struct
import sys

import numpy as np

FLOATS = (np.float32, np.float16)
SIGNED = (np.int8, np.int16, np.int32, np.int64)
UNSIGNED = (np.uint8, np.uint16, np.uint32, np.uint64)
ALL = FLOATS + SIGNED + UNSIGNED
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, 88.5, -103.5, float('inf'), float('-inf'), float('nan'),
           1e-42, 3.0, -17.25, 1e-5)
COUNT = 40


def load_module(path):
    specification = importlib.util.spec_from_file_location('reference', path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def elements(generator, dtype, moderate):
    """Specials, random bits and numbers of a moderate size."""
    kind, size = np.dtype(dtype).kind, np.dtype(dtype).itemsize
    values = []
    for _ in range(COUNT):
        choice = generator.random()
        if kind == 'f' and choice < 0.3:
            values.append(dtype(generator.choice(SPECIAL)))
        elif kind == 'f' and choice < 0.8:
            values.append(dtype(generator.uniform(-moderate, moderate)))
        elif kind != 'f' and choice < 0.4:
            info = np.iinfo(dtype)
            values.append(dtype(generator.choice((info.min, info.max, 0, 1, 2, info.max - 1))))
        else:
            raw = generator.getrandbits(8 * size).to_bytes(size, 'little')
            values.append(np.frombuffer(raw, dtype)[0])
    return np.array(values, dtype)


def to_hex(array):
    result = array.copy()
    if result.dtype.kind == 'f':
        result[np.isnan(result)] = np.nan
    return result.astype(result.dtype.newbyteorder('<')).tobytes().hex()


class Entries:
    def __init__(self, reference):
        self.generator = random.Random('AnyDML element-wise')
        self.type_names = {np.dtype(t): name for name, t in reference.TYPES.items()}
        self.entries = []

    def add(self, operator, tensors, attributes):
        fields = {key: {'DataType': self.type_names[array.dtype], 'Sizes': [len(array)]}
                  for key, array in tensors.items()}
        fields.update(attributes)
        self.entries.append({'name': 'random_%03d' % len(self.entries), 'operator': operator,
                             'fields': fields,
                             'data': {key: to_hex(array) for key, array in tensors.items()}})

    def elements(self, dtype, moderate=30.0):
        return elements(self.generator, dtype, moderate)


def float32(value):
    return struct.unpack('<f', struct.pack('<f', value))[0]


def make(reference):
    r, made = reference, Entries(reference)
    for name, function, types in (
            ('ADD', r.add, ALL), ('SUBTRACT', r.subtract, ALL), ('MULTIPLY', r.multiply, ALL),
            ('DIVIDE', r.divide, ALL), ('MAX', r.maximum, ALL), ('MIN', r.minimum, ALL)):
        for dtype in types:
            a, b = made.elements(dtype), made.elements(dtype)
            made.add('ELEMENT_WISE_' + name,
                     {'ATensor': a, 'BTensor': b, 'OutputTensor': function(a, b)}, {})
    for name, function in (
            ('EQUALS', r.equals), ('GREATER_THAN', r.greater_than), ('LESS_THAN', r.less_than),
            ('GREATER_THAN_OR_EQUAL', r.greater_than_or_equal),
            ('LESS_THAN_OR_EQUAL', r.less_than_or_equal)):
        for dtype in ALL:
            a, b = made.elements(dtype), made.elements(dtype)
            b[::3] = a[::3]
            for out in (np.uint8, np.uint32):
                made.add('ELEMENT_WISE_LOGICAL_' + name,
                         {'ATensor': a, 'BTensor': b, 'OutputTensor': function(a, b, out)}, {})
    for dtype in ALL + (np.float64,):
        condition, a, b = made.elements(np.uint8), made.elements(dtype), made.elements(dtype)
        a, b = (np.where(v != v, dtype(1), v).astype(dtype) for v in (a, b))
        made.add('ELEMENT_WISE_IF', {'ConditionTensor': condition, 'ATensor': a, 'BTensor': b,
                                     'OutputTensor': r.if_(condition, a, b)}, {})
        for to in ALL + (np.float64,):
            x = made.elements(dtype, 300.0)
            made.add('CAST', {'InputTensor': x,
                              'OutputTensor': np.array([r.cast(v, to) for v in x], to)}, {})
    for dtype in FLOATS + SIGNED:
        x = made.elements(dtype)
        x = np.where(x != x, dtype(1), x).astype(dtype)
        made.add('ELEMENT_WISE_NEGATE', {'InputTensor': x, 'OutputTensor': r.negate(x)}, {})
        made.add('ELEMENT_WISE_ABS', {'InputTensor': x, 'OutputTensor': r.absolute(x)}, {})
    for name, function in (('RECIP', r.recip), ('SQRT', r.sqrt), ('EXP', r.exp), ('LOG', r.log),
                           ('ERF', r.erf), ('TANH', r.tanh)):
        for dtype in FLOATS:
            for pair in (None, (float32(1.3), float32(-0.7))):
                x = made.elements(dtype, 5.0)
                scale = {} if pair is None else {'ScaleBias': {'Scale': pair[0], 'Bias': pair[1]}}
                made.add('ELEMENT_WISE_' + name,
                         {'InputTensor': x, 'OutputTensor': function(x, pair)}, scale)
    alpha, beta = float32(1.7), float32(-0.4)
    for name, function, names in (
            ('LINEAR', r.linear, ('Alpha', 'Beta')), ('ELU', r.elu, ('Alpha',)),
            ('CELU', r.celu, ('Alpha',)), ('SCALED_ELU', r.scaled_elu, ('Alpha', 'Gamma')),
            ('LEAKY_RELU', r.leaky_relu, ('Alpha',)), ('GELU', r.gelu, ()),
            ('HARD_SIGMOID', r.hard_sigmoid, ('Alpha', 'Beta')),
            ('SCALED_TANH', r.scaled_tanh, ('Alpha', 'Beta')), ('SIGMOID', r.sigmoid, ()),
            ('SOFTSIGN', r.softsign, ()), ('TANH', r.tanh, ()),
            ('THRESHOLDED_RELU', r.thresholded_relu, ('Alpha',))):
        for dtype in FLOATS:
            x = made.elements(dtype, 5.0)
            values = (alpha, beta)[:len(names)]
            made.add('ACTIVATION_' + name,
                     {'InputTensor': x, 'OutputTensor': function(x, *values)},
                     dict(zip(names, values)))
    make_functions(reference, made)
    return made.entries


NARROW = SIGNED[:3] + UNSIGNED[:3]


def make_bits(reference):
    """Operators of one rounding or none."""
    r, made = reference, Entries(reference)

    def binary(name, function, types, keys=('ATensor', 'BTensor'), prefix='ELEMENT_WISE_'):
        for dtype in types:
            a, b = made.elements(dtype), made.elements(dtype)
            made.add(prefix + name, {keys[0]: a, keys[1]: b, 'OutputTensor': function(a, b)}, {})

    def unary(name, function, types, attributes, prefix='ELEMENT_WISE_'):
        for dtype in types:
            x = made.elements(dtype, 5.0)
            if name == 'BIT_COUNT':
                x = np.where(x != x, dtype(1), x).astype(dtype)
            made.add(prefix + name, {'InputTensor': x, 'OutputTensor': function(x)}, attributes)

    binary('MODULUS_TRUNCATE', r.modulus_truncate, ALL)
    binary('MODULUS_FLOOR', r.modulus_floor, ALL)
    wide = FLOATS + (np.int32, np.uint32)
    binary('MEAN', r.mean, wide)
    binary('DIFFERENCE_SQUARE', r.difference_square, wide)
    for name in ('AND', 'OR', 'XOR'):
        binary('LOGICAL_' + name, getattr(r, 'logical_' + name.lower()), (np.uint32, np.uint8))
        binary('BIT_' + name, getattr(r, 'bit_' + name.lower()), SIGNED + UNSIGNED)
    binary('BIT_SHIFT_LEFT', r.bit_shift_left, UNSIGNED)
    binary('BIT_SHIFT_RIGHT', r.bit_shift_right, UNSIGNED)
    binary('PARAMETERIZED_RELU', r.parameterized_relu, FLOATS + SIGNED[:3],
           ('InputTensor', 'SlopeTensor'), 'ACTIVATION_')
    unary('LOGICAL_NOT', r.logical_not, (np.uint32, np.uint8), {})
    unary('BIT_NOT', r.bit_not, SIGNED + UNSIGNED, {})
    unary('SIGN', r.sign, ALL, {})
    for scale in ({}, {'ScaleBias': {'Scale': float32(1.3), 'Bias': float32(-0.7)}}):
        pair = tuple(scale['ScaleBias'].values()) if scale else None
        unary('CEIL', lambda x, p=pair: r.ceil(x, p), FLOATS, scale)
        unary('FLOOR', lambda x, p=pair: r.floor(x, p), FLOATS, scale)
        for least in (float32(1.7), float32(-2.6)):
            unary('THRESHOLD', lambda x, p=pair, m=least: r.threshold(x, m, p), FLOATS + NARROW,
                  dict(scale, Min=least))
    for mode in ('HALVES_TO_NEAREST_EVEN', 'TOWARD_ZERO', 'TOWARD_INFINITY'):
        unary('ROUND', lambda x, m=mode: r.round_(x, m), FLOATS, {'RoundingMode': mode})
    for bias, limit in ((float32(0.3), float32(0.75)), (float32(-2.5), float32(-1))):
        unary('SHRINK', lambda x, b=bias, t=limit: r.shrink(x, b, t), FLOATS + NARROW,
              {'Bias': bias, 'Threshold': limit}, 'ACTIVATION_')
    alpha, beta = float32(0.4), float32(0.3)
    unary('HARD_SWISH', lambda x: r.hard_swish(x, alpha, beta), FLOATS,
          {'Alpha': alpha, 'Beta': beta}, 'ACTIVATION_')
    for out in (np.uint8, np.uint32):
        unary('IS_NAN', lambda x, o=out: r.is_nan(x, o), FLOATS, {})
        unary('BIT_COUNT', lambda x, o=out: r.bit_count(x, o), ALL + (np.float64,), {})
    for mode in ('EITHER', 'POSITIVE', 'NEGATIVE'):
        unary('IS_INFINITY', lambda x, m=mode: r.is_infinity(x, m), FLOATS, {'InfinityMode': mode})

    def quantized(name, x, scale, zero, output):
        tensors = {'InputTensor': x, 'ScaleTensor': scale}
        if zero is not None:
            tensors['ZeroPointTensor'] = zero
        made.add('ELEMENT_WISE_' + name, dict(tensors, OutputTensor=output), {})

    for has_zero in (False, True):
        for out in (np.uint8, np.int8) if has_zero else (np.uint8,):
            for dtype in FLOATS + (np.int32,):
                x = made.elements(dtype, 300.0)
                scale = made.elements(np.float16 if dtype is np.float16 else np.float32, 3.0)
                zero = made.elements(out) if has_zero else None
                quantized('QUANTIZE_LINEAR', x, scale, zero, r.quantize_linear(x, scale, zero, out))
        for dtype in NARROW:
            for floats in FLOATS:
                x, scale = made.elements(dtype), made.elements(floats)
                zero = made.elements(dtype) if has_zero else None
                quantized('DEQUANTIZE_LINEAR', x, scale, zero, r.dequantize_linear(x, scale, zero))
    return made.entries


def make_functions(r, made):
    """The exact functions that came later."""
    for name, function in (('SIN', r.sin), ('COS', r.cos), ('TAN', r.tan), ('ASIN', r.asin), ('ACOS', r.acos),
                           ('ATAN', r.atan), ('SINH', r.sinh), ('COSH', r.cosh), ('ASINH', r.asinh),
                           ('ACOSH', r.acosh), ('ATANH', r.atanh)):
        for dtype in FLOATS:
            for pair in (None, (float32(0.3), float32(-0.7))):
                x = made.elements(dtype, 3.0)
                scale = {} if pair is None else {'ScaleBias': {'Scale': pair[0], 'Bias': pair[1]}}
                made.add('ELEMENT_WISE_' + name,
                         {'InputTensor': x, 'OutputTensor': function(x, pair)}, scale)
    for name, function, names, values in (
            ('SOFTPLUS', r.softplus, ('Steepness',), (1.7,)), ('SWISH', r.swish, ('SigmoidInputScale',), (1.7,)),
            ('PARAMETRIC_SOFTPLUS', r.parametric_softplus, ('Alpha', 'Beta'), (1.7, -0.4))):
        for dtype in FLOATS:
            x, values = made.elements(dtype, 5.0), [float32(value) for value in values]
            made.add('ACTIVATION_' + name, {'InputTensor': x, 'OutputTensor': function(x, *values)},
                     dict(zip(names, values)))
    narrow = FLOATS + SIGNED[:3] + UNSIGNED[:3]
    for dtype in FLOATS:
        y, x = made.elements(dtype), made.elements(dtype)
        made.add('ELEMENT_WISE_ATAN_YX', {'ATensor': y, 'BTensor': x, 'OutputTensor': r.atan_yx(y, x)}, {})
        for exponent in (0.5, -2.0, float32(1.3)):
            x = made.elements(dtype)
            made.add('ELEMENT_WISE_CONSTANT_POW', {'InputTensor': x, 'OutputTensor': r.constant_pow(x, exponent)},
                     {'Exponent': exponent})
    for dtype in narrow:
        for of in narrow:
            x, e = made.elements(dtype), made.elements(of, 4.0)
            made.add('ELEMENT_WISE_POW', {'InputTensor': x, 'ExponentTensor': e, 'OutputTensor': r.power(x, e)}, {})
        pair = (float32(1.3), float32(-0.7))
        made.add('ELEMENT_WISE_POW', {'InputTensor': x, 'ExponentTensor': e, 'OutputTensor': r.power(x, e, pair)},
                 {'ScaleBias': {'Scale': pair[0], 'Bias': pair[1]}})


def make_quantizations(reference):
    """By the range of all elements."""
    made = Entries(reference)
    ranges = ((-1, 1), (-300, 2), (0.25, 7), (-9, -3), (-1e-6, 3e-6), (0, 0), (-6e4, 6e4))
    for dtype in FLOATS:
        for out in (np.uint8, np.int8):
            for low, high in ranges:
                for special in (None, 'inf', '-inf', 'nan')[:4 if low == -1 else 1]:
                    x = np.array([made.generator.uniform(low, high) for _ in range(COUNT)], dtype)
                    if special:
                        x[made.generator.randrange(COUNT)] = float(special)
                    y, scale, zero = reference.dynamic_quantize_linear(x, out)
                    made.add('DYNAMIC_QUANTIZE_LINEAR', {
                        'InputTensor': x, 'OutputTensor': y, 'OutputScaleTensor': np.array([scale], 'f4'),
                        'OutputZeroPointTensor': np.array([zero], out)}, {})
    return made.entries


def main():
    np.seterr(all='ignore')
    reference = load_module(sys.argv[1])
    for name, entries in (('element_wise', make(reference)),
                          ('element_wise_bits', make_bits(reference)),
                          ('dynamic_quantize_linear', make_quantizations(reference))):
        lines = ',\n'.join(json.dumps(entry, separators=(',', ':')) for entry in entries)
        path = pathlib.Path(sys.argv[2]) / (name + '.json')
        path.write_text('[\n' + lines + '\n]\n', encoding='ascii')


main()
