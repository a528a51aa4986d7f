# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Graphs of values over anydml_graph_*: what functions record where an argument is a Value.

Arithmetic is that of graph.hpp, operator by operator, so that both give the same bits.
"""
import ctypes
import numbers

from . import _arrays, _describe, _errors, _layouts, _library, _memory, _settings

_check, _c = _library.check, _library.c


def _uints(entries):
    for entry in entries:                  # of which ctypes would keep the lower 32 bits
        if not 0 <= entry < 1 << 32:
            raise _errors.InvalidArgument(f"{_errors.show(entry)} must be 0 to 4294967295")
    return (ctypes.c_uint32 * len(entries))(*entries)


def _integers(given, where):
    """Of (2, 3) as of ((2, 3),), as NumPy's methods take them."""
    if len(given) == 1 and not hasattr(given[0], "__index__"):
        given = given[0]
    try:
        return [_settings.integer(entry) for entry in given]
    except TypeError:
        raise _errors.WrongType(f"{where}: {_errors.show(given)} must be integers") from None


def is_value(thing):
    return isinstance(thing, Value)


class Graph:
    """An anydml_graph, released with this object. For one thread at a time."""

    handle = None

    def __init__(self):
        self.constant_bytes = 0
        self.handle = ctypes.c_void_p()
        _check(_c.anydml_graph_create(ctypes.byref(self.handle)))

    def __del__(self, release=_c.anydml_graph_release):
        if self.handle:
            release(self.handle)

    def value(self, number):
        info = _library.TensorInfo(struct_size=ctypes.sizeof(_library.TensorInfo))
        _check(_c.anydml_graph_value_info(self.handle, number, ctypes.byref(info)))
        count = info.dimension_count
        return Value(self, number, _layouts.NUMBERED[info.data_type], tuple(info.sizes[:count]),
                     tuple(info.strides[:count]))

    def input(self, name, layout):
        """A dimension is made up for a single number, as DirectML has no tensor without."""
        sizes, number = layout.sizes or (1,), ctypes.c_uint32()
        _check(_c.anydml_graph_input(self.handle, name.encode(),
                                     _layouts.NUMBERED.index(layout.data_type), len(sizes),
                                     _uints(sizes), ctypes.byref(number)))
        return self.value(number.value)

    def constant(self, array, name):
        """The elements of an array of any kind, copied."""
        layout, address, _held = _memory.in_host_memory(array, name)
        sizes, number = layout.sizes or (1,), ctypes.c_uint32()
        _check(_c.anydml_graph_constant(self.handle, _layouts.NUMBERED.index(layout.data_type),
                                        len(sizes), _uints(sizes), address, ctypes.byref(number)))
        self.constant_bytes += _memory.byte_count(layout)
        return self.value(number.value)

    def of(self, thing, name):
        """A value as it is, an array as a constant."""
        if not is_value(thing):
            return self.constant(thing, name)
        if thing.graph is not self:
            raise _errors.InvalidArgument(f"{name} is an anydml.Value of another function's trace; "
                                          f"a Value has no meaning outside of its own")
        return thing

    def number(self, value, data_type, dimensions):
        """One number, as one element."""
        tensor = {"DataType": data_type, "Sizes": [1] * dimensions}
        return self.add("FILL_VALUE_CONSTANT", {"OutputTensor": tensor, "Value": value}, ())

    def add(self, kind, fields, inputs):
        """An operator with one output."""
        try:
            return self.add_described(_describe.to_json({"type": kind, "desc": fields}),
                                      [value.number for value in inputs], 1)[0]
        except _errors.Error as error:
            raise type(error)(_describe.in_words_of(kind, (), str(error))) from None

    def add_described(self, text, inputs, output_count):
        """`inputs` are numbers of values; None stands for outputs that are absent."""
        outputs = (ctypes.c_uint32 * output_count)()
        _check(_c.anydml_graph_operator(self.handle, text.encode(), len(inputs), _uints(inputs),
                                        output_count, outputs))
        return [self.value(number) if number else None for number in outputs]

    def view(self, value, sizes, strides):
        number = ctypes.c_uint32()
        _check(_c.anydml_graph_view(self.handle, value.number, len(sizes), _uints(sizes),
                                    _uints(strides), ctypes.byref(number)))
        return self.value(number.value)

    def gradients(self, loss, values):
        found = (ctypes.c_uint32 * len(values))()
        _check(_c.anydml_graph_gradients(self.handle, loss.number, len(values),
                                         _uints([value.number for value in values]), found))
        return [self.value(number) for number in found]


class CompiledGraph(_library.CompiledOperator):
    """What gives these values. The graph may go away."""

    def __init__(self, device, threads, graph, values):
        self.handle = ctypes.c_void_p()
        _check(_c.anydml_graph_compile(_library.device(device, threads), graph.handle, len(values),
                                       _uints([value.number for value in values]), 0, None,
                                       ctypes.byref(self.handle)))


def _operator(kind, swapped=False):
    def method(self, other):
        if isinstance(other, numbers.Real) and not isinstance(other, bool):
            try:
                other = _settings.number(other)
            except OverflowError:
                raise _errors.InvalidArgument(f"{_errors.show(other)} is beyond the range of "
                                              f"FLOAT64") from None
            return self._with_number(kind, other, swapped)
        if not is_value(other):
            if not _arrays.is_array(other):
                return NotImplemented
            other = self.graph.constant(other, "an operand")
        return self._combine(kind, other, self) if swapped else self._combine(kind, self, other)
    return method


