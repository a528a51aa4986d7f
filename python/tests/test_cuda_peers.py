# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Arrays of other libraries on a GPU: CuPy's and JAX's by DLPack, Numba's by the CUDA array
interface. Each part is skipped, with the reason, where its library or a GPU is missing."""
import os

import numpy
import pytest
from conftest import why_no_cuda

import anydml

pytestmark = pytest.mark.skipif(why_no_cuda() is not None, reason=str(why_no_cuda()))
X = numpy.arange(-6, 6, dtype="float32").reshape(3, 4)
POSITIVE = numpy.maximum(X, 0)


@pytest.fixture
def cupy():
    return pytest.importorskip("cupy")


def test_cupy(cupy):
    x = cupy.asarray(X)
    result = anydml.relu_grad(x, x)
    assert isinstance(result, cupy.ndarray)
    numpy.testing.assert_array_equal(result.get(), POSITIVE)
    numpy.testing.assert_array_equal(anydml.relu(x.T).get(), POSITIVE.T)
    numpy.testing.assert_array_equal(anydml.relu(x[:, 1::2]).get(), POSITIVE[:, 1::2])
    assert anydml.relu(x, out=x) is x
    numpy.testing.assert_array_equal(x.get(), POSITIVE)


def test_cupys_streams(cupy):
    """What its stream still has to write is waited for."""
    busy = cupy.ones((4096, 4096), "float32")
    x = cupy.zeros(1 << 20, "float32")
    cupy.cuda.Device().synchronize()
    with cupy.cuda.Stream(non_blocking=True):
        for _ in range(20):
            busy = busy @ busy * 0
        x += busy[0, 0] + 3
        result = anydml.relu(x)
    assert (result.get() == 3).all()


def test_numba():
    cuda = pytest.importorskip("numba.cuda")
    if not cuda.is_available():
        pytest.skip("Numba finds no CUDA device")
    x = cuda.to_device(X)
    result = anydml.relu(x)
    assert isinstance(result, anydml.DeviceArray)
    numpy.testing.assert_array_equal(cuda.as_cuda_array(result).copy_to_host(), POSITIVE)
    assert anydml.relu(x, out=x) is x
    numpy.testing.assert_array_equal(x.copy_to_host(), POSITIVE)


def test_jax():
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    jax = pytest.importorskip("jax")
    try:
        device = jax.devices("gpu")[0]
    except RuntimeError as error:
        pytest.skip(f"JAX finds no GPU: {error}")
    x = jax.device_put(X, device)
    result = anydml.relu_grad(x, x)
    assert isinstance(result, jax.Array) and result.devices() == {device}
    numpy.testing.assert_array_equal(numpy.asarray(result), POSITIVE)
