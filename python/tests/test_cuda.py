# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The plain functions on a GPU: the CPU's bits for every operator, arrays by every protocol, and
refusals. What needs no GPU is in test_arrays.py and test_refusals.py."""
import gc
import json
import weakref

import numpy
import pytest
import torch
from conftest import why_no_cuda

import anydml
import test_reference_data as reference

pytestmark = pytest.mark.skipif(why_no_cuda() is not None, reason=str(why_no_cuda()))
CUDA = "cuda:0"
X = numpy.arange(-6, 6, dtype="float32").reshape(3, 4)


def entries(path):
    return [reference.arguments(entry) for entry in json.loads(path.read_text())]


def results_of(function, arrays, settings):
    results = function(*arrays, **settings)
    return results if isinstance(results, tuple) else (results,)


def assert_same_bytes(results, expected):
    """NaNs included, where nothing is computed: B13 lets sums choose theirs."""
    for result, wanted in zip(results, expected):
        assert result.dtype == wanted.dtype and result.shape == wanted.shape
        if wanted.dtype.kind == "f" and numpy.isnan(wanted).any():
            reference.assert_same(numpy.ascontiguousarray(result), numpy.ascontiguousarray(wanted))
        else:
            assert result.tobytes() == wanted.tobytes()


PATHS = sorted(reference.FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_the_bits_of_the_cpu_on_own_arrays(path):
    for operator, arrays, settings in entries(path):
        function = getattr(anydml, operator.name)
        results = results_of(function, [anydml.to_device(a, CUDA) for a in arrays], settings)
        assert all(r.device == CUDA for r in results)
        assert_same_bytes([r.numpy() for r in results], results_of(function, arrays, settings))


def on_gpu(array):
    """The same elements with the same strides."""
    tensor = torch.from_numpy(array.copy() if array.flags.c_contiguous else array)
    storage = torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device=CUDA)
    return storage.copy_(tensor)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_the_bits_of_the_cpu_on_tensors_of_any_strides(path):
    random = numpy.random.default_rng(9)
    for operator, arrays, settings in entries(path):
        arrays = [reference.scattered(a, random) for a in arrays]
        function = getattr(anydml, operator.name)
        results = results_of(function, [on_gpu(a) for a in arrays], settings)
        assert all(str(r.device) == CUDA for r in results)
        assert_same_bytes([r.cpu().numpy() for r in results],
                          results_of(function, arrays, settings))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_out_of_any_strides(path):
    random = numpy.random.default_rng(10)
    for operator, arrays, settings in entries(path)[::4]:
        settings = {n: v for n, v in settings.items() if not n.startswith("output_indices")}
        function = getattr(anydml, operator.name)
        expected = function(*arrays, **settings)
        out = on_gpu(reference.scattered(numpy.ones_like(expected), random))
        assert function(*[on_gpu(a) for a in arrays], **settings, out=out) is out
        assert_same_bytes([out.cpu().numpy()], [expected])


def test_in_place():
    x = on_gpu(X)
    assert anydml.relu(x, out=x) is x
    assert x.cpu().tolist() == numpy.maximum(X, 0).tolist()


def test_two_streams():
    """Each keeps its own order while the other is busy; nothing waits in between."""
    streams = [torch.cuda.Stream(), torch.cuda.Stream()]
    host = torch.randn(2, 1 << 20)
    values = host.cuda()
    torch.cuda.synchronize()
    results = [None, None]
    for i, stream in enumerate(streams):
        with torch.cuda.stream(stream):
            x = values[i].clone()
            torch.cuda._sleep(20_000_000)      # what comes next must wait for this
            x.mul_(2)
            results[i] = anydml.relu_grad(x, x)
            x.zero_()                          # and this for what came before
            results[i].add_(1)
    for i, stream in enumerate(streams):
        stream.synchronize()
        expected = torch.relu(host[i] * 2) + 1
        assert torch.equal(results[i].cpu(), expected)


def test_calls_do_not_wait_for_the_gpu():
    x = torch.ones(1000, device=CUDA)
    anydml.relu(x)
    torch.cuda.synchronize()
    torch.cuda._sleep(200_000_000)
    anydml.relu(x)
    assert not torch.cuda.current_stream().query()
    torch.cuda.synchronize()


def test_recorded_graphs():
    """A stream that records takes our work with torch's, temporary memory included."""
    x, dy = torch.randn(1, 2, 32, 32, device=CUDA), torch.randn(1, 2, 31, 31, device=CUDA)

    def work():
        return anydml.max_pooling_grad(x, dy, window_size=2) * 2
    work()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = work()
    x.copy_(torch.randn_like(x))
    graph.replay()
    assert torch.equal(result, work())


class Exporter:
    """A stranger's array on a GPU: nothing but DLPack."""

    def __init__(self, tensor):
        self.tensor, self.streams = tensor, []

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        return self.tensor.__dlpack__(stream=stream)

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()


class Interface:
    """A stranger's array on a GPU: nothing but __cuda_array_interface__."""

    def __init__(self, tensor, **described):
        self.tensor = tensor
        self.__cuda_array_interface__ = {**tensor.__cuda_array_interface__, "version": 3,
                                         **described}


