#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""ONNX's test models on a machine that has no ONNX: those of onnx_passed.txt become models in JSON
with their inputs and expected outputs here, and are run there, which takes NumPy and the command.

    python/tests/onnx_models.py convert FOLDER
    python/tests/onnx_models.py run FOLDER --command anydml --device cuda:0
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

import numpy


def convert(folder):
    import onnx
    import test_onnx
    import anydml.onnx
    converted = 0
    for name in test_onnx.PASSED:
        model = onnx.load(test_onnx.DATA / name / "model.onnx")
        data = test_onnx.DATA / name / "test_data_set_0"
        inputs = {entry.name: test_onnx.read(data / f"input_{i}.pb", entry.type)
                  for i, entry in enumerate(model.graph.input)
                  if (data / f"input_{i}.pb").exists()}
        target = folder / name
        target.mkdir(parents=True)
        outputs = [test_onnx.read(data / f"output_{i}.pb", entry.type)
                   for i, entry in enumerate(model.graph.output)]
        if all(0 in output.shape for output in outputs):
            continue                       # there is nothing to run
        anydml.onnx.to_json(model, target / "model.json", arrays=inputs, write_outputs=True)
        for i, output in enumerate(outputs):
            numpy.save(target / f"expected_{i}.npy", output)
        converted += 1
    print(f"{converted} of {len(test_onnx.PASSED)} models converted; the others' outputs have no "
          f"elements")


def run(model, command, device):
    """What is wrong with the results of a model; nothing where they are as expected."""
    for old in model.parent.glob("output_*.npy"):
        old.unlink()
    done = subprocess.run([command, "run", "model.json", "--device", device], cwd=model.parent,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr.strip()
    for file in model.parent.glob("expected_*.npy"):
        expected = numpy.load(file)
        if 0 in expected.shape:
            continue
        expected = expected.astype("uint8") if expected.dtype == bool else expected
        found = numpy.load(file.with_name(file.name.replace("expected", "output")))
        if (found.dtype, found.shape) != (expected.dtype, expected.shape or (1,)):
            return f"{file.name} is {expected.dtype}{expected.shape}, and computed was " \
                   f"{found.dtype}{found.shape}"
        found = found.reshape(expected.shape)
        if not (numpy.array_equal(found, expected) if expected.dtype.kind in "iu" else
                numpy.allclose(found, expected, rtol=1e-3, atol=1e-7, equal_nan=True)):
            return f"{file.name} is not what was computed"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("what", choices=("convert", "run"))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--command", default="anydml")
    parser.add_argument("--device", default="cpu")
    given = parser.parse_args()
    if given.what == "convert":
        convert(given.folder)
        return
    models = sorted(given.folder.glob("*/*/model.json"))
    command = shutil.which(given.command)
    if not models or not command:
        sys.exit(f"there is no {'model in ' + str(given.folder) if command else given.command}")
    with concurrent.futures.ThreadPoolExecutor(min(8, os.cpu_count())) as pool:
        told = list(pool.map(lambda m: run(m, os.path.abspath(command), given.device), models))
    for model, wrong in zip(models, told):
        if wrong:
            print(f"{model.parent.relative_to(given.folder)}: {wrong}")
    print(f"{len(models) - sum(map(bool, told))} of {len(models)} models passed on {given.device}")
    sys.exit(any(told))


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    main()
