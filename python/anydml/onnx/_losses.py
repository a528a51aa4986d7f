# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Losses, of several operators each."""
import math

import numpy


def negative_log_likelihood(node, x, target, weight=None):
    """x {N, C, ...}: minus what stands at the target's class, weighted; 0 where it is ignored."""
    classes = x.shape[1]
    at = node.value(target, (x.shape[0], 1, *x.shape[2:]))
    pair = node.along(numpy.array([0, 1], "uint8"), 1, x.ndim)
    chosen = node.record("ONE_HOT", [at, pair],
                         {"Axis": 1, "OutputTensor": node.output("uint8", x.shape)})
    ignored = node.attr("ignore_index")
    if ignored is not None:                # also a negative one, which ONE_HOT counts from the end
        same = node.record("ELEMENT_WISE_LOGICAL_EQUALS", [
            at, node.number(ignored, target.dtype).broadcast_to(at.shape)])
        kept = node.record("ELEMENT_WISE_LOGICAL_NOT", [same]).broadcast_to(x.shape)
        chosen = node.record("ELEMENT_WISE_LOGICAL_AND", [chosen, kept])
    if weight is None:
        weight = numpy.ones(classes, x.dtype)
    weights = node.along(weight, 1, x.ndim).broadcast_to(x.shape)
    zero = node.number(0, x.dtype).broadcast_to(x.shape)
    value = node.value(x)

    def of_target(values):
        picked = node.record("ELEMENT_WISE_IF", [chosen, values, zero])
        found = node.record("REDUCE", [picked], {"Function": "SUM", "Axes": [1]})
        return found.reshape((math.prod(at.shape),))
    loss = -of_target(value * weights)
    reduction = node.attr("reduction")
    if reduction == "none":
        return node.tensor(loss, target.shape)
    total = loss.sum()
    if reduction == "mean":
        total = total / of_target(weights).sum()
    return node.tensor(total, ())


def softmax_cross_entropy(node, scores, target, weight=None):
    found = node.elements("ACTIVATION_LOG_SOFTMAX1", [scores], {"Axes": [1]})
    return [negative_log_likelihood(node, found, target, weight), found]


OPERATORS = {"NegativeLogLikelihoodLoss": negative_log_likelihood,
             "SoftmaxCrossEntropyLoss": softmax_cross_entropy}
