# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# Written by python/make_stubs.py from the library's listing of operators.
from typing import Any, Dict, Literal, Optional, Sequence, Tuple, TypeVar, Union

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
def identity(
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
def relu(
    x: Array,
    *,
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
def relu_grad(
    x: Array,
    dy: Array,
    *,
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
