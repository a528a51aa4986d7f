# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""`anydml ops` and `anydml devices`."""
import json
import unittest

from command import CommandTest, anydml

# Of Microsoft's pages and DirectML.h: the operators, their values, the levels they came with.
OPERATORS = {
    "ELEMENT_WISE_IDENTITY": (1, "1_0"),
    "ELEMENT_WISE_ABS": (2, "1_0"),
    "ELEMENT_WISE_ACOS": (3, "1_0"),
    "ELEMENT_WISE_ADD": (4, "1_0"),
    "ELEMENT_WISE_ASIN": (5, "1_0"),
    "ELEMENT_WISE_ATAN": (6, "1_0"),
    "ELEMENT_WISE_CEIL": (7, "1_0"),
    "ELEMENT_WISE_CLIP": (8, "1_0"),
    "ELEMENT_WISE_COS": (9, "1_0"),
    "ELEMENT_WISE_DIVIDE": (10, "1_0"),
    "ELEMENT_WISE_EXP": (11, "1_0"),
    "ELEMENT_WISE_FLOOR": (12, "1_0"),
    "ELEMENT_WISE_LOG": (13, "1_0"),
    "ELEMENT_WISE_LOGICAL_AND": (14, "1_0"),
    "ELEMENT_WISE_LOGICAL_EQUALS": (15, "1_0"),
    "ELEMENT_WISE_LOGICAL_GREATER_THAN": (16, "1_0"),
    "ELEMENT_WISE_LOGICAL_LESS_THAN": (17, "1_0"),
    "ELEMENT_WISE_LOGICAL_NOT": (18, "1_0"),
    "ELEMENT_WISE_LOGICAL_OR": (19, "1_0"),
    "ELEMENT_WISE_LOGICAL_XOR": (20, "1_0"),
    "ELEMENT_WISE_MAX": (21, "1_0"),
    "ELEMENT_WISE_MEAN": (22, "1_0"),
    "ELEMENT_WISE_MIN": (23, "1_0"),
    "ELEMENT_WISE_MULTIPLY": (24, "1_0"),
    "ELEMENT_WISE_POW": (25, "1_0"),
    "ELEMENT_WISE_CONSTANT_POW": (26, "1_0"),
    "ELEMENT_WISE_RECIP": (27, "1_0"),
    "ELEMENT_WISE_SIN": (28, "1_0"),
    "ELEMENT_WISE_SQRT": (29, "1_0"),
    "ELEMENT_WISE_SUBTRACT": (30, "1_0"),
    "ELEMENT_WISE_TAN": (31, "1_0"),
    "ELEMENT_WISE_THRESHOLD": (32, "1_0"),
    "ELEMENT_WISE_QUANTIZE_LINEAR": (33, "1_0"),
    "ELEMENT_WISE_DEQUANTIZE_LINEAR": (34, "1_0"),
    "ACTIVATION_ELU": (35, "1_0"),
    "ACTIVATION_HARDMAX": (36, "1_0"),
    "ACTIVATION_HARD_SIGMOID": (37, "1_0"),
    "ACTIVATION_IDENTITY": (38, "1_0"),
    "ACTIVATION_LEAKY_RELU": (39, "1_0"),
    "ACTIVATION_LINEAR": (40, "1_0"),
    "ACTIVATION_LOG_SOFTMAX": (41, "1_0"),
    "ACTIVATION_PARAMETERIZED_RELU": (42, "1_0"),
    "ACTIVATION_PARAMETRIC_SOFTPLUS": (43, "1_0"),
    "ACTIVATION_RELU": (44, "1_0"),
    "ACTIVATION_SCALED_ELU": (45, "1_0"),
    "ACTIVATION_SCALED_TANH": (46, "1_0"),
    "ACTIVATION_SIGMOID": (47, "1_0"),
    "ACTIVATION_SOFTMAX": (48, "1_0"),
    "ACTIVATION_SOFTPLUS": (49, "1_0"),
    "ACTIVATION_SOFTSIGN": (50, "1_0"),
    "ACTIVATION_TANH": (51, "1_0"),
    "ACTIVATION_THRESHOLDED_RELU": (52, "1_0"),
    "CONVOLUTION": (53, "1_0"),
    "GEMM": (54, "1_0"),
    "REDUCE": (55, "1_0"),
    "AVERAGE_POOLING": (56, "1_0"),
    "LP_POOLING": (57, "1_0"),
    "MAX_POOLING": (58, "1_0"),
    "ROI_POOLING": (59, "1_0"),
    "SLICE": (60, "1_0"),
    "CAST": (61, "1_0"),
    "SPLIT": (62, "1_0"),
    "JOIN": (63, "1_0"),
    "PADDING": (64, "1_0"),
    "VALUE_SCALE_2D": (65, "1_0"),
    "UPSAMPLE_2D": (66, "1_0"),
    "GATHER": (67, "1_0"),
    "SPACE_TO_DEPTH": (68, "1_0"),
    "DEPTH_TO_SPACE": (69, "1_0"),
    "TILE": (70, "1_0"),
    "TOP_K": (71, "2_0"),
    "BATCH_NORMALIZATION": (72, "1_0"),
    "MEAN_VARIANCE_NORMALIZATION": (73, "1_0"),
    "LOCAL_RESPONSE_NORMALIZATION": (74, "1_0"),
    "LP_NORMALIZATION": (75, "1_0"),
    "ELEMENT_WISE_SIGN": (79, "2_0"),
    "ELEMENT_WISE_IS_NAN": (80, "2_0"),
    "ELEMENT_WISE_ERF": (81, "2_0"),
    "ELEMENT_WISE_SINH": (82, "2_0"),
    "ELEMENT_WISE_COSH": (83, "2_0"),
    "ELEMENT_WISE_TANH": (84, "2_0"),
    "ELEMENT_WISE_ASINH": (85, "2_0"),
    "ELEMENT_WISE_ACOSH": (86, "2_0"),
    "ELEMENT_WISE_ATANH": (87, "2_0"),
    "ELEMENT_WISE_IF": (88, "2_0"),
    "ELEMENT_WISE_ADD1": (89, "2_0"),
    "ACTIVATION_SHRINK": (90, "2_0"),
    "MAX_POOLING1": (91, "2_0"),
    "MAX_UNPOOLING": (92, "2_0"),
    "DIAGONAL_MATRIX": (93, "2_0"),
    "SCATTER_ELEMENTS": (94, "2_0"),
    "ONE_HOT": (95, "2_0"),
    "RESAMPLE": (96, "2_0"),
    "ELEMENT_WISE_BIT_SHIFT_LEFT": (97, "2_1"),
    "ELEMENT_WISE_BIT_SHIFT_RIGHT": (98, "2_1"),
    "ELEMENT_WISE_ROUND": (99, "2_1"),
    "ELEMENT_WISE_IS_INFINITY": (100, "2_1"),
    "ELEMENT_WISE_MODULUS_TRUNCATE": (101, "2_1"),
    "ELEMENT_WISE_MODULUS_FLOOR": (102, "2_1"),
    "FILL_VALUE_CONSTANT": (103, "2_1"),
    "FILL_VALUE_SEQUENCE": (104, "2_1"),
    "CUMULATIVE_SUMMATION": (105, "2_1"),
    "REVERSE_SUBSEQUENCES": (106, "2_1"),
    "GATHER_ELEMENTS": (107, "2_1"),
    "GATHER_ND": (108, "2_1"),
    "SCATTER_ND": (109, "2_1"),
    "MAX_POOLING2": (110, "2_1"),
    "SLICE1": (111, "2_1"),
    "TOP_K1": (112, "2_1"),
    "DEPTH_TO_SPACE1": (113, "2_1"),
    "SPACE_TO_DEPTH1": (114, "2_1"),
    "MEAN_VARIANCE_NORMALIZATION1": (115, "2_1"),
    "RESAMPLE1": (116, "2_1"),
    "MATRIX_MULTIPLY_INTEGER": (117, "2_1"),
    "ELEMENT_WISE_BIT_AND": (121, "3_0"),
    "ELEMENT_WISE_BIT_OR": (122, "3_0"),
    "ELEMENT_WISE_BIT_XOR": (123, "3_0"),
    "ELEMENT_WISE_BIT_NOT": (124, "3_0"),
    "ELEMENT_WISE_BIT_COUNT": (125, "3_0"),
    "ELEMENT_WISE_LOGICAL_GREATER_THAN_OR_EQUAL": (126, "3_0"),
    "ELEMENT_WISE_LOGICAL_LESS_THAN_OR_EQUAL": (127, "3_0"),
    "ACTIVATION_CELU": (128, "3_0"),
    "ACTIVATION_RELU_GRAD": (129, "3_0"),
    "AVERAGE_POOLING_GRAD": (130, "3_0"),
    "MAX_POOLING_GRAD": (131, "3_0"),
    "RANDOM_GENERATOR": (132, "3_0"),
    "NONZERO_COORDINATES": (133, "3_0"),
    "RESAMPLE_GRAD": (134, "3_0"),
    "SLICE_GRAD": (135, "3_0"),
    "ADAM_OPTIMIZER": (136, "3_0"),
    "ARGMIN": (137, "3_0"),
    "ARGMAX": (138, "3_0"),
    "ROI_ALIGN": (139, "3_0"),
    "GATHER_ND1": (140, "3_0"),
    "ELEMENT_WISE_ATAN_YX": (141, "3_1"),
    "ELEMENT_WISE_CLIP_GRAD": (142, "3_1"),
    "ELEMENT_WISE_DIFFERENCE_SQUARE": (143, "3_1"),
    "LOCAL_RESPONSE_NORMALIZATION_GRAD": (144, "3_1"),
    "CUMULATIVE_PRODUCT": (145, "3_1"),
    "BATCH_NORMALIZATION_GRAD": (146, "3_1"),
    "DYNAMIC_QUANTIZE_LINEAR": (148, "4_0"),
    "ROI_ALIGN1": (149, "4_0"),
    "ROI_ALIGN_GRAD": (150, "4_1"),
    "BATCH_NORMALIZATION_TRAINING": (151, "4_1"),
    "BATCH_NORMALIZATION_TRAINING_GRAD": (152, "4_1"),
    "ELEMENT_WISE_CLIP1": (153, "5_0"),
    "ELEMENT_WISE_CLIP_GRAD1": (154, "5_0"),
    "PADDING1": (155, "5_0"),
    "ELEMENT_WISE_NEGATE": (156, "5_0"),
    "ACTIVATION_GELU": (157, "5_1"),
    "ACTIVATION_SOFTMAX1": (158, "5_1"),
    "ACTIVATION_LOG_SOFTMAX1": (159, "5_1"),
    "ACTIVATION_HARDMAX1": (160, "5_1"),
    "RESAMPLE2": (161, "5_1"),
    "RESAMPLE_GRAD1": (162, "5_1"),
    "DIAGONAL_MATRIX1": (163, "5_1"),
    "LP_POOLING1": (165, "6_2"),
    "AVERAGE_POOLING1": (166, "6_2"),
    "ACTIVATION_SWISH": (167, "6_2"),
    "ACTIVATION_HARD_SWISH": (168, "6_2"),
    "MEAN_VARIANCE_NORMALIZATION2": (171, "6_3"),
    "RESAMPLE3": (175, "6_4"),
}


