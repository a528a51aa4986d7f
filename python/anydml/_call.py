# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""A call: look the compiled operator up by all that its description depends on, allocate, execute.

The way of a call that was made before has no JSON, no validation and no locks.
"""
import ctypes

from . import (_arrays, _cache, _describe, _errors, _layouts, _library, _settings, _streams,
               _values)
from ._arrays import by_type


class _Compiled:
    """An operator of the library, and how its outputs are made."""

    def __init__(self, description, layouts, kinds, threads):
        device = layouts[0].device
        self.operator = _library.CompiledOperator(device, threads, description.json)
        self.handle = self.operator.handle
        self.table_bytes = self.operator.table_bytes()
        self.kind = _arrays.result_kind(kinds[0], device)
        self.makers = [layout and self.kind.maker(layout) for layout in description.outputs]
        self.turned = description.turned
        shifts = description.input_shifts + description.output_shifts
        sizes = [_item_size(layout) if layout else 0 for layout in layouts]
        self.shifts = [s * size for s, size in zip(shifts, sizes)] if any(shifts) else None
        self.launch = None if device == "cpu" else _streams.Launcher(self.operator, device, kinds)
        self.is_plain = len(self.makers) == 1 and self.shifts is None and not kinds[0].borrows


def _item_size(layout):
    return _layouts.ITEM_SIZES[_layouts.NUMPY_NAMES[layout.data_type]]


class Call(_cache.Cache):
    """The function of one operator."""

    def __init__(self, operator):
        super().__init__()
        self.operator = operator
        self.without = {}                  # calls that leave optional inputs out, by their places
        self.places = None                 # of the inputs, where some are left out
        self.input_pointers = ctypes.c_void_p * len(operator.inputs)
        self.output_pointers = ctypes.c_void_p * len(operator.outputs)

    def run(self, inputs, settings, out, device, threads):
        """`settings` are in the operator's order, then output_sizes and the optional outputs
        where the operator has them."""
        if self.operator.optional_inputs and any(array is None for array in inputs):
            return self._run_without(inputs, settings, out, device, threads)
        settings = _settings.plain(settings)
        if type(threads) is not int:       # True and 1.0 would be found where 1 is
            threads = _library.thread_count(threads)
        if out is not None:
            return self._run_into(inputs, settings, out, device, threads)
        if self.operator.needs_out and not self._says_outputs(settings):
            advice = "and cannot be given where an argument is an anydml.Value: " if any(
                map(_values.is_value, inputs)) else ""
            raise _errors.InvalidArgument(f"{self.operator.type}: out is required, an array or a "
                                          f"tuple of arrays, {advice}the other arguments do not "
                                          f"say of what sizes and type it is")
        kinds, held = self._kinds(inputs)
        if kinds is None:
            return self._record(inputs, settings, device)
        key = (device, threads, _settings.key(settings, self.operator.type) if settings else "",
               *[kind.key(array) for kind, array in zip(kinds, held)])
        compiled = self._find(key)
        if compiled is None:
            compiled = self._compile(key, kinds, held, settings, len(held))
        pointers = [kind.pointer(array) for kind, array in zip(kinds, held)]
        if not compiled.is_plain:
            return self._run_general(compiled, pointers, inputs[0], kinds[0])
        result = compiled.makers[0]()
        inputs = self.input_pointers(*pointers)
        outputs = self.output_pointers(compiled.kind.pointer(result))
        if compiled.launch is not None:
            compiled.launch(inputs, outputs)
            return result
        status = _library.execute(compiled.handle, inputs, outputs)
        if status:
            _library.check(status)
        return result

    def _says_outputs(self, settings):
        """Whether dtype or output_count is given, the last setting of operators that take one."""
        operator = self.operator
        takes_one = operator.takes_dtype or operator.output_count is not None
        if takes_one and settings[-1] is None:
            name = "dtype" if operator.takes_dtype else "output_count"
            raise _errors.InvalidArgument(f"{operator.type}: {name} or out is required")
        return takes_one

    def _run_without(self, inputs, settings, out, device, threads):
        """The same for a call without some inputs, which its description has as null."""
        absent = frozenset(i for i, array in enumerate(inputs) if array is None)
        if not all(self.operator.inputs[i] in self.operator.optional_inputs for i in absent):
            name = next(self._name(i) for i in sorted(absent)
                        if self.operator.inputs[i] not in self.operator.optional_inputs)
            raise _errors.WrongType(f"{self.operator.type}: {name} must be an array")
        call = self.without.get(absent)
        if call is None:
            call = Call(self.operator.without(absent))
            call.places = [i for i in range(len(inputs)) if i not in absent]
            call.input_pointers = ctypes.c_void_p * len(inputs)
            call = self.without.setdefault(absent, call)
        return call.run(tuple(a for a in inputs if a is not None), settings, out, device, threads)

    def _kinds(self, arrays):
        """The arrays' kinds, and the arrays as their kinds want them. No kinds where one is a
        Value."""
        kinds = [by_type.get(type(array)) for array in arrays]
        if None in kinds:
            if any(map(_values.is_value, arrays)):
                return None, arrays
            kinds = [_arrays.kind_of(a, self._name(i)) for i, a in enumerate(arrays)]
            if any(kind.borrows for kind in kinds):
                stream = _streams.current(kinds, arrays)
                arrays = [kind.borrow(a, self._name(i), stream) if kind.borrows else a
                          for i, (kind, a) in enumerate(zip(kinds, arrays))]
        return kinds, arrays

    def _run_general(self, compiled, pointers, original, kind):
        """Several outputs, axes that run backwards, arrays that came by a protocol."""
        results = [maker and maker() for maker in compiled.makers]
        pointers += [None if r is None else compiled.kind.pointer(r) for r in results]
        self._execute(compiled, pointers)
        results = [r for r in results if r is not None]
        if compiled.turned:
            results = [compiled.kind.turn(result, compiled.turned) for result in results]
        if kind.borrows:
            results = [_arrays.like_callers(result, original) for result in results]
        return results[0] if len(results) == 1 else tuple(results)

    def _run_into(self, inputs, settings, out, device, threads):
        outs = out if type(out) is tuple else (out,)
        if not outs:
            raise _errors.InvalidArgument(f"{self.operator.type}: out = () must hold an array")
        kinds, held = self._kinds(inputs + outs)
        if kinds is None:
            raise _errors.InvalidArgument(f"{self.operator.type}: out cannot be given where an "
                                          f"argument is an anydml.Value")
        key = (device, threads, _settings.key(settings, self.operator.type), "out",
               *[kind.key(array) for kind, array in zip(kinds, held)])
        count = len(inputs)
        compiled = self._find(key) or self._compile(key, kinds, held, settings, count)
        if not all(kind.is_writable(a) for kind, a in zip(kinds[count:], held[count:])):
            raise _errors.InvalidArgument(f"{self.operator.type}: out is read-only")
        pointers = [kind.pointer(array) for kind, array in zip(kinds, held)]
        self._execute(compiled, pointers + [None] * (len(self.operator.outputs) - len(outs)))
        for kind, array in zip(kinds[count:], outs):
            if kind.has_streams:
                kind.tell_written(array)
        return out

    def _execute(self, compiled, pointers):
        count = compiled.input_count
        if compiled.shifts is not None:
            pointers = [p and p + s for p, s in zip(pointers, compiled.shifts)]
        if self.places is None:
            inputs = (ctypes.c_void_p * count)(*pointers[:count])
        else:
            inputs = self.input_pointers()
            for place, pointer in zip(self.places, pointers):
                inputs[place] = pointer
        outputs = (ctypes.c_void_p * (len(pointers) - count))(*pointers[count:])
        if compiled.launch is not None:
            compiled.launch(inputs, outputs)
        else:
            _library.check(_library.execute(compiled.handle, inputs, outputs))

    def _name(self, index):
        names = self.operator.input_names
        if self.operator.arrays:           # of tensors: how many there are is the caller's choice
            return f"array {index}"
        return names[index] if index < len(names) else "out"

    def _compile(self, key, kinds, held, settings, count):
        try:
            compiled = self._make(key, kinds, held, settings, count)
        except _errors.Error as error:
            raise type(error)(_describe.in_words_of(self.operator.type, self.operator.settings,
                                                      str(error))) from None
        self._keep(key, compiled)
        return compiled

    def _make(self, key, kinds, held, settings, count):
        operator = self.operator
        layouts = [k.layout(a, self._name(i)) for i, (k, a) in enumerate(zip(kinds, held))]
        if not layouts:
            raise _errors.InvalidArgument(f"{operator.type}: out is required where no array is given")
        self._check_devices(layouts, key[0])
        inputs = dict(zip(operator.expand(operator.inputs, count), layouts))
        self._check_outs(layouts[count:])
        values, *others = self._split(settings)
        made = values.get(operator.output_count, 0)
        names = operator.expand(operator.outputs, len(layouts) - count or made) if (
            operator.arrays) else operator.outputs
        outs = dict(zip(names, layouts[count:]))
        description = _describe.describe(operator, inputs, outs, values, *others)
        if outs and any(description.outputs):
            raise _errors.InvalidArgument(f"{operator.type}: out must be a tuple with one array "
                                          f"for each output that is wanted")
        output_layouts = [outs.get(n) or made for n, made in zip(names, description.outputs)]
        all_layouts = list(inputs.values()) + output_layouts
        compiled = _Compiled(description, all_layouts, kinds, key[1])
        compiled.input_count = count
        compiled.is_plain &= not operator.arrays and self.places is None
        return compiled

    def _split(self, settings):
        """Values of fields by their names, the output's sizes, types of optional outputs."""
        operator = self.operator
        given = {s.field_name: value for s, value in zip(operator.settings, settings)}
        rest = list(settings[len(operator.settings):])
        output_sizes = rest.pop(0) if operator.takes_output_sizes else None
        said = rest.pop(0) if operator.takes_dtype or operator.output_count is not None else None
        optional = self._optional(rest)
        if said is not None and operator.takes_dtype:
            main = operator.outputs[0]
            optional[main] = self._data_type(main, said, operator.data_types(main))
        elif said is not None:
            given[operator.output_count] = self._count(said)
        return given, output_sizes, optional

    def _count(self, said):
        if isinstance(said, bool) or not hasattr(said, "__index__") or not 0 < int(said) < 2**32:
            raise _errors.WrongType(f"{self.operator.type}: output_count = {_errors.show(said)} "
                                    f"must be a positive integer")
        return int(said)

    def _record(self, inputs, settings, device):
        """The same as a node of a graph. How many threads execute it is said later."""
        operator = self.operator
        if device is not None:
            raise _errors.InvalidArgument(f"{operator.type}: device = {_errors.show(device)} "
                                          f"cannot be given where an argument is an anydml.Value")
        graph = next(array.graph for array in inputs if _values.is_value(array))
        values = [graph.of(array, f"{operator.type}: {self._name(i)}")
                  for i, array in enumerate(inputs)]
        layouts = [_arrays.Layout(v.data_type, v.shape, _layouts.packed_strides(v.shape), True,
                                  None) for v in values]
        numbers = [value.number for value in values]
        if self.places is not None:        # 0 where an optional one is absent
            by_place = dict(zip(self.places, numbers))
            numbers = [by_place.get(i, 0) for i in range(self.input_pointers._length_)]
        try:
            text, count = _describe.describe_node(
                operator, dict(zip(operator.expand(operator.inputs, len(values)), layouts)),
                *self._split(settings))
            found = graph.add_described(text, numbers, count)
        except _errors.Error as error:
            raise type(error)(_describe.in_words_of(operator.type, operator.settings,
                                                      str(error))) from None
        found = [value for value in found if value is not None]
        return found[0] if len(found) == 1 else tuple(found)

    def _check_devices(self, layouts, wanted):
        """All arrays on one device, and on that which the caller named."""
        found = layouts[0].device
        first = self._name(0)
        if wanted is not None and _library.full_name(wanted) != found:
            raise _errors.InvalidArgument(
                f"{self.operator.type}: {first} is on {found}, and device = {wanted!r} must be the "
                f"same; leave it out, or copy the array there, with anydml.to_device for one")
        for i, layout in enumerate(layouts):
            if layout.device != found:
                raise _errors.InvalidArgument(
                    f"{self.operator.type}: {self._name(i)} is on {layout.device} and {first} is "
                    f"on {found}; all arrays must be on one device")

    def _check_outs(self, layouts):
        if len(layouts) > len(self.operator.outputs) and not self.operator.arrays:
            raise _errors.InvalidArgument(f"{self.operator.type}: out has {len(layouts)} arrays "
                                          f"and must have at most {len(self.operator.outputs)}")
        if not all(layout.writable for layout in layouts):
            raise _errors.InvalidArgument(f"{self.operator.type}: out is read-only")

    def _optional(self, wanted):
        """Data types of the optional outputs: True is the first that the operator supports."""
        found = {}
        for name, value in zip(self.operator.optional_outputs, wanted):
            supported = self.operator.data_types(name)
            if value is True:
                found[name] = supported[0]
            elif value is not False:
                found[name] = self._data_type(name, value, supported)
        return found

    def _data_type(self, name, value, supported):
        """Of "uint64", "UINT64", numpy.uint64, numpy.dtype("uint64") or torch's."""
        text = _layouts.type_name(value)
        data_type = _arrays.DATA_TYPES.get(text, text)
        if data_type not in supported:
            names = [_arrays.NUMPY_NAMES[t] for t in supported]
            raise _errors.WrongType(f"{self.operator.type}: the type of {name}, "
                                    f"{_errors.show(value)}, must be True, False or one of "
                                    f"{', '.join(names)}")
        return data_type
