# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""AnyDML: DirectML's training operators on any machine, exact and deterministic.

    >>> import anydml, numpy
    >>> x = numpy.array([-1, 0, 2], "float32")
    >>> anydml.relu_grad(x, numpy.full_like(x, 5))
    array([0., 0., 5.], dtype=float32)

Arrays are NumPy's, torch's or anything with __dlpack__ or __cuda_array_interface__, on the CPU or
on a GPU; results are of the first one's kind and where it is. There is one function per operator of
the library: help(anydml.max_pooling_grad), python -m anydml. grad(f) gives the gradients of a
function that uses them, train_step(loss, Adam()) a step of a training.
"""
from . import _functions, _library, _schema
from ._device_array import DeviceArray, to_device
from ._errors import (DeviceLost, Error, InternalError, InvalidArgument, OutOfMemory, Unsupported,
                      WrongType)
from ._gradients import grad, value_and_grad
from ._training import (Adam, Constant, Cosine, Sgd, State, StepDecay, TrainStep,
                        binary_cross_entropy, checksum, cross_entropy, dice, mean_square, shuffle,
                        train_step, uniform_parameters)
from ._values import Value

__version__ = _library.version()
devices = _library.devices
_operators = _schema.read(_library.operators_json())
for _public in (DeviceArray, to_device, Value, grad, value_and_grad, Adam, Sgd, Constant,
                StepDecay, Cosine, State, TrainStep, train_step, checksum, shuffle, uniform_parameters, cross_entropy, mean_square,
                binary_cross_entropy, dice):
    _public.__module__ = __name__
globals().update({name: _functions.make(operator, __name__)
                  for name, operator in _operators.items()})

__all__ = ["Adam", "Constant", "Cosine", "DeviceArray", "DeviceLost", "Error", "InternalError",
           "InvalidArgument", "OutOfMemory", "Sgd", "State", "StepDecay", "TrainStep",
           "Unsupported", "Value", "WrongType", "binary_cross_entropy", "checksum",
           "cross_entropy", "devices", "dice", "grad", "mean_square", "shuffle", "to_device", "train_step",
           "uniform_parameters", "value_and_grad", *_operators]