class Json(CommandTest):
    def setUp(self):
        super().setUp()
        result = anydml("ops", "--json")
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.operators = json.loads(result.stdout)

    def test_lists_every_operator_with_value_and_level(self):
        self.assertEqual({op["name"]: (op["value"], op["level"]) for op in self.operators},
                         OPERATORS)
        self.assertEqual(len(self.operators), len(OPERATORS))

    def test_every_operator_has_tensors_support_in_place_and_devices(self):
        for op in self.operators:
            with self.subTest(op["name"]):
                tensors = {tensor["name"]: tensor["kind"] for tensor in op["tensors"]}
                if not op["name"].startswith("FILL_VALUE") and op["name"] != "DIAGONAL_MATRIX":
                    self.assertIn("input", tensors.values())
                self.assertIn("output", tensors.values())
                self.assertIn("cpu", op["devices"])
                self.assertEqual(op["support"][-1]["level"], op["level"])
                for row in op["support"]:
                    self.assertLessEqual(set(row["tensors"]), set(tensors))
                    least, most = row["dimension_counts"]
                    self.assertTrue(1 <= least <= most <= 8, row)
                    self.assertTrue(row["data_types"])
                for name in op["in_place"]:
                    self.assertEqual(tensors[name], "input")

    def test_says_the_constraints_of_the_pages(self):
        """Tensor constraints of MAX_POOLING_GRAD's page, and the strides of SLICE_GRAD's."""
        constraints = {op["name"]: op["constraints"] for op in self.operators}
        both = ["InputTensor", "OutputGradientTensor"]
        all_three = ["InputTensor", "InputGradientTensor", "OutputGradientTensor"]
        for kind, fields in (("SAME_DATA_TYPE", all_three), ("SAME_DIMENSION_COUNT", all_three),
                             ("SAME_SIZES", both)):
            self.assertIn({"kind": kind, "fields": fields}, constraints["MAX_POOLING_GRAD"])
        self.assertIn({"kind": "NOT_ZERO", "fields": ["InputWindowStrides"]},
                      constraints["SLICE_GRAD"])

    def test_one_operator_is_an_array_of_one(self):
        for op in self.operators:
            result = anydml("ops", op["name"], "--json")
            self.assertEqual(json.loads(result.stdout), [op])

    def test_the_gradients_of_the_elementwise_operators_run_in_place(self):
        in_place = {op["name"]: op["in_place"] for op in self.operators}
        for name in ("ACTIVATION_RELU_GRAD", "ELEMENT_WISE_CLIP_GRAD", "ELEMENT_WISE_CLIP_GRAD1"):
            self.assertEqual(in_place[name], ["InputTensor", "InputGradientTensor"])
        for name in ("MAX_POOLING_GRAD", "RESAMPLE_GRAD1", "SLICE_GRAD"):
            self.assertEqual(in_place[name], [])


