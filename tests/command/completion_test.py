# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""tools/anydml/completion.bash, as bash calls it."""
import json
import shutil
import subprocess
import unittest

from command import COMMAND, MODELS, SOURCE, CommandTest, anydml

SCRIPT = SOURCE / "tools/anydml/completion.bash"
COMPLETE = """
source "$1"; shift
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_anydml
printf '%s\\n' "${COMPREPLY[@]}"
"""


@unittest.skipIf(shutil.which("bash") is None, "bash is not here")
class Completion(CommandTest):
    def complete(self, *words):
        """What bash would offer after `anydml WORDS`, the last of which is being typed."""
        result = subprocess.run(["bash", "-c", COMPLETE, "bash", SCRIPT, COMMAND, *words],
                                cwd=self.folder, text=True, capture_output=True, check=True)
        self.assertEqual(result.stderr, "")
        return result.stdout.split()

    def test_is_registered_for_the_command(self):
        result = subprocess.run(["bash", "-c", 'source "$1"; complete -p anydml', "bash", SCRIPT],
                                text=True, capture_output=True, check=True)
        self.assertEqual(result.stdout, "complete -F _anydml anydml\n")

    def test_commands(self):
        self.assertEqual(self.complete(""), ["run", "check", "explain", "draw", "grad",
                                            "train", "verify", "ops", "devices", "bench"])
        self.assertEqual(self.complete("ch"), ["check"])
        self.assertEqual(self.complete("x"), [])

    def test_options_of_the_command_itself(self):
        self.assertEqual(self.complete("--"), ["--help", "--version"])

    def test_options_of_each_command(self):
        self.assertEqual(self.complete("run", "--"), [
            "--help", "--input-path", "--device", "--threads", "--feature-level", "--output-path",
            "--iterations", "--tables"])
        self.assertEqual(self.complete("check", "m.json", "--f"), ["--feature-level"])
        self.assertEqual(self.complete("draw", "--"), [
            "--help", "--input-path", "--output", "--taps", "--feature-level"])
        self.assertEqual(self.complete("grad", "--"), [
            "--help", "--input-path", "--loss", "--of", "--output", "--update", "--for",
            "--feature-level"])
        self.assertEqual(self.complete("grad", "--for", ""), ["directml"])
        self.assertEqual(self.complete("train", "--"), [
            "--help", "--input-path", "--feed", "--steps", "--device", "--threads", "--seed",
            "--init", "--from", "--save", "--every", "--log"])
        self.assertEqual(self.complete("verify", "--"), [
            "--help", "--step", "--device", "--threads"])
        self.assertEqual(self.complete("ops", "--"), ["--help", "--json", "--markdown"])
        self.assertEqual(self.complete("bench", "--"), [
            "--help", "--filter", "--threads", "--device", "--batch", "--type", "--json", "--all",
            "--warm", "--list", "--strategy", "--seconds", "--random", "--seed", "--passes"])

    def test_operators(self):
        self.assertEqual(self.complete("ops", "SL"), ["SLICE", "SLICE1", "SLICE_GRAD"])
        listed = json.loads(anydml("ops", "--json").stdout)
        self.assertEqual(self.complete("ops", ""), [operator["name"] for operator in listed])

    def test_models_are_files_that_end_in_json_and_folders(self):
        for name in ("a.json", "b.npy", "c.json"):
            (self.folder / name).touch()
        (self.folder / "sub").mkdir()
        for command in ("run", "check", "explain", "draw"):
            self.assertEqual(self.complete(command, ""), ["a.json", "c.json", "sub"])
        self.assertEqual(self.complete("run", "--tables", "a"), ["a.json"])
        self.assertEqual(self.complete("run", f"{MODELS}/slice_g"), [f"{MODELS}/slice_grad.json"])

    def test_a_model_may_come_from_standard_input(self):
        for command in ("run", "check", "explain", "draw"):
            self.assertIn("-", self.complete(command, "-"))
            self.assertNotIn("-", self.complete(command, "--"))
        self.assertNotIn("-", self.complete("ops", "-"))

    def test_values_of_options(self):
        (self.folder / "sub").mkdir()
        (self.folder / "sub.json").touch()
        self.assertEqual(self.complete("run", "--device", "c")[0], "cpu")
        self.assertEqual(self.complete("run", "--device", "=", "c")[0], "cpu")
        self.assertEqual(self.complete("run", "--device", "n"), [])  # of a sentence below the list
        self.assertEqual(self.complete("check", "--feature-level", "3"), ["3.0", "3.1"])
        self.assertEqual(self.complete("check", "--feature-level", "=")[:2], ["1.0", "2.0"])
        self.assertEqual(self.complete("run", "--output-path", ""), ["sub"])
        self.assertEqual(self.complete("run", "--threads", ""), [])
        self.assertEqual(self.complete("bench", "--type", "FLOAT3"), ["FLOAT32"])
        self.assertEqual(self.complete("bench", "--json", "sub."), ["sub.json"])
        self.assertEqual(self.complete("train", "--log", "sub."), ["sub.json"])
        self.assertEqual(self.complete("train", "--save", ""), ["sub"])
        self.assertEqual(self.complete("verify", "sub."), ["sub.json"])
        self.assertEqual(self.complete("draw", "-o", "sub."), ["sub.json"])
        self.assertEqual(self.complete("bench", "--filter", ""), [])

    def test_offers_every_level_that_the_command_knows(self):
        result = anydml("check", "model.json", "--feature-level", "?")
        known = result.stderr.splitlines()[0].split("these are: ")[1].replace("_", ".").split(", ")
        self.assertEqual(self.complete("check", "--feature-level", ""), known)


if __name__ == "__main__":
    unittest.main()
