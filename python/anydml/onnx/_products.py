# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Products of matrices, and of what is seen as such."""
import math

from ._tensor import broadcast_shapes, unsupported


def gemm(node, a, b, c=None):
    transposes = [bool(node.attr(name)) for name in ("transA", "transB")]
    words = ["TRANSPOSE" if t else "NONE" for t in transposes]
    rows, columns = a.shape[1 if transposes[0] else 0], b.shape[0 if transposes[1] else 1]
    bias = None if c is None or c.size == 0 else node.broadcast(c, (rows, columns))
    fields = {"TransA": words[0], "TransB": words[1], "Alpha": node.attr("alpha"),
              "Beta": node.attr("beta")}
    return node.tensor(node.record("GEMM", [node.value(a), node.value(b), bias], fields))


def _matrices(node, a, b):
    """Operands of NumPy's matmul as values {batch, rows, columns}, and the result's shape."""
    left = a.shape if a.ndim > 1 else (1, *a.shape)
    right = b.shape if b.ndim > 1 else (*b.shape, 1)
    batch = broadcast_shapes(left[:-2], right[:-2])
    count = math.prod(batch)
    values = []
    for x, shape in ((a, left), (b, right)):
        value = node.value(x, shape).broadcast_to((*batch, *shape[-2:]))
        values.append(value.reshape((count, *shape[-2:])))
    ends = left[-2:-1] * (a.ndim > 1) + right[-1:] * (b.ndim > 1)
    return values, (*batch, *ends)


def matmul(node, a, b):
    values, shape = _matrices(node, a, b)
    return node.tensor(node.record("GEMM", [*values, None]), shape)


def _zero_point(node, zero, axis):
    """One, or one per row or column, as a value of three dimensions."""
    if zero is None:
        return None
    if zero.ndim > 1:
        raise unsupported("zero points of more than one dimension")
    return node.along(zero, axis, 3)


def matmul_integer(node, a, b, a_zero=None, b_zero=None):
    (left, right), shape = _matrices(node, a, b)
    inputs = [left, _zero_point(node, a_zero, 1), right, _zero_point(node, b_zero, 2)]
    return node.tensor(node.record("MATRIX_MULTIPLY_INTEGER", inputs), shape)


# ---- Einsum

class _Labelled:
    """A value whose axes have names: letters of an equation, or numbers within an ellipsis."""

    def __init__(self, value, labels):
        self.labels, self.value = list(dict.fromkeys(labels)), value
        if len(self.labels) < len(labels):             # a diagonal is a sum of strides
            strides = [sum(s for s, other in zip(value.strides, labels) if other == label)
                       for label in self.labels]
            sizes = [value.shape[labels.index(label)] for label in self.labels]
            self.value = value._view(sizes, strides)

    def sizes(self):
        return dict(zip(self.labels, self.value.shape))

    def sum(self, node, kept):
        """Over the axes that are not kept."""
        axes = [d for d, label in enumerate(self.labels) if label not in kept]
        if not axes:
            return self
        found = node.record("REDUCE", [self.value], {"Function": "SUM", "Axes": axes})
        labels = [label for label in self.labels if label in kept]
        return _Labelled(found.reshape([self.sizes()[label] for label in labels] or [1]), labels)

    def ordered(self, *groups):
        """Axes in this order, those of a group as one."""
        order = [self.labels.index(label) for group in groups for label in group]
        value = self.value.transpose(*order) if order else self.value
        return value.reshape([math.prod(self.sizes()[label] for label in group)
                              for group in groups])


def _product(node, a, b, kept):
    """The product of two, summed over what is not kept, as products of matrices."""
    a, b = a.sum(node, {*kept, *b.labels}), b.sum(node, {*kept, *a.labels})
    both = [label for label in a.labels if label in b.labels]
    batch, inner = ([label for label in both if (label in kept) is wanted]
                    for wanted in (True, False))
    rows, columns = ([label for label in x.labels if label not in both] for x in (a, b))
    found = node.record("GEMM", [a.ordered(batch, rows, inner), b.ordered(batch, inner, columns),
                                 None])
    sizes, labels = {**a.sizes(), **b.sizes()}, batch + rows + columns
    return _Labelled(found.reshape([sizes[label] for label in labels] or [1]), labels)


def einsum(node, *xs):
    left, arrow, right = node.attr("equation").replace(" ", "").partition("->")
    terms = left.split(",")

    def labels(term, rank):
        before, dots, after = term.partition("...")
        return [*before, *(range(-(rank - len(before + after)), 0) if dots else ()), *after]
    operands = [_Labelled(node.value(x), labels(term, x.ndim)) for term, x in zip(terms, xs)]
    every = [label for term, x in zip(terms, xs) for label in labels(term, x.ndim)]
    widest = max((-label for label in every if isinstance(label, int)), default=0)
    letters = sorted(label for label in set(every) if isinstance(label, str))
    if not arrow:
        right = "..." * (widest > 0) + "".join(l for l in letters if every.count(l) == 1)
    kept = labels(right, widest + len(right.replace("...", "")))
    if any(len({x.sizes()[label] for x in operands if label in x.labels}) > 1
           for label in every):
        raise unsupported("operands that broadcast")
    result = operands[0]
    for number, operand in enumerate(operands[1:], 2):
        later = {label for x in operands[number:] for label in x.labels}
        result = _product(node, result, operand, {*kept, *later})
    result = result.sum(node, set(kept))
    shape = [result.sizes()[label] for label in kept]
    return node.tensor(result.ordered(*[[label] for label in kept]) if kept else result.value,
                       shape)


OPERATORS = {"Einsum": einsum, "Gemm": gemm, "MatMul": matmul, "MatMulInteger": matmul_integer}
