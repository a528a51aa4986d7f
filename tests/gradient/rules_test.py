# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The rule of every operator in float64: models with gradients as the library writes them, evaluated
by NumPy (definitions.py) and compared with central differences of the same evaluation. Numbers in a
model are float32, so constants such as 2 / sqrt(pi) are off by up to 2^-25 of their value.

The environment names the program that prints the models: ANYDML_WRITE_CHECKS.
"""
import json
import os
import subprocess
import unittest

import numpy as np

import definitions

STEP = 1e-5
TOLERANCE = 1e-7    # of the largest derivative
ROUNDING = {"FLOAT32": 1e-4, "FLOAT16": 1e-3}    # of the library's own results beside these


def written_checks():
    printed = subprocess.run([os.environ["ANYDML_WRITE_CHECKS"]], stdout=subprocess.PIPE,
                             check=True).stdout
    return json.loads(printed)


class Check:
    def __init__(self, check):
        self.of, self.model = check["of"], check["model"]
        self.results = ["loss", *("d." + name for name in self.of)]
        self.found = [np.array(numbers) for numbers in check["found"]]
        self.dispatches = [c for c in self.model["commands"] if c["type"] == "dispatch"]
        writers = [i for i, c in enumerate(self.dispatches) if "loss" in c["bindings"].values()]
        self.forward = self.dispatches[:writers[0] + 1]
        self.memory = {name: definitions.memory_of(resource)
                       for name, resource in self.model["resources"].items()}

    def evaluate(self):
        """Loss and gradients."""
        definitions.run(self.model, self.memory, self.dispatches)
        return [self.memory[name].copy() for name in self.results]

    def difference(self, elements, i):
        middle, losses = elements[i], []
        for moved in (middle + STEP, middle - STEP):
            elements[i] = moved
            definitions.run(self.model, self.memory, self.forward)
            losses.append(self.memory["loss"][0])
        elements[i] = middle
        return (losses[0] - losses[1]) / (2 * STEP)


class RulesInFloat64(unittest.TestCase):
    def test_gradients_are_the_limits_of_differences(self):
        for number, written in enumerate(written_checks()):
            types = {d["type"] for d in written["model"]["dispatchables"].values()}
            with self.subTest(f"{written['operator']}, seed {number + 1}"):
                name = written["operator"]
                self.assertIn("SCATTER" if name == "SCATTER_ELEMENTS" else name, types)
                missing = types - definitions.DEFINITIONS.keys()
                if missing:
                    self.skipTest(f"definitions.py does not define {', '.join(sorted(missing))}")
                self.compare(Check(written))

    def compare(self, check):
        results = check.evaluate()
        for name, result, found in zip(check.results, results, check.found):
            rounding = ROUNDING[check.model["resources"][name]["initialValuesDataType"]]
            self.assertLess(np.abs(result - found).max(),
                            rounding * max(1, np.abs(result).max()), name)
        for name, gradient in zip(check.of, results[1:]):
            elements = check.memory[name]
            expected = np.array([check.difference(elements, i) for i in range(elements.size)])
            self.assertLess(np.abs(gradient - expected).max(),
                            TOLERANCE * max(1, np.abs(expected).max()), name)


if __name__ == "__main__":
    unittest.main(verbosity=2)  # tells what is skipped
