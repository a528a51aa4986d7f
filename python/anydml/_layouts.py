# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Types of elements and layouts of arrays, in DirectML's words and in NumPy's."""
import collections

from . import _errors

# Strides count elements and may be negative here; `device` is the library's name, "cuda:0".
Layout = collections.namedtuple("Layout", "data_type sizes strides writable device")

NUMPY_NAMES = {"FLOAT32": "float32", "FLOAT16": "float16", "FLOAT64": "float64",
               "UINT8": "uint8", "UINT16": "uint16", "UINT32": "uint32", "UINT64": "uint64",
               "INT8": "int8", "INT16": "int16", "INT32": "int32", "INT64": "int64"}
# By their numbers in DirectML.
NUMBERED = ("UNKNOWN", "FLOAT32", "FLOAT16", "UINT32", "UINT16", "UINT8", "INT32", "INT16", "INT8",
            "FLOAT64", "UINT64", "INT64")
DATA_TYPES = {name: data_type for data_type, name in NUMPY_NAMES.items()}
# Bytes of an element by NumPy's name.
ITEM_SIZES = {name: int(name.lstrip("uintfloa")) // 8 for name in DATA_TYPES}


def packed_strides(sizes):
    strides, step = [], 1
    for size in reversed(sizes):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


def product(sizes):
    count = 1
    for size in sizes:
        count *= size
    return count


def is_packed(sizes, strides):
    return all(size == 1 or stride == packed
               for size, stride, packed in zip(sizes, strides, packed_strides(sizes)))


def type_name(dtype):
    """"uint64" of "uint64", numpy.uint64, numpy.dtype("uint64") or torch's; what is none of them
    comes as some text."""
    text = dtype.__name__ if isinstance(dtype, type) else str(dtype)
    return text.rpartition(".")[2]


def whole_strides(sizes, strides, item_size, name):
    """Strides in elements from strides in bytes. That of a single element may be anything."""
    if any(s % item_size for n, s in zip(sizes, strides) if n > 1):
        raise _errors.InvalidArgument(f"{name}: strides of {tuple(strides)} bytes must be "
                                      f"multiples of the element size {item_size}")
    return tuple(s // item_size for s in strides)


def wrong_type(name, what):
    return _errors.WrongType(f"{name}: elements of type {what} are refused; the types are "
                             + ", ".join(sorted(DATA_TYPES)))
