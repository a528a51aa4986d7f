# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""`anydml run`: options, timing, tables, threads, devices, owned tensors."""
import json
import os
import pty
import re
import struct
import subprocess
import unittest

from command import COMMAND, MODELS, CommandTest, anydml, identity

IN_PLACE = MODELS / "element_wise_clip.json"
TIMING = re.compile(
    r"Dispatch 'op': (\d+) iterations, (\d+\.\d{4}) ms median, (\d+\.\d{4}) ms min, "
    r"(\d+\.\d{4}) ms max, (\d+\.\d{2}) GB/s, (\d+\.\d{2}) x a copy of the same bytes")


def on_terminal(*arguments):
    """What the command writes to standard error when that is a terminal."""
    reader, writer = pty.openpty()
    process = subprocess.Popen([COMMAND, *map(str, arguments)], stdout=subprocess.DEVNULL,
                               stderr=writer)
    os.close(writer)
    text = b""
    while True:
        try:
            piece = os.read(reader, 4096)
        except OSError:         # how a terminal says that its other side is gone
            break
        if not piece:
            break
        text += piece
    os.close(reader)
    return text.decode(), process.wait()


class Iterations(CommandTest):
    def test_timing_line_then_the_same_results(self):
        for name in ("element_wise_clip", "max_pooling_grad", "activation_relu_grad"):
            with self.subTest(name):
                result = anydml("run", MODELS / f"{name}.json", "--iterations", 7)
                self.assertEqual((result.stderr, result.returncode), ("", 0))
                timing, rest = result.stdout.split("\n", 1)
                numbers = TIMING.fullmatch(timing)
                self.assertIsNotNone(numbers, timing)
                self.assertEqual(numbers[1], "7")
                median, least, most = (float(numbers[i]) for i in (2, 3, 4))
                self.assertLessEqual(least, median)
                self.assertLessEqual(median, most)
                self.assertEqual(rest, (MODELS / f"{name}.expected").read_text())

    def test_repetitions_in_place_do_not_accumulate(self):
        # x * 2 + 1 on one buffer: repeated on its own result it would grow.
        model = identity()
        model["dispatchables"]["op"]["desc"]["ScaleBias"] = {"Scale": 2, "Bias": 1}
        model["commands"][0]["bindings"]["OutputTensor"] = "input"
        model["commands"][1]["resource"] = "input"
        result = self.run_model(model, "--iterations", 5)
        self.assertEqual(result.stdout.splitlines()[1:], ["Resource 'input': 3, 5, 7, 9"])

    def test_zero_iterations_are_a_usage_error(self):
        result = anydml("run", IN_PLACE, "--iterations", 0)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--iterations", result.stderr)


class ProgressBar(CommandTest):
    def test_is_drawn_on_a_terminal_and_wiped_at_the_end(self):
        text, code = on_terminal("run", IN_PLACE, "--iterations", 50)
        self.assertEqual(code, 0)
        self.assertIn("[#########################] 100 %", text)
        self.assertRegex(text, r"\r {40}\r$")

    def test_is_not_drawn_without_iterations(self):
        self.assertEqual(on_terminal("run", IN_PLACE), ("", 0))

    def test_is_not_drawn_into_a_pipe(self):
        self.assertEqual(anydml("run", IN_PLACE, "--iterations", 50).stderr, "")


class Tables(CommandTest):
    def test_shows_the_tensors_of_the_page_side_by_side(self):
        self.assert_prints(anydml("run", MODELS / "max_pooling_grad.json", "--tables"), """\
MAX_POOLING_GRAD: Strides {1, 1}, WindowSize {2, 2}, StartPadding {0, 0}, EndPadding {0, 0}, \
Dilations {1, 1}
  InputTensor    InputGradientTensor    OutputGradientTensor
  1  2  3        1  2                   0  0  0
  2  4  2        4  5                   0  3  0
  5  6  7                               0  4  5

Resource 'outputGradient': 0, 0, 0, 0, 3, 0, 0, 4, 5
""")

    def test_in_place_shows_the_input_as_it_was(self):
        lines = anydml("run", IN_PLACE, "--tables").stdout.splitlines()
        self.assertEqual([line.split() for line in lines[2:7]],
                         [["-2", "-1"], ["-1", "-1"], ["0", "0"], ["1", "1"], ["2", "1"]])

    def test_follows_strides(self):
        # Columns first: the tensor's rows are 1 3 and 2 4.
        model = identity()
        model["dispatchables"]["op"]["desc"]["InputTensor"] = {
            "DataType": "FLOAT32", "Sizes": [2, 2], "Strides": [1, 2]}
        model["dispatchables"]["op"]["desc"]["OutputTensor"]["Sizes"] = [2, 2]
        lines = self.run_model(model, "--tables").stdout.splitlines()
        self.assertEqual([line.split() for line in lines[2:4]],
                         [["1", "3", "1", "3"], ["2", "4", "2", "4"]])
        self.assertEqual(lines[-1], "Resource 'output': 1, 3, 2, 4")

    def test_large_tensors_are_cut_and_say_so(self):
        lines = self.run_model(identity(range(100)), "--tables").stdout.splitlines()
        self.assertIn("InputTensor (16x1 of 100x1)", lines[1])
        self.assertEqual(lines[18], "")


