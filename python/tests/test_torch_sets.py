# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Reductions, softmaxes, running sums and normalizations beside torch's, within a tolerance: torch
adds in another order."""
import pytest
import torch

import anydml

F = torch.nn.functional
LAYOUTS = ["packed", "channels_last"]


def images(layout="packed", sizes=(4, 5, 13, 17)):
    torch.manual_seed(1)
    x = torch.randn(sizes) * 3 + 1
    return x.contiguous(memory_format=torch.channels_last) if layout == "channels_last" else x


def channels(values):
    return values.reshape(1, -1, 1, 1)


def close(ours, theirs, tolerance=1e-5):
    torch.testing.assert_close(ours, theirs, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axes", [(1,), (3,), (2, 3), (0, 2, 3), (0, 1, 2, 3)])
@pytest.mark.parametrize("function, theirs", [
    ("sum", torch.sum), ("average", torch.mean), ("max", torch.amax), ("min", torch.amin),
    ("log_sum_exp", torch.logsumexp), ("l2", torch.linalg.vector_norm)])
def test_reductions(function, theirs, axes, layout):
    x = images(layout)
    expected = theirs(x, dim=axes, keepdim=True)
    close(anydml.reduce(x, function=function, axes=axes), expected, 1e-4)


@pytest.mark.parametrize("axis", [0, 1, 3])
def test_indices(axis):
    x = images()
    assert (anydml.argmax(x, axes=[axis], axis_direction="increasing").to(torch.int64)
            == x.argmax(axis, keepdim=True)).all()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axis", [1, 3])
def test_softmax(axis, layout):
    x = images(layout)
    close(anydml.softmax1(x, axes=[axis]), F.softmax(x, axis))
    close(anydml.log_softmax1(x, axes=[axis]), F.log_softmax(x, axis))


@pytest.mark.parametrize("axis", [0, 1, 3])
def test_running_sums(axis):
    x = images()
    close(anydml.cumulative_summation(x, axis=axis, axis_direction="increasing"), x.cumsum(axis), 1e-4)
    close(anydml.cumulative_product(x, axis=axis, axis_direction="increasing"), x.cumprod(axis), 1e-4)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_batch_normalization_and_its_gradient(layout):
    x, dy = images(layout).requires_grad_(), images(layout).flip(0)
    scale, bias = torch.rand(5).requires_grad_(), torch.rand(5).requires_grad_()
    expected = F.batch_norm(x, None, None, scale, bias, True, eps=1e-5)
    given = x.detach()
    y, mean, variance = anydml.batch_normalization_training(
        given, channels(scale.detach()), channels(bias.detach()), torch.zeros_like(given),
        epsilon=1e-5)
    close(y, expected.detach())
    close(mean.flatten(), given.mean((0, 2, 3)))
    close(variance.flatten(), given.var((0, 2, 3), unbiased=False), 1e-4)
    expected.backward(dy)
    dx, dscale, dbias = anydml.batch_normalization_training_grad(
        given, dy, mean, variance, channels(scale.detach()), epsilon=1e-5)
    close(dx, x.grad, 1e-4)
    close(dscale.flatten(), scale.grad, 1e-3)
    close(dbias.flatten(), bias.grad, 1e-3)
    close(anydml.batch_normalization(given, mean, variance, channels(scale.detach()),
                                     channels(bias.detach()), epsilon=1e-5), y, 0)


def test_layer_and_instance_normalization():
    x = torch.randn(6, 7, 200)
    scale, bias = torch.rand(200), torch.rand(200)
    close(anydml.mean_variance_normalization1(x, scale.reshape(1, 1, -1), bias.reshape(1, 1, -1),
                                              axes=[2], epsilon=1e-5),
          F.layer_norm(x, (200,), scale, bias, 1e-5))
    x = images()
    scale, bias = torch.rand(5), torch.rand(5)
    close(anydml.mean_variance_normalization1(x, channels(scale), channels(bias), axes=[2, 3],
                                              epsilon=1e-5),
          F.instance_norm(x, weight=scale, bias=bias, eps=1e-5))


def test_what_cannot_be_turned_is_refused():
    import numpy as np
    for call in (lambda x: anydml.cumulative_summation(x, axis=0, axis_direction="increasing"),
                 anydml.softmax):
        with pytest.raises(ValueError, match="negative stride"):
            call(np.arange(4, dtype=np.float32)[::-1])
