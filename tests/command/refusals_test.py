# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""What bad models get: one sentence on standard error that says where and what, and exit 1."""
import json
import re
import unittest

from command import MODELS, CommandTest, anydml, identity


class Text(CommandTest):
    def test_broken_json_is_told_by_line_and_column(self):
        self.assert_refuses('{\n  "resources": {},\n  "dispatchables": [}\n', "line 3, column 21: ")

    def test_a_text_that_ends_early_is_told_by_line_and_column(self):
        self.assert_refuses('{\n  "resources": {\n', "line 3, column 1: ")

    def test_an_empty_file_is_no_json(self):
        self.assert_refuses("", "line 1, column 1: ")

    def test_a_root_that_is_no_object_is_refused(self):
        self.assert_refuses("[]", "the root must be an object with resources, dispatchables and "
                                  "commands")

    def test_names_of_files_and_devices_cannot_speak_to_the_terminal(self):
        path = self.save(identity()).rename(self.folder / "a\x1b[31m\nb.json")
        result = anydml("check", path)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertIn("/a\\x1b[31m\\x0ab.json: valid at", result.stdout)
        result = anydml("run", path, "--device", "\x1b[31m\n")
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertIn("there is no device '\\x1b[31m\\x0a' here", result.stderr)

    def test_names_of_files_and_models_are_read_in_their_own_order(self):
        path = self.save(identity()).rename(self.folder / "a\u202egpj.json")
        result = anydml("check", path)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertIn("/a\\u202egpj.json: valid at", result.stdout)
        model = identity()
        model["commands"] = [{"type": "print", "resource": "\u2066x\u2069"}]
        self.assert_refuses(json.dumps(model), '= "\\u2066x\\u2069" is no resource')

    def test_names_that_look_the_same_are_told_apart(self):
        for unseen, shown in (("\ufeff", "\\ufeff"), ("\u200d", "\\u200d"), ("\xad", "\\xad"),
                              ("\U000e0041", "\\U000e0041")):
            model = identity()
            model["commands"][1]["resource"] = f"out{unseen}put"
            self.assert_refuses(model, f'= "out{shown}put" is no resource')

    def test_every_missing_part_is_told(self):
        self.assert_refuses("{}", "resources is required", "dispatchables is required",
                            "commands is required")

    def test_comments_and_trailing_commas_are_read(self):
        text = json.dumps(identity(), indent=1)
        text = text.replace('"resources": {', '"resources": { // buffers\n /* two\n of them */')
        text = text.replace("\n }", ",\n }").replace("\n}", ",\n}")
        self.assertIn(",\n }", text)
        self.assert_prints(self.run_model(text), "Resource 'output': 1, 2, 3, 4\n")

    def test_what_follows_the_root_object_is_told_by_line_and_column(self):
        rule = "only white space and comments may follow the root value"
        one = json.dumps(identity())
        self.assert_refuses(one + "x", f"line 1, column {len(one) + 1}: {rule}")
        self.assert_refuses(one + "\n" + one, f"line 2, column 1: {rule}")
        self.assert_refuses(one + "\n // and so on\n }", f"line 3, column 2: {rule}")

    def test_white_space_and_comments_may_follow_the_root_object(self):
        text = json.dumps(identity()) + " \r\n\t// the end\n/* of it\n */ // indeed"
        self.assert_prints(self.run_model(text), "Resource 'output': 1, 2, 3, 4\n")

    def test_text_in_another_encoding_is_told_as_such(self):
        """As Windows PowerShell writes it, and without the mark at its head."""
        path = self.folder / "model.json"
        for encoding, name in (("utf-16", "UTF-16"), ("utf-16-le", "UTF-16"), ("utf-16-be", "UTF-16"),
                               ("utf-32", "UTF-32"), ("utf-32-le", "UTF-32")):
            for command in ("run", "check", "explain", "draw"):
                with self.subTest((encoding, command)):
                    path.write_bytes(json.dumps(identity(), indent=1).encode(encoding))
                    self.assert_fails(anydml(command, path),
                                      f"line 1, column 1: the text is in {name} and must be in UTF-8")
        path.write_bytes(json.dumps(identity()).encode("utf-8-sig"))
        self.assert_prints(anydml("run", path), "Resource 'output': 1, 2, 3, 4\n")

    def test_unknown_members_of_the_root_are_ignored(self):
        self.assert_prints(self.run_model({"$schema": "x", "note": [1], **identity()}),
                           "Resource 'output': 1, 2, 3, 4\n")


