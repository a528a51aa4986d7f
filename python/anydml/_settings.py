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
    if isinstance(value, (type, dict, set, frozenset)):
        return value
    if hasattr(value, "tolist"):           # NumPy's and torch's arrays and numbers
        try:
            value = value.tolist()
        except Exception:                  # a tensor that has no values, for one
            return value
    for change in (_operator.index, float, lambda v: tuple(_plain(entry) for entry in v)):
        try:
            return value if type(value) in _PLAIN else change(value)
        except Exception:
            pass
    return value


def key(settings, where):
    """Text that is the same for equal settings alone."""
    try:
        return repr(settings)
    except Exception:
        raise _errors.InvalidArgument(f"{where}: a setting cannot be written as text, as an "
                                      f"integer of more than 4300 digits cannot") from None


def _refuse(where, setting, value, rule):
    return _errors.WrongType(f"{where}: {setting.name} = {_errors.show(value)} must be {rule}")


def is_number(value):
    """Text converts to numbers, and True is 1 to Python: neither is meant."""
    return not isinstance(value, (str, bytes, bool))


def integer(value):
    if not is_number(value):
        raise TypeError
    found = _operator.index(value)
    float(found)                           # OverflowError beyond FLOAT64
    return found


def number(value):
    """Integers stay exact; the reader has words for what JSON cannot write."""
    if not is_number(value):
        raise TypeError
    try:
        return integer(value)
    except TypeError:
        number = float(value)
    if math.isfinite(number):
        return number
    return "nan" if math.isnan(number) else "inf" if number > 0 else "-inf"


def _number(value, setting, where):
    convert, rule = (integer, "an integer") if "INT" in setting.type else (number, "a number")
    try:
        return convert(value)
    except (TypeError, ValueError):
        raise _refuse(where, setting, value, rule) from None
    except OverflowError:
        raise _errors.InvalidArgument(f"{where}: {setting.name} = {_errors.show(value)} must be "
                                      f"{rule} in the range of FLOAT64") from None


def _array(value, setting, count, where):
    """One entry per dimension; a single number stands for all."""
    if not is_number(value) or isinstance(value, (dict, set, frozenset)):
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


def _bool(value, setting, where):
    if isinstance(value, (bool, int)) and value in (0, 1):
        return bool(value)
    raise _refuse(where, setting, value, "True or False")


def _scale_bias(value, setting, where):
    try:
        scale, bias = value
    except (TypeError, ValueError):
        raise _refuse(where, setting, value, "a pair of numbers, scale and bias") from None
    return {"Scale": _number(scale, setting, where), "Bias": _number(bias, setting, where)}


def _size_2d(value, setting, where):
    try:
        width, height = (integer(entry) for entry in value)
    except (TypeError, ValueError):
        raise _refuse(where, setting, value, "a pair of integers, width and height") from None
    return {"Width": width, "Height": height}


def _fused(value, setting, where):
    """An operator without its tensors: its name, or a dict of Type and its fields."""
    fields = {"Type": value} if isinstance(value, str) else value
    if not isinstance(fields, dict) or not isinstance(fields.get("Type"), str):
        raise _refuse(where, setting, value, "the name of an operator, or a dict with its Type and "
                      "its fields")
    return {str(name): entry if name == "Type" else _number(entry, setting, where)
            for name, entry in fields.items()}


def convert(setting, value, count, where):
    """The JSON value of a setting; None stays None, for _describe.py to work out or to leave out."""
    if value is None and setting.default is None:
        return None
    if setting.is_array:
        return _array(value, setting, count, where)
    if setting.type == "ENUM":
        return _enumerator(value, setting, where)
    if setting.type == "BOOL":
        return _bool(value, setting, where)
    if setting.type == "OPERATOR_DESC":
        return _fused(value, setting, where)
    if setting.type == "SCALE_BIAS":
        return _scale_bias(value, setting, where)
    if setting.type == "SIZE_2D":
        return _size_2d(value, setting, where)
    return _number(value, setting, where)


def convert_sizes(value, where):
    """output_sizes as a tuple, or None."""
    if value is None:
        return None
    try:
        if isinstance(value, (str, bytes, dict, set, frozenset)):
            raise TypeError
        return tuple(integer(entry) for entry in value)
    except TypeError:
        raise _errors.WrongType(f"{where}: output_sizes = {_errors.show(value)} must be a sequence "
                                f"of integers") from None
