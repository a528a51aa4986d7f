# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Bad input gets an exception with a sentence, never a crash."""
import numpy
import pytest

import anydml

X = numpy.ones((1, 1, 4, 4), "float32")


def refused(exception, sentence, function, *arrays, **settings):
    """Twice: the first refusal must not be remembered as a success."""
    for _ in range(2):
        with pytest.raises(exception) as caught:
            function(*arrays, **settings)
        assert sentence in str(caught.value)
        assert isinstance(caught.value, anydml.Error)


@pytest.mark.parametrize("array, sentence", [
    (numpy.array([object()]), "x: elements of type object are refused"),
    (numpy.array(["text"]), "x: elements of type <U4 are refused"),
    (numpy.ones(3, ">f4"), "x: the byte order of '>f4' is not this machine's"),
    (numpy.ones(3, "complex64"), "x: elements of type complex64 are refused"),
    (numpy.ones(3, bool), "x: elements of type bool are refused"),
    (numpy.ones(3, "longdouble"), "x: elements of type float128 are refused"),
    (numpy.array(["2026"], "datetime64[s]"), "x: elements of type datetime64[s] are refused"),
    ([1.0, 2.0], "x is 'list' and must be a NumPy array"),
    (None, "x is 'NoneType' and must be a NumPy array"),
    (1.0, "x is 'float' and must be a NumPy array"),
])
def test_arrays_of_other_elements(array, sentence):
    refused(TypeError, sentence, anydml.relu, array)


def test_sizes():
    refused(ValueError, "ACTIVATION_RELU: InputTensor.Sizes = {0, 3} must be at least 1 in every "
            "dimension",
            anydml.relu, numpy.ones((0, 3), "float32"))
    refused(ValueError, "has 9 entries and must have 1 to 8", anydml.relu,
            numpy.ones((1,) * 9, "float32"))
    refused(ValueError, "has 0 entries and must have 1 to 8", anydml.relu,
            numpy.array(1, "float32"))
    refused(ValueError, "MAX_POOLING2: InputTensor.DimensionCount = 3 must be", anydml.max_pooling2,
            X[0], window_size=2)


def test_layouts():
    y = numpy.arange(16, dtype="float32").reshape(1, 1, 4, 4)
    refused(ValueError, "InputTensor has the negative stride -1 in elements, which this operator "
            "cannot express; copy", anydml.max_pooling2, y[..., ::-1], window_size=2)
    refused(ValueError, "negative stride", anydml.relu_grad, y[..., ::-1], y)
    fields = numpy.zeros(3, [("a", "u1"), ("b", "float32")])
    refused(ValueError, "must be multiples of the element size", anydml.relu, fields["b"])
    unaligned = numpy.zeros(13, "uint8")[1:].view("float32")
    refused(ValueError, "align", anydml.relu, unaligned)


def test_outputs():
    x = numpy.ones(4, "float32")
    frozen = numpy.ones(4, "float32")
    anydml.relu(x, out=frozen)
    frozen.flags.writeable = False
    refused(ValueError, "ACTIVATION_RELU: out is read-only", anydml.relu, x, out=frozen)
    refused(ValueError, "OutputTensor", anydml.relu, x,
            out=numpy.lib.stride_tricks.as_strided(x, (4,), (0,)))
    memory = numpy.ones(6, "float32")
    refused(ValueError, "overlap", anydml.relu, memory[:4], out=memory[2:])
    refused(ValueError, "OutputTensor.Sizes", anydml.relu, x, out=numpy.ones(3, "float32"))
    refused(ValueError, "OutputTensor.DataType", anydml.relu, x, out=numpy.ones(4, "float16"))
    refused(ValueError, "out has 2 arrays and must have at most 1", anydml.relu, x, out=(x, x))
    refused(ValueError, "out must be a tuple with one array for each output", anydml.max_pooling2,
            X, window_size=2, output_indices=True, out=numpy.ones((1, 1, 3, 3), "float32"))
    refused(TypeError, "out is 'str'", anydml.relu, x, out="x")


def test_outputs_that_overlap_each_other():
    y = numpy.zeros((1, 1, 3, 3), "float32")
    refused(ValueError, "overlap", anydml.max_pooling2, X, window_size=2,
            out=(y, y.view("uint32")))


