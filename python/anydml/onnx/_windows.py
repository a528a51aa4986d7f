# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Convolutions, pooling, resampling, regions."""
import math

import numpy

from ._tensor import unsupported


class Window:
    """Sizes, strides, dilations and padding of a node over spatial axes of these sizes."""

    def __init__(self, node, sizes, window):
        count = len(sizes)
        self.window = list(window)
        self.strides = list(node.attr("strides") or [1] * count)
        self.dilations = list(node.attr("dilations") or [1] * count)
        self.spans = [(n - 1) * d + 1 for n, d in zip(self.window, self.dilations)]
        pads, auto = node.attr("pads") or [0] * 2 * count, node.attr("auto_pad", "NOTSET")
        self.start, self.end = list(pads[:count]), list(pads[count:])
        if auto.startswith("SAME"):
            total = [max(0, (-(-n // s) - 1) * s + span - n)
                     for n, s, span in zip(sizes, self.strides, self.spans)]
            self.pad(total, auto)
        elif auto == "VALID":
            self.start, self.end = [0] * count, [0] * count

    def pad(self, total, auto):
        """By these sums, of which the end gets more with SAME_UPPER."""
        small, large = [n // 2 for n in total], [n - n // 2 for n in total]
        self.start, self.end = (large, small) if auto == "SAME_LOWER" else (small, large)

    def output(self, sizes, ceil):
        """Rounded up, windows that would begin behind the elements are none."""
        found = []
        for n, a, b, span, s in zip(sizes, self.start, self.end, self.spans, self.strides):
            count = (n + a + b - span + (s - 1 if ceil else 0)) // s + 1
            found.append(min(count, (n + a - 1) // s + 1) if ceil else count)
        return found

    def fields(self):
        return {"Strides": self.strides, "Dilations": self.dilations,
                "StartPadding": self.start, "EndPadding": self.end}


def _correlate(node, x, filters, bias, window, fields, sizes):
    """CONVOLUTION with the output's spatial sizes."""
    channels = filters.shape[0] if fields["Direction"] == "FORWARD" else (
        filters.shape[1] * node.attr("group"))
    shape = [x.shape[0], channels, *sizes]
    bias = None if bias is None else node.along(bias, 1, x.ndim)
    fields = {"Mode": "CROSS_CORRELATION", "GroupCount": node.attr("group"), **fields,
              **window.fields(), "OutputTensor": node.output(x.dtype, shape)}
    return node.tensor(node.record("CONVOLUTION", [node.value(x), node.value(filters), bias],
                                   fields))


def convolution(node, x, filters, bias=None):
    window = Window(node, x.shape[2:], filters.shape[2:])
    sizes = window.output(x.shape[2:], False)
    return _correlate(node, x, filters, bias, window, {"Direction": "FORWARD"}, sizes)


def transposed_convolution(node, x, filters, bias=None):
    inner = x.shape[2:]
    window = Window(node, inner, filters.shape[2:])
    extra, auto = node.attr("output_padding") or [0] * len(inner), node.attr("auto_pad")
    whole = [s * (n - 1) + span + e
             for n, s, span, e in zip(inner, window.strides, window.spans, extra)]
    wanted = node.attr("output_shape")
    if auto.startswith("SAME"):
        wanted = wanted or [n * s for n, s in zip(inner, window.strides)]
    if wanted:
        total = [n - w for n, w in zip(whole, wanted[-len(inner):])]
        extra = [e - min(t, 0) for e, t in zip(extra, total)]
        window.pad([max(t, 0) for t in total], auto)
        sizes = wanted[-len(inner):]
    else:
        sizes = [n - a - b for n, a, b in zip(whole, window.start, window.end)]
    # By sizes alone: windows may write where output_padding is, and DirectML's is zeros.
    return _correlate(node, x, filters, bias, window, {"Direction": "BACKWARD"}, sizes)


# ---- Pooling

def _pool(node, x, kind, fields, indices=False):
    """Of two or three spatial axes: one more is made up for a single one."""
    sizes = x.shape[2:]
    window = Window(node, sizes, node.attr("kernel_shape"))
    out = window.output(sizes, node.attr("ceil_mode"))
    fields = {**fields, **window.fields(), "WindowSize": window.window}
    shape, value = [*x.shape[:2], *out], node.value(x)
    if len(sizes) == 1:
        value = value.reshape((*x.shape[:2], 1, sizes[0]))
        fields = {name: entry if not isinstance(entry, list) else
                  [0 if "Padding" in name else 1] + entry for name, entry in fields.items()}
    made = [*x.shape[:2], *[1] * (len(sizes) == 1), *out]
    fields["OutputTensor"] = node.output(x.dtype, made)
    if indices:
        fields["OutputIndicesTensor"] = node.output("uint64", made)
        y, at = node.record(kind, [value], fields, 2)
        return [node.tensor(y, shape), node.tensor(at, shape)]
    return node.tensor(node.record(kind, [value], fields), shape)


def average_pool(node, x):
    return _pool(node, x, "AVERAGE_POOLING1",
                 {"IncludePadding": bool(node.attr("count_include_pad"))})


def lp_pool(node, x):
    return _pool(node, x, "LP_POOLING1", {"P": int(node.attr("p"))})


def max_pool(node, x):
    if not node.wants(1):
        return _pool(node, x, "MAX_POOLING2", {})
    y, at = _pool(node, x, "MAX_POOLING2", {}, True)
    indices = node.cast(at.value, "int64")
    if node.attr("storage_order") and x.ndim == 4:     # column by column within a plane
        rows, columns = x.shape[2:]
        plane = node.number(rows * columns, "int64").broadcast_to(indices.shape)
        inside = node.record("ELEMENT_WISE_MODULUS_FLOOR", [indices, plane])
        row = inside / columns
        indices = indices - inside + (inside - row * columns) * rows + row
    return [y, node.tensor(indices, at.shape)]


def max_unpool(node, x, indices, sizes=None):
    """Indices count in what the pooling saw; a larger output has zeros behind it."""
    if x.ndim != 4:
        raise unsupported(f"{x.ndim} dimensions, and DirectML's MAX_UNPOOLING has 4")
    window = Window(node, x.shape[2:], node.attr("kernel_shape"))
    seen = [*x.shape[:2], *((n - 1) * s + span - a - b for n, s, span, a, b in zip(
        x.shape[2:], window.strides, window.spans, window.start, window.end))]
    inputs = [node.value(x), node.cast(node.value(indices), "uint64")]
    value = node.record("MAX_UNPOOLING", inputs, {"OutputTensor": node.output(x.dtype, seen)})
    behind = [m - n for n, m in zip(seen, seen if sizes is None else node.integers(sizes))]
    if any(behind):
        fields = {"PaddingMode": "CONSTANT", "StartPadding": [0] * 4, "EndPadding": behind}
        value = node.record("PADDING", [value], {**fields, "PaddingValue": 0})
    return node.tensor(value)


# ---- Resampling

def _scales_and_sizes(node, x, scales, sizes):
    if sizes is not None and sizes.size:
        sizes = node.integers(sizes)
        return [m / n for n, m in zip(x.shape, sizes)], sizes
    scales = node.attr("scales") if scales is None else (
        node.known(scales).astype("float64").tolist())
    return scales, [math.floor(n * s) for n, s in zip(x.shape, scales)]


def _mapping(mode, n, m, scale, start, end):
    """(scale, input offset, output offset) of x = (o - output) / scale - input on an axis from n
    to m elements."""
    if mode == "half_pixel" or mode == "pytorch_half_pixel" and m > 1:
        return scale, 0.5, -0.5
    if mode == "align_corners":
        resized = n * scale                # which ONNX does not round
        return ((resized - 1) / (n - 1) if n > 1 and m > 1 else 1.0), 0.0, 0.0
    if mode == "tf_half_pixel_for_nn":
        return scale, 0.0, -0.5
    if mode == "tf_crop_and_resize":
        if m == 1:
            return 1.0, -0.5 * (start + end) * (n - 1), 0.0
        return (m - 1) / ((end - start) * (n - 1)) if n > 1 else 1.0, -start * (n - 1), 0.0
    if mode in ("asymmetric", "pytorch_half_pixel"):
        return (scale if mode == "asymmetric" else 1.0), 0.0, 0.0
    raise unsupported(f"coordinate_transformation_mode = {mode}")


def _positions(axes, shape):
    """Where each element of an axis is read, per axis."""
    return [(numpy.arange(m) - out) / scale - into
            for (scale, into, out), m in zip(axes, shape)]


# NEAREST: (direction, what is added to x), by ONNX's rounding.
_ROUNDING = {"round_prefer_floor": ("INCREASING", -0.5), "round_prefer_ceil": ("DECREASING", 0.5),
             "floor": ("DECREASING", 0.0), "ceil": ("INCREASING", 0.0)}


def resize(node, x, roi=None, scales=None, sizes=None):
    if node.version < 11:                  # Resize 10: the second input are the scales
        roi, scales = None, roi
    scales, sizes = _scales_and_sizes(node, x, scales, sizes)
    mode = node.attr("coordinate_transformation_mode", "asymmetric")
    rank = x.ndim
    ends = [0.0] * rank + [1.0] * rank
    if mode == "tf_crop_and_resize":
        ends = node.known(roi).astype("float64").tolist()
    axes = [_mapping(mode, n, m, s, a, b) if s != 1 or mode == "tf_crop_and_resize" else
            (1.0, 0.0, 0.0)
            for n, m, s, a, b in zip(x.shape, sizes, scales, ends[:rank], ends[rank:])]
    if node.attr("mode") == "cubic":
        return _cubic(node, x, axes, sizes)
    return _resample(node, x, axes, sizes, mode == "tf_crop_and_resize")


def _resample(node, x, axes, sizes, is_crop):
    kind, direction, shift = "LINEAR", "DECREASING", 0.0
    if node.attr("mode") == "nearest":
        kind, (direction, shift) = "NEAREST_NEIGHBOR", _ROUNDING[
            node.attr("nearest_mode", "floor")]
    # RESAMPLE has at most four dimensions; leading ones that stay as they are become one.
    extra = max(0, x.ndim - 4)
    if any(n != m for n, m in zip(x.shape[:extra + 1], sizes[:extra + 1])) and extra:
        raise unsupported("resampling of more than four dimensions")
    kept = axes[extra:]
    value = node.value(x, (math.prod(x.shape[:extra + 1]), *x.shape[extra + 1:]))
    fields = {"InterpolationMode": kind, "RoundingDirection": direction,
              "Scales": [scale for scale, _, _ in kept],
              "InputPixelOffsets": [into - shift for _, into, _ in kept],
              "OutputPixelOffsets": [out for _, _, out in kept],
              "OutputTensor": node.output(x.dtype, [math.prod(sizes[:extra + 1]),
                                                    *sizes[extra + 1:]])}
    made = node.tensor(node.record("RESAMPLE2", [value], fields), sizes)
    if not is_crop:
        return made
    outside = numpy.zeros(tuple(sizes), bool)
    for d, (at, n) in enumerate(zip(_positions(axes, sizes), x.shape)):
        beyond = (at < 0) | (at > n - 1)
        outside |= beyond.reshape([-1 if e == d else 1 for e in range(x.ndim)])
    fill = numpy.array(node.attr("extrapolation_value"), x.dtype)
    return node.elements("ELEMENT_WISE_IF", [outside, fill, made], dtype=x.dtype)


def _cubic_weights(node, at, n):
    """The matrix {m, n} of an axis that is read at these positions."""
    a, exclude = node.attr("cubic_coeff_a"), node.attr("exclude_outside")
    weights = numpy.zeros((len(at), n))
    for o, x in enumerate(at):
        first = math.floor(x) - 1
        taps = []
        for k in range(first, first + 4):
            t = abs(x - k)
            w = ((a + 2) * t**3 - (a + 3) * t**2 + 1 if t <= 1 else
                 a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a if t < 2 else 0.0)
            taps.append((k, 0.0 if exclude and not 0 <= k < n else w))
        total = sum(w for _, w in taps) if exclude else 1.0
        for k, w in taps:
            weights[o, min(max(k, 0), n - 1)] += w / total
    return weights


def _cubic(node, x, axes, sizes):
    """Axis by axis, a product with a matrix of weights."""
    for d, at in enumerate(_positions(axes, sizes)):
        if axes[d] == (1.0, 0.0, 0.0) and x.shape[d] == sizes[d]:
            continue
        weights = _cubic_weights(node, at, x.shape[d]).astype(x.dtype)
        shape = x.shape
        rows = node.value(x, (math.prod(shape[:d]), shape[d], math.prod(shape[d + 1:])))
        matrix = node.value(weights).broadcast_to((rows.shape[0], *weights.shape))
        made = node.record("GEMM", [matrix, rows, None])
        x = node.tensor(made, (*shape[:d], sizes[d], *shape[d + 1:]))
    return x


# ---- Regions

def roi_align(node, x, rois, batches):
    shape = [rois.shape[0], x.shape[1], node.attr("output_height"), node.attr("output_width")]
    mode = node.attr("coordinate_transformation_mode", "output_half_pixel")
    samples, scale = node.attr("sampling_ratio"), node.attr("spatial_scale")
    if node.attr("mode") != "avg":
        raise unsupported("mode = max: ONNX takes the greatest of weighted pixels, DirectML of "
                          "interpolated samples")
    fields = {"ReductionFunction": "AVERAGE", "InterpolationMode": "LINEAR",
              "SpatialScaleX": scale, "SpatialScaleY": scale,
              "InputPixelOffset": 0.5 if mode == "half_pixel" else 0.0, "OutputPixelOffset": -0.5,
              "OutOfBoundsInputValue": 0.0, "MinimumSamplesPerOutput": samples or 1,
              "MaximumSamplesPerOutput": samples or 2**20, "AlignRegionsToCorners": False,
              "OutputTensor": node.output(x.dtype, shape)}
    inputs = [node.value(x), node.value(rois), node.cast(node.value(batches), "uint64")]
    return node.tensor(node.record("ROI_ALIGN1", inputs, fields))


def max_roi_pool(node, x, rois):
    height, width = node.attr("pooled_shape")
    fields = {"SpatialScale": node.attr("spatial_scale"),
              "PooledSize": {"Width": width, "Height": height}}
    return node.tensor(node.record("ROI_POOLING",
                                   [node.value(x), node.value(rois, (1, 1, *rois.shape))], fields))


OPERATORS = {
    "AveragePool": average_pool, "Conv": convolution, "ConvTranspose": transposed_convolution,
    "LpPool": lp_pool, "MaxPool": max_pool, "MaxRoiPool": max_roi_pool, "MaxUnpool": max_unpool,
    "Resize": resize, "RoiAlign": roi_align, "Upsample": resize,
}
