# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""anydml bench: what it selects, prints and writes. Times are not looked at."""
import json
import os
import pty
import resource
import signal
import subprocess
import unittest

from command import COMMAND, CommandTest, anydml, needs_long_names

TINY = ("--filter", "RELU_GRAD,2_to_the_10", "--type", "FLOAT32", "--seconds", "0.001")
PROGRAM = os.environ.get("ANYDML_BENCH_PROGRAM", "")
FIELDS = ["operator", "case", "type", "layout", "device", "batch", "tensors", "settings", "threads",
          "strategy", "ours_ms", "one_thread_ms", "floor_ms", "memcpy_ms", "fastest_copy_ms",
          "moved_ms", "machine_gain", "peers", "raced", "bytes", "targets", "missed", "notes"]


class Bench(CommandTest):
    def test_prints_a_line_per_row_under_a_heading(self):
        result = anydml("bench", *TINY)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        machine, heading, row, summary = result.stdout.splitlines()
        self.assertIn(", 2 threads, ", machine)
        self.assertEqual(heading.split()[:5], ["operator", "case", "type", "layout", "strategy"])
        self.assertEqual(row.split()[:5], ["ACTIVATION_RELU_GRAD", "elements_2_to_the_10",
                                           "FLOAT32", "packed", "packed_rows"])
        self.assertTrue(summary.startswith("1 rows: "), summary)

    def test_writes_its_rows_as_json(self):
        path = self.folder / "rows.json"
        self.assertEqual(anydml("bench", *TINY, "--threads", 1, "--json", path).returncode, 0)
        self.assertEqual(self.names(), ["rows.json"])
        rows = json.loads(path.read_text())
        self.assertEqual(len(rows), 1)
        self.assertEqual(list(rows[0]), FIELDS)
        self.assertEqual(rows[0]["operator"], "ACTIVATION_RELU_GRAD")
        self.assertEqual((rows[0]["threads"], rows[0]["bytes"]), (1, 3 * 4096))
        self.assertEqual(rows[0]["peers"], {})
        self.assertGreater(rows[0]["ours_ms"], 0)
        self.assertGreater(rows[0]["floor_ms"], 0)

    def test_forces_a_strategy(self):
        result = anydml("bench", *TINY, "--strategy", "strided")
        self.assertEqual(result.stdout.splitlines()[2].split()[4], "strided")
        self.assert_fails(anydml("bench", *TINY, "--strategy", "fast"),
                          "relu_grad has no strategy 'fast'; these are: packed_rows, ")

    def test_lists_the_core_set_or_every_row(self):
        core, every = (anydml("bench", "--list", *all_).stdout.splitlines()
                       for all_ in ((), ("--all",)))
        self.assertLess(set(core), set(every))
        self.assertIn("MAX_POOLING_GRAD/window_3x3_stride_1_8x64x56x56/FLOAT32/NHWC", core)
        self.assertIn("SLICE1/whole_window_8x64x112x112/FLOAT16/padded_rows", every)

    def test_refuses_what_selects_nothing(self):
        self.assert_fails(anydml("bench", "--filter", "RNN"), "no row matches")
        self.assert_fails(anydml("bench", "--filter", "SLICE,RELU", "--list"), "no row matches")

    def test_a_device_that_is_not_here_is_told_once(self):
        result = anydml("bench", "--filter", "RELU_GRAD", "--device", "cuda:99")
        self.assert_fails(result, "there is no device 'cuda:99' here")
        self.assertEqual(result.stdout, "")

    def test_refuses_an_unknown_type_and_no_threads(self):
        for arguments in (("--type", "FLOAT8"), ("--threads", 0)):
            self.assertEqual(anydml("bench", *arguments).returncode, 2, arguments)

    def test_goes_over_the_rows_several_times(self):
        result = anydml("bench", *TINY, "--passes", 3)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertEqual(lines[1:3], ["pass 1 of 3", "pass 2 of 3"])
        self.assertEqual(len([line for line in lines if "2_to_the_10" in line]), 1)
        self.assertEqual(anydml("bench", *TINY, "--passes", 0).returncode, 2)

    def test_times_random_descriptions(self):
        def names(*arguments):
            return anydml("bench", "--random", 3, *arguments, "--list").stdout.splitlines()

        every = names()
        self.assertEqual(every, names("--seed", 1))
        self.assertNotEqual(every, names("--seed", 2))
        operators = [name.split("/")[0] for name in every]
        for operator in ("MAX_POOLING", "MAX_POOLING_GRAD", "SLICE", "SLICE_GRAD", "RESAMPLE3",
                         "RESAMPLE_GRAD1", "ELEMENT_WISE_CLIP", "ACTIVATION_RELU_GRAD"):
            self.assertEqual(operators.count(operator), 3, operator)
        grad = [name for name in every if name.startswith("MAX_POOLING_GRAD/")]
        self.assertEqual(grad, names("--filter", "MAX_POOLING_GRAD"))
        result = anydml("bench", "--random", 2, "--filter", "RELU_GRAD", "--seconds", "0.001")
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertRegex(result.stdout.splitlines()[-1],
                         r"^ACTIVATION_RELU_GRAD: 2 rows, median [0-9.]+ copies, worst [0-9.]+$")
        self.assertEqual(anydml("bench", "--random", 0).returncode, 2)

    def test_refuses_seconds_that_are_no_time(self):
        for given in ("nan", "-nan", "inf", "-inf", "-1", "0", "-0", "1e7", "a", ""):
            result = anydml("bench", *TINY[:-1], given)
            self.assertEqual(result.returncode, 2, given)
            self.assertIn(f"anydml: --seconds: '{given}' must be a number above 0 and at most "
                          "1000000\n", result.stderr)

    def test_replaces_a_file_but_nothing_else(self):
        path, link = self.folder / "rows.json", self.folder / "link.json"
        path.write_text("old")
        link.symlink_to(path)
        self.assertEqual(anydml("bench", *TINY, "--json", link).returncode, 0)
        self.assertTrue(link.is_symlink())
        self.assertEqual(len(json.loads(path.read_text())), 1)
        self.assert_fails(anydml("bench", *TINY, "--json", self.folder), "could not be written")
        os.mkfifo(self.folder / "pipe")
        self.assert_fails(anydml("bench", *TINY, "--json", self.folder / "pipe"),
                          "pipe could not be written: it is there and no file")
        self.assertEqual(self.names(), ["link.json", "pipe", "rows.json"])

    @needs_long_names
    def test_writes_a_file_of_the_longest_name(self):
        path = self.folder / ("a" * 250 + ".json")
        result = anydml("bench", *TINY, "--json", path)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertEqual(self.names(), [path.name])

    def test_an_interruption_leaves_the_old_file(self):
        path = self.folder / "rows.json"
        path.write_text("old")
        for number in (signal.SIGINT, signal.SIGKILL):
            self.assertEqual(self.interrupt(number, "--json", path), -number)
            self.assertEqual((self.names(), path.read_text()), (["rows.json"], "old"))

    @staticmethod
    def interrupt(number, *arguments):
        """In the second row; the exit code."""
        terminal, other_end = pty.openpty()      # a terminal gets every line at once
        with subprocess.Popen([COMMAND, "bench", "--filter", "2_to_the_10", "--seconds", "0.3",
                               *arguments], stdout=other_end) as process:
            os.close(other_end)
            text = b""
            while text.count(b"\n") < 3:         # the machine, the heading, a row
                text += os.read(terminal, 4096)
            process.send_signal(number)
        os.close(terminal)
        return process.returncode

    def test_a_file_that_cannot_be_written_is_told_before_anything_is_measured(self):
        result = anydml("bench", *TINY, "--json", self.folder / "absent/rows.json")
        self.assert_fails(result, "absent/rows.json could not be written")
        self.assertEqual(result.stdout, "")


