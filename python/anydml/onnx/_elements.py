# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Operators element by element: arithmetic, comparisons, activations, types."""
import numpy

from ._tensor import dtype_of, is_known, unsupported


def _plain(kind, dtype=None, **fields):
    """An operator of the same meaning."""
    return lambda node, *xs: node.elements(kind, _aligned(node, xs), fields, dtype)


def _activation(kind, **attributes):
    """Fields of DirectML by numbers or by the names of ONNX's attributes."""
    def convert(node, x):
        fields = {field: node.attr(given) if isinstance(given, str) else given
                  for field, given in attributes.items()}
        return node.elements("ACTIVATION_" + kind, [x], fields)
    return convert


def _aligned(node, xs):
    """Before version 7 the second operand is laid along the axes from `axis` on."""
    if node.version >= 7 or len(xs) != 2 or not node.attr("broadcast", 0):
        return xs
    a, b = xs
    axis = node.attr("axis", a.ndim - b.ndim)
    return a, node.reshape(b, b.shape + (1,) * (a.ndim - axis - b.ndim))


def _chain(kind):
    """Of any number of operands, from left to right."""
    def convert(node, *xs):
        result = xs[0]
        for x in xs[1:]:
            result = node.elements(kind, [result, x])
        return identity(node, result) if len(xs) == 1 else result
    return convert


def identity(node, x, *_):
    if is_known(x):
        return x
    return node.tensor(x.value, x.shape, x.dtype)


def mean(node, *xs):
    total = _chain("ELEMENT_WISE_ADD")(node, *xs)
    count = node.number(len(xs), total.dtype)
    return node.elements("ELEMENT_WISE_DIVIDE", [total, node.tensor(count)])


def power(node, x, exponent):
    exponent = _aligned(node, (x, exponent))[1]
    if exponent.dtype.name in ("int64", "uint32", "uint64"):     # POW takes INT32
        values = node.known(exponent)
        if values.size and not -2**31 <= values.min() <= values.max() < 2**31:
            raise unsupported("exponents beyond the range of INT32, which DirectML's POW takes")
        exponent = values.astype("int32")
    return node.elements("ELEMENT_WISE_POW", [x, exponent])


def modulus(node, a, b):
    kind = "TRUNCATE" if node.attr("fmod") else "FLOOR"
    return node.elements("ELEMENT_WISE_MODULUS_" + kind, [a, b])


def clip(node, x, low=None, high=None):
    low = node.attr("min") if low is None else low
    high = node.attr("max") if high is None else high
    if any(not isinstance(bound, float) and bound is not None and not is_known(bound)
           for bound in (low, high)):       # computed, not known
        for kind, bound in (("MAX", low), ("MIN", high)):
            x = x if bound is None else node.elements("ELEMENT_WISE_" + kind, [x, bound])
        return x
    limits = (numpy.finfo if x.dtype.kind == "f" else numpy.iinfo)(x.dtype)
    ends = (-numpy.inf, numpy.inf) if x.dtype.kind == "f" else (limits.min, limits.max)
    low, high = (end if bound is None else numpy.asarray(bound).item()
                 for bound, end in zip((low, high), ends))
    if low > high:                         # then all is `high`
        low = high
    return node.elements("ELEMENT_WISE_CLIP1", [x], {"Min": _json(low), "Max": _json(high)})


def _json(number):
    """A number as the reader of descriptions takes it."""
    if isinstance(number, float) and not numpy.isfinite(number):
        return "nan" if numpy.isnan(number) else "inf" if number > 0 else "-inf"
    return number


def cast(node, x, like=None):
    dtype = dtype_of(node.attr("to")) if like is None else like.dtype
    if dtype == x.dtype:
        return identity(node, x)
    value = node.value(x)
    if dtype == bool:
        zero = node.number(0, x.dtype).broadcast_to(value.shape)
        equal = node.record("ELEMENT_WISE_LOGICAL_EQUALS", [value, zero])
        return node.tensor(node.record("ELEMENT_WISE_LOGICAL_NOT", [equal]), x.shape, bool)
    return node.tensor(node.cast(value, dtype), x.shape, dtype)


def is_infinite(node, x):
    modes = {(1, 1): "EITHER", (1, 0): "POSITIVE", (0, 1): "NEGATIVE"}
    mode = modes.get((node.attr("detect_positive"), node.attr("detect_negative")))
    if mode is None:
        return numpy.zeros(x.shape, bool)
    fields = {"InfinityMode": mode, "OutputTensor": node.output(bool, x.shape or (1,))}
    return node.elements("ELEMENT_WISE_IS_INFINITY", [x], fields, bool)


