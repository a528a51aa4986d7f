# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""From an ONNX model to a graph of values: the walk over its nodes."""
import contextlib
import ctypes

import numpy
import onnx

from .. import _device_array, _errors, _layouts, _library, _values
from ._node import Node
from ._tensor import Tensor, array_of, data_type, is_known, plain, unsupported


class NeedsValues(Exception):
    """The model can be recorded only for given values of these inputs, which decide sizes."""

    def __init__(self, names):
        super().__init__(", ".join(sorted(names)))
        self.names = names


class Recorder:
    """Records a model for inputs of given types and shapes. `known` holds the values of those that
    are part of what is compiled; constants above `inline` elements become inputs, in `files`."""

    def __init__(self, model, layouts, known, inline=None):
        self.graph = _values.Graph()
        self.inputs = []                   # of the graph, in order: names
        self.known, self.inline, self.files = known, inline, {}
        self.versions = {o.domain: o.version for o in model.opset_import}
        self.sources = frozenset()         # of the node that is being converted
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

    def walk(self, graph, given=()):
        """The outputs of a model's graph, or of a branch or a body, which sees the names around it
        and is given values for its own."""
        self.names.update(given)
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
        sources = self.sources = frozenset().union(*[x.sources for x in inputs
                                                     if isinstance(x, Tensor)])
        found = _operators.convert(Node(self, node), inputs)
        found = list(found) if isinstance(found, (list, tuple)) else [found]
        for name, result in zip(node.output, found):
            if isinstance(result, Tensor):
                result.sources = result.sources | sources
            self.names[name] = result

    def call(self, node, inputs, body):
        """A function of other operators: the model's, or what ONNX defines an operator by."""
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
