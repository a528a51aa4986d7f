# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""tools/anydml/anydml.1 says what the command's own help says."""
import re
import shutil
import subprocess
import unittest

from command import COMMANDS, MODELS, SOURCE, CommandTest, anydml

PAGE = SOURCE / "tools/anydml/anydml.1"


def plain(text):
    return text.replace(r"\-", "-")


def paragraphs():
    """{command: its paragraph}."""
    text = plain(PAGE.read_text()).split(".SH COMMANDS\n")[1].split("\n.SH ")[0]
    found = re.findall(r"^\.TP\n\.BI? (\w+)(.*?)(?=^\.TP|\Z)", text, re.MULTILINE | re.DOTALL)
    return {name: words for name, words in found}


class Manual(CommandTest):
    def test_has_every_command_in_its_order(self):
        self.assertEqual(tuple(paragraphs()), COMMANDS)

    def test_has_the_options_of_every_command_and_no_others(self):
        for command, words in paragraphs().items():
            with self.subTest(command):
                options = set(re.findall(r"^ .*?(--[a-z-]+)", anydml(command, "--help").stdout,
                                         re.MULTILINE)) - {"--help"}
                self.assertTrue(options or command == "devices")
                self.assertEqual(set(re.findall(r"--[a-z-]+", words)), options)

    def test_its_examples_work(self):
        examples = plain(PAGE.read_text()).split(".nf\n")[1].split(".fi")[0].splitlines()
        self.assertEqual(len(examples), 3)
        for example in examples:
            words = example.replace("/usr/share/anydml/models", str(MODELS)).split()[1:]
            self.assertEqual(anydml(*words).returncode, 0, example)

    @unittest.skipIf(shutil.which("groff") is None, "groff is not here")
    def test_is_a_page_without_faults(self):
        result = subprocess.run(["groff", "-man", "-Tascii", "-ww", PAGE], text=True,
                                capture_output=True, check=True)
        self.assertEqual(result.stderr, "")
        self.assertIn("anydml ops MAX_POOLING_GRAD", result.stdout)


if __name__ == "__main__":
    unittest.main()
