# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Values of settings, from what callers write to what the library's JSON reader takes."""
import math
import operator as _operator

from . import _errors


_PLAIN = frozenset({int, float, str, bool, type(None)})


def plain(settings):
    """The same values as Python's own numbers in tuples and lists, whose repr() tells them apart:
    NumPy's prints 0.1 for numbers that are not equal, and a stranger's may print anything."""
    for value in settings:
        kind = type(value)
        if kind in _PLAIN:
            continue
        if kind is tuple or kind is list:
            for entry in value:
                if type(entry) not in _PLAIN:
                    return tuple(_plain(v) for v in settings)
        else:
            return tuple(_plain(v) for v in settings)
    return settings


def _plain(value):
    """What is no number, text or sequence stays as it is, to be refused."""
    if type(value) in _PLAIN or isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return str(value)
    if hasattr(value, "tolist"):           # NumPy's and torch's arrays and numbers
        value = value.tolist()
    for change in (_operator.index, float, lambda v: tuple(_plain(entry) for entry in v)):
        try:
            return value if type(value) in _PLAIN else change(value)
        except (TypeError, ValueError):
            pass
    return value


def _refuse(where, setting, value, rule):
    return _errors.WrongType(f"{where}: {setting.name} = {value!r} must be {rule}")


def _is_text(value):
    return isinstance(value, (str, bytes))


def _integer(value):
    return _operator.index(value)


def _float(value):
    """Integers stay exact; the reader has words for what JSON cannot write."""
    try:
        return _operator.index(value)
    except TypeError:
        number = float(value)
    if math.isfinite(number):
        return number
    return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"


def _number(value, setting, where):
    convert, rule = (_integer, "an integer") if "INT" in setting.type else (_float, "a number")
    try:
        if _is_text(value):
            raise TypeError
        return convert(value)
    except (TypeError, ValueError):
        raise _refuse(where, setting, value, rule) from None


def _array(value, setting, count, where):
    """One entry per dimension; a single number stands for all."""
    if _is_text(value):
        raise _refuse(where, setting, value, "a number or a sequence of numbers")
    try:
        entries = list(value)
    except TypeError:
        return [_number(value, setting, where)] * count
    return [_number(entry, setting, where) for entry in entries]


def _enumerator(value, setting, where):
    if isinstance(value, str) and value.lower() in setting.enumerators:
        return value.upper()
    raise _refuse(where, setting, value, " or ".join(map(repr, setting.enumerators)))


def _scale_bias(value, setting, where):
    try:
        scale, bias = value
    except (TypeError, ValueError):
        raise _refuse(where, setting, value, "a pair of numbers, scale and bias") from None
    return {"Scale": _number(scale, setting, where), "Bias": _number(bias, setting, where)}


def convert(setting, value, count, where):
    """The JSON value of a setting; None stays None, for _sizes.py to work out or to leave out."""
    if value is None and setting.default is None:
        return None
    if setting.is_array:
        return _array(value, setting, count, where)
    if setting.type == "ENUM":
        return _enumerator(value, setting, where)
    if setting.type == "BOOL":
        return bool(value)
    if setting.type == "SCALE_BIAS":
        return _scale_bias(value, setting, where)
    return _number(value, setting, where)


def convert_sizes(value, where):
    """output_sizes as a tuple, or None."""
    if value is None:
        return None
    try:
        return tuple(_integer(entry) for entry in value)
    except TypeError:
        raise _errors.WrongType(
            f"{where}: output_sizes = {value!r} must be a sequence of integers") from None
