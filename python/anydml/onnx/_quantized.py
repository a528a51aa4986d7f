# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Quantized tensors: to and from them, and products of integers."""
import math

import numpy

from . import _products, _windows
from ._tensor import unsupported


def _along(node, x, parameter, default):
    """Scales and zero points: one, or one per entry of `axis`."""
    if parameter.size == 1:
        return node.broadcast(node.reshape(parameter, ()), x.shape)
    axis = node.axis(x.ndim, default=default)
    return node.along(parameter, axis, x.ndim).broadcast_to(x.shape)


def quantize(node, x, scale, zero=None):
    zero = numpy.zeros((), "uint8") if zero is None else zero
    values = [node.value(x), *(_along(node, x, p, 1) for p in (scale, zero))]
    return node.tensor(node.record("ELEMENT_WISE_QUANTIZE_LINEAR", values), x.shape)


def dequantize(node, x, scale, zero=None):
    zero = numpy.zeros((), x.dtype) if zero is None else zero
    values = [node.value(x), *(_along(node, x, p, 1) for p in (scale, zero))]
    return node.tensor(node.record("ELEMENT_WISE_DEQUANTIZE_LINEAR", values), x.shape)


def dynamic_quantize(node, x):
    outputs = {"OutputTensor": node.output("uint8", x.shape or (1,)),
               "OutputScaleTensor": node.output("float32", [1] * max(1, x.ndim)),
               "OutputZeroPointTensor": node.output("uint8", [1] * max(1, x.ndim))}
    y, scale, zero = node.record("DYNAMIC_QUANTIZE_LINEAR", [node.value(x)], outputs, 3)
    return [node.tensor(y, x.shape), node.tensor(scale, ()), node.tensor(zero, ())]


def convolution_integer(node, x, filters, x_zero=None, filter_zero=None):
    """By floats, as far as these hold every sum exactly."""
    terms = math.prod(filters.shape[1:])
    if terms * 255 * 255 >= 2**24:
        raise unsupported(f"{terms} products per sum, which FLOAT32 may round")
    one = numpy.ones((), "float32")
    operands = []
    for operand, zero, axis in ((x, x_zero, 1), (filters, filter_zero, 0)):
        zero = numpy.zeros((), operand.dtype) if zero is None else zero
        values = [node.value(operand), node.broadcast(one, operand.shape),
                  _along(node, operand, zero, axis)]
        operands.append(node.tensor(node.record("ELEMENT_WISE_DEQUANTIZE_LINEAR", values)))
    found = _windows.convolution(node, *operands)
    return node.tensor(node.cast(found.value, "int32"))


def _requantized(node, total, scales, scale, zero):
    """INT32 times two scales, by another one."""
    value = node.cast(node.value(total), "float32")
    for one in scales:
        value = value * _along(node, total, one, 1)
    return quantize(node, node.tensor(value, total.shape), scale, zero)


def quantized_matmul(node, a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero):
    for parameter in (a_scale, b_scale):
        if parameter.size > 1:
            raise unsupported("a scale per row or column")
    total = _products.matmul_integer(node, a, b, a_zero, b_zero)
    return _requantized(node, total, (a_scale, b_scale), y_scale, y_zero)


def quantized_convolution(node, x, x_scale, x_zero, filters, filter_scale, filter_zero, y_scale,
                          y_zero, bias=None):
    total = convolution_integer(node, x, filters, x_zero, filter_zero)
    if bias is not None:
        total = node.tensor(total.value + node.along(bias, 1, total.ndim))
    return _requantized(node, total, (x_scale, filter_scale), y_scale, y_zero)


OPERATORS = {
    "ConvInteger": convolution_integer, "DequantizeLinear": dequantize,
    "DynamicQuantizeLinear": dynamic_quantize, "QLinearConv": quantized_convolution,
    "QLinearMatMul": quantized_matmul, "QuantizeLinear": quantize,
}
