# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""From the layouts of a call's arrays and its settings to the library's description in JSON.

DirectML's strides are unsigned. An axis that runs backwards is turned around where the operator
allows it: in a slice by turning the window or what it picks, in an element-wise operator by turning
all tensors.
"""
import collections
import decimal
import json
import re

from . import _arrays, _errors, _layouts, _library, _settings

# `outputs` are the layouts to allocate (None: the caller's own, or absent); `shifts` lead from an
# array's first element to its lowest address, in elements; `turned` are the axes on which an
# allocated result must be read backwards.
Description = collections.namedtuple("Description",
                                     "json outputs input_shifts output_shifts turned")


def describe(operator, inputs, outs, settings, output_sizes, optional):
    """`inputs` and `outs` are Layouts by field name, `settings` values as the caller gave them by
    field name, `optional` the data types of optional outputs that are wanted, by field name."""
    values = _convert(operator, inputs, settings)
    sizes = _settings.convert_sizes(output_sizes, operator.type)
    main = operator.outputs[0]
    if main in optional and not outs:
        sizes = next(iter(inputs.values())).sizes
    if main in outs:
        if sizes is not None and tuple(sizes) != tuple(outs[main].sizes):
            raise _errors.InvalidArgument(f"{operator.type}: output_sizes = {tuple(sizes)} must be "
                                          f"those of out, {tuple(outs[main].sizes)}")
        sizes = outs[main].sizes
    _fill(operator, next(iter({**inputs, **outs}.values())).sizes, values, sizes)
    made = _new_outputs(operator, inputs, outs, sizes, optional, values)
    tensors = {**inputs, **outs, **made}
    turned = _turn(operator, tensors, made, values)
    shifts = {n: _shift(t) for n, t in tensors.items()}
    text = _text(operator, tensors, values)
    names = operator.expand(operator.outputs, len(outs) or len(made)) if (
        operator.arrays) else operator.outputs
    return Description(text, [made.get(n) for n in names], [shifts[n] for n in inputs],
                       [shifts.get(n, 0) for n in names], turned)


def describe_node(operator, inputs, settings, output_sizes, optional):
    """The settings alone, for a graph that knows the inputs and finds the outputs; and how many
    outputs there are, up to the last one that is present."""
    values = _convert(operator, inputs, settings)
    sizes = _settings.convert_sizes(output_sizes, operator.type)
    if operator.outputs[0] in optional:
        sizes = next(iter(inputs.values())).sizes
    _fill(operator, next(iter(inputs.values())).sizes, values, sizes)
    made = {}
    if sizes is not None or optional:
        new = _new_outputs(operator, inputs, {}, sizes, optional, values)
        made = {name: layout._replace(strides=_layouts.packed_strides(layout.sizes))
                for name, layout in new.items()}
    fields = _fields(operator, {**inputs, **made}, values)
    absent = set(operator.inputs) | {operator.fields[name].get("count") for name in operator.arrays
                                     if name in operator.inputs}
    present = [i for i, name in enumerate(operator.outputs)
               if name in optional or name not in operator.optional_outputs]
    text = to_json({"type": operator.type, "desc": {name: value for name, value in fields.items()
                                                  if name not in absent}})
    return text, values.get(operator.output_count, present[-1] + 1)


def _fill(operator, sizes, values, output_sizes):
    """What a caller may leave out: scales that lead from sizes to sizes, windows up to the end.
    Numbers that make no sense go to the library, which refuses them in words."""
    if output_sizes is None and not operator.infers_outputs:
        whose = ", the sizes of the forward operator's input," if operator.is_gradient else ""
        raise _errors.InvalidArgument(f"{operator.type}: output_sizes{whose} or out is required")
    if output_sizes is None and "inf" in (values.get("Scales") or ()):
        raise _errors.InvalidArgument(f"{operator.type}: output_sizes or out is required where one "
                                      f"of scales is infinite")
    small, large = (output_sizes, sizes) if operator.is_gradient else (sizes, output_sizes)
    if values.get("Scales", ()) is None:
        if output_sizes is None:
            raise _errors.InvalidArgument(f"{operator.type}: one of scales, output_sizes and out is "
                                          f"required")
        values["Scales"] = [m / n if n else 1.0 for n, m in zip(small, large)]
    if values.get("InputWindowSizes", ()) is None:
        whole = output_sizes if operator.is_gradient else sizes
        values["InputWindowSizes"] = [max(0, n - o)
                                      for n, o in zip(whole, values["InputWindowOffsets"])]
    if values.get("Sizes", ()) is None:
        values["Sizes"] = [max(0, -((o - n) // max(1, s)))
                           for n, o, s in zip(sizes, values["Offsets"], values["Strides"])]


def in_words_of(operator_type, settings, sentence):
    """The library's reader names what it refuses by the place in the JSON text: "desc.Min = -1 must
    be ..." is the caller's "ELEMENT_WISE_CLIP1: min = -1 must be ..."."""
    place = re.match(r"desc\.(\w+)([\w.\[\]]*)(?::(?! unknown))?(.*)", sentence)
    if not place:
        return sentence
    field, part, rest = place.groups()
    names = {s.field_name: s.name for s in settings}
    rest = re.sub(r'"(nan|-?inf)"', r"\1", rest)
    return f"{operator_type}: {names.get(field, field)}{part}{rest}"


