# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""ai.onnx.preview.training: gradients of the graph so far, and optimizers."""

from ._tensor import unsupported


def gradient(node, *inputs):
    """Of the value that `y` names, with respect to the inputs that `xs` names."""
    names = [name.decode() for name in node.attr("xs")]
    y = node.recorder.names[node.attr("y")]
    of = inputs[:len(names)]
    found = node.graph.gradients(y.value if y.size == 1 else y.value.sum(), [x.value for x in of])
    return [node.tensor(value, x.shape) for value, x in zip(found, of)]


def _tensors(inputs, kinds):
    """The tuples (X, G, ...) of an optimizer of several tensors."""
    count = len(inputs) // kinds
    return [inputs[i::count] for i in range(count)]


def _regularized(node, x, g):
    """Values of a parameter and of its gradient with the norm's."""
    x, g = node.value(x), node.value(g)
    return x, x * node.attr("norm_coefficient") + g


def _results(found):
    """Of X1, X2, ..., V1, V2, ...: first all of one kind."""
    return [result for group in zip(*found) for result in group]


def adam(node, rate, steps, *inputs):
    """ADAM_OPTIMIZER, whose rate is a number. Step 0 has no bias to correct, as the last one."""
    steps = node.value(steps)
    zero = node.number(0, "int64").broadcast_to(steps.shape)
    last = node.number(2**32 - 1, "uint32").broadcast_to(steps.shape)
    is_first = node.record("ELEMENT_WISE_LOGICAL_EQUALS", [steps, zero])
    step = node.record("ELEMENT_WISE_IF", [is_first, last, node.cast(steps, "uint32")])
    if max(node.attr("alpha"), node.attr("beta")) >= 1:
        raise unsupported("alpha and beta must be below 1")
    fields = {"LearningRate": node.known(rate).item(), "Beta1": node.attr("alpha"),
              "Beta2": node.attr("beta"), "Epsilon": node.attr("epsilon")}
    found = []
    for x, g, first, second in _tensors(inputs, 4):
        value, total = _regularized(node, x, g)
        made = node.record("ADAM_OPTIMIZER", [value, node.value(first), node.value(second), total,
                                              step], fields, 3)
        made[0] = made[0] * (1 - node.attr("norm_coefficient_post"))
        found.append([node.tensor(v, x.shape) for v in made])
    return _results(found)


def adagrad(node, rate, steps, *inputs):
    counted = node.cast(node.value(steps), "float32")
    rate = node.value(rate) / (counted * node.attr("decay_factor") + 1)
    found = []
    for x, g, squares in _tensors(inputs, 3):
        value, total = _regularized(node, x, g)
        squares = node.value(squares) + total * total
        root = node.record("ELEMENT_WISE_SQRT", [squares]) + node.attr("epsilon")
        found.append([node.tensor(v, x.shape) for v in (value - rate * total / root, squares)])
    return _results(found)


def momentum(node, rate, steps, *inputs):
    rate, steps = node.value(rate), node.value(steps)
    alpha, beta = node.attr("alpha"), node.attr("beta")
    zero = node.number(0, "int64").broadcast_to(steps.shape)
    is_first = node.record("ELEMENT_WISE_LOGICAL_EQUALS", [steps, zero])
    share = node.record("ELEMENT_WISE_IF", [is_first, *(
        node.number(n).broadcast_to(steps.shape) for n in (1.0, beta))])
    found = []
    for x, g, moment in _tensors(inputs, 3):
        value, total = _regularized(node, x, g)
        moment = node.value(moment) * alpha + share * total
        step = total + moment * alpha if node.attr("mode") == "nesterov" else moment
        found.append([node.tensor(v, x.shape) for v in (value - rate * step, moment)])
    return _results(found)


OPERATORS = {"Adagrad": adagrad, "Adam": adam, "Gradient": gradient, "Momentum": momentum}
