# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""DirectML's operators in float64, by the formulas of their pages: `run` executes a model's
dispatches with NumPy. Floating-point types are all float64 here, and nothing is rounded. Only what
gradients are made of is here, and what has one."""
import math

import numpy as np
from numpy.lib.stride_tricks import as_strided

DEFINITIONS = {}    # by type: (node) -> the outputs' elements


class Node:
    """A dispatch: tensors and settings by the names of their fields."""

    def __init__(self, desc, inputs, output_sizes, data_types, outputs=()):
        self.desc, self.inputs, self.sizes, self.types = desc, inputs, output_sizes, data_types
        self.outputs = outputs             # their names

    def __getitem__(self, name):
        """A tensor that is read, or a setting; None for one that is absent."""
        return self.inputs[name] if name in self.inputs else number(self.desc.get(name))

    def u(self, name="InputTensor"):
        """The first input, scaled."""
        scale = self.desc.get("ScaleBias") or {"Scale": 1, "Bias": 0}
        return self.inputs[name] * number(scale["Scale"]) + number(scale["Bias"])


def number(value):
    if isinstance(value, str) and value.lstrip("-") in ("inf", "nan"):
        return float(value)
    return [number(v) for v in value] if isinstance(value, list) else value


def defines(*names):
    def wrap(function):
        for name in names:
            DEFINITIONS[name] = function
        return function
    return wrap


# ---- Models

def packed(sizes):
    return [math.prod(sizes[i + 1:]) for i in range(len(sizes))]


def view(memory, tensor):
    strides = tensor.get("Strides") or packed(tensor["Sizes"])
    return as_strided(memory, tensor["Sizes"], [s * memory.itemsize for s in strides])


def memory_of(resource):
    values = resource["initialValues"]
    if isinstance(values, dict):
        values = [values["value"]] * values["valueCount"]
    is_float = resource["initialValuesDataType"].startswith("FLOAT")
    return np.array(number(values), np.float64 if is_float else np.int64)


def bound(desc, bindings, name):
    """(tensor, resource) of a field: several of an array of tensors."""
    tensors, names = desc[name], bindings[name]
    return list(zip(tensors, names)) if isinstance(tensors, list) else [(tensors, names)]


def run(model, memory, commands):
    """Executes dispatches on {resource: elements}, which it changes."""
    for command in commands:
        dispatchable = model["dispatchables"][command["dispatchable"]]
        desc, bindings = dispatchable["desc"], command["bindings"]
        written = [n for n in bindings if n.startswith("Output")]
        inputs, data_types = {}, {}
        for name in bindings:
            if name in written:
                continue
            read = [view(memory[resource], tensor) for tensor, resource in
                    bound(desc, bindings, name)]
            inputs[name] = read if isinstance(desc[name], list) else read[0]
        outputs = [pair for name in written for pair in bound(desc, bindings, name)]
        sizes = [tensor["Sizes"] for tensor, _ in outputs]
        data_types = [tensor["DataType"] for tensor, _ in outputs]
        node = Node(desc, inputs, sizes, data_types, written)
        results = DEFINITIONS[dispatchable["type"]](node)
        if not isinstance(results, (list, tuple)):
            results = [results]
        for (tensor, resource), result in zip(outputs, results):
            view(memory[resource], tensor)[...] = result


# ---- Element-wise

erf = np.vectorize(math.erf, otypes=[float])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


for _name, _function in {
        "IDENTITY": lambda x: x, "ABS": np.abs, "SIGN": np.sign, "NEGATE": lambda x: -x,
        "FLOOR": np.floor, "CEIL": np.ceil, "SQRT": np.sqrt, "RECIP": lambda x: 1 / x,
        "EXP": np.exp, "LOG": np.log, "ERF": erf, "SIN": np.sin, "COS": np.cos, "TAN": np.tan,
        "ASIN": np.arcsin, "ACOS": np.arccos, "ATAN": np.arctan, "SINH": np.sinh, "COSH": np.cosh,
        "TANH": np.tanh, "ASINH": np.arcsinh, "ACOSH": np.arccosh, "ATANH": np.arctanh}.items():
    defines("ELEMENT_WISE_" + _name)(lambda n, f=_function: f(n.u()))

for _name, _function in {
        "ADD": np.add, "ADD1": np.add, "SUBTRACT": np.subtract, "MULTIPLY": np.multiply,
        "DIVIDE": np.divide, "MAX": np.maximum, "MIN": np.minimum, "ATAN_YX": np.arctan2,
        "MEAN": lambda a, b: (a + b) / 2, "DIFFERENCE_SQUARE": lambda a, b: (a - b)**2,
        "MODULUS_TRUNCATE": np.fmod, "MODULUS_FLOOR": np.mod, "LOGICAL_EQUALS": np.equal,
        "LOGICAL_GREATER_THAN": np.greater, "LOGICAL_GREATER_THAN_OR_EQUAL": np.greater_equal,
        "LOGICAL_LESS_THAN": np.less, "LOGICAL_LESS_THAN_OR_EQUAL": np.less_equal,
        "LOGICAL_AND": np.logical_and, "LOGICAL_OR": np.logical_or}.items():
    defines("ELEMENT_WISE_" + _name)(lambda n, f=_function: f(n["ATensor"], n["BTensor"]))

defines("ELEMENT_WISE_POW")(lambda n: np.power(n.u(), n["ExponentTensor"].astype(float)))
defines("ELEMENT_WISE_CONSTANT_POW")(lambda n: np.power(n.u(), n["Exponent"]))
defines("ELEMENT_WISE_ROUND")(lambda n: {
    "HALVES_TO_NEAREST_EVEN": np.rint, "TOWARD_ZERO": np.trunc}[n["RoundingMode"]](n.u()))
defines("ELEMENT_WISE_IF")(
    lambda n: np.where(n["ConditionTensor"] != 0, n["ATensor"], n["BTensor"]))
defines("ELEMENT_WISE_CLIP", "ELEMENT_WISE_CLIP1")(
    lambda n: np.maximum(n["Min"], np.minimum(n.u(), n["Max"])))
defines("ELEMENT_WISE_THRESHOLD")(lambda n: np.maximum(n.u(), n["Min"]))
defines("ELEMENT_WISE_CLIP_GRAD", "ELEMENT_WISE_CLIP_GRAD1")(
    lambda n: np.where((n["InputTensor"] <= n["Min"]) | (n["InputTensor"] >= n["Max"]), 0,
                       n["InputGradientTensor"]))
defines("ELEMENT_WISE_DEQUANTIZE_LINEAR")(
    lambda n: (n["InputTensor"] - n["ZeroPointTensor"]) * n["ScaleTensor"])
defines("FILL_VALUE_CONSTANT")(lambda n: np.full(n.sizes[0], float(n["Value"])))
defines("FILL_VALUE_SEQUENCE")(
    lambda n: n["ValueStart"] + n["ValueDelta"] * np.arange(math.prod(n.sizes[0])).reshape(
        n.sizes[0]))


@defines("CAST")
def cast(n):
    return n["InputTensor"] if n.types[0].startswith("FLOAT") else np.trunc(n["InputTensor"])


# ---- Activations: x, and the node for its settings

for _name, _formula in {
        "IDENTITY": lambda x, n: x,
        "LINEAR": lambda x, n: n["Alpha"] * x + n["Beta"],
        "RELU": lambda x, n: np.maximum(x, 0),
        "LEAKY_RELU": lambda x, n: np.where(x >= 0, x, n["Alpha"] * x),
        "THRESHOLDED_RELU": lambda x, n: np.where(x > n["Alpha"], x, 0),
        "PARAMETERIZED_RELU": lambda x, n: np.where(x >= 0, x, n["SlopeTensor"] * x),
        "ELU": lambda x, n: np.where(x >= 0, x, n["Alpha"] * (np.exp(x) - 1)),
        "CELU": lambda x, n: np.maximum(x, 0) + np.minimum(
            0, n["Alpha"] * (np.exp(x / n["Alpha"]) - 1)),
        "SCALED_ELU": lambda x, n: n["Gamma"] * np.where(
            x > 0, x, n["Alpha"] * (np.exp(x) - 1)),
        "SIGMOID": lambda x, n: sigmoid(x),
        "HARD_SIGMOID": lambda x, n: np.clip(n["Alpha"] * x + n["Beta"], 0, 1),
        "TANH": lambda x, n: np.tanh(x),
        "SCALED_TANH": lambda x, n: n["Alpha"] * np.tanh(n["Beta"] * x),
        "SOFTPLUS": lambda x, n: np.log(1 + np.exp(n["Steepness"] * x)) / n["Steepness"],
        "PARAMETRIC_SOFTPLUS": lambda x, n: n["Alpha"] * np.log(1 + np.exp(n["Beta"] * x)),
        "SOFTSIGN": lambda x, n: x / (1 + np.abs(x)),
        "SHRINK": lambda x, n: np.where(
            x < -n["Threshold"], x + n["Bias"], np.where(x > n["Threshold"], x - n["Bias"], 0)),
        "GELU": lambda x, n: x / 2 * (1 + erf(x / math.sqrt(2))),
        "SWISH": lambda x, n: x * sigmoid(n["SigmoidInputScale"] * x),
        "HARD_SWISH": lambda x, n: x * np.clip(n["Alpha"] * x + n["Beta"], 0, 1)}.items():
    defines("ACTIVATION_" + _name)(lambda n, f=_formula: f(n["InputTensor"], n))

defines("ACTIVATION_RELU_GRAD")(
    lambda n: np.where(n["InputTensor"] > 0, n["InputGradientTensor"], 0))


@defines("ACTIVATION_SOFTMAX", "ACTIVATION_SOFTMAX1")
def softmax(n):
    axes = -1 if n["Axes"] is None else tuple(n["Axes"])
    powers = np.exp(n["InputTensor"])
    return powers / powers.sum(axes, keepdims=True)


defines("ACTIVATION_LOG_SOFTMAX", "ACTIVATION_LOG_SOFTMAX1")(lambda n: np.log(softmax(n)))


# ---- Sums

REDUCTIONS = {
    "SUM": np.sum, "AVERAGE": np.mean, "MAX": np.max, "MIN": np.min, "MULTIPLY": np.prod,
    "L1": lambda x, **k: np.abs(x).sum(**k), "L2": lambda x, **k: np.sqrt((x * x).sum(**k)),
    "SUM_SQUARE": lambda x, **k: (x * x).sum(**k), "LOG_SUM": lambda x, **k: np.log(x.sum(**k)),
    "LOG_SUM_EXP": lambda x, **k: np.log(np.exp(x).sum(**k))}


@defines("ARGMAX", "ARGMIN")
def argmax(n, find=np.argmax):
    axes, x = n["Axes"], n["InputTensor"]
    rest = [i for i in range(x.ndim) if i not in axes]
    lines = x.transpose(rest + sorted(axes)).reshape([x.shape[i] for i in rest] + [-1])
    assert n["AxisDirection"] in (None, "INCREASING")    # the first one of equals
    return find(lines, -1).reshape(n.sizes[0])


DEFINITIONS["ARGMIN"] = lambda n: argmax(n, np.argmin)


@defines("REDUCE")
def reduce(n):
    if n["Function"].startswith("ARG"):
        return DEFINITIONS[n["Function"]](n)
    return REDUCTIONS[n["Function"]](n["InputTensor"], axis=tuple(n["Axes"] or ()), keepdims=True)


@defines("CUMULATIVE_SUMMATION", "CUMULATIVE_PRODUCT")
def cumulative(n):
    axis, is_down, is_sum = n["Axis"], n["AxisDirection"] == "DECREASING", "HasExclusiveSum" in n.desc
    x = np.moveaxis(n["InputTensor"], axis, 0)
    x = x[::-1] if is_down else x
    y = np.cumsum(x, 0) if is_sum else np.cumprod(x, 0)
    if n["HasExclusiveSum" if is_sum else "HasExclusiveProduct"]:
        y = np.concatenate([np.full_like(y[:1], 0 if is_sum else 1), y[:-1]])
    return np.moveaxis(y[::-1] if is_down else y, 0, axis)


# ---- Products

@defines("GEMM")
def gemm(n):
    a, b = (np.swapaxes(n[name], -1, -2) if n[transform] == "TRANSPOSE" else n[name]
            for name, transform in (("ATensor", "TransA"), ("BTensor", "TransB")))
    c = n["CTensor"]
    return n["Alpha"] * (a @ b) + (0 if c is None else n["Beta"] * c)


@defines("CONVOLUTION")
def convolution(n):
    x, w, groups = n["InputTensor"], n["FilterTensor"], n["GroupCount"]
    axes = range(w.ndim - 2)
    if n["Mode"] == "CONVOLUTION":
        w = np.flip(w, tuple(range(2, w.ndim)))
    strides, dilations, start = n["Strides"], n["Dilations"], n["StartPadding"]
    y = np.zeros(n.sizes[0])
    inner = [y.shape[2 + i] - n["OutputPadding"][i] for i in axes]
    is_forward = n["Direction"] == "FORWARD"
    wide, narrow = (x.shape[2:], inner) if is_forward else (inner, x.shape[2:])
    w_in, w_out = w.shape[0] // groups, w.shape[1]
    for tap in np.ndindex(*w.shape[2:]):
        # Which windows of the smaller side see an element of the larger one.
        near, far = [], []
        for i in axes:
            at = np.arange(narrow[i]) * strides[i] + tap[i] * dilations[i] - start[i]
            inside = (0 <= at) & (at < wide[i])
            near.append(np.arange(narrow[i])[inside])
            far.append(at[inside])
        for g in range(groups):
            outer = np.arange(g * w_in, (g + 1) * w_in), np.arange(g * w_out, (g + 1) * w_out)
            taps = w[(outer[0], slice(None), *tap)]
            if is_forward:    # w is {outputs, inputs of a group}
                read = x[np.ix_(range(len(x)), outer[1], *far)]
                y[np.ix_(range(len(x)), outer[0], *near)] += np.einsum("nc...,fc->nf...", read, taps)
            else:
                read = x[np.ix_(range(len(x)), outer[0], *near)]
                y[np.ix_(range(len(x)), outer[1], *far)] += np.einsum("nf...,fc->nc...", read, taps)
    return y if n["BiasTensor"] is None else y + n["BiasTensor"]


# ---- Windows

def windows(n, image, count):
    """(window, its taps inside of the image)"""
    axes = range(len(image))
    dilations = n["Dilations"] or [1 for _ in axes]
    for window in np.ndindex(*count):
        taps = []
        for tap in np.ndindex(*n["WindowSize"]):
            at = tuple(window[i] * n["Strides"][i] + tap[i] * dilations[i] - n["StartPadding"][i]
                       for i in axes)
            if all(0 <= at[i] < image[i] for i in axes):
                taps.append((..., *at))
        yield (..., *window), taps


@defines("MAX_POOLING", "MAX_POOLING1", "MAX_POOLING2")
def max_pooling(n):
    """The indices are those of the whole input; without taps all bits are 1."""
    x, y = n["InputTensor"], np.full(n.sizes[0], -np.inf)
    indices, numbers = np.full(n.sizes[0], 2**32 - 1), np.arange(x.size).reshape(x.shape)
    for window, taps in windows(n, x.shape[2:], y.shape[2:]):
        if taps:
            found = np.array([x[tap] for tap in taps])
            winner = np.argmax(found, 0)[None]
            y[window] = np.take_along_axis(found, winner, 0)[0]
            indices[window] = np.take_along_axis(np.array([numbers[tap] for tap in taps]), winner,
                                                 0)[0]
    return (y, indices)[:len(n.sizes)]


@defines("MAX_POOLING_GRAD")
def max_pooling_grad(n):
    x, dy = n["InputTensor"], n["InputGradientTensor"]
    dx = np.zeros(x.shape)
    for window, taps in windows(n, x.shape[2:], dy.shape[2:]):
        winner = np.argmax([x[tap] for tap in taps], 0) if taps else None
        for i, tap in enumerate(taps):
            dx[tap] += np.where(winner == i, dy[window], 0)
    return dx


def divisor(n, taps):
    return math.prod(n["WindowSize"]) if n["IncludePadding"] else len(taps)


@defines("AVERAGE_POOLING", "AVERAGE_POOLING1")
def average_pooling(n):
    x, y = n["InputTensor"], np.zeros(n.sizes[0])
    for window, taps in windows(n, x.shape[2:], y.shape[2:]):
        if taps:
            y[window] = sum(x[tap] for tap in taps) / divisor(n, taps)
    return y


@defines("AVERAGE_POOLING_GRAD")
def average_pooling_grad(n):
    dy, dx = n["InputGradientTensor"], np.zeros(n.sizes[0])
    for window, taps in windows(n, dx.shape[2:], dy.shape[2:]):
        for tap in taps:
            dx[tap] += dy[window] / divisor(n, taps)
    return dx


@defines("LP_POOLING", "LP_POOLING1")
def lp_pooling(n):
    x, y = n["InputTensor"], np.zeros(n.sizes[0])
    for window, taps in windows(n, x.shape[2:], y.shape[2:]):
        y[window] = sum(np.abs(x[tap])**n["P"] for tap in taps)**(1 / n["P"])
    return y


@defines("MAX_UNPOOLING")
def max_unpooling(n):
    y = np.zeros(math.prod(n.sizes[0]))
    for index, element in zip(n["IndicesTensor"].flat, n["InputTensor"].flat):
        if 0 <= index < y.size:
            y[index] = element
    return y.reshape(n.sizes[0])


# ---- Regions

def samples(n, first, last, outputs, scale):
    """Where an axis is read, in pixels: several samples for each of the outputs."""
    length = (last - first) * scale
    count = math.ceil(length / outputs)
    count = min(max(count, n["MinimumSamplesPerOutput"]), n["MaximumSamplesPerOutput"])
    offsets = [0.5 if n[name] is None else n[name] * sign for name, sign in
               (("InputPixelOffset", 1), ("OutputPixelOffset", -1))]
    assert not n["AlignRegionsToCorners"] and n["InterpolationMode"] == "LINEAR"
    t = np.arange(outputs * count)
    return (t + offsets[1]) * length / (outputs * count) + first * scale - offsets[0], count


def between_pixels(image, y, x):
    """{channels, samples of y, samples of x}"""
    def along(values, at, axis):
        size = values.shape[axis]
        inside = np.clip(at, 0, size - 1)
        low = np.minimum(np.floor(inside).astype(int), max(size - 2, 0))
        w = (inside - low).reshape([-1 if i == axis else 1 for i in range(3)])
        return (np.take(values, low, axis) * (1 - w)
                + np.take(values, np.minimum(low + 1, size - 1), axis) * w)
    return along(along(image, y, 1), x, 2)


@defines("ROI_ALIGN", "ROI_ALIGN1")
def roi_align(n):
    x = n["InputTensor"]
    height, width = n.sizes[0][2:]
    made = []
    for (x1, y1, x2, y2), image in zip(n["ROITensor"], n["BatchIndicesTensor"]):
        down, per_row = samples(n, y1, y2, height, n["SpatialScaleY"])
        across, per_column = samples(n, x1, x2, width, n["SpatialScaleX"])
        for at, size in ((down, x.shape[2]), (across, x.shape[3])):
            assert np.all((-1 <= at) & (at <= size))    # elsewhere: OutOfBoundsInputValue
        found = between_pixels(x[image], down, across).reshape(-1, height, per_row, width,
                                                               per_column)
        made.append({"AVERAGE": np.mean, "MAX": np.max}[n["ReductionFunction"]](found, (2, 4)))
    return np.array(made)


def derivative(n, function, name, sizes):
    """Of sum(function * InputGradientTensor), by central differences: what a page calls the gradient
    of another operator."""
    forward = Node(n.desc, dict(n.inputs), [sizes], n.types)
    forward.inputs[name] = n[name].copy()
    result = np.zeros(n[name].shape)
    for at in np.ndindex(*result.shape):
        for step in (1e-5, -1e-5):
            forward.inputs[name][at] = n[name][at] + step
            result[at] += (function(forward) * n["InputGradientTensor"]).sum() / (2 * step)
        forward.inputs[name][at] = n[name][at]
    return result


@defines("ROI_ALIGN_GRAD")
def roi_align_grad(n):
    sizes = n["InputGradientTensor"].shape
    names = {"OutputGradientTensor": "InputTensor", "OutputROIGradientTensor": "ROITensor"}
    return [derivative(n, roi_align, names[name], sizes) for name in n.outputs]


# ---- Resampling: along each axis a matrix

def matrix(mode, rounding, scale, in_offset, out_offset, size, count):
    made = np.zeros((count, size))
    for o in range(count):
        x = (o - out_offset) / scale - in_offset
        if mode == "LINEAR":
            x = min(max(x, 0), size - 1)
            made[o, math.floor(x)] += 1 - x % 1
            made[o, math.ceil(x)] += x % 1
        else:
            x = {"DECREASING": math.floor, "INCREASING": math.ceil,
                 None: lambda v: math.floor(v + 0.5)}[rounding](x)
            made[o, min(max(x, 0), size - 1)] = 1
    return made


def resample(n, x, is_gradient=False):
    axes = range(x.ndim)
    scales = n["Scales"]
    if n["ScaleSize"]:
        scales = [1 for _ in axes][:-2] + [n["ScaleSize"]["Height"], n["ScaleSize"]["Width"]]
    in_offsets = n["InputPixelOffsets"] or [0.5 for _ in axes]
    out_offsets = n["OutputPixelOffsets"] or [-0.5 for _ in axes]
    for i in axes:
        sizes = x.shape[i], n.sizes[0][i]
        m = matrix(n["InterpolationMode"], n["RoundingDirection"], scales[i], in_offsets[i],
                   out_offsets[i], *(sizes[::-1] if is_gradient else sizes))
        x = np.moveaxis(np.tensordot(m.T if is_gradient else m, x, (1, i)), 0, i)
    return x


defines("RESAMPLE", "RESAMPLE1", "RESAMPLE2", "RESAMPLE3", "UPSAMPLE_2D")(
    lambda n: resample(n, n["InputTensor"]))
defines("RESAMPLE_GRAD", "RESAMPLE_GRAD1")(
    lambda n: resample(n, n["InputGradientTensor"], is_gradient=True))


# ---- Moving elements

def slices(n):
    """The indices along each axis, for both versions and their gradient."""
    if n["Offsets"] is not None:
        return np.ix_(*[o + s * np.arange(c) for o, s, c in
                        zip(n["Offsets"], n["Strides"], n["Sizes"])])
    along = []
    for offset, size, stride in zip(n["InputWindowOffsets"], n["InputWindowSizes"],
                                    n["InputWindowStrides"]):
        steps = np.arange(0, size, abs(stride))
        along.append(offset + (steps if stride > 0 else size - 1 - steps))
    return np.ix_(*along)


def first_of(indices, sizes):
    """An output may take fewer steps than the window has."""
    return tuple(np.take(index, range(size), axis) for axis, (index, size) in
                 enumerate(zip(indices, sizes)))


defines("SLICE", "SLICE1")(lambda n: n["InputTensor"][first_of(slices(n), n.sizes[0])])


@defines("SLICE_GRAD")
def slice_grad(n):
    dy, dx = n["InputGradientTensor"], np.zeros(n.sizes[0])
    dx[first_of(slices(n), dy.shape)] = dy
    return dx


defines("JOIN")(lambda n: np.concatenate(n["InputTensors"], n["Axis"]))
defines("SPLIT")(lambda n: np.split(
    n["InputTensor"], np.cumsum([sizes[n["Axis"]] for sizes in n.sizes])[:-1], n["Axis"]))


def padded(at, size, mode):
    """What coordinates outside read; numpy.pad is wrong where they are far outside."""
    if mode == "WRAP":
        return at % size
    if mode == "EDGE" or size == 1:
        return np.clip(at, 0, size - 1)
    period = 2 * size - (0 if mode == "SYMMETRIC" else 2)
    return np.minimum(at % period, -(at + (1 if mode == "SYMMETRIC" else 0)) % period)


@defines("PADDING", "PADDING1")
def padding(n):
    x, start = n["InputTensor"], n["StartPadding"]
    if n["PaddingMode"] == "CONSTANT":
        return np.pad(x, list(zip(start, n["EndPadding"])), constant_values=n["PaddingValue"])
    return x[np.ix_(*[padded(np.arange(to) - first, size, n["PaddingMode"])
                      for first, size, to in zip(start, x.shape, n.sizes[0])])]


defines("TILE")(lambda n: np.tile(n["InputTensor"], n["Repeats"]))


# The parts of a channel and of a place in space: (y, x, channel) or (channel, y, x).
@defines("DEPTH_TO_SPACE", "DEPTH_TO_SPACE1")
def depth_to_space(n):
    x, b = n["InputTensor"], n["BlockSize"]
    items, channels, height, width = x.shape
    parts = [b, b, channels // b ** 2]
    order = (0, 3, 4, 1, 5, 2)
    if n["Order"] == "COLUMN_ROW_DEPTH":
        parts, order = parts[::-1], (0, 1, 4, 2, 5, 3)
    return x.reshape(items, *parts, height, width).transpose(order).reshape(n.sizes[0])


@defines("SPACE_TO_DEPTH", "SPACE_TO_DEPTH1")
def space_to_depth(n):
    x, b = n["InputTensor"], n["BlockSize"]
    items, channels, height, width = x.shape
    order = (0, 1, 3, 5, 2, 4) if n["Order"] == "COLUMN_ROW_DEPTH" else (0, 3, 5, 1, 2, 4)
    return x.reshape(items, channels, height // b, b, width // b, b).transpose(order).reshape(
        n.sizes[0])


@defines("REVERSE_SUBSEQUENCES")
def reverse_subsequences(n):
    x, axis = n["InputTensor"], n["Axis"]
    lengths = np.minimum(n["SequenceLengthsTensor"], x.shape[axis]).astype("i8")
    at = np.arange(x.shape[axis]).reshape([-1 if i == axis else 1 for i in range(x.ndim)])
    return np.take_along_axis(x, np.where(at < lengths, lengths - 1 - at, at), axis)


def counted(indices, size):
    """Negative ones are from the end."""
    return np.where(indices < 0, indices + size, indices)


def clamped(indices, size):
    return np.clip(counted(indices, size), 0, np.subtract(size, 1))


@defines("GATHER")
def gather(n):
    x, axis = n["InputTensor"], n["Axis"]
    indices = clamped(n["IndicesTensor"].reshape(-1), x.shape[axis])
    return np.take(x, indices, axis).reshape(n.sizes[0])


@defines("GATHER_ELEMENTS")
def gather_elements(n):
    x, axis = n["InputTensor"], n["Axis"]
    return np.take_along_axis(x, clamped(n["IndicesTensor"], x.shape[axis]), axis)


@defines("SCATTER", "SCATTER_ELEMENTS")
def scatter_elements(n):
    y, axis, updates = n["InputTensor"].copy(), n["Axis"], n["UpdatesTensor"]
    indices = counted(n["IndicesTensor"], y.shape[axis])
    for at in np.ndindex(*indices.shape):    # the last one wins
        if 0 <= indices[at] < y.shape[axis]:
            y[(*at[:axis], indices[at], *at[axis + 1:])] = updates[at]
    return y


def tuples(n):
    """The input and the indices without leading ones; how many dimensions are batches."""
    x, indices = n["InputTensor"], n["IndicesTensor"]
    return (x.reshape(x.shape[x.ndim - n["InputDimensionCount"]:]),
            indices.reshape(indices.shape[indices.ndim - n["IndicesDimensionCount"]:]),
            n["BatchDimensionCount"] or 0)


@defines("GATHER_ND", "GATHER_ND1")
def gather_nd(n):
    x, indices, batch = tuples(n)
    found = [x[(*at[:batch], *clamped(indices[at], x.shape[batch:batch + indices.shape[-1]]))]
             for at in np.ndindex(*indices.shape[:-1])]
    return np.array(found).reshape(n.sizes[0])


@defines("SCATTER_ND")
def scatter_nd(n):
    x, indices, _ = tuples(n)
    y, count = x.copy(), indices.shape[-1]
    updates = n["UpdatesTensor"].reshape(indices.shape[:-1] + x.shape[count:])
    for at in np.ndindex(*indices.shape[:-1]):
        place = counted(indices[at], x.shape[:count])
        if all(0 <= i < size for i, size in zip(place, x.shape)):
            y[tuple(place)] = updates[at]
    return y.reshape(n.sizes[0])


@defines("TOP_K", "TOP_K1")
def top_k(n):
    x, axis = n["InputTensor"], n["Axis"]
    order = np.argsort(x if n["AxisDirection"] == "INCREASING" else -x, axis, kind="stable")
    order = np.take(order, range(n["K"]), axis)
    return np.take_along_axis(x, order, axis), order


@defines("ONE_HOT")
def one_hot(n):
    axis, (off, on) = n["Axis"], n["ValuesTensor"].reshape(-1)[:2]
    count = np.arange(n.sizes[0][axis]).reshape([-1 if i == axis else 1 for i in
                                                 range(len(n.sizes[0]))])
    return np.where(n["IndicesTensor"] == count, on, off)


# ---- Normalizations

@defines("DIAGONAL_MATRIX1")
def diagonal_matrix(n):
    rows, columns = n.sizes[0][-2:]
    diagonal = np.arange(columns) - np.arange(rows)[:, None]
    begin, end = n["DiagonalFillBegin"], n["DiagonalFillEnd"]
    is_filled = ((diagonal >= begin) & (diagonal < end) if begin <= end
                 else (diagonal >= begin) | (diagonal < end))
    x = n["InputTensor"]
    return np.where(is_filled, n["Value"], np.zeros(n.sizes[0]) if x is None else x)


defines("VALUE_SCALE_2D")(
    lambda n: n["Scale"] * n["InputTensor"] + np.reshape(n["Bias"], (1, -1, 1, 1)))


@defines("BATCH_NORMALIZATION")
def batch_normalization(n):
    y = n["ScaleTensor"] * (n["InputTensor"] - n["MeanTensor"]) / np.sqrt(
        n["VarianceTensor"] + n["Epsilon"])
    return y + n["BiasTensor"]


def all_but_channels(x):
    return {"axis": (0, *range(2, x.ndim)), "keepdims": True}


@defines("BATCH_NORMALIZATION_TRAINING")
def batch_normalization_training(n):
    x = n["InputTensor"]
    mean, variance = x.mean(**all_but_channels(x)), x.var(**all_but_channels(x))
    y = n["ScaleTensor"] * (x - mean) / np.sqrt(variance + n["Epsilon"]) + n["BiasTensor"]
    return y + (0 if n["FusedAddTensor"] is None else n["FusedAddTensor"]), mean, variance


@defines("BATCH_NORMALIZATION_TRAINING_GRAD")
def batch_normalization_training_grad(n):
    x, dy = n["InputTensor"], n["InputGradientTensor"]
    over = all_but_channels(x)
    root = np.sqrt(n["VarianceTensor"] + n["Epsilon"])
    h = (x - n["MeanTensor"]) / root
    dx = n["ScaleTensor"] / root * (dy - dy.mean(**over) - h * (dy * h).mean(**over))
    return dx, (dy * h).sum(**over), dy.sum(**over)


@defines("LP_NORMALIZATION")
def lp_normalization(n):
    x, over = n["InputTensor"], {"axis": n["Axis"], "keepdims": True}
    norm = np.abs(x).sum(**over) if n["P"] == 1 else np.sqrt((x * x).sum(**over))
    return x / np.maximum(norm, n["Epsilon"])


@defines("LOCAL_RESPONSE_NORMALIZATION")
def local_response_normalization(n):
    x, size = n["InputTensor"], n["LocalSize"]
    squares = x * x
    for axis in (1,) if n["CrossChannel"] else (2, 3):
        padding = [((size - 1) // 2, size // 2) if i == axis else (0, 0) for i in range(x.ndim)]
        padded = np.pad(squares, padding)
        squares = sum(np.take(padded, range(k, k + x.shape[axis]), axis) for k in range(size))
    return x / (n["Bias"] + n["Alpha"] / size * squares)**n["Beta"]


defines("LOCAL_RESPONSE_NORMALIZATION_GRAD")(lambda n: derivative(
    n, local_response_normalization, "InputTensor", n.sizes[0]))


@defines("MEAN_VARIANCE_NORMALIZATION", "MEAN_VARIANCE_NORMALIZATION1",
         "MEAN_VARIANCE_NORMALIZATION2")
def mean_variance_normalization(n):
    x = n["InputTensor"]
    axes = n["Axes"] or range(1 if n["CrossChannel"] else 2, x.ndim)
    over = {"axis": tuple(axes), "keepdims": True}
    uses_mean = n["UseMean"] is not False
    uses_variance = n["UseVariance"] is not False and n["NormalizeVariance"] is not False
    y = x - x.mean(**over) if uses_mean else x
    y = y / np.sqrt((y * y).mean(**over) + n["Epsilon"]) if uses_variance else y
    y = y if n["ScaleTensor"] is None else y * n["ScaleTensor"]
    return y if n["BiasTensor"] is None else y + n["BiasTensor"]
