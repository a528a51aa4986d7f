# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Arrays of the caller's kind: what a description needs of them, their memory, and new ones.

A kind has four functions. key(array) is all that a description depends on, cheap and hashable;
layout(array, name) is the same in DirectML's words or a refusal; pointer(array) is the address of
the first element; maker(layout) is a function that makes arrays. Nothing is ever copied.
"""
import collections
import sys

from . import _dlpack, _errors

# Strides count elements and may be negative here.
Layout = collections.namedtuple("Layout", "data_type sizes strides writable")

NUMPY_NAMES = {"FLOAT32": "float32", "FLOAT16": "float16", "FLOAT64": "float64",
               "UINT8": "uint8", "UINT16": "uint16", "UINT32": "uint32", "UINT64": "uint64",
               "INT8": "int8", "INT16": "int16", "INT32": "int32", "INT64": "int64"}
DATA_TYPES = {name: data_type for data_type, name in NUMPY_NAMES.items()}


def packed_strides(sizes):
    strides, step = [], 1
    for size in reversed(sizes):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


def wrong_type(name, what):
    return _errors.WrongType(f"{name}: elements of type {what} are refused; the types are "
                             + ", ".join(sorted(DATA_TYPES)))


class NumpyKind:
    """numpy.ndarray. The module is imported by whoever made the array."""

    borrows = False

    def __init__(self):
        self.numpy = sys.modules["numpy"]
        self.data_types = {self.numpy.dtype(n): d for n, d in DATA_TYPES.items()}

    @staticmethod
    def key(array):
        return array.dtype, array.shape, array.strides

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
        size = array.itemsize
        if any(s % size for s in array.strides):
            raise _errors.InvalidArgument(
                f"{name}: strides of {array.strides} bytes must be multiples of the element size "
                f"{size}")
        return Layout(data_type, array.shape, tuple(s // size for s in array.strides),
                      array.flags.writeable)

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


class TorchKind:
    """torch.Tensor on the CPU. torch 1.13 has no UINT16 to UINT64: results of these types, which
    are indices, come in the signed type of the same width."""

    borrows = False
    UNSIGNED = {"UINT16": "int16", "UINT32": "int32", "UINT64": "int64"}

    def __init__(self):
        self.torch = sys.modules["torch"]
        names = {n: d for n, d in DATA_TYPES.items() if hasattr(self.torch, n)}
        self.data_types = {getattr(self.torch, n): d for n, d in names.items()}
        self.is_grad_enabled = self.torch.is_grad_enabled

    def key(self, tensor):
        if (tensor.requires_grad and self.is_grad_enabled()) or tensor.is_neg():
            return tensor.dtype, None      # layout() says why
        return tensor.dtype, tensor.shape, tensor.stride(), tensor.device

    @staticmethod
    def pointer(tensor):
        return tensor.data_ptr()

    @staticmethod
    def is_writable(tensor):
        return True

    def layout(self, tensor, name):
        if tensor.device.type != "cpu":
            raise _errors.Unsupported(f"{name}: a tensor on {tensor.device} is refused: the CPU is "
                                      f"the only device so far; use {name}.cpu()")
        if tensor.layout != self.torch.strided:
            raise _errors.WrongType(f"{name}: a tensor of layout {tensor.layout} is refused; use "
                                    f"{name}.to_dense()")
        if tensor.requires_grad and self.is_grad_enabled():
            raise _errors.InvalidArgument(f"{name}: a tensor that requires gradients is refused; "
                                          f"use anydml.torch, or {name}.detach()")
        if tensor.is_neg():
            raise _errors.InvalidArgument(f"{name}: a tensor with the negative bit is refused; use "
                                          f"{name}.resolve_neg()")
        data_type = self.data_types.get(tensor.dtype)
        if data_type is None:
            raise wrong_type(name, tensor.dtype)
        return Layout(data_type, tuple(tensor.shape), tensor.stride(), True)

    def maker(self, layout):
        name = NUMPY_NAMES[layout.data_type]
        if not hasattr(self.torch, name):
            name = self.UNSIGNED[layout.data_type]
        dtype, empty = getattr(self.torch, name), self.torch.empty_strided
        return lambda: empty(layout.sizes, layout.strides, dtype=dtype)


class DlpackKind:
    """Everything else with __dlpack__, borrowed for the length of one call."""

    borrows = True

    @staticmethod
    def borrow(array, name):
        return _dlpack.Borrowed(array, name)

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
        return Layout(data_type, borrowed.sizes, borrowed.strides, borrowed.writable)

    @staticmethod
    def maker(layout):
        import numpy
        del numpy                          # NumpyKind wants it imported
        return kind_named("numpy").maker(layout)


_KINDS = {"numpy": NumpyKind, "torch": TorchKind, "dlpack": DlpackKind}
_made = {}
by_type = {}


def kind_named(name):
    if name not in _made:
        _made[name] = _KINDS[name]()
    return _made[name]


def _is_a(array, module, name):
    found = sys.modules.get(module)
    return found is not None and isinstance(array, getattr(found, name, ()))


def kind_of(array, name):
    """The kind of an array, or a refusal of what is none."""
    kind = by_type.get(type(array))
    if kind is not None:
        return kind
    if _is_a(array, "numpy", "ndarray"):
        kind = kind_named("numpy")
    elif _is_a(array, "torch", "Tensor"):
        kind = kind_named("torch")
    elif hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
        kind = kind_named("dlpack")
    elif hasattr(array, "__cuda_array_interface__"):
        raise _errors.Unsupported(f"{name}: arrays on a GPU are refused: the CPU is the only "
                                  f"device so far")
    else:
        raise _errors.WrongType(f"{name} is {type(array).__name__!r} and must be a NumPy array, a "
                                f"torch tensor or an object with __dlpack__")
    if not kind.borrows:
        by_type[type(array)] = kind
    return kind


def like_callers(result, original):
    """A NumPy result as the kind of an array that came by DLPack: by its module's from_dlpack,
    or as it is when the module has none."""
    if hasattr(original, "__array_namespace__"):
        namespace = original.__array_namespace__()
    else:
        namespace = sys.modules.get(type(original).__module__.partition(".")[0])
    convert = getattr(namespace, "from_dlpack", None)
    return result if convert is None else convert(result)
