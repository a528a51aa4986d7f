# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Every operator against a plain NumPy formula, and the sizes and settings that callers may leave
out. The bits of the newest versions are in test_reference_data.py."""
import numpy
import pytest

import anydml

RANDOM = numpy.random.default_rng(3)


def floats(*sizes):
    return RANDOM.integers(-9, 10, sizes).astype("float32")


def equal(result, expected):
    assert isinstance(result, numpy.ndarray)
    numpy.testing.assert_array_equal(result, expected)


def windows(x, window, stride):
    view = numpy.lib.stride_tricks.sliding_window_view(x, (window, window), (2, 3))
    return view[:, :, ::stride, ::stride]


def test_identity():
    x = floats(3, 4)
    equal(anydml.identity(x), x)
    equal(anydml.identity(x, scale_bias=(2, 1)), x * 2 + 1)


def test_relu():
    x, dy = floats(3, 4, 5), floats(3, 4, 5)
    equal(anydml.relu(x), numpy.maximum(x, 0))
    equal(anydml.relu_grad(x, dy), numpy.where(x > 0, dy, 0))


def test_upsample_2d_has_the_width_first():
    x = floats(1, 2, 3, 4)
    equal(anydml.upsample_2d(x, scale_size=(2, 3), interpolation_mode="nearest_neighbor"),
          x.repeat(3, axis=2).repeat(2, axis=3))


@pytest.mark.parametrize("version", ["", "1"])
def test_clip(version):
    x, dy = floats(40), floats(40)
    forward, backward = getattr(anydml, "clip" + version), getattr(anydml, "clip_grad" + version)
    equal(forward(x, min=-2, max=3), numpy.clip(x, -2, 3))
    equal(forward(x, min=-2, max=3, scale_bias=(3, 1)), numpy.clip(x * 3 + 1, -2, 3))
    equal(backward(x, dy, min=-2, max=3), numpy.where((x <= -2) | (x >= 3), 0, dy))


def test_clip_takes_infinite_and_nan_bounds():
    x = numpy.array([-2, 0, 2], "float32")
    inf, nan = float("inf"), float("nan")
    equal(anydml.clip1(x, min=-inf, max=inf), x)
    equal(anydml.clip_grad1(x, x + 3, min=nan, max=1), [1, 3, 0])     # A2, example 4


def test_the_signs_of_zero_bounds_are_not_confused():
    x = numpy.array([-1], "float32")
    assert not numpy.signbit(anydml.clip1(x, min=0.0, max=1.0))[0]
    assert numpy.signbit(anydml.clip1(x, min=-0.0, max=1.0))[0]


def test_settings_that_print_alike_are_not_confused():
    """NumPy 1.24 prints both of these as 0.1."""
    x = numpy.array([5], "float32")
    assert anydml.clip1(x, min=0, max=numpy.float32(0.1)) == numpy.float32(0.1)
    assert anydml.clip1(x, min=0, max=numpy.float16(0.1)) == numpy.float32(numpy.float16(0.1))

    class Window:
        entries = [2, 2]

        def __iter__(self):
            return iter(self.entries)

        def __repr__(self):
            return "Window"
    window = Window()
    assert anydml.max_pooling2(floats(1, 1, 4, 4), window_size=window).shape[2:] == (3, 3)
    window.entries = [3, 4]
    assert anydml.max_pooling2(floats(1, 1, 4, 4), window_size=window).shape[2:] == (2, 1)


def test_settings_of_numpys_types():
    x = floats(1, 1, 4, 4)
    expected = anydml.max_pooling2(x, window_size=(2, 2), strides=(2, 2))
    equal(anydml.max_pooling2(x, window_size=numpy.array([2, 2]), strides=numpy.int64(2)), expected)
    equal(anydml.resample2(x, interpolation_mode="linear", scales=numpy.array([1, 1, 2, 2.0])),
          anydml.resample2(x, interpolation_mode="linear", scales=[1, 1, 2, 2]))


def test_int64_bounds_are_exact():
    x = numpy.array([2**53, 2**53 + 1, 2**53 + 2], "uint64")
    equal(anydml.clip_grad1(x, numpy.array([7, 8, 9], "uint64"), min=2**53, max=2**53 + 2),
          [0, 8, 0])                                                  # A2, example 3


@pytest.mark.parametrize("version", ["", "1", "2"])
def test_max_pooling(version):
    x = floats(2, 3, 7, 8)
    result = getattr(anydml, "max_pooling" + version)(x, window_size=(3, 3), strides=(2, 2))
    equal(result, windows(x, 3, 2).max((-1, -2)))


@pytest.mark.parametrize("version", ["1", "2"])
@pytest.mark.parametrize("data_type", ["uint32", "uint64"])
def test_max_pooling_indices_are_of_the_whole_tensor(version, data_type):
    x = RANDOM.permutation(2 * 3 * 6 * 6).reshape(2, 3, 6, 6).astype("float32")
    y, indices = getattr(anydml, "max_pooling" + version)(x, window_size=2, strides=2,
                                                          output_indices=data_type)
    assert indices.dtype == data_type
    equal(x.reshape(-1)[indices], y)


def test_max_pooling_sizes():
    x = floats(1, 1, 10, 10)
    sizes = {(): (9, 9), (("strides", 3),): (3, 3), (("dilations", (2, 3)),): (8, 7),
             (("start_padding", 1),): (10, 10), (("end_padding", (0, 2)),): (9, 11)}
    for settings, expected in sizes.items():
        assert anydml.max_pooling2(x, window_size=2, **dict(settings)).shape[2:] == expected
    ceil = anydml.max_pooling2(x, window_size=2, strides=3, output_sizes=(1, 1, 4, 4))
    assert ceil.shape == (1, 1, 4, 4)


def test_max_pooling_grad():
    x = RANDOM.permutation(2 * 3 * 6 * 6).reshape(2, 3, 6, 6).astype("float32")
    dy = floats(2, 3, 3, 3)
    y, indices = anydml.max_pooling2(x, window_size=2, strides=2, output_indices=True)
    expected = numpy.zeros(x.size, "float32")
    expected[indices.reshape(-1)] = dy.reshape(-1)
    equal(anydml.max_pooling_grad(x, dy, window_size=(2, 2), strides=(2, 2)).reshape(-1), expected)


def test_max_pooling_in_three_dimensions():
    x = floats(1, 2, 4, 4, 4)
    y = anydml.max_pooling2(x, window_size=2, strides=2)
    equal(y, x.reshape(1, 2, 2, 2, 2, 2, 2, 2).max((3, 5, 7)))
    assert anydml.max_pooling_grad(x, y, window_size=2, strides=2).sum() == y.sum()


@pytest.mark.parametrize("version", ["", "1", "2", "3"])
def test_resample_linear(version):
    x = floats(5)
    resample = getattr(anydml, "resample" + version)
    at = numpy.clip((numpy.arange(10) + 0.5) / 2 - 0.5, 0, 4)
    expected = numpy.interp(at, numpy.arange(5), x)
    equal(resample(x, interpolation_mode="linear", scales=2), expected)
    equal(resample(x, interpolation_mode="linear", output_sizes=(10,)), expected)


@pytest.mark.parametrize("version", ["2", "3"])
def test_resample_nearest_by_direction(version):
    x = floats(4)
    resample = getattr(anydml, "resample" + version)
    settings = {"interpolation_mode": "nearest_neighbor", "scales": 2, "input_pixel_offsets": 0,
                "output_pixel_offsets": 0}
    equal(resample(x, **settings), x.repeat(2))
    equal(resample(x, **settings, rounding_direction="increasing"),
          x[[0, 1, 1, 2, 2, 3, 3, 3]])


def test_resample_sizes_are_rounded_down():
    x = floats(3, 5)
    assert anydml.resample2(x, interpolation_mode="linear", scales=(1.5, 0.5)).shape == (4, 2)


def test_resample_by_an_infinite_scale():
    """As TensorFlow has it for an axis of one pixel with aligned corners."""
    x, dy = floats(1, 3), floats(4, 5)
    settings = {"interpolation_mode": "linear", "scales": (float("inf"), 2),
                "input_pixel_offsets": 0, "output_pixel_offsets": 0}
    y = anydml.resample2(x, **settings, output_sizes=dy.shape)
    equal(y, numpy.tile(numpy.interp(numpy.arange(5) / 2, numpy.arange(3), x[0]), (4, 1)))
    dx = anydml.resample_grad1(dy, **settings, output_sizes=x.shape)
    assert abs((y * dy).sum() - (x * dx).sum()) < 1e-3


@pytest.mark.parametrize("version", ["", "1"])
def test_resample_grad_is_the_adjoint(version):
    x, dy = floats(4, 6), floats(8, 9)
    y = anydml.resample2(x, interpolation_mode="linear", output_sizes=dy.shape)
    dx = getattr(anydml, "resample_grad" + version)(dy, interpolation_mode="linear",
                                                    output_sizes=x.shape)
    assert abs((y * dy).sum() - (x * dx).sum()) < 1e-3


def test_slice():
    x = floats(6, 7)
    equal(anydml.slice(x, offsets=(1, 2), sizes=(2, 3), strides=(2, 1)), x[1:5:2, 2:5])
    equal(anydml.slice(x, offsets=(1, 2), strides=(2, 4)), x[1::2, 2::4])
    equal(anydml.slice1(x, input_window_offsets=(1, 2), input_window_strides=(2, 4)),
          x[1::2, 2::4])
    equal(anydml.slice1(x, input_window_offsets=(0, 2), input_window_strides=(-2, 1)),
          x[::-2, 2:])
    equal(anydml.slice1(x, input_window_offsets=(1, 0), input_window_sizes=(3, 7)), x[1:4])


def test_slice_grad():
    dy = floats(3, 7)
    expected = numpy.zeros((6, 7), "float32")
    expected[::-2] = dy
    equal(anydml.slice_grad(dy, input_window_strides=(-2, 1), output_sizes=(6, 7)), expected)
    equal(anydml.slice_grad(numpy.array([1, 2], "int8"), input_window_offsets=1,
                            input_window_sizes=6, input_window_strides=2, output_sizes=(8,)),
          [0, 1, 0, 2, 0, 0, 0, 0])                                   # A4, example 3


def test_optional_inputs():
    a, b, c = floats(2, 3), floats(3, 4), floats(2, 4)
    equal(anydml.gemm(a, b), anydml.gemm(a, b, numpy.zeros_like(c)))
    equal(anydml.gemm(a, b, c, beta=2), anydml.gemm(a, b) + 2 * c)
    out = numpy.empty((2, 4), "float32")
    assert anydml.gemm(a, b, None, out=out) is out
    equal(out, anydml.gemm(a, b))
    with pytest.raises(anydml.WrongType, match="GEMM: b must be an array"):
        anydml.gemm(a, None)


def test_diagonals():
    x = floats(2, 3, 4)
    equal(anydml.diagonal_matrix1(x, value=0, diagonal_fill_begin=1, diagonal_fill_end=2**31 - 1),
          numpy.tril(x))
    equal(anydml.diagonal_matrix(offset=1, value=3, out=numpy.empty((3, 4), "int32")),
          numpy.eye(3, 4, 1, "int32") * 3)
    with pytest.raises(anydml.InvalidArgument, match="out is required where no array is given"):
        anydml.diagonal_matrix1(None, value=0, diagonal_fill_begin=1, diagonal_fill_end=2)


def test_a_bias_per_channel():
    x, bias = floats(2, 3, 4, 5), numpy.array([1, -2, 3], "float32")
    equal(anydml.value_scale_2d(x, scale=2, bias=bias), 2 * x + bias[:, None, None])
    with pytest.raises(anydml.InvalidArgument, match="ChannelCount = 1 must equal"):
        anydml.value_scale_2d(x, scale=2, bias=1)


def test_dynamic_quantization():
    x = numpy.array([[-100, 155], [0, 2.5]], "float32")
    y, scale, zero = anydml.dynamic_quantize_linear(x)
    equal(y, numpy.array([[0, 255], [100, 102]], "uint8"))
    equal(scale, numpy.array([[1]], "float32"))
    equal(zero, numpy.array([[100]], "uint8"))


@pytest.mark.parametrize("name", sorted(anydml._operators))
def test_types_are_those_of_the_listing(name):
    """A type that no row names is refused with the rule, at every operator."""
    operator = anydml._operators[name]
    missing = next(t for t in ["float64", "int64", "uint8", "complex64"]
                   if t.upper() not in operator.data_types((operator.inputs or operator.outputs)[0]))
    x = numpy.ones((1, 1, 4, 4), missing)
    settings = {s.name: s.enumerators[-1] if s.enumerators else (1, 1) if s.type == "SIZE_2D" else 1
                for s in operator.settings if s.is_required}
    if operator.takes_output_sizes:
        settings["output_sizes"] = x.shape
    inputs = [[x] if tensor in operator.arrays else x for tensor in operator.inputs]
    if operator.needs_out:
        settings["out"] = numpy.ones_like(x)
    with pytest.raises((anydml.InvalidArgument, anydml.WrongType), match=missing.upper() + "|comp"):
        getattr(anydml, name)(*inputs, **settings)
