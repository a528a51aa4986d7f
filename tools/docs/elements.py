# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""What pages of element-wise operators tell of them: special values and gradient rules. All of it
comes from the command: values from runs of models that are made here, rules from `anydml grad`."""
import json
import math
import re
import subprocess

SPECIAL = ["-inf", -1, -0.0, 0, 1, "inf", "nan"]
HEADINGS = ["-inf", "-1", "-0", "0", "1", "inf", "NaN"]
NOT_FUNCTIONS = ("ELEMENT_WISE_BIT_", "CAST")     # of numbers, but of their bits or types


def read_json(text):
    return json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))


def inputs_of(op):
    return [tensor["name"] for tensor in op["tensors"] if tensor["kind"] == "input"]


def takes_floats(op, tensor):
    return any("FLOAT32" in row["data_types"] and tensor in row["tensors"] for row in op["support"])


def is_of_floats(op):
    return all(takes_floats(op, tensor["name"]) for tensor in op["tensors"])


def is_function(op):
    """Of one floating-point number or two. A gradient operator is linear in one of its inputs."""
    inputs = inputs_of(op)
    return (is_of_floats(op) and len(inputs) <= 2 and not op["name"].startswith(NOT_FUNCTIONS)
            and "InputGradientTensor" not in inputs)


def is_plotted(op):
    return is_function(op) and len(inputs_of(op)) == 1


def enumerator(value):
    return re.sub("^DML_.*_MODE_", "", value)


class Element:
    """An operator with the parameters of its model, but for optional ones, on lists of numbers."""

    def __init__(self, operators, op):
        self.run, self.op = operators.run, op
        text = (operators.root / "models" / f"{op['name'].lower()}.json").read_text()
        (only,) = read_json(text)["dispatchables"].values()
        tensors = {tensor["name"] for tensor in op["tensors"]}
        self.types = {name: "FLOAT32" if takes_floats(op, name) else field["DataType"]
                      for name, field in only["desc"].items() if name in tensors}
        optional = {field["name"] for field in op["fields"] if field["optional"]}
        self.attributes = {name: value for name, value in only["desc"].items()
                           if name not in tensors and name not in optional}
        if "MinMaxDataType" in self.attributes:
            self.attributes["MinMaxDataType"] = "FLOAT32"
        self.inputs = [name for name in inputs_of(op) if name in self.types]
        self.output = next(t["name"] for t in op["tensors"] if t["kind"] == "output")

    def parameters(self):
        """"Alpha 0.5, Beta 1"."""
        return ", ".join(f"{name} {value:g}" if isinstance(value, (int, float)) else
                         f"{name} {enumerator(value)}" for name, value in self.attributes.items()
                         if not isinstance(value, (dict, list)) and name != "MinMaxDataType")

    def model(self, values):
        """y = f(inputs), loss = the sum of y."""
        count = len(values[0])
        tensor = {name: {"DataType": data_type, "Sizes": [count]}
                  for name, data_type in self.types.items()}
        floats = {"initialValuesDataType": "FLOAT32"}
        resources = {name: {"initialValuesDataType": self.types[name], "initialValues": list(v)}
                     for name, v in zip(self.inputs, values)}
        resources["y"] = {**floats, "initialValues": {"valueCount": count, "value": 0}}
        resources["loss"] = {**floats, "initialValues": [0]}
        total = {"Function": "SUM", "AxisCount": 1, "Axes": [3],
                 "InputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 1, count]},
                 "OutputTensor": {"DataType": "FLOAT32", "Sizes": [1, 1, 1, 1]}}
        return {
            "resources": resources,
            "dispatchables": {"f": {"type": self.op["name"], "desc": {**tensor, **self.attributes}},
                              "total": {"type": "REDUCE", "desc": total}},
            "commands": [
                {"type": "dispatch", "dispatchable": "f",
                 "bindings": {**{name: name for name in self.inputs}, self.output: "y"}},
                {"type": "dispatch", "dispatchable": "total",
                 "bindings": {"InputTensor": "y", "OutputTensor": "loss"}},
                {"type": "print", "resource": "y"}]}

    def differentiable_inputs(self):
        return [name for name in self.inputs if self.types[name] == "FLOAT32"]

    def with_gradients(self, values):
        """The model that `anydml grad` makes, or None where there is no rule."""
        made = self.run_or_none("grad", "-", "--loss", "loss", "--of",
                                ",".join(self.differentiable_inputs()),
                                input=json.dumps(self.model(values)))
        if made is None:
            return None
        model = json.loads(made)
        model["commands"].append({"type": "print", "resource": "y"})
        return model

    def run_or_none(self, *arguments, **options):
        try:
            return self.run(*arguments, stderr=subprocess.DEVNULL, **options)
        except subprocess.CalledProcessError:
            return None

    def values(self, values):
        """(y, the derivatives by the inputs' names, or none)"""
        model = self.with_gradients(values) or self.model(values)
        printed = dict(re.findall(r"Resource '([\w.]+)': (.*)",
                                  self.run("run", "-", input=json.dumps(model))))
        numbers = {name: [float(v) for v in text.split(", ")] for name, text in printed.items()}
        return numbers["y"], {name: numbers[f"d.{name}"] for name in self.inputs
                              if f"d.{name}" in numbers}


# ---- Gradient rules as formulas.

INFIX = {"ELEMENT_WISE_ADD": "+", "ELEMENT_WISE_SUBTRACT": "-", "ELEMENT_WISE_MULTIPLY": "*",
         "ELEMENT_WISE_DIVIDE": "/", "ELEMENT_WISE_LOGICAL_EQUALS": "==",
         "ELEMENT_WISE_LOGICAL_GREATER_THAN": ">", "ELEMENT_WISE_LOGICAL_LESS_THAN": "<",
         "ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL": ">=",
         "ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL": "<=", "ELEMENT_WISE_LOGICAL_AND": "and",
         "ELEMENT_WISE_LOGICAL_OR": "or"}


def linear(x, scale, bias):
    if scale == -1 and bias != 0:
        return f"{bias:g} - {x}"
    x = {1: x, -1: f"-{x}"}.get(scale, f"{scale:g} * {x}")
    return x + (f" + {bias:g}" if bias > 0 else f" - {-bias:g}" if bias < 0 else "")


def closed(text):
    """As a part of another formula."""
    depth, atom = 0, True
    for i, letter in enumerate(text):
        depth += (letter in "(|") - (letter == ")")
        atom = atom and (depth > 0 or letter not in " ?" and not (letter == "-" and i == 0))
    return text if atom else f"({text})"


def formula_of(kind, desc, inputs):
    whole = inputs[0] if inputs else ""
    if desc.get("ScaleBias"):
        whole = linear(closed(whole), desc["ScaleBias"]["Scale"], desc["ScaleBias"]["Bias"])
    if kind in ("ELEMENT_WISE_IDENTITY", "CAST"):
        return whole
    first = closed(whole)
    if kind == "FILL_VALUE_CONSTANT":
        return f"{desc['Value']:g}"
    if kind in INFIX:
        return f"{first} {INFIX[kind]} {closed(inputs[1])}"
    if kind == "ELEMENT_WISE_IF":
        return f"{first} ? {closed(inputs[1])} : {closed(inputs[2])}"
    if kind == "ACTIVATION_LINEAR":
        return linear(first, desc["Alpha"], desc["Beta"])
    if kind == "ELEMENT_WISE_NEGATE":
        return f"-{first}"
    if kind == "ELEMENT_WISE_RECIP":
        return f"1 / {first}"
    if kind == "ELEMENT_WISE_CONSTANT_POW":
        return f"{first}^{desc['Exponent']:g}"
    name = re.sub("^(ELEMENT_WISE|ACTIVATION)_", "", kind).lower()
    numbers = [f"{key} {value:g}" for key, value in desc.items()
               if isinstance(value, (int, float)) and not key.endswith("Count")]
    numbers += [enumerator(value) for key, value in desc.items() if key.endswith("Mode")]
    return f"{name}({', '.join([whole, *inputs[1:], *numbers])})"


def short_names(inputs):
    """{field: letter}"""
    if len(inputs) == 1:
        return {inputs[0]: "x"}
    return {name: {"ATensor": "a", "BTensor": "b", "ExponentTensor": "e", "SlopeTensor": "slope",
                   "ConditionTensor": "condition", "InputGradientTensor": "g",
                   "InputTensor": "x"}.get(name, name) for name in inputs}


def rule(element):
    """Lines such as "dx = dy * y", or [] where there is no rule."""
    model = element.with_gradients([[1.0] if element.types[name] == "FLOAT32" else [1]
                                    for name in element.inputs])
    if model is None:
        return []
    dispatches = [(model["dispatchables"][command["dispatchable"]], command["bindings"])
                  for command in model["commands"] if command["type"] == "dispatch"]
    texts = {**short_names(element.inputs), "y": "y"}
    uses = {}
    for op, bindings in dispatches:
        for field, name in bindings.items():
            uses[name] = uses.get(name, 0) + (not field.startswith("Output"))
    lines = []
    for op, bindings in dispatches:
        names = [name for field, name in bindings.items() if not field.startswith("Output")]
        (result,) = [name for field, name in bindings.items() if field.startswith("Output")]
        if result in ("y", "loss"):
            continue
        desc = op["desc"]
        if op["type"] == "FILL_VALUE_CONSTANT" and desc["OutputTensor"]["Sizes"] == [1, 1, 1, 1]:
            texts[result] = "dy"
            if result.startswith("d."):
                lines.append(f"d{texts[result[2:]]} = dy")
            continue
        text = formula_of(op["type"], desc, [texts[name] for name in names])
        if result.startswith("d.") and result[2:] in element.inputs:
            lines.append(f"d{texts[result[2:]]} = {text}")
            texts[result] = f"d{texts[result[2:]]}"
        elif uses.get(result, 0) > 1 and " " in text:
            texts[result] = f"t{sum(line.startswith('t') for line in lines) + 1}"
            lines.append(f"{texts[result]} = {text}")
        else:
            texts[result] = text
    return lines


# ---- Tables of special values.

def number(value):
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return f"{value:.6g}"     # "-0" of -0


def special_values(element):
    """A table: of one input a row per result, of two a row per value of the first."""
    if len(element.inputs) == 1:
        y, gradients = element.values([SPECIAL])
        rows = [("y", y)] + [("dy/dx", g) for g in gradients.values()]
        corner = "x"
    else:
        pairs = [(a, b) for a in SPECIAL for b in SPECIAL]
        y, _ = element.values([[a for a, _ in pairs], [b for _, b in pairs]])
        a, b = (short_names(element.inputs)[name] for name in element.inputs)
        count = len(SPECIAL)
        rows = [(f"**{HEADINGS[i]}**", y[i * count:(i + 1) * count]) for i in range(count)]
        corner = f"{a} \\ {b}"
    lines = ["| " + " | ".join([corner, *HEADINGS]) + " |", "|---" * (len(SPECIAL) + 1) + "|"]
    lines += ["| " + " | ".join([name, *map(number, values)]) + " |" for name, values in rows]
    return "\n".join(lines)


def facts(element):
    """Of one operator, behind its tables."""
    parameters = element.parameters()
    given = f" with {parameters}" if parameters else ""
    lines = []
    if is_function(element.op):
        lines += [f"Special values, of FLOAT32{given}:", "", special_values(element), ""]
    found = rule(element) if element.types[element.output] == "FLOAT32" else []
    if found:
        lines += [f"The gradient, as `anydml grad` writes it{given}:", "",
                  *(f"    {line}" for line in found), ""]
    return lines
