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


OPERATORS = {
    "ACTIVATION_RELU_GRAD": relu_grad,
    "ELEMENT_WISE_CLIP_GRAD": clip_grad,
    "ELEMENT_WISE_CLIP_GRAD1": clip_grad,
    "MAX_POOLING_GRAD": max_pooling_grad,
    "RESAMPLE_GRAD": resample_grad,
    "RESAMPLE_GRAD1": resample_grad,
    "SLICE_GRAD": slice_grad,
}


def main():
    path = sys.argv[1]
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
        except RuntimeError as error:
            print(f"{place}: torch refuses: {str(error).splitlines()[0]}")
            continue
        times = ", ".join(f"{name} {ms / row['floor_ms']:.2f}x" for name, ms in row["peers"].items())
        print(f"{place}: ours {row['ours_ms'] / row['floor_ms']:.2f}x, {times}")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
