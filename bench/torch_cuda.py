#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Joins PyTorch's times to the rows of a benchmark on a CUDA device.

    torch_cuda.py ROWS.json

reads the rows that `anydml bench --device cuda:0 --json ROWS.json` wrote, runs the same shapes with
PyTorch on the same card, prints one line per row and writes the times back as peers. Where PyTorch
needs the indices of a forward pass, its backward alone and forward + backward are two peers; the
first is not raced. Rows that PyTorch has no operator for are left as they are.
"""
import json
import statistics
import sys
import time

import torch
from torch.nn import functional

ROUNDS = 31
WARM_UPS = 3
# Below this the call counts, from the host and back, as in the rows.
SMALL_BYTES = 1 << 20
SMALL_WARM_UPS = 500
LAYOUTS = ("packed", "NCHW", "NCDHW", "NHWC", "NDHWC")


def card_milliseconds(run):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    run()
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end)


def host_milliseconds(run):
    begin = time.perf_counter()
    run()
    torch.cuda.synchronize()
    return 1e3 * (time.perf_counter() - begin)


def milliseconds(run, row):
    small = row["bytes"] < SMALL_BYTES
    once = host_milliseconds if small else card_milliseconds
    for _ in range(SMALL_WARM_UPS if small else WARM_UPS):
        once(run)
    return statistics.median(once(run) for _ in range(ROUNDS))


def tensor(row, name):
    """Random data in the row's layout."""
    sizes = row["tensors"][name]
    return random(row, sizes)


def random(row, sizes):
    dtype = {"FLOAT32": torch.float32, "FLOAT16": torch.float16}[row["type"]]
    data = torch.randn(sizes, device="cuda", dtype=dtype)
    if row["layout"] == "NHWC":
        return data.contiguous(memory_format=torch.channels_last)
    if row["layout"] == "NDHWC":
        return data.contiguous(memory_format=torch.channels_last_3d)
    return data


def relu_grad(row):
    x, dy = tensor(row, "InputTensor"), tensor(row, "InputGradientTensor")
    return {"torch": lambda: torch.ops.aten.threshold_backward(dy, x, 0)}


def clip_grad(row):
    x, dy = tensor(row, "InputTensor"), tensor(row, "InputGradientTensor")
    low, high = (row["settings"][name][0] for name in ("Min", "Max"))
    return {"torch": lambda: torch.ops.aten.hardtanh_backward(dy, x, low, high)}


def ints(row, name, default, count):
    return [int(value) for value in row["settings"].get(name, [default] * count)]


def max_pooling_grad(row):
    x, dy = tensor(row, "InputTensor"), tensor(row, "InputGradientTensor")
    window = [int(value) for value in row["settings"]["WindowSize"]]
    count = len(window)
    rest = (window, ints(row, "Strides", 1, count), ints(row, "StartPadding", 0, count),
            ints(row, "Dilations", 1, count), False)
    dimensions = {2: "max_pool2d_with_indices", 3: "max_pool3d_with_indices"}[count]
    forward = getattr(torch.ops.aten, dimensions)
    backward = getattr(torch.ops.aten, dimensions + "_backward")
    indices = forward(x, *rest)[1]
    return {"torch backward, given indices": lambda: backward(dy, x, *rest, indices),
            "torch": lambda: backward(dy, x, *rest, forward(x, *rest)[1])}


def resample_grad(row):
    dy, sizes = tensor(row, "InputGradientTensor"), row["tensors"]["OutputGradientTensor"]
    if len(sizes) != 4 or sizes[:2] != list(dy.shape[:2]):
        return {}
    linear = row["case"].startswith("linear")
    if linear:
        return {"torch": lambda: torch.ops.aten.upsample_bilinear2d_backward(
            dy, dy.shape[2:], sizes, False)}
    return {"torch": lambda: torch.ops.aten.upsample_nearest2d_backward(dy, dy.shape[2:], sizes)}


