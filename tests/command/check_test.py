# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""`anydml check`: every problem, each in one sentence, and the level that would do."""
import unittest

from command import MODELS, CommandTest, anydml, identity, writing


class Check(CommandTest):
    def test_every_problem_is_told_and_then_the_level(self):
        # UINT64 came with 4.1 for both tensors of IDENTITY, and eight dimensions with 3.0.
        model = identity(range(4), initialValuesDataType="UINT64")
        for tensor in model["dispatchables"]["op"]["desc"].values():
            tensor.update(DataType="UINT64", Sizes=[1, 1, 1, 1, 1, 1, 1, 4])
        model["resources"]["output"]["initialValuesDataType"] = "UINT64"
        path = self.save(model)
        result = anydml("check", path, "--feature-level", "2.0")
        has = "or above; this device has 2_0"
        self.assert_fails(result, f"InputTensor.DataType = UINT64 needs feature level 4_1 {has}",
                          f"InputTensor.DimensionCount = 8 needs feature level 3_0 {has}",
                          f"OutputTensor.DataType = UINT64 needs feature level 4_1 {has}",
                          f"OutputTensor.DimensionCount = 8 needs feature level 3_0 {has}",
                          f"{path}: valid from feature level 4_1 on")
        self.assertEqual(result.stdout, "")

    def test_names_of_two_lines_are_told_in_one(self):
        model = identity()
        model["dispatchables"]["a\n\x1b[2Jb"] = {"type": "ELEMENT_WISE_IDENTITY", "desc": {
            "InputTensor": {"DataType": "FLOAT32", "Sizes": [4]},
            "OutputTensor": {"DataType": "FLOAT16", "Sizes": [4]}}}
        result = anydml("check", self.save(model))
        self.assert_fails(result, "dispatchables.a\\x0a\\x1b[2Jb: ", "valid at no feature level")

    def test_problems_of_every_dispatchable_are_told_by_name(self):
        model = identity()
        model["dispatchables"]["op"]["desc"]["OutputTensor"]["Sizes"] = [1]
        model["dispatchables"]["second"] = {"type": "ELEMENT_WISE_IDENTITY", "desc": {
            "InputTensor": {"DataType": "FLOAT32", "Sizes": [4]},
            "OutputTensor": {"DataType": "FLOAT16", "Sizes": [4]}}}
        path = self.save(model)
        self.assert_fails(anydml("check", path), "dispatchables.op: ELEMENT_WISE_IDENTITY: ",
                          "dispatchables.second: ELEMENT_WISE_IDENTITY: ",
                          "valid at no feature level")

    def test_problems_of_reading_and_of_levels_come_together(self):
        model = identity()
        model["dispatchables"]["late"] = {"type": "ELEMENT_WISE_CLIP1", "desc": {
            "InputTensor": {"DataType": "FLOAT32", "Sizes": [4]},
            "OutputTensor": {"DataType": "FLOAT32", "Sizes": [4]},
            "MinMaxDataType": "FLOAT32", "Min": 0, "Max": 1}}
        model["commands"][1]["resource"] = "nothing"
        path = self.save(model)
        self.assert_fails(anydml("check", path, "--feature-level", "4.1"),
                          'commands[1].resource = "nothing" is no resource of this model',
                          "dispatchables.late: ELEMENT_WISE_CLIP1: this operator needs feature "
                          "level 5_0 or above; this device has 4_1",
                          "valid at no feature level")

    def test_what_is_not_implemented_is_told(self):
        text = (MODELS / "resample3.json").read_text()
        changed = text.replace('"Antialiased": false', '"Antialiased": true')
        self.assertNotEqual(changed, text)
        self.assert_refuses(changed, "RESAMPLE3: Antialiased = TRUE must be FALSE: antialiasing is "
                                     "not implemented")

    def test_nothing_is_run_and_nothing_is_written(self):
        path = self.save(writing("out.npy"))
        result = anydml("check", path, cwd=self.folder)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertNotIn("Resource", result.stdout)
        self.assertEqual(self.names(), ["model.json"])

    def test_warns_of_resources_that_were_declared_of_another_type(self):
        """The bits of {1, 2} as INT32 are those of denormal floats; nobody means that."""
        model = identity((1, 2))
        model["resources"]["input"]["initialValuesDataType"] = "INT32"
        path = self.save(model)
        warning = (f"anydml: {path}: warning: commands[0].bindings.InputTensor: \"input\" is declared "
                   "INT32 and the tensor is FLOAT32: its bits are taken as they are\n")
        for command in ("check", "explain", "draw", "run"):
            result = anydml(command, path)
            self.assertEqual((result.stderr, result.returncode), (warning, 0))
        self.assertEqual(result.stdout, f"Resource 'output': {2**-149:.6g}, {2**-148:.6g}\n")

    def test_warns_of_owned_tensors_too(self):
        model = identity()
        model["resources"]["input"]["initialValuesDataType"] = "UINT32"
        op = model["dispatchables"]["op"]
        op["desc"]["InputTensor"]["Flags"] = "OWNED_BY_DML"
        op["bindings"] = {"InputTensor": "input"}
        del model["commands"][0]["bindings"]["InputTensor"]
        result = anydml("check", self.save(model))
        self.assertIn('warning: dispatchables.op.bindings.InputTensor: "input" is declared UINT32 '
                      "and the tensor is FLOAT32", result.stderr)
        self.assertEqual(result.returncode, 0)

    def test_values_of_several_types_have_none_to_warn_of(self):
        model = identity()
        model["resources"]["input"] = {"initialValues": [{"type": "FLOAT32", "value": i}
                                                         for i in range(4)]}
        result = anydml("check", self.save(model))
        self.assertEqual((result.stderr, result.returncode), ("", 0))

    def test_warnings_have_an_end(self):
        model = identity()
        model["resources"]["input"]["initialValuesDataType"] = "INT32"
        model["commands"] = model["commands"][:1] * 1000
        result = anydml("check", self.save(model))
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stderr.count("\n"), 101)
        self.assertIn("there are more warnings than these", result.stderr)

    def test_the_newest_level_is_meant_unless_told_otherwise(self):
        path = MODELS / "resample3.json"
        self.assert_prints(anydml("check", path),
                           f"{path}: valid at feature level 6_4 (needs 6_4 or above)\n")


