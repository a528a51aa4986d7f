# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""What the tests of the command share: running it, and small models to run.

The environment names what is tested: ANYDML_COMMAND is the program, ANYDML_SOURCE the tree.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

COMMAND = os.environ["ANYDML_COMMAND"]
COMMANDS = ("run", "check", "explain", "draw", "grad", "train", "verify", "ops", "devices", "bench")
SOURCE = pathlib.Path(os.environ["ANYDML_SOURCE"])
MODELS = SOURCE / "models"

needs_long_names = unittest.skipIf(os.pathconf(tempfile.gettempdir(), "PC_NAME_MAX") < 255,
                                   "names of files are shorter here")


def anydml(*arguments, **options):
    """Runs the command to its end; text of both streams and the exit code."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 120, **options}
    return subprocess.run([COMMAND, *map(str, arguments)], text=True, check=False, **options)


def identity(values=(1, 2, 3, 4), **resource):
    """A model that copies `input` to `output`, as a dictionary to be changed at will."""
    tensor = {"DataType": "FLOAT32", "Sizes": [len(values)]}
    given = {"initialValuesDataType": "FLOAT32", "initialValues": list(values)}
    return {
        "resources": {
            "input": {**given, **resource},
            "output": {**given, "initialValues": {"valueCount": len(values), "value": 0}},
        },
        "dispatchables": {
            "op": {"type": "ELEMENT_WISE_IDENTITY",
                   "desc": {"InputTensor": dict(tensor), "OutputTensor": dict(tensor)}},
        },
        "commands": [
            {"type": "dispatch", "dispatchable": "op",
             "bindings": {"InputTensor": "input", "OutputTensor": "output"}},
            {"type": "print", "resource": "output"},
        ],
    }


def writing(target_path, resource="output", **members):
    """identity() that ends with a writeFile command."""
    model = identity()
    model["commands"].append(
        {"type": "writeFile", "resource": resource, "targetPath": target_path, **members})
    return model


class CommandTest(unittest.TestCase):
    """Tests in a folder of their own, which is gone afterwards."""

    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="anydml_command_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def save(self, model, name="model.json"):
        path = self.folder / name
        path.write_text(model if isinstance(model, str) else json.dumps(model))
        return path

    def run_model(self, model, *arguments, **options):
        return anydml("run", self.save(model), *arguments, **options)

    def names(self, folder=None):
        return sorted(path.name for path in (folder or self.folder).iterdir())

    def assert_prints(self, result, text):
        self.assertEqual((result.stderr, result.stdout, result.returncode), ("", text, 0))

    def assert_fails(self, result, *sentences, code=1):
        """One line on standard error for each sentence, which it holds; nothing like a trace."""
        lines = result.stderr.splitlines()
        self.assertEqual(result.returncode, code, result)
        self.assertEqual(len(lines), len(sentences), result.stderr)
        for line, sentence in zip(lines, sentences):
            self.assertTrue(line.startswith("anydml: "), line)
            self.assertIn(sentence, line)

    def assert_keeps(self, path, *arguments, **options):
        """`anydml ARGUMENTS OUTPUT` refuses every name of the file, which stays as it is."""
        content = path.read_bytes()
        before = self.names()
        others = self.folder / "others"
        others.mkdir()
        (others / "link").symlink_to(path)
        (others / "twin").hardlink_to(path)
        for output in (path.name, path, f"others/../{path.name}", "others/link", "others/twin"):
            with self.subTest(output):
                result = anydml(*arguments, output, cwd=self.folder, **options)
                self.assert_fails(result, f"'{output}' would replace '")
                self.assertEqual(result.stdout, "")
                self.assertEqual(path.read_bytes(), content)
        shutil.rmtree(others)
        self.assertEqual(self.names(), before)

    def assert_refuses(self, model, *sentences):
        """Both `run` and `check` tell these and nothing else; check adds what level would do."""
        path = self.save(model)
        result = anydml("run", path)
        self.assert_fails(result, *sentences)
        self.assertEqual(result.stdout, "")
        checked = anydml("check", path)
        self.assertEqual(checked.returncode, 1)
        self.assertEqual(checked.stdout, "")
        self.assertTrue(checked.stderr.startswith(result.stderr), checked.stderr)