def slice_grad(row):
    """zero_ and copy_, PyTorch's own two passes."""
    dy, sizes = tensor(row, "InputGradientTensor"), row["tensors"]["OutputGradientTensor"]
    strides = ints(row, "InputWindowStrides", 1, len(sizes))
    offsets = ints(row, "InputWindowOffsets", 0, len(sizes))
    if min(strides) < 0:
        return {}
    dx = torch.empty(sizes, device="cuda", dtype=dy.dtype)
    window = dx[tuple(slice(o, o + (n - 1) * s + 1, s)
                      for o, n, s in zip(offsets, dy.shape, strides))]

    def run():
        dx.zero_()
        window.copy_(dy)
    return {"torch zero_ + copy_": run}


def axes_of(row, name="Axes"):
    return [int(value) for value in row["settings"][name]]


def gemm(row):
    """FLOAT16 is another calculation there: tensor cores."""
    if row["type"] != "FLOAT32":
        return {}
    a, b = tensor(row, "ATensor"), tensor(row, "BTensor")
    a = a.T if "TransA" in row["settings"] else a
    b = b.T if "TransB" in row["settings"] else b
    return {"cuBLAS": lambda: torch.mm(a, b)}


def convolution(row):
    if row["type"] != "FLOAT32":
        return {}
    sizes = row["tensors"]
    groups = int(row["settings"].get("GroupCount", [1])[0])
    strides, padding = ints(row, "Strides", 1, 2), ints(row, "StartPadding", 0, 2)
    rest = ([1, 1], False, [0, 0], groups)
    backward = torch.ops.aten.convolution_backward
    if row["case"].startswith("weight_gradient"):  # items and channels are exchanged there
        exchanged = [random(row, [n, c, h, w]) for c, n, h, w in
                     (sizes["InputTensor"], sizes["FilterTensor"])]
        channels, rows = sizes["OutputTensor"][:2]
        w = random(row, [rows, channels, *sizes["OutputTensor"][2:]])
        strides = ints(row, "Dilations", 1, 2)
        return {"cuDNN": lambda: backward(exchanged[1], exchanged[0], w, None, strides, padding,
                                          *rest, [False, True, False])}
    x, w = tensor(row, "InputTensor"), tensor(row, "FilterTensor")
    if "Direction" in row["settings"]:
        dx = tensor(row, "OutputTensor")
        return {"cuDNN": lambda: backward(x, dx, w, None, strides, padding, *rest,
                                          [True, False, False])}
    return {"cuDNN": lambda: torch.convolution(x, w, None, strides, padding, *rest)}


def reduction(row):
    x, axes = tensor(row, "InputTensor"), axes_of(row)
    run = torch.amax if row["case"].startswith("max") else torch.sum
    return {"torch": lambda: run(x, axes)}


def softmax(run):
    def make(row):
        x, axis = tensor(row, "InputTensor"), axes_of(row)[0]
        return {"torch": lambda: run(x, axis)}
    return make


def parameters(row, x):
    return [torch.rand(x.shape[1], device="cuda", dtype=x.dtype) + 0.5 for _ in range(2)]


def batch_normalization(row):
    x = tensor(row, "InputTensor")
    scale, bias = parameters(row, x)
    return {"torch": lambda: functional.batch_norm(x, None, None, scale, bias, training=True)}


def batch_normalization_grad(row):
    x, dy = tensor(row, "InputTensor"), tensor(row, "InputGradientTensor")
    scale, _ = parameters(row, x)
    _, mean, deviation = torch.native_batch_norm(x, scale, None, None, None, True, 0.1, 1e-5)
    return {"torch": lambda: torch.ops.aten.native_batch_norm_backward(
        dy, x, scale, None, None, mean, deviation, True, 1e-5, [True, True, True])}


def mean_variance_normalization(row):
    x = tensor(row, "InputTensor")
    scale, bias = parameters(row, x)
    if x.dim() == 2:
        return {"torch": lambda: functional.layer_norm(x, x.shape[1:], scale, bias)}
    return {"torch": lambda: functional.instance_norm(x, weight=scale, bias=bias)}


