# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""examples/train_lenet.cpp, interrupted: it says where it was saved, and goes on there with the bits of
a run that was never interrupted. All trainings go on where they were saved.

The environment names the programs: ANYDML_TRAIN_LENET, ANYDML_TRAIN_RESNET, ANYDML_TRAIN_UNET.
"""
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

OPTIONS = ["--data", "made-up", "--threads", "1"]
LENET, RESNET, UNET = ([os.environ["ANYDML_TRAIN_" + name], *OPTIONS]
                       for name in ("LENET", "RESNET", "UNET"))


class InterruptedTraining(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def sum_after(self, steps, *arguments, command=LENET):
        result = subprocess.run([*command, "--steps", str(steps), *arguments], cwd=self.folder,
                                text=True, capture_output=True, timeout=120, check=True)
        return re.search("sha256 of the weights: ([0-9a-f]{64})", result.stdout)[1]

    def test_it_saves_and_goes_on(self):
        process = subprocess.Popen([*LENET, "--steps", "4000000"], cwd=self.folder, text=True,
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

    def test_all_go_on_and_end_where_they_were_saved(self):
        for command in (LENET, RESNET, UNET):
            with self.subTest(command[0]):
                folder = pathlib.Path(command[0]).name + ".saved"
                saved = self.sum_after(2, "--save", folder, command=command)
                self.assertEqual(self.sum_after(2, "--from", folder, command=command), saved)
                self.assertEqual(self.sum_after(3, "--from", folder, command=command),
                                 self.sum_after(3, command=command))


if __name__ == "__main__":
    unittest.main()
