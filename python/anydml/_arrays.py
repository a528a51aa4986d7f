# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Arrays of the caller's kind: what a description needs of them, their memory, and new ones.

A kind has these functions. key(array) is all that a description depends on, cheap and hashable;
layout(array, name) is the same in DirectML's words or a refusal; pointer(array) is the address of
the first element; maker(layout) is a function that makes arrays; turn(array, axes) is a view on
which these axes run backwards. Nothing is ever copied.

A kind that `borrows` looks at an array through a protocol for the length of one call. One that has
streams puts work on a GPU there and does not wait for it.
"""
import sys

from . import _dlpack, _errors, _interface
from ._device_array import DeviceArray
from ._layouts import (DATA_TYPES, ITEM_SIZES, Layout, NUMPY_NAMES, packed_strides, whole_strides,
                       wrong_type)


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
    def pointer(array):
        return array.ctypes.data

    @staticmethod
    def is_writable(array):
        return array.flags.writeable

    def layout(self, array, name):
        data_type = self.data_types.get(array.dtype)
        if data_type is None:
            raise self._refused(array.dtype, name)
        return Layout(data_type, array.shape, whole_strides(array.strides, array.itemsize, name),
                      array.flags.writeable, "cpu")

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
    """torch.Tensor on the CPU or on a GPU, there on torch's current stream. torch 1.13 has no
    UINT16 to UINT64: results of these types, which are indices, come in the signed type of the same
    width."""

    borrows = False
    has_streams = True
    UNSIGNED = {"UINT16": "int16", "UINT32": "int32", "UINT64": "int64"}

    def __init__(self):
        self.torch = sys.modules["torch"]
        names = {n: d for n, d in DATA_TYPES.items() if hasattr(self.torch, n)}
        self.data_types = {getattr(self.torch, n): d for n, d in names.items()}
        self.is_grad_enabled = self.torch.is_grad_enabled
        self.raw_stream = getattr(self.torch._C, "_cuda_getCurrentRawStream", None)

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
        if tensor.device.type not in ("cpu", "cuda"):
            raise _errors.Unsupported(f"{name}: a tensor on {tensor.device} is refused: the "
                                      f"devices are the CPU and CUDA; use {name}.cpu()")
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
        device = f"cuda:{tensor.device.index}" if tensor.is_cuda else "cpu"
        return Layout(data_type, tuple(tensor.shape), tensor.stride(), True, device)

    def maker(self, layout):
        name = NUMPY_NAMES[layout.data_type]
        if not hasattr(self.torch, name):
            name = self.UNSIGNED[layout.data_type]
        dtype, empty = getattr(self.torch, name), self.torch.empty_strided
        device = self.torch.device(layout.device)
        return lambda: empty(layout.sizes, layout.strides, dtype=dtype, device=device)

    @staticmethod
    def on_gpu(tensor):
        return tensor.is_cuda

    def stream(self, number):
        """The current stream of a GPU, as CUDA numbers it: 0 is the default stream."""
        if self.raw_stream is not None:
            return self.raw_stream(number)
        return self.torch.cuda.current_stream(number).cuda_stream

    def temporary(self, size, number):
        """Memory for work on the current stream, by torch's allocator, which aligns to 512."""
        return self.torch.empty(size, dtype=self.torch.uint8, device=number)


class OwnKind:
    """This package's own arrays."""

    borrows = has_streams = False

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
by_type = {}


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


def kind_of(array, name):
    """The kind of an array, or a refusal of what is none."""
    kind = by_type.get(type(array))
    if kind is not None:
        return kind
    if _is_a(array, "numpy", "ndarray"):
        kind = kind_named("numpy")
    elif _is_a(array, "torch", "Tensor"):
        kind = kind_named("torch")
    elif isinstance(array, DeviceArray):
        kind = kind_named("own")
    elif hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
        kind = kind_named("dlpack")
    elif hasattr(array, "__cuda_array_interface__"):
        kind = kind_named("interface")
    else:
        raise _errors.WrongType(f"{name} is {type(array).__name__!r} and must be a NumPy array, a "
                                f"torch tensor or an object with __dlpack__ or "
                                f"__cuda_array_interface__")
    if not kind.borrows:
        by_type[type(array)] = kind
    return kind


def like_callers(result, original):
    """A result as the kind of an array that came by a protocol: by its module's from_dlpack, or
    as it is when the module has none."""
    if hasattr(original, "__array_namespace__"):
        namespace = original.__array_namespace__()
    else:
        namespace = sys.modules.get(type(original).__module__.partition(".")[0])
    convert = getattr(namespace, "from_dlpack", None)
    return result if convert is None else convert(result)
