# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Arrays of any kind as packed elements, and the way between an array and other memory."""
import ctypes

from . import _arrays, _errors, _layouts, _library


def byte_count(layout):
    return (_layouts.product(layout.sizes) *
            _layouts.ITEM_SIZES[_layouts.NUMPY_NAMES[layout.data_type]])


def packed(kind, array, name):
    """(array, layout): NumPy's and torch's arrays are copied where they are not packed."""
    array = kind.pack(array)
    layout = kind.layout(array, name)
    if 0 in layout.sizes:
        raise _errors.InvalidArgument(f"{name} has the shape {tuple(layout.sizes)} and must have "
                                      f"elements")
    if not _layouts.is_packed(layout.sizes, layout.strides):
        raise _errors.InvalidArgument(f"{name} has the shape {tuple(layout.sizes)} and strides of "
                                      f"{tuple(layout.strides)} elements, and must be packed")
    return array, layout


def in_host_memory(array, name):
    """(layout, address, what keeps it): the array's own memory where that is packed and the
    host's, else a copy."""
    kind = _arrays.kind_of(array, name)
    held, layout = packed(kind, kind.borrow(array, name, 0) if kind.borrows else array, name)
    address = kind.pointer(held)
    if layout.device == "cpu":
        return layout, address, held
    memory = ctypes.create_string_buffer(byte_count(layout))
    _wait(kind, layout.device)
    _library.copy(layout.device, ctypes.addressof(memory), address, len(memory))
    return layout, ctypes.addressof(memory), memory


def new_array(kind, layout, original, address, device):
    """An array like an original of `kind`, with elements of some memory of a device."""
    made = _arrays.result_kind(kind, layout.device)
    array = made.maker(layout._replace(strides=_layouts.packed_strides(layout.sizes)))()
    _wait(made, layout.device)
    copier = layout.device if device == "cpu" else device
    _library.copy(copier, made.pointer(array), address, byte_count(layout))
    return _arrays.like_callers(array, original) if kind.borrows else array


def _wait(kind, device):
    """For what has been put on torch's current stream, before memory is copied without it."""
    if kind.has_streams and device != "cpu":
        _library.synchronize(device, kind.stream(int(device.partition(":")[2])))
