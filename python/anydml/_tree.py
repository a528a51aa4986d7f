# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Arrays in dicts, lists and tuples: their names, the arrays one by one, and the way back."""

LEAF = "leaf"
_NONE = "none"


def flatten(tree, name="", is_leaf=lambda tree: False):
    """([(name, leaf)], structure). The leaf c of tree["b"][0]["c"] has the name "b.0.c", behind
    `name`; None holds no leaves. Structures are hashable, and equal for trees that are alike."""
    if is_leaf(tree):
        return [(name, tree)], LEAF
    if tree is None:
        return [], _NONE
    if isinstance(tree, dict):
        kind, keys, entries = dict, tuple(tree), tree.values()
    elif isinstance(tree, (list, tuple)):
        kind, keys, entries = type(tree), range(len(tree)), tree
    else:
        return [(name, tree)], LEAF
    leaves, children = [], []
    for key, entry in zip(keys, entries):
        found, child = flatten(entry, f"{name}.{key}" if name else str(key), is_leaf)
        leaves += found
        children.append(child)
    return leaves, (kind, keys, tuple(children))


def unflatten(structure, leaves):
    """The tree with these leaves, an iterable."""
    return _build(structure, iter(leaves))


def _build(structure, leaves):
    if structure == LEAF:
        return next(leaves)
    if structure == _NONE:
        return None
    kind, keys, children = structure
    entries = [_build(child, leaves) for child in children]
    if kind is dict:
        return dict(zip(keys, entries))
    return kind(*entries) if hasattr(kind, "_fields") else kind(entries)
