# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Arrays of the caller's kind: what a description needs of them, their memory, and new ones.

A kind has these functions. key(array) is all that a description depends on, cheap and hashable;
layout(array, name) is the same in DirectML's words or a refusal; pointer(array) is the address of
the first element; maker(layout) is a function that makes arrays; turn(array, axes) is a view on
which these axes run backwards. Nothing is copied but by pack(array), which gives an array that is
packed, where the kind can make one.

A kind that `borrows` looks at an array through a protocol for the length of one call. One that has
streams puts work on a GPU there and does not wait for it.
"""
import sys

from . import _dlpack, _errors, _interface
from ._device_array import DeviceArray
from ._layouts import (DATA_TYPES, Layout, NUMPY_NAMES, packed_strides, whole_strides, wrong_type)
from ._torch_arrays import TorchKind


def _turn_by_slices(array, axes):
    return array[tuple(slice(None, None, -1 if d in axes else None) for d in range(array.ndim))]


class NumpyKind:
    """numpy.ndarray. The module is imported by whoever made the array."""

    borrows = has_streams = False
    turn = staticmethod(_turn_by_slices)

    def __init__(self):
        self.numpy = sys.modules["numpy"]
        self.data_types = {self.numpy.dtype(n): d for n, d in DATA_TYPES.items()}

    @staticmethod
    def key(array):
        return array.dtype, array.shape, array.strides

    @staticmethod
    def pack(array):
        return array if array.flags.c_contiguous else array.copy("C")

    @staticmethod
    def pointer(array):
        return array.ctypes.data

    @staticmethod
    def is_writable(array):
        return array.flags.writeable

    def layout(self, array, name):
        data_type = self.data_types.get(array.dtype)
        if data_type is None:
            raise self._refused(array.dtype, name)
        strides = whole_strides(array.shape, array.strides, array.itemsize, name)
        return Layout(data_type, array.shape, strides, array.flags.writeable, "cpu")

    def _refused(self, dtype, name):
        native = dtype.newbyteorder("=")
        if native in self.data_types:
            return _errors.WrongType(f"{name}: the byte order of {dtype.str!r} is not this "
                                     f"machine's; use {name}.astype({native.name!r})")
        return wrong_type(name, dtype)

    def maker(self, layout):
        """Memory in the order of the strides, seen through its transposition."""
        empty, dtype = self.numpy.empty, self.numpy.dtype(NUMPY_NAMES[layout.data_type])
        if layout.strides == packed_strides(layout.sizes):
            return lambda: empty(layout.sizes, dtype)
        order = sorted(range(len(layout.sizes)), key=lambda d: -layout.strides[d])
        sizes, back = [layout.sizes[d] for d in order], self.numpy.argsort(order)
        return lambda: empty(sizes, dtype).transpose(back)


class OwnKind:
    """This package's own arrays."""

    borrows = has_streams = False

    @staticmethod
    def pack(array):
        return array

    @staticmethod
    def key(array):
        return array.dtype, array.shape, array.strides, array.device

    @staticmethod
    def pointer(array):
        return array.pointer

    @staticmethod
    def is_writable(array):
        return True

    @staticmethod
    def layout(array, name):
        return Layout(DATA_TYPES[array.dtype], array.shape, array.strides, True, array.device)

    @staticmethod
    def maker(layout):
        dtype = NUMPY_NAMES[layout.data_type]
        return lambda: DeviceArray.empty(layout.device, dtype, layout.sizes, layout.strides)

    @staticmethod
    def turn(array, axes):
        return array.turned(axes)


class BorrowedKind:
    """What other arrays show of themselves. Results are NumPy's or this package's, and then made
    what the caller has (like_callers)."""

    borrows = True
    has_streams = False

    @staticmethod
    def pack(borrowed):
        return borrowed

    @staticmethod
    def key(borrowed):
        return borrowed.key

    @staticmethod
    def pointer(borrowed):
        return borrowed.pointer

    @staticmethod
    def is_writable(borrowed):
        return borrowed.writable

    @staticmethod
    def layout(borrowed, name):
        data_type = DATA_TYPES.get(borrowed.type_name)
        if data_type is None:
            raise wrong_type(name, borrowed.type_name)
        return Layout(data_type, borrowed.sizes, borrowed.strides, borrowed.writable,
                      borrowed.device)


class DlpackKind(BorrowedKind):
    """Everything else with __dlpack__."""

    @staticmethod
    def borrow(array, name, stream):
        return _dlpack.Borrowed(array, name, stream)


class InterfaceKind(BorrowedKind):
    """What has __cuda_array_interface__ alone. The host has waited for its stream."""

    @staticmethod
    def borrow(array, name, stream):
        return _interface.Borrowed(array, name)


_KINDS = {"numpy": NumpyKind, "torch": TorchKind, "own": OwnKind, "dlpack": DlpackKind,
          "interface": InterfaceKind}
_made = {}
# Types of the packages alone: what is here lives as long as the process, and programs may make types
# at any time. Subclasses of theirs are looked at anew in each call.
by_type = {}
_PACKAGES = frozenset(("numpy", "torch", __package__))


def kind_named(name):
    if name not in _made:
        _made[name] = _KINDS[name]()
    return _made[name]


def result_kind(kind, device):
    """The kind of which results are made for a first array of `kind`."""
    if not kind.borrows:
        return kind
    if device != "cpu":
        return kind_named("own")
    import numpy
    del numpy                              # NumpyKind wants it imported
    return kind_named("numpy")


def _is_a(array, module, name):
    found = sys.modules.get(module)
    return found is not None and isinstance(array, getattr(found, name, ()))


def _has(array, name):
    """Of an object and not of its class; a property that fails is there, to be told of later."""
    if isinstance(array, type):
        return False
    try:
        return hasattr(array, name)
    except Exception:
        return True


def kind_of(array, name):
    """The kind of an array, or a refusal of what is none."""
    kind = by_type.get(type(array))
    if kind is not None:
        return kind
    if _is_a(array, "numpy.ma", "MaskedArray"):
        raise _errors.WrongType(f"{name}: a masked array is refused, because no operator looks at "
                                f"its mask; use {name}.filled(value), or {name}.data for all")
    if _is_a(array, "numpy", "ndarray"):
        kind = kind_named("numpy")
    elif _is_a(array, "torch", "Tensor"):
        kind = kind_named("torch")
    elif isinstance(array, DeviceArray):
        kind = kind_named("own")
    elif _has(array, "__dlpack__") and _has(array, "__dlpack_device__"):
        kind = kind_named("dlpack")
    elif _has(array, "__cuda_array_interface__"):
        kind = kind_named("interface")
    else:
        raise _errors.WrongType(f"{name} is {type(array).__name__!r} and must be a NumPy array, a "
                                f"torch tensor or an object with __dlpack__ or "
                                f"__cuda_array_interface__")
    if not kind.borrows and str(type(array).__module__).partition(".")[0] in _PACKAGES:
        by_type[type(array)] = kind
    return kind


def is_array(thing):
    try:
        kind_of(thing, "")
    except _errors.Error:
        return False
    return True


def like_callers(result, original):
    """A result as the kind of an array that came by a protocol: by its module's from_dlpack, or
    as it is when the module has none."""
    if hasattr(original, "__array_namespace__"):
        namespace = original.__array_namespace__()
    else:
        namespace = sys.modules.get(type(original).__module__.partition(".")[0])
    convert = getattr(namespace, "from_dlpack", None)
    return result if convert is None else convert(result)
