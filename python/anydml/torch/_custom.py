# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The custom operators of torch 2.4 and newer: any forward operator with its gradient, any gradient
operator, and the indices of max pooling. Settings travel as JSON, which Python's reader extends by
NaN and Infinity."""
import json

import torch

from anydml.torch import _kernels


@torch.library.custom_op("anydml::forward", mutates_args=(), schema=(
    "(str forward, str backward, Tensor x, str settings, SymInt[] sizes, str keeps) "
    "-> Tensor"))
def forward(forward, backward, x, settings, sizes, keeps):
    return _kernels.run(forward, (x,), json.loads(settings), list(sizes))


@forward.register_fake
def _(forward, backward, x, settings, sizes, keeps):
    return _kernels.empty_like(x, sizes)


@torch.library.custom_op("anydml::gradient", mutates_args=(), schema=(
    "(str name, Tensor[] tensors, str settings, SymInt[] sizes) -> Tensor"))
def gradient(name, tensors, settings, sizes):
    return _kernels.run(name, tensors, json.loads(settings), list(sizes))


@gradient.register_fake
def _(name, tensors, settings, sizes):
    return _kernels.empty_like(tensors[0], sizes)


@torch.library.custom_op("anydml::indices", mutates_args=(), schema=(
    "(Tensor x, str settings, SymInt[] sizes) -> Tensor"))
def indices(x, settings, sizes):
    return _kernels.find_indices(x, json.loads(settings), list(sizes))


@indices.register_fake
def _(x, settings, sizes):
    return _kernels.empty_like(x, sizes, torch.int64)


def _keep(ctx, inputs, output):
    _, ctx.backward, x, ctx.settings, _, keeps = inputs
    ctx.sizes = x.shape
    if keeps:
        ctx.save_for_backward(x if keeps == "input" else output)


def _backward(ctx, dy):
    dx = gradient(ctx.backward, [*ctx.saved_tensors, dy], ctx.settings, ctx.sizes)
    return None, None, dx, None, None, None


def _keep_name(ctx, inputs, output):
    ctx.name = inputs[0]


def _refuse(ctx, dy):
    _kernels.refuse_double_backward(ctx.name)


forward.register_autograd(_backward, setup_context=_keep)
gradient.register_autograd(_refuse, setup_context=_keep_name)
