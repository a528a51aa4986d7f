# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The examples of docs/rules.md (A1 to A5) and docs/rulings.md (B7 to B9), with the results stated.

One function per operator; each yields the entries of one file. A result that the reference does not
give bit for bit stops the program.
"""
import numpy as np

from reference_entries import DECREASING, INCREASING, LINEAR, NEAREST, to_hex

NAN, INF = float('nan'), float('inf')
THIRD, SEVENTH = np.float32(1) / np.float32(3), np.float32(1) / np.float32(7)


def f32(values):
    return np.array(values, np.float32)


def checked(entry, tensor, expected):
    """The entry, once its tensor holds exactly the expected elements."""
    assert entry['data'][tensor] == to_hex(expected), (entry['operator'], entry['name'])
    return entry


# ------------------------------------------------------------------ A1

RELU_INPUT = f32([-1, -0.0, 0.0, 1e-40, 2, NAN, INF, -INF])
INT8_INPUT = np.array([-128, -1, 0, 1, 127], np.int8)


def activation_relu_grad(entries):
    def example(name, x, gradient, expected):
        result = np.array(expected, x.dtype)
        return checked(entries.activation_relu_grad(name, x, gradient), 'OutputGradientTensor', result)
    yield example('example_1_special_inputs', RELU_INPUT, f32(range(1, 9)), [0, 0, 0, 4, 5, 0, 7, 0])
    yield example('example_2_nan_gradient', f32([-1, 1]), f32([NAN, NAN]), [0, NAN])
    yield example('example_3_negative_zero_gradient', f32([1, -1]), f32([-0.0, -0.0]), [-0.0, 0.0])
    yield example('example_4_int8', INT8_INPUT, np.array([-1, -2, -3, -4, -5], np.int8), [0, 0, 0, -4, -5])


def activation_relu(entries):
    for name, x, expected in (('example_1_special_inputs', RELU_INPUT, [0, 0, 0, 1e-40, 2, NAN, INF, 0]),
                              ('example_4_int8', INT8_INPUT, [0, 0, 0, 1, 127])):
        yield checked(entries.activation_relu(name, x), 'OutputTensor', np.array(expected, x.dtype))


# ------------------------------------------------------------------ A2

# name, type, Min, Max, x, gradient, output gradient, forward output
CLIP = (
    ('example_1_closed_ends', np.float32, -1, 1, [-2, -1, 0, 1, 2, NAN], [1, 2, 3, 4, 5, 6],
     [0, 0, 3, 0, 0, 6], [-1, -1, 0, 1, 1, NAN]),
    ('example_2_min_above_max', np.float32, 1, -1, [-2, 0, 2, NAN], [1, 2, 3, 4], [0, 0, 0, 4], [1, 1, 1, NAN]),
    ('example_3_uint64_bounds', np.uint64, 2 ** 53, 2 ** 53 + 2, [2 ** 53, 2 ** 53 + 1, 2 ** 53 + 2], [7, 8, 9],
     [0, 8, 0], [2 ** 53, 2 ** 53 + 1, 2 ** 53 + 2]),
    ('example_4_nan_min', np.float32, NAN, 1, [-2, 0, 2], [1, 2, 3], [1, 2, 0], [-2, 0, 1]))


def element_wise_clip_grad1(entries):
    for name, dtype, *numbers in CLIP:
        low, high, x, gradient, expected, _ = (np.array(v, dtype) for v in numbers)
        yield checked(entries.element_wise_clip_grad1(name, x, gradient, low, high),
                      'OutputGradientTensor', expected)


def element_wise_clip1(entries):
    for name, dtype, *numbers in CLIP:
        low, high, x, _, _, expected = (np.array(v, dtype) for v in numbers)
        yield checked(entries.element_wise_clip1(name, x, low, high), 'OutputTensor', expected)


# ------------------------------------------------------------------ A3, B7, B8, B9

PICTURE, LAST_ROW = [[9, 6], [0, 0]], [[0, 0], [4, 11]]
TRAP, USUAL = [[45, 21], [39, 15]], [[10, 18], [42, 50]]
DOCUMENTED = ([[4, 5, 6]], (0.5, 1.5))               # gradient, scales
SIXTEEN = (np.arange(16).reshape(4, 4), (2, 2))

# name, mode, rounding, (gradient, scales), (input offset, output offset), output gradient
RESAMPLE = (
    ('documented_example', NEAREST, DECREASING, DOCUMENTED, (0.5, -0.5), PICTURE),
    ('documented_example_offsets_0_0', NEAREST, DECREASING, DOCUMENTED, (0, 0), PICTURE),
    ('documented_example_offsets_0_half', NEAREST, DECREASING, DOCUMENTED, (0, 0.5), PICTURE),
    ('documented_example_offsets_minus_half_half', NEAREST, DECREASING, DOCUMENTED, (-0.5, 0.5), PICTURE),
    ('example_2_increasing', NEAREST, INCREASING, DOCUMENTED, (0.5, -0.5), LAST_ROW),
    ('example_2_halves_down', NEAREST, INCREASING, DOCUMENTED, (1, -0.5), PICTURE),
    ('example_2_halves_up', NEAREST, DECREASING, DOCUMENTED, (0, -0.5), LAST_ROW),
    ('example_3_linear_2_to_4', LINEAR, DECREASING, ([1, 2, 4, 8], (2,)), (0.5, -0.5), [3.5, 11.5]),
    ('example_4_linear_2_to_3', LINEAR, DECREASING, ([1, 2, 4], (1.5,)), (0.5, -0.5), [2, 5]),
    ('example_5_clamp', NEAREST, DECREASING, ([1, 2, 4, 8, 16], (1,)), (0, 0), [1, 30]),
    ('example_5_crop', NEAREST, DECREASING, ([1, 2, 4], (2,)), (0, 0), [3, 4, 0, 0]),
    ('example_6_trap', NEAREST, DECREASING, SIXTEEN, (0.5, -0.5), TRAP),
    ('example_6_usual', NEAREST, DECREASING, SIXTEEN, (0, -0.5), USUAL),
    ('example_6_usual_offsets_0_0', NEAREST, DECREASING, SIXTEEN, (0, 0), USUAL),
    ('ruling_b7_6_to_2', NEAREST, DECREASING, ([1, 2], (THIRD,)), (0, 0), [1, 0, 0, 2, 0, 0]),
    ('ruling_b7_14_to_2', NEAREST, DECREASING, ([1, 2], (SEVENTH,)), (0, 0), [1] + [0] * 5 + [2] + [0] * 7),
    ('ruling_b7_30_to_10', NEAREST, DECREASING, (range(1, 11), (THIRD,)), (0, 0),
     [0 if i % 3 else i // 3 + 1 for i in range(30)]))

# name, mode, (gradient, scales), (input offset, output offset), output gradient
RESAMPLE_OLD = (
    ('documented_example_offsets_half_0', NEAREST, DOCUMENTED, (0.5, 0), PICTURE),
    ('documented_example_offsets_0_half', NEAREST, DOCUMENTED, (0, 0.5), PICTURE),
    ('documented_example_offsets_half_half', NEAREST, DOCUMENTED, (0.5, 0.5), PICTURE),
    ('documented_example_offsets_1_minus_half', NEAREST, DOCUMENTED, (1, -0.5), PICTURE),
    ('ruling_b9_pixel_centres', NEAREST, DOCUMENTED, (0.5, -0.5), LAST_ROW),
    ('example_3_linear_2_to_4', LINEAR, ([1, 2, 4, 8], (2,)), (0.5, -0.5), [3.5, 11.5]))


def resample_axes(scales, offsets):
    return tuple(scales), (offsets[0],) * len(scales), (offsets[1],) * len(scales)


def resample_grad1(entries):
    for name, mode, rounding, (gradient, scales), offsets, expected in RESAMPLE:
        expected = f32(expected)
        entry = entries.resample_grad1(name, f32(gradient), expected.shape, mode, rounding,
                                       resample_axes(scales, offsets))
        yield checked(entry, 'OutputGradientTensor', expected)


def resample_grad(entries):
    for name, mode, (gradient, scales), offsets, expected in RESAMPLE_OLD:
        expected = f32(expected)
        entry = entries.resample_grad(name, f32(gradient), expected.shape, mode, resample_axes(scales, offsets))
        yield checked(entry, 'OutputGradientTensor', expected)


def resample2(entries):
    """The forward side of the same descriptions; 1, 2, 3.. go in."""
    for name, mode, rounding, (gradient, scales), offsets, in_gradient in RESAMPLE:
        sizes = f32(in_gradient).shape
        x = np.arange(1, np.prod(sizes) + 1, dtype=np.float32).reshape(sizes)
        entry = entries.resample2(name, x, f32(gradient).shape, mode, rounding, resample_axes(scales, offsets))
        yield checked(entry, 'OutputTensor', f32([[1, 1, 2]])) if name == 'documented_example' else entry


# ------------------------------------------------------------------ A4

# name, output sizes, (offsets, sizes, strides), gradient, output gradient
SLICE = (
    ('documented_example', (4, 4), ((0, 0), (4, 4), (2, 2)), [[1, 3], [9, 11]],
     [[1, 0, 3, 0], [0, 0, 0, 0], [9, 0, 11, 0], [0, 0, 0, 0]]),
    ('example_2_negative_stride', (4, 4), ((0, 1), (4, 3), (-2, 2)), [[1, 2], [3, 4]],
     [[0, 0, 0, 0], [0, 3, 0, 4], [0, 0, 0, 0], [0, 1, 0, 2]]),
    ('example_3_fewer_than_reachable', (8,), ((1,), (6,), (2,)), [1, 2], [0, 1, 0, 2, 0, 0, 0, 0]),
    ('example_3_fewer_than_reachable_negative', (8,), ((1,), (6,), (-2,)), [1, 2], [0, 0, 0, 0, 2, 0, 1, 0]),
    ('example_4_stride_100', (5,), ((1,), (3,), (100,)), [7], [0, 7, 0, 0, 0]),
    ('example_4_stride_minus_100', (5,), ((1,), (3,), (-100,)), [7], [0, 0, 0, 7, 0]),
    ('example_4_stride_int_min', (5,), ((1,), (3,), (-2 ** 31,)), [7], [0, 0, 0, 7, 0]))


def slice_grad(entries):
    for name, sizes, window, gradient, expected in SLICE:
        yield checked(entries.slice_grad(name, f32(gradient), sizes, window), 'OutputGradientTensor', f32(expected))


def slice1(entries):
    """The documented pictures, then the forward side of the gradient's examples."""
    picture = np.arange(1, 17, dtype=np.float32).reshape(1, 1, 4, 4)
    for name, stride, expected in (('documented_example', 2, [2, 4, 10, 12]),
                                   ('documented_example_negative_stride', -2, [14, 16, 6, 8])):
        window = (0, 0, 0, 1), (1, 1, 4, 3), (1, 1, stride, 2)
        yield checked(entries.slice1(name, picture, (1, 1, 2, 2), window), 'OutputTensor', f32(expected))
    for name, sizes, window, gradient, out_gradient in SLICE:
        entry = entries.slice1('of_gradient_' + name, f32(out_gradient), f32(gradient).shape, window)
        yield checked(entry, 'OutputTensor', f32(gradient))


