# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Branches and loops, decided and unrolled when a model is recorded: what decides them is known
then, or becomes part of what is compiled."""
import numpy

from . import _movement
from ._tensor import is_known, unsupported

_MAX_STEPS = 1000


def _stack(node, xs, axis):
    """Along a new axis."""
    if not xs:
        raise unsupported("a loop without steps, whose results have no known sizes")
    if all(map(is_known, xs)):
        return numpy.stack(xs, axis)
    parts = [node.reshape(x, (*x.shape[:axis], 1, *x.shape[axis:])) for x in xs]
    return _movement.like(node, _movement.join(node, [node.value(x) for x in parts], axis), xs[0])


def _body(node, graph, arguments):
    """The outputs of a loop's body for these values of its inputs."""
    return node.recorder.walk(graph, dict(zip((i.name for i in graph.input), arguments)))


def if_of(node, condition):
    branch = "then_branch" if bool(node.known(condition).reshape(())) else "else_branch"
    return node.recorder.walk(node.attr(branch))


def loop(node, trips=None, condition=None, *carried):
    body, steps, scans = node.attr("body"), 0, []
    count = None if trips is None else int(node.known(trips).reshape(()))
    goes_on = condition is None or bool(node.known(condition).reshape(()))
    while goes_on and (count is None or steps < count):
        if steps == _MAX_STEPS:
            raise unsupported(f"a loop of more than {_MAX_STEPS} steps, which is unrolled")
        found = _body(node, body, [numpy.array(steps), numpy.array(True), *carried])
        goes_on = bool(node.known(found[0]).reshape(()))
        scans.append(found[1 + len(carried):])
        carried, steps = found[1:1 + len(carried)], steps + 1
    return [*carried, *(_stack(node, list(xs), 0) for xs in zip(*scans))]


def scan(node, *inputs):
    if node.version < 9:
        raise unsupported("Scan before version 9")
    count, body = node.attr("num_scan_inputs"), node.attr("body")
    states, scanned = list(inputs[:-count]), inputs[-count:]
    axes = [node.in_range(a, x.ndim) for a, x in
            zip(node.attr("scan_input_axes", [0] * count), scanned)]
    reverses = node.attr("scan_input_directions", [0] * count)
    steps, rows = scanned[0].shape[axes[0]], []
    for step in range(steps):
        parts = []
        for x, axis, is_reverse in zip(scanned, axes, reverses):
            at = steps - 1 - step if is_reverse else step
            part = numpy.take(x, [at], axis) if is_known(x) else (
                _movement.slice_along(node, x, [at], [at + 1], [axis], [1]))
            parts.append(node.reshape(part, x.shape[:axis] + x.shape[axis + 1:]))
        found = _body(node, body, [*states, *parts])
        states, rows = found[:len(states)], [*rows, found[len(states):]]
    outputs = [list(xs) for xs in zip(*rows)]
    axes = node.attr("scan_output_axes", [0] * len(outputs))
    for xs, is_reverse in zip(outputs, node.attr("scan_output_directions", [0] * len(outputs))):
        if is_reverse:
            xs.reverse()
    return [*states, *(_stack(node, xs, node.in_range(axis, xs[0].ndim + 1))
                       for xs, axis in zip(outputs, axes))]


OPERATORS = {"If": if_of, "Loop": loop, "Scan": scan}
