# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""An array of this package's own, for those who have no library for arrays on a GPU: NumPy's values
go there by to_device() and come back by numpy()."""
import operator

from . import _capsule, _errors, _layouts, _library

_DLPACK_CODES = {"i": 0, "u": 1, "f": 2}
_CPU, _CUDA = 1, 2


class DeviceArray:
    """Elements in a device's memory: what to_device() gives, and the result of a function whose
    arrays are on a GPU and of a kind that takes nothing by DLPack. Other libraries read it by
    __dlpack__ and __cuda_array_interface__. The values are there when a function returns."""

    # Not to be set: they describe memory that does not change with them.
    pointer = property(operator.attrgetter("_pointer"), doc="Of the first element.")
    device = property(operator.attrgetter("_device"), doc='Its name, such as "cuda:0".')
    dtype = property(operator.attrgetter("_dtype"), doc='NumPy\'s name, such as "float32".')
    shape = property(operator.attrgetter("_shape"))
    strides = property(operator.attrgetter("_strides"), doc="In elements.")
    itemsize = property(operator.attrgetter("_itemsize"))

    def __init__(self, memory, pointer, device, dtype, shape, strides):
        self._memory = memory
        self._pointer = pointer
        self._device = device
        self._dtype = dtype
        self._shape = shape
        self._strides = strides
        self._itemsize = _layouts.ITEM_SIZES[dtype]

    @classmethod
    def empty(cls, device, dtype, shape, strides):
        """`strides` are positive and leave no gaps."""
        size = _layouts.ITEM_SIZES[dtype]
        for entry in shape:
            size *= entry
        memory = _library.Memory(device, size)
        return cls(memory, memory.pointer, device, dtype, shape, strides)

    def turned(self, axes):
        """A view on which these axes run backwards."""
        strides, pointer = list(self.strides), self.pointer
        for d in axes:
            pointer += (self.shape[d] - 1) * strides[d] * self.itemsize
            strides[d] = -strides[d]
        return DeviceArray(self._memory, pointer, self.device, self.dtype, self.shape,
                           tuple(strides))

    def numpy(self):
        """A copy as a NumPy array."""
        import numpy
        host = numpy.empty(self._memory.size, "uint8")
        self._memory.read(host.ctypes.data)
        return numpy.ndarray(self.shape, self.dtype, host, self.pointer - self._memory.pointer,
                             self._byte_strides())

    def _byte_strides(self):
        return tuple(s * self.itemsize for s in self.strides)

    def copy(self):
        """The same in memory of its own, on the same device."""
        memory = _library.Memory(self.device, self._memory.size)
        memory.write(self._memory.pointer)
        pointer = memory.pointer + (self.pointer - self._memory.pointer)
        return DeviceArray(memory, pointer, self.device, self.dtype, self.shape, self.strides)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, _):
        return self.copy()

    def __reduce__(self):
        """Pickled by its values; a device of the same name must be where they are read."""
        return to_device, (self.numpy(), self.device)

    def __repr__(self):
        return f"DeviceArray({self.dtype}, shape={self.shape}, device={self.device!r})"

    def __dlpack_device__(self):
        kind, _, number = self.device.partition(":")
        return (_CPU, 0) if kind == "cpu" else (_CUDA, int(number or 0))

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """No stream has to wait: the values are there."""
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("an anydml.DeviceArray is not copied for DLPack")
        element = _DLPACK_CODES[self.dtype[0]], self.itemsize * 8
        return _capsule.export(self._memory, self.pointer, self.__dlpack_device__(), element,
                               self.shape, self.strides)

    @property
    def __cuda_array_interface__(self):
        if self.device == "cpu":
            raise AttributeError("an array on the CPU has no __cuda_array_interface__")
        return {"shape": self.shape, "typestr": f"<{self.dtype[0]}{self.itemsize}",
                "data": (self.pointer, False), "version": 3, "strides": self._byte_strides(),
                "stream": None}


def to_device(array, device):
    """A copy of a NumPy array in a device's memory: to_device(x, "cuda:0")."""
    from . import _arrays
    import numpy
    if not isinstance(array, numpy.ndarray):
        raise _errors.WrongType(f"to_device: array is {type(array).__name__!r} and must be a NumPy "
                                f"array")
    _arrays.kind_of(array, "array")        # refuses masked ones
    layout = _arrays.kind_named("numpy").layout(array, "array")
    if array.size == 0:
        raise _errors.InvalidArgument(f"to_device: array has the shape {array.shape} and must have "
                                      f"elements")
    packed = numpy.ascontiguousarray(array)
    made = DeviceArray.empty(_library.full_name(device), _layouts.NUMPY_NAMES[layout.data_type],
                             array.shape, _layouts.packed_strides(array.shape))
    made._memory.write(packed.ctypes.data)
    return made
