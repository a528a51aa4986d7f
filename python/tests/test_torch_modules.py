# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""anydml.torch: modules, swap(), refusals; and torch tensors in the plain functions."""
import ast
import copy
import inspect
import json
import math
import pathlib
import pickle

import numpy
import pytest
import torch
from torch import nn

import anydml
import anydml.torch as ours
from anydml.torch import _kernels


def network():
    relu = nn.ReLU()
    return nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), relu, nn.MaxPool2d(2),
        nn.Sequential(nn.Conv2d(4, 4, 3, padding=1), relu, nn.ReLU6()),
        nn.Upsample(scale_factor=2, mode="bilinear"), nn.Hardtanh(-2, 2),
        nn.Upsample(scale_factor=2, mode="nearest"), nn.UpsamplingBilinear2d(scale_factor=2))


def test_swap_keeps_results_and_gradients():
    torch.manual_seed(1)
    theirs = network()
    swapped = ours.swap(copy.deepcopy(theirs))
    kinds = {type(m) for m in swapped.modules()}
    assert {ours.ReLU, ours.Clip, ours.MaxPool2d, ours.Upsample, nn.Conv2d} <= kinds
    assert not kinds & {nn.ReLU, nn.ReLU6, nn.Hardtanh, nn.MaxPool2d, nn.Upsample}
    assert swapped[1] is swapped[3][1]
    x = torch.randn(2, 1, 8, 8)
    results = [model(x) for model in (theirs, swapped)]
    torch.testing.assert_close(*results)
    for result in results:
        result.square().sum().backward()
    for a, b in zip(theirs.parameters(), swapped.parameters()):
        torch.testing.assert_close(a.grad, b.grad, rtol=1e-4, atol=1e-3)


def test_swap_leaves_what_it_does_not_know():
    class Own(nn.ReLU):
        pass
    hooked = nn.ReLU()
    hooked.register_forward_hook(lambda *_: None)
    model = nn.Sequential(Own(), nn.Upsample(scale_factor=2, mode="bicubic"), hooked)
    assert [type(m) for m in ours.swap(model)] == [Own, nn.Upsample, nn.ReLU]


