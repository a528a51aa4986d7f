# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The command line itself: help, version, wrong usage, and streams that are closed or full."""
import os
import re
import signal
import subprocess
import unittest

from command import COMMAND, COMMANDS, MODELS, CommandTest, anydml, writing

MODEL = MODELS / "activation_relu_grad.json"
# Everything that prints to standard output.
PRINTING = (["--help"], ["--version"], ["ops"], ["ops", "--json"], ["ops", "SLICE", "--markdown"],
            ["devices"], ["bench", "--list"], ["run", MODEL], ["run", "--help"], ["check", MODEL],
            ["explain", MODEL], ["draw", MODEL])


class Help(CommandTest):
    def examples(self, *command):
        result = anydml(*command, "--help")
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        examples = re.findall(r"^  (anydml .*)$", result.stdout.split("\nExample")[1], re.MULTILINE)
        self.assertTrue(examples)
        return examples

    def test_names_every_command(self):
        text = anydml("--help").stdout
        for command in COMMANDS:
            self.assertRegex(text, rf"(?m)^  {command} +[A-Z]")

    def test_of_every_command_ends_with_examples_of_it(self):
        for command in COMMANDS:
            with self.subTest(command):
                for example in self.examples(command):
                    self.assertEqual(example.split()[1], command)

    def test_every_example_works_beside_the_models(self):
        (self.folder / "models").symlink_to(MODELS)
        for command in [[], *([command] for command in COMMANDS)]:
            for example in self.examples(*command):
                with self.subTest(example):
                    result = anydml(*example.split()[1:], cwd=self.folder)
                    level_is_the_point = "--feature-level" in example
                    self.assertIn(result.returncode, (0, 1) if level_is_the_point else (0,), result)
                    self.assertNotIn("does not exist", result.stderr)

    def test_version_is_one_line(self):
        result = anydml("--version")
        self.assertRegex(result.stdout, r"^anydml \d+\.\d+\.\d+\n$")
        self.assertEqual(result.returncode, 0)


class Usage(CommandTest):
    def refuse(self, sentence, *arguments):
        result = anydml(*arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        help_ = "'anydml --help' for the commands"
        if arguments and arguments[0] in COMMANDS:
            help_ = f"'anydml {arguments[0]} --help' for its options"
        self.assertEqual(result.stderr, f"anydml: {sentence}\nRun {help_}.\n")

    def test_no_command(self):
        self.refuse("A subcommand is required")

    def test_a_misspelt_command_gets_the_nearest_name(self):
        self.refuse("'chekc' is no command; did you mean check?", "chekc", MODEL)

    def test_no_model(self):
        for command in ("run", "check", "explain", "draw"):
            self.refuse("model is required", command)

    def test_two_models(self):
        self.refuse("The following argument was not expected: second.json", "run", MODEL,
                    "second.json")

    def test_an_unknown_option(self):
        self.refuse("The following argument was not expected: --colour", "ops", "--colour")

    def test_arguments_cannot_speak_to_the_terminal(self):
        for arguments in (["\x1b[31m\nx"], ["run", "m.json", "--bogus\x1b[31m"],
                          ["run", "m.json", "--iterations=\x1b[31m\n1"],
                          ["bench", "--seconds", "\x1b[31m"], ["bench", "--type", "\u202e"]):
            result = anydml(*arguments)
            self.assertEqual((result.stdout, result.returncode), ("", 2), arguments)
            self.assertEqual(result.stderr.count("\n"), 2, result.stderr)
            self.assertNotRegex(result.stderr, "[\x1b\u202e]")
            self.assertRegex(result.stderr, r"\\x1b\[31m|\\u202e")


class Streams(CommandTest):
    def test_a_full_standard_output_is_told_and_fails(self):
        for arguments in PRINTING:
            with self.subTest(arguments), open("/dev/full", "w") as full:
                self.assert_fails(anydml(*arguments, stdout=full),
                                  "standard output could not be written: No space left on device")

    def test_a_closed_standard_output_is_told_and_fails(self):
        for arguments in PRINTING:
            with self.subTest(arguments):
                result = anydml(*arguments, stdout=None, preexec_fn=lambda: os.close(1))
                self.assert_fails(result, "standard output could not be written: Bad file desc")

    def test_no_file_takes_the_place_of_a_closed_standard_output(self):
        result = self.run_model(writing("out.dat"), "--output-path", self.folder, stdout=None,
                                preexec_fn=lambda: os.close(1))
        self.assertEqual(result.returncode, 1)
        self.assertEqual((self.folder / "out.dat").stat().st_size, 16)

    def test_a_full_or_closed_standard_error_changes_no_exit_code(self):
        absent = self.folder / "absent.json"
        for arguments, code in ((["run", absent], 1), (["frobnicate"], 2),
                                (["run", MODEL, "--iterations", 3], 0)):
            with self.subTest(arguments), open("/dev/full", "w") as full:
                self.assertEqual(anydml(*arguments, stderr=full).returncode, code)
                result = anydml(*arguments, stderr=None, preexec_fn=lambda: os.close(2))
                self.assertEqual(result.returncode, code)

    def test_a_reader_that_goes_away_ends_the_command_quietly(self):
        result = subprocess.run(["bash", "-c", '"$1" ops | head -1', "bash", COMMAND], text=True,
                                capture_output=True, check=False)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertTrue(result.stdout.startswith("operator "))

    def read_by_nobody(self, **options):
        reader, writer = os.pipe()
        os.close(reader)
        try:
            return anydml("ops", "--json", stdout=writer, **options)
        finally:
            os.close(writer)

    def test_a_pipe_without_reader_ends_it_as_it_ends_other_programs(self):
        result = self.read_by_nobody()
        self.assertEqual((result.stderr, result.returncode), ("", -signal.SIGPIPE))

    def test_a_pipe_without_reader_is_told_where_the_signal_is_ignored(self):
        result = self.read_by_nobody(restore_signals=False)     # Python ignores it
        self.assert_fails(result, "standard output could not be written: Broken pipe")


if __name__ == "__main__":
    unittest.main()
