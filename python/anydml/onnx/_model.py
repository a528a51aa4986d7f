# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""ONNX models as models of AnyDML: JSON, with .npy files beside it."""
import ctypes
import json
import pathlib

import numpy

from .. import _errors, _library
from ._record import NeedsValues, Recorder
from ._tensor import dtype_of, is_known, plain

_INLINE = 64                               # elements of a constant in the text itself


def layouts_of(model):
    """(dtype, sizes) by the names of the inputs; None for a size that the model leaves open."""
    found = {}
    given = {tensor.name for tensor in model.graph.initializer}
    for entry in model.graph.input:
        if entry.name in given:
            continue
        if not entry.type.HasField("tensor_type"):
            raise _errors.Unsupported(f"input '{entry.name}' is a "
                                      f"{entry.type.WhichOneof('value').partition('_')[0]} and no "
                                      f"tensor")
        tensor = entry.type.tensor_type
        try:
            dtype = dtype_of(tensor.elem_type)
        except _errors.Error as error:
            raise type(error)(f"input '{entry.name}': {error}") from None
        found[entry.name] = dtype, [d.dim_value if d.HasField("dim_value") else None
                                    for d in tensor.shape.dim]
    return found


def _given_layouts(model, shapes, arrays):
    found = {}
    for name, (dtype, sizes) in layouts_of(model).items():
        if name in arrays:
            dtype, sizes = arrays[name].dtype, arrays[name].shape
        sizes = shapes.get(name, sizes)
        if None in sizes:
            raise _errors.InvalidArgument(f"input '{name}' has the sizes "
                                          f"{tuple('?' if n is None else n for n in sizes)}: say "
                                          f"them, by --shape {name}=1,3,224,224 for one")
        found[name] = dtype, tuple(sizes)
    return found


def _recorded(model, layouts, arrays):
    known = {}
    while True:
        try:
            return Recorder(model, layouts, known, _INLINE)
        except NeedsValues as needed:
            for name in needed.names:
                if name not in arrays:
                    raise _errors.InvalidArgument(
                        f"the values of input '{name}' decide sizes: give them, by --input "
                        f"{name}=FILE.npy") from None
                known[name] = arrays[name]


def to_json(model, path, *, shapes=(), arrays=(), write_outputs=False):
    """Writes a model of AnyDML that computes and prints the outputs, with the weights as .npy files
    in a folder beside it. `shapes` are sizes that the model leaves open and `arrays` values, by the
    names of inputs; other inputs are zeros. With `write_outputs` the model writes each output to a
    file output_0.npy and so on instead of printing it."""
    path, arrays = pathlib.Path(path), dict(arrays)
    recorded = _recorded(model, _given_layouts(model, dict(shapes), arrays), arrays)
    names = [output.name for output in model.graph.output]
    written = json.loads(_text(recorded, names))
    folder = path.with_suffix(".data")
    files = {**recorded.files, **arrays}
    for number, name in enumerate(name for name in files if name in written["resources"]):
        folder.mkdir(exist_ok=True)
        numpy.save(folder / f"{number}.npy", plain(files[name]))
        written["resources"][name] = {
            "initialValues": {"sourcePath": f"{folder.name}/{number}.npy"}}
    if write_outputs:
        for command in written["commands"]:
            if command["type"] == "print":
                number = names.index(command["resource"])
                shape = recorded.outputs[number].shape
                command.update(type="writeFile", targetPath=f"output_{number}.npy",
                               dimensions=list(shape or (1,)))
    path.write_text(json.dumps(written, indent=1) + "\n")


def _text(recorded, names):
    """The model whose outputs have these names; one without elements has no place in it."""
    graph, values = recorded.graph, []
    for name, x in zip(names, recorded.outputs):
        if 0 in x.shape:
            continue
        value = recorded.constant(x) if is_known(x) else x.value
        value = graph.add("ELEMENT_WISE_IDENTITY", {}, [value])    # which is no input
        _library.check(_library.c.anydml_graph_set_name(graph.handle, value.number, name.encode()))
        values.append(value.number)
    text = ctypes.c_char_p()
    _library.check(_library.c.anydml_graph_to_json(
        graph.handle, len(values), (ctypes.c_uint32 * len(values))(*values), ctypes.byref(text)))
    return text.value.decode()
