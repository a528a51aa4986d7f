# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Modules over the functions, and swap(), which puts them in the place of PyTorch's."""
from torch import nn

from anydml import _errors

from . import _elements, _pooling, _resampling


class _Module(nn.Module):
    """A function with its settings; shown as PyTorch shows its own."""

    def __init__(self, **settings):
        super().__init__()
        self.settings = settings

    def forward(self, input):
        return type(self).function(input, **self.settings)

    def extra_repr(self):
        return ", ".join(f"{name}={value}" for name, value in self.settings.items()
                         if name != "inplace" or value)


class ReLU(_Module):
    function = staticmethod(_elements.relu)

    def __init__(self, inplace=False):
        super().__init__(inplace=inplace)


class Clip(_Module):
    function = staticmethod(_elements.clip)

    def __init__(self, min=None, max=None, inplace=False):
        super().__init__(min=min, max=max, inplace=inplace)


class Slice(_Module):
    function = staticmethod(_elements.slice)

    def __init__(self, index):
        super().__init__(index=index)


class MaxPool2d(_Module):
    function = staticmethod(_pooling.max_pool2d)

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False,
                 ceil_mode=False):
        super().__init__(kernel_size=kernel_size, stride=stride, padding=padding,
                         dilation=dilation, return_indices=return_indices, ceil_mode=ceil_mode)


class MaxPool3d(MaxPool2d):
    function = staticmethod(_pooling.max_pool3d)


class Resample(_Module):
    function = staticmethod(_resampling.resample)

    def __init__(self, sizes=None, scales=None, mode="linear", dims=None,
                 coordinate_transformation_mode="half_pixel", nearest_mode="round_prefer_floor"):
        super().__init__(sizes=sizes, scales=scales, mode=mode, dims=dims,
                         coordinate_transformation_mode=coordinate_transformation_mode,
                         nearest_mode=nearest_mode)


class Upsample(_Module):
    function = staticmethod(_resampling.upsample)

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None):
        super().__init__(size=size, scale_factor=scale_factor, mode=mode,
                         align_corners=align_corners)


def _pool(ours):
    return lambda m: ours(m.kernel_size, m.stride, m.padding, m.dilation, m.return_indices,
                          m.ceil_mode)


def _upsample(module):
    if module.mode not in _resampling._TORCH_MODES or getattr(module, "recompute_scale_factor",
                                                              None):
        return None
    return Upsample(module.size, module.scale_factor, module.mode, module.align_corners)


# Ours for PyTorch's, by the exact type: a subclass may do more. None where ours has no such thing.
_SWAPS = {
    nn.ReLU: lambda m: ReLU(m.inplace),
    nn.ReLU6: lambda m: Clip(m.min_val, m.max_val, m.inplace),
    nn.Hardtanh: lambda m: Clip(m.min_val, m.max_val, m.inplace),
    nn.MaxPool2d: _pool(MaxPool2d),
    nn.MaxPool3d: _pool(MaxPool3d),
    nn.Upsample: _upsample,
    nn.UpsamplingNearest2d: _upsample,
    nn.UpsamplingBilinear2d: _upsample,
}


# The last one came with torch 2.0.
_HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")


def _swapped(module, known):
    if id(module) not in known:
        hooks = any(getattr(module, name, None) for name in _HOOKS)
        swaps = type(module) in _SWAPS and not hooks
        ours = _SWAPS[type(module)](module) if swaps else None
        known[id(module)] = module if ours is None else ours.train(module.training)
    return known[id(module)]


def swap(model):
    """Puts our layers in the place of PyTorch's ReLU, ReLU6, Hardtanh, MaxPool2d, MaxPool3d and
    Upsample (not bicubic), everywhere in `model`, and returns it. Weights are not touched; layers
    with hooks and subclasses stay. What PyTorch's does in place ours does in place too. A module
    that is used twice stays one module."""
    if not isinstance(model, nn.Module):
        raise _errors.WrongType(f"anydml.torch.swap: model is {type(model).__name__!r} and must be "
                                f"a torch.nn.Module")
    known = {}
    for parent in list(model.modules()):
        for name, child in list(parent._modules.items()):
            if child is not None:
                parent._modules[name] = _swapped(child, known)
    return _swapped(model, known)
