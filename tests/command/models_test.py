# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The models that come with the project do what the files beside them say."""
import json
import re
import unittest

from command import MODELS, CommandTest, anydml

# Where Microsoft's pages give an example: the level from which its description is valid. The one
# of SLICE_GRAD has two dimensions, which came with 3.1.
PAGE_EXAMPLES = {
    "activation_relu_grad": "3_0",
    "element_wise_clip_grad1": "5_0",
    "max_pooling_grad": "3_0",
    "resample_grad1": "5_1",
    "slice_grad": "3_1",
}
LEVELS = ["1_0", "2_0", "2_1", "3_0", "3_1", "4_0", "4_1", "5_0", "5_1", "5_2", "6_0", "6_1",
          "6_2", "6_3", "6_4"]
BLOCK = re.compile(r"```(json|text)\n(.*?)```", re.DOTALL)


class Models(CommandTest):
    def test_every_model_prints_its_expected_output(self):
        models = sorted(MODELS.glob("*.json"))
        self.assertGreaterEqual(len(models), 21)
        for model in models:
            with self.subTest(model.name):
                self.assert_prints(anydml("run", model, "--output-path", self.folder),
                                   model.with_suffix(".expected").read_text())

    def test_every_model_prints_the_same_on_any_number_of_threads(self):
        for model in sorted(MODELS.glob("*.json")):
            for threads in (1, 3):
                with self.subTest(f"{model.name} on {threads}"):
                    self.assert_prints(
                        anydml("run", model, "--threads", threads, "--output-path", self.folder),
                        model.with_suffix(".expected").read_text())

    def test_every_operator_has_a_model(self):
        operators = {op["name"].lower() for op in json.loads(anydml("ops", "--json").stdout)}
        self.assertLessEqual(operators, {model.stem for model in MODELS.glob("*.json")})

    def test_every_model_can_be_explained(self):
        for model in sorted(MODELS.glob("*.json")):
            with self.subTest(model.name):
                result = anydml("explain", model)
                self.assertEqual((result.stderr, result.returncode), ("", 0))
                self.assertIn(": chosen, ", result.stdout)


class PageExamples(CommandTest):
    def test_check_tells_the_level_from_which_each_is_valid(self):
        for name, lowest in PAGE_EXAMPLES.items():
            for level in LEVELS:
                with self.subTest(f"{name} at {level}"):
                    self.check(MODELS / f"{name}.json", level, lowest)

    def check(self, path, level, lowest):
        result = anydml("check", path, "--feature-level", level.replace("_", "."))
        if LEVELS.index(level) >= LEVELS.index(lowest):
            self.assert_prints(
                result, f"{path}: valid at feature level {level} (needs {lowest} or above)\n")
        else:
            self.assertEqual((result.stdout, result.returncode), ("", 1))
            last = result.stderr.splitlines()[-1]
            self.assertEqual(last, f"anydml: {path}: valid from feature level {lowest} on")

    def test_run_refuses_the_level_below_in_a_sentence(self):
        for name, lowest in PAGE_EXAMPLES.items():
            below = LEVELS[LEVELS.index(lowest) - 1]
            with self.subTest(name):
                result = anydml("run", MODELS / f"{name}.json", "--feature-level", below)
                self.assert_fails(result, f"needs feature level {lowest} or above; "
                                          f"this device has {below}")
                self.assertEqual(result.stdout, "")


class Page(CommandTest):
    """Models in docs/models.md are whole, and each is followed by what it prints."""

    def test_every_model_of_the_page_prints_the_text_below_it(self):
        blocks = BLOCK.findall((MODELS.parent / "docs/models.md").read_text())
        models = [(text, blocks[i + 1:i + 2]) for i, (kind, text) in enumerate(blocks)
                  if kind == "json" and '"commands"' in text]
        self.assertGreaterEqual(len(models), 4)
        for i, (model, following) in enumerate(models):
            with self.subTest(f"model {i}"):
                self.assertEqual([kind for kind, _ in following], ["text"])
                self.assert_prints(self.run_model(model, "--output-path", self.folder),
                                   following[0][1])


if __name__ == "__main__":
    unittest.main()