def _convert(operator, inputs, settings):
    dimensions = {n: len(t.sizes) for n, t in inputs.items()}
    values = {}
    for setting in operator.settings:
        count = 0
        if setting.is_array:
            equals = operator.fields[setting.field["count"]]["equals"]
            if "dimension_count_of" in equals:      # an array of axes has any length
                count = max(0, dimensions[equals["dimension_count_of"]] - equals["less"])
            else:
                count = 1
        values[setting.field_name] = _settings.convert(setting, settings[setting.field_name], count,
                                                       operator.type)
    if operator.output_count in settings:
        values[operator.output_count] = settings[operator.output_count]
    return values


def _new_outputs(operator, inputs, outs, sizes, optional, values):
    """Of the caller's sizes, or of those that the library finds."""
    first = next(iter({**inputs, **outs}.values()))
    made = {}
    for index, name in enumerate(operator.outputs):
        wanted = name in optional or name not in operator.optional_outputs
        if name in operator.arrays and not outs:
            made.update(_new_array(operator, name, inputs, values))
        if name in outs or not wanted or name in operator.arrays:
            continue
        found, data_type = sizes, inputs.get(operator.source_of_type(name), first).data_type
        if sizes is None:
            number, found = _library.describe_output(_text(operator, {**inputs, **outs}, values),
                                                     index)
            data_type = _layouts.NUMBERED[number]
        made[name] = _arrays.Layout(optional.get(name, data_type), tuple(found),
                                    _strides_like(first, found), True, first.device)
    return made


def _new_array(operator, name, inputs, values):
    """As many outputs as the caller wants, as the library finds them."""
    first, text = next(iter(inputs.values())), _text(operator, inputs, values)
    found = [_library.describe_output(text, i) for i in range(values[operator.output_count])]
    return {f"{name}[{i}]": _arrays.Layout(_layouts.NUMBERED[number], tuple(sizes),
                                           _strides_like(first, sizes), True, first.device)
            for i, (number, sizes) in enumerate(found)}


def _strides_like(first, sizes):
    """Packed, with the dimensions in the order in which the first input has them in memory."""
    steps = [(abs(stride), d) for d, (size, stride) in enumerate(zip(first.sizes, first.strides))
             if size > 1]
    falling = all(a[0] >= b[0] for a, b in zip(steps, steps[1:]))
    if falling or len(first.sizes) != len(sizes) or any(step == 0 for step, _ in steps):
        return _arrays.packed_strides(sizes)
    strides, step = [0] * len(sizes), 1
    for d in sorted(range(len(sizes)), key=lambda d: (abs(first.strides[d]), -d)):
        strides[d] = step
        step *= sizes[d]
    return tuple(strides)


def _backward_axes(layout):
    return {d for d, (size, stride) in enumerate(zip(layout.sizes, layout.strides))
            if stride < 0 and size > 1}


