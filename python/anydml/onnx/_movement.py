# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Operators that move elements: shapes, slices, padding, and what makes elements."""
import math

import numpy

from ._tensor import array_of, broadcast_shapes, dtype_of, is_known, unsupported


def like(node, value, x, shape=None):
    """A result of x's type."""
    return node.tensor(value, shape, x.dtype)


# ---- Shapes

def shape(node, x):
    start, end = node.attr("start", 0), node.attr("end", x.ndim)
    return numpy.array(x.shape[start:end], "int64")


def size(node, x):
    return numpy.array(x.size, "int64")


def reshape(node, x, sizes=None):
    sizes = list(node.attr("shape")) if sizes is None else node.integers(sizes)
    if not node.attr("allowzero"):
        sizes = [x.shape[i] if n == 0 else n for i, n in enumerate(sizes)]
    if -1 in sizes:
        rest = math.prod(n for n in sizes if n != -1)
        sizes[sizes.index(-1)] = x.size // rest if rest else 0
    if math.prod(sizes) != x.size:
        raise unsupported(f"{x.size} elements in the shape {tuple(sizes)}")
    return node.reshape(x, sizes)


def flatten(node, x):
    axis = node.attr("axis")
    axis += x.ndim if axis < 0 else 0
    return node.reshape(x, (math.prod(x.shape[:axis]), math.prod(x.shape[axis:])))


def _axes(node, given):
    return node.attr("axes") if given is None else node.integers(given)


def squeeze(node, x, axes=None):
    axes = _axes(node, axes)
    if axes is None:
        return node.reshape(x, [n for n in x.shape if n != 1])
    removed = {node.in_range(axis, x.ndim) for axis in axes}
    return node.reshape(x, [n for d, n in enumerate(x.shape) if d not in removed])


def unsqueeze(node, x, axes=None):
    axes = _axes(node, axes)
    rank = x.ndim + len(axes)
    added, sizes = {node.in_range(axis, rank) for axis in axes}, iter(x.shape)
    return node.reshape(x, [1 if d in added else next(sizes) for d in range(rank)])


def transpose(node, x):
    order = node.attr("perm") or list(reversed(range(x.ndim)))
    return like(node, node.value(x).transpose(*order), x, [x.shape[d] for d in order]) if (
        x.ndim) else x


def expand(node, x, sizes):
    shape = broadcast_shapes(x.shape, tuple(node.integers(sizes)))
    return like(node, node.broadcast(x, shape), x, shape)


# ---- Parts and wholes

def slice_along(node, x, starts, ends, axes, steps):
    """A Tensor, or an array of no elements."""
    offsets, sizes, strides, shape = [0] * x.ndim, list(x.shape), [1] * x.ndim, list(x.shape)
    for start, end, axis, step in zip(starts, ends, axes, steps):
        picked = range(x.shape[axis])[start:end:step]
        shape[axis] = len(picked)
        if picked:
            low, high = min(picked[0], picked[-1]), max(picked[0], picked[-1])
            offsets[axis], sizes[axis], strides[axis] = low, high - low + 1, picked.step
    if 0 in shape:
        return numpy.empty(shape, x.dtype)
    strides = [s if abs(s) < 2**31 else 1 for s in strides]       # of one element
    return like(node, node.record("SLICE1", [node.value(x)], {
        "InputWindowOffsets": offsets, "InputWindowSizes": sizes,
        "InputWindowStrides": strides}), x, shape)


def slice_of(node, x, starts=None, ends=None, axes=None, steps=None):
    starts, ends = (node.attr(name) if given is None else node.integers(given)
                    for name, given in (("starts", starts), ("ends", ends)))
    axes = _axes(node, axes) or range(len(starts))
    steps = [1] * len(starts) if steps is None else node.integers(steps)
    axes = [node.in_range(axis, x.ndim) for axis in axes]
    if is_known(x):
        index = [slice(None)] * x.ndim
        for start, end, axis, step in zip(starts, ends, axes, steps):
            index[axis] = slice(start, end, step)
        return x[tuple(index)]
    return slice_along(node, x, starts, ends, axes, steps)


def join(node, values, axis):
    """Any number of values as one; JOIN takes 64."""
    while len(values) > 1:
        groups = [values[i:i + 64] for i in range(0, len(values), 64)]
        values = [node.record("JOIN", group, {"Axis": axis}) if len(group) > 1 else group[0]
                  for group in groups]
    return values[0]


def concat(node, *xs):
    axis = node.axis(xs[0].ndim)
    parts = [x for x in xs if x.size]
    if len(parts) == 1:
        return parts[0]
    return like(node, join(node, [node.value(x) for x in parts], axis), xs[0])


