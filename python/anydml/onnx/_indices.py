# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Operators that find elements: gathers, scatters, what is largest, what is not zero."""
import numpy

from . import _elements
from ._movement import like, slice_along
from ._tensor import unsupported


def _leading(node, x, rank):
    """A value of `rank` dimensions, with sizes of 1 in front."""
    return node.value(x, (1,) * (rank - x.ndim) + tuple(x.shape))


def gather(node, x, indices):
    axis = node.axis(x.ndim)
    shape = x.shape[:axis] + indices.shape + x.shape[axis + 1:]
    rank = max(x.ndim, indices.ndim, len(shape), 1)
    fields = {"Axis": axis + rank - x.ndim, "IndexDimensions": indices.ndim}
    found = node.record("GATHER", [_leading(node, x, rank), _leading(node, indices, rank)], fields)
    return like(node, found, x, shape)


def gather_elements(node, x, indices):
    axis = node.axis(x.ndim)
    ends = [n if d == axis else m for d, (n, m) in enumerate(zip(x.shape, indices.shape))]
    if list(x.shape) != ends:              # DirectML wants the same sizes off the axis
        x = slice_along(node, x, [0] * x.ndim, ends, range(x.ndim), [1] * x.ndim)
    found = node.record("GATHER_ELEMENTS", [node.value(x), node.value(indices)],
                        {"Axis": axis})
    return like(node, found, x)


def gather_nd(node, x, indices):
    batch = node.attr("batch_dims", 0)
    shape = indices.shape[:-1] + x.shape[batch + indices.shape[-1]:]
    rank = max(x.ndim, indices.ndim, len(shape))
    fields = {"InputDimensionCount": x.ndim, "IndicesDimensionCount": indices.ndim,
              "BatchDimensionCount": batch}
    found = node.record("GATHER_ND1", [_leading(node, x, rank), _leading(node, indices, rank)],
                        fields)
    return like(node, found, x, shape)


def _no_reduction(node):
    reduction = node.attr("reduction", "none")
    if reduction != "none":
        raise unsupported(f"reduction = {reduction}, and DirectML's scatters write the last one")


def scatter_elements(node, x, indices, updates):
    _no_reduction(node)
    found = node.record("SCATTER_ELEMENTS", [node.value(v) for v in (x, indices, updates)],
                        {"Axis": node.axis(x.ndim)})
    return like(node, found, x, x.shape)


def scatter_nd(node, x, indices, updates):
    _no_reduction(node)
    rank = max(x.ndim, indices.ndim, updates.ndim)
    fields = {"InputDimensionCount": x.ndim, "IndicesDimensionCount": indices.ndim}
    found = node.record("SCATTER_ND", [_leading(node, v, rank) for v in (x, indices, updates)],
                        fields)
    return like(node, found, x, x.shape)


def compress(node, x, condition):
    """Which entries there are is known: a gather of these."""
    picked = numpy.flatnonzero(node.known(condition))
    axis = node.attr("axis")
    if axis is None:
        x, axis = node.reshape(x, (x.size,)), 0
    axis = node.in_range(axis, x.ndim)
    indices = node.value(picked.reshape([1] * (x.ndim - 1) + [-1]))
    fields = {"Axis": axis, "IndexDimensions": 1}
    return like(node, node.record("GATHER", [node.value(x), indices], fields), x)


def non_zero(node, x):
    """How many there are is part of what is compiled, and so are the values of all inputs of x."""
    if x.dtype.name in ("int64", "uint64", "float64"):     # which NONZERO_COORDINATES lacks
        x = _elements.cast(node, x, numpy.empty(0, bool))
    count, found = node.record("NONZERO_COORDINATES", [node.value(x)], {
        "OutputCountTensor": node.output("uint32", [1]),
        "OutputCoordinatesTensor": node.output("uint32", [x.size, max(1, x.ndim)])}, 2)
    count = node.tensor(count)
    count.sources = node.recorder.sources
    count = int(node.known(count)[0])
    found = slice_along(node, node.tensor(found), [0], [count], [0], [1])
    if count == 0:
        return numpy.empty((x.ndim, 0), "int64")
    return node.tensor(node.cast(found.value.transpose(1, 0), "int64"))


def one_hot(node, indices, depth, values):
    depth = int(node.known(depth).reshape(()))
    rank = indices.ndim + 1
    axis = node.axis(rank)
    shape = list(indices.shape)
    shape.insert(axis, 1)
    at = node.value(indices, shape)
    if indices.dtype.kind == "f":
        at = node.cast(at, "int64")
    shape[axis] = depth
    pair = node.along(values, rank - 1, rank)
    found = node.record("ONE_HOT", [at, pair],
                        {"Axis": axis, "OutputTensor": node.output(values.dtype, shape)})
    return like(node, found, values, shape)


def top_k(node, x, k=None):
    k = node.attr("k") if k is None else int(node.known(k).reshape(()))
    axis = node.axis(x.ndim)
    shape = x.shape[:axis] + (k,) + x.shape[axis + 1:]
    fields = {"Axis": axis, "K": k,
              "AxisDirection": "DECREASING" if node.attr("largest", 1) else "INCREASING",
              "OutputValueTensor": node.output(x.dtype, shape),
              "OutputIndexTensor": node.output("uint64", shape)}
    values, indices = node.record("TOP_K1", [node.value(x)], fields, 2)
    return [like(node, values, x), node.tensor(node.cast(indices, "int64"))]


OPERATORS = {
    "Compress": compress, "Gather": gather, "GatherElements": gather_elements,
    "GatherND": gather_nd, "NonZero": non_zero, "OneHot": one_hot, "Scatter": scatter_elements,
    "ScatterElements": scatter_elements, "ScatterND": scatter_nd, "TopK": top_k,
}
