# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Exceptions. Each is an anydml.Error and the built-in exception that a caller would expect."""


class Error(Exception):
    """Whatever this package refuses or fails at; its text is one sentence."""


class InvalidArgument(Error, ValueError):
    """A description, an array or an argument breaks a rule."""


class WrongType(Error, TypeError):
    """An object that is no array, or an array whose elements no operator takes."""


class Unsupported(Error, NotImplementedError):
    """Known, and not available here."""


class OutOfMemory(Error, MemoryError):
    """The library could not get the memory that it needs."""


class InternalError(Error, RuntimeError):
    """A defect of the library."""


class DeviceLost(Error, RuntimeError):
    """A device failed, and what was on it is gone."""


def show(value):
    """A value for a sentence: repr(), where it has one and that is not endless."""
    try:
        text = repr(value)
    except Exception:                      # an int of more than 4300 digits, a stranger's object
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 200 else text[:200] + " ..."


# By anydml_status.
BY_STATUS = {1: InvalidArgument, 2: Unsupported, 3: OutOfMemory, 4: InternalError, 5: DeviceLost}

for _error in (Error, InvalidArgument, WrongType, Unsupported, OutOfMemory, InternalError,
               DeviceLost):
    _error.__module__ = "anydml"           # where callers find them
