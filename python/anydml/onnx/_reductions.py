# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Reductions, softmax, sums along an axis, normalizations."""
import math

from ._tensor import unsupported


def _axes(node, given, rank):
    axes = node.attr("axes") if given is None else node.integers(given)
    if not axes:
        return [] if node.attr("noop_with_empty_axes") else list(range(rank))
    return sorted(node.in_range(axis, rank) for axis in axes)


def _without(node, shape, axes):
    """The shape of a reduction over these axes."""
    if node.attr("keepdims"):
        return [1 if d in axes else n for d, n in enumerate(shape)]
    return [n for d, n in enumerate(shape) if d not in axes]


def _reduce(function):
    def convert(node, x, axes=None):
        axes = _axes(node, axes, x.ndim)
        if x.ndim and not axes and node.attr("noop_with_empty_axes"):
            return node.tensor(node.value(x), x.shape, x.dtype)
        found = node.record("REDUCE", [node.value(x)], {"Function": function, "Axes": axes or [0]})
        return node.tensor(found, _without(node, x.shape, axes), x.dtype)
    return convert


def _arg(kind):
    def convert(node, x):
        axis = node.axis(x.ndim)
        shape = [1 if d == axis else n for d, n in enumerate(x.shape)]
        fields = {"OutputTensor": node.output("int64", shape), "Axes": [axis], "AxisDirection":
                  "DECREASING" if node.attr("select_last_index") else "INCREASING"}
        found = node.record(kind, [node.value(x)], fields)
        return node.tensor(found, _without(node, x.shape, [axis]))
    return convert


def _softmax(kind):
    """Before version 13 over all axes from `axis` on."""
    def convert(node, x):
        if node.version < 13:
            axes = list(range(node.axis(x.ndim), x.ndim))
        else:
            axes = [node.axis(x.ndim)]
        return node.elements("ACTIVATION_" + kind, [x], {"Axes": axes})
    return convert


def cumulative_sum(node, x, axis):
    fields = {"Axis": node.in_range(int(node.known(axis).reshape(())), x.ndim),
              "AxisDirection": "DECREASING" if node.attr("reverse") else "INCREASING",
              "HasExclusiveSum": bool(node.attr("exclusive"))}
    return node.elements("CUMULATIVE_SUMMATION", [x], fields)


# ---- Normalizations

def _channels(node, x, *parameters):
    """Vectors of one entry per channel as values for an operand x."""
    return [node.along(p, 1, x.ndim) for p in parameters]


def batch_normalization(node, x, scale, bias, mean, variance):
    scale, bias, mean, variance = _channels(node, x, scale, bias, mean, variance)
    epsilon = node.attr("epsilon")
    if not node.attr("spatial", 1):
        raise unsupported("spatial = 0")
    if not node.attr("training_mode"):
        if node.wants(1):
            raise unsupported("statistics as outputs before version 14")
        inputs = [node.value(x), mean, variance, scale, bias]
        fields = {"Spatial": True, "Epsilon": epsilon}
        return node.tensor(node.record("BATCH_NORMALIZATION", inputs, fields))
    y, *found = node.record("BATCH_NORMALIZATION_TRAINING",
                            [node.value(x), scale, bias, None], {"Epsilon": epsilon}, 3)
    momentum = node.attr("momentum")
    running = [old * momentum + new * (1 - momentum) for old, new in zip((mean, variance), found)]
    return [node.tensor(y), *(node.tensor(v, (v.shape[1],)) for v in running)]


def _normalize(node, x, axes, epsilon, scale=None, bias=None):
    fields = {"Axes": axes, "NormalizeVariance": True, "Epsilon": epsilon}
    return node.record("MEAN_VARIANCE_NORMALIZATION1", [node.value(x), scale, bias], fields)


def instance_normalization(node, x, scale, bias):
    axes = list(range(2, x.ndim))
    return node.tensor(_normalize(node, x, axes, node.attr("epsilon"),
                                  *_channels(node, x, scale, bias)))