def test_dlpack_objects():
    x = Exporter(on_gpu(X))
    result = anydml.relu(x)
    assert isinstance(result, anydml.DeviceArray) and x.streams == [1]
    numpy.testing.assert_array_equal(result.numpy(), numpy.maximum(X, 0))
    assert anydml.relu(x, out=x) is x
    assert x.tensor.cpu().tolist() == numpy.maximum(X, 0).tolist()


def test_producers_are_told_the_stream_of_tensors():
    stream = torch.cuda.Stream()
    x = Exporter(on_gpu(X))
    with torch.cuda.stream(stream):
        result = anydml.relu_grad(on_gpu(X), x)
    assert isinstance(result, torch.Tensor) and x.streams == [stream.cuda_stream]
    assert result.cpu().tolist() == numpy.maximum(X, 0).tolist()


def test_work_of_producers_is_waited_for():
    """The values come from a busy stream; both protocols name it."""
    stream = torch.cuda.Stream()
    for borrow in (Exporter, lambda t: Interface(t, stream=stream.cuda_stream)):
        x = torch.zeros(1 << 20, device=CUDA)
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            torch.cuda._sleep(20_000_000)
            x.add_(3)
            result = anydml.relu(borrow(x))
        assert (result.numpy() == 3).all()


def test_cuda_array_interface():
    x = on_gpu(X)
    for stream in (None, 1, 2):
        result = anydml.relu_grad(Interface(x, stream=stream), Interface(x))
        assert isinstance(result, anydml.DeviceArray)
        numpy.testing.assert_array_equal(result.numpy(), numpy.maximum(X, 0))
    turned = Interface(x, data=(x.data_ptr() + 12, False), strides=(16, -4))
    numpy.testing.assert_array_equal(anydml.relu(turned).numpy(), numpy.maximum(X, 0)[:, ::-1])
    out = torch.empty_like(x)
    target = Interface(out, data=(out.data_ptr() + 12, False), strides=(16, -4))
    assert anydml.relu(turned, out=target) is target
    assert out.cpu().tolist() == numpy.maximum(X, 0).tolist()


def test_broken_cuda_array_interfaces():
    x = on_gpu(X)
    with pytest.raises(ValueError, match="out is read-only"):
        anydml.relu(x, out=Interface(x, data=(x.data_ptr(), True)))
    with pytest.raises(ValueError, match="x: the stream 0 in its __cuda_array_interface__"):
        anydml.relu(Interface(x, stream=0))
    with pytest.raises(ValueError, match="Sizes = {0, 4}"):
        anydml.relu(Interface(x[:0]))
    with pytest.raises(ValueError, match="belongs to no CUDA device"):
        anydml.relu(Interface(x, data=(X.ctypes.data, False)))


def test_own_arrays_go_to_other_libraries():
    made = anydml.to_device(X, "cuda")
    watched = weakref.ref(made._memory)
    tensor = torch.from_dlpack(made)
    seen = torch.as_tensor(made, device=CUDA)          # by __cuda_array_interface__
    tensor.add_(1)
    assert seen.cpu().tolist() == (X + 1).tolist()
    del made, seen
    gc.collect()
    assert watched() is not None and tensor.cpu().tolist() == (X + 1).tolist()
    del tensor
    gc.collect()
    assert watched() is None


def test_results_are_of_the_callers_kind():
    class Array(Exporter):
        def __array_namespace__(self):
            return torch

    result = anydml.relu(Array(on_gpu(X)))
    assert isinstance(result, torch.Tensor) and str(result.device) == CUDA
    assert result.cpu().tolist() == numpy.maximum(X, 0).tolist()


def refused(sentence, function, *arrays, **settings):
    with pytest.raises(ValueError) as caught:
        function(*arrays, **settings)
    assert sentence in str(caught.value) and isinstance(caught.value, anydml.Error)


def test_devices_that_disagree():
    x = on_gpu(X)
    refused("ACTIVATION_RELU_GRAD: dy is on cpu and x is on cuda:0; all arrays must be on one "
            "device", anydml.relu_grad, x, X)
    refused("out is on cuda:0 and x is on cpu", anydml.relu, X, out=x)
    refused("dy is on cuda:0 and x is on cpu", anydml.relu_grad, X, Exporter(x))
    refused("x is on cuda:0, and device = 'cpu' must be the same", anydml.relu, x, device="cpu")
    refused("x is on cpu, and device = 'cuda' must be the same; leave it out, or copy the array "
            "there, with anydml.to_device", anydml.relu, X, device="cuda")
    for device in ("cuda", CUDA):
        assert anydml.relu(x, device=device).is_cuda


def test_outputs():
    x = on_gpu(X)
    refused("overlaps", anydml.relu, x[:2], out=x[1:])
    refused("OutputTensor.Sizes", anydml.relu, x, out=x[:2])


def test_tensors_that_need_gradients_are_refused():
    refused("use anydml.torch", anydml.relu, on_gpu(X).requires_grad_())
