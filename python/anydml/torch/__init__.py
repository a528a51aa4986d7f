# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""PyTorch: functions with exact, deterministic gradients, modules, and a function that swaps a
model's own layers for them.

    >>> import anydml.torch
    >>> model = anydml.torch.swap(model)

Forward and backward run by DirectML's operators on the tensors' own memory; results are the same on
every run and thread count, without a flag. What differs from PyTorch is what DirectML's pages say:
docs/python.md lists it. float64 is refused where the pages have none, and so is double backward.
"""
from ._elements import clip, relu, slice
from ._modules import Clip, MaxPool2d, MaxPool3d, ReLU, Resample, Slice, Upsample, swap
from ._pooling import max_pool2d, max_pool3d
from ._resampling import resample, upsample

__all__ = ["Clip", "MaxPool2d", "MaxPool3d", "ReLU", "Resample", "Slice", "Upsample", "clip",
           "max_pool2d", "max_pool3d", "relu", "resample", "slice", "swap", "upsample"]