class Paths(CommandTest):
    def test_a_model_that_is_not_there_is_told_by_every_command(self):
        for command in ("run", "check", "explain"):
            with self.subTest(command):
                result = anydml(command, self.folder / "absent.json")
                self.assert_fails(result, f"{self.folder}/absent.json: does not exist")

    def test_a_circle_of_links_is_told_as_such(self):
        (self.folder / "model.json").symlink_to("model.json")
        self.assert_fails(anydml("check", self.folder / "model.json"),
                          "/model.json: cannot be read: Too many levels of symbolic links")

    def test_a_folder_is_no_model(self):
        for command in ("run", "check", "explain"):
            with self.subTest(command):
                self.assert_fails(anydml(command, self.folder), f"{self.folder}: is no regular")


class Descriptions(CommandTest):
    def refuse(self, change, *sentences):
        model = identity()
        change(model["dispatchables"]["op"])
        self.assert_refuses(model, *sentences)

    def test_a_misspelt_field_gets_the_nearest_name(self):
        self.refuse(lambda op: op["desc"].update(ScaleBais={"Scale": 1, "Bias": 0}),
                    "dispatchables.op.desc.ScaleBais: unknown member of ELEMENT_WISE_IDENTITY; "
                    "did you mean ScaleBias?")

    def test_the_field_that_relu_grads_page_calls_otherwise_gets_its_name(self):
        """Ruling B24."""
        model = json.loads(re.sub("//.*", "", (MODELS / "activation_relu_grad.json").read_text()))
        desc = model["dispatchables"]["op"]["desc"]
        desc["OutputTensor"] = desc.pop("OutputGradientTensor")
        self.assert_refuses(model, "dispatchables.op.desc.OutputTensor: unknown member of "
                                   "ACTIVATION_RELU_GRAD; did you mean OutputGradientTensor?")

    def test_a_misspelt_member_of_a_tensor_gets_the_nearest_name(self):
        self.refuse(lambda op: op["desc"]["InputTensor"].update(Stride=[1]),
                    "InputTensor.Stride: unknown member of a tensor; did you mean Strides?")

    def test_a_misspelt_operator_gets_the_nearest_name(self):
        self.refuse(lambda op: op.update(type="ELEMENT_WISE_IDENTITI"),
                    '"ELEMENT_WISE_IDENTITI" is no operator; did you mean ELEMENT_WISE_IDENTITY?')

    def test_an_operator_of_directml_that_is_not_here_is_told_as_such(self):
        self.refuse(lambda op: op.update(type="DML_OPERATOR_RNN"),
                    '"DML_OPERATOR_RNN" is an operator that is not implemented')

    def test_a_misspelt_data_type_gets_the_nearest_name(self):
        self.refuse(lambda op: op["desc"]["InputTensor"].update(DataType="FLOAT23"),
                    '"FLOAT23" is no DML_TENSOR_DATA_TYPE; did you mean FLOAT32?')

    def test_other_kinds_of_dispatchables_get_a_sentence(self):
        for kind in ("hlsl", "onnx", "dmlSerializedGraph"):
            with self.subTest(kind):
                self.refuse(lambda op, kind=kind: op.update(type=kind),
                            f'dispatchables.op.type = "{kind}" is not supported')

    def test_sizes_of_the_wrong_type_or_beyond_32_bits_are_refused(self):
        for size in ("4", 4.5, -1, 2**32, None, True):
            with self.subTest(size):
                self.refuse(lambda op, size=size: op["desc"]["InputTensor"].update(Sizes=[size]),
                            "InputTensor.Sizes[0] = ")

    def test_a_missing_field_is_told(self):
        self.refuse(lambda op: op["desc"].pop("InputTensor"), "InputTensor is required")

    def test_prefixes_the_long_form_and_fields_beside_the_type_are_read(self):
        model = identity()
        tensor = {"Type": "DML_TENSOR_TYPE_BUFFER", "Desc": {
            "DataType": "DML_TENSOR_DATA_TYPE_FLOAT32", "DimensionCount": 1, "Sizes": [4],
            "Flags": [], "TotalTensorSizeInBytes": 16, "GuaranteedBaseOffsetAlignment": 0}}
        model["dispatchables"]["op"] = {"type": "DML_OPERATOR_ELEMENT_WISE_IDENTITY",
                                        "InputTensor": tensor, "OutputTensor": tensor,
                                        "executionFlags": "DML_EXECUTION_FLAG_NONE"}
        self.assert_prints(self.run_model(model), "Resource 'output': 1, 2, 3, 4\n")