class Text(CommandTest):
    def test_lists_one_operator_a_line_below_a_heading(self):
        heading, *lines = anydml("ops").stdout.splitlines()
        self.assertEqual(heading.split()[:3], ["operator", "value", "since"])
        self.assertEqual({line.split()[0]: (int(line.split()[1]), line.split()[2])
                          for line in lines}, OPERATORS)

    def test_describes_one_operator_as_its_page_does(self):
        text = anydml("ops", "MAX_POOLING_GRAD").stdout
        self.assertTrue(text.startswith("MAX_POOLING_GRAD (value 131, since 3_0, in place: no, "
                                        "devices: cpu"), text)
        rows = [line.split() for line in text.splitlines()]
        for field in ("InputTensor", "InputGradientTensor", "OutputGradientTensor",
                      "DimensionCount", "Strides", "WindowSize", "StartPadding", "EndPadding",
                      "Dilations"):
            self.assertIn(field, [row[0] for row in rows if row])
        # "4 to 5" since 4.0, 4 before: the table of the page.
        self.assertIn("4_0+ all 4 to 5 FLOAT32, FLOAT16".split(), rows)
        self.assertIn("3_0+ all 4 FLOAT32, FLOAT16".split(), rows)

    def test_says_what_the_fields_must_agree_with(self):
        lines = anydml("ops", "MAX_POOLING_GRAD").stdout.splitlines()
        self.assertIn("- InputTensor, OutputGradientTensor: the same Sizes", lines)
        self.assertIn("- Strides, WindowSize, Dilations: every entry at least 1", lines)
        self.assertIn("DimensionCount UINT, the DimensionCount of InputTensor - 2".split(),
                      [line.split() for line in lines])
        self.assertIn("MinMaxDataType DATA_TYPE, the DataType of OutputGradientTensor".split(),
                      [line.split() for line in
                       anydml("ops", "ELEMENT_WISE_CLIP_GRAD1").stdout.splitlines()])

    def test_no_constraint_is_left_in_capitals(self):
        for name in OPERATORS:
            for line in anydml("ops", name).stdout.splitlines():
                self.assertNotRegex(line, "^- .*: [A-Z_]+$")

    def test_the_prefix_of_directml_may_be_given_and_small_letters(self):
        for name in ("DML_OPERATOR_SLICE_GRAD", "slice_grad", "dml_operator_Slice_Grad"):
            self.assertEqual(anydml("ops", name).stdout, anydml("ops", "SLICE_GRAD").stdout)

    def refuse(self, name, sentence):
        self.assert_fails(anydml("ops", name), f"{name}: {sentence}")

    def test_a_misspelt_operator_gets_the_nearest_name(self):
        self.refuse("SLICE_GARD", "there is no such operator; did you mean SLICE_GRAD?")

    def test_a_part_of_a_name_gets_the_names_that_have_it(self):
        for part in ("relu_grad", "RELUGRAD", "RELU", "add1", "conv", "batchnorm", "pooling", "Grad"):
            letters = part.upper().replace("_", "")
            meant = [name for name in OPERATORS if letters in name.replace("_", "")]
            self.assertTrue(meant)
            self.refuse(part, f"there is no such operator; did you mean {' or '.join(meant)}?")

    def test_other_names_get_no_wall_of_names(self):
        for name in ("zyx", "e", "_", "a\nb"):
            result = anydml("ops", name)
            self.assert_fails(result, "there is no such operator; run `anydml ops` for a list")

    def test_an_operator_of_directml_that_is_not_here_is_told_as_such(self):
        for name in ("RNN", "lstm", "dml_operator_gru", "MultiheadAttention"):
            self.refuse(name, "this operator is not implemented")