class Options(CommandTest):
    def test_absent_devices_are_told_with_those_that_are_there(self):
        for device in ("cuda:99", "gpu"):
            with self.subTest(device):
                result = anydml("run", IN_PLACE, f"--device={device}")
                self.assert_fails(result, f"there is no device '{device}' here")
                self.assertIn("; there is: cpu", result.stderr)

    def test_the_cpu_can_be_named(self):
        self.assert_prints(anydml("run", IN_PLACE, "--device", "cpu"),
                           IN_PLACE.with_suffix(".expected").read_text())

    def test_numbers_of_threads_beyond_sense_are_usage_errors(self):
        for threads in ("0", "-1", "1025", "many", "99999999999999999999"):
            with self.subTest(threads):
                result = anydml("run", IN_PLACE, f"--threads={threads}")
                self.assertEqual(result.returncode, 2)
                self.assertIn("--threads", result.stderr)

    def test_levels_are_read_with_a_dot_or_an_underscore(self):
        for level in ("6.4", "6_4"):
            self.assertEqual(anydml("run", IN_PLACE, "--feature-level", level).returncode, 0)

    def test_a_level_that_never_was_is_a_usage_error(self):
        result = anydml("run", IN_PLACE, "--feature-level", "9.9")
        self.assertEqual(result.returncode, 2)
        self.assertIn("'9.9' is not a feature level; these are: 1_0, ", result.stderr)


class StandardInput(CommandTest):
    """A model named "-"."""

    def test_gives_what_the_file_gives(self):
        path = MODELS / "max_pooling_grad.json"
        for command in ("run", "explain", "draw"):
            with self.subTest(command):
                self.assert_prints(anydml(command, "-", input=path.read_text()),
                                   anydml(command, path).stdout)
        self.assert_prints(anydml("check", "-", input=path.read_text()),
                           "standard input: valid at feature level 6_4 (needs 3_0 or above)\n")
        with open(path) as model:
            self.assert_prints(anydml("run", "-", stdin=model),
                               path.with_suffix(".expected").read_text())

    def test_seeks_files_in_the_current_folder_or_the_input_path(self):
        (self.folder / "in.dat").write_bytes(struct.pack("<4f", 1, 2, 3, 4))
        model = json.dumps(identity(initialValues={"sourcePath": "in.dat"}))
        for options in ({"cwd": self.folder}, {"cwd": "/"}):
            arguments = [] if options["cwd"] != "/" else ["--input-path", self.folder]
            self.assert_prints(anydml("run", "-", *arguments, input=model, **options),
                               "Resource 'output': 1, 2, 3, 4\n")
        self.assert_fails(anydml("run", "-", input=model, cwd="/"), "does not exist")

    def test_is_named_in_sentences(self):
        for command in ("run", "check", "explain", "draw"):
            with self.subTest(command):
                self.assert_fails(anydml(command, "-", input="{]"),
                                  "standard input: line 1, column 2: ")

    def test_that_cannot_be_read_is_told(self):
        self.assert_fails(anydml("run", "-", stdin=subprocess.DEVNULL),
                          "standard input: line 1, column 1: syntax error while parsing value - "
                          "unexpected end of input")
        folder = os.open(self.folder, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        self.assert_fails(anydml("run", "-", stdin=folder),
                          "standard input: cannot be read: Is a directory")
        self.assertEqual(anydml("run", "-", preexec_fn=lambda: os.close(0)).returncode, 1)

    def test_a_file_of_that_name_has_a_path(self):
        (self.folder / "-").write_text(IN_PLACE.read_text())
        self.assert_prints(anydml("run", "./-", cwd=self.folder),
                           IN_PLACE.with_suffix(".expected").read_text())


class OwnedTensors(CommandTest):
    def owned(self):
        """The input is bound when the operator is made, not when it is dispatched."""
        model = identity()
        op = model["dispatchables"]["op"]
        op["desc"]["InputTensor"]["Flags"] = "OWNED_BY_DML"
        op["bindings"] = {"InputTensor": "input"}
        del model["commands"][0]["bindings"]["InputTensor"]
        return model

    def test_are_copied_before_the_first_command(self):
        model = self.owned()
        # The first dispatch overwrites `input`; the second still sees what was there before.
        other = identity()["dispatchables"]["op"]
        other["desc"]["ScaleBias"] = {"Scale": 10, "Bias": 0}
        model["dispatchables"]["other"] = other
        model["commands"].insert(0, {"type": "dispatch", "dispatchable": "other", "bindings": {
            "InputTensor": "input", "OutputTensor": "input"}})
        model["commands"].append({"type": "print", "resource": "input"})
        self.assert_prints(self.run_model(model), "Resource 'output': 1, 2, 3, 4\n"
                                                  "Resource 'input': 10, 20, 30, 40\n")

    def test_bound_at_the_wrong_time_are_refused(self):
        model = self.owned()
        model["commands"][0]["bindings"]["InputTensor"] = "input"
        self.assert_refuses(model, "commands[0].bindings.InputTensor: must be bound in the "
                                   "dispatchable, since its Flags are OWNED_BY_DML")

    def test_not_bound_at_all_are_refused(self):
        model = self.owned()
        del model["dispatchables"]["op"]["bindings"]
        self.assert_refuses(model, "dispatchables.op.bindings: InputTensor is required")


if __name__ == "__main__":
    unittest.main()
