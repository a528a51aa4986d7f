# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""anydml.torch against PyTorch's own autograd where semantics agree, and the documented differences
where they do not."""
import os
import pathlib
import subprocess
import sys
import warnings

import numpy
import pytest
import torch
import torch.nn.functional as F

import anydml
import anydml.torch as ours

NAN = float("nan")


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(1)


def integers(*sizes):
    """Sums of these are exact, so that equal means equal."""
    return torch.randint(-9, 10, sizes).float()


def assert_agree(our, theirs, x, exact=True):
    """Results and gradients of two functions of x."""
    leaves = [x.clone().requires_grad_() for _ in range(2)]
    results = [function(leaf) for function, leaf in zip((our, theirs), leaves)]
    dy = integers(*results[1].shape).to(x.dtype)
    for result in results:
        result.backward(dy)
    tolerance = {"rtol": 0, "atol": 0} if exact else {"rtol": 1e-5, "atol": 1e-4}
    torch.testing.assert_close(results[0], results[1], **tolerance)
    torch.testing.assert_close(leaves[0].grad, leaves[1].grad, **tolerance)


def gradient(function, values, dy=None):
    x = torch.tensor(values, requires_grad=True)
    y = function(x)
    y.backward(torch.ones_like(y) if dy is None else torch.tensor(dy))
    return x.grad.tolist()


def test_relu_agrees():
    assert_agree(ours.relu, F.relu, integers(4, 5, 6))


def test_clip_agrees_with_hardtanh():
    assert_agree(lambda x: ours.clip(x, -2, 3), lambda x: F.hardtanh(x, -2, 3), integers(50))


POOLS = [
    (2, {}), ((3, 2), {"stride": (2, 1)}), (3, {"stride": 2, "padding": 1}),
    (2, {"dilation": 2, "stride": 1}), (3, {"padding": (1, 0), "dilation": (1, 2)}),
    (3, {"stride": 2, "ceil_mode": True}), (2, {"stride": 3, "padding": 1, "ceil_mode": True}),
    (3, {"stride": 4, "padding": 1, "ceil_mode": True}),
]


@pytest.mark.parametrize("window, settings", POOLS)
@pytest.mark.parametrize("sizes", [(2, 3, 8, 9), (3, 7, 10)])
def test_max_pool2d_agrees(window, settings, sizes):
    assert_agree(lambda x: ours.max_pool2d(x, window, **settings),
                 lambda x: F.max_pool2d(x, window, **settings), integers(*sizes))


@pytest.mark.parametrize("size, window, settings", [
    (1, 2, {}), (2, 3, {"stride": 2}), (3, 5, {"stride": 3}), (2, 3, {"stride": 3, "padding": 0}),
    (4, 3, {"dilation": 2, "stride": 2})])
def test_ceil_mode_takes_windows_longer_than_the_input(size, window, settings):
    assert_agree(lambda x: ours.max_pool2d(x, window, ceil_mode=True, **settings),
                 lambda x: F.max_pool2d(x, window, ceil_mode=True, **settings),
                 integers(1, 2, size, size))


def test_max_pool2d_agrees_on_random_settings():
    random = numpy.random.default_rng(2)
    for _ in range(60):
        window = [int(w) for w in random.integers(1, 4, 2)]
        settings = {"stride": [int(s) for s in random.integers(1, 4, 2)],
                    "padding": [int(random.integers(0, w // 2 + 1)) for w in window],
                    "dilation": [int(d) for d in random.integers(1, 3, 2)],
                    "ceil_mode": bool(random.integers(2))}
        x = integers(*(int(n) for n in random.integers(6, 12, 4)))
        assert_agree(lambda x: ours.max_pool2d(x, window, **settings),
                     lambda x: F.max_pool2d(x, window, **settings), x)


def test_max_pool3d_agrees():
    assert_agree(lambda x: ours.max_pool3d(x, 2, 2, 1), lambda x: F.max_pool3d(x, 2, 2, 1),
                 integers(2, 2, 5, 6, 7))


def test_max_pool_indices_agree():
    x = torch.randn(2, 3, 6, 6)
    for our, their in zip(ours.max_pool2d(x, 2, return_indices=True),
                          F.max_pool2d(x, 2, return_indices=True)):
        torch.testing.assert_close(our, their, rtol=0, atol=0)


def test_max_pool_with_asymmetric_padding():
    def padded(x):
        return F.max_pool2d(F.pad(x, (0, 2, 1, 0), value=-float("inf")), 3, 1)
    assert_agree(lambda x: ours.max_pool2d(x, 3, 1, padding=((1, 0), (0, 2))), padded,
                 integers(1, 2, 6, 7))


UPSAMPLES = [((2, 3, 7), "linear"), ((2, 3, 7, 5), "bilinear"), ((2, 2, 3, 4, 5), "trilinear")]


@pytest.mark.parametrize("sizes, mode", UPSAMPLES)
@pytest.mark.parametrize("align_corners", [False, True])
@pytest.mark.parametrize("target", [{"scale_factor": 2}, {"scale_factor": 1.6},
                                    {"size": 11}, {"size": 1}, {"size": 3}])
def test_upsample_linear_agrees(sizes, mode, align_corners, target):
    settings = {"mode": mode, "align_corners": align_corners, **target}
    assert_agree(lambda x: ours.upsample(x, **settings), lambda x: F.interpolate(x, **settings),
                 torch.randn(sizes), exact=False)


@pytest.mark.parametrize("mode", ["nearest", "nearest-exact"])
@pytest.mark.parametrize("target", [{"scale_factor": 2}, {"scale_factor": 0.5}, {"size": (9, 4)}])
def test_upsample_nearest_agrees(mode, target):
    assert_agree(lambda x: ours.upsample(x, mode=mode, **target),
                 lambda x: F.interpolate(x, mode=mode, **target), integers(2, 3, 6, 8))


def test_resample_on_any_dimension():
    x = integers(4, 3, 5)
    for dim in range(3):
        expected = F.interpolate(x.movedim(dim, 2), scale_factor=2, mode="linear").movedim(2, dim)
        torch.testing.assert_close(ours.resample(x, scales=2, dims=[dim]), expected)


@pytest.mark.parametrize("index", [numpy.s_[1:5], numpy.s_[..., 2:7:3], numpy.s_[::2, 1:],
                                   numpy.s_[-3:, ...]])
def test_slice_agrees(index):
    assert_agree(lambda x: ours.slice(x, index), lambda x: x[index], integers(6, 8))


def test_slices_are_read_as_python_reads_them():
    x = torch.arange(7)
    bounds = [None, -9, -7, -3, 0, 2, 6, 7, 9, numpy.int64(3)]
    for start in bounds:
        for stop in bounds:
            for step in (None, 1, 3, -1, -2, numpy.int64(2)):
                wanted = x.numpy()[start:stop:step]
                if wanted.size:
                    assert ours.slice(x, numpy.s_[start:stop:step]).tolist() == wanted.tolist()
                else:
                    with pytest.raises(anydml.InvalidArgument, match="picks nothing"):
                        ours.slice(x, numpy.s_[start:stop:step])
    with pytest.raises(anydml.InvalidArgument, match="a step must not be 0"):
        ours.slice(x, numpy.s_[::0])


def test_slice_with_negative_steps():
    assert_agree(lambda x: ours.slice(x, numpy.s_[::-1, 6::-2]),
                 lambda x: x.flip(0, 1)[:, 1::2], integers(6, 8))


def test_gradients_at_nan_and_bounds_are_the_pages():
    """The table of docs/python.md; PyTorch's own answers stand beside ours."""
    assert gradient(ours.relu, [NAN, 0.0, 1.0]) == [0, 0, 1]
    assert gradient(F.relu, [NAN, 0.0, 1.0]) == [1, 0, 1]
    values = [-1.0, 0.0, 1.0, NAN]
    assert gradient(lambda x: ours.clip(x, -1, 1), values) == [0, 1, 0, 1]
    assert gradient(lambda x: torch.clamp(x, -1, 1), values) == [1, 1, 1, 0]
    assert gradient(lambda x: F.hardtanh(x), values) == [0, 1, 0, 1]


