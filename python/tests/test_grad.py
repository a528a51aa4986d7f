# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""anydml.grad and value_and_grad: beside PyTorch's autograd, arguments and results of every kind,
and what is refused."""
import collections
import gc
import inspect
import typing
import weakref

import numpy
import pytest
import torch

import anydml as dml
from anydml import _cache

Layer = collections.namedtuple("Layer", "filter bias")
RANDOM = numpy.random.default_rng(1)


def random(*shape, dtype="float32"):
    return RANDOM.standard_normal(shape).astype(dtype)


def parameters():
    return {"convolutions": [Layer(random(4, 1, 3, 3), random(4)), Layer(random(6, 4, 3, 3),
                                                                        random(6))],
            "full": (random(10, 54), random(10))}


def network(p, x, classes, padding=1):
    """A small CNN."""
    for layer in p["convolutions"]:
        x = dml.convolution(x, layer.filter, layer.bias.reshape(1, -1, 1, 1), start_padding=padding,
                            end_padding=padding)
        x = dml.max_pooling2(dml.relu(x), window_size=2, strides=2)
    weight, bias = p["full"]
    scores = dml.gemm(x.reshape(x.shape[0], -1), weight, trans_b="transpose") + bias
    return dml.cross_entropy(scores, classes)


def network_by_torch(p, x, classes):
    for layer in p["convolutions"]:
        x = torch.conv2d(x, layer.filter, layer.bias, padding=1)
        x = torch.max_pool2d(x.relu(), 2)
    weight, bias = p["full"]
    return torch.nn.functional.cross_entropy(x.flatten(1) @ weight.t() + bias, classes)


def as_tree(p, change):
    return {"convolutions": [Layer(*map(change, layer)) for layer in p["convolutions"]],
            "full": tuple(map(change, p["full"]))}


def leaves(p):
    return [*p["convolutions"][0], *p["convolutions"][1], *p["full"]]


@pytest.mark.parametrize("kind", [numpy.asarray, torch.tensor, lambda a: dml.to_device(a, "cpu")])
def test_a_network_beside_torch(kind):
    p, x, classes = parameters(), random(5, 1, 12, 12), numpy.array([3, 0, 9, 9, 1])
    value, gradients = dml.value_and_grad(network)(as_tree(p, kind), kind(x), kind(classes))
    t = as_tree(p, lambda a: torch.tensor(a, requires_grad=True))
    expected = network_by_torch(t, torch.tensor(x), torch.tensor(classes))
    expected.backward()
    assert type(value) is type(kind(x)) and value.shape == ()
    assert isinstance(gradients["full"], tuple) and isinstance(gradients["convolutions"][0], Layer)
    for ours, theirs in zip(leaves(gradients), leaves(t)):
        assert type(ours) is type(kind(x))
        numpy.testing.assert_allclose(ours.numpy() if hasattr(ours, "numpy") else ours,
                                      theirs.grad.numpy(), rtol=1e-4, atol=1e-5)
    if kind is numpy.asarray:
        assert value == pytest.approx(expected.item(), rel=1e-5)
        only = dml.grad(network, threads=1)(p, x, classes)
        assert all(a.tobytes() == b.tobytes() for a, b in zip(leaves(only), leaves(gradients)))


def test_arguments_by_number():
    a, b, c = (random(3, 2) for _ in range(3))
    function = lambda a, b, c: (a * b + b * c * 2).sum()               # noqa: E731
    numpy.testing.assert_array_equal(dml.grad(function)(a, b, c), b)
    numpy.testing.assert_array_equal(dml.grad(function, 2)(a, b, c), 2 * b)
    d = dml.grad(function, (2, 0))(a, b, c)
    assert isinstance(d, tuple)
    numpy.testing.assert_array_equal(d, (2 * b, b))
    value, (d,) = dml.value_and_grad(lambda p: p[0].sum())([a])
    numpy.testing.assert_array_equal(d, numpy.ones_like(a))
    assert value == pytest.approx(a.sum(), rel=1e-5)
    numpy.testing.assert_array_equal(dml.grad(function)(a, c=c, b=b), b)


def test_arithmetic_is_numpys():
    a, b, row = random(2, 3), random(2, 3) + 3, random(3)
    cases = [lambda a, b: a + b - 2, lambda a, b: 1 - a * 2.5 + 3, lambda a, b: a / b / 4,
             lambda a, b: 2 / b + (-a), lambda a, b: a * row + row - b, lambda a, b: row / b + a,
             lambda a, b: a.transpose().reshape(numpy.int64(2), -1) * b,
             lambda a, b: a.transpose(1, 0) * 3,
             lambda a, b: a.reshape(1, 2, 3) * b, lambda a, b: a * b.reshape((6, 1)).sum(),
             lambda a, b: a.astype("float16").astype(numpy.float32) + numpy.float32(0.1)]
    for case in cases:
        value, _ = dml.value_and_grad(lambda a, b: case(a, b).mean())(a, b)
        numpy.testing.assert_allclose(value, case(a, b).mean(), rtol=1e-5, atol=1e-6)


def test_gradients_of_views():
    a, w = random(2, 1), random(3, 2)
    d = dml.grad(lambda a: (a.broadcast_to((3, 2, 4)).transpose(1, 0, 2) * 2).sum())(a)
    numpy.testing.assert_array_equal(d, numpy.full((2, 1), 24))
    d = dml.grad(lambda a: (a.reshape(2).transpose() * w).sum())(a)
    numpy.testing.assert_allclose(d, w.sum(0).reshape(2, 1), rtol=1e-6)


def test_a_function_is_traced_once_per_shapes_types_and_numbers():
    seen = []

    def function(x, scale=1):
        seen.append((x.shape, x.dtype, scale))
        return (x * scale).sum()
    gradient = dml.grad(function)
    for x in (random(3), random(3), random(3, 1), random(3, dtype="float16"), random(3)):
        assert gradient(x).shape == x.shape
    numpy.testing.assert_array_equal(gradient(random(3), 4), [4, 4, 4])
    numpy.testing.assert_array_equal(gradient(random(3), scale=4), [4, 4, 4])
    numpy.testing.assert_array_equal(gradient(random(3), 4.0), [4, 4, 4])
    gradient(torch.ones(3))
    gradient(random(3), 4)
    assert seen == [((3,), "float32", 1), ((3, 1), "float32", 1), ((3,), "float16", 1),
                    ((3,), "float32", 4), ((3,), "float32", 4), ((3,), "float32", 4.0),
                    ((3,), "float32", 1)]


def test_integers_as_other_arguments():
    table, places = random(5, 3), numpy.array([[4, 0, 4]], "uint32")
    loss = lambda t, i: dml.gather(t, i, axis=0, index_dimensions=1).sum()   # noqa: E731
    numpy.testing.assert_array_equal(dml.grad(loss)(table, places)[:, 0], [1, 0, 0, 0, 2])
    mask = numpy.array([0, 1, 0], "uint8")
    numpy.testing.assert_array_equal(
        dml.grad(lambda x, m: (x * m.astype("float32")).sum())(random(3), mask), [0, 1, 0])


def test_comparisons_casts_and_parts():
    a, b = random(4, 3), random(4, 3)

    def larger(a, b):
        is_larger = dml.logical_greater_than(a, b)
        assert is_larger.dtype == "uint8"
        return dml.element_wise_if(is_larger, a * 2, b).sum()
    numpy.testing.assert_array_equal(dml.grad(larger)(a, b), 2.0 * (a > b))

    def parts(a):
        first, second = dml.split(dml.cast(a, dtype=numpy.float16), axis=0, output_count=2)
        assert first.shape == (2, 3) and second.dtype == "float16"
        return dml.cast(first + second * 3, dtype="float32").sum()
    numpy.testing.assert_array_equal(dml.grad(parts)(a), numpy.repeat([1, 3], 2)[:, None] *
                                     numpy.ones((1, 3)))
    numpy.testing.assert_array_equal(dml.grad(lambda x: (x * len({x, x})).sum())(a), a * 0 + 1)


def test_single_numbers_and_other_layouts():
    scale, x = numpy.array(2, "float32"), random(4, 3)
    d = dml.grad(lambda s, x: (x * s).sum())(scale, x)
    assert d.shape == () and d == pytest.approx(x.sum(), rel=1e-5)
    weights = random(3, 4)
    loss = lambda x: (x * weights.T).sum()                              # noqa: E731
    for other in (numpy.asfortranarray(x), numpy.repeat(x, 2, 0)[::2], x[::-1][::-1]):
        numpy.testing.assert_array_equal(dml.grad(loss)(other), weights.T)
    numpy.testing.assert_array_equal(dml.grad(loss)(torch.tensor(x.T.copy()).t()), weights.T)


class Foreign:
    """An array that shows itself by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **arguments):
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_arrays_by_dlpack():
    x = random(4)
    d = dml.grad(lambda x: (x * x).sum())(Foreign(x))
    numpy.testing.assert_array_equal(d, 2 * x)


