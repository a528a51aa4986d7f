# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""What is known before anything runs, in NumPy: shapes, indices and what is made of them.

Here are operators that only move elements, and arithmetic of integers; that of floats is left to
the graph, but for single operations whose result IEEE 754 defines. NotImplemented leaves a node to
it.
"""
import numpy

from ._tensor import array_of, dtype_of


def _exact(function):
    """Arithmetic of which NumPy's result is the one result."""
    return lambda node, *xs: function(*xs).astype(xs[0].dtype)


def _of_integers(function):
    def fold(node, *xs):
        return function(*xs) if all(x.dtype.kind in "iub" for x in xs) else NotImplemented
    return fold


def _divide(a, b):
    if a.dtype.kind == "f":
        return a / b
    quotient = numpy.abs(a) // numpy.abs(b)          # toward zero
    return numpy.where((a < 0) != (b < 0), -quotient, quotient)


def constant(node):
    name, value = next(iter(node.given.items()))
    if name == "value":
        return array_of(value)
    kinds = {"value_int": "int64", "value_ints": "int64", "value_float": "float32",
             "value_floats": "float32"}
    return numpy.array(value, kinds[name]) if name in kinds else NotImplemented


def constant_of_shape(node, shape):
    value = node.attr("value")
    value = numpy.zeros(1, "float32") if value is None else array_of(value)
    return numpy.broadcast_to(value.reshape(()), tuple(shape))


def cast(node, x):
    dtype = dtype_of(node.attr("to"))
    is_lossy = x.dtype.kind == "f" and dtype.kind in "iu"
    return NotImplemented if is_lossy else x.astype(dtype)


def concat(node, *xs):
    return numpy.concatenate(xs, node.axis(xs[0].ndim))


def gather(node, x, indices):
    return numpy.take(x, indices, node.axis(x.ndim))


def squeeze(node, x, axes=None):
    axes = node.attr("axes") if axes is None else axes.tolist()
    return x.squeeze(None if axes is None else tuple(axes))


def unsqueeze(node, x, axes=None):
    return numpy.expand_dims(x, tuple(node.attr("axes") if axes is None else axes.tolist()))


def transpose(node, x):
    return x.transpose(node.attr("perm"))


def range_of(node, start, limit, delta):
    if start.dtype.kind == "f":
        return NotImplemented
    return numpy.arange(start.item(), limit.item(), delta.item(), start.dtype)


def triangle(node, x, k=0):
    return (numpy.triu if node.attr("upper") else numpy.tril)(x, int(k))


def where(node, condition, x, y):
    return numpy.where(condition, x, y)


OPERATORS = {
    "Constant": constant, "ConstantOfShape": constant_of_shape, "Cast": cast, "Concat": concat,
    "Gather": gather, "Squeeze": squeeze, "Unsqueeze": unsqueeze, "Transpose": transpose,
    "Range": range_of, "Trilu": triangle, "Where": where,
    "Add": _exact(numpy.add), "Sub": _exact(numpy.subtract), "Mul": _exact(numpy.multiply),
    "Div": _exact(_divide), "Sqrt": _exact(numpy.sqrt), "Neg": _exact(numpy.negative),
    "Abs": _exact(numpy.abs), "Floor": _exact(numpy.floor), "Ceil": _exact(numpy.ceil),
    "Min": _of_integers(lambda *xs: numpy.minimum.reduce(numpy.broadcast_arrays(*xs))),
    "Max": _of_integers(lambda *xs: numpy.maximum.reduce(numpy.broadcast_arrays(*xs))),
    "Equal": _of_integers(numpy.equal), "Less": _of_integers(numpy.less),
    "Greater": _of_integers(numpy.greater), "Not": _of_integers(numpy.logical_not),
    "And": _of_integers(numpy.logical_and), "Or": _of_integers(numpy.logical_or),
}