def is_nan(node, x):
    fields = {"OutputTensor": node.output(bool, x.shape or (1,))}
    return node.elements("ELEMENT_WISE_IS_NAN", [x], fields, bool)


def shift(node, a, b):
    return node.elements("ELEMENT_WISE_BIT_SHIFT_" + node.attr("direction"), [a, b])


def where(node, condition, x, y):
    return node.elements("ELEMENT_WISE_IF", [condition, x, y], dtype=x.dtype)


def slope(node, x, slopes):
    """PRelu: ONNX's slopes broadcast to x; before version 7 one per channel."""
    if node.version < 7 and slopes.ndim == 1 and x.ndim > 1:
        slopes = node.reshape(slopes, slopes.shape + (1,) * (x.ndim - 2))
    return node.elements("ACTIVATION_PARAMETERIZED_RELU", [x, slopes])


def dropout(node, x, ratio=None, training=None):
    is_training = not node.attr("is_test", 0) if node.version < 7 else (
        training is not None and bool(node.known(training)))
    drops = 0.5 if ratio is None and node.version >= 12 else (
        node.attr("ratio", 0.5) if ratio is None else float(node.known(ratio)))
    if is_training and drops > 0:
        raise unsupported(f"ratio {drops:g} in training: which elements are dropped is random")
    result = [identity(node, x)]
    if node.wants(1):                      # before version 10 of x's type
        mask = numpy.ones(x.shape, bool if node.version >= 10 else x.dtype)
        result.append(mask)
    return result


_UNARY = {"Abs": "ABS", "Acos": "ACOS", "Acosh": "ACOSH", "Asin": "ASIN", "Asinh": "ASINH",
          "Atan": "ATAN", "Atanh": "ATANH", "BitwiseNot": "BIT_NOT", "Ceil": "CEIL", "Cos": "COS",
          "Cosh": "COSH", "Erf": "ERF", "Exp": "EXP", "Floor": "FLOOR", "Log": "LOG",
          "Neg": "NEGATE", "Reciprocal": "RECIP", "Sign": "SIGN", "Sin": "SIN", "Sinh": "SINH",
          "Sqrt": "SQRT", "Tan": "TAN"}
_BINARY = {"Add": "ADD", "Sub": "SUBTRACT", "Mul": "MULTIPLY", "Div": "DIVIDE",
           "BitwiseAnd": "BIT_AND", "BitwiseOr": "BIT_OR", "BitwiseXor": "BIT_XOR"}
_LOGICAL = {"And": "AND", "Or": "OR", "Xor": "XOR", "Not": "NOT", "Equal": "EQUALS",
            "Greater": "GREATER_THAN", "Less": "LESS_THAN",
            "GreaterOrEqual": "GREATER_THAN_OR_EQUAL", "LessOrEqual": "LESS_THAN_OR_EQUAL"}

OPERATORS = {
    **{name: _plain("ELEMENT_WISE_" + kind) for name, kind in {**_UNARY, **_BINARY}.items()},
    **{name: _plain("ELEMENT_WISE_LOGICAL_" + kind, bool) for name, kind in _LOGICAL.items()},
    **{name: _chain("ELEMENT_WISE_" + kind)
       for name, kind in {"Sum": "ADD", "Max": "MAX", "Min": "MIN"}.items()},
    "BitShift": shift, "Cast": cast, "CastLike": cast, "Clip": clip,
    "Dropout": dropout,
    "Identity": identity, "IsInf": is_infinite, "IsNaN": is_nan,
    "Mean": mean, "Mod": modulus, "Pow": power, "PRelu": slope,
    "Round": _plain("ELEMENT_WISE_ROUND", RoundingMode="HALVES_TO_NEAREST_EVEN"), "Where": where,
    "Celu": _activation("CELU", Alpha="alpha"),
    "Elu": _activation("ELU", Alpha="alpha"),
    "HardSigmoid": _activation("HARD_SIGMOID", Alpha="alpha", Beta="beta"),
    "HardSwish": _activation("HARD_SWISH", Alpha=1 / 6, Beta=0.5),
    "LeakyRelu": _activation("LEAKY_RELU", Alpha="alpha"),
    "Relu": _activation("RELU"),
    "Selu": _activation("SCALED_ELU", Alpha="alpha",
                        Gamma="gamma"),
    "Shrink": _activation("SHRINK", Bias="bias", Threshold="lambd"),
    "Sigmoid": _activation("SIGMOID"), "Softsign": _activation("SOFTSIGN"),
    "Softplus": _activation("SOFTPLUS", Steepness=1.0), "Tanh": _activation("TANH"),
    "ThresholdedRelu": _activation("THRESHOLDED_RELU", Alpha="alpha"),
}