def test_functions_of_gradients():
    x = random(4)
    third = dml.grad(lambda x: dml.grad(lambda y: (y * y * y).sum())(x).sum())(x)
    numpy.testing.assert_allclose(third, 6 * x, rtol=1e-6)


def test_gradients_of_a_normalizations_gradients():
    x, variance = random(2, 3, 4, 4), abs(random(1, 3, 1, 1)) + 1
    others = [random(1, 3, 1, 1) for _ in range(3)]                    # mean, scale, bias

    def cubes(x):
        mean, scale, bias = others
        y = dml.batch_normalization(x, mean, variance, scale, bias, epsilon=0.5)
        return (y * y * y).sum()

    second = dml.grad(lambda x: dml.grad(cubes)(x).sum())(x)
    factor = others[1] / numpy.sqrt(variance + 0.5)
    expected = 6 * ((x - others[0]) * factor + others[2]) * factor ** 2
    numpy.testing.assert_allclose(second, expected, rtol=1e-4, atol=1e-5)


def test_constants_are_those_of_the_trace():
    constant = numpy.ones(3, "float32")
    gradient = dml.grad(lambda x: (x * constant + torch.ones(3)).sum())
    numpy.testing.assert_array_equal(gradient(random(3)), [1, 1, 1])
    constant[:] = 2
    numpy.testing.assert_array_equal(gradient(random(3)), [1, 1, 1])
    numpy.testing.assert_array_equal(gradient(random(3, 3)), numpy.full((3, 3), 2))


