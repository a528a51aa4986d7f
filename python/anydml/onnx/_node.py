# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""A node of a model, as the function that converts it sees it."""
import numpy
import onnx

from .. import _describe, _errors, _layouts
from ._tensor import Tensor, broadcast_shapes, data_type, is_known, unsupported


def _schema(kind, version, domain):
    try:
        return onnx.defs.get_schema(kind, version, domain)
    except onnx.defs.SchemaError:
        return None


class Node:
    """Attributes, values of operands, and the operators that become of them."""

    def __init__(self, recorder, node):
        self.recorder, self.graph = recorder, recorder.graph
        self.kind, self.domain = node.op_type, node.domain
        self.outputs = list(node.output)
        self.version = recorder.versions.get(node.domain, 1)
        self.schema = _schema(node.op_type, self.version, node.domain)
        self.given = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}

    def attr(self, name, default=None):
        """What the node says, else ONNX's default for the operator, else `default`."""
        found = self.given.get(name)
        if found is None and self.schema is not None and name in self.schema.attributes:
            written = self.schema.attributes[name].default_value
            found = onnx.helper.get_attribute_value(written) if written.type else None
        found = default if found is None else found
        return found.decode() if isinstance(found, bytes) else found

    def wants(self, index):
        """Whether the model has an output of this number."""
        return index < len(self.outputs) and bool(self.outputs[index])

    def known(self, x):
        return self.recorder.values_of(x)

    def integers(self, x):
        """A list of known integers."""
        return [int(entry) for entry in self.known(x).reshape(-1)]

    def axis(self, rank, name="axis", default=0):
        """An attribute that counts from the end where it is negative."""
        return self.in_range(self.attr(name, default), rank)

    @staticmethod
    def in_range(axis, rank):
        if not -rank <= axis < max(rank, 1):
            raise unsupported(f"axis {axis} of a tensor of {rank} dimensions")
        return axis + rank if axis < 0 else axis

    # ---- Tensors as values

    def value(self, x, shape=None):
        """Of an array or a Tensor; `shape` is another one for the same elements."""
        found = self.recorder.constant(x) if is_known(x) else x.value
        return found if shape is None or found.shape == tuple(shape) else found.reshape(shape)

    def broadcast(self, x, shape):
        """The value of x with NumPy's broadcasting, which is strides of 0."""
        return self.value(x).broadcast_to(shape or (1,))

    def along(self, x, axis, rank):
        """A vector as a value that has other sizes than 1 on one axis alone."""
        return self.value(x, [x.size if d == axis else 1 for d in range(rank)])

    # ---- Operators

    def record(self, kind, inputs, fields=None, count=1):
        """The outputs of a DirectML operator on values, None where an optional one is absent."""
        numbers = [0 if value is None else value.number for value in inputs]
        self.recorder.operators += 1
        text = _describe.to_json({"type": kind, "desc": fields or {}})
        try:
            found = self.graph.add_described(text, numbers, count)
        except _errors.Error as error:
            raise type(error)(_describe.in_words_of(kind, (), str(error))) from None
        return found[0] if count == 1 else found

    def number(self, value, dtype="float32"):
        """One number as a value of one element, which broadcasts."""
        return self.graph.number(value, data_type(numpy.dtype(dtype)), 1)

    def cast(self, value, dtype):
        return value.astype(numpy.dtype("uint8" if dtype == bool else dtype).name)

    def tensor(self, value, shape=None, dtype=None):
        """Of a value; `shape` where it has other sizes for the same elements."""
        shape = value.shape if shape is None else tuple(shape)
        if value.shape != (shape or (1,)):
            value = value.reshape(shape or (1,))
        return Tensor(value, shape, dtype or _layouts.NUMPY_NAMES[value.data_type])

    def reshape(self, x, shape):
        if is_known(x):
            return x.reshape(shape)
        if 0 in shape:
            raise unsupported(f"a result of shape {tuple(shape)}, and DirectML's tensors have "
                              f"elements")
        return self.tensor(x.value, shape, x.dtype)

    def elements(self, kind, inputs, fields=None, dtype=None):
        """An element-wise operator on what broadcasts."""
        shape = broadcast_shapes(*[x.shape for x in inputs])
        values = [self.broadcast(x, shape) for x in inputs]
        return self.tensor(self.record(kind, values, fields), shape, dtype)

    def output(self, dtype, sizes):
        """A description of an output that does not follow from the inputs."""
        return {"DataType": data_type(numpy.dtype(dtype)), "Sizes": list(sizes)}
