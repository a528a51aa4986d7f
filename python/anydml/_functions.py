# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Python functions, their documentation and their stubs, written from the operators' schemas.

Functions are made by executing their text, as dataclasses makes methods: real signatures cost
nothing at a call.
"""
import textwrap
import typing

from . import _arrays, _call, _errors, _schema

# What the annotations of the functions name, for typing.get_type_hints.
_TYPING = {name: getattr(typing, name) for name in ("Literal", "Optional", "Sequence", "Tuple",
                                                    "Union")}
_TYPING["Array"] = typing.TypeVar("Array")

_TYPES = {"UINT_ARRAY": "Union[int, Sequence[int]]", "INT_ARRAY": "Union[int, Sequence[int]]",
          "FLOAT_ARRAY": "Union[float, Sequence[float]]", "FLOAT": "float", "BOOL": "bool",
          "SCALAR_UNION": "Union[int, float]", "SCALE_BIAS": "Tuple[float, float]",
          "SIZE_2D": "Tuple[int, int]", "UINT": "int",
          "INT": "int", "OPERATOR_DESC": "Union[str, dict]"}
_SIZES = "Sequence[int]"


def _optional_name(tensor):
    """"OutputIndicesTensor" is asked for as output_indices."""
    return "output_" + _schema.snake_case(tensor.replace("Output", "").replace("Tensor", ""))


def setting_names(operator):
    """In the order in which Call.run takes their values."""
    names = [s.name for s in operator.settings]
    if operator.takes_output_sizes:
        names.append("output_sizes")
    names += ["dtype"] * operator.takes_dtype + ["output_count"] * (operator.output_count is not None)
    return names + [_optional_name(t) for t in operator.optional_outputs]


def _setting_type(setting):
    if setting.enumerators:
        return f"Literal[{', '.join(map(repr, setting.enumerators))}]"
    written = _TYPES[setting.type]
    return f"Optional[{written}]" if setting.default is None else written


def parameters(operator):
    """(name, type, default or None where there is none) of every keyword parameter."""
    found = [(s.name, _setting_type(s), None if s.is_required else repr(s.default))
             for s in operator.settings]
    if operator.takes_output_sizes:
        found.append(("output_sizes", f"Optional[{_SIZES}]", "None"))
    if operator.takes_dtype:
        found.append(("dtype", "Union[str, type, None]", "None"))
    if operator.output_count is not None:
        found.append(("output_count", "Optional[int]", "None"))
    for tensor in operator.optional_outputs:
        found.append((_optional_name(tensor), "Union[bool, str, type]", "False"))
    out = "Union[Array, Tuple[Array, Array], None]" if operator.optional_outputs else (
        "Optional[Array]")
    return found + [("out", out, "None"), ("device", "Optional[str]", "None"),
                    ("threads", "int", "0")]


def _input_type(operator, tensor):
    if tensor in operator.optional_inputs:
        return "Optional[Array]"
    return "Sequence[Array]" if tensor in operator.arrays else "Array"


def _inputs(operator):
    """(name, type, whether it may be left out) of every input."""
    types = [_input_type(operator, tensor) for tensor in operator.inputs]
    return zip(operator.input_names, types, operator.defaults())


def _entries(arrays, where):
    """The arrays of a sequence of them; one array is no such sequence, though it has entries."""
    if not isinstance(arrays, (list, tuple)):
        raise _errors.WrongType(f"{where} must be a list or tuple of arrays")
    return arrays


def result_type(operator):
    return "Union[Array, Tuple[Array, Array]]" if operator.optional_outputs else "Array"


def _plain_signature(operator):
    keywords = [name if default is None else f"{name}={default}"
                for name, _, default in parameters(operator)]
    inputs = [f"{name}=None" if absent else name for name, _, absent in _inputs(operator)]
    return ", ".join(inputs + ["*"] + keywords)


def stub(operator):
    """The function in a .pyi file."""
    lines = [f"def {operator.name}("]
    lines += [f"    {name}: {written}{' = None' if absent else ''},"
              for name, written, absent in _inputs(operator)]
    lines.append("    *,")
    for name, written, default in parameters(operator):
        lines.append(f"    {name}: {written}" + (f" = {default}," if default else ","))
    return "\n".join(lines + [f") -> {result_type(operator)}: ..."])


def _types_line(operator, tensor):
    least, most = operator.dimension_counts(tensor)
    names = [_arrays.NUMPY_NAMES[t] for t in operator.data_types(tensor)]
    return f"{least} to {most} dimensions of {', '.join(names)}."


_WORDS = {
    "output_sizes": "sizes of the result, where the other arguments leave a choice",
    "dtype": "of the result, where there is no out",
    "output_count": "how many results of equal size, where there is no out",
    "out": "array for the result, of any strides that do not overlap",
    "device": "where the arrays are; another one is refused",
    "threads": "how many to use of the CPU; 0 is one per core. Results do not depend on it",
}


def _setting_words(operator, name):
    if name in _WORDS:
        return _WORDS[name]
    for setting in operator.settings:
        if setting.name == name:
            per = "; one per dimension, or one number for all" if setting.is_array else ""
            return f"{setting.field_name} of the description{per}"
    return "whether to return it too; True, or its data type"


def documentation(operator):
    listed = operator.listed
    first = (operator.inputs or operator.outputs)[0]
    lines = [f"DML_OPERATOR_{operator.type}, since feature level {listed['level']}.", "",
             _types_line(operator, first), ""]
    for name, tensor in zip(operator.input_names, operator.inputs):
        lines.append(f"{name}: {tensor}")
    for name, _, default in parameters(operator):
        text = f"{name}: {_setting_words(operator, name)}"
        text += f" (default {default})" if default not in (None, "None", "False") else ""
        lines += textwrap.wrap(text, 96, subsequent_indent="    ")
    if listed["in_place"]:
        names = [operator.input_names[operator.inputs.index(t)] for t in listed["in_place"]]
        lines += ["", f"out may be {' or '.join(names)} itself."]
    return "\n".join(lines) + "\n"


def make(operator, module):
    """The function of an operator."""
    settings = "".join(f"{name}, " for name in setting_names(operator))
    inputs = [f"*_entries({name}, '{operator.type}: {name}')" if tensor in operator.arrays else name
              for name, tensor in zip(operator.input_names, operator.inputs)]
    listed = "".join(f"{text}, " for text in inputs)
    text = (f"def {operator.name}({_plain_signature(operator)}):\n"
            f"    return _run(({listed}), ({settings}), out, device, "
            f"threads)\n")
    call = _call.Call(operator)
    names = {"_run": call.run, "_entries": _entries, "__name__": module, **_TYPING}
    exec(compile(text, f"<anydml.{operator.name}>", "exec"), names)
    function = names[operator.name]
    function.__doc__ = documentation(operator)
    function.__annotations__ = {name: _input_type(operator, tensor)
                                for name, tensor in zip(operator.input_names, operator.inputs)}
    function.__annotations__.update({n: t for n, t, _ in parameters(operator)})
    function.__annotations__["return"] = result_type(operator)
    function.operator = operator
    function.cache = call.cache
    return function


STUB_HEAD = '''\
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# Written by python/make_stubs.py from the library's listing of operators.
from typing import (Any, Callable, Dict, Literal, NamedTuple, Optional, Sequence, Tuple, TypeVar,
                    Union)

Array = TypeVar("Array")
__version__: str

class Error(Exception): ...
class InvalidArgument(Error, ValueError): ...
class WrongType(Error, TypeError): ...
class Unsupported(Error, NotImplementedError): ...
class OutOfMemory(Error, MemoryError): ...
class InternalError(Error, RuntimeError): ...
class DeviceLost(Error, RuntimeError): ...

class DeviceArray:
    @property
    def device(self) -> str: ...
    @property
    def dtype(self) -> str: ...
    @property
    def shape(self) -> Tuple[int, ...]: ...
    @property
    def strides(self) -> Tuple[int, ...]: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def pointer(self) -> int: ...
    def numpy(self) -> Any: ...
    def copy(self) -> "DeviceArray": ...
    def __dlpack_device__(self) -> Tuple[int, int]: ...
    def __dlpack__(
        self,
        *,
        stream: Optional[int] = None,
        max_version: Optional[Tuple[int, int]] = None,
        dl_device: Optional[Tuple[int, int]] = None,
        copy: Optional[bool] = None,
    ) -> Any: ...
    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]: ...

def to_device(array: Any, device: str) -> DeviceArray: ...
def devices() -> Dict[str, str]: ...

class Value:
    @property
    def shape(self) -> Tuple[int, ...]: ...
    @property
    def dtype(self) -> str: ...
    @property
    def ndim(self) -> int: ...
    def reshape(self, *shape: Any) -> "Value": ...
    def transpose(self, *axes: Any) -> "Value": ...
    def broadcast_to(self, shape: Sequence[int]) -> "Value": ...
    def astype(self, dtype: Any) -> "Value": ...
    def sum(self) -> "Value": ...
    def mean(self) -> "Value": ...
    def __add__(self, other: Any) -> "Value": ...
    def __radd__(self, other: Any) -> "Value": ...
    def __sub__(self, other: Any) -> "Value": ...
    def __rsub__(self, other: Any) -> "Value": ...
    def __mul__(self, other: Any) -> "Value": ...
    def __rmul__(self, other: Any) -> "Value": ...
    def __truediv__(self, other: Any) -> "Value": ...
    def __rtruediv__(self, other: Any) -> "Value": ...
    def __neg__(self) -> "Value": ...

_Numbers = Union[int, Tuple[int, ...]]

def grad(
    function: Callable[..., Any], argnums: _Numbers = 0, *, threads: int = 0
) -> Callable[..., Any]: ...
def value_and_grad(
    function: Callable[..., Any], argnums: _Numbers = 0, *, threads: int = 0
) -> Callable[..., Tuple[Any, Any]]: ...

class Adam(NamedTuple):
    learning_rate: float = 1e-3
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8

class Sgd(NamedTuple):
    learning_rate: float = 1e-2
    momentum: float = 0.0

class Constant(NamedTuple):
    learning_rate: float
    warm_up: int = 0
    def at(self, steps: int) -> float: ...

class StepDecay(NamedTuple):
    learning_rate: float
    steps: int
    factor: float = 0.1
    warm_up: int = 0
    def at(self, steps: int) -> float: ...

class Cosine(NamedTuple):
    learning_rate: float
    steps: int
    last: float = 0
    warm_up: int = 0
    def at(self, steps: int) -> float: ...

class State:
    steps: int
    learning_rate: float
    @property
    def parameters(self) -> Any: ...
    def save(self, folder: Any, position: int = 0) -> None: ...
    def load(self, folder: Any, *batch: Any) -> int: ...

class TrainStep:
    def init(self, parameters: Any) -> State: ...
    def __call__(self, state: State, *batch: Any) -> Tuple[State, float]: ...

def train_step(
    loss: Callable[..., Any],
    optimizer: Union[Adam, Sgd],
    *,
    device: Optional[str] = None,
    threads: int = 0,
) -> TrainStep: ...
def cross_entropy(scores: Array, classes: Any) -> Array: ...
def mean_square(prediction: Array, target: Any) -> Array: ...
def binary_cross_entropy(scores: Array, target: Any) -> Array: ...
def dice(scores: Array, target: Any) -> Array: ...
def uniform_parameters(shapes: Any, seed: int = 1) -> Any: ...
def checksum(parameters: Any) -> str: ...
def shuffle(seed: int, epoch: int, count: int) -> Any: ...
'''


def stubs(operators):
    """The text of __init__.pyi."""
    return STUB_HEAD + "".join(stub(operator) + "\n" for operator in operators.values())
