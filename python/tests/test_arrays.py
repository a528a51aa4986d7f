# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Arrays of every layout and kind: no copies, nothing written beside the result, lifetimes."""
import ctypes
import gc
import weakref

import numpy
import pytest

import anydml
from anydml import _capsule, _dlpack

RANDOM = numpy.random.default_rng(5)


class Exporter:
    """A stranger's array: nothing but DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def random_view(random):
    """A view of random sizes, steps, order of dimensions and broadcasts."""
    sizes = random.integers(1, 5, random.integers(1, 6))
    steps = random.integers(1, 4, len(sizes))
    memory = random.standard_normal([n * s for n, s in zip(sizes, steps)]).astype("float32")
    view = memory[tuple(slice(None, None, s) for s in steps)]
    view = view.transpose(random.permutation(view.ndim))
    if random.integers(4) == 0:
        view = numpy.broadcast_to(view, (3, *view.shape))
    return view


@pytest.mark.parametrize("seed", range(60))
def test_random_views(seed):
    random = numpy.random.default_rng(seed)
    x = random_view(random)
    dy = random.standard_normal(x.shape).astype("float32")
    numpy.testing.assert_array_equal(anydml.relu_grad(x, dy), numpy.where(x > 0, dy, 0))
    numpy.testing.assert_array_equal(
        anydml.slice1(x, input_window_strides=-1), x[(slice(None, None, -1),) * x.ndim])


def test_result_keeps_the_order_of_dimensions():
    x = numpy.ones((2, 3, 4, 5), "float32").transpose(0, 2, 3, 1)
    assert anydml.relu(x).strides == x.strides
    assert anydml.relu(numpy.broadcast_to(numpy.ones(3, "float32"), (2, 3))).strides == (12, 4)


def test_backward_arrays_in_element_wise_operators():
    x, dy = RANDOM.standard_normal((2, 4, 6)).astype("float32")
    for step in [(slice(None, None, -1), slice(None)), (slice(None, None, -1),) * 2]:
        result = anydml.relu_grad(x[step], dy[step])
        numpy.testing.assert_array_equal(result, numpy.where(x > 0, dy, 0)[step])
    out = numpy.empty(6, "float32")
    anydml.relu_grad(x[0, ::-1], dy[0, ::-1], out=out[::-1])
    numpy.testing.assert_array_equal(out, numpy.where(x[0] > 0, dy[0], 0))


def test_backward_arrays_in_slices():
    x = RANDOM.standard_normal((5, 8)).astype("float32")
    numpy.testing.assert_array_equal(
        anydml.slice1(x[::-1, ::-2], input_window_offsets=(1, 0), input_window_strides=(2, -3)),
        x[::-1, ::-2][1::2, ::-3])
    out = numpy.ones(6, "float32")
    anydml.slice_grad(numpy.array([1, 2], "float32"), input_window_offsets=1,
                      input_window_strides=2, out=out[::-1])
    numpy.testing.assert_array_equal(out[::-1], [0, 1, 0, 2, 0, 0])


@pytest.mark.parametrize("seed", range(40))
def test_slices_between_arrays_of_any_direction(seed):
    """Both tensors may run backwards, whatever the window's own direction."""
    random = numpy.random.default_rng(seed)
    x = random.standard_normal((7, 9)).astype("float32")[
        ::int(random.choice([-1, 1])), ::int(random.choice([-2, -1, 1]))]
    offsets = [int(random.integers(0, n)) for n in x.shape]
    windows = [int(random.integers(1, n - o + 1)) for n, o in zip(x.shape, offsets)]
    strides = [int(s) for s in random.choice([-3, -2, -1, 1, 2, 3], 2)]
    picked = tuple(slice(o, o + w) for o, w in zip(offsets, windows))
    steps = tuple(slice(None, None, s) for s in strides)
    picks = x[picked][steps]
    # DirectML lets a slice end before its window does.
    fewer = tuple(slice(int(random.integers(1, n + 1))) for n in picks.shape)
    expected = picks[fewer]
    turned = tuple(slice(None, None, int(s)) for s in random.choice([-1, 1], 2))
    settings = {"input_window_offsets": offsets, "input_window_sizes": windows,
                "input_window_strides": strides}
    out = numpy.empty(expected.shape, "float32")[turned]
    anydml.slice1(x, **settings, out=out)
    numpy.testing.assert_array_equal(out, expected)
    wanted = numpy.zeros(x.shape, "float32")
    wanted[picked][steps][fewer] = expected
    dy = numpy.ascontiguousarray(expected[turned])[turned]
    numpy.testing.assert_array_equal(
        anydml.slice_grad(dy, **settings, output_sizes=x.shape), wanted)
    dx = numpy.ones(x.shape, "float32")[::int(random.choice([-1, 1])), ::-1]
    anydml.slice_grad(dy, **settings, out=dx)
    numpy.testing.assert_array_equal(dx, wanted)


