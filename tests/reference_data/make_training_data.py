#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Writes the JSON files of average pooling, Adam, gathers, scatters, the
greatest elements, coordinates, one-hot vectors, sequences, diagonals, scaled values, random words,
paddings, tiles, blocks and reversed sequences.

    python3 make_training_data.py TRAINING_REFERENCE_PY COMPUTE_REFERENCE_PY OUTPUT_FOLDER

As make_reference_data.py, whose format they have; the two programs, which are not in this
repository either, define the results of these operators to the bit. The seeds are fixed.
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import argparse
import pathlib
import random

import numpy as np

from make_reference_data import load_module, write_json
from reference_entries import canonical_nan, int_list, to_hex

TYPES = {'f4': 'FLOAT32', 'f2': 'FLOAT16', 'f8': 'FLOAT64', 'i8': 'INT64', 'i4': 'INT32', 'i2': 'INT16',
         'i1': 'INT8', 'u8': 'UINT64', 'u4': 'UINT32', 'u2': 'UINT16', 'u1': 'UINT8'}


def type_name(array):
    return TYPES[np.asarray(array).dtype.str[1:]]


def entry(name, operator, tensors, attributes):
    fields = {key: {'DataType': type_name(a), 'Sizes': int_list(a.shape)} for key, a in tensors.items()}
    return {'name': name, 'operator': operator, 'fields': {**fields, **attributes},
            'data': {key: to_hex(np.ascontiguousarray(a)) for key, a in tensors.items()}}


def floats(generator, sizes, dtype):
    """Numbers of many magnitudes, zeros of both signs and an infinity now and then."""
    values = np.array([generator.choice([generator.gauss(0, 1), generator.gauss(0, 100), 0.0, -0.0,
                                         generator.gauss(0, 1) * 2.0 ** generator.randint(-20, 12)])
                       for _ in range(int(np.prod(sizes)))])
    if generator.random() < .1:
        values[generator.randrange(len(values))] = float('inf')
    with np.errstate(over='ignore'):
        return values.astype(dtype).reshape(sizes)


