# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""anydml.torch and plain functions on odd arguments and odd tensors."""
import re
import warnings

import numpy
import pytest
import torch
import torch.nn.functional as F

import anydml
import anydml.torch as ours

X = torch.arange(16.0).reshape(1, 1, 4, 4)
INTEGERS = "must be an integer or a sequence of integers"
NUMBERS = "must be a number or a sequence of numbers"


def refused(exception, sentence, function, *arguments, **settings):
    with pytest.raises(exception, match=re.escape(sentence)) as caught:
        function(*arguments, **settings)
    assert isinstance(caught.value, anydml.Error)


@pytest.mark.parametrize("two", [2, numpy.int64(2), numpy.uint8(2), torch.tensor(2), [2], (2, 2),
                                 numpy.array([2, 2]), torch.tensor([2, 2]), torch.Size([2, 2]),
                                 (numpy.int32(2), torch.tensor(2))])
def test_integers_of_every_kind(two):
    expected = F.max_pool2d(X, 2)
    assert torch.equal(ours.max_pool2d(X, two), expected)
    assert torch.equal(ours.max_pool2d(X, 2, two, 0, 1), expected)
    assert ours.max_pool2d(X, 2, 2, two).shape == (1, 1, 4, 4)
    assert torch.equal(ours.upsample(X, size=two), F.interpolate(X, size=(2, 2)))
    assert torch.equal(ours.upsample(X, scale_factor=two), F.interpolate(X, scale_factor=2))
    assert torch.equal(ours.resample(X, sizes=two, dims=numpy.array([2, 3]), mode="nearest"),
                       ours.resample(X, sizes=2, dims=[2, 3], mode="nearest"))


@pytest.mark.parametrize("half", [0.5, numpy.float32(0.5), numpy.float64(0.5), torch.tensor(0.5),
                                  (0.5, torch.tensor(0.5)), numpy.array([0.5, 0.5])])
def test_numbers_of_every_kind(half):
    assert torch.equal(ours.upsample(X, scale_factor=half), F.interpolate(X, scale_factor=0.5))


@pytest.mark.parametrize("value", [True, 2.0, numpy.float64(2), numpy.bool_(True), "22", None,
                                   torch.tensor(2.0), torch.tensor(True), (2, None), (2, 2.0), {2},
                                   ((2, 2), 2), 1j, numpy.ones((2, 2), int)])
def test_what_is_no_integer(value):
    refused(TypeError, INTEGERS, ours.max_pool2d, X, value)
    refused(TypeError, INTEGERS, ours.max_pool2d, X, 2, 2, 0, value)
    if value is not None:
        refused(TypeError, INTEGERS, ours.max_pool2d, X, 2, value)
        refused(TypeError, INTEGERS, ours.upsample, X, size=value)
    if not (isinstance(value, tuple) and value[0] == (2, 2)):      # which is a padding
        refused(TypeError, INTEGERS, ours.max_pool2d, X, 2, 2, value)


@pytest.mark.parametrize("value", [True, "2", b"2", torch.tensor(True), (2, None), {2}, 1j])
def test_what_is_no_number(value):
    refused(TypeError, NUMBERS, ours.upsample, X, scale_factor=value)
    refused(TypeError, NUMBERS, ours.resample, X, scales=value)
    for bounds in ((value, 1), (0, value)):
        refused(TypeError, "must be a number", ours.clip, X, *bounds)


def test_numbers_that_make_no_sense():
    for value in (-1, 0, float("nan"), float("inf"), 10**400, 10**5000):
        refused(ValueError, "must be finite and greater than 0", ours.upsample, X,
                scale_factor=value)
    for value in (-1, 0):
        refused(ValueError, f"upsample: size = {value} must be at least 1", ours.upsample, X,
                size=value)
        refused(ValueError, f"kernel_size = {value} must be at least 1", ours.max_pool2d, X, value)
        refused(ValueError, f"stride = {value} must be at least 1", ours.max_pool2d, X, 2, value)
        refused(ValueError, f"dilation = {value} must be at least 1", ours.max_pool2d, X, 2, 2, 0,
                value)
    refused(ValueError, "padding = -1 must be from 0 to 4294967295", ours.max_pool2d, X, 2, 2, -1)
    refused(ValueError, "or a pair of start and end", ours.max_pool2d, X, 2, 2, ((1, 2, 3), 0))
    for huge in (2**33, 2**70, 10**5000):
        refused(ValueError, "must be at most 4294967295", ours.upsample, X, size=huge)
        refused(ValueError, "must be at most 4294967295", ours.max_pool2d, X, huge)
        refused(ValueError, "must be from 0 to 4294967295", ours.max_pool2d, X, 2, 2, huge)
    for call in (lambda: ours.upsample(X, size=2**17), lambda: ours.upsample(X, scale_factor=1e9),
                 lambda: ours.max_pool2d(X, 2, 2, 2**30)):
        refused(ValueError, "has more than 4294967295 elements", call)


def test_choices_and_flags():
    for value in ([], None, 3):
        refused(NotImplementedError, "must be one of nearest, nearest-exact", ours.upsample, X,
                size=2, mode=value)
        refused(ValueError, "must be one of nearest, linear", ours.resample, X, sizes=2, mode=value)
    for value in ("no", 2, None, 1.0):
        refused(TypeError, "ceil_mode = ", ours.max_pool2d, X, 2, ceil_mode=value)
        refused(TypeError, "return_indices = ", ours.max_pool2d, X, 2, return_indices=value)
    refused(TypeError, "align_corners = 'no' must be True or False", ours.upsample, X, size=2,
            mode="bilinear", align_corners="no")
    assert ours.max_pool2d(X, 3, 2, ceil_mode=numpy.True_).shape == (1, 1, 2, 2)


