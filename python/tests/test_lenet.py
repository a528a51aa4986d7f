# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""LeNet trains by DirectML's operators alone: a step forward, backward and by Adam, its gradients
beside PyTorch's, and the same bits on every thread count."""
import numpy
import pytest
import torch

import anydml as dml

POOL = {"window_size": 2, "strides": 2}
SIZES = {"c1": (6, 1, 5, 5), "b1": (6,), "c2": (16, 6, 5, 5), "b2": (16,), "w3": (400, 120),
         "b3": (120,), "w4": (120, 84), "b4": (84,), "w5": (84, 10), "b5": (10,)}


def parameters(seed):
    random = numpy.random.default_rng(seed)
    scale = {n: 0.1 if len(s) == 1 else (s[0] if n[0] == "w" else numpy.prod(s[1:])) ** -0.5
             for n, s in SIZES.items()}
    return {n: (random.uniform(-1, 1, s) * scale[n]).astype("float32") for n, s in SIZES.items()}


def batch(seed, count=16):
    """Pictures of a bright row whose height is the label, in noise."""
    random = numpy.random.default_rng(seed)
    labels = random.integers(0, 10, count)
    x = random.random((count, 1, 28, 28)).astype("float32") * 0.5
    x[numpy.arange(count), 0, 2 + 2 * labels] = 1
    return x, labels.astype("uint32")


def rows(bias, count):
    """A bias for every row of a product: a view that repeats it."""
    return numpy.broadcast_to(bias, (count, bias.size))


def image(bias):
    return bias.reshape(1, -1, 1, 1)


def total(d, axes):
    """Sums over axes that the result keeps with size 1."""
    return dml.reduce(d, function="sum", axes=axes).reshape(-1)


def step(p, x, labels, threads):
    """(loss, gradients) of the mean cross entropy."""
    on = {"threads": threads}
    n = len(x)
    z1 = dml.convolution(x, p["c1"], image(p["b1"]), start_padding=2, end_padding=2, **on)
    a1 = dml.relu(z1, **on)
    h1 = dml.max_pooling2(a1, **POOL, **on)
    z2 = dml.convolution(h1, p["c2"], image(p["b2"]), **on)
    a2 = dml.relu(z2, **on)
    h2 = dml.max_pooling2(a2, **POOL, **on)
    flat = h2.reshape(n, 400)
    z3 = dml.gemm(flat, p["w3"], rows(p["b3"], n), **on)
    a3 = dml.relu(z3, **on)
    z4 = dml.gemm(a3, p["w4"], rows(p["b4"], n), **on)
    a4 = dml.relu(z4, **on)
    z5 = dml.gemm(a4, p["w5"], rows(p["b5"], n), **on)
    logs = dml.log_softmax1(z5, axes=[1], **on)
    hot = dml.one_hot(labels.reshape(n, 1), numpy.array([[0, 1]], "float32"), axis=1,
                      output_sizes=(n, 10), **on)
    loss = -total(dml.multiply(logs, hot, **on), [0, 1])[0] / n
    d5 = dml.subtract(dml.exp(logs, **on), hot, **on) / numpy.float32(n)
    g = {"w5": dml.gemm(a4, d5, trans_a="transpose", **on), "b5": total(d5, [0])}
    d4 = dml.relu_grad(z4, dml.gemm(d5, p["w5"], trans_b="transpose", **on), **on)
    g.update(w4=dml.gemm(a3, d4, trans_a="transpose", **on), b4=total(d4, [0]))
    d3 = dml.relu_grad(z3, dml.gemm(d4, p["w4"], trans_b="transpose", **on), **on)
    g.update(w3=dml.gemm(flat, d3, trans_a="transpose", **on), b3=total(d3, [0]))
    d2 = dml.gemm(d3, p["w3"], trans_b="transpose", **on).reshape(h2.shape)
    d2 = dml.relu_grad(z2, dml.max_pooling_grad(a2, d2, **POOL, **on), **on)
    # The gradient of a filter is a convolution whose batch and channels change places.
    exchanged = (1, 0, 2, 3)
    g.update(c2=dml.convolution(h1.transpose(exchanged), d2.transpose(exchanged),
                                **on).transpose(exchanged), b2=total(d2, [0, 2, 3]))
    d1 = dml.convolution(d2, p["c2"], direction="backward", **on)
    d1 = dml.relu_grad(z1, dml.max_pooling_grad(a1, d1, **POOL, **on), **on)
    g.update(c1=dml.convolution(x.transpose(exchanged), d1.transpose(exchanged), start_padding=2,
                                end_padding=2, **on).transpose(exchanged),
             b1=total(d1, [0, 2, 3]))
    return loss, g


def by_torch(p, x, labels):
    t = {n: torch.tensor(v, requires_grad=True) for n, v in p.items()}
    h = torch.conv2d(torch.tensor(x), t["c1"], t["b1"], padding=2).relu()
    h = torch.max_pool2d(h, 2)
    h = torch.max_pool2d(torch.conv2d(h, t["c2"], t["b2"]).relu(), 2).reshape(len(x), 400)
    for i in "34":
        h = (h @ t["w" + i] + t["b" + i]).relu()
    loss = torch.nn.functional.cross_entropy(h @ t["w5"] + t["b5"],
                                             torch.tensor(labels.astype("int64")))
    loss.backward()
    return loss.item(), {n: v.grad.numpy() for n, v in t.items()}


def test_gradients_are_those_of_torch():
    p, (x, labels) = parameters(1), batch(2)
    loss, gradients = step(p, x, labels, 0)
    expected, wanted = by_torch(p, x, labels)
    assert loss == pytest.approx(expected, rel=1e-5)
    for name, gradient in gradients.items():
        numpy.testing.assert_allclose(gradient.reshape(wanted[name].shape), wanted[name],
                                      rtol=1e-4, atol=1e-6, err_msg=name)


def train(threads, steps):
    p = parameters(1)
    m, v = ({n: numpy.zeros_like(a) for n, a in p.items()} for _ in range(2))
    losses = []
    for number in range(1, steps + 1):
        loss, gradients = step(p, *batch(100 + number), threads)
        losses.append(loss)
        for n in p:
            d = numpy.ascontiguousarray(gradients[n]).reshape(p[n].shape)
            at = numpy.full((1,) * p[n].ndim, number, "uint32")
            dml.adam_optimizer(p[n], m[n], v[n], d, at, learning_rate=2e-3, beta1=0.9, beta2=0.999,
                               epsilon=1e-8, threads=threads, out=(p[n], m[n], v[n]))
    return losses, p


def test_it_learns_and_has_the_same_bits_on_every_thread_count():
    losses, p = train(1, 60)
    assert losses[0] > 2 and sum(losses[-5:]) / 5 < 0.5
    again, other = train(2, 60)
    assert again == losses
    for n in p:
        assert p[n].tobytes() == other[n].tobytes(), n