class Values(CommandTest):
    def refuse(self, sentence, **resource):
        self.assert_refuses(identity(**resource), "resources.input" + sentence)

    def test_nan_and_infinities_are_read_in_any_case(self):
        for names in (["nan", "inf", "-inf", 0], ["NaN", "Inf", "-Inf", 0],
                      ["NAN", "INF", "-INF", 0], ["nAn", "iNf", "-iNf", 0]):
            with self.subTest(names):
                self.assert_prints(self.run_model(identity(names)),
                                   "Resource 'output': nan, inf, -inf, 0\n")

    def test_other_words_are_no_numbers(self):
        self.refuse('.initialValues[1] = "infinite" must be a number', initialValues=[1, "infinite"])

    def test_values_out_of_the_range_of_their_type_are_refused(self):
        for data_type, value in (("UINT8", 256), ("INT8", -129), ("UINT32", -1), ("INT32", 0.5),
                                 ("FLOAT16", 65520), ("FLOAT32", 3.5e38), ("UINT64", 2**64)):
            with self.subTest(data_type):
                self.refuse(".initialValues[0] = ", initialValuesDataType=data_type,
                            initialValues=[value])

    def test_more_values_than_any_memory_holds_are_refused(self):
        for count in (10**12, 2**62, 2**64 - 1):
            with self.subTest(count):
                self.refuse(".initialValues.valueCount: needs ",
                            initialValues={"valueCount": count, "value": 0})

    def test_counts_that_are_no_numbers_are_refused(self):
        for count in (-1, 1.5, "4", 2**64):
            with self.subTest(count):
                self.refuse(".initialValues.valueCount = ",
                            initialValues={"valueCount": count, "value": 0})

    def test_a_huge_size_is_refused(self):
        self.refuse(".sizeInBytes: needs ", sizeInBytes=2**60)


class Bindings(CommandTest):
    def refuse(self, change, *sentences):
        model = identity()
        change(model["commands"][0]["bindings"])
        self.assert_refuses(model, *sentences)

    def test_a_resource_that_is_too_small_is_refused(self):
        self.assert_refuses(identity(initialValues=[1, 2, 3]),
                            'commands[0].bindings.InputTensor: "input" has 12 bytes and must have '
                            "the tensor's 16")

    def test_an_offset_that_leaves_too_little_is_refused(self):
        self.refuse(lambda b: b.update(InputTensor={"name": "input", "elementOffset": 1}),
                    '"input" has 12 bytes from offset 4 and must have the tensor\'s 16')

    def test_an_offset_beyond_the_end_is_refused(self):
        for offset in (5, 2**62, 2**64 - 1):
            with self.subTest(offset):
                self.refuse(lambda b, offset=offset: b.update(
                    InputTensor={"name": "input", "elementOffset": offset}), "is beyond the 16")

    def test_a_resource_that_is_not_there_gets_the_nearest_name(self):
        self.refuse(lambda b: b.update(InputTensor="inptu"),
                    '"inptu" is no resource of this model; did you mean input?')

    def test_a_tensor_that_is_not_bound_is_told(self):
        self.refuse(lambda b: b.pop("InputTensor"), "commands[0].bindings: InputTensor is required")

    def test_a_misspelt_tensor_gets_the_nearest_name(self):
        self.refuse(lambda b: b.update(InputTensr="input"),
                    "unknown tensor of ELEMENT_WISE_IDENTITY; did you mean InputTensor?")

    def test_overlapping_memory_is_refused_by_check_as_by_run(self):
        model = identity(range(8))
        for tensor in model["dispatchables"]["op"]["desc"].values():
            tensor["Sizes"] = [4]
        model["commands"][0]["bindings"]["OutputTensor"] = {"name": "input", "elementOffset": 2}
        self.assert_refuses(model, "commands[0]: ELEMENT_WISE_IDENTITY: OutputTensor overlaps "
                                   "InputTensor and must then have the same address")

    def test_absent_dispatchables_and_commands_get_the_nearest_name(self):
        model = identity()
        model["commands"][0]["dispatchable"] = "po"
        model["commands"][1]["type"] = "pritn"
        self.assert_refuses(model, '"po" is no dispatchable of this model',
                            '"pritn" is no command; did you mean print?')


if __name__ == "__main__":
    unittest.main()
