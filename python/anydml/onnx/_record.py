# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""From an ONNX model to a graph of values: the walk over its nodes.

What an ONNX value is here: a NumPy array, where it is known before anything runs, or a Tensor, which
the graph computes. DirectML has no tensor without dimensions; a Tensor of shape () is a value of
shape (1,). BOOL is UINT8 of 0 and 1.
"""
import contextlib
import ctypes

import numpy
import onnx
import onnx.numpy_helper

from .. import _describe, _device_array, _errors, _layouts, _library, _values

_PROTO = onnx.TensorProto
_DTYPES = {number: numpy.dtype(name) for number, name in {
    _PROTO.FLOAT: "float32", _PROTO.FLOAT16: "float16", _PROTO.DOUBLE: "float64",
    _PROTO.INT8: "int8", _PROTO.INT16: "int16", _PROTO.INT32: "int32", _PROTO.INT64: "int64",
    _PROTO.UINT8: "uint8", _PROTO.UINT16: "uint16", _PROTO.UINT32: "uint32",
    _PROTO.UINT64: "uint64", _PROTO.BOOL: "bool"}.items()}


class NeedsValues(Exception):
    """The model can be recorded only for given values of these inputs, which decide sizes."""

    def __init__(self, names):
        super().__init__(", ".join(sorted(names)))
        self.names = names


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


def is_known(x):
    return isinstance(x, numpy.ndarray)


class Recorder:
    """Records a model for inputs of given types and shapes. `known` holds the values of those that
    are part of what is compiled; constants above `inline` elements become inputs, in `files`."""

    def __init__(self, model, layouts, known, inline=None):
        self.graph = _values.Graph()
        self.inputs = []                   # of the graph, in order: names
        self.known, self.inline, self.files = known, inline, {}
        self.versions = {o.domain: o.version for o in model.opset_import}
        self.functions = {(f.domain, f.name): f for f in model.functions}
        self.names, self._constants, self.operators = {}, {}, 0
        for name, (dtype, shape) in layouts.items():
            self.names[name] = self._input(name, dtype, shape)
        self.outputs = self.walk(model.graph)

    def _input(self, name, dtype, shape):
        if name in self.known or 0 in shape:
            return self.known.get(name, numpy.empty(shape, dtype))
        self.inputs.append(name)
        layout = _layouts.Layout(data_type(dtype), tuple(shape), None, False, None)
        tensor = Tensor(self.graph.input(name, layout), shape, dtype)
        tensor.sources = frozenset([name])
        return tensor

    def walk(self, graph):
        """The outputs of a model's graph or of a branch, whose names are those around it too."""
        if graph.sparse_initializer:
            raise unsupported("sparse initializers are not read")
        for tensor in graph.initializer:
            if tensor.name not in self.names:
                self.names[tensor.name] = array_of(tensor)
                self._constants[id(self.names[tensor.name])] = tensor.name
        for node in graph.node:
            with self._telling(node):
                self._record(node)
        return [self.names[output.name] for output in graph.output]

    @contextlib.contextmanager
    def _telling(self, node):
        """Refusals say which node they are about."""
        try:
            yield
        except _errors.Error as error:
            name = node.name or ", ".join(filter(None, node.output))
            raise type(error)(f"{node.op_type} (node '{name}'): {error}") from None

    def _record(self, node):
        from . import _operators
        inputs = [self.names[name] if name else None for name in node.input]
        found = _operators.convert(Node(self, node), inputs)
        found = list(found) if isinstance(found, (list, tuple)) else [found]
        tensors = [x for x in inputs if isinstance(x, Tensor)]
        sources = frozenset().union(*[x.sources for x in tensors])
        for name, result in zip(node.output, found):
            if isinstance(result, Tensor):
                result.sources = result.sources | sources
            self.names[name] = result

    def call(self, node, inputs, body):
        """A function of other operators: one of the model's, or what ONNX defines an operator by."""
        around = self.names, self.versions
        self.names = {**dict.fromkeys(body.input), **dict(zip(body.input, inputs))}
        self.versions = {o.domain: o.version for o in body.opset_import}
        try:
            for inner in body.node:
                self._record(_with_attributes(inner, node))
            return [self.names[name] for name in body.output]
        finally:
            self.names, self.versions = around

    # ---- What the conversions of operators ask for

    def constant(self, array):
        """An array as a value; one that is used twice is one."""
        if 0 in array.shape:
            raise unsupported(f"an operand of shape {array.shape}, and DirectML's tensors have "
                              f"elements")
        key = id(array)
        found = self._constants.get(key)
        if isinstance(found, tuple):
            return found[0]
        elements = plain(array)
        if self.inline is None or array.size <= self.inline:
            value = self.graph.constant(elements, "a constant")
        else:
            name = found or f"constant{len(self.files)}"
            self.files[name] = elements
            value = self.graph.input(name, _layouts.Layout(data_type(array.dtype), array.shape,
                                                           None, False, None))
            self.inputs.append(name)
        self._constants[key] = value, array   # which keeps the array, and so the key
        return value

    def values_of(self, x):
        """What x holds, as an array: known, or computed from what is known."""
        if is_known(x):
            return x
        if x.sources:
            raise NeedsValues(x.sources)
        compiled = _values.CompiledGraph("cpu", 1, self.graph, [x.value])
        return execute(compiled, "cpu", {}, self.inputs, [x])[0]