def test_devices():
    refused(NotImplementedError, "there is no device 'cuda:99' here", anydml.relu, X,
            device="cuda:99")
    assert anydml.relu(X, device="cpu").shape == X.shape
    refused(TypeError, "device = 3 must be a text", anydml.relu, X, device=3)
    refused(TypeError, "device = ['cpu'] must be a text", anydml.relu, X, device=["cpu"])
    refused(ValueError, "must hold printable ASCII alone", anydml.relu, X, device="cpu\0x")
    refused(ValueError, "must hold printable ASCII alone", anydml.relu, X, device="\ud800")
    refused(ValueError, "threads = -1 must not be negative", anydml.relu, X, threads=-1)
    refused(ValueError, "threads = 5000 must be at most 1024", anydml.relu, X, threads=5000)
    refused(TypeError, "threads = 1.5 must be an integer", anydml.relu, X, threads=1.5)


class UncheckedOffset:
    def __init__(self, *device):
        self.device = device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, stream=None):
        raise AssertionError("must not be asked")


def test_arrays_on_devices_that_are_not_here():
    refused(NotImplementedError, "x: there is no device 'cuda:99' here", anydml.relu,
            UncheckedOffset(2, 99))
    refused(NotImplementedError, "dy: there is no device 'cuda:99' here", anydml.relu_grad, X,
            UncheckedOffset(13, 99))
    refused(NotImplementedError, "x: an array on DLPack device 10 is refused", anydml.relu,
            UncheckedOffset(10, 0))


class CudaInterface:
    def __init__(self, **described):
        self.__cuda_array_interface__ = {
            "shape": (3,), "typestr": "<f4", "data": (4096, False), "version": 3, **described}


def test_broken_cuda_array_interfaces():
    # The address is nobody's. Without a GPU the sentence says why there is none.
    refused(anydml.Error, "x: ", anydml.relu, CudaInterface())
    refused(TypeError, "the byte order of '>f4' is not this machine's", anydml.relu,
            CudaInterface(typestr=">f4"))
    refused(TypeError, "its __cuda_array_interface__ cannot be read: ", anydml.relu,
            CudaInterface(data=None))
    refused(NotImplementedError, "a masked array is refused", anydml.relu,
            CudaInterface(mask=CudaInterface()))
    refused(ValueError, "strides of (3,) bytes must be multiples of the element size 4",
            anydml.relu, CudaInterface(strides=(3,)))


class BrokenExport:
    def __init__(self, gives):
        self.gives = gives

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, stream=None):
        if isinstance(self.gives, Exception):
            raise self.gives
        return self.gives


def test_broken_dlpack():
    refused(TypeError, "__dlpack__ gave no unused DLPack capsule", anydml.relu, BrokenExport(3))
    refused(ValueError, "x: __dlpack__ refused: busy", anydml.relu,
            BrokenExport(BufferError("busy")))


def test_settings():
    pool = anydml.max_pooling2
    refused(TypeError, "MAX_POOLING2: window_size = '22' must be", pool, X, window_size="22")
    refused(TypeError, "MAX_POOLING2: window_size = 1.5 must be an integer", pool, X,
            window_size=(1.5, 2))
    refused(TypeError, "window_size = None must be an integer", pool, X, window_size=None)
    refused(ValueError, "WindowSize", pool, X, window_size=(2, 2, 2))
    refused(ValueError, "WindowSize = {0, 0} must be at least 1", pool, X, window_size=0)
    refused(ValueError, "Strides = {0, 0} must be at least 1", pool, X, window_size=1, strides=0)
    refused(ValueError, "-1 must be", pool, X, window_size=2, strides=-1)
    refused(ValueError, "must be", pool, X, window_size=2, strides=2**40)
    refused(ValueError, "spans 9 elements and must span at most", pool, X, window_size=9)
    refused(ValueError, "OutputTensor.Sizes[2] = 7 must be 3", pool, X, window_size=2,
            output_sizes=(1, 1, 7, 3))
    refused(TypeError, "output_sizes = 3 must be a sequence of integers", pool, X, window_size=2,
            output_sizes=3)
    refused(TypeError, "interpolation_mode = 'cubic' must be 'nearest_neighbor' or 'linear'",
            anydml.resample2, X, interpolation_mode="cubic", scales=2)
    refused(TypeError, "scale_bias = 3 must be a pair", anydml.clip1, X, min=0, max=1, scale_bias=3)
    for size in (2, (2,), (1.5, 2), "22"):
        refused(TypeError, "must be a pair of integers, width and height", anydml.upsample_2d,
                X, scale_size=size, interpolation_mode="linear")
    refused(ValueError, "-1", anydml.clip1, numpy.ones(3, "uint8"), min=-1, max=1)
    with pytest.raises(TypeError, match="window_size"):
        pool(X)


