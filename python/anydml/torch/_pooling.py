# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""max_pool2d and max_pool3d in PyTorch's words, by MAX_POOLING2 and MAX_POOLING_GRAD."""
from anydml import _errors

from ._kernels import Plan, check_tensor, indices_of


def _per_axis(value, axes, name):
    """PyTorch's "int or tuple of ints"."""
    values = (value,) * axes if isinstance(value, int) else tuple(value)
    if len(values) == 1:
        values *= axes
    if len(values) != axes:
        raise _errors.InvalidArgument(f"anydml.torch.max_pool{axes}d: {name} = {value} must have "
                                      f"{axes} entries")
    return values


def _paddings(padding, axes):
    """Start and end of each axis; an entry may be a pair, which PyTorch has not."""
    entries = _per_axis(padding, axes, "padding")
    pairs = [(e, e) if isinstance(e, int) else tuple(e) for e in entries]
    return [start for start, _ in pairs], [end for _, end in pairs]


def _pooled_size(size, window, stride, start, end, dilation, ceil_mode):
    """PyTorch's formula: in ceil mode the last window must begin inside the input or the padding
    before it."""
    rest = size + start + end - dilation * (window - 1) - 1
    pooled = (-(-rest // stride) if ceil_mode else rest // stride) + 1
    if ceil_mode and (pooled - 1) * stride >= size + start:
        pooled -= 1
    return max(1, pooled)


def _settings(kernel_size, stride, padding, dilation, axes):
    window = _per_axis(kernel_size, axes, "kernel_size")
    start, end = _paddings(padding, axes)
    empty = stride is None or stride == ()          # PyTorch's "the window size"
    strides = window if empty else _per_axis(stride, axes, "stride")
    return {"window_size": list(window), "strides": list(strides), "start_padding": start,
            "end_padding": end, "dilations": list(_per_axis(dilation, axes, "dilation"))}


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
    if x.dim() == axes + 1:                # PyTorch's form without a batch
        result = _max_pool(x.unsqueeze(0), axes, kernel_size, stride, padding, dilation, ceil_mode,
                           return_indices)
        return tuple(r.squeeze(0) for r in result) if return_indices else result.squeeze(0)
    if x.dim() != axes + 2:
        raise _errors.InvalidArgument(f"anydml.torch.{name}: input has {x.dim()} dimensions and "
                                      f"must have {axes + 1} or {axes + 2}")
    settings = _settings(kernel_size, stride, padding, dilation, axes)
    sizes = _sizes(x, settings, ceil_mode)
    if ceil_mode:
        _lengthen(x, settings)
    result = Plan("max_pooling2", "max_pooling_grad", settings, sizes, keeps_input=True).apply(x)
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
