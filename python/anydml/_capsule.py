# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""DLPack capsules of this package's own arrays. What a capsule shows stays alive until its consumer
calls the deleter, or until the capsule goes without having been consumed."""
import ctypes

from ._dlpack import Managed

_NAME = b"dltensor"                        # capsules keep its address
_api = ctypes.pythonapi
# The capsule comes as an address: it has no references left when its destructor runs.
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", _api))
_get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", _api))
_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", _api))
_held = {}


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _delete(address, held=_held):
    held.pop(address, None)


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _capsule_goes(capsule, held=_held):
    if _is_valid(capsule, _NAME):          # a consumer would have renamed it
        held.pop(_get_pointer(capsule, _NAME), None)


for _function in (_delete, _capsule_goes):  # consumers may call them as long as the process lives
    _api.Py_IncRef(ctypes.py_object(_function))


def export(owner, pointer, device, element, sizes, strides):
    """A capsule that keeps `owner` alive. `device` is DLPack's pair, `element` (code, bits)."""
    count = len(sizes)
    shape, steps = (ctypes.c_int64 * count)(*sizes), (ctypes.c_int64 * count)(*strides)
    managed = Managed()
    tensor = managed.tensor
    tensor.data, tensor.ndim, tensor.shape, tensor.strides = pointer, count, shape, steps
    tensor.device_type, tensor.device_id = device
    tensor.code, tensor.bits = element
    tensor.lanes = 1
    managed.deleter = ctypes.cast(_delete, ctypes.c_void_p)
    address = ctypes.addressof(managed)
    _held[address] = owner, managed, shape, steps
    return _new(address, _NAME, ctypes.cast(_capsule_goes, ctypes.c_void_p))
