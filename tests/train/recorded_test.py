# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The sums that models/train_*.expected record of the examples' trainings on real pictures: on this
processor those of the fewest steps, on an NVIDIA card all of them.

The environment names the programs: ANYDML_TRAIN_LENET, ANYDML_TRAIN_RESNET, ANYDML_TRAIN_UNET.
"""
import gzip
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path("/usr/share/datasets/fashion-mnist")
UNPACKED = ROOT / "build/data/fashion-mnist"              # by `make demo`
NAMES = ("lenet", "resnet", "unet")


def recorded(name):
    """{steps: sum}"""
    text = (ROOT / f"models/train_{name}.expected").read_text(encoding="utf-8")
    return {int(steps): found for steps, found in
            re.findall("^([0-9]+) steps: ([0-9a-f]{64})$", text, re.MULTILINE)}


@unittest.skipUnless(PACKAGE.is_dir() or UNPACKED.is_dir(),
                     f"there is no {PACKAGE}: install dataset-fashion-mnist")
class Recorded(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = UNPACKED
        if UNPACKED.is_dir():
            return
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.data = pathlib.Path(temporary.name)
        for file in PACKAGE.glob("*.gz"):
            (cls.data / file.stem).write_bytes(gzip.decompress(file.read_bytes()))

    def train(self, name, steps, device):
        return subprocess.run(
            [os.environ["ANYDML_TRAIN_" + name.upper()], "--data", self.data, "--steps", str(steps),
             "--device", device], text=True, capture_output=True, timeout=240, check=False)

    def compare(self, name, steps, device):
        with self.subTest(f"{name}, {steps} steps on {device}"):
            result = self.train(name, steps, device)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(f"sha256 of the weights: {recorded(name)[steps]}\n", result.stdout)

    def test_on_this_processor(self):
        for name in NAMES:
            self.compare(name, min(recorded(name)), "cpu")

    def test_on_a_card(self):
        errors = self.train("lenet", 1, "cuda:0").stderr
        if "there is no device 'cuda:0' here" in errors:
            self.skipTest(errors.strip())
        for name in NAMES:
            for steps in recorded(name):
                self.compare(name, steps, "cuda:0")


if __name__ == "__main__":
    unittest.main(verbosity=2)