def test_dims_and_bounds():
    assert ours.resample(X, scales=2, dims=-1).shape == (1, 1, 4, 8)
    for value in (1.5, True, [True], [1.5], "2", [None]):
        refused(TypeError, "must be a sequence of integers", ours.resample, X, scales=2, dims=value)
    for value in (1.5, "a", True, torch.tensor(1.0)):
        refused(TypeError, "slice: a bound = ", ours.slice, X, numpy.s_[..., value:])
        refused(TypeError, "slice: a step = ", ours.slice, X, numpy.s_[..., ::value])
    assert ours.slice(X, numpy.s_[..., torch.tensor(1)::2**70]).shape == (1, 1, 4, 1)
    assert ours.slice(X, numpy.s_[..., -2**70:2**70]).shape == X.shape


@pytest.mark.parametrize("sizes, mode", [((1, 2, 7), "linear"), ((1, 2, 7, 7), "bilinear"),
                                         ((1, 2, 7, 7, 7), "trilinear")])
@pytest.mark.parametrize("factor", [1.01, 1.1, 1.14, 2.1, 0.6])
@pytest.mark.parametrize("align_corners", [False, True])
def test_a_factor_that_leaves_an_axis_leaves_its_values(sizes, mode, factor, align_corners):
    """As F.interpolate does with recompute_scale_factor = None; 7 stays 7 up to a factor of 8/7."""
    torch.manual_seed(1)
    settings = {"scale_factor": factor, "mode": mode, "align_corners": align_corners}
    ours_x = torch.randn(sizes, requires_grad=True)
    theirs_x = ours_x.detach().clone().requires_grad_()
    y, expected = ours.upsample(ours_x, **settings), F.interpolate(theirs_x, **settings)
    torch.testing.assert_close(y, expected)
    dy = torch.randn_like(y)
    y.backward(dy)
    expected.backward(dy)
    torch.testing.assert_close(ours_x.grad, theirs_x.grad)
    if 1 < factor < 8 / 7:
        assert torch.equal(y, ours_x)


def test_out_is_told_to_autograd():
    """What autograd saved is not what it was: backward must say so, as after x.copy_()."""
    for write in (lambda x: anydml.relu(torch.full((3,), 5.0), out=x), lambda x: x.fill_(5),
                  lambda x: anydml.relu(torch.full((2,), 5.0), out=x[1:])):
        weight, x = torch.ones(3, requires_grad=True), torch.ones(3)
        y = (weight * x).sum()
        write(x)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            y.backward()


def test_out_without_versions():
    with torch.inference_mode():
        x = torch.tensor([-1.0, 2.0])
        anydml.relu(x, out=x)
    assert anydml.relu(x, out=x).tolist() == [0, 2]
    weight = torch.tensor([-1.0, 2.0], requires_grad=True)
    with torch.no_grad():
        assert anydml.relu(weight, out=weight).tolist() == [0, 2]


def test_gradients_with_the_negative_bit():
    """What the gradient of a conjugate is: memory to be read with the opposite sign."""
    negated = torch.tensor([1 + 2j, 3 - 4j, 5 + 6j]).conj().imag
    assert negated.is_neg()
    x = torch.tensor([1.0, -1.0, 2.0], requires_grad=True)
    (dx,) = torch.autograd.grad(ours.relu(x), x, negated)
    assert dx.tolist() == [-2, 0, -6]
    assert ours.relu(negated).tolist() == [0, 4, 0]
    image = torch.arange(4.0).reshape(1, 1, 2, 2).requires_grad_()
    (dx,) = torch.autograd.grad(ours.max_pool2d(image, 2), image, negated[:1].reshape(1, 1, 1, 1))
    assert dx.flatten().tolist() == [0, 0, 0, -2]
    both = torch.ones(3, dtype=torch.cfloat, requires_grad=True)
    ours.slice(both.conj().imag, numpy.s_[::-1]).backward(torch.tensor([1.0, 2.0, 3.0]))
    assert both.grad.imag.tolist() == [-3, -2, -1]


def odd_tensors():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")     # that these are new to PyTorch 1.13
        yield "torch.sparse_coo", X[0, 0].to_sparse()
        yield "torch.sparse_csr", X[0, 0].to_sparse_csr()
        if torch.backends.mkldnn.is_available():
            yield "torch._mkldnn", X.to_mkldnn()
        yield "nested", torch.nested.nested_tensor([X[0, 0], X[0, 0, :2]])
        yield "torch.quint8", torch.quantize_per_tensor(X, 0.1, 0, torch.quint8)


def test_tensors_of_other_layouts():
    for word, tensor in odd_tensors():
        functions = [anydml.relu, ours.relu, lambda x: ours.clip(x, 0, 1),
                     lambda x: anydml.relu_grad(X, x), lambda x: anydml.relu(X, out=x)]
        if tensor.layout != torch.strided or word == "nested":
            functions += [lambda x: ours.max_pool2d(x, 2), lambda x: ours.upsample(x, size=2),
                          lambda x: ours.slice(x, numpy.s_[::2])]
        for function in functions:
            refused(TypeError, word, function, tensor)
