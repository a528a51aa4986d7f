# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""anydml.torch on a GPU: the CPU's bits in results and gradients, streams, gradcheck, modules,
torch.compile."""
import copy
import warnings

import numpy
import pytest
import torch
from conftest import why_no_cuda
from torch import nn

import anydml
import anydml.torch as ours

pytestmark = pytest.mark.skipif(why_no_cuda() is not None, reason=str(why_no_cuda()))

FUNCTIONS = {
    "relu": ours.relu,
    "clip": lambda x: ours.clip(x, -0.5, 0.75),
    "max_pool2d": lambda x: ours.max_pool2d(x, 3, 2, padding=((1, 0), (0, 2)), ceil_mode=True),
    "max_pool2d_overlapping": lambda x: ours.max_pool2d(x, 3, 1, dilation=2),
    "upsample_bilinear": lambda x: ours.upsample(x, size=(37, 23), mode="bilinear"),
    "upsample_align": lambda x: ours.upsample(x, scale_factor=2, mode="bilinear",
                                              align_corners=True),
    "upsample_nearest": lambda x: ours.upsample(x, scale_factor=1.5),
    "resample_any_axis": lambda x: ours.resample(x, scales=(2, 0.5), dims=[1, 3]),
    "slice": lambda x: ours.slice(x, numpy.s_[..., 1:, ::-2]),
}


def both(function, x, dy_seed=5):
    """Bytes of result and gradient on the device of x."""
    x = x.detach().requires_grad_()
    y = function(x)
    torch.manual_seed(dy_seed)
    y.backward(torch.randn(y.shape).to(y))
    assert y.device == x.device and x.grad.device == x.device
    return [t.detach().cpu().contiguous().numpy().tobytes() for t in (y, x.grad)]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
@pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last])
@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_the_bits_of_the_cpu(name, layout, dtype):
    torch.manual_seed(2)
    x = torch.randn(2, 4, 18, 22).to(dtype).contiguous(memory_format=layout)
    assert both(FUNCTIONS[name], x) == both(FUNCTIONS[name], x.cuda())


def test_max_pool3d_has_the_bits_of_the_cpu():
    x = torch.randn(2, 3, 8, 9, 10)
    function = lambda x: ours.max_pool3d(x, 3, 2, 1)    # noqa: E731
    assert both(function, x) == both(function, x.cuda())


def test_indices():
    x = torch.randn(2, 3, 6, 6, device="cuda")
    for our, their in zip(ours.max_pool2d(x, 2, return_indices=True),
                          torch.nn.functional.max_pool2d(x, 2, return_indices=True)):
        torch.testing.assert_close(our, their, rtol=0, atol=0)


def test_two_streams():
    """Forward and backward stay on the stream that was current, while both are busy."""
    def work(x):
        x = x.clone().requires_grad_()
        torch.cuda._sleep(20_000_000) if x.is_cuda else None
        leaf = x * 2
        y = ours.upsample(ours.max_pool2d(leaf, 3, 1), size=(50, 41), mode="bilinear")
        (gradient,) = torch.autograd.grad(y, leaf, y.detach())
        return gradient
    torch.manual_seed(4)
    hosts = [torch.randn(2, 3, 33, 29) for _ in range(2)]
    devices = [host.cuda() for host in hosts]
    streams = [torch.cuda.Stream(), torch.cuda.Stream()]
    torch.cuda.synchronize()
    results = []
    for stream, x in zip(streams, devices):
        with torch.cuda.stream(stream):
            results.append(work(x))
    for stream, result, host in zip(streams, results, hosts):
        stream.synchronize()
        assert torch.equal(result.cpu(), work(host))


@pytest.mark.parametrize("name", ["relu", "clip", "max_pool2d", "upsample_bilinear", "slice"])
def test_gradcheck(name):
    """In float32, on values far from kinks and ties."""
    torch.manual_seed(6)
    x = ((torch.randperm(64).float().reshape(1, 1, 8, 8) - 31.75) / 8).cuda().requires_grad_()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")     # that float32 is not double
        assert torch.autograd.gradcheck(FUNCTIONS[name], (x,), eps=1e-2, atol=1e-3, rtol=1e-3)


def network():
    return ours.swap(nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.ReLU6(),
        nn.Upsample(scale_factor=2, mode="bilinear"), nn.Hardtanh(-2, 2),
        ours.Slice(numpy.s_[..., 1:-1, 1:-1])))


def test_modules_train():
    torch.manual_seed(1)
    here = network()
    there = copy.deepcopy(here).cuda()
    x = torch.randn(2, 1, 8, 8)
    here(x).square().sum().backward()
    there(x.cuda()).square().sum().backward()
    for a, b in zip(here.parameters(), there.parameters()):     # convolutions are torch's
        torch.testing.assert_close(a.grad, b.grad.cpu(), rtol=1e-2, atol=1e-2)


def test_double_backward_is_refused():
    x = torch.randn(1, 1, 4, 4, device="cuda", requires_grad=True)
    (first,) = torch.autograd.grad(ours.relu(x).square().sum(), x, create_graph=True)
    with pytest.raises(NotImplementedError, match="double backward is refused"):
        first.sum().backward()


def test_float64_is_refused_where_the_pages_have_none():
    with pytest.raises(anydml.InvalidArgument, match="FLOAT64"):
        ours.relu(torch.randn(3, dtype=torch.float64, device="cuda"))


@pytest.mark.skipif(not hasattr(torch.library, "custom_op"), reason="torch is older than 2.4")
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_compiled_graphs_stay_whole(backend):
    if backend == "inductor":
        pytest.importorskip("triton")

    backwards = numpy.s_[..., ::-1]

    def model(x):
        x = ours.clip(ours.relu(x * 2), 0, 3)
        x, indices = ours.max_pool2d(x, 2, return_indices=True)
        x = ours.upsample(x, scale_factor=2, mode="bilinear")
        return ours.slice(x, backwards) * 2 + indices.sum()
    x = torch.randn(1, 2, 8, 8, device="cuda", requires_grad=True)
    y = torch.compile(model, fullgraph=True, backend=backend)(x)
    y.sum().backward()
    compiled, x.grad = x.grad, None
    expected = model(x)
    expected.sum().backward()
    assert torch.equal(y, expected) and torch.equal(compiled, x.grad)