def test_caches_are_bounded_in_bytes():
    """Constants count; those of a function that is gone do not stay."""
    big = random(2**18)                    # 1 MiB
    gradient = dml.grad(lambda x: (x * big.reshape(4, -1)).sum())
    for rows in range(1, 90):
        dml.grad(lambda x: (x * big * rows).sum())(big)
        gradient(big.reshape(4, -1) if rows % 2 else big.reshape(1, 4, -1))
    assert len(gradient.cache) == 2
    gc.collect()

    def held():
        return sum(size for (owner, _), size in _cache._tables.items() if owner() is not None)
    assert 2**21 <= held() <= _cache._MAX_TABLE_BYTES
    many = dml.grad(lambda x: (x * numpy.ones((x.shape[0], 2**18), "float32")).sum())
    for rows in range(1, 14):              # 91 MiB
        many(random(rows, 1))
    assert held() <= _cache._MAX_TABLE_BYTES and 1 < len(many.cache) < 13
    gone = weakref.ref(many)
    del many
    gc.collect()
    assert gone() is None


def test_values_have_no_elements():
    told = []

    def function(x):
        for use in (bool, float, int, list, numpy.asarray, lambda x: [1, 2][x]):
            with pytest.raises((dml.WrongType, TypeError)) as refusal:
                use(x)
            told.append(str(refusal.value))
        assert repr(x) == "Value(float32, shape=(3,))" and x.ndim == 1
        return x.sum()
    dml.grad(function)(random(3))
    assert all("has no elements" in text for text in told), told


def test_functions_keep_their_names():
    assert dml.grad(network).__name__ == "network"
    assert dml.value_and_grad(network).__doc__ == "A small CNN."
    for name in ("grad", "value_and_grad", "train_step"):
        assert inspect.signature(getattr(dml, name)).parameters["threads"].default == 0
    assert typing.get_type_hints(dml.relu)["threads"] is int


def leak(values=[]):                       # noqa: B006: it shall outlive the call
    def function(x):
        values.append(x)
        return (values[0] * x).sum()
    dml.grad(function)(random(2))
    return dml.grad(function)(random(2))


X = random(2, 3)


