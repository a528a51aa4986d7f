# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""AnyDML: DirectML's training operators on any machine, exact and deterministic.

    >>> import anydml, numpy
    >>> x = numpy.array([-1, 0, 2], "float32")
    >>> anydml.relu_grad(x, numpy.full_like(x, 5))
    array([0., 0., 5.], dtype=float32)

Arrays are NumPy's, torch's or anything with __dlpack__; results are of the first one's kind. There
is one function per operator of the library: help(anydml.max_pooling_grad), python -m anydml.
"""
from . import _functions, _library, _schema
from ._errors import (Error, InternalError, InvalidArgument, OutOfMemory, Unsupported, WrongType)

__version__ = _library.version()
devices = _library.devices
_operators = _schema.read(_library.operators_json())
globals().update({name: _functions.make(operator, __name__)
                  for name, operator in _operators.items()})

__all__ = ["Error", "InternalError", "InvalidArgument", "OutOfMemory", "Unsupported", "WrongType",
           "devices", *_operators]