class Residual(nn.Module):
    """What it adds is what the layer left of it."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        x = 3 * x
        return self.layer(x) * 2 + x


INPLACE = [lambda: nn.ReLU(inplace=True), lambda: nn.ReLU6(inplace=True),
           lambda: nn.Hardtanh(-0.5, 0.75, inplace=True)]


@pytest.mark.parametrize("make", INPLACE)
def test_swap_keeps_what_is_in_place(make):
    swapped = ours.swap(Residual(make()))
    assert not isinstance(swapped.layer, (nn.ReLU, nn.Hardtanh))
    assert "inplace=True" in repr(swapped)
    xs = [torch.linspace(-4, 4, 57, requires_grad=True) for _ in range(2)]
    results = [model(x) for model, x in zip((Residual(make()), swapped), xs)]
    assert torch.equal(*results)
    for result in results:
        result.square().sum().backward()
    assert torch.equal(xs[0].grad, xs[1].grad)


@pytest.mark.parametrize("make", INPLACE)
def test_in_place_writes_into_the_input(make):
    layer = ours.swap(make())
    x = torch.linspace(-4, 4, 56).view(7, 8)
    expected = make()(x.clone())
    assert layer(x) is x and torch.equal(x, expected)
    part = torch.linspace(-4, 4, 56).view(7, 8)
    layer(part[:, 2:5])
    assert torch.equal(part[:, 2:5], expected[:, 2:5]) and part[0, 0] == -4
    negative = torch.complex(torch.zeros(3), torch.tensor([-9.0, 0.25, 9.0])).conj().imag
    assert negative.is_neg()
    layer(negative)
    assert torch.equal(negative, make()(torch.tensor([9.0, -0.25, -9.0])))


def test_in_place_is_seen_by_autograd():
    x = torch.randn(5, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf"):
        ours.relu(x, inplace=True)
    y = x * 2
    z = y * y                              # keeps y as it was
    ours.clip(y, -1, 1, inplace=True)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()
    refused(TypeError, "anydml.torch.relu: inplace = 'yes' must be True or False", ours.relu, y,
            inplace="yes")


def test_relu_keeps_its_result():
    """As PyTorch does: the input may change before the backward pass."""
    found = []
    for relu in (ours.relu, torch.relu):
        leaf = torch.linspace(-3, 3, 7).requires_grad_()
        x = leaf * 1
        a = relu(x)
        x += 1
        b = ours.relu(x, inplace=True)
        (a * 2 + b * 3).sum().backward()
        found.append(leaf.grad)
    assert torch.equal(*found)


@pytest.mark.parametrize("function, theirs", [
    (ours.relu, torch.relu), (lambda x, **s: ours.clip(x, -1, 1, **s),
                              lambda x: nn.functional.hardtanh(x))])
def test_in_place_on_a_view_reaches_the_whole(function, theirs):
    leaves = [torch.linspace(-3, 3, 24).view(4, 6).requires_grad_() for _ in range(2)]
    wholes = [leaf * 1 for leaf in leaves]
    function(wholes[0][:, 1:4], inplace=True)
    wholes[1][:, 1:4] = theirs(wholes[1][:, 1:4].clone())
    assert torch.equal(*wholes)
    for whole in wholes:
        (whole * whole).sum().backward()
    assert torch.equal(leaves[0].grad, leaves[1].grad)


def test_gradients_in_place_are_those_of_new_memory():
    """At bounds, at zeros of both signs, at NaN and with bounds in the wrong order."""
    special = [-math.inf, -2.0, -1.0, -0.0, 0.0, 0.5, 1.0, 2.0, math.inf, math.nan]
    functions = [ours.relu] + [lambda x, low=low, high=high, **s: ours.clip(x, low, high, **s)
                               for low, high in ((-1, 1), (1, -1), (0, 0), (None, 1), (-1, None),
                                                 (math.nan, 1), (-math.inf, math.inf))]
    for function in functions:
        for dtype in (torch.float32, torch.float16):
            found = []
            for inplace in (False, True):
                x = torch.tensor(special, dtype=dtype, requires_grad=True)
                y = function(x * 1, inplace=inplace)
                y.backward(torch.arange(1.0, 11.0).to(dtype))
                found.append((y.detach().numpy().tobytes(), x.grad.numpy().tobytes()))
            assert found[0] == found[1]


def test_swap_of_a_lone_layer():
    assert isinstance(ours.swap(nn.ReLU()), ours.ReLU)
    assert not ours.swap(nn.ReLU().eval()).training
    hooked = nn.ReLU()
    hooked.register_forward_hook(lambda *_: None)
    assert ours.swap(hooked) is hooked


def test_swap_of_what_is_no_model():
    for value in (3, None, nn.ReLU, torch.ones(3)):
        refused(TypeError, "anydml.torch.swap: model is ", ours.swap, value)


def test_modules_are_copied_and_pickled():
    model = ours.swap(network())
    x = torch.randn(1, 1, 8, 8)
    for again in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert torch.equal(again(x), model(x))
    cropped = pickle.loads(pickle.dumps(ours.Slice(numpy.s_[..., ::-2])))
    assert torch.equal(cropped(x), x.flip(3)[..., ::2])


def test_modules():
    x = torch.randn(1, 2, 6, 6, 6)
    assert ours.MaxPool3d(2)(x).shape == (1, 2, 3, 3, 3)
    assert ours.Slice(numpy.s_[..., ::-2])(x).shape[-1] == 3
    assert ours.Resample(scales=2, dims=[0, -1])(x[0]).shape == (4, 6, 6, 12)
    assert repr(ours.Clip(-1, 1)) == "Clip(min=-1, max=1)"


def stub_parameters(node):
    """Names and defaults of a function's parameters in a .pyi file, as inspect tells them."""
    arguments = node.args.args
    defaults = [ast.literal_eval(d) for d in node.args.defaults]
    empty = [inspect.Parameter.empty] * (len(arguments) - len(defaults))
    return dict(zip([a.arg for a in arguments], empty + defaults))


def test_stubs_are_current():
    """Every name that is exported, with its parameters and defaults."""
    tree = ast.parse(pathlib.Path(ours.__file__).with_suffix(".pyi").read_text())
    written = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):           # of overloads the first has them all
            written.setdefault(node.name, stub_parameters(node))
        elif isinstance(node, ast.ClassDef):
            made = [n for n in node.body if getattr(n, "name", "") == "__init__"]
            written[node.name] = stub_parameters(made[0]) if made else (
                written[node.bases[0].id])
    assert sorted(written) == sorted(ours.__all__)
    for name, parameters in written.items():
        known = getattr(ours, name)
        signature = inspect.signature(known.__init__ if isinstance(known, type) else known)
        assert {n: p.default for n, p in signature.parameters.items()} == parameters, name


def refused(exception, sentence, function, *arguments, **settings):
    with pytest.raises(exception) as caught:
        function(*arguments, **settings)
    assert sentence in str(caught.value) and isinstance(caught.value, anydml.Error)


def test_double_backward_is_refused():
    x = torch.randn(1, 1, 4, 4, requires_grad=True)
    for function in (ours.relu, lambda x: ours.max_pool2d(x, 2), lambda x: ours.clip(x, -1, 1),
                     lambda x: ours.upsample(x, size=7), lambda x: ours.slice(x, numpy.s_[::-1])):
        (first,) = torch.autograd.grad(function(x).square().sum(), x, create_graph=True)
        refused(NotImplementedError, "double backward is refused: DirectML has no gradient of",
                first.sum().backward)


