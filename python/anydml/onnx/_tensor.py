# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""What an ONNX value is here: a NumPy array, where it is known before anything runs, or a Tensor,
which the graph computes. DirectML has no tensor without dimensions; a Tensor of shape () is a value
of shape (1,). BOOL is UINT8 of 0 and 1.
"""
import numpy
import onnx
import onnx.numpy_helper

from .. import _errors, _layouts

_PROTO = onnx.TensorProto
_DTYPES = {number: numpy.dtype(name) for number, name in {
    _PROTO.FLOAT: "float32", _PROTO.FLOAT16: "float16", _PROTO.DOUBLE: "float64",
    _PROTO.INT8: "int8", _PROTO.INT16: "int16", _PROTO.INT32: "int32", _PROTO.INT64: "int64",
    _PROTO.UINT8: "uint8", _PROTO.UINT16: "uint16", _PROTO.UINT32: "uint32",
    _PROTO.UINT64: "uint64", _PROTO.BOOL: "bool"}.items()}


def unsupported(sentence):
    return _errors.Unsupported(sentence)


def dtype_of(number):
    """NumPy's of ONNX's."""
    if number not in _DTYPES:
        raise unsupported(f"elements of type {_PROTO.DataType.Name(number)}, which DirectML lacks")
    return _DTYPES[number]


def array_of(tensor):
    """The elements of a TensorProto."""
    dtype_of(tensor.data_type)
    return onnx.numpy_helper.to_array(tensor)


def data_type(dtype):
    """DirectML's of NumPy's."""
    return "UINT8" if dtype == bool else _layouts.DATA_TYPES[dtype.name]


class Tensor:
    """What the graph computes: a value of shape `shape or (1,)`. `sources` are the model's inputs
    that it depends on."""

    __slots__ = ("value", "shape", "dtype", "sources")

    def __init__(self, value, shape, dtype):
        self.value, self.shape, self.dtype = value, tuple(shape), numpy.dtype(dtype)
        self.sources = frozenset()

    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: _layouts.product(self.shape))


def broadcast_shapes(*shapes):
    """NumPy's, with a sentence where there is none."""
    try:
        return numpy.broadcast_shapes(*shapes)
    except ValueError:
        shown = " and ".join(str(tuple(shape)) for shape in shapes)
        raise unsupported(f"operands of the shapes {shown} do not broadcast") from None


def is_known(x):
    return isinstance(x, numpy.ndarray)


def plain(array):
    """BOOL as UINT8."""
    array = numpy.ascontiguousarray(array)
    return array.view("uint8") if array.dtype == bool else array
