# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""examples/train_lenet.cpp, interrupted: it says where it was saved, and goes on there with the bits of
a run that was never interrupted.

The environment names the program: ANYDML_TRAIN_LENET.
"""
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

COMMAND = [os.environ["ANYDML_TRAIN_LENET"], "--data", "made-up", "--threads", "1"]


class InterruptedTraining(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def sum_after(self, steps, *arguments):
        result = subprocess.run([*COMMAND, "--steps", str(steps), *arguments], cwd=self.folder,
                                text=True, capture_output=True, timeout=120, check=True)
        return re.search("sha256 of the weights: ([0-9a-f]{64})", result.stdout)[1]

    def test_it_saves_and_goes_on(self):
        process = subprocess.Popen([*COMMAND, "--steps", "4000000"], cwd=self.folder, text=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.assertRegex(process.stderr.readline(), "^step 100 of 4000000, loss ")
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 1)
        said = re.search(r"^train_lenet: interrupted after step (\d+), which is saved in checkpoint\n$",
                         errors, re.MULTILINE)
        self.assertTrue(said, errors)
        steps = int(said[1]) + 3
        self.assertEqual(self.sum_after(steps, "--from", "checkpoint"), self.sum_after(steps))


if __name__ == "__main__":
    unittest.main()
