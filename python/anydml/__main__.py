# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""python -m anydml: a short tour, on numbers that fit in a head."""
import os
import sys

try:
    import numpy
except ImportError:
    sys.exit("The tour needs NumPy (Debian's package python3-numpy).")

import anydml


def show(text, **names):
    """Prints an expression and its value."""
    value = eval(text, {"anydml": anydml, "numpy": numpy, **names})
    print(f">>> {text}\n{numpy.array2string(numpy.asarray(value))}\n")


def pooling():
    print("Max pooling gives each window's gradient to its largest element, without indices:")
    x = numpy.array([[1, 2, 3], [2, 4, 2], [5, 6, 7]], "float32")[None, None]
    dy = numpy.array([[1, 2], [4, 5]], "float32")[None, None]
    show("anydml.max_pooling_grad(x, dy, window_size=(2, 2))[0, 0]", x=x, dy=dy)


def half_precision():
    print("Enlarging one float16 pixel to 128 x 128, all gradients 1. The exact sum is 16384;")
    print("sums in float16 stop at 2048:")
    dy = numpy.ones((128, 128), "float16")
    show("anydml.resample_grad1(dy, interpolation_mode='linear', output_sizes=(1, 1)).item()",
         dy=dy)


def clipping():
    print("64-bit integers are compared exactly, and both bounds belong to the flat part:")
    x = numpy.array([2**53, 2**53 + 1, 2**53 + 2], "uint64")
    dy = numpy.array([7, 8, 9], "uint64")
    show("anydml.clip_grad1(x, dy, min=2**53, max=2**53 + 2)", x=x, dy=dy)


def slicing():
    print("Slices run backwards too, and so do their gradients:")
    show("anydml.slice_grad(dy, input_window_strides=-2, output_sizes=(6,))",
         dy=numpy.array([1, 2, 3], "int32"))


def refusals():
    print("What makes no sense is refused in a sentence:")
    x = numpy.ones((1, 1, 5, 5), "float32")
    try:
        anydml.max_pooling_grad(x, x, window_size=2)
    except anydml.InvalidArgument as error:
        print(f"anydml.InvalidArgument: {error}\n")


def main():
    print(f"AnyDML {anydml.__version__}; devices: "
          + ", ".join(f"{name} ({words})" for name, words in anydml.devices().items()) + "\n")
    for part in (pooling, half_precision, clipping, slicing, refusals):
        part()
    print(f"All operators: {', '.join(anydml._operators)}.\nhelp(anydml.max_pooling_grad) tells "
          "more; anydml.torch has layers for PyTorch.")


def run():
    """The tour, to whoever reads it as far as he likes."""
    try:
        main()
        sys.stdout.flush()
    except OSError as error:
        # What is still buffered goes nowhere, lest Python tries it once more on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return None if isinstance(error, BrokenPipeError) else (
            f"The tour cannot be written: {error.strerror}.")
    return 0


if __name__ == "__main__":
    sys.exit(run())
