#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""What a call from Python costs on 1,000 elements, beside what the library itself takes.

    ANYDML_LIBRARY=build/release/lib/libanydml.so python3 python/bench.py

Prints the least of many rounds in microseconds: the whole call; this package's overhead, which is
the same call with a library that does nothing; and the difference, which is the library's. Where
torch has a GPU, its tensors follow: calls one after the other without waiting, what of it is this
package's, and calls that are each waited for.
"""
import contextlib
import importlib.util
import os
import pathlib
import sys
import timeit

# Without ANYDML_LIBRARY the installed package is meant, which has a library beside it: the folder
# of this script, where Python looks first, has none.
HERE = str(pathlib.Path(__file__).resolve().parent)
sys.path = [path for path in sys.path if str(pathlib.Path(path).resolve()) != HERE]
if "ANYDML_LIBRARY" in os.environ:
    sys.path.insert(0, HERE)
import numpy                                        # noqa: E402

import anydml                                       # noqa: E402
from anydml import _library                         # noqa: E402

CALLS, ROUNDS = 1000, 50
X = numpy.random.default_rng(1).standard_normal(1000).astype("float32")
PLANES = X.reshape(1, 10, 10, 10)
POOLED = anydml.max_pooling2(PLANES, window_size=2, strides=2)

CASES = [
    (anydml.relu_grad, (X, X), {}),
    (anydml.clip_grad1, (X, X), {"min": -1.0, "max": 1.0}),
    (anydml.slice_grad, (X[:500],), {"input_window_strides": 2, "output_sizes": (1000,)}),
    (anydml.resample_grad1, (X,), {"interpolation_mode": "linear", "output_sizes": (500,)}),
    (anydml.max_pooling_grad, (PLANES, POOLED), {"window_size": (2, 2), "strides": (2, 2)}),
]


def microseconds(function):
    return min(timeit.repeat(function, number=CALLS, repeat=ROUNDS)) / CALLS * 1e6


@contextlib.contextmanager
def idle_library():
    """Executions return at once. Timing the library alone would flatter it: in a loop of its own
    the processor learns the branches of its data by heart."""
    functions = _library.execute, _library.start
    _library.execute = _library.start = lambda *_: 0
    yield
    _library.execute, _library.start = functions


def bench_gpu():
    import torch
    if not torch.cuda.is_available():
        return
    print(f"\n{torch.cuda.get_device_name()}, torch {torch.__version__}\n"
          f"{'operator':20}{'call':>8}{'overhead':>10}{'waited':>9}   us, 1,000 elements")
    for function, arrays, settings in CASES:
        tensors = [torch.from_numpy(array).cuda() for array in arrays]

        def call():
            return function(*tensors, **settings)

        def waited():
            function(*tensors, **settings)
            torch.cuda.synchronize()
        waited()
        whole = microseconds(call)
        with idle_library():
            overhead = microseconds(call)
        print(f"{function.__name__:20}{whole:8.1f}{overhead:10.1f}{microseconds(waited):9.1f}")


def main():
    print(f"{'operator':20}{'call':>8}{'overhead':>10}{'library':>9}   us, 1,000 elements")
    for function, arrays, settings in CASES:
        function(*arrays, **settings)
        whole = microseconds(lambda: function(*arrays, **settings))
        with idle_library():
            overhead = microseconds(lambda: function(*arrays, **settings))
        print(f"{function.__name__:20}{whole:8.1f}{overhead:10.1f}{whole - overhead:9.1f}")
    if importlib.util.find_spec("torch"):
        bench_gpu()


if __name__ == "__main__":
    main()
