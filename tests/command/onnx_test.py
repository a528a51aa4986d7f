# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""ONNX models: `anydml run model.onnx`, and what is said where the Python packages are missing."""
import importlib.util
import os
import pathlib
import unittest

import numpy as np

from command import COMMAND, SOURCE, CommandTest, anydml

LIBRARY = pathlib.Path(COMMAND).resolve().parent.parent / "lib" / "libanydml.so"
HERE = {**os.environ, "PATH": "/usr/bin:" + os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(SOURCE / "python"), "ANYDML_LIBRARY": str(LIBRARY)}
missing = "there is no module onnx; Debian's package is python3-onnx"
has_onnx = importlib.util.find_spec("onnx") is not None


@unittest.skipUnless(has_onnx, missing)
class Run(CommandTest):
    def write(self, sizes=(2, 3), kind="Relu"):
        """y = relu(x w), w a {3, 100} of ones but for its first column of -1."""
        import onnx
        from onnx import numpy_helper
        weights = np.ones((3, 100), "float32")
        weights[:, 0] = -1
        make = onnx.helper.make_tensor_value_info
        graph = onnx.helper.make_graph(
            [onnx.helper.make_node("MatMul", ["x", "w"], ["t"]),
             onnx.helper.make_node(kind, ["t"], ["y"], name="last")],
            "net", [make("x", onnx.TensorProto.FLOAT, sizes)],
            [make("y", onnx.TensorProto.FLOAT, [sizes[0], 100])],
            [numpy_helper.from_array(weights, "w")])
        onnx.save(onnx.helper.make_model(graph), self.folder / "model.onnx")
        return self.folder / "model.onnx"

    def test_run_and_other_commands(self):
        result = anydml("run", self.write(), env=HERE)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertEqual(result.stdout, f"Resource 'y': {', '.join(['0'] * 200)}\n")
        self.assertEqual(anydml("check", self.write(), env=HERE).returncode, 0)
        self.assertIn("GEMM", anydml("explain", self.write(), env=HERE).stdout)

    def test_to_json_with_weights_and_inputs(self):
        from subprocess import run
        x = np.array([[1, 2, 3], [0, 0, 1]], "float32")
        np.save(self.folder / "x.npy", x)
        converted = run(["/usr/bin/python3", "-m", "anydml.onnx", self.write(), "-o",
                         self.folder / "net.json", "--input", f"x={self.folder / 'x.npy'}"],
                        env=HERE, capture_output=True, text=True, check=False)
        self.assertEqual((converted.stdout, converted.stderr, converted.returncode), ("", "", 0))
        result = anydml("run", self.folder / "net.json")
        row = ", ".join(["0"] + ["6"] * 99 + ["0"] + ["1"] * 99)
        self.assertEqual((result.stdout, result.stderr), (f"Resource 'y': {row}\n", ""))

    def test_refusals(self):
        for model, sentence in ({"sizes": ("n", 3)}, "input 'x' has the sizes ('?', 3)"), (
                {"kind": "Det"}, "Det (node 'last'): the operator Det"):
            result = anydml("run", self.write(**model), env=HERE)
            self.assertEqual((result.stdout, result.returncode), ("", 1))
            self.assertIn(sentence, result.stderr)


class Missing(CommandTest):
    def test_python_or_its_packages_are_missing(self):
        model = self.folder / "model.onnx"
        model.write_bytes(b"")
        for environment, sentence in (
                ({"PATH": "/usr/bin", "PYTHONPATH": ""}, "need the Python packages anydml"),
                ({"PATH": str(self.folder)}, "python3, which cannot be started")):
            result = anydml("run", model, env=environment)
            self.assertEqual((result.stdout, result.returncode), ("", 1))
            self.assertIn(sentence, result.stderr)


if __name__ == "__main__":
    unittest.main()