def split(node, x, sizes=None):
    axis, count = node.axis(x.ndim), len(node.outputs)
    sizes = node.attr("split") if sizes is None else node.integers(sizes)
    if sizes is None:
        each = -(-x.shape[axis] // count)
        sizes = [each] * (count - 1) + [x.shape[axis] - each * (count - 1)]
    shapes = [x.shape[:axis] + (n,) + x.shape[axis + 1:] for n in sizes]
    parts = [numpy.empty(shape, x.dtype) for shape in shapes]
    full = [i for i, n in enumerate(sizes) if n and x.size]
    if full:
        made = node.record("SPLIT", [node.value(x)], {
            "Axis": axis, "OutputCount": len(full),
            "OutputTensors": [node.output(x.dtype, shapes[i]) for i in full]}, len(full))
        for i, value in zip(full, made if len(full) > 1 else [made]):
            parts[i] = like(node, value, x)
    return parts


def pad(node, x, pads=None, value=None, axes=None):
    pads = node.attr("pads") or node.attr("paddings") if pads is None else node.integers(pads)
    value = node.attr("value", 0) if value is None else node.known(value).item()
    axes = range(x.ndim) if axes is None else (
        [node.in_range(axis, x.ndim) for axis in node.integers(axes)])
    low, high = [0] * x.ndim, [0] * x.ndim
    for i, axis in enumerate(axes):
        low[axis], high[axis] = pads[i], pads[i + len(pads) // 2]
    crop = [(-min(a, 0), n + min(b, 0)) for n, a, b in zip(x.shape, low, high)]
    if min(low + high) < 0:
        x = slice_along(node, x, *zip(*crop), range(x.ndim), [1] * x.ndim)
    mode = {"constant": "CONSTANT", "reflect": "REFLECTION", "edge": "EDGE", "wrap": "WRAP"}
    fields = {"PaddingMode": mode[node.attr("mode")],
              "PaddingValueDataType": node.output(x.dtype, ())["DataType"],
              "PaddingValue": 0 if x.dtype == bool else value,
              "StartPadding": [max(n, 0) for n in low], "EndPadding": [max(n, 0) for n in high]}
    return like(node, node.record("PADDING1", [node.value(x)], fields), x)


def tile(node, x, repeats, along=None):
    if along is not None:                  # version 1: tiles and an axis
        counts = [1] * x.ndim
        counts[int(node.known(along))] = int(node.known(repeats))
    else:
        counts = node.integers(repeats)
    return like(node, node.record("TILE", [node.value(x)], {"Repeats": counts}), x)


def space_to_depth(node, x):
    fields = {"BlockSize": node.attr("blocksize"), "Order": "DEPTH_COLUMN_ROW"}
    return like(node, node.record("SPACE_TO_DEPTH1", [node.value(x)], fields), x)


def depth_to_space(node, x):
    orders = {"DCR": "DEPTH_COLUMN_ROW", "CRD": "COLUMN_ROW_DEPTH"}
    fields = {"BlockSize": node.attr("blocksize"), "Order": orders[node.attr("mode", "DCR")]}
    return like(node, node.record("DEPTH_TO_SPACE1", [node.value(x)], fields), x)


def reverse_sequence(node, x, lengths):
    axis = node.attr("time_axis")
    lengths = node.cast(node.along(lengths, node.attr("batch_axis"), x.ndim), "uint64")
    sizes = [1 if d == axis else n for d, n in enumerate(x.shape)]
    return like(node, node.record("REVERSE_SUBSEQUENCES",
                                   [node.value(x), lengths.broadcast_to(sizes)],
                                   {"Axis": axis}), x)


# ---- Elements from nothing

def range_of(node, start, limit, delta):
    start, limit, delta = (node.known(x).reshape(()) for x in (start, limit, delta))
    count = max(0, math.ceil((limit.item() - start.item()) / delta.item()))
    if count == 0:
        return numpy.empty(0, start.dtype)
    fields = {"OutputTensor": node.output(start.dtype, [count]), "ValueStart": start.item(),
              "ValueDelta": delta.item()}
    return node.tensor(node.record("FILL_VALUE_SEQUENCE", [], fields))


def constant_of_shape(node, shape):
    """Of a shape that is an input's values."""
    value = node.attr("value")
    value = numpy.zeros((), "float32") if value is None else array_of(value).reshape(())
    shape = node.integers(shape)
    return node.tensor(node.value(value).broadcast_to(shape or (1,)), shape, value.dtype) if (
        0 not in shape) else numpy.empty(shape, value.dtype)


def eye_like(node, x):
    dtype = dtype_of(node.attr("dtype")) if node.attr("dtype") else x.dtype
    fields = {"OutputTensor": node.output(dtype, x.shape), "Offset": node.attr("k"), "Value": 1}
    return node.tensor(node.record("DIAGONAL_MATRIX", [], fields), None, dtype)


def triangle(node, x, k=None):
    """Trilu: what lies beyond diagonal k is zero."""
    k = 0 if k is None else int(node.known(k).reshape(()))
    k = max(-2**30, min(2**30, k))
    begin, end = (-2**31, k) if node.attr("upper") else (k + 1, 2**31 - 1)
    fields = {"ValueDataType": node.output(x.dtype, ())["DataType"], "Value": 0,
              "DiagonalFillBegin": begin, "DiagonalFillEnd": end}
    rows = node.value(x, (math.prod(x.shape[:-2]), *x.shape[-2:]))
    fields["OutputTensor"] = node.output(x.dtype, rows.shape)
    return like(node, node.record("DIAGONAL_MATRIX1", [rows], fields), x, x.shape)


def constant(node):
    raise unsupported("a constant of " + ", ".join(node.given))


OPERATORS = {
    "Concat": concat, "Constant": constant, "ConstantOfShape": constant_of_shape,
    "DepthToSpace": depth_to_space, "Expand": expand, "EyeLike": eye_like, "Flatten": flatten,
    "Pad": pad, "Range": range_of, "Reshape": reshape,
    "ReverseSequence": reverse_sequence, "Shape": shape, "Size": size, "Slice": slice_of,
    "SpaceToDepth": space_to_depth, "Split": split, "Squeeze": squeeze, "Tile": tile,
    "Transpose": transpose, "Trilu": triangle, "Unsqueeze": unsqueeze,
}