# ------------------------------------------------------------------ A5

def pooling(window, strides=(1, 1), start=(0, 0), end=(0, 0), dilations=(1, 1)):
    return window, strides, start, end, dilations


DILATED = [[0, 0, 0, 0, 3], [0, 0, 0, 0, 6], [0, 0, 1, 10, 0], [0, 0, 4, 5, 0], [0, 0, 16, 0, 0]]

# name, x, geometry, gradient, output gradient (one plane each)
POOLING = (
    ('documented_example', [[1, 2, 3], [2, 4, 2], [5, 6, 7]], pooling((2, 2)), [[1, 2], [4, 5]],
     [[0, 0, 0], [0, 3, 0], [0, 4, 5]]),
    ('example_2_ties', np.ones((3, 3)), pooling((2, 2)), [[1, 2], [4, 8]], [[1, 2, 0], [4, 8, 0], [0, 0, 0]]),
    ('example_3_asymmetric_padding', [[4, 1, 3], [2, 9, 0]], pooling((2, 2), start=(1, 1), end=(0, 1)),
     [[1, 2, 3, 4], [5, 6, 7, 8]], [[8, 0, 15], [0, 13, 0]]),
    ('example_4_nan', [[1, NAN, 9, NAN, 2]], pooling((1, 2)), [[1, 2, 4, 8]], [[0, 3, 0, 12, 0]]),
    ('example_5_padding_beyond_window', [[3, 1]], pooling((1, 2), start=(0, 5), end=(0, 5)), [range(1, 12)],
     [[11, 7]]),
    ('example_6_dilation', (5 * np.arange(25) % 23 - 11).reshape(5, 5), pooling((2, 2), dilations=(2, 2)),
     np.arange(1, 10).reshape(3, 3), DILATED))