def test_float64_is_refused_where_the_pages_have_none():
    x = torch.randn(1, 1, 4, 4, dtype=torch.float64)
    refused(ValueError, "ACTIVATION_RELU: InputTensor.DataType = FLOAT64", ours.relu, x)
    refused(ValueError, "FLOAT64", ours.max_pool2d, x, 2)
    refused(ValueError, "FLOAT64", ours.upsample, x, scale_factor=2)
    assert ours.slice(x, numpy.s_[..., ::-1]).dtype == torch.float64


def test_arguments():
    x = torch.randn(1, 1, 4, 4)
    refused(TypeError, "input is 'ndarray' and must be a torch tensor", ours.relu, x.numpy())
    refused(TypeError, "elements of type torch.bfloat16 are refused", ours.relu, x.bfloat16())
    refused(ValueError, "kernel_size = (1, 2, 3) must have 2 entries", ours.max_pool2d, x,
            (1, 2, 3))
    refused(ValueError, "input has 2 dimensions and must have 3 or 4", ours.max_pool2d, x[0, 0], 2)
    refused(NotImplementedError, "mode = 'bicubic' must be one of", ours.upsample, x,
            scale_factor=2, mode="bicubic")
    refused(ValueError, "exactly one of size and scale_factor", ours.upsample, x)
    refused(ValueError, "mode 'trilinear' does not go with 4 dimensions", ours.upsample, x,
            scale_factor=2, mode="trilinear")
    refused(ValueError, "align_corners has no meaning", ours.upsample, x, scale_factor=2,
            align_corners=True)
    refused(ValueError, "nearest_mode = 'up' must be one of floor", ours.resample, x, scales=2,
            nearest_mode="up")
    refused(ValueError, "dims = [4] must be different dimensions of 4", ours.resample, x, scales=2,
            dims=[4])
    refused(ValueError, "dims = [1, -3] must be different", ours.resample, x, scales=2,
            dims=[1, -3])
    refused(ValueError, "picks nothing of 4 elements", ours.slice, x, numpy.s_[..., 3:1])
    refused(TypeError, "must hold slices", ours.slice, x, 3)
    refused(ValueError, "does not fit 4 dimensions", ours.slice, x, (slice(None),) * 5)


def test_settings_travel_as_json():
    """Custom operators of newer torch take settings as text."""
    settings = {"min": numpy.float32(0.1), "max": float("inf"), "low": -float("inf"),
                "strides": [-1, 2], "mode": "LINEAR", "flag": True}
    read = json.loads(_kernels.settings_text(settings))
    assert read == {"min": float(numpy.float32(0.1)), "max": float("inf"), "low": -float("inf"),
                    "strides": [-1, 2], "mode": "LINEAR", "flag": True}
    assert math.isnan(json.loads(_kernels.settings_text({"min": float("nan")}))["min"])


@pytest.mark.skipif(not hasattr(torch.library, "custom_op"), reason="torch is older than 2.4")
def test_compiled_graphs_stay_whole():
    def model(x):
        x, indices = ours.max_pool2d(ours.relu(x), 2, return_indices=True)
        return ours.upsample(x, scale_factor=2, mode="bilinear") * 2 + indices.sum()
    x = torch.randn(1, 2, 8, 8, requires_grad=True)
    y = torch.compile(model, fullgraph=True, backend="aot_eager")(x)
    y.sum().backward()
    compiled, x.grad = x.grad, None
    model(x).sum().backward()
    assert torch.equal(compiled, x.grad)


def test_plain_functions_on_tensors():
    x = torch.tensor([-1.0, 2.0])
    result = anydml.relu_grad(x, x)
    assert isinstance(result, torch.Tensor) and result.tolist() == [0, 2]
    assert anydml.relu(x, out=x) is x and x.tolist() == [0, 2]
    grid = torch.randn(2, 3, 4, 5).permute(0, 2, 3, 1)
    assert anydml.relu(grid).stride() == grid.stride()
    _, indices = anydml.max_pooling2(torch.randn(1, 1, 4, 4), window_size=2, output_indices=True)
    assert indices.dtype == getattr(torch, "uint32", torch.int32)  # since torch 2.3


def test_plain_functions_refuse_what_memory_alone_does_not_say():
    x = torch.randn(3)
    refused(ValueError, "requires gradients is refused; use anydml.torch", anydml.relu,
            x.clone().requires_grad_())
    refused(ValueError, "negative bit", anydml.relu, torch.randn(3, dtype=torch.cfloat).conj().imag)
    refused(TypeError, "torch.sparse_coo is refused", anydml.relu, x.to_sparse())
    refused(NotImplementedError, "a tensor on meta is refused", anydml.relu, x.to("meta"))
    refused(TypeError, "torch.complex64", anydml.relu, x.to(torch.complex64))
    refused(ValueError, "Sizes = {0}", anydml.relu, x[:0])
