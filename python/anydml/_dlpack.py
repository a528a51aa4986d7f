# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Memory by DLPack, versions 0 and 1. A capsule is borrowed and not consumed: it stays alive and
unrenamed, so that its producer frees the tensor when the capsule goes, after the call.

A producer on a GPU is told the stream on which the memory will be used, and makes that stream wait
for its own work."""
import ctypes

from . import _errors, _layouts, _library

_CPU = {1, 3, 11}     # kDLCPU, and kDLCUDAHost, kDLROCMHost: pinned memory of the host
_CUDA = {2, 13}       # kDLCUDA, kDLCUDAManaged
_DEFAULT_STREAM = 1   # the protocol's number of what CUDA calls stream 0
_READ_ONLY = 1
_MAX_DIMENSIONS = 64  # of any library; the operators take 8
_CODES = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool"}

_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype = ctypes.c_void_p
_get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.argtypes = [ctypes.py_object, ctypes.c_char_p]


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class _Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", _Tensor)]


class Managed(ctypes.Structure):
    """Version 0."""

    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


def _device(array, name):
    """The library's name of the array's device; refused where the library has no such device."""
    try:
        kind, number = map(int, array.__dlpack_device__())
    except MemoryError:                    # says nothing of the array
        raise
    except Exception as error:
        raise _errors.WrongType(f"{name}: its __dlpack_device__ cannot be read: {error!r}"
                                ) from error
    if kind in _CPU:
        return "cpu"
    if kind not in _CUDA:
        raise _errors.Unsupported(f"{name}: an array on DLPack device {kind} is refused: the "
                                  f"devices are the CPU and CUDA")
    found = f"cuda:{number}"
    try:
        _library.device(found)
    except _errors.Unsupported as error:
        raise _errors.Unsupported(f"{name}: {error}") from None
    return found


def _export(array, name, arguments):
    try:
        try:
            return array.__dlpack__(max_version=(1, 0), **arguments)
        except TypeError:                  # a producer older than version 1
            return array.__dlpack__(**arguments)
    except MemoryError:
        raise
    except Exception as error:
        raise _errors.InvalidArgument(f"{name}: __dlpack__ refused: "
                                      f"{str(error) or repr(error)}") from error


class Borrowed:
    """The tensor of a capsule; valid as long as this object."""

    def __init__(self, array, name, stream):
        """`stream` is where memory of a GPU will be used, as CUDA numbers it."""
        self.original = array
        self.device = _device(array, name)
        arguments = {} if self.device == "cpu" else {"stream": stream or _DEFAULT_STREAM}
        self._capsule = _export(array, name, arguments)
        tensor, flags = self._read(name)
        if tensor.lanes != 1:
            raise _errors.WrongType(f"{name}: elements of {tensor.lanes} lanes are refused")
        self.type_name = f"{_CODES.get(tensor.code, 'opaque')}{tensor.bits}"
        self.sizes = self._sizes(tensor, name)
        self.strides = self._strides(tensor)
        self.pointer = (tensor.data or 0) + tensor.byte_offset
        self.writable = not flags & _READ_ONLY
        self.key = self.type_name, self.sizes, self.strides, self.writable, self.device

    def _read(self, name):
        if _is_valid(self._capsule, b"dltensor_versioned"):
            address = _get_pointer(self._capsule, b"dltensor_versioned")
            managed = _Versioned.from_address(address)
            if managed.major != 1:
                raise _errors.Unsupported(f"{name}: DLPack version {managed.major} is refused; "
                                          f"0 and 1 are read")
            return managed.tensor, managed.flags
        if _is_valid(self._capsule, b"dltensor"):
            return _Tensor.from_address(_get_pointer(self._capsule, b"dltensor")), 0
        raise _errors.WrongType(f"{name}: __dlpack__ gave no unused DLPack capsule")

    @staticmethod
    def _sizes(tensor, name):
        """What no producer may give is not followed: it would be read from anywhere."""
        if not 0 <= tensor.ndim <= _MAX_DIMENSIONS or (tensor.ndim and not tensor.shape):
            raise _errors.WrongType(f"{name}: its DLPack tensor has {tensor.ndim} dimensions and "
                                    f"{'a' if tensor.shape else 'no'} shape, which cannot be read")
        sizes = tuple(tensor.shape[i] for i in range(tensor.ndim))
        if any(size < 0 for size in sizes):
            raise _errors.WrongType(f"{name}: its DLPack tensor has the shape {sizes}, which must "
                                    f"not be negative")
        return sizes

    def _strides(self, tensor):
        if tensor.strides:
            return tuple(tensor.strides[i] for i in range(tensor.ndim))
        return _layouts.packed_strides(self.sizes)
