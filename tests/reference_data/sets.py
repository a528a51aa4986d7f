# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Entries of reductions, softmaxes, running sums and normalizations: random descriptions with the
results of compute_reference.py and training_reference.py, which lie beside the reference."""
import itertools

import numpy as np

import random_elements as elements
from random_descriptions import FLOATS, numbered
from random_elements import MOSTLY_ORDINARY, ORDINARY, TIES
from reference_entries import DIRECTIONS, canonical_nan

OPERATORS = ('reduce', 'argmax', 'activation_softmax1', 'activation_log_softmax1',
             'cumulative_summation', 'cumulative_product', 'batch_normalization_training',
             'batch_normalization_training_grad', 'mean_variance_normalization2')
FUNCTIONS = ('ARGMAX', 'ARGMIN', 'AVERAGE', 'L1', 'L2', 'LOG_SUM', 'LOG_SUM_EXP', 'MAX', 'MIN',
             'MULTIPLY', 'SUM', 'SUM_SQUARE')      # index = DML_REDUCE_FUNCTION
INTEGERS_OF = {0: (np.int8, np.uint16, np.int64), 1: (np.uint8, np.int32), 7: (np.int16, np.uint64),
               8: (np.uint8, np.int64), 3: (np.int32, np.int64), 9: (np.int32, np.uint64),
               10: (np.uint32, np.int64), 11: (np.int32, np.uint32)}
STYLES = (ORDINARY, TIES, MOSTLY_ORDINARY)


def f32(value):
    return float(np.float32(value))


def axes_of(rng, count):
    return rng.sample(range(count), rng.randint(0, count))


def axis_fields(axes):
    return {'AxisCount': len(axes), 'Axes': axes}


def shape(rng, name, count, most=200):
    """Every seventh has more than 128 elements along one axis."""
    if int(name[-3:]) % 7 == 6:
        sizes = [1] * count
        sizes[rng.randrange(count)] = rng.choice((127, 129, 300))
        return tuple(sizes)
    return tuple(elements.random_sizes(rng, count, most))


def reduce(entries, compute, _, rng):
    types = [(f, t) for f in range(12) for t in FLOATS + INTEGERS_OF.get(f, ())]
    for name, (function, dtype) in numbered(types, 96):
        sizes = shape(rng, name, rng.randint(1, 5))
        axes = axes_of(rng, len(sizes))
        x = elements.random_array(rng, dtype, sizes, rng.choice(STYLES))
        fields = {'Function': FUNCTIONS[function]}
        entry = entries.entry(name, 'REDUCE', {'InputTensor': canonical_nan(x), 'OutputTensor': canonical_nan(
            compute.ordered_reduce(canonical_nan(x), function, axes))}, axis_fields(axes))
        entry['fields'] = {**fields, **entry['fields']}
        yield entry


def argmax(entries, compute, _, rng):
    for name, (dtype, direction) in numbered(list(itertools.product(FLOATS + (np.int32, np.uint8), (0, 1))), 32):
        sizes = shape(rng, name, rng.randint(1, 4))
        axes = axes_of(rng, len(sizes))
        x = canonical_nan(elements.random_array(rng, dtype, sizes, rng.choice(STYLES)))
        yield entries.entry(name, 'ARGMAX', {
            'InputTensor': x, 'OutputTensor': compute.arg(x, axes, True, direction)},
            {**axis_fields(axes), 'AxisDirection': DIRECTIONS[direction]})


def softmaxes(operator, kind):
    def make(entries, compute, _, rng):
        for name, dtype in numbered(FLOATS, 32):
            sizes = shape(rng, name, rng.randint(1, 4), 100)
            axes = axes_of(rng, len(sizes))
            x = canonical_nan(elements.random_array(rng, dtype, sizes, rng.choice(STYLES)))
            yield entries.entry(name, operator, {
                'InputTensor': x, 'OutputTensor': canonical_nan(compute.ordered_softmax(x, axes, kind))},
                axis_fields(axes))
    return make


def scans(operator, exclusive_field, product):
    def make(entries, _, training, rng):
        for name, (dtype, direction, exclusive) in numbered(
                list(itertools.product(FLOATS + (np.int32, np.uint64), (0, 1), (False, True))), 32):
            sizes = shape(rng, name, rng.randint(1, 4))
            axis = rng.randrange(len(sizes))
            x = canonical_nan(elements.random_array(rng, dtype, sizes, rng.choice(STYLES)))
            result = training.ordered_cumulative(x, axis, direction, exclusive, product)
            yield entries.entry(name, operator, {'InputTensor': x, 'OutputTensor': canonical_nan(result)}, {
                'Axis': axis, 'AxisDirection': DIRECTIONS[direction], exclusive_field: exclusive})
    return make


def parameter_sizes(rng, sizes):
    return tuple(n if rng.randrange(2) else 1 for n in sizes)


def batch_normalization_training(entries, _, training, rng):
    for name, dtype in numbered(FLOATS, 32):
        sizes = shape(rng, name, rng.randint(1, 4))
        small = parameter_sizes(rng, sizes)
        x, add = (elements.random_array(rng, dtype, sizes, ORDINARY) for _ in range(2))
        scale, bias = (elements.random_array(rng, dtype, small, ORDINARY) for _ in range(2))
        adds, epsilon = rng.randrange(2), rng.choice((1e-5, 0.5))
        y, mean, variance = training.ordered_batch_normalization_training(
            x, scale, bias, epsilon, add if adds else None)
        tensors = {'InputTensor': x, 'ScaleTensor': scale, 'BiasTensor': bias}
        if adds:
            tensors['FusedAddTensor'] = add
        tensors.update(OutputTensor=canonical_nan(y), OutputMeanTensor=canonical_nan(mean),
                       OutputVarianceTensor=canonical_nan(variance))
        yield entries.entry(name, 'BATCH_NORMALIZATION_TRAINING', tensors, {'Epsilon': f32(epsilon)})


def batch_normalization_training_grad(entries, _, training, rng):
    for name, dtype in numbered(FLOATS, 32):
        sizes = shape(rng, name, rng.randint(1, 4))
        small = parameter_sizes(rng, sizes)
        x, dy = (elements.random_array(rng, dtype, sizes, ORDINARY) for _ in range(2))
        mean, scale = (elements.random_array(rng, dtype, small, ORDINARY) for _ in range(2))
        variance = np.abs(elements.random_array(rng, dtype, small, ORDINARY))
        dx, dscale, dbias = training.ordered_batch_normalization_grad(x, dy, mean, variance, scale, 0.5, True)
        yield entries.entry(name, 'BATCH_NORMALIZATION_TRAINING_GRAD', {
            'InputTensor': x, 'InputGradientTensor': dy, 'MeanTensor': mean, 'VarianceTensor': variance,
            'ScaleTensor': scale, 'OutputGradientTensor': canonical_nan(dx),
            'OutputScaleGradientTensor': canonical_nan(dscale), 'OutputBiasGradientTensor': canonical_nan(dbias)},
            {'Epsilon': 0.5})


def mean_variance_normalization2(entries, _, training, rng):
    for name, (dtype, use_mean, use_variance) in numbered(
            list(itertools.product(FLOATS, (True, False), (True, False))), 32):
        sizes = shape(rng, name, rng.randint(1, 4))
        axes = axes_of(rng, len(sizes))
        x = elements.random_array(rng, dtype, sizes, ORDINARY)
        scale, bias = (elements.random_array(rng, dtype, parameter_sizes(rng, sizes), ORDINARY)
                       if rng.randrange(3) else None for _ in range(2))
        y = training.ordered_mean_variance_normalization2(x, scale, bias, axes, use_mean, use_variance, 0.25)
        tensors = {'InputTensor': x}
        if scale is not None:
            tensors['ScaleTensor'] = scale
        if bias is not None:
            tensors['BiasTensor'] = bias
        tensors['OutputTensor'] = canonical_nan(y)
        yield entries.entry(name, 'MEAN_VARIANCE_NORMALIZATION2', tensors, {
            **axis_fields(axes), 'UseMean': use_mean, 'UseVariance': use_variance, 'Epsilon': 0.25})


activation_softmax1 = softmaxes('ACTIVATION_SOFTMAX1', 'softmax')
activation_log_softmax1 = softmaxes('ACTIVATION_LOG_SOFTMAX1', 'log_softmax')
cumulative_summation = scans('CUMULATIVE_SUMMATION', 'HasExclusiveSum', False)
cumulative_product = scans('CUMULATIVE_PRODUCT', 'HasExclusiveProduct', True)