def mean_variance_normalization(node, x):
    axes = [node.in_range(a, x.ndim) for a in node.attr("axes")]
    return node.tensor(_normalize(node, x, axes, 1e-9))


def layer_normalization(node, x, scale, bias=None):
    axes = list(range(node.axis(x.ndim), x.ndim))
    epsilon = node.attr("epsilon")
    scale, bias = (p if p is None else
                   node.value(p, (1,) * (x.ndim - p.ndim) + tuple(p.shape)).broadcast_to(
                       [n if d in axes else 1 for d, n in enumerate(x.shape)])
                   for p in (scale, bias))
    if bias is None:
        bias = node.number(0, x.dtype).broadcast_to(scale.shape)
    result = [node.tensor(_normalize(node, x, axes, epsilon, scale, bias))]
    if node.wants(1) or node.wants(2):
        value = node.value(x)
        average = {"Function": "AVERAGE", "Axes": axes}
        mean = node.record("REDUCE", [value], average)
        distance = value - mean.broadcast_to(x.shape)
        variance = node.record("REDUCE", [distance * distance], average)
        root = node.record("ELEMENT_WISE_SQRT", [variance + epsilon])
        result += [node.tensor(mean), node.tensor(node.record("ELEMENT_WISE_RECIP", [root]))]
    return result


def lp_normalization(node, x):
    fields = {"Axis": node.axis(x.ndim), "Epsilon": 0.0, "P": node.attr("p")}
    return node.elements("LP_NORMALIZATION", [x], fields)


def local_response(node, x):
    """DirectML's has four dimensions."""
    shape = x.shape if x.ndim == 4 else (*x.shape[:2], 1, math.prod(x.shape[2:]))
    fields = {"CrossChannel": True, "LocalSize": node.attr("size"),
              "Alpha": node.attr("alpha"), "Beta": node.attr("beta"),
              "Bias": node.attr("bias")}
    found = node.record("LOCAL_RESPONSE_NORMALIZATION", [node.value(x, shape)], fields)
    return node.tensor(found, x.shape)


def _global(function):
    def convert(node, x):
        axes = list(range(2, x.ndim))
        found = node.record("REDUCE", [node.value(x)], {"Function": function, "Axes": axes})
        return node.tensor(found, x.shape[:2] + (1,) * len(axes))
    return convert


def global_lp(node, x):
    norms = {1: "L1", 2: "L2"}
    if node.attr("p") not in norms:
        raise unsupported(f"p = {node.attr('p')}, and DirectML's REDUCE has L1 and L2")
    return _global(norms[node.attr("p")])(node, x)


_FUNCTIONS = {"L1": "L1", "L2": "L2", "LogSum": "LOG_SUM", "LogSumExp": "LOG_SUM_EXP", "Max": "MAX",
              "Mean": "AVERAGE", "Min": "MIN", "Prod": "MULTIPLY", "Sum": "SUM",
              "SumSquare": "SUM_SQUARE"}

OPERATORS = {
    **{"Reduce" + name: _reduce(function) for name, function in _FUNCTIONS.items()},
    "ArgMax": _arg("ARGMAX"), "ArgMin": _arg("ARGMIN"),
    "BatchNormalization": batch_normalization, "CumSum": cumulative_sum,
    "GlobalAveragePool": _global("AVERAGE"), "GlobalLpPool": global_lp,
    "GlobalMaxPool": _global("MAX"), "Hardmax": _softmax("HARDMAX1"),
    "InstanceNormalization": instance_normalization, "LRN": local_response,
    "LayerNormalization": layer_normalization, "LogSoftmax": _softmax("LOG_SOFTMAX1"),
    "LpNormalization": lp_normalization,
    "MeanVarianceNormalization": mean_variance_normalization, "Softmax": _softmax("SOFTMAX1"),
}
