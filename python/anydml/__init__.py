# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""AnyDML: DirectML's training operators on any machine, exact and deterministic.

    >>> import anydml, numpy
    >>> x = numpy.array([-1, 0, 2], "float32")
    >>> anydml.relu_grad(x, numpy.full_like(x, 5))
    array([0., 0., 5.], dtype=float32)

Arrays are NumPy's, torch's or anything with __dlpack__ or __cuda_array_interface__, on the CPU or
on a GPU; results are of the first one's kind and where it is. There is one function per operator of
the library: help(anydml.max_pooling_grad), python -m anydml.
"""
from . import _functions, _library, _schema
from ._device_array import DeviceArray, to_device
from ._errors import (DeviceLost, Error, InternalError, InvalidArgument, OutOfMemory, Unsupported,
                      WrongType)

__version__ = _library.version()
devices = _library.devices
_operators = _schema.read(_library.operators_json())
DeviceArray.__module__ = to_device.__module__ = __name__
globals().update({name: _functions.make(operator, __name__)
                  for name, operator in _operators.items()})

__all__ = ["DeviceArray", "DeviceLost", "Error", "InternalError", "InvalidArgument", "OutOfMemory",
           "Unsupported", "WrongType", "devices", "to_device", *_operators]