def max_pooling_grad(entries):
    for name, x, geometry, gradient, expected in POOLING:
        entry = entries.max_pooling_grad(name, f32([[x]]), f32([[gradient]]), geometry)
        yield checked(entry, 'OutputGradientTensor', f32([[expected]]))


def max_pooling2(entries):
    """The forward side of the same descriptions."""
    for name, x, geometry, gradient, _ in POOLING:
        entry = entries.max_pooling2(name, f32([[x]]), f32([[gradient]]).shape, geometry, np.uint64)
        if name == 'documented_example':
            checked(entry, 'OutputTensor', f32([4, 4, 6, 7]))
            checked(entry, 'OutputIndicesTensor', np.array([4, 4, 7, 8], np.uint64))
        yield entry


# ------------------------------------------------------------------ sums of products

def gemm(entries):
    plain = dict(trans_a=0, trans_b=0, alpha=1, beta=1)

    def example(name, a, b, c, expected, **attributes):
        return checked(entries.gemm(name, f32(a), f32(b), None if c is None else f32(c), {**plain, **attributes}),
                       'OutputTensor', f32(expected))
    yield example('example_1', [[1, 2], [3, 4]], [[5, 6], [7, 8]], [[1, 1], [1, 1]], [[41, 47], [89, 103]],
                  alpha=2, beta=3)
    yield example('example_2_fused', [[1, 1 + 2 ** -12]], [[-(1 + 2 ** -11)], [1 + 2 ** -12]], None, [[2 ** -24]])
    yield example('example_3_ascending', [[2 ** 24, 1, -2 ** 24]], [[1], [1], [1]], None, [[0]])


