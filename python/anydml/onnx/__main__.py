# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""python3 -m anydml.onnx MODEL.onnx -o MODEL.json: the model for `anydml run` and C++."""
import argparse
import sys

import numpy
import onnx

from .. import _errors
from . import to_json


def _shape(text):
    name, _, sizes = text.rpartition("=")
    return name, tuple(int(size) for size in sizes.split(",") if size)


def _array(text):
    name, _, file = text.rpartition("=")
    return name, numpy.load(file)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python3 -m anydml.onnx", description=(
        "Writes an ONNX model as a model of AnyDML: JSON, and .npy files in a folder beside it."))
    parser.add_argument("model", metavar="MODEL.onnx")
    parser.add_argument("-o", "--output", required=True, metavar="MODEL.json")
    parser.add_argument("--shape", action="append", default=[], type=_shape,
                        metavar="NAME=1,3,224,224", help="sizes that the model leaves open")
    parser.add_argument("--input", action="append", default=[], type=_array,
                        metavar="NAME=FILE.npy", help="values of an input; zeros else")
    parser.add_argument("--write-outputs", action="store_true",
                        help="write the outputs to output_0.npy, ... instead of printing them")
    given = parser.parse_args(arguments)
    try:
        to_json(onnx.load(given.model), given.output, shapes=given.shape, arrays=given.input,
                write_outputs=given.write_outputs)
    except (_errors.Error, OSError, onnx.checker.ValidationError) as error:
        sys.exit(f"{given.model}: {error}")


if __name__ == "__main__":
    main()
