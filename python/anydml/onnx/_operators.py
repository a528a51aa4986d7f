# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""ONNX's operators by name: functions of (node, inputs...) that give Tensors or arrays."""
import numpy

from . import _elements, _fold, _losses, _movement, _quantized, _reductions, _training, _windows
from ._record import is_known, unsupported

TABLE = {**_elements.OPERATORS, **_movement.OPERATORS, **_reductions.OPERATORS,
         **_windows.OPERATORS, **_quantized.OPERATORS, **_losses.OPERATORS}
TRAINING = "ai.onnx.preview.training"


def convert(node, inputs):
    fold = _fold.OPERATORS.get(node.kind) if node.domain in ("", "ai.onnx") else None
    if fold is not None and all(x is None or is_known(x) for x in inputs):
        folded = fold(node, *inputs)
        if folded is not NotImplemented:
            return numpy.asarray(folded)   # NumPy makes numbers of arrays without dimensions
    table = _training.OPERATORS if node.domain == TRAINING else TABLE
    function = table.get(node.kind) if node.domain in ("", "ai.onnx", TRAINING) else None
    if function is None:
        return expand(node, inputs)
    return function(node, *inputs)


def expand(node, inputs):
    """An operator that ONNX defines by others, as a function."""
    if node.schema is None or not node.schema.has_function:
        where = f" of the domain {node.domain}" if node.domain else ""
        raise unsupported(f"the operator {node.kind}{where} is not built")
    return node.recorder.call(node, inputs)
