# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Arrays and arguments that are almost right: taken where that is exact, refused in words
otherwise. Interleaved views, odd strides, masked arrays, broken protocols, copies of arrays."""
import copy
import ctypes
import gc
import pickle
import weakref

import numpy
import pytest

import anydml
from test_arrays import VersionOne
from test_refusals import X, BrokenExport, CudaInterface, refused

as_strided = numpy.lib.stride_tricks.as_strided


def test_views_that_interleave():
    memory = numpy.array([-1, 9, 2, 9, -3, 9], "float32")
    anydml.relu(memory[::2], out=memory[1::2])
    numpy.testing.assert_array_equal(memory, [-1, 0, 2, 2, -3, 0])
    grid = numpy.arange(-12, 12, dtype="float32").reshape(4, 6)
    expected = numpy.maximum(grid[:, :3], 0)
    anydml.relu(grid[:, :3], out=grid[:, 3:])
    numpy.testing.assert_array_equal(grid[:, 3:], expected)
    image = numpy.arange(-32, 32, dtype="float32").reshape(1, 2, 4, 8)
    pooled = anydml.max_pooling2(image[..., ::2], window_size=(1, 2), strides=(1, 2))
    anydml.max_pooling2(image[..., ::2], window_size=(1, 2), strides=(1, 2),
                        out=image[..., 1::4])
    numpy.testing.assert_array_equal(image[..., 1::4], pooled)


def test_views_that_meet_in_one_element():
    memory = numpy.ones(9, "float32")
    refused(ValueError, "overlap", anydml.relu, memory[::4], out=memory[2:9:3])
    refused(ValueError, "overlap", anydml.relu, memory[::2][:3], out=memory[2:5])
    grid = numpy.ones((4, 6), "float32")
    refused(ValueError, "overlap", anydml.relu, grid[:, :3], out=grid[:, 2:5])


def test_strides_of_single_elements_are_not_looked_at():
    memory = numpy.arange(-2, 6, dtype="float32")
    for stride in (2, 3, -7, 0, 2**40, -2**40):
        x = as_strided(memory, (3, 1), (4, stride))
        numpy.testing.assert_array_equal(anydml.relu(x), [[0], [0], [0]])
        out = as_strided(numpy.empty(3, "float32"), (3, 1), (4, stride))
        numpy.testing.assert_array_equal(anydml.relu(x + 3, out=out), [[1], [2], [3]])
    refused(ValueError, "must be multiples of the element size", anydml.relu,
            as_strided(memory, (3, 2), (4, 2)))


@pytest.mark.parametrize("seed", range(30))
def test_older_slices_of_arrays_that_run_backwards(seed):
    """SLICE has no negative strides: both arrays are turned around."""
    random = numpy.random.default_rng(seed)
    steps = tuple(slice(None, None, int(s)) for s in random.choice([-2, -1, 1, 2], 2))
    x = random.standard_normal((7, 9)).astype("float32")[steps]
    offsets = [int(random.integers(0, n)) for n in x.shape]
    strides = [int(s) for s in random.integers(1, 4, 2)]
    expected = x[tuple(slice(o, None, s) for o, s in zip(offsets, strides))]
    settings = {"offsets": offsets, "strides": strides, "sizes": expected.shape}
    numpy.testing.assert_array_equal(anydml.slice(x, **settings), expected)
    turned = tuple(slice(None, None, -1 if step.step < 0 else 1) for step in steps)
    out = numpy.zeros(expected.shape, "float32")[turned]
    anydml.slice(x, **settings, out=out)
    numpy.testing.assert_array_equal(out, expected)


def test_older_slices_refuse_what_they_cannot_turn():
    x = numpy.arange(6, dtype="float32")
    refused(ValueError, "negative stride", anydml.slice, x, out=numpy.empty(6, "float32")[::-1])
    refused(ValueError, "negative stride", anydml.slice, x[::-1], out=numpy.empty(6, "float32"))
    refused(ValueError, "SLICE: ", anydml.slice, x[::-1], offsets=4, sizes=(3,))
    numpy.testing.assert_array_equal(
        anydml.slice(x[::-1], offsets=4, sizes=(1,), out=numpy.empty(1, "float32")), [1])


def test_masked_arrays():
    masked = numpy.ma.masked_array([1.0, 2.0], [False, True], dtype="float32")
    plain = numpy.ones(2, "float32")
    for arrays, settings in [((masked, plain), {}), ((plain, masked), {}),
                             ((plain, plain), {"out": masked})]:
        refused(TypeError, "a masked array is refused", anydml.relu_grad, *arrays, **settings)
    refused(TypeError, "x.filled(value), or x.data", anydml.relu, masked)
    refused(TypeError, "a masked array is refused", anydml.to_device, masked, "cpu")
    assert anydml.relu(masked.data).tolist() == [1, 2]


def test_types_of_indices():
    for wanted in ("uint64", "UINT64", numpy.uint64, numpy.dtype("uint64")):
        _, indices = anydml.max_pooling2(X, window_size=2, output_indices=wanted)
        assert indices.dtype == "uint64"
    for wanted in (1, None, "int32", "text", numpy.float32, numpy, [True], object()):
        refused(TypeError, "must be True, False or one of uint32, uint64", anydml.max_pooling2, X,
                window_size=2, output_indices=wanted)


def test_settings_that_are_almost_numbers():
    pool = anydml.max_pooling2
    for value in (True, numpy.bool_(True), {2, 3}, {2: 2, 3: 3}, (2, True), numpy.uint64, "2", b"2"):
        refused(TypeError, "MAX_POOLING2: window_size = ", pool, X, window_size=value)
    for value in (True, "1", None, [1]):
        refused(TypeError, "min = ", anydml.clip1, X, min=value, max=1)
        refused(TypeError, "scale_bias = ", anydml.clip1, X, min=0, max=1, scale_bias=(value, 0))
    for value in ((1, 1, True, 3), "1133", {1, 3}, (1, 1, 3.0, 3)):
        refused(TypeError, "output_sizes = ", pool, X, window_size=2, output_sizes=value)
    refused(ValueError, "OutputTensor.Sizes has 0 entries", pool, X, window_size=2,
            output_sizes=())
    for value in ("no", 2, None):
        refused(TypeError, "antialiased = ", anydml.resample3, X, interpolation_mode="linear",
                scales=2, antialiased=value)
    refused(ValueError, "out = () must hold an array", anydml.relu, X, out=())


@pytest.mark.parametrize("dtype, bits", [("float32", 24), ("float16", 11)])
def test_settings_halfway_between_two_floats(dtype, bits):
    """A setting is the float that it is, and not the fewer digits that Python writes of it."""
    for place in range(bits, bits + 13):
        for odd in (1, 3, 5, 7):
            halfway = (2**bits + odd) * 2.0**-place
            result = anydml.clip1(numpy.zeros(1, dtype), min=halfway, max=9)
            assert result == numpy.float64(halfway).astype(dtype), halfway.hex()


def test_integers_of_more_digits_than_python_writes():
    huge = 10**5000
    refused(ValueError, "more than 4300 digits", anydml.max_pooling2, X, window_size=huge)
    refused(ValueError, "more than 4300 digits", anydml.clip1, X, min=0, max=huge)
    refused(ValueError, "more than 4300 digits", anydml.slice_grad, X[0, 0, 0],
            output_sizes=(huge,))
    refused(ValueError, "threads = <int> must not be", anydml.relu, X, threads=huge)
    for value in (2**64, 2**70, -2**70):
        refused(ValueError, "must be an integer from", anydml.max_pooling2, X, window_size=value)
        refused(ValueError, "must be an integer from", anydml.clip1, X.astype("int64"), min=value,
                max=value)


def test_threads_are_integers_whatever_is_kept():
    anydml.relu(X, threads=1)
    for value in (True, 1.0, numpy.float64(1), "1", None, [1]):
        refused(TypeError, "threads = ", anydml.relu, X, threads=value)
        refused(TypeError, "threads = ", anydml.relu, X, threads=value, out=X.copy())
    assert anydml.relu(X, threads=numpy.int64(1)).shape == X.shape


class Odd(VersionOne):
    """A DLPack tensor with members that no producer may give."""

    def __init__(self, **members):
        super().__init__(numpy.ones(3, "float32"))
        self.members = members

    def __dlpack__(self, stream=None, max_version=None):
        capsule = super().__dlpack__(stream, max_version)
        for name, value in self.members.items():
            setattr(self.managed.tensor, name, value)
        return capsule


def test_dlpack_tensors_that_cannot_be():
    for count in (-1, 65, 2**31 - 1):
        refused(TypeError, f"its DLPack tensor has {count} dimensions", anydml.relu, Odd(ndim=count))
    no_shape = ctypes.POINTER(ctypes.c_int64)()
    refused(TypeError, "no shape, which cannot be read", anydml.relu, Odd(shape=no_shape))
    refused(TypeError, "must not be negative", anydml.relu,
            Odd(shape=(ctypes.c_int64 * 1)(-3)))
    refused(TypeError, "elements of 4 lanes are refused", anydml.relu, Odd(lanes=4))
    refused(TypeError, "elements of type float7 are refused", anydml.relu, Odd(bits=7))
    refused(ValueError, "InputTensor must not be null", anydml.relu, Odd(data=None))


class OddDevice(BrokenExport):
    def __init__(self, device):
        super().__init__(3)
        self.device = device

    def __dlpack_device__(self):
        if isinstance(self.device, Exception):
            raise self.device
        return self.device


def test_dlpack_methods_that_fail():
    for device in (None, (1,), (1, 2, 3), "cpu", ("a", "b"), KeyError("gone"), 1):
        refused(TypeError, "x: its __dlpack_device__ cannot be read: ", anydml.relu,
                OddDevice(device))
    for error in (AttributeError("gone"), TypeError("no"), KeyError("x")):
        refused(ValueError, "x: __dlpack__ refused: ", anydml.relu, BrokenExport(error))
    refused(TypeError, "x is 'type' and must be a NumPy array", anydml.relu, numpy.ndarray)
    refused(TypeError, "x is 'type' and must be a NumPy array", anydml.relu, BrokenExport)


class FailingInterface:
    def __init__(self, error=None):
        self.error = error or RuntimeError("busy")

    @property
    def __cuda_array_interface__(self):
        raise self.error


def test_cuda_array_interfaces_that_cannot_be_read():
    words = "x: its __cuda_array_interface__ cannot be read: "
    refused(TypeError, words, anydml.relu, FailingInterface())
    for members in ({"shape": 3}, {"shape": (-3,)}, {"shape": ("a",)}, {"shape": (2.5,)},
                    {"typestr": 4}, {"typestr": ""}, {"typestr": "<fx"}, {"data": ("a", False)},
                    {"data": (-1, False)}, {"data": (2**64, False)}, {"strides": (4, 4)},
                    {"strides": ("a",)}):
        refused(TypeError, words, anydml.relu, CudaInterface(**members))
    for described in (None, 3, "text", [1]):
        broken = CudaInterface()
        broken.__cuda_array_interface__ = described
        refused(TypeError, words, anydml.relu, broken)


def test_missing_memory_is_not_the_arrays_fault():
    for array in (BrokenExport(MemoryError("full")), OddDevice(MemoryError("full")),
                  FailingInterface(MemoryError("full"))):
        with pytest.raises(MemoryError, match="^full$"):
            anydml.relu(array)


@pytest.mark.parametrize("name, value", [("shape", (2**20, 2**8)), ("strides", (2**40, 1)),
                                         ("dtype", "float64"), ("itemsize", 8), ("pointer", 1),
                                         ("device", "cuda:0")])
def test_own_arrays_are_not_described_anew(name, value):
    """NumPy reshapes in place by such an assignment; here it would reach past the memory."""
    made = anydml.to_device(numpy.arange(4, dtype="float32").reshape(2, 2), "cpu")
    before = getattr(made, name)
    with pytest.raises(AttributeError):
        setattr(made, name, value)
    assert getattr(made, name) == before
    numpy.testing.assert_array_equal(anydml.relu(made).numpy(), [[0, 1], [2, 3]])


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, anydml.DeviceArray.copy,
                                   lambda array: pickle.loads(pickle.dumps(array))])
def test_copies_of_own_arrays(again):
    x = numpy.arange(-6, 6, dtype="int16").reshape(3, 4)
    made = anydml.to_device(x, "cpu").turned([0])
    second = again(made)
    assert isinstance(second, anydml.DeviceArray) and second.device == "cpu"
    anydml.relu(made, out=made)
    numpy.testing.assert_array_equal(second.numpy(), x[::-1])
    numpy.testing.assert_array_equal(made.numpy(), numpy.maximum(x, 0)[::-1])


def test_types_of_programs_are_not_kept():
    def seen():
        made = type("Made", (numpy.ndarray,), {})
        numpy.testing.assert_array_equal(anydml.relu(X.view(made)), numpy.maximum(X, 0))
        return weakref.ref(made)
    kept = [seen() for _ in range(10)]
    gc.collect()
    assert not [made for made in kept if made() is not None]