def _turn(operator, tensors, made, values):
    """Turns what can be turned; returns the axes on which the new outputs are to be turned."""
    backward = {n: _backward_axes(t) for n, t in tensors.items() if n not in made}
    if not any(backward.values()):
        return ()
    if "InputWindowStrides" in values:
        ends = operator.inputs[0], operator.outputs[0]
        whole, picked = reversed(ends) if operator.is_gradient else ends
        _turn_window(tensors[whole].sizes, backward.get(whole, ()), values)
        _turn_picks(tensors[picked].sizes, backward.get(picked, ()), values)
        return ()
    if {"Offsets", "Sizes", "Strides"} <= set(values):
        turned = _turn_both(tensors, backward, operator.outputs[0] in made, values)
        if turned is not None:
            return turned
    distinct = {frozenset(axes) for axes in backward.values()}
    if operator.is_element_wise and len(distinct) == 1:
        return tuple(sorted(distinct.pop()))
    name = next(n for n, axes in backward.items() if axes)
    raise _errors.InvalidArgument(
        f"{operator.type}: {name} has the negative stride "
        f"{min(tensors[name].strides)} in elements, which this operator cannot express; copy the "
        f"array first, with numpy.ascontiguousarray for one")


def _window(values, sizes):
    """Offsets, sizes and strides of a slice's window; None where the library is to say what is
    wrong with them."""
    window = [values["InputWindow" + name] for name in ("Offsets", "Sizes", "Strides")]
    return window if all(len(array) == len(sizes) for array in window) else None


def _turn_window(sizes, axes, values):
    """The same elements of a tensor that is seen from its other end."""
    window = _window(values, sizes)
    for d in axes if window else ():
        offsets, windows, strides = window
        offsets[d] = sizes[d] - offsets[d] - windows[d]
        strides[d] = -strides[d]


def _turn_picks(sizes, axes, values):
    """The same elements in the other order: the window shrinks to what is picked, so that the last
    one stands at its border. A description that does not fit stays, to be refused."""
    window = _window(values, sizes)
    for d in axes if window else ():
        offsets, windows, strides = window
        span = (sizes[d] - 1) * abs(strides[d]) + 1
        if span > windows[d] or strides[d] == 0:
            return
        if strides[d] < 0:
            offsets[d] += windows[d] - span
        windows[d], strides[d] = span, -strides[d]


def _turn_both(tensors, backward, is_made, values):
    """A slice without negative strides reads and writes in one direction: both tensors are seen
    from their other ends. None where only one of them runs backwards."""
    whole, picked = tensors["InputTensor"].sizes, tensors["OutputTensor"].sizes
    turned = backward["InputTensor"]
    several = {d for d in turned if d < len(picked) and picked[d] > 1}
    if not is_made and backward["OutputTensor"] != several:
        return None
    window = [values[name] for name in ("Offsets", "Sizes", "Strides")]
    if all(len(array) == len(whole) for array in (picked, *window)):
        offsets, sizes, strides = window
        for d in turned:
            last = offsets[d] + (sizes[d] - 1) * strides[d]
            if last < whole[d]:            # else the library says what is wrong
                offsets[d] = whole[d] - 1 - last
    return tuple(sorted(several)) if is_made else ()


def _shift(layout):
    return sum((size - 1) * stride for size, stride in zip(layout.sizes, layout.strides)
               if stride < 0 and size > 1)


def _stride(size, stride):
    """In DirectML's words. That of a single element leads nowhere, and may be huge."""
    return 0 if size == 1 and abs(stride) >= 2**32 else abs(stride)


def _text(operator, tensors, values):
    """`tensors` may be without outputs that the library is to find."""
    return to_json({"type": operator.type, "desc": _fields(operator, tensors, values)})


def _fields(operator, tensors, values):
    fields = {}
    for name, t in tensors.items():
        tensor = {"DataType": t.data_type, "Sizes": list(t.sizes),
                  "Strides": [_stride(n, s) for n, s in zip(t.sizes, t.strides)]}
        array, is_entry, _ = name.partition("[")
        if is_entry:
            fields.setdefault(array, []).append(tensor)
        else:
            fields[name] = tensor
    fields.update({name: value for name, value in values.items() if value is not None})
    first = next(iter(tensors.values()))
    for name, field in operator.fields.items():
        equals = field.get("equals", {})
        if "dimension_count_of" in equals:
            fields[name] = len(tensors[equals["dimension_count_of"]].sizes) - equals["less"]
        elif "data_type_of" in equals:
            fields[name] = tensors.get(equals["data_type_of"], first).data_type
        elif "length_of" in equals and equals["length_of"] in fields:
            fields[name] = len(fields[equals["length_of"]])
    return fields


def to_json(value):
    """Floats in all of their digits: the library rounds what is written, and the usual few digits of
    a float are not quite its value."""
    if isinstance(value, float):
        return str(decimal.Decimal(value))
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {to_json(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(to_json, value)) + "]"
    return json.dumps(value)