def _with_attributes(inner, node):
    """A node of a function with the attributes of the call in the place of references."""
    made = onnx.NodeProto()
    made.CopyFrom(inner)
    del made.attribute[:]
    for attribute in inner.attribute:
        value = node.attr(attribute.ref_attr_name) if attribute.ref_attr_name else None
        if not attribute.ref_attr_name:
            made.attribute.append(attribute)
        elif value is not None:
            made.attribute.append(onnx.helper.make_attribute(attribute.name, value))
    return made


def execute(operator, device, arrays, names, outputs):
    """The results for Tensors; `names` are those of the graph's inputs. An input that is not in
    `arrays` is read by none of them."""
    held = [arrays.get(name) for name in names]
    if device == "cpu":
        held = [None if a is None else numpy.ascontiguousarray(a) for a in held]
        results = [numpy.empty(t.shape, t.dtype) for t in outputs]
        addresses = [[None if a is None else a.ctypes.data for a in list_] for list_ in
                     (held, results)]
    else:
        held = [None if a is None else _device_array.to_device(plain(a), device) for a in held]
        results = [_device_array.DeviceArray.empty(
            device, "uint8" if t.dtype == bool else t.dtype.name, t.shape,
            _layouts.packed_strides(t.shape)) for t in outputs]
        addresses = [[None if a is None else a.pointer for a in list_] for list_ in
                     (held, results)]
    pointers = [(ctypes.c_void_p * max(1, len(list_)))(*list_) for list_ in addresses]
    _library.check(_library.execute(operator.handle, *pointers))
    return results if device == "cpu" else [r.numpy().view(t.dtype)
                                            for r, t in zip(results, outputs)]


def plain(array):
    """BOOL as UINT8."""
    array = numpy.ascontiguousarray(array)
    return array.view("uint8") if array.dtype == bool else array


def _schema(kind, version, domain):
    try:
        return onnx.defs.get_schema(kind, version, domain)
    except onnx.defs.SchemaError:
        return None


class Node:
    """A node, as the function that converts it sees it."""

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
        found = self.graph_value(x)
        return found if shape is None or found.shape == tuple(shape) else found.reshape(shape)

    def graph_value(self, x):
        if is_known(x):
            found = self.recorder.constant(x)
            return found
        return x.value

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
        shape = numpy.broadcast_shapes(*[x.shape for x in inputs])
        values = [self.broadcast(x, shape) for x in inputs]
        return self.tensor(self.record(kind, values, fields), shape, dtype)

    def output(self, dtype, sizes):
        """A description of an output that does not follow from the inputs."""
        return {"DataType": data_type(numpy.dtype(dtype)), "Sizes": list(sizes)}
