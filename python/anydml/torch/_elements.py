# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""relu, clip and slice."""
import builtins
import math

import torch

from anydml import _errors

from ._arguments import boolean, integer, refuse
from ._kernels import Plan, check_tensor

_INTEGERS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)


def _apply(plan, input, inplace, function):
    return (plan.apply_in_place if boolean(inplace, function, "inplace") else plan.apply)(input)


def relu(input, inplace=False):
    """max(0, x). The gradient is 0 at NaN, where PyTorch's passes."""
    check_tensor(input, "relu")
    return _apply(Plan("relu", "relu_grad", {}, input.shape, keeps="result"), input, inplace,
                  "relu")


def _limits(dtype):
    if dtype in _INTEGERS:
        return torch.iinfo(dtype).min, torch.iinfo(dtype).max
    return -math.inf, math.inf


def _clip_bound(bound, name, missing):
    if isinstance(bound, torch.Tensor) and bound.requires_grad:
        raise _errors.Unsupported(f"anydml.torch.clip: {name} requires a gradient, and the operator "
                                  f"has none for it; detach it")
    return missing if bound is None else bound


def clip(input, min=None, max=None, inplace=False):
    """Between min and max, either of which may be None. The gradient is 0 at both bounds, as
    hardtanh's and unlike torch.clamp's, and passes at NaN."""
    check_tensor(input, "clip")
    if min is None and max is None:
        raise refuse("clip", "at least one of min and max is required")
    low, high = _limits(input.dtype)
    settings = {"min": _clip_bound(min, "min", low), "max": _clip_bound(max, "max", high)}
    return _apply(Plan("clip1", "clip_grad1", settings, input.shape, keeps="input"), input,
                  inplace, "clip")


def _spread(index, dimensions):
    """One slice per dimension: an Ellipsis and missing entries stand for whole dimensions."""
    entries = index if isinstance(index, tuple) else (index,)
    if not all(e is Ellipsis or isinstance(e, builtins.slice) for e in entries):
        raise _errors.WrongType(f"anydml.torch.slice: index = {_errors.show(index)} must hold "
                                f"slices and at most one Ellipsis")
    if Ellipsis not in entries:
        entries += (Ellipsis,)
    at = entries.index(Ellipsis)
    missing = dimensions - len(entries) + 1
    entries = entries[:at] + (builtins.slice(None),) * missing + entries[at + 1:]
    if missing < 0 or Ellipsis in entries:
        raise refuse("slice", f"index = {index!r} does not fit {dimensions} dimensions")
    return entries


def _bound(value, size, lowest, highest, otherwise):
    """A bound of a slice as Python reads it: None is `otherwise`, a negative one counts from the
    end, and all are cut to lowest ... highest."""
    if value is None:
        return otherwise
    value = integer(value, "slice", "a bound")
    return min(max(value + size if value < 0 else value, lowest), highest)


def _picked(entry, size):
    """First element, count and step of a slice: what range(*entry.indices(size)) has, in words
    that torch.compile can follow."""
    step = 1 if entry.step is None else integer(entry.step, "slice", "a step")
    if step == 0:
        raise refuse("slice", "a step must not be 0")
    lowest, highest = (0, size) if step > 0 else (-1, size - 1)
    first, last = (lowest, highest) if step > 0 else (highest, lowest)
    start = _bound(entry.start, size, lowest, highest, first)
    stop = _bound(entry.stop, size, lowest, highest, last)
    return start, -((start - stop) // step), step


def slice(input, index):
    """input[index] with steps of both signs: slice(x, numpy.s_[..., ::-2]). `index` holds slices
    and at most one Ellipsis."""
    check_tensor(input, "slice")
    sizes, offsets, windows, strides = [], [], [], []
    for entry, size in zip(_spread(index, input.dim()), input.shape):
        start, count, step = _picked(entry, size)
        if count < 1:
            raise refuse("slice", f"{_errors.show(entry)} picks nothing of {size} elements")
        step = step if count > 1 else 1    # of one element it does not matter, and may be huge
        span = (count - 1) * step
        sizes.append(count)
        offsets.append(start if step > 0 else start + span)
        windows.append(abs(span) + 1)
        strides.append(step)
    settings = {"input_window_offsets": offsets, "input_window_sizes": windows,
                "input_window_strides": strides}
    return Plan("slice1", "slice_grad", settings, sizes, keeps=None).apply(input)
