# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""examples/train_mpi.cpp: one checksum on 1, 2 and 4 processes; refusals.

The environment names what is tested: ANYDML_TRAIN_MPI is the program, ANYDML_MPIRUN starts it.
"""
import os
import re
import subprocess
import unittest

PROGRAM, MPIRUN = os.environ["ANYDML_TRAIN_MPI"], os.environ["ANYDML_MPIRUN"]


def train(processes, *arguments):
    command = [MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", str(processes), PROGRAM,
               "--data", "made-up", *arguments]
    return subprocess.run(command, text=True, capture_output=True, timeout=300, check=False)


class TrainOnProcesses(unittest.TestCase):
    def sum_of(self, processes, *arguments):
        result = train(processes, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        sums = re.findall(r"^sha256 of the weights: ([0-9a-f]{64})$", result.stdout, re.MULTILINE)
        self.assertEqual(len(sums), 1, result.stdout)  # one process speaks
        return sums[0], result.stdout

    def test_any_number_of_processes_gives_the_same_bits(self):
        alone, text = self.sum_of(1, "--steps", "20")
        self.assertEqual(self.sum_of(2, "--steps", "20"), (alone, text))
        self.assertEqual(self.sum_of(4, "--steps", "20"), (alone, text))
        self.assertNotEqual(self.sum_of(1, "--steps", "19")[0], alone)
        # Of ten classes, where nothing was learnt: log(10).
        self.assertLess(float(re.search(r"step  20  loss (\S+)", text)[1]), 2.2)

    def test_other_numbers_of_processes_are_refused(self):
        result = train(3)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("train_mpi: there must be 1, 2, 4 or 8 processes\n", result.stderr)

    def test_a_device_that_is_not_there_ends_all_processes(self):
        result = train(2, "--device", "abacus")
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, "train_mpi: .*abacus")


if __name__ == "__main__":
    unittest.main()