def average_pooling(row):
    window = ints(row, "WindowSize", 1, 2)
    rest = (window, ints(row, "Strides", 1, 2), ints(row, "StartPadding", 0, 2), False, False)
    if "InputGradientTensor" in row["tensors"]:
        dy, x = tensor(row, "InputGradientTensor"), tensor(row, "OutputGradientTensor")
        return {"torch": lambda: torch.ops.aten.avg_pool2d_backward(dy, x, *rest, None)}
    x = tensor(row, "InputTensor")
    return {"torch": lambda: functional.avg_pool2d(x, *rest)}


def adam(row):
    sizes = row["tensors"]["InputParametersTensor"]
    p, g, m, v = ([random(row, sizes).abs()] for _ in range(4))
    step = [torch.ones([], device="cuda")]
    return {"torch fused": lambda: torch._fused_adam_(
        p, g, m, v, [], step, lr=1e-3, beta1=0.9, beta2=0.999, weight_decay=0, eps=1e-8,
        amsgrad=False, maximize=False)}


def join(row):
    axis = axes_of(row, "Axis")[0]
    parts = [tensor(row, name) for name in row["tensors"] if name.startswith("InputTensors")]
    return {"torch": lambda: torch.cat(parts, axis)}


def split(row):
    x, axis = tensor(row, "InputTensor"), axes_of(row, "Axis")[0]
    sizes = [s[axis] for name, s in row["tensors"].items() if name.startswith("OutputTensors")]
    return {"torch": lambda: torch.split_with_sizes_copy(x, sizes, axis)}


def scan(run):
    def make(row):
        x, axis = tensor(row, "InputTensor"), axes_of(row, "Axis")[0]
        return {"torch": lambda: run(x, axis)}
    return make


OPERATORS = {
    "ACTIVATION_LOG_SOFTMAX1": softmax(torch.log_softmax),
    "ACTIVATION_RELU_GRAD": relu_grad,
    "ACTIVATION_SOFTMAX1": softmax(torch.softmax),
    "ADAM_OPTIMIZER": adam,
    "AVERAGE_POOLING1": average_pooling,
    "AVERAGE_POOLING_GRAD": average_pooling,
    "BATCH_NORMALIZATION_TRAINING": batch_normalization,
    "BATCH_NORMALIZATION_TRAINING_GRAD": batch_normalization_grad,
    "CONVOLUTION": convolution,
    "CUMULATIVE_PRODUCT": scan(torch.cumprod),
    "CUMULATIVE_SUMMATION": scan(torch.cumsum),
    "ELEMENT_WISE_CLIP_GRAD": clip_grad,
    "ELEMENT_WISE_CLIP_GRAD1": clip_grad,
    "GEMM": gemm,
    "JOIN": join,
    "MAX_POOLING_GRAD": max_pooling_grad,
    "MEAN_VARIANCE_NORMALIZATION2": mean_variance_normalization,
    "REDUCE": reduction,
    "RESAMPLE_GRAD": resample_grad,
    "RESAMPLE_GRAD1": resample_grad,
    "SLICE_GRAD": slice_grad,
    "SPLIT": split,
}


def main():
    path = sys.argv[1]
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = True
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)
    print(f"torch {torch.__version__}, {torch.cuda.get_device_name()}")
    for row in rows:
        known = OPERATORS.get(row["operator"])
        if known is None or row["type"] not in ("FLOAT32", "FLOAT16") or row["layout"] not in LAYOUTS:
            continue
        place = "{operator}/{case}/{type}/{layout}".format(**row)
        try:
            for name, run in known(row).items():
                row["peers"][name] = milliseconds(run, row)
                if "given indices" not in name:
                    row["raced"].append(name)
        except (RuntimeError, TypeError) as error:
            print(f"{place}: torch refuses: {str(error).splitlines()[0]}")
            continue
        times = ", ".join(f"{name} {ms / row['floor_ms']:.2f}x" for name, ms in row["peers"].items())
        print(f"{place}: ours {row['ours_ms'] / row['floor_ms']:.2f}x, {times}")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
