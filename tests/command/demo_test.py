# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""`make demo` fails if a sum differs or a training ends badly. A stand-in trains."""
import hashlib
import os
import subprocess
import unittest

from command import COMMAND, MODELS, SOURCE, CommandTest

STAND_IN = """#!/bin/sh
case "$*" in *--save*) mkdir -p "${4}" && printf weights >"${4}/weights.bin" ;; esac
sum=cafe
case "$WHAT $ANYDML_INSTRUCTION_SET $*" in
  *--save*) ;;
  "a thread crashes"*--threads*) kill -SEGV $$ ;;
  "AVX2 crashes AVX2"*) kill -ILL $$ ;;
  "AVX2 lacks AVX2"*)
    echo "train_lenet: ANYDML_INSTRUCTION_SET=AVX2 is none of this processor's instruction sets" >&2
    exit 1 ;;
  "SSE4 differs SSE4"*) sum=beef ;;
  "all differ"*) sum=beef ;;
  "all crash"*) kill -SEGV $$ ;;
esac
echo "sha256 of the weights: $sum"
"""


class Demo(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "train").write_text(STAND_IN)
        (self.folder / "train").chmod(0o755)
        (self.folder / "data").mkdir()
        (self.folder / "models").mkdir()
        for model in MODELS.glob("*.json"):
            (self.folder / "models" / model.name).symlink_to(model)
        self.expect(hashlib.sha256(b"weights").hexdigest())

    def expect(self, epoch):
        (self.folder / "models/train_lenet.expected").write_text(
            f"60 steps: cafe\n937 steps: {epoch}\n")

    def demo(self, what):
        return subprocess.run(
            ["sh", SOURCE / "tools/demo.sh", COMMAND, "models", "./train", "data"],
            cwd=self.folder, env={**os.environ, "WHAT": what}, text=True, capture_output=True,
            check=False)

    def test_equal_sums(self):
        for what in ("all is well", "AVX2 lacks"):
            result = self.demo(what)
            self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
            self.assertEqual("this processor does not have it" in result.stdout,
                             what == "AVX2 lacks")

    def test_sums_that_differ(self):
        for what in ("SSE4 differs", "all differ"):
            result = self.demo(what)
            self.assertEqual(result.returncode, 1, what)
            self.assertIn("THE SUMS DIFFER", result.stderr)
        self.expect("cafe")
        self.assertIn("THE SUMS DIFFER", self.demo("all is well").stderr)

    def test_trainings_that_end_badly(self):
        for what in ("a thread crashes", "AVX2 crashes", "all crash"):
            self.assertEqual(self.demo(what).returncode, 1, what)


if __name__ == "__main__":
    unittest.main()
