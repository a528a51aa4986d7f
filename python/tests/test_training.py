# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Average pooling, Adam and movement beside NumPy and PyTorch, by the functions that the schemas make."""
import numpy as np
import pytest

import anydml

torch = pytest.importorskip("torch")


def random_array(*sizes, seed=1):
    return np.random.default_rng(seed).standard_normal(sizes).astype(np.float32)


POOLS = [((2, 3, 8, 9), 2, 2, 0), ((2, 3, 9, 8), 3, 2, 1), ((1, 17, 7, 7), 3, 1, 1), ((2, 5, 7, 7), 7, 7, 0)]


@pytest.mark.parametrize("sizes, window, stride, padding", POOLS)
@pytest.mark.parametrize("include", [False, True])
@pytest.mark.parametrize("channels_last", [False, True])
def test_average_pooling_and_its_gradient_are_torchs(sizes, window, stride, padding, include, channels_last):
    """Up to 64 taps the sums have one order in both, so that the bits are equal."""
    x = torch.from_numpy(random_array(*sizes)).requires_grad_()
    y = torch.nn.functional.avg_pool2d(x, window, stride, padding, count_include_pad=include)
    dy = torch.from_numpy(random_array(*y.shape, seed=2))
    y.backward(dy)
    settings = {"window_size": window, "strides": stride, "start_padding": padding,
                "end_padding": padding, "include_padding": include}
    given = x.detach()
    if channels_last:
        given, dy = (t.contiguous(memory_format=torch.channels_last) for t in (given, dy))
    for pool in (anydml.average_pooling, anydml.average_pooling1):
        ours = pool(given.numpy(), **settings)
        np.testing.assert_array_equal(ours, y.detach().numpy())
    gradient = anydml.average_pooling_grad(dy.numpy(), output_sizes=sizes, **settings)
    np.testing.assert_array_equal(gradient, x.grad.numpy())


def test_large_windows_agree_with_torch():
    x = random_array(2, 3, 70, 80)
    expected = torch.nn.functional.avg_pool2d(torch.from_numpy(x), (70, 80)).numpy()
    np.testing.assert_allclose(anydml.average_pooling(x, window_size=[70, 80]), expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("in_place", [False, True])
def test_adam_is_torchs(in_place):
    """But for Epsilon, which torch adds after the correction: 0 here."""
    x = random_array(5, 7)
    parameter = torch.nn.Parameter(torch.from_numpy(x.copy()))
    optimizer = torch.optim.Adam([parameter], lr=.01, betas=(.9, .99), eps=0)
    first, second = np.zeros_like(x), np.zeros_like(x)
    for step in range(1, 12):
        gradient = random_array(5, 7, seed=step)
        parameter.grad = torch.from_numpy(gradient)
        optimizer.step()
        state = (x, first, second)
        new = anydml.adam_optimizer(*state, gradient, np.array([step], np.uint32), learning_rate=.01,
                                    beta1=.9, beta2=.99, epsilon=0, out=state if in_place else None)
        x, first, second = new
        assert not in_place or x is state[0]
    np.testing.assert_allclose(x, parameter.detach().numpy(), rtol=2e-5, atol=2e-6)


def test_join_takes_a_list_and_split_fills_a_tuple():
    parts = [random_array(2, n, 3, seed=n) for n in (1, 4, 2)]
    whole = anydml.join(parts, axis=1)
    np.testing.assert_array_equal(whole, np.concatenate(parts, 1))
    outs = tuple(np.zeros_like(part) for part in parts)
    assert anydml.split(whole, axis=1, out=outs) is outs
    for out, part in zip(outs, parts):
        np.testing.assert_array_equal(out, part)
    for axis in (0, 1):
        halves = anydml.split(random_array(4, 6).T, axis=axis, output_count=2)
        for half, expected in zip(halves, np.split(random_array(4, 6).T, 2, axis)):
            np.testing.assert_array_equal(half, expected)
    with pytest.raises(anydml.WrongType, match="output_count = 2.5 must be a positive integer"):
        anydml.split(random_array(4, 4), axis=0, output_count=2.5)


def test_casts_and_comparisons_without_out():
    x = np.array([[-1.5, 2.25], [3, 300]], "float32")
    np.testing.assert_array_equal(anydml.cast(x, dtype="int32"), x.astype("int32"))
    assert anydml.cast(x.T, dtype=np.float16).dtype == np.float16
    assert anydml.cast(x, dtype=np.uint8).dtype == np.uint8
    with pytest.raises(anydml.WrongType, match="CAST: the type of OutputTensor, 'complex64', must"):
        anydml.cast(x, dtype="complex64")
    found = anydml.logical_less_than(x, x.T.copy())
    assert found.dtype == np.uint8
    np.testing.assert_array_equal(found, x < x.T)


def test_what_cannot_be_inferred_is_asked_for():
    with pytest.raises(anydml.InvalidArgument, match="SPLIT: output_count or out is required"):
        anydml.split(random_array(4, 4), axis=0)
    with pytest.raises(anydml.InvalidArgument, match="FILL_VALUE_CONSTANT: out is required"):
        anydml.fill_value_constant(value=1)
    with pytest.raises(anydml.InvalidArgument, match="AVERAGE_POOLING_GRAD: output_sizes"):
        anydml.average_pooling_grad(random_array(1, 1, 2, 2), window_size=2)


def test_fills():
    out = np.empty((2, 3), np.int16)
    anydml.fill_value_constant(value=-5, out=out)
    np.testing.assert_array_equal(out, np.full((2, 3), -5))
    out = np.empty((3, 4), np.float32).T
    anydml.fill_value_sequence(value_start=1.5, value_delta=.25, out=out)
    np.testing.assert_array_equal(out, 1.5 + .25 * np.arange(12).reshape(4, 3))


def test_gather_and_one_hot():
    x, indices = random_array(6, 4), np.array([[5, -1, 0, 2]], np.int32)
    np.testing.assert_array_equal(anydml.gather(x, indices, axis=0, index_dimensions=1), x[[5, 5, 0, 2]])
    hot = anydml.one_hot(np.array([[1], [0], [7]], np.int64), np.array([[0, 1]], np.float32), axis=1,
                         output_sizes=(3, 3))
    assert hot.dtype == np.float32
    np.testing.assert_array_equal(hot, [[0, 1, 0], [1, 0, 0], [0, 0, 0]])


def test_only_operators_with_alike_tensors_turn_arrays():
    """An axis that runs backwards would change what an index means."""
    with pytest.raises(anydml.InvalidArgument, match="negative stride"):
        anydml.gather(random_array(4, 3)[::-1], np.array([[0]], np.uint32), axis=0, index_dimensions=1)