def pooling(generator, dilated):
    """(large sizes, small sizes, window, strides, start, end, dilations)"""
    while True:
        axes = generator.choice([2, 2, 2, 3])
        sizes = [generator.randint(1, 3), generator.randint(1, 4)]
        sizes += [generator.randint(1, 9 if axes == 2 else 5) for _ in range(axes)]
        window = [generator.choice([1, 2, 2, 3, 3, 4, 9]) for _ in range(axes)]
        strides = [generator.randint(1, 3) for _ in range(axes)]
        dilations = [generator.randint(1, 2) if dilated else 1 for _ in range(axes)]
        start = [generator.randint(0, 2) for _ in range(axes)]
        end = [generator.randint(0, 2) for _ in range(axes)]
        small = []
        for n, w, s, d, a, b in zip(sizes[2:], window, strides, dilations, start, end):
            room = n + a + b - ((w - 1) * d + 1)
            if room < 0:
                break
            small.append(generator.choice([room // s, -(-room // s)]) + 1)
        if len(small) == axes:
            return sizes, sizes[:2] + small, window, strides, start, end, dilations


def window_fields(window, strides, start, end):
    return {'DimensionCount': len(window), 'Strides': strides, 'WindowSize': window,
            'StartPadding': start, 'EndPadding': end}


def average_pooling1(training, _, generator):
    for i in range(70):
        sizes, small, window, strides, start, end, dilations = pooling(generator, True)
        include = generator.random() < .5
        x = floats(generator, sizes, generator.choice(['f4', 'f2']))
        y = training.ordered_average_pooling1(x, window, strides, start, end, dilations, include, small)
        yield entry('random_%03d' % i, 'AVERAGE_POOLING1', {'InputTensor': x, 'OutputTensor': canonical_nan(y)},
                    {**window_fields(window, strides, start, end), 'Dilations': dilations,
                     'IncludePadding': include})


def average_pooling_grad(training, _, generator):
    for i in range(70):
        sizes, small, window, strides, start, end, _ = pooling(generator, False)
        include = generator.random() < .5
        dy = floats(generator, small, generator.choice(['f4', 'f2']))
        dx = training.ordered_average_pooling_grad(dy, sizes, window, strides, start, end, include)
        yield entry('random_%03d' % i, 'AVERAGE_POOLING_GRAD',
                    {'InputGradientTensor': dy, 'OutputGradientTensor': canonical_nan(dx)},
                    {**window_fields(window, strides, start, end), 'IncludePadding': include})


def adam_optimizer(training, _, generator):
    for i in range(40):
        sizes = [generator.randint(1, 7) for _ in range(generator.randint(1, 3))]
        dtype = generator.choice(['f4', 'f4', 'f2'])
        x, m, v, g = (floats(generator, sizes, dtype) for _ in range(4))
        v = np.abs(v) if generator.random() < .8 else v
        step = np.array([generator.choice([0, 1, 2, 3, 10, 1000, 123456, 2 ** 32 - 1])], 'u4')
        numbers = [float(np.float32(generator.choice(choices))) for choices in
                   ([.001, .125, 1], [.9, .5, 0], [.999, .75, 1], [1e-8, 0, .5])]
        new = training.ordered_adam(x, m, v, g, step[0], *map(np.float32, numbers))
        names = ['InputParametersTensor', 'InputFirstMomentTensor', 'InputSecondMomentTensor',
                 'GradientTensor', 'TrainingStepTensor', 'OutputParametersTensor',
                 'OutputFirstMomentTensor', 'OutputSecondMomentTensor']
        yield entry('random_%03d' % i, 'ADAM_OPTIMIZER',
                    dict(zip(names, [x, m, v, g, step, *map(canonical_nan, new)])),
                    dict(zip(['LearningRate', 'Beta1', 'Beta2', 'Epsilon'], numbers)))


def bits_of(generator, sizes, dtype):
    """Any bits: these operators move them."""
    count = int(np.prod(sizes)) * np.dtype(dtype).itemsize
    return np.frombuffer(generator.randbytes(count), dtype).reshape(sizes)


def indices_of(generator, sizes, size):
    dtype = generator.choice(['u4', 'u8', 'i4', 'i8'])
    low = -size - 2 if dtype[0] == 'i' else 0
    return np.array([generator.randint(low, size + 2) for _ in range(int(np.prod(sizes)))],
                    dtype).reshape(sizes)


def gather(_, compute, generator):
    count = 0
    while count < 50:
        rank = generator.randint(1, 4)
        x = bits_of(generator, [generator.choice([1, 1, 2, 3, 4]) for _ in range(rank)],
                    generator.choice(list(TYPES)))
        axis, used = generator.randrange(rank), generator.randint(0, rank)
        sizes = [1] * (rank - used) + [generator.choice([1, 2, 3]) for _ in range(used)]
        indices = indices_of(generator, sizes, x.shape[axis])
        kind = 'u%d' % x.dtype.itemsize
        try:
            y = compute.gather(x.view(kind), indices, axis, used).view(x.dtype)
        except Exception:                  # more sizes than dimensions: not a valid description
            continue
        yield entry('random_%03d' % count, 'GATHER',
                    {'InputTensor': x, 'IndicesTensor': indices, 'OutputTensor': y},
                    {'Axis': axis, 'IndexDimensions': used})
        count += 1


def one_hot(_, compute, generator):
    for i in range(30):
        sizes = [generator.randint(1, 4) for _ in range(generator.randint(1, 4))]
        axis, size = generator.randrange(len(sizes)), generator.randint(1, 7)
        sizes[axis] = 1
        values = [1] * len(sizes)
        values[generator.randrange(len(sizes))] = generator.randint(2, 3)
        values = bits_of(generator, values, generator.choice(list(TYPES)))
        indices = indices_of(generator, sizes, size)
        y = compute.one_hot(indices, values.view('u%d' % values.dtype.itemsize), axis, size)
        yield entry('random_%03d' % i, 'ONE_HOT',
                    {'IndicesTensor': indices, 'ValuesTensor': values,
                     'OutputTensor': y.view(values.dtype)}, {'Axis': axis})


def fill_value_sequence(training, _, generator):
    for i in range(40):
        dtype = np.dtype(generator.choice([t for t in TYPES if t != 'f8']))
        sizes = [generator.randint(1, 9) for _ in range(generator.randint(1, 3))]
        start, delta = (np.array(generator.uniform(-100, 100)).astype(dtype) if dtype.kind == 'f' else
                        bits_of(generator, [1], dtype)[0] for _ in range(2))
        y = training.fill_value_sequence(tuple(sizes), dtype.type(start), dtype.type(delta))
        yield entry('random_%03d' % i, 'FILL_VALUE_SEQUENCE', {'OutputTensor': y},
                    {'ValueDataType': type_name(y), 'ValueStart': {'Bytes': to_hex(np.array(start))},
                     'ValueDelta': {'Bytes': to_hex(np.array(delta))}})


def small_sizes(generator, rank):
    return [generator.choice([1, 1, 2, 3, 4]) for _ in range(rank)]


def bits_view(array):
    return array.view('u%d' % array.dtype.itemsize)


def elements_case(generator):
    """Values, and indices for elements along an axis of them."""
    x = bits_of(generator, small_sizes(generator, generator.randint(1, 4)), generator.choice(list(TYPES)))
    axis = generator.randrange(x.ndim)
    sizes = list(x.shape)
    sizes[axis] = generator.randint(1, 6)
    return x, indices_of(generator, sizes, x.shape[axis]), axis


def tuples_case(generator, with_batch):
    """Values, tuples of indices, and the three counts."""
    while True:
        rank = generator.randint(1, 5)
        counted, of_indices = generator.randint(1, rank), generator.randint(1, rank)
        batch = generator.randrange(min(counted, of_indices)) if with_batch else 0
        size = generator.randint(1, counted - batch)
        if of_indices - 1 + counted - batch - size > rank:
            continue
        x = bits_of(generator, [1] * (rank - counted) + small_sizes(generator, counted), generator.choice(list(TYPES)))
        sizes = [1] * (rank - of_indices) + small_sizes(generator, of_indices - 1) + [size]
        for k in range(batch):
            sizes[rank - of_indices + k] = x.shape[rank - counted + k]
        return x, indices_of(generator, sizes, max(x.shape)), (counted, of_indices, batch)


def gather_elements(_, compute, generator):
    for i in range(40):
        x, indices, axis = elements_case(generator)
        y = compute.gather_elements(bits_view(x), indices, axis).view(x.dtype)
        yield entry('random_%03d' % i, 'GATHER_ELEMENTS',
                    {'InputTensor': x, 'IndicesTensor': indices, 'OutputTensor': y}, {'Axis': axis})


def gather_nd1(_, compute, generator):
    for i in range(60):
        x, indices, counts = tuples_case(generator, True)
        y = compute.gather_nd1(bits_view(x), indices, *counts).view(x.dtype)
        yield entry('random_%03d' % i, 'GATHER_ND1',
                    {'InputTensor': x, 'IndicesTensor': indices, 'OutputTensor': y},
                    {'InputDimensionCount': counts[0], 'IndicesDimensionCount': counts[1],
                     'BatchDimensionCount': counts[2]})


def scatter_elements(_, compute, generator):
    for i in range(40):
        x, indices, axis = elements_case(generator)
        updates = bits_of(generator, indices.shape, x.dtype)
        y = compute.scatter(bits_view(x), indices, bits_view(updates), axis).view(x.dtype)
        yield entry('random_%03d' % i, 'SCATTER_ELEMENTS',
                    {'InputTensor': x, 'IndicesTensor': indices, 'UpdatesTensor': updates, 'OutputTensor': y},
                    {'Axis': axis})


def scatter_nd(_, compute, generator):
    for i in range(60):
        x, indices, (counted, of_indices, _) = tuples_case(generator, False)
        sizes = compute.gather_nd1(bits_view(x), indices, counted, of_indices).shape
        updates = bits_of(generator, sizes, x.dtype)
        y = compute.scatter_nd(bits_view(x), indices, bits_view(updates), counted, of_indices).view(x.dtype)
        yield entry('random_%03d' % i, 'SCATTER_ND',
                    {'InputTensor': x, 'IndicesTensor': indices, 'UpdatesTensor': updates, 'OutputTensor': y},
                    {'InputDimensionCount': counted, 'IndicesDimensionCount': of_indices})


def few_values(generator, sizes, dtype):
    """Numbers with ties, zeros of both signs and NaNs, or any bits."""
    if generator.random() < .3:
        return bits_of(generator, sizes, dtype)
    choice = [0, 1, 2, 3, 5, 100] if np.dtype(dtype).kind == 'u' else [0, -1, 1, 2, -100, 100]
    if np.dtype(dtype).kind == 'f':
        choice += [-0.0, float('nan'), float('inf'), float('-inf')]
    return np.array([generator.choice(choice) for _ in range(int(np.prod(sizes)))], dtype).reshape(sizes)


def top_k1(_, compute, generator):
    for i in range(60):
        sizes = small_sizes(generator, generator.randint(1, 4))
        axis = generator.randrange(len(sizes))
        sizes[axis] = generator.choice([1, 5, 17, 40])
        x = few_values(generator, sizes, generator.choice([t for t in TYPES if t != 'f8']))
        k, direction = generator.randint(1, sizes[axis]), generator.randrange(2)
        _, index = compute.top_k(x, axis, k, direction)
        values = np.take_along_axis(bits_view(x), index.astype('i8'), axis).view(x.dtype)
        yield entry('random_%03d' % i, 'TOP_K1',
                    {'InputTensor': x, 'OutputValueTensor': values,
                     'OutputIndexTensor': index.astype(generator.choice(['u4', 'u8']))},
                    {'Axis': axis, 'K': k, 'AxisDirection': ('INCREASING', 'DECREASING')[direction]})


def nonzero_coordinates(_, compute, generator):
    """Rows that are not written hold what the test fills memory with."""
    for i in range(40):
        x = few_values(generator, small_sizes(generator, generator.randint(1, 5)),
                       generator.choice([t for t in TYPES if t not in ('f8', 'i8', 'u8')]))
        least = x.ndim
        while least > 1 and x.shape[x.ndim - least] == 1:
            least -= 1
        columns = generator.randint(least, x.ndim)
        count, rows = compute.nonzero_coordinates(x, columns)
        coordinates = np.full((x.size, columns), 0xC5C5C5C5, 'u4')
        if count:
            coordinates[:count] = rows
        yield entry('random_%03d' % i, 'NONZERO_COORDINATES',
                    {'InputTensor': x, 'OutputCountTensor': np.array([count], 'u4'),
                     'OutputCoordinatesTensor': coordinates}, {})


def random_generator(training, _, generator):
    for i in range(20):
        state = bits_of(generator, [6], 'u4').copy()
        if i % 3 == 0:
            state[:generator.randint(1, 4)] = 0xFFFFFFFF
        y, after = training.random_generator(state, tuple(small_sizes(generator, generator.randint(1, 4))))
        yield entry('random_%03d' % i, 'RANDOM_GENERATOR',
                    {'InputStateTensor': state, 'OutputTensor': y, 'OutputStateTensor': after},
                    {'Type': 'PHILOX_4X32_10'})


def diagonal_matrix1(training, _, generator):
    ends = [-2 ** 31, 2 ** 31 - 1, *range(-6, 7)]
    for i in range(40):
        sizes = small_sizes(generator, generator.randint(0, 2)) + [generator.randint(1, 7) for _ in range(2)]
        x = bits_of(generator, sizes, generator.choice(list(TYPES)))
        value, begin, end = bits_of(generator, [1], x.dtype), generator.choice(ends), generator.choice(ends)
        tensors = {} if i % 3 == 0 else {'InputTensor': x}
        y = training.diagonal_matrix1(tuple(sizes), bits_view(value)[0], begin, end,
                                      bits_view(x) if tensors else None).view(x.dtype)
        yield entry('random_%03d' % i, 'DIAGONAL_MATRIX1', {**tensors, 'OutputTensor': y},
                    {'ValueDataType': type_name(x), 'Value': {'Bytes': to_hex(value)},
                     'DiagonalFillBegin': begin, 'DiagonalFillEnd': end})


def value_scale_2d(_, compute, generator):
    for i in range(30):
        channels = generator.choice([1, 3])
        sizes = [generator.randint(1, 3), channels, generator.randint(1, 4), generator.randint(1, 9)]
        x = floats(generator, sizes, generator.choice(['f4', 'f2']))
        scale, *biases = (float(np.float32(generator.gauss(0, 10))) for _ in range(1 + channels))
        y = compute.value_scale_2d(x, scale, biases)
        yield entry('random_%03d' % i, 'VALUE_SCALE_2D', {'InputTensor': x, 'OutputTensor': canonical_nan(y)},
                    {'Scale': scale, 'ChannelCount': channels, 'Bias': biases})


MODES = ('CONSTANT', 'EDGE', 'REFLECTION', 'SYMMETRIC', 'WRAP')


def padding1(_, compute, generator):
    """Any bits for the value, too."""
    for i in range(60):
        x = bits_of(generator, small_sizes(generator, generator.randint(1, 3)), generator.choice(list(TYPES)))
        paddings = [0, 0, 1, 2, 9 if x.ndim == 1 else 3]
        start, end = ([generator.choice(paddings) for _ in range(x.ndim)] for _ in range(2))
        value, mode = bits_of(generator, [1], x.dtype), generator.randrange(5)
        # The program converts numbers, and bits are none: it pads indices, of which 0 is the value's.
        index = np.arange(1, x.size + 1).reshape(x.shape)
        index = compute.padding(index, mode, 0, start, end)
        y = np.concatenate([bits_view(value), bits_view(x).reshape(-1)])[index].view(x.dtype)
        yield entry('random_%03d' % i, 'PADDING1', {'InputTensor': x, 'OutputTensor': y},
                    {'PaddingMode': MODES[mode], 'PaddingValueDataType': type_name(x),
                     'PaddingValue': {'Bytes': to_hex(value)}, 'DimensionCount': x.ndim,
                     'StartPadding': start, 'EndPadding': end})


def tile(_, compute, generator):
    for i in range(30):
        x = bits_of(generator, small_sizes(generator, generator.randint(1, 4)),
                    generator.choice([t for t in TYPES if t != 'f8']))
        repeats = [generator.choice([1, 1, 2, 3]) for _ in range(x.ndim)]
        y = compute.tile(bits_view(x), repeats).view(x.dtype)
        yield entry('random_%03d' % i, 'TILE', {'InputTensor': x, 'OutputTensor': y},
                    {'RepeatsCount': x.ndim, 'Repeats': repeats})


ORDERS = ('DEPTH_COLUMN_ROW', 'COLUMN_ROW_DEPTH')


def depth_and_space(operator, arrange, generator, sizes_of):
    for i in range(20):
        block, order = generator.randint(1, 3), generator.randrange(2)
        x = bits_of(generator, sizes_of(small_sizes(generator, 4), block), generator.choice(list(TYPES)))
        y = np.ascontiguousarray(arrange(bits_view(x), block, order)).view(x.dtype)
        yield entry('random_%03d' % i, operator, {'InputTensor': x, 'OutputTensor': y},
                    {'BlockSize': block, 'Order': ORDERS[order]})


def depth_to_space1(_, compute, generator):
    yield from depth_and_space('DEPTH_TO_SPACE1', compute.depth_to_space, generator,
                               lambda s, b: [s[0], s[1] * b * b, s[2], s[3]])


def space_to_depth1(_, compute, generator):
    yield from depth_and_space('SPACE_TO_DEPTH1', compute.space_to_depth, generator,
                               lambda s, b: [s[0], s[1], s[2] * b, s[3] * b])


def reverse_subsequences(_, compute, generator):
    for i in range(30):
        x = bits_of(generator, small_sizes(generator, generator.randint(1, 4)), generator.choice(list(TYPES)))
        axis, sizes = generator.randrange(x.ndim), list(x.shape)
        sizes[axis] = 1
        lengths = np.array([generator.choice([0, 1, 2, 3, 4, 5, 2 ** 32 - 1]) for _ in range(int(np.prod(sizes)))],
                           generator.choice(['u4', 'u8'])).reshape(sizes)
        y = compute.reverse_subsequences(bits_view(x), lengths, axis).view(x.dtype)
        yield entry('random_%03d' % i, 'REVERSE_SUBSEQUENCES',
                    {'InputTensor': x, 'SequenceLengthsTensor': lengths, 'OutputTensor': y}, {'Axis': axis})


OPERATORS = (average_pooling1, average_pooling_grad, adam_optimizer, gather, one_hot, fill_value_sequence,
             gather_elements, gather_nd1, scatter_elements, scatter_nd, top_k1, nonzero_coordinates,
             random_generator, diagonal_matrix1, value_scale_2d, padding1, tile, depth_to_space1,
             space_to_depth1, reverse_subsequences)


def main():
    parser = argparse.ArgumentParser(description='Writes the reference test data.')
    parser.add_argument('training', type=pathlib.Path, help='the program that defines training')
    parser.add_argument('compute', type=pathlib.Path, help='the program that defines movement')
    parser.add_argument('folder', type=pathlib.Path, help='where the JSON files go')
    arguments = parser.parse_args()
    sys.path.insert(0, str(arguments.training.parent))      # they import one another
    training, compute = load_module(arguments.training), load_module(arguments.compute)
    for operator in OPERATORS:
        generator = random.Random('AnyDML ' + operator.__name__)
        with np.errstate(all='ignore'):
            count = write_json(arguments.folder / (operator.__name__ + '.json'),
                               operator(training, compute, generator))
        print('%-30s %4d entries' % (operator.__name__, count))


if __name__ == '__main__':
    main()