class Explain(CommandTest):
    def test_tells_description_plan_and_strategies(self):
        text = anydml("explain", MODELS / "max_pooling_grad.json").stdout
        self.assertTrue(text.startswith(
            "op: MAX_POOLING_GRAD (value 131, since feature level 3_0)\n"
            "  InputTensor            FLOAT32 {1, 1, 3, 3}, packed, 36 bytes\n"), text)
        self.assertIn("\n  WindowSize             {2, 2}\n", text)
        self.assertRegex(text, r"\nplan\n  \S")
        self.assertRegex(text, r"\nstrategies\n  cpu  \w+: ")

    def test_strategies_that_refuse_say_why_and_the_last_takes_all(self):
        model = identity()
        model["dispatchables"]["op"]["desc"]["InputTensor"] = {
            "DataType": "FLOAT32", "Sizes": [2, 2], "Strides": [1, 2]}
        model["dispatchables"]["op"]["desc"]["OutputTensor"]["Sizes"] = [2, 2]
        text = anydml("explain", self.save(model)).stdout
        self.assertIn("FLOAT32 {2, 2}, strides {1, 2}, 16 bytes\n", text)
        strategies = text.split("\nstrategies\n")[1].splitlines()
        strategies = [line for line in strategies if line.startswith("  cpu ")]
        self.assertRegex(strategies[0], r"^  cpu  packed_rows: refused, \S")
        chosen = [i for i, line in enumerate(strategies) if ": chosen, " in line]
        self.assertEqual(len(chosen), 1)
        for line in strategies[:chosen[0]]:
            self.assertRegex(line, r"^  cpu  \w+: refused, \S")
        self.assertRegex(strategies[chosen[0]], r"^  cpu  \w+: chosen, \d+ temporary bytes$")
        self.assertRegex(strategies[-1], r"^  cpu  strided: (chosen, .*|not needed)$")

    def test_absent_and_owned_tensors_are_told(self):
        model = identity()
        op = model["dispatchables"]["op"]
        op["desc"]["InputTensor"]["Flags"] = "OWNED_BY_DML"
        op["bindings"] = {"InputTensor": "input"}
        del model["commands"][0]["bindings"]["InputTensor"]
        self.assertIn("packed, owned, 16 bytes", anydml("explain", self.save(model)).stdout)
        text = (MODELS / "max_pooling1.json").read_text()
        text = text.replace('"OutputIndicesTensor": { "DataType": "UINT32", "Sizes": [1, 1, 2, 2] },',
                            "").replace(', "OutputIndicesTensor": "indices"', "")
        self.assertRegex(anydml("explain", self.save(text)).stdout, "OutputIndicesTensor +absent")

    def test_what_is_not_valid_is_not_explained(self):
        result = anydml("explain", MODELS / "slice_grad.json", "--feature-level", "3.0")
        self.assert_fails(result, "SLICE_GRAD: InputGradientTensor.DimensionCount = 2 needs feature "
                                  "level 3_1 or above; this device has 3_0")
        self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    unittest.main()
