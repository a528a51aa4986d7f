# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""ONNX models on AnyDML: an onnx.backend.base.Backend, and models as JSON.

    >>> import anydml.onnx, onnx
    >>> anydml.onnx.run_model(onnx.load("model.onnx"), [x])

A model becomes one compiled graph of DirectML operators per types and shapes of its inputs
(docs/onnx.md). It needs Debian's python3-onnx.
"""
import collections

import numpy
import onnx
import onnx.backend.base

from .. import _errors, _library, _values
from ._model import layouts_of
from ._model import to_json as to_json
from ._record import NeedsValues, Recorder, execute
from ._tensor import is_known

_MAX_COMPILED = 16                         # of a model, by what they are compiled for


class Compiled:
    """A model for inputs of given types and shapes, and values of those that decide sizes."""

    def __init__(self, model, arrays, device, threads):
        self.key = {}                      # values that are part of what was compiled
        recorded, layouts = None, {name: (a.dtype, a.shape) for name, a in arrays.items()}
        while recorded is None:
            try:
                recorded = Recorder(model, layouts, self.key)
            except NeedsValues as needed:
                self.key = {**self.key, **{name: arrays[name].copy() for name in needed.names}}
        self.device, self.inputs, self.outputs = device, recorded.inputs, recorded.outputs
        self.operators = recorded.operators
        computed = [x for x in self.outputs if not is_known(x)]
        self.operator = computed and _values.CompiledGraph(
            device, threads, recorded.graph, [x.value for x in computed])

    def fits(self, arrays):
        return all(numpy.array_equal(value, arrays[name]) for name, value in self.key.items())

    def run(self, arrays):
        computed = [x for x in self.outputs if not is_known(x)]
        found = iter(execute(self.operator, self.device, arrays, self.inputs, computed)
                     if computed else ())
        return [x.copy() if is_known(x) else next(found) for x in self.outputs]


class BackendRep(onnx.backend.base.BackendRep):
    """A model that is ready to run; it is compiled when the shapes of its inputs are known."""

    def __init__(self, model, device="cpu", threads=0):
        self.model, self.device, self.threads = model, device, threads
        self._compiled = collections.OrderedDict()
        self.layouts = layouts_of(model)
        self.output_names = [output.name for output in model.graph.output]

    def compiled(self, arrays):
        """For inputs by name; compiled where it is not yet."""
        key = tuple((name, a.dtype, a.shape) for name, a in arrays.items())
        fitting = [made for made in self._compiled.get(key, ()) if made.fits(arrays)]
        if fitting:
            return fitting[0]
        made = Compiled(self.model, arrays, self.device, self.threads)
        self._compiled.setdefault(key, []).append(made)
        while sum(map(len, self._compiled.values())) > _MAX_COMPILED:
            oldest = next(iter(self._compiled))
            del self._compiled[oldest][0]
            if not self._compiled[oldest]:
                del self._compiled[oldest]
        return made

    def run(self, inputs, **kwargs):
        """The outputs as a tuple of NumPy arrays; `inputs` are arrays in the model's order, or by
        their names in a dict."""
        if isinstance(inputs, dict):
            arrays = dict(inputs)
        else:
            inputs = inputs if isinstance(inputs, (list, tuple)) else [inputs]
            arrays = dict(zip(self.layouts, inputs))
        if len(inputs) != len(self.layouts) or set(arrays) != set(self.layouts):
            raise _errors.InvalidArgument(f"the model has the inputs {', '.join(self.layouts)} and "
                                          f"was given {', '.join(arrays) or 'none'}")
        arrays = {name: self._checked(name, arrays[name]) for name in self.layouts}
        return onnx.backend.base.namedtupledict("Outputs", self.output_names)(
            *self.compiled(arrays).run(arrays))


    def _checked(self, name, given):
        """An input as an array of the type and the sizes that the model says."""
        array, (dtype, sizes) = numpy.asarray(given), self.layouts[name]
        if array.dtype != dtype:
            raise _errors.WrongType(f"input '{name}' is {array.dtype} and must be {dtype}")
        if array.ndim != len(sizes) or any(n not in (None, m) for n, m in zip(sizes, array.shape)):
            shown = ", ".join("?" if n is None else str(n) for n in sizes)
            raise _errors.InvalidArgument(f"input '{name}' has the shape {array.shape} and must "
                                          f"have ({shown})")
        return array


class Backend(onnx.backend.base.Backend):
    """Of ONNX's interface; `device` is "CPU" or "CUDA:0"."""

    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        onnx.checker.check_model(model)
        for opset in model.opset_import:
            if opset.domain in ("", "ai.onnx") and opset.version > onnx.defs.onnx_opset_version():
                raise _errors.Unsupported(
                    f"the model has operators of version {opset.version}, and this onnx package "
                    f"knows those up to {onnx.defs.onnx_opset_version()}")
        return BackendRep(model, _library.full_name(device.lower()), **kwargs)

    @classmethod
    def run_node(cls, node, inputs, device="CPU", outputs_info=None, **kwargs):
        """One node, of the newest version that the onnx package knows."""
        version = kwargs.pop("opset_version", onnx.defs.onnx_opset_version())
        arrays = dict(zip(filter(None, node.input), map(numpy.asarray, inputs)))
        make = onnx.helper.make_tensor_value_info
        types = onnx.mapping.NP_TYPE_TO_TENSOR_TYPE
        graph = onnx.helper.make_graph(
            [node], "node", [make(n, types[a.dtype], a.shape) for n, a in arrays.items()],
            [onnx.helper.make_empty_tensor_value_info(n) for n in node.output if n])
        model = onnx.helper.make_model(
            graph, opset_imports=[onnx.helper.make_opsetid(node.domain, version)])
        return BackendRep(model, _library.full_name(device.lower()), **kwargs).run(arrays)

    @classmethod
    def supports_device(cls, device):
        try:
            return bool(_library.full_name(device.lower()))
        except _errors.Error:
            return False


prepare = Backend.prepare
run_model = Backend.run_model
run_node = Backend.run_node
supports_device = Backend.supports_device
