# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The operators as the library lists them, in Python's words: function names, parameters, defaults.

Nothing here names an operator: one that the library gains appears by itself.
"""
import copy
import json
import keyword
import re

_PREFIXES = ("ACTIVATION_", "ELEMENT_WISE_")
_TENSOR_NAMES = {"InputTensor": "x", "InputGradientTensor": "dy"}
# Fields that the library must be told and that this package can work out (_describe.py).
_WORKED_OUT = {"Scales", "InputWindowSizes", "Sizes"}
# Floor is what a reader expects of a coordinate; it has no effect on LINEAR.
_ENUM_DEFAULTS = {"RoundingDirection": "decreasing"}
_REQUIRED = object()


def snake_case(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


class Setting:
    """A parameter of a function that is a field of the description and no tensor."""

    def __init__(self, field):
        self.field = field
        self.field_name = field["name"]
        self.name = snake_case(field["name"])
        self.type = field["type"]
        self.is_array = self.type.endswith("_ARRAY")
        self.enumerators = [e.lower() for e in field.get("enumerators", [])]
        self.default = self._find_default()

    def _find_default(self):
        if self.field_name in _WORKED_OUT or self.field["optional"]:
            return None
        if self.field_name in _ENUM_DEFAULTS:
            return _ENUM_DEFAULTS[self.field_name]
        if "default" not in self.field:
            return _REQUIRED
        value = self.field["default"]
        if self.type == "BOOL":
            return bool(value)
        if self.enumerators:
            return self.enumerators[int(value)]
        return float(value) if "FLOAT" in self.type else int(value)

    @property
    def is_required(self):
        return self.default is _REQUIRED


class Operator:
    """One operator of the library's listing."""

    def __init__(self, listed):
        self.listed = listed
        self.type = listed["name"]                    # "MAX_POOLING_GRAD"
        self.name = self._short_name().lower()        # "max_pooling_grad"
        tensors = listed["tensors"]
        self.inputs = [t["name"] for t in tensors if t["kind"] == "input"]
        self.outputs = [t["name"] for t in tensors if t["kind"] == "output"]
        self.optional_outputs = [t["name"] for t in tensors
                                 if t["kind"] == "output" and t["optional"]]
        self.optional_inputs = {t["name"] for t in tensors
                                if t["kind"] == "input" and t["optional"]}
        self.arrays = {t["name"] for t in tensors if "count" in t}    # of tensors
        self.infers_outputs = all(t.get("inferred", True) for t in tensors)
        self.input_names = [_TENSOR_NAMES.get(n, snake_case(n.replace("Tensor", "")))
                            for n in self.inputs]
        self.fields = {f["name"]: f for f in listed["fields"]}
        settings = [Setting(f) for f in listed["fields"] if _is_setting(f)]
        self.settings = sorted(settings, key=lambda s: not s.is_required)
        # Elements depend on those at the same place alone.
        # With an entry per dimension; axes are as many as the caller says.
        self.has_arrays = any(s.is_array and self._per_dimension(s) for s in self.settings)
        self.is_element_wise = listed.get("element_wise", not self.has_arrays)
        # Nothing else says what it makes, of which type, or how many.
        self.needs_out = (not self.inputs or any(name in self.arrays for name in self.outputs) or
                          not (self.infers_outputs or self.takes_output_sizes))
        self.is_gradient = "InputGradientTensor" in self.inputs
        # What a caller may say instead of out: the type of the result, or how many there are.
        self.output_count = next((t["count"] for t in tensors
                                  if t["kind"] == "output" and "count" in t), None)
        self.takes_dtype = bool(self.inputs) and self.needs_out and self.output_count is None

    def _constraints(self, kind):
        return [c for c in self.listed.get("constraints", ()) if c["kind"] == kind]

    def source_of_type(self, output):
        """The first input whose data type an output has; None where no constraint names one."""
        for alike in self._constraints("SAME_DATA_TYPE"):
            if output in alike["fields"]:
                return next((name for name in self.inputs if name in alike["fields"]), None)
        return None

    def _per_dimension(self, setting):
        return "dimension_count_of" in self.fields[setting.field["count"]].get("equals", ())

    def _short_name(self):
        for prefix in _PREFIXES:
            if self.type.startswith(prefix):
                return self.type[len(prefix):]
        return self.type

    @property
    def takes_output_sizes(self):
        """Whether the description leaves a choice of the output's sizes."""
        needed = not self.infers_outputs and self.source_of_type(self.outputs[0]) is not None
        return (self.has_arrays or needed) and not {
            "InputTensor", "InputGradientTensor"} <= set(self.inputs) and "Sizes" not in self.fields

    def defaults(self):
        """Whether each input may be left out of a call: those behind the last that is required."""
        required = [i for i, name in enumerate(self.inputs) if name not in self.optional_inputs]
        last = required[-1] if required else -1
        return [i > last for i in range(len(self.inputs))]

    def without(self, places):
        """The operator as if these inputs were no part of it."""
        rest = copy.copy(self)
        rest.inputs = [name for i, name in enumerate(self.inputs) if i not in places]
        rest.input_names = [name for i, name in enumerate(self.input_names) if i not in places]
        return rest

    def expand(self, names, count):
        """The names of a call's `count` tensors: those of an array one by one."""
        entries = count - sum(name not in self.arrays for name in names)
        found = []
        for name in names:
            found += [f"{name}[{i}]" for i in range(entries)] if name in self.arrays else [name]
        return found

    def data_types(self, tensor):
        """Of the newest feature level."""
        return next(row["data_types"] for row in self.listed["support"]
                    if tensor in row["tensors"])

    def dimension_counts(self, tensor):
        return next(row["dimension_counts"] for row in self.listed["support"]
                    if tensor in row["tensors"])


def _is_setting(field):
    """Counts and types of other fields follow from the arrays."""
    return "_TENSOR" not in field["type"] and "equals" not in field


def read(text):
    """The operators of the library's listing by the name of their function."""
    operators = [Operator(listed) for listed in json.loads(text)]
    named = {}
    for operator in operators:
        if operator.name in named or keyword.iskeyword(operator.name):
            operator.name = operator.type.lower()
        named[operator.name] = operator
    return named
