# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""RNN, GRU and LSTM: the products with inputs at once, then a few operators per step."""
import numpy

from . import _movement
from ._tensor import is_known, unsupported

_ACTIVATIONS = ("relu", "sigmoid", "softplus", "softsign", "tanh")


def _part(node, x, axis, start, end):
    """x[start:end] along an axis, as a value."""
    if is_known(x):
        return node.value(numpy.ascontiguousarray(
            x[tuple(slice(start, end) if d == axis else slice(None) for d in range(x.ndim))]))
    return node.value(_movement.slice_along(node, x, [start], [end], [axis], [1]))


def _matrix(node, x, direction):
    """Of the first axis's entry: {directions, a, b} as {a, b}, {directions, a} as {1, a}."""
    return _part(node, x, 0, direction, direction + 1).reshape(x.shape[1:] if x.ndim > 2 else
                                                               (1, x.shape[1]))


class _Cell:
    """One direction of a layer; values are {batch, ...}."""

    gates, kinds = 1, ("tanh",)

    def __init__(self, node, direction, r, bias, peepholes):
        self.node, self.direction, self.hidden = node, direction, r.shape[2]
        count = len(self.kinds)
        kinds = [k.decode().lower() for k in node.attr("activations") or ()][
            direction * count:(direction + 1) * count] or list(self.kinds)
        for kind in kinds:
            if kind not in _ACTIVATIONS:
                raise unsupported(f"the activation {kind}")
        if node.attr("clip") is not None or node.attr("input_forget", 0):
            raise unsupported("clip and input_forget")
        self.kinds = kinds
        self.r = _matrix(node, r, direction)
        width = self.gates * self.hidden
        self.biases = None if bias is None else [
            _part(node, bias, 1, i * width, (i + 1) * width) for i in range(2)]
        if self.biases and bias.shape[0] > 1:
            self.biases = [self.pick(value) for value in self.biases]
        self.peepholes = None if peepholes is None else self.split(_matrix(node, peepholes,
                                                                           direction), 3)

    def pick(self, value):
        """This direction's row."""
        return _part(self.node, self.node.tensor(value), 0, self.direction, self.direction + 1)

    def act(self, number, value):
        kind = self.kinds[number]
        fields = {"Steepness": 1.0} if kind == "softplus" else {}
        return self.node.record("ACTIVATION_" + kind.upper(), [value], fields)

    def product(self, a, b, bias=None):
        """a b^T + bias"""
        if bias is not None:
            bias = bias.broadcast_to((a.shape[0], b.shape[0]))
        return self.node.record("GEMM", [a, b, bias], {"TransB": "TRANSPOSE"})

    def split(self, value, count):
        sizes = [value.shape[0], self.hidden]
        return self.node.record("SPLIT", [value], {
            "Axis": 1, "OutputCount": count,
            "OutputTensors": [{"DataType": value.data_type, "Sizes": sizes}] * count}, count)

    def inputs(self, flat, w):
        """Of all steps; GRU adds the second bias apart."""
        value = self.product(flat, w, self.biases and self.biases[0])
        if self.biases and not isinstance(self, _Gru):
            value = value + self.biases[1]
        return value

    def step(self, given, states):
        """The next states, the output first."""
        return [self.act(0, given + self.product(states[0], self.r))]


class _Gru(_Cell):
    gates, kinds = 3, ("sigmoid", "tanh")

    def step(self, given, states):
        h, bias = states[0], self.biases and self.biases[1]
        z, r, candidate = self.split(given, 3)
        recurrent = self.split(self.product(h, self.r, bias), 3)
        z, r = (self.act(0, a + b) for a, b in ((z, recurrent[0]), (r, recurrent[1])))
        if self.node.attr("linear_before_reset", 0):
            last = r * recurrent[2]
        else:
            rows = self.node.tensor(self.r)
            weights = _part(self.node, rows, 0, 2 * self.hidden, 3 * self.hidden)
            own = None if bias is None else _part(self.node, self.node.tensor(bias), 1,
                                                  2 * self.hidden, 3 * self.hidden)
            last = self.product(r * h, weights, own)
        candidate = self.act(1, candidate + last)
        return [candidate - z * candidate + z * h]


class _Lstm(_Cell):
    gates, kinds = 4, ("sigmoid", "tanh", "tanh")

    def step(self, given, states):
        h, c = states
        i, o, f, g = self.split(given + self.product(h, self.r), 4)
        if self.peepholes:
            i, f = i + self.peepholes[0] * c, f + self.peepholes[2] * c
        c = self.act(0, f) * c + self.act(0, i) * self.act(1, g)
        if self.peepholes:
            o = o + self.peepholes[1] * c
        return [self.act(0, o) * self.act(2, c), c]


def _masked(node, lengths, t, new, old):
    """The new values where a sequence is that long."""
    shape = [lengths.size, 1]
    is_within = node.record("ELEMENT_WISE_LOGICAL_GREATER_THAN", [
        node.value(lengths, shape), node.number(t, lengths.dtype).broadcast_to(shape)])
    return node.record("ELEMENT_WISE_IF", [is_within.broadcast_to(new.shape), new, old])


def _stack(node, values, axis):
    """Values along a new axis."""
    values = [v.reshape((*v.shape[:axis], 1, *v.shape[axis:])) for v in values]
    return _movement.join(node, values, axis)


def _run(node, cell, x, w, lengths, states, is_reverse):
    """Outputs of every step, in time's order, and the last states."""
    steps, batch = x.shape[:2]
    given = cell.inputs(x.reshape((steps * batch, x.shape[2])), w)
    given = node.tensor(given, (steps, batch, given.shape[1]))
    zero = node.number(0, given.dtype).broadcast_to((batch, cell.hidden))
    states, found = list(states or [zero] * (2 if isinstance(cell, _Lstm) else 1)), {}
    for t in reversed(range(steps)) if is_reverse else range(steps):
        made = cell.step(_part(node, given, 0, t, t + 1).reshape((batch, given.shape[2])), states)
        found[t] = made[0]
        if lengths is not None:
            found[t] = _masked(node, lengths, t, made[0], zero)
            made = [_masked(node, lengths, t, new, old) for new, old in zip(made, states)]
        states = made
    return _stack(node, [found[t] for t in range(steps)], 0), states


def _recurrent(kind):
    def convert(node, x, w, r, bias=None, lengths=None, h=None, c=None, peepholes=None):
        is_batch_first = node.attr("layout", 0)
        value = node.value(x).transpose(1, 0, 2) if is_batch_first else node.value(x)
        reverses = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}[
            node.attr("direction")]
        first = [s for s in ((h, c) if kind is _Lstm else (h,)) if s is not None]
        outputs, last = [], []
        for d, is_reverse in enumerate(reverses):
            cell = kind(node, d, r, bias, peepholes)
            given = [_part(node, s, 1 if is_batch_first else 0, d, d + 1).reshape(
                (value.shape[1], cell.hidden)) for s in first]
            if given and kind is _Lstm and len(given) < 2:
                raise unsupported("one of initial_h and initial_c")
            y, states = _run(node, cell, value, _matrix(node, w, d), lengths, given, is_reverse)
            outputs.append(y)
            last.append(states)
        y = _stack(node, outputs, 1)
        if is_batch_first:
            y = y.transpose(2, 0, 1, 3)
        return [node.tensor(y), *(node.tensor(_stack(node, states, 1 if is_batch_first else 0))
                                  for states in zip(*last))]
    return convert


OPERATORS = {"GRU": _recurrent(_Gru), "LSTM": _recurrent(_Lstm), "RNN": _recurrent(_Cell)}