class Markdown(CommandTest):
    def assert_tables(self, text):
        tables = [part.splitlines() for part in text.split("\n\n") if part.startswith("|")]
        for table in tables:
            self.assertEqual({line.count("|") for line in table}, {table[0].count("|")})
            self.assertEqual(set(table[1]), {"|", "-"})
        return tables

    def test_the_list_is_a_table(self):
        table, = self.assert_tables(anydml("ops", "--markdown").stdout)
        self.assertEqual(len(table), len(OPERATORS) + 2)

    def test_every_operator_is_a_heading_and_two_tables(self):
        for name in OPERATORS:
            with self.subTest(name):
                text = anydml("ops", name, "--markdown").stdout
                self.assertTrue(text.startswith(f"## {name} (value "))
                self.assertEqual(len(self.assert_tables(text)), 2)

    def test_excludes_json(self):
        self.assertEqual(anydml("ops", "--json", "--markdown").returncode, 2)


class Devices(CommandTest):
    def test_the_cpu_comes_first(self):
        result = anydml("devices")
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        heading, cpu, *others = result.stdout.splitlines()
        self.assertEqual(heading.split()[:3], ["device", "memory", "threads"])
        self.assertRegex(cpu, r"^cpu +\d+\.\d GiB +[1-9]\d* +CPU with \d+ cores, (?!AVX3)[\w() -]+ kernels$")
        if not any(line.startswith("cuda:") for line in others):
            self.assertEqual(others[0], "")
            self.assertRegex(others[1], r"^no NVIDIA device: (no NVIDIA driver for CUDA \d+\.\d or later"
                                        r"|no device of compute capability .*|there is no libanydml_cuda.so "
                                        r"in /.*|no CUDA-capable device is detected)$")
            self.assertEqual(others[2:], [])
        else:
            self.assertNotIn("no NVIDIA device", result.stdout)


if __name__ == "__main__":
    unittest.main()