class Value:
    """What an argument is while anydml.grad and its kin trace a function: an array that has a
    shape and a type, and no elements yet. Functions of this package take it and give others."""

    __slots__ = ("graph", "number", "data_type", "shape", "strides")
    __array_ufunc__ = None                 # NumPy leaves array + value to this class

    def __init__(self, graph, number, data_type, shape, strides):
        self.graph, self.number, self.data_type = graph, number, data_type
        self.shape, self.strides = shape, strides

    @property
    def dtype(self):
        """NumPy's name, such as "float32"."""
        return _layouts.NUMPY_NAMES[self.data_type]

    @property
    def ndim(self):
        return len(self.shape)

    def __repr__(self):
        return f"Value({self.dtype}, shape={self.shape})"

    def _has_no_elements(self, *_):
        raise _errors.WrongType("an anydml.Value has no elements while a function is traced, so "
                                "that it can be no condition, number, sequence or other array")

    __bool__ = __float__ = __int__ = __index__ = __iter__ = __array__ = _has_no_elements

    def __eq__(self, other):
        raise _errors.WrongType("an anydml.Value is compared by anydml.logical_equals, element by "
                                "element, and not by == or !=")

    __ne__ = __eq__
    __hash__ = object.__hash__

    # ---- Views

    def _view(self, sizes, strides):
        return self.graph.view(self, sizes, strides)

    def reshape(self, *shape):
        """The same elements in the same order; -1 is the size that is left."""
        shape = _integers(shape, "reshape")
        count, rest = _layouts.product(self.shape), _layouts.product(n for n in shape if n != -1)
        if shape.count(-1) == 1 and rest > 0:
            shape[shape.index(-1)] = count // rest
        if min(shape, default=1) < 0 or _layouts.product(shape) != count:
            raise _errors.InvalidArgument(f"reshape: a Value of shape {self.shape} cannot have the "
                                          f"shape {_errors.show(tuple(shape))}")
        packed = self
        if not _layouts.is_packed(self.shape, self.strides):
            packed = self.graph.add("ELEMENT_WISE_IDENTITY", {}, [self])
        return packed._view(shape or [1], _layouts.packed_strides(shape or [1]))

    def transpose(self, *axes):
        """Axis i of the result is axis axes[i]; without axes, all in the other order."""
        axes = _integers(axes, "transpose") or list(reversed(range(self.ndim)))
        if sorted(axes) != list(range(self.ndim)):
            raise _errors.InvalidArgument(f"transpose: axes {tuple(axes)} must name each of the "
                                          f"{self.ndim} dimensions once")
        return self._view([self.shape[a] for a in axes], [self.strides[a] for a in axes])

    def broadcast_to(self, shape):
        """Axes of size 1, and those that are missing in front, repeated."""
        shape = tuple(_integers((shape,), "broadcast_to"))
        missing = len(shape) - self.ndim
        if missing < 0 or any(n not in (1, m) for n, m in zip(self.shape, shape[missing:])):
            raise _errors.InvalidArgument(f"a Value of shape {self.shape} cannot be broadcast to "
                                          f"{shape}")
        return self._view(shape, [0] * missing + [0 if n == 1 else s for n, s in
                                                  zip(self.shape, self.strides)])

    def astype(self, dtype):
        """Of another type: "float32", numpy.float32 or torch.float32."""
        name = _layouts.type_name(dtype)
        if name not in _layouts.DATA_TYPES:
            raise _layouts.wrong_type("astype", _errors.show(dtype))
        if name == self.dtype:
            return self
        tensor = {"DataType": _layouts.DATA_TYPES[name], "Sizes": self.shape}
        return self.graph.add("CAST", {"OutputTensor": tensor}, [self])

    # ---- Arithmetic

    def _reduce(self, function):
        fields = {"Function": function, "Axes": list(range(self.ndim))}
        return self.graph.add("REDUCE", fields, [self]).reshape(1)

    def sum(self):
        """Of all elements, as one."""
        return self._reduce("SUM")

    def mean(self):
        """Of all elements, as one."""
        return self._reduce("AVERAGE")

    def _scaled(self, scale, bias):
        return self.graph.add("ELEMENT_WISE_IDENTITY",
                              {"ScaleBias": {"Scale": scale, "Bias": bias}}, [self])

    def _with_number(self, kind, number, swapped):
        if "FLOAT" in self.data_type and isinstance(number, (int, float)):
            if kind == "MULTIPLY":
                return self._scaled(number, 0)
            if kind == "SUBTRACT":
                return self._scaled(-1, number) if swapped else self._scaled(1, -number)
            if kind == "ADD":
                return self._scaled(1, number)
        other = self.graph.number(number, self.data_type, self.ndim)
        return self._combine(kind, other, self) if swapped else self._combine(kind, self, other)

    @staticmethod
    def _combine(kind, a, b):
        b = a.graph.of(b, "an operand")
        count = max(a.ndim, b.ndim)
        sizes = [(1,) * (count - len(v.shape)) + v.shape for v in (a, b)]
        shape = tuple(m if n == 1 else n for n, m in zip(*sizes))
        return a.graph.add("ELEMENT_WISE_" + kind, {}, [v if v.shape == shape else
                                                        v.broadcast_to(shape) for v in (a, b)])

    __add__, __radd__ = _operator("ADD"), _operator("ADD", True)
    __sub__, __rsub__ = _operator("SUBTRACT"), _operator("SUBTRACT", True)
    __mul__, __rmul__ = _operator("MULTIPLY"), _operator("MULTIPLY", True)
    __truediv__, __rtruediv__ = _operator("DIVIDE"), _operator("DIVIDE", True)

    def __neg__(self):
        return self._scaled(-1, 0)