@unittest.skipIf(not PROGRAM, "anydml_bench is not built (ANYDML_BENCH)")
class Program(CommandTest):
    """anydml_bench, which is the same with peers."""

    def run_program(self, *arguments, **options):
        return subprocess.run([PROGRAM, "--no-peers", *arguments], stderr=subprocess.PIPE, text=True,
                              check=False, timeout=120, **options)

    def test_output_that_does_not_arrive_is_told(self):
        def close_output():
            os.close(1)
        for arguments in (("--list",), TINY, ("--help",)):
            with open("/dev/full", "wb") as full:
                result = self.run_program(*arguments, stdout=full)
            self.assertEqual((result.returncode, result.stderr), (
                1, "anydml_bench: standard output could not be written: No space left on device\n"))
            result = self.run_program(*arguments, preexec_fn=close_output)
            self.assertEqual((result.returncode, result.stderr), (
                1, "anydml_bench: standard output could not be written: Bad file descriptor\n"))

    def test_a_file_that_grows_too_large_is_told(self):
        def no_bytes():
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1, 1))
        result = self.run_program(*TINY, "--json", self.folder / "rows.json", preexec_fn=no_bytes,
                                  stdout=subprocess.PIPE)
        self.assertEqual(result.returncode, 1, result)
        self.assertIn("rows.json could not be written: File too large\n", result.stderr)
        self.assertEqual(self.names(), [])


if __name__ == "__main__":
    unittest.main()
