# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""ONNX's operators by name: functions of (node, inputs...) that give Tensors or arrays."""
import numpy

from . import (_control, _elements, _fold, _indices, _losses, _movement, _products, _quantized,
               _recurrent, _reductions, _training, _windows)
from ._tensor import is_known, unsupported

TABLE = {name: function for module in (_elements, _movement, _indices, _reductions, _products,
                                       _windows, _quantized, _recurrent, _losses, _control)
         for name, function in module.OPERATORS.items()}
TRAINING = "ai.onnx.preview.training"


def convert(node, inputs):
    """The results of a node; the model's own functions, and operators that ONNX defines by others,
    are taken apart."""
    fold = _fold.OPERATORS.get(node.kind) if node.domain in ("", "ai.onnx") else None
    if fold is not None and all(x is None or is_known(x) for x in inputs):
        folded = fold(node, *inputs)
        if folded is not NotImplemented:
            return numpy.asarray(folded)   # NumPy makes numbers of arrays without dimensions
    table = _training.OPERATORS if node.domain == TRAINING else TABLE
    function = table.get(node.kind) if node.domain in ("", "ai.onnx", TRAINING) else None
    if function is not None:
        return function(node, *inputs)
    body = node.recorder.functions.get((node.domain, node.kind))
    if body is not None:
        return node.recorder.call(node, inputs, body)
    if node.schema is None or not node.schema.has_function:
        where = f" of the domain {node.domain}" if node.domain else ""
        raise unsupported(f"the operator {node.kind}{where} is not built")
    return node.recorder.call(node, inputs, node.schema.function_body)
