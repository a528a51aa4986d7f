# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""max_pool2d and max_pool3d in PyTorch's words, by MAX_POOLING2 and MAX_POOLING_GRAD."""
from anydml._errors import show

from ._arguments import MOST, boolean, integer, integers, is_sequence, listed, refuse
from ._kernels import Plan, check_tensor, indices_of


def _padding(entry, function, name, rule):
    """Start and end of an axis: an integer for both, or a pair, which PyTorch has not."""
    pair = [integer(e, function, name, rule)
            for e in (entry if is_sequence(entry) else (entry, entry))]
    if len(pair) != 2:
        raise refuse(function, f"{name} = {show(entry)} must be an integer, or a pair of "
                               f"start and end")
    if min(pair) < 0 or max(pair) > MOST:
        raise refuse(function, f"{name} = {show(entry)} must be from 0 to {MOST}")
    return pair


def _pooled_size(size, window, stride, start, end, dilation, ceil_mode):
    """PyTorch's formula: in ceil mode the last window must begin inside the input or the padding
    before it."""
    rest = size + start + end - dilation * (window - 1) - 1
    pooled = (-(-rest // stride) if ceil_mode else rest // stride) + 1
    if ceil_mode and (pooled - 1) * stride >= size + start:
        pooled -= 1
    return max(1, pooled)


def _settings(kernel_size, stride, padding, dilation, axes):
    name = f"max_pool{axes}d"
    window = integers(kernel_size, axes, name, "kernel_size", 1)
    pairs = listed(padding, axes, name, "padding", _padding,
                   "an integer or a sequence of integers or pairs")
    empty = stride is None or (is_sequence(stride) and len(stride) == 0)
    strides = window if empty else integers(stride, axes, name, "stride", 1)
    return {"window_size": window, "strides": list(strides),
            "start_padding": [start for start, _ in pairs], "end_padding": [end for _, end in pairs],
            "dilations": integers(dilation, axes, name, "dilation", 1)}


def _lengthen(x, settings):
    """PyTorch's ceil mode takes a window that is longer than the padded input by less than a
    stride; here the padding at the end has to reach as far."""
    for i, size in enumerate(x.shape[2:]):
        reach = settings["dilations"][i] * (settings["window_size"][i] - 1) + 1
        missing = reach - size - settings["start_padding"][i] - settings["end_padding"][i]
        if 0 < missing < settings["strides"][i]:
            settings["end_padding"][i] += missing


def _sizes(x, settings, ceil_mode):
    axes = zip(x.shape[2:], settings["window_size"], settings["strides"],
               settings["start_padding"], settings["end_padding"], settings["dilations"])
    return [*x.shape[:2], *(_pooled_size(n, w, max(1, s), a, b, d, ceil_mode)
                            for n, w, s, a, b, d in axes)]


def _max_pool(x, axes, kernel_size, stride, padding, dilation, ceil_mode, return_indices):
    name = f"max_pool{axes}d"
    check_tensor(x, name)
    ceil_mode = boolean(ceil_mode, name, "ceil_mode")
    return_indices = boolean(return_indices, name, "return_indices")
    if x.dim() == axes + 1:                # PyTorch's form without a batch
        result = _max_pool(x.unsqueeze(0), axes, kernel_size, stride, padding, dilation, ceil_mode,
                           return_indices)
        return tuple(r.squeeze(0) for r in result) if return_indices else result.squeeze(0)
    if x.dim() != axes + 2:
        raise refuse(name, f"input has {x.dim()} dimensions and must have {axes + 1} or {axes + 2}")
    settings = _settings(kernel_size, stride, padding, dilation, axes)
    sizes = _sizes(x, settings, ceil_mode)
    if ceil_mode:
        _lengthen(x, settings)
    result = Plan("max_pooling2", "max_pooling_grad", settings, sizes, keeps="input").apply(x)
    return (result, indices_of(x, settings, sizes)) if return_indices else result


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
               return_indices=False):
    """torch.nn.functional.max_pool2d. An entry of padding may be a pair (start, end), and padding
    has no upper limit. Ties go to the lowest index, the first NaN wins."""
    return _max_pool(input, 2, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
               return_indices=False):
    """torch.nn.functional.max_pool3d; see max_pool2d."""
    return _max_pool(input, 3, kernel_size, stride, padding, dilation, ceil_mode, return_indices)
