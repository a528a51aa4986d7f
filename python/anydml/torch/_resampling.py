# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""resample in ONNX's words and upsample in PyTorch's, by RESAMPLE2 and RESAMPLE_GRAD1.

A coordinate o of the result reads x(o) = (o - output offset) / scale - input offset.
"""
import math

from anydml import _errors

from ._arguments import boolean, choice, integer, integers, is_sequence, numbers, refuse
from ._kernels import Plan, check_tensor

# ONNX's nearest_mode: direction of rounding, and what it adds to the input offset.
_NEAREST = {"floor": ("decreasing", 0.0), "ceil": ("increasing", 0.0),
            "round_prefer_floor": ("increasing", 0.5), "round_prefer_ceil": ("decreasing", -0.5)}
_COORDINATES = ("half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners")
# PyTorch's mode: ours, convention and rounding. Its "nearest" is the floor of o / scale.
_TORCH_MODES = {"nearest": ("nearest", "asymmetric", "floor"),
                "nearest-exact": ("nearest", "half_pixel", "round_prefer_ceil"),
                "linear": ("linear", "half_pixel", "floor"),
                "bilinear": ("linear", "half_pixel", "floor"),
                "trilinear": ("linear", "half_pixel", "floor")}
_TORCH_AXES = {"linear": 1, "bilinear": 2, "trilinear": 3}
_MAX_DIMENSIONS = 4
# What the functions call sizes and scales.
_NAMES = {"resample": ("sizes", "scales"), "upsample": ("size", "scale_factor")}


def _axis(n, m, scale, convention):
    """Scale, input offset and output offset of one axis of n pixels to m."""
    if convention == "align_corners":
        return ((m - 1) / (n - 1) if n > 1 and m > 1 else 1.0), 0.0, 0.0
    if convention == "asymmetric":
        return scale, 0.0, 0.0
    if convention == "pytorch_half_pixel" and m == 1:
        return 1.0, 0.0, 0.0
    return scale, 0.5, -0.5


def _margin(n, m, scale, convention):
    """Half of what separates a coordinate from the next whole number, where sizes are in a ratio:
    coordinates are then multiples of 1 / 2q. Added before rounding, it outweighs what float32
    makes of the ratio, so that 14 -> 2 pixels reads pixel 7 and not 6."""
    if convention == "align_corners":
        return 0.25 / (m - 1) if m > 1 else 0.0
    # m / n times n is m but for the rounding of a double.
    in_ratio = m > 0 and abs(n * scale - m) <= 1e-12 * m
    return 0.25 / m if in_ratio else 0.0


def _apply(x, sizes, scales, mode, convention, nearest_mode):
    """`sizes` and `scales` of all dimensions. Leading dimensions that stay as they are become one
    where there are more than four: a copy only if their strides do not allow a view."""
    spare = x.dim() - _MAX_DIMENSIONS
    if spare > 0:
        untouched = all(n == m and s == 1 for n, m, s in zip(x.shape, sizes, scales[:spare + 1]))
        if not untouched:
            raise _errors.Unsupported(f"anydml.torch.resample: at most {_MAX_DIMENSIONS} "
                                      f"dimensions can be resampled")
        folded = x.flatten(0, spare)
        result = _apply(folded, [folded.shape[0], *sizes[spare + 1:]], scales[spare:], mode,
                        convention, nearest_mode)
        return result.unflatten(0, x.shape[:spare + 1])
    direction, shift = _NEAREST[nearest_mode] if mode == "nearest" else ("decreasing", 0.0)
    axes = [(1.0, 0.0, 0.0) if n == m and s == 1 else _axis(n, m, s, convention)
            for n, m, s in zip(x.shape, sizes, scales)]
    sign = {"decreasing": -1.0, "increasing": 1.0}[direction] if mode == "nearest" else 0.0
    margins = [sign * _margin(n, m, s, convention) for n, m, s in zip(x.shape, sizes, scales)]
    settings = {"interpolation_mode": "nearest_neighbor" if mode == "nearest" else "linear",
                "rounding_direction": direction, "scales": [a[0] for a in axes],
                "input_pixel_offsets": [a[1] + shift + margin if a != (1.0, 0.0, 0.0) else 0.0
                                        for a, margin in zip(axes, margins)],
                "output_pixel_offsets": [a[2] for a in axes]}
    return Plan("resample2", "resample_grad1", settings, sizes, keeps=None).apply(x)


def _targets(x, sizes, scales, dims, function):
    """Sizes and scales of all dimensions from those of `dims`."""
    by_size, by_scale = _NAMES[function]
    if (sizes is None) == (scales is None):
        raise refuse(function, f"exactly one of {by_size} and {by_scale} is required")
    if scales is None:
        given = integers(sizes, len(dims), function, by_size, 1)
    else:
        given = numbers(scales, len(dims), function, by_scale)
    all_sizes, all_scales = list(x.shape), [1.0] * x.dim()
    for d, value in zip(dims, given):
        n = x.shape[d]
        all_sizes[d] = value if scales is None else max(1, math.floor(n * value))
        all_scales[d] = value / max(1, n) if scales is None else float(value)
    return all_sizes, all_scales


def _axes(dims, count):
    found = [integer(d, "resample", "dims", "a sequence of integers")
             for d in (dims if is_sequence(dims) else [dims])]
    if not all(-count <= d < count for d in found) or len({d % count for d in found}) < len(found):
        raise refuse("resample", f"dims = {_errors.show(dims)} must be different dimensions of "
                                 f"{count}")
    return [d % count for d in found]


def resample(input, sizes=None, scales=None, mode="linear", dims=None,
             coordinate_transformation_mode="half_pixel", nearest_mode="round_prefer_floor"):
    """ONNX's Resize on any dimensions (all where `dims` is None): mode "nearest" or "linear",
    coordinate_transformation_mode "half_pixel", "pytorch_half_pixel", "asymmetric" or
    "align_corners", nearest_mode "floor", "ceil", "round_prefer_floor" or "round_prefer_ceil"."""
    check_tensor(input, "resample")
    choice(mode, "resample", "mode", ("nearest", "linear"))
    choice(nearest_mode, "resample", "nearest_mode", _NEAREST)
    choice(coordinate_transformation_mode, "resample", "coordinate_transformation_mode",
           _COORDINATES)
    dims = range(input.dim()) if dims is None else _axes(dims, input.dim())
    all_sizes, all_scales = _targets(input, sizes, scales, dims, "resample")
    return _apply(input, all_sizes, all_scales, mode, coordinate_transformation_mode, nearest_mode)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """torch.nn.functional.interpolate on all but the first two dimensions: mode "nearest",
    "nearest-exact", "linear", "bilinear" or "trilinear"."""
    check_tensor(input, "upsample")
    if not isinstance(mode, str) or mode not in _TORCH_MODES:
        raise _errors.Unsupported(f"anydml.torch.upsample: mode = {_errors.show(mode)} must be one "
                                  f"of {', '.join(_TORCH_MODES)}")
    if align_corners is not None:
        align_corners = boolean(align_corners, "upsample", "align_corners")
        if mode.startswith("nearest"):
            raise refuse("upsample", f"align_corners has no meaning for mode {mode!r}")
    if input.dim() - 2 != _TORCH_AXES.get(mode, input.dim() - 2) or input.dim() < 3:
        raise refuse("upsample", f"mode {mode!r} does not go with {input.dim()} dimensions")
    ours, convention, nearest_mode = _TORCH_MODES[mode]
    if align_corners:
        convention = "align_corners"
    all_sizes, all_scales = _targets(input, size, scale_factor, range(2, input.dim()), "upsample")
    if ours == "linear":
        # PyTorch leaves an axis alone whose size stays, whatever the factor. (Its "nearest" does so
        # in some memory formats and not in others; ours goes by the factor.)
        all_scales = [1.0 if n == m else s for n, m, s in zip(input.shape, all_sizes, all_scales)]
    return _apply(input, all_sizes, all_scales, ours, convention, nearest_mode)