def test_slices_that_do_not_fit_are_refused_whatever_their_direction():
    x = numpy.ones(6, "float32")
    with pytest.raises(ValueError, match=r"OutputTensor.Sizes\[0\] = 4 must be at most"):
        anydml.slice1(x, input_window_strides=2, out=numpy.ones(4, "float32")[::-1])
    with pytest.raises(ValueError, match="InputWindowStrides"):
        anydml.slice1(x, input_window_strides=0, out=numpy.ones(6, "float32")[::-1])


def test_size_one_dimensions_may_have_any_stride():
    x = numpy.ones((4, 1), "float32")[:, ::-1]
    numpy.testing.assert_array_equal(anydml.relu(x), x)


def test_only_the_elements_of_out_are_written():
    memory = numpy.full((6, 9), 7, "float32")
    anydml.relu(numpy.zeros((3, 3), "float32"), out=memory[::2, 1::3])
    expected = numpy.full((6, 9), 7, "float32")
    expected[::2, 1::3] = 0
    numpy.testing.assert_array_equal(memory, expected)


def test_odd_bytes_are_not_read_beyond():
    memory = numpy.full(8, 7, "int8")
    anydml.relu(numpy.array([-1] * 5, "int8"), out=memory[:5])
    numpy.testing.assert_array_equal(memory, [0] * 5 + [7] * 3)


def test_in_place():
    x = numpy.array([-1, 2], "float32")
    assert anydml.relu(x, out=x) is x
    numpy.testing.assert_array_equal(x, [0, 2])


def test_read_only_inputs():
    x = numpy.array([-1, 2], "float32")
    x.flags.writeable = False
    numpy.testing.assert_array_equal(anydml.relu(x), [0, 2])


def test_subclasses_of_ndarray(tmp_path):
    x = numpy.memmap(tmp_path / "x", "float32", "w+", shape=(3,))
    x[:] = [-1, 0, 1]
    numpy.testing.assert_array_equal(anydml.relu(x), [0, 0, 1])


def test_dlpack_objects_in():
    x = numpy.arange(-3, 3, dtype="float32")
    result = anydml.relu_grad(Exporter(x), Exporter(x[:]))
    numpy.testing.assert_array_equal(result, [0, 0, 0, 0, 1, 2])
    numpy.testing.assert_array_equal(anydml.relu(Exporter(x[::-2])), [2, 0, 0])


def test_dlpack_objects_out():
    out = numpy.empty(3, "float32")
    target = Exporter(out)
    assert anydml.relu(numpy.ones(3, "float32"), out=target) is target
    numpy.testing.assert_array_equal(out, 1)


def test_dlpack_capsules_are_released():
    x = numpy.ones(5, "float32")
    watched = weakref.ref(x)
    exporter = Exporter(x)
    anydml.relu(exporter)
    del x, exporter
    gc.collect()
    assert watched() is None


