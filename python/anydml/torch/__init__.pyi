# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
import builtins
from typing import Any, Literal, Optional, Sequence, Tuple, TypeVar, Union, overload

from torch import Tensor, nn

_Ints = Union[int, Sequence[int]]
_Padding = Union[int, Sequence[Union[int, Tuple[int, int]]]]
_Sizes = Union[int, Sequence[int]]
_Scales = Union[float, Sequence[float]]
_Number = Union[int, float]
_Index = Union[builtins.slice, Tuple[Any, ...]]  # slices, and at most one Ellipsis
_ResampleMode = Literal["nearest", "linear"]
_UpsampleMode = Literal["nearest", "nearest-exact", "linear", "bilinear", "trilinear"]
_Convention = Literal["half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners"]
_NearestMode = Literal["floor", "ceil", "round_prefer_floor", "round_prefer_ceil"]
_Model = TypeVar("_Model", bound=nn.Module)

def relu(input: Tensor, inplace: bool = False) -> Tensor: ...
def clip(
    input: Tensor,
    min: Optional[_Number] = None,
    max: Optional[_Number] = None,
    inplace: bool = False,
) -> Tensor: ...
def slice(input: Tensor, index: _Index) -> Tensor: ...
@overload
def max_pool2d(
    input: Tensor,
    kernel_size: _Ints,
    stride: Optional[_Ints] = None,
    padding: _Padding = 0,
    dilation: _Ints = 1,
    ceil_mode: bool = False,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def max_pool2d(
    input: Tensor,
    kernel_size: _Ints,
    stride: Optional[_Ints] = None,
    padding: _Padding = 0,
    dilation: _Ints = 1,
    ceil_mode: bool = False,
    *,
    return_indices: Literal[True],
) -> Tuple[Tensor, Tensor]: ...
@overload
def max_pool2d(
    input: Tensor,
    kernel_size: _Ints,
    stride: Optional[_Ints],
    padding: _Padding,
    dilation: _Ints,
    ceil_mode: bool,
    return_indices: Literal[True],
) -> Tuple[Tensor, Tensor]: ...
@overload
def max_pool3d(
    input: Tensor,
    kernel_size: _Ints,
    stride: Optional[_Ints] = None,
    padding: _Padding = 0,
    dilation: _Ints = 1,
    ceil_mode: bool = False,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def max_pool3d(
    input: Tensor,
    kernel_size: _Ints,
    stride: Optional[_Ints] = None,
    padding: _Padding = 0,
    dilation: _Ints = 1,
    ceil_mode: bool = False,
    *,
    return_indices: Literal[True],
) -> Tuple[Tensor, Tensor]: ...
@overload
def max_pool3d(
    input: Tensor,
    kernel_size: _Ints,
    stride: Optional[_Ints],
    padding: _Padding,
    dilation: _Ints,
    ceil_mode: bool,
    return_indices: Literal[True],
) -> Tuple[Tensor, Tensor]: ...
def resample(
    input: Tensor,
    sizes: Optional[_Sizes] = None,
    scales: Optional[_Scales] = None,
    mode: _ResampleMode = "linear",
    dims: Optional[Sequence[int]] = None,
    coordinate_transformation_mode: _Convention = "half_pixel",
    nearest_mode: _NearestMode = "round_prefer_floor",
) -> Tensor: ...
def upsample(
    input: Tensor,
    size: Optional[_Sizes] = None,
    scale_factor: Optional[_Scales] = None,
    mode: _UpsampleMode = "nearest",
    align_corners: Optional[bool] = None,
) -> Tensor: ...
def swap(model: _Model) -> _Model: ...

class ReLU(nn.Module):
    def __init__(self, inplace: bool = False) -> None: ...
    def forward(self, input: Tensor) -> Tensor: ...

class Clip(nn.Module):
    def __init__(
        self,
        min: Optional[_Number] = None,
        max: Optional[_Number] = None,
        inplace: bool = False,
    ) -> None: ...
    def forward(self, input: Tensor) -> Tensor: ...

class Slice(nn.Module):
    def __init__(self, index: _Index) -> None: ...
    def forward(self, input: Tensor) -> Tensor: ...

class MaxPool2d(nn.Module):
    def __init__(
        self,
        kernel_size: _Ints,
        stride: Optional[_Ints] = None,
        padding: _Padding = 0,
        dilation: _Ints = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None: ...
    def forward(self, input: Tensor) -> Union[Tensor, Tuple[Tensor, Tensor]]: ...

class MaxPool3d(MaxPool2d): ...

class Resample(nn.Module):
    def __init__(
        self,
        sizes: Optional[_Sizes] = None,
        scales: Optional[_Scales] = None,
        mode: _ResampleMode = "linear",
        dims: Optional[Sequence[int]] = None,
        coordinate_transformation_mode: _Convention = "half_pixel",
        nearest_mode: _NearestMode = "round_prefer_floor",
    ) -> None: ...
    def forward(self, input: Tensor) -> Tensor: ...

class Upsample(nn.Module):
    def __init__(
        self,
        size: Optional[_Sizes] = None,
        scale_factor: Optional[_Scales] = None,
        mode: _UpsampleMode = "nearest",
        align_corners: Optional[bool] = None,
    ) -> None: ...
    def forward(self, input: Tensor) -> Tensor: ...
