# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Autograd over this package's functions: a forward operator, its gradient operator, and a refusal
of the gradient's gradient, which DirectML has not.

torch 2.4 and newer get custom operators (_custom.py), so that torch.compile keeps the graph whole.
"""
import math

import torch

import anydml
from anydml import _arrays, _errors, _settings


_CHANNELS_LAST = {4: torch.channels_last, 5: torch.channels_last_3d}


def empty_like(x, sizes, dtype=None):
    """New memory in PyTorch's memory format of x."""
    last = _CHANNELS_LAST.get(len(sizes))
    keeps = x.dim() == len(sizes) and last is not None and not x.is_contiguous() and (
        x.is_contiguous(memory_format=last))
    return torch.empty(sizes, dtype=dtype or x.dtype, device=x.device,
                       memory_format=last if keeps else torch.contiguous_format)


def run(name, tensors, settings, sizes):
    """An operator of this package into new memory of `sizes`. Autograd hands on gradients that
    are to be read with the opposite sign: those alone are copied."""
    _check_sizes(name, sizes)
    result = empty_like(tensors[0], sizes)
    with torch.no_grad():
        tensors = [tensor.resolve_neg() if tensor.is_neg() else tensor for tensor in tensors]
        return getattr(anydml, name)(*tensors, **settings, out=result)


def _check_sizes(name, sizes):
    """Before torch allocates, whose words speak of storage."""
    if math.prod(sizes) >= 2**32:
        raise _errors.InvalidArgument(f"{anydml._operators[name].type}: a result of the sizes "
                                      f"{_errors.show(list(sizes))} has more than 4294967295 "
                                      f"elements")


def find_indices(x, settings, sizes):
    """Where max pooling finds its results. PyTorch counts in the plane of a channel, DirectML in
    the whole tensor."""
    x = x.resolve_neg() if x.is_neg() else x
    _, indices = anydml.max_pooling2(x.detach(), **settings, output_sizes=sizes,
                                     output_indices="uint64")
    indices = indices.view(torch.int64)    # torch cannot divide its UINT64
    return torch.remainder(indices, math.prod(x.shape[2:]),
                           out=empty_like(x, sizes, torch.int64))


def _as_json(value):
    """What json.dumps writes, NaN and Infinity included. torch.compile follows this function, and
    stops at json's encoder, which is not Python."""
    if isinstance(value, str):
        return '"' + value + '"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join([_as_json(entry) for entry in value]) + "]"
    if not isinstance(value, (int, float)):
        raise _errors.WrongType(f"anydml.torch: {_errors.show(value)} must be a number")
    if value != value:
        return "NaN"
    if value == float("inf"):
        return "Infinity"
    return "-Infinity" if value == -float("inf") else str(value)


def refuse_double_backward(name):
    raise _errors.Unsupported(f"anydml.torch: double backward is refused: DirectML has no gradient "
                              f"of {anydml._operators[name].type}")


class _Gradient(torch.autograd.Function):
    """A gradient operator; its own gradient is refused."""

    @staticmethod
    def forward(ctx, name, settings, sizes, *tensors):
        ctx.name = name
        return run(name, tensors, settings, sizes)

    @staticmethod
    def backward(ctx, *gradients):
        refuse_double_backward(ctx.name)


class _Forward(torch.autograd.Function):
    """`plan` says what runs: see Plan."""

    @staticmethod
    def forward(ctx, plan, x):
        ctx.plan = plan
        ctx.sizes = list(x.shape)
        y = run(plan.forward, (x,), plan.settings, plan.sizes)
        if plan.keeps:
            ctx.save_for_backward(x if plan.keeps == "input" else y)
        return y

    @staticmethod
    def backward(ctx, dy):
        plan = ctx.plan
        return None, _Gradient.apply(plan.backward, plan.settings, ctx.sizes, *ctx.saved_tensors,
                                     dy)


class _InPlace(torch.autograd.Function):
    """A forward operator that writes into its input. Its gradient operator looks at the result
    instead: RELU_GRAD and CLIP_GRAD1 let the same elements pass for both."""

    @staticmethod
    def forward(ctx, plan, x):
        ctx.plan = plan
        if x.is_neg():
            x.copy_(run(plan.forward, (x,), plan.settings, plan.sizes))
        else:
            getattr(anydml, plan.forward)(x, **plan.settings, out=x)
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, dy):
        plan = ctx.plan
        return None, _Gradient.apply(plan.backward, plan.settings, plan.sizes, *ctx.saved_tensors,
                                     dy)


class Plan:
    """One use of an operator: names of the two functions, their common settings, and the sizes of
    the forward result. `keeps` is what the gradient operator looks at: "input", "result" (where
    it gives the same, PyTorch keeps that, so that programs may change x afterwards), or None."""

    def __init__(self, forward, backward, settings, sizes, keeps):
        self.forward = forward
        self.backward = backward
        self.settings = settings
        self.sizes = list(sizes)
        self.keeps = keeps

    def apply(self, x):
        if hasattr(torch.library, "custom_op"):
            return _custom.forward(self.forward, self.backward, x, settings_text(self.settings),
                                   self.sizes, self.keeps or "")
        return _Forward.apply(self, x)

    def apply_in_place(self, x):
        """Of an operator that may run in place. torch.compile follows no function that writes into
        its input, and makes of the two copies what it can."""
        if _is_compiling():
            return x.copy_(self.apply(x.clone()))
        _InPlace.apply(self, x)
        return x                           # of a view, autograd's result is another object


def indices_of(x, settings, sizes):
    """find_indices(), which torch.compile can follow."""
    if hasattr(torch.library, "custom_op"):
        return _custom.indices(x.detach(), settings_text(settings), sizes)
    return find_indices(x, settings, sizes)


def settings_text(settings):
    """Settings as the JSON in which they travel through custom operators."""
    values = _settings.plain(tuple(settings.values()))
    members = [f'"{key}": {_as_json(value)}' for key, value in zip(settings, values)]
    return "{" + ", ".join(members) + "}"


if hasattr(torch.library, "custom_op"):
    from anydml.torch import _custom  # noqa: E402  (it needs what stands above)


# Of torch 2.1 and newer; torch.compile need not follow what is about tensors that it has not.
_is_compiling = getattr(getattr(torch, "compiler", None), "is_compiling", lambda: False)


def check_tensor(x, name):
    if not isinstance(x, torch.Tensor):
        raise _errors.WrongType(f"anydml.torch.{name}: input is {type(x).__name__!r} and must be a "
                                f"torch tensor")
    if not _is_compiling() and (getattr(x, "is_nested", False) or x.layout != torch.strided):
        _arrays.kind_named("torch").layout(x, "input")      # says why not
    return x