class VersionOne:
    """DLPack 1.0, which NumPy 1.24 does not write: a capsule with flags."""

    def __init__(self, array, flags=0):
        self.array, self.flags = array, flags

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, stream=None, max_version=None):
        assert max_version >= (1, 0)
        managed = _dlpack._Versioned(major=1, flags=self.flags)
        managed.tensor.data, managed.tensor.device_type = self.array.ctypes.data, 1
        managed.tensor.code, managed.tensor.bits, managed.tensor.lanes = 2, 32, 1
        managed.tensor.ndim, self.shape = 1, (ctypes.c_int64 * 1)(self.array.size)
        managed.tensor.shape = self.shape
        self.managed = managed
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(managed), b"dltensor_versioned", None)


def test_dlpack_version_one():
    x = VersionOne(numpy.array([-1, 2], "float32"))
    numpy.testing.assert_array_equal(anydml.relu(x), [0, 2])
    anydml.relu(x, out=x)
    numpy.testing.assert_array_equal(x.array, [0, 2])


def test_dlpack_version_one_may_be_read_only():
    x = VersionOne(numpy.array([-1, 2], "float32"), flags=1)
    numpy.testing.assert_array_equal(anydml.relu(x), [0, 2])
    with pytest.raises(ValueError, match="out is read-only"):
        anydml.relu(x, out=x)


def test_dlpack_results_are_of_the_callers_kind():
    class Library:
        @staticmethod
        def from_dlpack(array):
            return Exporter(array)

    class Array(Exporter):
        def __array_namespace__(self):
            return Library

    assert type(anydml.relu(Array(numpy.ones(3, "float32")))) is Exporter


def test_own_arrays():
    x = numpy.arange(-6, 6, dtype="int16").reshape(3, 4).T
    made = anydml.to_device(x, "cpu")
    assert repr(made) == "DeviceArray(int16, shape=(4, 3), device='cpu')"
    numpy.testing.assert_array_equal(made.numpy(), x)
    result = anydml.relu(made)
    assert isinstance(result, anydml.DeviceArray)
    numpy.testing.assert_array_equal(result.numpy(), numpy.maximum(x, 0))
    assert anydml.relu(made, out=made) is made
    numpy.testing.assert_array_equal(made.numpy(), numpy.maximum(x, 0))
    assert not hasattr(made, "__cuda_array_interface__")


def test_own_arrays_that_run_backwards():
    x = numpy.arange(-6, 6, dtype="float32").reshape(3, 4)
    made = anydml.to_device(x, "cpu").turned([1])
    numpy.testing.assert_array_equal(made.numpy(), x[:, ::-1])
    numpy.testing.assert_array_equal(anydml.relu(made).numpy(), numpy.maximum(x, 0)[:, ::-1])


def test_own_arrays_by_dlpack():
    """The memory lives as long as whoever looks at it."""
    made = anydml.to_device(numpy.arange(5, dtype="float32"), "cpu")
    watched = weakref.ref(made._memory)
    view = numpy.from_dlpack(made)
    capsule = made.__dlpack__()
    del made
    numpy.testing.assert_array_equal(view, numpy.arange(5))
    del capsule
    assert watched() is not None
    del view
    gc.collect()
    assert watched() is None and not _capsule._held


def test_own_arrays_of_what_cannot_be():
    with pytest.raises(TypeError, match="array is 'list' and must be a NumPy array"):
        anydml.to_device([1], "cpu")
    with pytest.raises(ValueError, match="must have elements"):
        anydml.to_device(numpy.ones(0, "float32"), "cpu")
    with pytest.raises(TypeError, match="elements of type complex64"):
        anydml.to_device(numpy.ones(2, "complex64"), "cpu")
    with pytest.raises(BufferError):
        anydml.to_device(numpy.ones(2, "float32"), "cpu").__dlpack__(copy=True)


def test_kinds_may_be_mixed():
    x = numpy.array([-1, 2], "float32")
    assert isinstance(anydml.relu_grad(x, Exporter(x)), numpy.ndarray)
