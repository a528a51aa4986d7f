# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""relu, clip and slice."""
import builtins

from anydml import _errors

from ._kernels import Plan, check_tensor


def relu(input):
    """max(0, x). The gradient is 0 at NaN, where PyTorch's passes."""
    check_tensor(input, "relu")
    return Plan("relu", "relu_grad", {}, input.shape, keeps_input=True).apply(input)


def clip(input, min, max):
    """Between min and max. The gradient is 0 at both bounds, as hardtanh's and unlike
    torch.clamp's, and passes at NaN."""
    check_tensor(input, "clip")
    settings = {"min": min, "max": max}
    return Plan("clip1", "clip_grad1", settings, input.shape, keeps_input=True).apply(input)


def _spread(index, dimensions):
    """One slice per dimension: an Ellipsis and missing entries stand for whole dimensions."""
    entries = index if isinstance(index, tuple) else (index,)
    if not all(e is Ellipsis or isinstance(e, builtins.slice) for e in entries):
        raise _errors.WrongType(f"anydml.torch.slice: index = {index!r} must hold slices and at "
                                f"most one Ellipsis")
    if Ellipsis not in entries:
        entries += (Ellipsis,)
    at = entries.index(Ellipsis)
    missing = dimensions - len(entries) + 1
    entries = entries[:at] + (builtins.slice(None),) * missing + entries[at + 1:]
    if missing < 0 or Ellipsis in entries:
        raise _errors.InvalidArgument(f"anydml.torch.slice: index = {index!r} does not fit "
                                      f"{dimensions} dimensions")
    return entries


def slice(input, index):
    """input[index] with steps of both signs: slice(x, numpy.s_[..., ::-2]). `index` holds slices
    and at most one Ellipsis."""
    check_tensor(input, "slice")
    sizes, offsets, windows, strides = [], [], [], []
    for entry, size in zip(_spread(index, input.dim()), input.shape):
        picked = range(*entry.indices(size))
        if not picked:
            raise _errors.InvalidArgument(f"anydml.torch.slice: {entry} picks nothing of {size} "
                                          f"elements")
        sizes.append(len(picked))
        offsets.append(min(picked[0], picked[-1]))
        windows.append(abs(picked[-1] - picked[0]) + 1)
        strides.append(picked.step)
    settings = {"input_window_offsets": offsets, "input_window_sizes": windows,
                "input_window_strides": strides}
    return Plan("slice1", "slice_grad", settings, sizes, keeps_input=False).apply(input)
