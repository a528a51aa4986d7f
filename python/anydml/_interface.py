# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Memory by __cuda_array_interface__, versions 2 and 3."""
import operator

from . import _errors, _layouts, _library

_KINDS = {"f": "float", "i": "int", "u": "uint"}


def _type_name(described, name):
    """NumPy's name of '<f4'; what has none stays as it is, to be refused."""
    text = described["typestr"]
    if text[0] == ">":
        raise _errors.WrongType(f"{name}: the byte order of {text!r} is not this machine's")
    kind = _KINDS.get(text[1:2])
    return text if kind is None else f"{kind}{int(text[2:]) * 8}"


def _device(pointer, name):
    found = _library.memory_device(pointer)
    if found == "cpu":
        try:
            _library.device("cuda")        # says so where there is none
        except _errors.Unsupported as error:
            raise _errors.Unsupported(f"{name}: {error}") from None
        raise _errors.InvalidArgument(f"{name}: the memory of its __cuda_array_interface__ belongs "
                                      f"to no CUDA device of this library")
    return found


def _wait(device, stream, name):
    """The host waits for the stream that the values come from: 1 is the default stream, 2 the
    thread's own, and CUDA's functions take these numbers too."""
    if stream is None:
        return
    if stream == 0:                        # the interface forbids it: it could be either default
        raise _errors.InvalidArgument(f"{name}: the stream 0 in its __cuda_array_interface__ must "
                                      f"be 1 (the default stream), 2 (the thread's) or a handle")
    _library.synchronize(device, None if stream == 1 else stream)


class Borrowed:
    """What an interface says; valid as long as its array, which this object keeps."""

    def __init__(self, array, name):
        self.original = array
        try:
            self._read(array.__cuda_array_interface__, name)
        except (_errors.Error, MemoryError):
            raise
        except Exception as error:
            raise _errors.WrongType(f"{name}: its __cuda_array_interface__ cannot be read: "
                                    f"{error!r}") from error

    def _read(self, described, name):
        if described.get("mask") is not None:
            raise _errors.Unsupported(f"{name}: a masked array is refused")
        self.type_name = _type_name(described, name)
        self.sizes = tuple(operator.index(n) for n in described["shape"])
        pointer, read_only = described["data"]
        self.pointer = operator.index(pointer)
        self.writable = not read_only
        strides = described.get("strides")
        if min(self.sizes, default=0) < 0 or not 0 <= self.pointer < 2**64 or (
                strides is not None and len(strides) != len(self.sizes)):
            raise ValueError(f"shape {self.sizes}, strides {strides} and address {self.pointer}")
        size = _layouts.ITEM_SIZES.get(self.type_name, 1)
        self.strides = _layouts.packed_strides(self.sizes) if strides is None else (
            _layouts.whole_strides(self.sizes, strides, size, name))
        # An array without elements has no memory to look at; the library refuses its sizes.
        self.device = _device(self.pointer, name) if all(self.sizes) else "cuda:0"
        if all(self.sizes):
            _wait(self.device, described.get("stream"), name)
        self.key = self.type_name, self.sizes, self.strides, self.writable, self.device