def test_first_nan_of_a_window_wins():
    values = [[[[1.0, NAN, 9.0, NAN]]]]
    assert gradient(lambda x: ours.max_pool2d(x, (1, 4)), values) == [[[[0, 1, 0, 0]]]]
    assert gradient(lambda x: F.max_pool2d(x, (1, 4)), values) == [[[[0, 0, 0, 1]]]]


def test_padding_may_exceed_half_the_window():
    x = torch.tensor([[[[3.0, 1.0]]]])
    assert ours.max_pool2d(x, (1, 2), 1, padding=(0, 5)).shape == (1, 1, 1, 11)
    with pytest.raises(RuntimeError):
        F.max_pool2d(x, (1, 2), 1, padding=(0, 5))


def test_half_precision_sums_are_exact():
    """One pixel to 128 x 128, all gradients 1: PyTorch 1.13 answers 256 in bfloat16."""
    x = torch.ones(1, 1, 1, 1, dtype=torch.float16, requires_grad=True)
    for mode in ("bilinear", "nearest"):
        x.grad = None
        ours.upsample(x, size=(128, 128), mode=mode).sum().backward()
        assert x.grad.item() == 16384


def test_half_precision_runs_everywhere():
    """PyTorch 1.13 has none of these on a CPU."""
    x = torch.arange(16.0).reshape(1, 1, 4, 4)
    for function in (ours.relu, lambda x: ours.clip(x, 2, 9), lambda x: ours.max_pool2d(x, 2),
                     lambda x: ours.upsample(x, scale_factor=2)):
        half, single = x.half().requires_grad_(), x.clone().requires_grad_()
        function(half).sum().backward()
        function(single).sum().backward()
        assert half.grad.tolist() == single.grad.tolist()


