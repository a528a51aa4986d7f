# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""A call: look the compiled operator up by all that its description depends on, allocate, execute.

The way of a call that was made before has no JSON, no validation and no locks.
"""
import ctypes
import os
import threading

from . import _arrays, _describe, _errors, _layouts, _library, _settings, _streams
from ._arrays import by_type

_MAX_KEPT = 512                           # operators of a function
_MAX_TABLE_BYTES = 64 << 20               # of all functions' together, as the library's own cache
_lock = threading.Lock()                   # of all caches
_tables = {}                               # bytes by (cache's Call, key), the oldest first


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


class Call:
    """The function of one operator, with its cache."""

    def __init__(self, operator):
        self.operator = operator
        self.cache = {}
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
        if self.operator.needs_out:
            raise _errors.InvalidArgument(f"{self.operator.type}: out is required, an array or a "
                                          f"tuple of arrays: the other arguments do not say of "
                                          f"what sizes and type it is")
        kinds, held = self._kinds(inputs)
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
        """The arrays' kinds, and the arrays as their kinds want them."""
        kinds = [by_type.get(type(array)) for array in arrays]
        if None in kinds:
            kinds = [_arrays.kind_of(a, self._name(i)) for i, a in enumerate(arrays)]
            if any(kind.borrows for kind in kinds):
                stream = _streams.current(kinds, arrays)
                arrays = [kind.borrow(a, self._name(i), stream) if kind.borrows else a
                          for i, (kind, a) in enumerate(zip(kinds, arrays))]
        return kinds, arrays

    def _find(self, key):
        try:
            return self.cache.get(key)
        except TypeError:                  # an unhashable device: refused in words later
            return None

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
            raise type(error)(_describe.in_words_of(self.operator, str(error))) from None
        self._keep(key, compiled)
        return compiled

    def _make(self, key, kinds, held, settings, count):
        operator = self.operator
        layouts = [k.layout(a, self._name(i)) for i, (k, a) in enumerate(zip(kinds, held))]
        self._check_devices(layouts, key[0])
        inputs = dict(zip(operator.expand(operator.inputs, count), layouts))
        self._check_outs(layouts[count:])
        names = operator.expand(operator.outputs, len(layouts) - count) if (
            operator.arrays) else operator.outputs
        outs = dict(zip(names, layouts[count:]))
        given = {s.field_name: value for s, value in zip(operator.settings, settings)}
        rest = list(settings[len(operator.settings):])
        output_sizes = rest.pop(0) if operator.takes_output_sizes else None
        optional = self._optional(rest)
        description = _describe.describe(operator, inputs, outs, given, output_sizes, optional)
        if outs and any(description.outputs):
            raise _errors.InvalidArgument(f"{operator.type}: out must be a tuple with one array "
                                          f"for each output that is wanted")
        output_layouts = [outs.get(n) or made for n, made in zip(names, description.outputs)]
        all_layouts = list(inputs.values()) + output_layouts
        compiled = _Compiled(description, all_layouts, kinds, key[1])
        compiled.input_count = count
        compiled.is_plain &= not operator.arrays and self.places is None
        return compiled

    def _keep(self, key, compiled):
        """The oldest leave first. One that has more tables than all may have stays until the next
        one comes."""
        with _lock:
            while len(self.cache) >= _MAX_KEPT:
                self._drop(next(iter(self.cache)))
            self.cache[key] = compiled
            if compiled.table_bytes:
                _tables[self, key] = compiled.table_bytes
            while sum(_tables.values()) > _MAX_TABLE_BYTES and len(_tables) > 1:
                call, oldest = next(iter(_tables))
                call._drop(oldest)

    def _drop(self, key):
        self.cache.pop(key, None)
        _tables.pop((self, key), None)

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
        text = value.__name__ if isinstance(value, type) else str(value)
        text = text.rpartition(".")[2]
        data_type = _arrays.DATA_TYPES.get(text, text)
        if data_type not in supported:
            names = [_arrays.NUMPY_NAMES[t] for t in supported]
            raise _errors.WrongType(f"{self.operator.type}: the type of {name}, "
                                    f"{_errors.show(value)}, must be True, False or one of "
                                    f"{', '.join(names)}")
        return data_type


def _renew_lock():
    global _lock
    _lock = threading.Lock()


# A thread that a forked child does not have may hold it.
os.register_at_fork(after_in_child=_renew_lock)
