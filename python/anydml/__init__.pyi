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
def identity(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def abs(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def acos(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def add(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def asin(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def atan(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def ceil(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def clip(
    x: Array,
    *,
    min: float,
    max: float,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def cos(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def divide(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def exp(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def floor(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def log(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def logical_and(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def logical_equals(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def logical_greater_than(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def logical_less_than(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def logical_not(
    x: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def logical_or(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def logical_xor(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def max(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def mean(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def min(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def multiply(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def pow(
    x: Array,
    exponent: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def constant_pow(
    x: Array,
    *,
    exponent: float,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def recip(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def sin(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def sqrt(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def subtract(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def tan(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def threshold(
    x: Array,
    *,
    min: float,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def quantize_linear(
    x: Array,
    scale: Array,
    zero_point: Optional[Array] = None,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def dequantize_linear(
    x: Array,
    scale: Array,
    zero_point: Optional[Array] = None,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def elu(
    x: Array,
    *,
    alpha: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def hardmax(
    x: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def hard_sigmoid(
    x: Array,
    *,
    alpha: float,
    beta: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def activation_identity(
    x: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def leaky_relu(
    x: Array,
    *,
    alpha: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def linear(
    x: Array,
    *,
    alpha: float,
    beta: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def log_softmax(
    x: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def parameterized_relu(
    x: Array,
    slope: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def parametric_softplus(
    x: Array,
    *,
    alpha: float,
    beta: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def relu(
    x: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def scaled_elu(
    x: Array,
    *,
    alpha: float,
    gamma: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def scaled_tanh(
    x: Array,
    *,
    alpha: float,
    beta: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def sigmoid(
    x: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def softmax(
    x: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def softplus(
    x: Array,
    *,
    steepness: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def softsign(
    x: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def tanh(
    x: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def thresholded_relu(
    x: Array,
    *,
    alpha: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def convolution(
    x: Array,
    filter: Array,
    bias: Optional[Array] = None,
    *,
    mode: Literal['convolution', 'cross_correlation'] = 'cross_correlation',
    direction: Literal['forward', 'backward'] = 'forward',
    strides: Union[int, Sequence[int]] = 1,
    dilations: Union[int, Sequence[int]] = 1,
    start_padding: Union[int, Sequence[int]] = 0,
    end_padding: Union[int, Sequence[int]] = 0,
    output_padding: Union[int, Sequence[int]] = 0,
    group_count: int = 1,
    fused_activation: Optional[Union[str, dict]] = None,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def gemm(
    a: Array,
    b: Array,
    c: Optional[Array] = None,
    *,
    trans_a: Literal['none', 'transpose'] = 'none',
    trans_b: Literal['none', 'transpose'] = 'none',
    alpha: float = 1.0,
    beta: float = 1.0,
    fused_activation: Optional[Union[str, dict]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def reduce(
    x: Array,
    *,
    function: Literal['argmax', 'argmin', 'average', 'l1', 'l2', 'log_sum', 'log_sum_exp', 'max', 'min', 'multiply', 'sum', 'sum_square'],
    axes: Union[int, Sequence[int]],
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def average_pooling(
    x: Array,
    *,
    window_size: Union[int, Sequence[int]],
    strides: Union[int, Sequence[int]] = 1,
    start_padding: Union[int, Sequence[int]] = 0,
    end_padding: Union[int, Sequence[int]] = 0,
    include_padding: bool = False,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def lp_pooling(
    x: Array,
    *,
    window_size: Union[int, Sequence[int]],
    p: int,
    strides: Union[int, Sequence[int]] = 1,
    start_padding: Union[int, Sequence[int]] = 0,
    end_padding: Union[int, Sequence[int]] = 0,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def max_pooling(
    x: Array,
    *,
    window_size: Union[int, Sequence[int]],
    strides: Union[int, Sequence[int]] = 1,
    start_padding: Union[int, Sequence[int]] = 0,
    end_padding: Union[int, Sequence[int]] = 0,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def roi_pooling(
    x: Array,
    roi: Array,
    *,
    spatial_scale: float,
    pooled_size: Tuple[int, int],
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def slice(
    x: Array,
    *,
    offsets: Union[int, Sequence[int]] = 0,
    sizes: Optional[Union[int, Sequence[int]]] = None,
    strides: Union[int, Sequence[int]] = 1,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def cast(
    x: Array,
    *,
    dtype: Union[str, type, None] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def split(
    x: Array,
    *,
    axis: int,
    output_count: Optional[int] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def join(
    inputs: Sequence[Array],
    *,
    axis: int,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def padding(
    x: Array,
    *,
    padding_mode: Literal['constant', 'edge', 'reflection', 'symmetric', 'wrap'],
    padding_value: float,
    start_padding: Union[int, Sequence[int]] = 0,
    end_padding: Union[int, Sequence[int]] = 0,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def value_scale_2d(
    x: Array,
    *,
    scale: float,
    bias: Union[float, Sequence[float]],
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def upsample_2d(
    x: Array,
    *,
    scale_size: Tuple[int, int],
    interpolation_mode: Literal['nearest_neighbor', 'linear'],
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def gather(
    x: Array,
    indices: Array,
    *,
    axis: int,
    index_dimensions: int,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def space_to_depth(
    x: Array,
    *,
    block_size: int,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def depth_to_space(
    x: Array,
    *,
    block_size: int,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def tile(
    x: Array,
    *,
    repeats: Union[int, Sequence[int]],
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def top_k(
    x: Array,
    *,
    axis: int,
    k: int,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def batch_normalization(
    x: Array,
    mean: Array,
    variance: Array,
    scale: Array,
    bias: Array,
    *,
    epsilon: float,
    spatial: bool = True,
    fused_activation: Optional[Union[str, dict]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def mean_variance_normalization(
    x: Array,
    scale: Optional[Array] = None,
    bias: Optional[Array] = None,
    *,
    epsilon: float,
    cross_channel: bool = False,
    normalize_variance: bool = True,
    fused_activation: Optional[Union[str, dict]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def local_response_normalization(
    x: Array,
    *,
    local_size: int,
    alpha: float,
    beta: float,
    bias: float,
    cross_channel: bool = True,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def lp_normalization(
    x: Array,
    *,
    axis: int,
    epsilon: float,
    p: int,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def sign(
    x: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def is_nan(
    x: Array,
    *,
    dtype: Union[str, type, None] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def erf(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def sinh(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def cosh(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def element_wise_tanh(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def asinh(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def acosh(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def atanh(
    x: Array,
    *,
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def element_wise_if(
    condition: Array,
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def add1(
    a: Array,
    b: Array,
    *,
    fused_activation: Optional[Union[str, dict]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def shrink(
    x: Array,
    *,
    bias: float,
    threshold: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def max_pooling1(
    x: Array,
    *,
    window_size: Union[int, Sequence[int]],
    strides: Union[int, Sequence[int]] = 1,
    start_padding: Union[int, Sequence[int]] = 0,
    end_padding: Union[int, Sequence[int]] = 0,
    output_sizes: Optional[Sequence[int]] = None,
    output_indices: Union[bool, str, type] = False,
    out: Union[Array, Tuple[Array, Array], None] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Union[Array, Tuple[Array, Array]]: ...
def max_unpooling(
    x: Array,
    indices: Array,
    *,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def diagonal_matrix(
    *,
    offset: int,
    value: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def scatter_elements(
    x: Array,
    indices: Array,
    updates: Array,
    *,
    axis: int,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def one_hot(
    indices: Array,
    values: Array,
    *,
    axis: int,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def resample(
    x: Array,
    *,
    interpolation_mode: Literal['nearest_neighbor', 'linear'],
    scales: Optional[Union[float, Sequence[float]]] = None,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def bit_shift_left(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def bit_shift_right(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def round(
    x: Array,
    *,
    rounding_mode: Literal['halves_to_nearest_even', 'toward_zero', 'toward_infinity'],
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def is_infinity(
    x: Array,
    *,
    infinity_mode: Literal['either', 'positive', 'negative'],
    dtype: Union[str, type, None] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def modulus_truncate(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def modulus_floor(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def fill_value_constant(
    *,
    value: Union[int, float],
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def fill_value_sequence(
    *,
    value_start: Union[int, float],
    value_delta: Union[int, float],
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def cumulative_summation(
    x: Array,
    *,
    axis: int,
    axis_direction: Literal['increasing', 'decreasing'],
    has_exclusive_sum: bool = False,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def reverse_subsequences(
    x: Array,
    sequence_lengths: Array,
    *,
    axis: int,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def gather_elements(
    x: Array,
    indices: Array,
    *,
    axis: int,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def gather_nd(
    x: Array,
    indices: Array,
    *,
    input_dimension_count: int,
    indices_dimension_count: int,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def scatter_nd(
    x: Array,
    indices: Array,
    updates: Array,
    *,
    input_dimension_count: int,
    indices_dimension_count: int,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def max_pooling2(
    x: Array,
    *,
    window_size: Union[int, Sequence[int]],
    strides: Union[int, Sequence[int]] = 1,
    start_padding: Union[int, Sequence[int]] = 0,
    end_padding: Union[int, Sequence[int]] = 0,
    dilations: Union[int, Sequence[int]] = 1,
    output_sizes: Optional[Sequence[int]] = None,
    output_indices: Union[bool, str, type] = False,
    out: Union[Array, Tuple[Array, Array], None] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Union[Array, Tuple[Array, Array]]: ...
def slice1(
    x: Array,
    *,
    input_window_offsets: Union[int, Sequence[int]] = 0,
    input_window_sizes: Optional[Union[int, Sequence[int]]] = None,
    input_window_strides: Union[int, Sequence[int]] = 1,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def top_k1(
    x: Array,
    *,
    axis: int,
    k: int,
    axis_direction: Literal['increasing', 'decreasing'],
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def depth_to_space1(
    x: Array,
    *,
    block_size: int,
    order: Literal['depth_column_row', 'column_row_depth'],
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def space_to_depth1(
    x: Array,
    *,
    block_size: int,
    order: Literal['depth_column_row', 'column_row_depth'],
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def mean_variance_normalization1(
    x: Array,
    scale: Optional[Array] = None,
    bias: Optional[Array] = None,
    *,
    axes: Union[int, Sequence[int]],
    epsilon: float,
    normalize_variance: bool = True,
    fused_activation: Optional[Union[str, dict]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def resample1(
    x: Array,
    *,
    interpolation_mode: Literal['nearest_neighbor', 'linear'],
    scales: Optional[Union[float, Sequence[float]]] = None,
    input_pixel_offsets: Union[float, Sequence[float]] = 0.5,
    output_pixel_offsets: Union[float, Sequence[float]] = -0.5,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def matrix_multiply_integer(
    a: Array,
    a_zero_point: Optional[Array],
    b: Array,
    b_zero_point: Optional[Array] = None,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def bit_and(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def bit_or(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def bit_xor(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def bit_not(
    x: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def bit_count(
    x: Array,
    *,
    dtype: Union[str, type, None] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def logical_greater_than_or_equal(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def logical_less_than_or_equal(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def celu(
    x: Array,
    *,
    alpha: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def relu_grad(
    x: Array,
    dy: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def average_pooling_grad(
    dy: Array,
    *,
    window_size: Union[int, Sequence[int]],
    strides: Union[int, Sequence[int]] = 1,
    start_padding: Union[int, Sequence[int]] = 0,
    end_padding: Union[int, Sequence[int]] = 0,
    include_padding: bool = False,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def max_pooling_grad(
    x: Array,
    dy: Array,
    *,
    window_size: Union[int, Sequence[int]],
    strides: Union[int, Sequence[int]] = 1,
    start_padding: Union[int, Sequence[int]] = 0,
    end_padding: Union[int, Sequence[int]] = 0,
    dilations: Union[int, Sequence[int]] = 1,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def random_generator(
    input_state: Array,
    *,
    type: Literal['philox_4x32_10'],
    dtype: Union[str, type, None] = None,
    output_state: Union[bool, str, type] = False,
    out: Union[Array, Tuple[Array, Array], None] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Union[Array, Tuple[Array, Array]]: ...
def nonzero_coordinates(
    x: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def resample_grad(
    dy: Array,
    *,
    interpolation_mode: Literal['nearest_neighbor', 'linear'],
    scales: Optional[Union[float, Sequence[float]]] = None,
    input_pixel_offsets: Union[float, Sequence[float]] = 0.5,
    output_pixel_offsets: Union[float, Sequence[float]] = -0.5,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def slice_grad(
    dy: Array,
    *,
    input_window_offsets: Union[int, Sequence[int]] = 0,
    input_window_sizes: Optional[Union[int, Sequence[int]]] = None,
    input_window_strides: Union[int, Sequence[int]] = 1,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def adam_optimizer(
    input_parameters: Array,
    input_first_moment: Array,
    input_second_moment: Array,
    gradient: Array,
    training_step: Array,
    *,
    learning_rate: float = 0.001,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def argmin(
    x: Array,
    *,
    axes: Union[int, Sequence[int]],
    axis_direction: Literal['increasing', 'decreasing'],
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def argmax(
    x: Array,
    *,
    axes: Union[int, Sequence[int]],
    axis_direction: Literal['increasing', 'decreasing'],
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def roi_align(
    x: Array,
    roi: Array,
    batch_indices: Array,
    *,
    reduction_function: Literal['argmax', 'argmin', 'average', 'l1', 'l2', 'log_sum', 'log_sum_exp', 'max', 'min', 'multiply', 'sum', 'sum_square'],
    interpolation_mode: Literal['nearest_neighbor', 'linear'],
    spatial_scale_x: float,
    spatial_scale_y: float,
    out_of_bounds_input_value: float,
    minimum_samples_per_output: int,
    maximum_samples_per_output: int,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def gather_nd1(
    x: Array,
    indices: Array,
    *,
    input_dimension_count: int,
    indices_dimension_count: int,
    batch_dimension_count: int,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def atan_yx(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def clip_grad(
    x: Array,
    dy: Array,
    *,
    min: float,
    max: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def difference_square(
    a: Array,
    b: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def local_response_normalization_grad(
    x: Array,
    dy: Array,
    *,
    local_size: int,
    alpha: float,
    beta: float,
    bias: float,
    cross_channel: bool = True,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def cumulative_product(
    x: Array,
    *,
    axis: int,
    axis_direction: Literal['increasing', 'decreasing'],
    has_exclusive_product: bool = False,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def batch_normalization_grad(
    x: Array,
    dy: Array,
    mean: Array,
    variance: Array,
    scale: Array,
    *,
    epsilon: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def dynamic_quantize_linear(
    x: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def roi_align1(
    x: Array,
    roi: Array,
    batch_indices: Array,
    *,
    reduction_function: Literal['argmax', 'argmin', 'average', 'l1', 'l2', 'log_sum', 'log_sum_exp', 'max', 'min', 'multiply', 'sum', 'sum_square'],
    interpolation_mode: Literal['nearest_neighbor', 'linear'],
    spatial_scale_x: float,
    spatial_scale_y: float,
    input_pixel_offset: float,
    output_pixel_offset: float,
    out_of_bounds_input_value: float,
    minimum_samples_per_output: int,
    maximum_samples_per_output: int,
    align_regions_to_corners: bool = False,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def roi_align_grad(
    x: Optional[Array],
    dy: Array,
    roi: Array,
    batch_indices: Array,
    *,
    reduction_function: Literal['argmax', 'argmin', 'average', 'l1', 'l2', 'log_sum', 'log_sum_exp', 'max', 'min', 'multiply', 'sum', 'sum_square'],
    interpolation_mode: Literal['nearest_neighbor', 'linear'],
    spatial_scale_x: float,
    spatial_scale_y: float,
    input_pixel_offset: float,
    output_pixel_offset: float,
    minimum_samples_per_output: int,
    maximum_samples_per_output: int,
    align_regions_to_corners: bool = False,
    output_gradient: Union[bool, str, type] = False,
    output_roi_gradient: Union[bool, str, type] = False,
    out: Union[Array, Tuple[Array, Array], None] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Union[Array, Tuple[Array, Array]]: ...
def batch_normalization_training(
    x: Array,
    scale: Array,
    bias: Array,
    fused_add: Optional[Array] = None,
    *,
    epsilon: float,
    fused_activation: Optional[Union[str, dict]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def batch_normalization_training_grad(
    x: Array,
    dy: Array,
    mean: Array,
    variance: Array,
    scale: Array,
    *,
    epsilon: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def clip1(
    x: Array,
    *,
    min: Union[int, float],
    max: Union[int, float],
    scale_bias: Optional[Tuple[float, float]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def clip_grad1(
    x: Array,
    dy: Array,
    *,
    min: Union[int, float],
    max: Union[int, float],
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def padding1(
    x: Array,
    *,
    padding_mode: Literal['constant', 'edge', 'reflection', 'symmetric', 'wrap'],
    padding_value: Union[int, float],
    start_padding: Union[int, Sequence[int]] = 0,
    end_padding: Union[int, Sequence[int]] = 0,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def negate(
    x: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def gelu(
    x: Array,
    *,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def softmax1(
    x: Array,
    *,
    axes: Union[int, Sequence[int]],
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def log_softmax1(
    x: Array,
    *,
    axes: Union[int, Sequence[int]],
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def hardmax1(
    x: Array,
    *,
    axes: Union[int, Sequence[int]],
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def resample2(
    x: Array,
    *,
    interpolation_mode: Literal['nearest_neighbor', 'linear'],
    rounding_direction: Literal['increasing', 'decreasing'] = 'decreasing',
    scales: Optional[Union[float, Sequence[float]]] = None,
    input_pixel_offsets: Union[float, Sequence[float]] = 0.5,
    output_pixel_offsets: Union[float, Sequence[float]] = -0.5,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def resample_grad1(
    dy: Array,
    *,
    interpolation_mode: Literal['nearest_neighbor', 'linear'],
    rounding_direction: Literal['increasing', 'decreasing'] = 'decreasing',
    scales: Optional[Union[float, Sequence[float]]] = None,
    input_pixel_offsets: Union[float, Sequence[float]] = 0.5,
    output_pixel_offsets: Union[float, Sequence[float]] = -0.5,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def diagonal_matrix1(
    x: Optional[Array] = None,
    *,
    value: Union[int, float],
    diagonal_fill_begin: int,
    diagonal_fill_end: int,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def lp_pooling1(
    x: Array,
    *,
    window_size: Union[int, Sequence[int]],
    p: int,
    strides: Union[int, Sequence[int]] = 1,
    start_padding: Union[int, Sequence[int]] = 0,
    end_padding: Union[int, Sequence[int]] = 0,
    dilations: Union[int, Sequence[int]] = 1,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def average_pooling1(
    x: Array,
    *,
    window_size: Union[int, Sequence[int]],
    strides: Union[int, Sequence[int]] = 1,
    start_padding: Union[int, Sequence[int]] = 0,
    end_padding: Union[int, Sequence[int]] = 0,
    dilations: Union[int, Sequence[int]] = 1,
    include_padding: bool = False,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def swish(
    x: Array,
    *,
    sigmoid_input_scale: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def hard_swish(
    x: Array,
    *,
    alpha: float,
    beta: float,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def mean_variance_normalization2(
    x: Array,
    scale: Optional[Array] = None,
    bias: Optional[Array] = None,
    *,
    axes: Union[int, Sequence[int]],
    epsilon: float,
    use_mean: bool = True,
    use_variance: bool = True,
    fused_activation: Optional[Union[str, dict]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
def resample3(
    x: Array,
    *,
    interpolation_mode: Literal['nearest_neighbor', 'linear'],
    rounding_direction: Literal['increasing', 'decreasing'] = 'decreasing',
    scales: Optional[Union[float, Sequence[float]]] = None,
    input_pixel_offsets: Union[float, Sequence[float]] = 0.5,
    output_pixel_offsets: Union[float, Sequence[float]] = -0.5,
    antialiased: bool = False,
    output_sizes: Optional[Sequence[int]] = None,
    out: Optional[Array] = None,
    device: Optional[str] = None,
    threads: int = 0,
) -> Array: ...