@pytest.mark.parametrize("function", [
    ours.relu, lambda x: ours.clip(x, -1, 1), lambda x: ours.max_pool2d(x, 2),
    lambda x: ours.upsample(x, scale_factor=2, mode="bilinear", align_corners=False),
    lambda x: ours.slice(x, numpy.s_[..., ::-2])])
def test_gradcheck(function):
    """In float32, on values far from kinks and ties."""
    x = (torch.randperm(64).float().reshape(1, 1, 8, 8) - 31.75) / 8
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")     # that float32 is not double
        assert torch.autograd.gradcheck(function, (x.requires_grad_(),), eps=1e-2, atol=1e-3,
                                        rtol=1e-3)


def test_layouts_of_inputs_and_gradients():
    x = integers(2, 8, 6, 3).permute(0, 3, 1, 2)
    leaf, plain = x.clone(memory_format=torch.channels_last).requires_grad_(), x.contiguous()
    plain.requires_grad_()
    assert ours.max_pool2d(leaf, 2).is_contiguous(memory_format=torch.channels_last)
    ours.max_pool2d(leaf, 2).sum().backward()          # the gradient is one broadcast element
    F.max_pool2d(plain, 2).sum().backward()
    torch.testing.assert_close(leaf.grad, plain.grad, rtol=0, atol=0)


def test_the_same_bits_twice():
    def run():
        torch.manual_seed(3)
        x = torch.randn(2, 3, 33, 29, requires_grad=True)
        y = ours.upsample(ours.max_pool2d(x, 3, 1), size=(50, 41), mode="bilinear")
        (y * torch.randn_like(y)).sum().backward()
        return x.grad.numpy().tobytes()
    assert run() == run()


def test_clip_takes_one_bound():
    x = torch.tensor([-2.0, 0.5, 3.0])
    assert ours.clip(x, min=0).tolist() == [0, 0.5, 3]
    assert ours.clip(x, None, 1).tolist() == [-2, 0.5, 1]
    big = torch.tensor([-2**63, 5, 2**63 - 1])
    assert ours.clip(big, min=0).tolist() == [0, 5, 2**63 - 1]
    with pytest.raises(anydml.Error, match="at least one of min and max"):
        ours.clip(x)
    with pytest.raises(anydml.Error, match="min requires a gradient"):
        ours.clip(x, torch.tensor(0.1, requires_grad=True), 1)


def test_indices_of_values_with_the_negative_bit():
    x = torch.tensor([[[[1 + 2j, 3 + 1j], [0 + 5j, 2 + 4j]]]], dtype=torch.cfloat).conj().imag
    assert x.is_neg()
    values, indices = ours.max_pool2d(x, 2, return_indices=True)
    assert values.item() == -1 and indices.item() == 1


def test_settings_that_are_no_numbers_are_refused_in_words():
    from anydml.torch import _kernels
    for value in (None, 1j, {1}):
        with pytest.raises(anydml.Error, match="must be a number"):
            _kernels.settings_text({"min": value})


def test_memory_does_not_grow_with_sizes():
    """Operators that are kept pin holes that tensors leave in the heap: 291 MiB with 512 of them,
    as many as there were once."""
    script = """if True:
        import anydml.torch, torch
        def pages(sizes):
            for rows in sizes:
                x = torch.ones(1, 1, rows, 400, requires_grad=True)
                anydml.torch.max_pool2d(x, 2).sum().backward()
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1])
        before = pages(range(300, 400))
        print((pages(range(400, 700)) - before) * 4 // 1024)
        """
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(__file__).resolve().parents[1])}
    grown = subprocess.run([sys.executable, "-c", script], env=environment, check=True,
                           stdout=subprocess.PIPE).stdout
    assert int(grown) < 100
