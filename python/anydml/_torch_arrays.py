# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""PyTorch's tensors as arrays; see _arrays.py for what a kind has."""
import sys

from . import _errors
from ._layouts import DATA_TYPES, Layout, NUMPY_NAMES, wrong_type


class TorchKind:
    """torch.Tensor on the CPU or on a GPU, there on torch's current stream. torch 1.13 has no
    UINT16 to UINT64: results of these types, which are indices, come in the signed type of the same
    width."""

    borrows = False
    has_streams = True
    UNSIGNED = {"UINT16": "int16", "UINT32": "int32", "UINT64": "int64"}

    def __init__(self):
        self.torch = sys.modules["torch"]
        names = {n: d for n, d in DATA_TYPES.items() if hasattr(self.torch, n)}
        self.data_types = {getattr(self.torch, n): d for n, d in names.items()}
        self.is_grad_enabled = self.torch.is_grad_enabled
        graph = getattr(self.torch.autograd, "graph", None)
        self.increment_version = getattr(graph, "increment_version", None)
        self.raw_stream = getattr(self.torch._C, "_cuda_getCurrentRawStream", None)

    def key(self, tensor):
        if (tensor.requires_grad and self.is_grad_enabled()) or tensor.is_neg():
            return tensor.dtype, None      # layout() says why
        try:
            return tensor.dtype, tensor.shape, tensor.stride(), tensor.device
        except RuntimeError:               # sparse and nested ones have no strides, or no shape
            return tensor.dtype, None

    def pack(self, tensor):
        return tensor.contiguous() if tensor.layout == self.torch.strided else tensor

    @staticmethod
    def pointer(tensor):
        return tensor.data_ptr()

    @staticmethod
    def is_writable(tensor):
        return True

    def layout(self, tensor, name):
        if tensor.device.type not in ("cpu", "cuda"):
            raise _errors.Unsupported(f"{name}: a tensor on {tensor.device} is refused: the "
                                      f"devices are the CPU and CUDA; use {name}.cpu()")
        if getattr(tensor, "is_nested", False):
            raise _errors.WrongType(f"{name}: a nested tensor is refused; use "
                                    f"torch.nested.to_padded_tensor, or its parts one by one")
        if tensor.layout != self.torch.strided:
            raise _errors.WrongType(f"{name}: a tensor of layout {tensor.layout} is refused; use "
                                    f"{name}.to_dense()")
        if tensor.requires_grad and self.is_grad_enabled():
            raise _errors.InvalidArgument(f"{name}: a tensor that requires gradients is refused; "
                                          f"use anydml.torch, or {name}.detach()")
        if tensor.is_neg():
            raise _errors.InvalidArgument(f"{name}: a tensor with the negative bit is refused; use "
                                          f"{name}.resolve_neg()")
        data_type = self.data_types.get(tensor.dtype)
        if data_type is None:
            raise wrong_type(name, tensor.dtype)
        device = f"cuda:{tensor.device.index}" if tensor.is_cuda else "cpu"
        return Layout(data_type, tuple(tensor.shape), tensor.stride(), True, device)

    def maker(self, layout):
        name = NUMPY_NAMES[layout.data_type]
        if not hasattr(self.torch, name):
            name = self.UNSIGNED[layout.data_type]
        dtype, empty = getattr(self.torch, name), self.torch.empty_strided
        device = self.torch.device(layout.device)
        return lambda: empty(layout.sizes, layout.strides, dtype=dtype, device=device)

    def tell_written(self, tensor):
        """Raises the version of what was written, by which autograd finds that a tensor is not any
        more what it saved. Before torch 2 only an operation in place does that: one on none of the
        elements, through an alias that shares the version."""
        if tensor.is_inference():
            return                         # has no version
        if self.increment_version is not None:
            self.increment_version(tensor)
        else:
            tensor.detach()[:0].zero_()

    @staticmethod
    def on_gpu(tensor):
        return tensor.is_cuda

    def stream(self, number):
        """The current stream of a GPU, as CUDA numbers it: 0 is the default stream."""
        if self.raw_stream is not None:
            return self.raw_stream(number)
        return self.torch.cuda.current_stream(number).cuda_stream

    def temporary(self, size, number):
        """Memory for work on the current stream, by torch's allocator, which aligns to 512."""
        return self.torch.empty(size, dtype=self.torch.uint8, device=number)
