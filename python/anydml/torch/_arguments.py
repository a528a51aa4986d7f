# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Arguments of the functions as Python's own numbers, or a refusal in words.

Integers are what operator.index() takes, NumPy's and torch's included; True and 2.0 are none. The
first lines of each function are what torch.compile follows.
"""
import operator

from anydml import _errors


MOST = 2**32 - 1                           # a UINT of DirectML


def refuse(function, sentence):
    return _errors.InvalidArgument(f"anydml.torch.{function}: {sentence}")


def wrong_type(function, name, value, rule):
    return _errors.WrongType(f"anydml.torch.{function}: {name} = {_errors.show(value)} must be "
                             f"{rule}")


def _is_bool(value):
    """NumPy's and torch's too, which have an index as Python's own has."""
    return isinstance(value, bool) or str(getattr(value, "dtype", "")) in ("bool", "torch.bool")


def integer(value, function, name, rule="an integer"):
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    try:
        if _is_bool(value):
            raise TypeError
        return operator.index(value)
    except Exception:
        raise wrong_type(function, name, value, rule) from None


def number(value, function, name, rule="a number"):
    """A finite one greater than 0."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        try:
            if _is_bool(value) or isinstance(value, (str, bytes)):
                raise TypeError
            value = float(value)
        except Exception:
            raise wrong_type(function, name, value, rule) from None
    if not 0 < value <= _LARGEST:
        raise refuse(function, f"{name} = {_errors.show(value)} must be finite and greater than 0")
    return value


_LARGEST = 3.4028234663852886e38           # of float32


def boolean(value, function, name):
    if value is True or value is False:
        return value
    if _is_bool(value) or (isinstance(value, int) and value in (0, 1)):
        return bool(value)
    raise wrong_type(function, name, value, "True or False")


def choice(value, function, name, known):
    if isinstance(value, str) and value in known:
        return value
    raise refuse(function, f"{name} = {_errors.show(value)} must be one of {', '.join(known)}")


def is_sequence(value):
    """Of numbers; arrays and tensors of one dimension are sequences too."""
    if isinstance(value, (list, tuple)):
        return True
    if isinstance(value, (int, float)):
        return False
    return getattr(value, "ndim", 0) == 1 or (
        hasattr(value, "__getitem__") and hasattr(value, "__len__") and not hasattr(value, "ndim")
        and not isinstance(value, (str, bytes, dict)))


def integers(value, count, function, name, least):
    """PyTorch's "int or tuple of ints", none of them below `least`."""
    found = listed(value, count, function, name, integer, "an integer or a sequence of integers")
    for entry in found:
        if entry < least:
            raise refuse(function, f"{name} = {_errors.show(value)} must be at least {least}")
        if entry > MOST:
            raise refuse(function, f"{name} = {_errors.show(value)} must be at most {MOST}")
    return found


def numbers(value, count, function, name):
    return listed(value, count, function, name, number, "a number or a sequence of numbers")


def listed(value, count, function, name, convert, rule):
    """`count` entries; one alone stands for all."""
    if not is_sequence(value):
        return [convert(value, function, name, rule)] * count
    entries = [convert(entry, function, name, rule) for entry in value]
    if len(entries) == 1:
        entries = entries * count
    if len(entries) != count:
        raise refuse(function, f"{name} = {_errors.show(value)} must have {count} entries")
    return entries
