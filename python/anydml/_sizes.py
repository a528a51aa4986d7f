# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""What a description needs and a caller need not say: sizes of outputs, of windows, and scales.

The rules go by the fields that an operator has, so that a new version of one needs nothing here.
Nothing is validated: numbers that make no sense go to the library, which refuses them in words.
"""
import math

from . import _errors


def complete(operator, inputs, given, output_sizes):
    """Fills what is None among the settings `given` (by field name) and returns the sizes of the
    outputs. `inputs` are sizes by field name; `output_sizes` may be None."""
    fields = operator.fields
    if "WindowSize" in fields and "InputGradientTensor" not in fields:
        return _pooled(inputs["InputTensor"], given) if output_sizes is None else output_sizes
    if "Scales" in fields:
        return _resampled(operator, inputs, given, output_sizes)
    if "InputWindowSizes" in fields:
        return _sliced(operator, inputs, given, output_sizes)
    if "Sizes" in fields:
        return _sliced_by_sizes(inputs["InputTensor"], given)
    return inputs.get("InputTensor") or next(iter(inputs.values()))


def _fits(sizes, *arrays):
    return all(len(array) == len(sizes) for array in arrays)


def _pooled(sizes, given):
    windows, strides = given["WindowSize"], given["Strides"]
    starts, ends = given["StartPadding"], given["EndPadding"]
    dilations = given.get("Dilations", [1] * len(windows))
    spatial = sizes[2:]
    if not _fits(spatial, windows, strides, starts, ends, dilations):
        return sizes
    pooled = []
    for size, window, stride, start, end, dilation in zip(spatial, windows, strides, starts, ends,
                                                          dilations):
        span = (window - 1) * dilation + 1
        pooled.append(max(0, size + start + end - span) // max(1, stride) + 1)
    return sizes[:2] + tuple(pooled)


def _resampled(operator, inputs, given, output_sizes):
    sizes = next(iter(inputs.values()))
    scales = given["Scales"]
    if output_sizes is None and operator.is_gradient:
        raise _errors.InvalidArgument(f"{operator.type}: output_sizes, the sizes of the forward "
                                      f"operator's input, or out is required")
    if output_sizes is None and scales is None:
        raise _errors.InvalidArgument(f"{operator.type}: one of scales, output_sizes and out is "
                                      f"required")
    if output_sizes is None and "inf" in scales:
        raise _errors.InvalidArgument(f"{operator.type}: output_sizes or out is required where one "
                                      f"of scales is infinite")
    if output_sizes is None:
        return tuple(_scaled(*pair) for pair in zip(sizes, scales)) if _fits(
            sizes, scales) else sizes
    if scales is None:
        small, large = (output_sizes, sizes) if operator.is_gradient else (sizes, output_sizes)
        given["Scales"] = [m / n if n else 1.0 for n, m in zip(small, large)]
    return output_sizes


def _scaled(size, scale):
    """As ONNX has it: rounded down. The library refuses scales that are not numbers, which come as
    words, or not of float32."""
    if isinstance(scale, str) or abs(scale) > 1e38:
        return size
    return max(1, math.floor(size * scale))


def _sliced(operator, inputs, given, output_sizes):
    sizes = next(iter(inputs.values()))
    if operator.is_gradient and output_sizes is None:
        raise _errors.InvalidArgument(f"{operator.type}: output_sizes, the sizes of the forward "
                                      f"operator's input, or out is required")
    whole = output_sizes if operator.is_gradient else sizes
    offsets, strides = given["InputWindowOffsets"], given["InputWindowStrides"]
    if given["InputWindowSizes"] is None:
        given["InputWindowSizes"] = [max(0, n - o) for n, o in zip(whole, offsets)]
    windows = given["InputWindowSizes"]
    if output_sizes is not None:
        return output_sizes
    if not _fits(sizes, windows, strides):
        return sizes
    return tuple((w - 1) // max(1, abs(s)) + 1 for w, s in zip(windows, strides))


def _sliced_by_sizes(sizes, given):
    if given["Sizes"] is None:
        given["Sizes"] = [max(0, -((o - n) // max(1, s)))
                          for n, o, s in zip(sizes, given["Offsets"], given["Strides"])]
    return tuple(given["Sizes"])
