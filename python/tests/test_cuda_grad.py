# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Gradients of functions and training on a GPU: the CPU's bits, torch's streams, mixed devices."""
import numpy
import pytest
import torch
from conftest import why_no_cuda

import anydml as dml

pytestmark = pytest.mark.skipif(why_no_cuda() is not None, reason=str(why_no_cuda()))


def network(p, x, classes):
    x = dml.relu(dml.convolution(x, p["c"], p["b"].reshape(1, -1, 1, 1), start_padding=1,
                                 end_padding=1))
    x = dml.max_pooling2(x, window_size=2, strides=2).reshape(x.shape[0], -1)
    return dml.cross_entropy(dml.gemm(x, p["w"], trans_b="transpose") * 0.5, classes)


def problem(batch=8):
    p = dml.uniform_parameters({"c": (4, 1, 3, 3), "b": (4,), "w": (10, 64)}, seed=5)
    random = numpy.random.default_rng(batch)
    return (p, random.standard_normal((batch, 1, 8, 8)).astype("float32"),
            random.integers(0, 10, batch))


def over(change, arguments):
    p, x, classes = arguments
    return {name: change(array) for name, array in p.items()}, change(x), change(classes)


def test_gradients_have_the_bits_of_the_cpu():
    here, expected = dml.value_and_grad(network)(*problem())
    function = dml.value_and_grad(network)
    for change in (lambda a: torch.tensor(a).cuda(), lambda a: dml.to_device(a, "cuda:0")):
        value, gradients = function(*over(change, problem()))
        assert type(value) is type(gradients["c"]) is type(change(problem()[1]))
        for ours, theirs in ((value, here), *((gradients[n], expected[n]) for n in expected)):
            ours = ours.cpu().numpy() if isinstance(ours, torch.Tensor) else ours.numpy()
            assert ours.shape == theirs.shape and ours.tobytes() == theirs.tobytes()


def test_work_is_on_torchs_stream():
    gradient = dml.grad(lambda x: (x * x).sum())
    x = torch.ones(1 << 22, device="cuda")
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(20):
            x = x * 1.5
            d = gradient(x)
        assert torch.equal(d, 2 * x)


def test_training_has_the_bits_of_the_cpu():
    """Parameters of any kind and batches of any device."""
    sums = set()
    for device, kind, fed in [("cpu", numpy.asarray, torch.tensor),
                              ("cuda:0", numpy.asarray, numpy.asarray),
                              (None, lambda a: torch.tensor(a).cuda(), numpy.asarray),
                              ("cuda", numpy.asarray, lambda a: torch.tensor(a).cuda())]:
        step = dml.train_step(network, dml.Adam(1e-2), device=device)
        state = step.init(over(kind, problem())[0])
        losses = []
        for batch in (8, 8, 5, 8):
            _, x, classes = over(fed, problem(batch))
            state, value = step(state, x, classes)
            losses.append(value)
        parameters = state.parameters
        assert type(parameters["w"]) is type(kind(problem()[0]["w"]))
        sums.add((tuple(losses), dml.checksum(parameters)))
    assert len(sums) == 1


def test_mixed_devices_are_refused():
    p, x, classes = problem()
    with pytest.raises(dml.InvalidArgument, match="argument 1 is on cuda:0 and argument 0.c is on "
                       "cpu; all arrays must be on one device"):
        dml.grad(network)(p, torch.tensor(x).cuda(), classes)