@pytest.mark.parametrize("call,sentence", [
    (lambda: dml.grad(3), "grad: 3 must be a function"),
    (lambda: dml.grad(network, -1), "argnums = -1 must be the number of an argument"),
    (lambda: dml.grad(network, (0, 0)), "argnums = (0, 0) must be the number of an argument"),
    (lambda: dml.grad(network, threads=True), "threads = True must be an integer"),
    (lambda: dml.grad(lambda x: x.sum(), 1)(X), "argnums has 1 and the call has 1 arguments"),
    (lambda: dml.grad(lambda x: x)(X), "grad: the function returned a Value of shape (2, 3) and "
     "must return one element"),
    (lambda: dml.grad(lambda x: 1.0)(X), "the function returned 'float' and must return an "
     "anydml.Value"),
    (lambda: dml.grad(lambda x: x.sum())(X.astype("int32")), "argument 0 is of type int32, and "
     "only arrays of float16 and float32 have gradients"),
    (lambda: dml.grad(lambda p: p["x"].sum())({"x": X, "n": 3}), "argument 0.n is of type 'int'"),
    (lambda: dml.grad(lambda p: p["x"].sum())({"x": X, "y": X}), "does not depend on input "
     "'argument 0.y'"),
    (lambda: dml.grad(lambda x: x.sum())("text"), "one of the arguments must be an array"),
    (lambda: dml.grad(lambda x, y: y.sum())("text", X), "argument 0 is of type 'str'"),
    (lambda: dml.grad(lambda x, y: x.sum())(X, object()), "argument 1 is 'object' and must be a "
     "NumPy array"),
    (lambda: dml.grad(lambda x: x.sum())(torch.ones(3, requires_grad=True)), "requires gradients"),
    (lambda: dml.grad(lambda x: (x * X.astype("float64")).sum())(X), "FLOAT64"),
    (lambda: dml.grad(lambda x: dml.relu(x, out=X).sum())(X), "ACTIVATION_RELU: out cannot be "
     "given where an argument is an anydml.Value"),
    (lambda: dml.grad(lambda x: dml.relu(x, device="cpu").sum())(X), "device = 'cpu' cannot be "
     "given"),
    (lambda: dml.grad(lambda x: dml.cast(x).sum())(X), "CAST: dtype or out is required"),
    (lambda: dml.grad(lambda x: dml.split(x, axis=0)[0].sum())(X),
     "SPLIT: output_count or out is required"),
    (lambda: dml.grad(lambda x: x.sum() if x == 0 else x.mean())(X), "by anydml.logical_equals"),
    (lambda: dml.grad(lambda x: x.sum() if x != x else x.mean())(X), "by anydml.logical_equals"),
    (lambda: dml.grad(lambda x: dml.max_pooling2(x, window_size=9).sum())(X), "MAX_POOLING2: "
     "InputTensor.DimensionCount = 2 must be 4 to 5"),
    (lambda: dml.grad(lambda x: dml.clip(x, min="low", max=1).sum())(X), "min = 'low' must be a "
     "number"),
    (lambda: dml.grad(lambda x: (x + numpy.ones(4, "float32")).sum())(X), "cannot be broadcast"),
    (lambda: dml.grad(lambda x: x.reshape(5, -1).sum())(X), "a Value of shape (2, 3) cannot have"),
    (lambda: dml.grad(lambda x: x.reshape(-1, -1).sum())(X), "cannot have the shape (-1, -1)"),
    (lambda: dml.grad(lambda x: x.reshape(2.0, 3).sum())(X), "reshape: (2.0, 3) must be integers"),
    (lambda: dml.grad(lambda x: x.reshape("ab").sum())(X), "reshape: 'ab' must be integers"),
    (lambda: dml.grad(lambda x: x.transpose(None).sum())(X), "transpose: None must be integers"),
    (lambda: dml.grad(lambda x: x.broadcast_to(4.5).sum())(X), "_to: 4.5 must be integers"),
    (lambda: dml.grad(lambda x: x.broadcast_to((4, 3)).sum())(X), "cannot be broadcast to (4, 3)"),
    (lambda: dml.grad(lambda x: x.sum())(X[:0]), "argument 0 has the shape (0, 3)"),
    (lambda: dml.grad(lambda x: x.transpose(0, 0).sum())(X), "must name each of the 2 dimensions"),
    (lambda: dml.grad(lambda x: x.astype("text").sum())(X), "elements of type 'text' are refused"),
    (lambda: dml.grad(lambda x: dml.adam_optimizer(
        x, x, x, x, numpy.array([[1]], "uint32"), learning_rate=1, beta1=0.5, beta2=0.5,
        epsilon=1)[0].sum())(X), "ADAM_OPTIMIZER (node 0) has no gradient, and it lies between"),
    (leak, "of another function's trace")])
def test_refusals(call, sentence):
    with pytest.raises(dml.Error) as refusal:
        call()
    assert sentence in str(refusal.value)


def test_arrays_on_several_devices_are_refused(monkeypatch):
    """Of which there is one here: the other is made up."""
    own = dml.to_device(X, "cpu")
    monkeypatch.setattr(own, "_device", "cuda:7")
    with pytest.raises(dml.InvalidArgument, match="argument 1 is on cuda:7 and argument 0 is on "
                       "cpu; all arrays must be on one device"):
        dml.grad(lambda x, y: (x * y).sum())(X, own)


@pytest.mark.parametrize("function, sentence", [
    (lambda x: x * 1e300, "ELEMENT_WISE_IDENTITY: ScaleBias.Scale = 1e+300 must be "),
    (lambda x: x / 1e300, "FILL_VALUE_CONSTANT: Value = 1e+300 must be "),
    (lambda x: x + 10 ** 400, "is beyond the range of FLOAT64"),
    (lambda x: x.broadcast_to((2 ** 32 + 3, 4)), "4294967299 must be 0 to 4294967295"),
    (lambda x: x.broadcast_to((-1, 4)), "-1 must be 0 to 4294967295"),
    (lambda x: dml.clip1(x, min=10 ** 400, max=1), "must be a number in the range of FLOAT64")])
def test_numbers_that_fit_nowhere(function, sentence):
    with pytest.raises((ValueError, TypeError)) as caught:
        dml.grad(lambda x: function(x).sum())(numpy.ones(4, "float32"))
    assert sentence in str(caught.value) and "desc." not in str(caught.value)