def convolution(entries):
    def example(name, x, w, out_sizes, expected, bias=None, **geometry):
        x, w = f32(x), f32(w)
        axes = x.ndim - 2
        full = dict(mode=1, direction=0, strides=(1,) * axes, dilations=(1,) * axes, start=(0,) * axes,
                    end=(0,) * axes, out_pad=(0,) * axes, groups=1)
        entry = entries.convolution(name, x, w, bias, out_sizes, {**full, **geometry})
        return checked(entry, 'OutputTensor', f32(expected).reshape(out_sizes))
    x, w = np.arange(1, 10).reshape(1, 1, 3, 3), np.arange(1, 5).reshape(1, 1, 2, 2)
    yield example('example_1_correlation', x, w, (1, 1, 2, 2), [37, 47, 67, 77])
    yield example('example_1_flipped', x, w, (1, 1, 2, 2), [23, 33, 53, 63], mode=0)
    yield example('example_2_backward', x, w, (1, 1, 4, 4),
                  [1, 4, 7, 6, 7, 23, 33, 24, 19, 53, 63, 42, 21, 52, 59, 36], direction=1)
    yield example('example_3_output_padding', [[[1, 2, 3]]], [[[1, 10]]], (1, 1, 7), [1, 10, 2, 20, 3, 30, 0],
                  direction=1, strides=(2,), out_pad=(1,))
    yield example('example_4_bias', [[[1, 2, 3]]], [[[1, 10, 100]]], (1, 1, 6), [15, 107, 25, 208, 35, 5],
                  bias=f32([[[5]]]), direction=1, strides=(2,), start=(1,), end=(1,), out_pad=(1,))
    yield example('example_5_padding_takes_part', [[[1, 2]]], [[[INF, 1]]], (1, 1, 2), [NAN, INF], start=(1,))