@pytest.mark.parametrize("sentence, function, arrays, settings", [
    ("ELEMENT_WISE_CLIP1: min = -1 must be ", anydml.clip1, [numpy.ones(3, "uint8")],
     {"min": -1, "max": 1}),
    ("ELEMENT_WISE_CLIP1: max = 1.5 must be ", anydml.clip1, [numpy.ones(3, "int32")],
     {"min": -1, "max": 1.5}),
    ("ELEMENT_WISE_CLIP1: max = inf must be ", anydml.clip1, [numpy.ones(3, "int32")],
     {"min": -1, "max": float("inf")}),
    ("ELEMENT_WISE_CLIP_GRAD1: min = 3000000000 must be ", anydml.clip_grad1,
     [numpy.ones(3, "int32")] * 2, {"min": 3 * 10**9, "max": 1}),
    ("ELEMENT_WISE_CLIP: max = 1", anydml.clip, [X], {"min": 0, "max": 1e39}),
    ("MAX_POOLING2: strides[0] = -1 must be ", anydml.max_pooling2, [X],
     {"window_size": 2, "strides": -1}),
    ("MAX_POOLING2: window_size[1] = 1099511627776 must be ", anydml.max_pooling2, [X],
     {"window_size": (1, 2**40)}),
    ("MAX_POOLING2: window_size has 9 entries and must have at most 8", anydml.max_pooling2, [X],
     {"window_size": [1] * 9}),
    ("SLICE1: input_window_offsets[3] = -2 must be ", anydml.slice1, [X],
     {"input_window_offsets": (0, 0, 0, -2)}),
    ("ACTIVATION_RELU: InputTensor.Sizes has 9 entries and must have 1 to 8", anydml.relu,
     [numpy.ones((1,) * 9, "float32")], {}),
])
def test_words_are_those_of_the_call(sentence, function, arrays, settings):
    """And never places in the JSON text that the call is made into."""
    with pytest.raises(ValueError) as caught:
        function(*arrays, **settings)
    assert str(caught.value).startswith(sentence)
    assert "desc." not in str(caught.value)


def test_what_cannot_be_worked_out():
    refused(ValueError, "RESAMPLE2: one of scales, output_sizes and out is required",
            anydml.resample2, X, interpolation_mode="linear")
    refused(ValueError, "RESAMPLE_GRAD1: output_sizes, the sizes of the forward operator's input, "
            "or out is required", anydml.resample_grad1, X, interpolation_mode="linear", scales=2)
    refused(ValueError, "SLICE_GRAD: output_sizes", anydml.slice_grad, X)
    refused(ValueError, "Scales", anydml.resample2, X, interpolation_mode="linear",
            scales=float("nan"))
    refused(ValueError, "RESAMPLE2: output_sizes or out is required where one of scales is infinite",
            anydml.resample2, X, interpolation_mode="linear", scales=(1, 1, 1, float("inf")))
    for scale in (1e308, 10**400):
        refused(ValueError, "", anydml.resample2, X, interpolation_mode="linear", scales=scale)
    refused(NotImplementedError, "Antialiased", anydml.resample3, X, interpolation_mode="linear",
            scales=2, antialiased=True)


def test_results_beyond_the_library():
    """Refused before anything is allocated."""
    refused(ValueError, "OutputTensor", anydml.resample2, X, interpolation_mode="linear",
            output_sizes=(2**17, 2**16, 1, 1))


def test_output_sizes_must_be_those_of_out():
    with pytest.raises(anydml.Error, match=r"output_sizes = \(1, 1, 2, 2\) must be those of out"):
        anydml.resample_grad1(numpy.ones((1, 1, 4, 4), "f4"), interpolation_mode="linear",
                              output_sizes=(1, 1, 2, 2), out=numpy.zeros((1, 1, 3, 3), "f4"))
