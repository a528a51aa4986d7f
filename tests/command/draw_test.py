# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""`anydml draw`: what a picture says about models whose ways are known from the pages."""
import json
import re
import unittest
import xml.etree.ElementTree as xml

from command import MODELS, CommandTest, anydml, identity, needs_long_names

SVG = "{http://www.w3.org/2000/svg}"
CURVE = re.compile(r"H(\S+)C(\S+) (\S+) (\S+) (\S+) (\S+) (\S+)H")


class Picture:
    """An SVG as read back: {tensor: [class of each cell]}, [(from, to, weight)], all text."""

    def __init__(self, text):
        root = xml.fromstring(text)
        self.cells = {group.get("data-name"): [rect.get("class") for rect in group]
                      for group in root.iter(f"{SVG}g") if group.get("class") == "tensor"}
        self.arrows = [(int(way.get("data-from")), int(way.get("data-to")),
                        float(way.get("data-weight")))
                       for way in root.iter(f"{SVG}g") if way.get("class") == "way"]
        self.texts = [text.text for text in root.iter(f"{SVG}text")]
        self.weights = [text.text for text in root.iter(f"{SVG}text")
                        if "weight" in text.get("class")]
        self.style = root.find(f"{SVG}style").text
        # By colour: that of the arrows of one element, and of their weights.
        self.curves = [(path.get("class").split()[1], path.get("d"))
                       for path in root.iter(f"{SVG}path") if "arrow" in path.get("class")]
        self.labels = [(text.get("class").split()[-1], float(text.get("x")), float(text.get("y")),
                        len(text.text)) for text in root.iter(f"{SVG}text")
                       if "weight" in text.get("class")]

    def points(self):
        """(colour, x, y) along every curve."""
        for colour, path in self.curves:
            x0, x1, y0, x2, _, x3, y3 = map(float, CURVE.search(path).groups())
            for i in range(101):
                t, s = i / 100, 1 - i / 100
                yield (colour, s**3 * x0 + 3 * s * s * t * x1 + 3 * s * t * t * x2 + t**3 * x3,
                       (s**3 + 3 * s * s * t) * y0 + (3 * s * t * t + t**3) * y3)

    def marked(self, tensor):
        return [i for i, style in enumerate(self.cells[tensor]) if style.startswith("tint")]


class Graph:
    """A picture of several dispatches: the lines and top of each box, (from, to, kind) of edges."""

    def __init__(self, text):
        self.boxes, self.tops, self.edges = [], [], []
        for element in xml.fromstring(text):
            style = element.get("class", "")
            if style.startswith("box"):
                self.boxes.append([])
                self.tops.append(float(element.get("y")))
            elif element.tag == f"{SVG}text" and self.boxes:
                self.boxes[-1].append(element.text)
            elif element.tag == f"{SVG}g":
                self.edges.append((int(element.get("data-from")), int(element.get("data-to")),
                                   element.find(f"{SVG}path").get("class")))


class Draw(CommandTest):
    def draw(self, model, *arguments):
        result = anydml("draw", model if hasattr(model, "suffix") else self.save(model), *arguments)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        return Picture(result.stdout)

    def test_every_small_model_gives_a_picture(self):
        for model in sorted(MODELS.glob("*.json")):
            if model.stem in ("half_precision_resize_gradient", "activation_relu_grad_owned", "linear_regression",
                              "unet", "fill_value_constant", "fill_value_sequence", "diagonal_matrix"):
                continue    # too large, several dispatches, no input
            with self.subTest(model.name):
                picture = self.draw(model, "--taps")
                # Small changes of an element change no choice and no integer.
                chooses = re.match(r"activation_hardmax|arg|cast|random_generator|.*_divide|.*_logical_(?!equals)|"
                                   r"element_wise_(ceil|floor|round|is_nan|is_infinity|bit_shift_right)$", model.stem)
                self.assertEqual(picture.arrows == [], chooses is not None)
                self.assertIn("prefers-color-scheme: dark", picture.style)

    def test_an_operator_without_an_input_is_refused(self):
        for name in ("constant", "sequence"):
            self.assert_fails(anydml("draw", MODELS / f"fill_value_{name}.json"),
                              f"FILL_VALUE_{name.upper()} has no input")

    def test_every_window_gives_its_gradient_to_its_largest_element(self):
        # The page's example: the windows of {1 2 3, 2 4 2, 5 6 7} are led by 4, 4, 6 and 7.
        model = MODELS / "max_pooling_grad.json"
        picture = self.draw(model)
        self.assertEqual(picture.arrows, [(0, 4, 1), (1, 4, 1), (2, 7, 1), (3, 8, 1)])
        self.assertEqual(picture.marked("InputTensor"), [])
        self.assertEqual(self.draw(model, "--taps").marked("InputTensor"), [4, 7, 8])

    def test_weights_of_a_linear_gradient(self):
        # x = (o + 0.5) / 2 - 0.5 = -0.25, 0.25, 0.75, 1.25, clamped to 0..1 and split.
        model = MODELS / "resample_grad1_linear.json"
        picture = self.draw(model, "--taps")
        self.assertEqual(picture.arrows, [(0, 0, 1), (1, 0, 0.75), (1, 1, 0.25), (2, 0, 0.25),
                                          (2, 1, 0.75), (3, 1, 1)])
        self.assertEqual(sorted(picture.weights), ["0.25", "0.25", "0.75", "0.75"])
        self.assertEqual(self.draw(model).weights, [])

    def test_no_arrow_of_another_element_crosses_a_weight(self):
        seen = 0
        for name in ("resample_grad1_linear", "resample1", "resample3", "element_wise_identity"):
            picture = self.draw(MODELS / f"{name}.json", "--taps")
            points = list(picture.points())
            for colour, x, y, letters in picture.labels:
                seen += 1
                crossing = [point for point in points if point[0] != colour and
                            abs(point[1] - x) < 3.5 * letters and y - 9 < point[2] < y]
                self.assertEqual(crossing, [], (name, x, y))
        self.assertEqual(seen, 4 + 4 + 2 + 4)

    def test_many_weights_are_written_as_sums(self):
        model = json.loads(re.sub(r"//.*", "", (MODELS / "resample_grad1_linear.json").read_text()))
        desc = model["dispatchables"]["op"]["desc"]
        desc["InputGradientTensor"]["Sizes"] = desc["OutputGradientTensor"]["Sizes"] = [8]
        desc["InputPixelOffsets"] = [0.25]      # x = o - 0.25 + 0.5: a quarter of the next pixel
        desc["OutputPixelOffsets"] = [-0.5]
        desc["Scales"] = [1]
        for resource in model["resources"].values():
            resource["initialValues"] = {"valueCount": 8, "value": 1}
        picture = self.draw(model, "--taps")
        self.assertEqual(picture.weights, [])
        self.assertIn("OutputGradientTensor[1] = 0.25 InputGradientTensor[0] + 0.75 "
                      "InputGradientTensor[1]", " ".join(picture.texts))

    def test_gradients_that_are_stopped_have_no_arrow(self):
        # dX = X > 0 ? dY : 0 of {-1, -0, 0, 1e-40, 2, nan, inf, -inf}.
        picture = self.draw(MODELS / "activation_relu_grad.json")
        self.assertEqual(picture.arrows, [(i, i, 1) for i in (3, 4, 6)])

    def test_a_slice_spreads_its_elements(self):
        picture = self.draw(MODELS / "slice_grad.json")
        self.assertEqual(picture.arrows, [(0, 0, 1), (1, 2, 1), (2, 8, 1), (3, 10, 1)])
        self.assertEqual(picture.marked("OutputGradientTensor"), [0, 2, 8, 10])

    def test_forward_the_largest_element_of_a_window_has_the_arrow(self):
        picture = self.draw(MODELS / "max_pooling.json")
        self.assertEqual(picture.arrows, [(4, 0, 1), (4, 1, 1), (7, 2, 1), (8, 3, 1)])
        self.assertTrue(any("small change" in text for text in picture.texts))

    def test_a_scale_is_a_weight_and_a_bias_is_none(self):
        picture = self.draw(MODELS / "element_wise_identity.json", "--taps")
        self.assertEqual(picture.arrows, [(i, i, 2) for i in range(4)])

    def test_shows_values_settings_and_names(self):
        texts = self.draw(MODELS / "max_pooling_grad.json").texts
        for text in ("MAX_POOLING_GRAD", "InputGradientTensor", "1 x 1 x 3 x 3"):
            self.assertIn(text, texts)
        self.assertIn("WindowSize {2, 2}", " ".join(texts))
        numbers = [text for text in texts if text.isdigit()]
        self.assertEqual(numbers, "1 2 3 2 4 2 5 6 7 1 2 4 5 0 0 0 0 3 0 0 4 5".split())

    def test_draws_what_is_bound_in_place_before_and_after(self):
        texts = self.draw(MODELS / "element_wise_clip.json").texts
        numbers = [text for text in texts if text.lstrip("-").isdigit()]
        sizes = ["5", "5"]
        self.assertEqual(numbers, sizes + "-2 -1 0 1 2 -1 -1 0 1 1".split())

    def test_integers_without_sign(self):
        model = identity((7, 200))
        for resource in model["resources"].values():
            resource["initialValuesDataType"] = "UINT8"
        for tensor in model["dispatchables"]["op"]["desc"].values():
            tensor["DataType"] = "UINT8"
        self.assertEqual(self.draw(model).arrows, [(0, 0, 1), (1, 1, 1)])

    def test_shows_integers_that_no_double_holds(self):
        model = identity((2**53 + 1,))
        for resource in model["resources"].values():
            resource["initialValuesDataType"] = "INT64"
        for tensor in model["dispatchables"]["op"]["desc"].values():
            tensor["DataType"] = "INT64"
        texts = self.draw(model).texts
        self.assertEqual(texts.count(str(2**53 + 1)), 2)

    def test_writes_the_file_that_is_asked_for(self):
        path = self.folder / "picture.svg"
        self.assert_prints(anydml("draw", MODELS / "slice_grad.json", "-o", path), "")
        self.assertEqual(len(Picture(path.read_text()).arrows), 4)
        self.assertEqual(self.names(), ["picture.svg"])

    def test_a_picture_does_not_replace_its_model(self):
        path = self.save((MODELS / "slice_grad.json").read_text())
        (self.folder / "link.json").symlink_to("model.json")
        for model in ("model.json", path, "link.json"):
            self.assert_keeps(path, "draw", model, "-o")
        with open(path) as model:
            self.assert_fails(anydml("draw", "-", "-o", path, stdin=model), "would replace '/dev/stdin'")

    def test_a_picture_does_not_replace_a_file_of_its_model(self):
        source = self.folder / "in.dat"
        source.write_bytes(bytes(16))
        self.save(identity(initialValues={"sourcePath": "in.dat"}))
        self.assert_keeps(source, "draw", "model.json", "-o")

    @needs_long_names
    def test_writes_a_file_of_the_longest_name(self):
        path = self.folder / ("a" * 251 + ".svg")
        self.assert_prints(anydml("draw", MODELS / "slice_grad.json", "-o", path), "")
        self.assertEqual(self.names(), [path.name])

    def test_writes_the_file_behind_a_link(self):
        path, link = self.folder / "picture.svg", self.folder / "link.svg"
        path.write_text("old")
        link.symlink_to(path)
        self.assert_prints(anydml("draw", MODELS / "slice_grad.json", "-o", link), "")
        self.assertTrue(link.is_symlink())
        self.assertEqual(len(Picture(path.read_text()).arrows), 4)

    def test_writes_the_file_behind_a_link_that_is_not_there_yet(self):
        link = self.folder / "link.svg"
        link.symlink_to("picture.svg")
        self.assert_prints(anydml("draw", MODELS / "slice_grad.json", "-o", link), "")
        self.assertTrue(link.is_symlink())
        self.assertEqual(self.names(), ["link.svg", "picture.svg"])

    def test_keeps_who_may_read_a_file(self):
        path = self.folder / "picture.svg"
        path.write_text("old")
        path.chmod(0o600)
        self.assert_prints(anydml("draw", MODELS / "slice_grad.json", "-o", path), "")
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)

    def test_writes_into_a_device_instead_of_replacing_it(self):
        result = anydml("draw", MODELS / "slice_grad.json", "-o", "/dev/stdout")
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertEqual(len(Picture(result.stdout).arrows), 4)


class Refusals(CommandTest):
    def test_a_tensor_that_is_too_large(self):
        self.assert_fails(anydml("draw", MODELS / "half_precision_resize_gradient.json"),
                          "InputGradientTensor has 128 rows of 128; "
                          "a picture has at most 16 of 16")

    def test_sixteen_rows_are_drawn_and_seventeen_are_not(self):
        for count, code in ((16, 0), (17, 1)):
            result = anydml("draw", self.save(identity(range(count))))
            self.assertEqual(result.returncode, code)

    def test_several_dispatches_are_a_graph(self):
        graph = self.draw_graph(MODELS / "linear_regression.json")
        self.assertEqual([box[0] for box in graph.boxes], [
            "GEMM", "ELEMENT_WISE_SUBTRACT", "ELEMENT_WISE_MULTIPLY", "REDUCE"])
        self.assertEqual(graph.boxes[0][1:], ["y 1 x 1 x 4 x 1", "of x 1 x 1 x 4 x 2",
                                              "of w 1 x 1 x 2 x 1", "of b 1 x 1 x 4 x 1"])
        self.assertEqual(graph.edges, [(0, 1, "edge"), (1, 2, "edge"), (1, 2, "edge"),
                                       (2, 3, "edge")])

    def test_where_gradients_flow(self):
        text = anydml("grad", MODELS / "unet.json", "--loss", "loss", "--of", "x,c1").stdout
        graph = self.draw_graph(self.save(text))
        names = [box[0] for box in graph.boxes]
        loss = names.index("REDUCE")
        kinds = {(a > loss, b > loss): kind for a, b, kind in graph.edges}
        self.assertEqual(kinds, {(False, False): "edge", (False, True): "edge kept",
                                 (True, True): "edge gradient"})
        # RELU_GRAD stands beside the convolution whose result it reads.
        gradient = len(names) - 1 - names[::-1].index("ACTIVATION_RELU_GRAD")
        self.assertEqual(graph.tops[gradient], graph.tops[0])

    def test_too_many_dispatches(self):
        model = identity()
        model["commands"] = model["commands"][:1] * 1001
        self.assert_fails(anydml("draw", self.save(model)),
                          "commands has 1001 dispatches; a picture shows at most 1000")
        model["commands"] = []
        self.assert_fails(anydml("draw", self.save(model)), "commands has no dispatch to draw")

    def draw_graph(self, model):
        result = anydml("draw", model)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        return Graph(result.stdout)

    def test_elements_that_share_memory(self):
        model = identity()
        model["dispatchables"]["op"]["desc"]["InputTensor"]["Strides"] = [0]
        self.assert_fails(anydml("draw", self.save(model)),
                          "InputTensor has elements that share memory")

    def test_a_level_that_lacks_the_operator(self):
        self.assert_fails(anydml("draw", MODELS / "resample_grad1.json", "--feature-level", "3.0"),
                          "needs feature level 5_1 or above")

    def test_a_folder_that_is_not_there(self):
        path = self.folder / "none/picture.svg"
        self.assert_fails(anydml("draw", MODELS / "slice_grad.json", "-o", path),
                          "could not be created: No such file or directory")


if __name__ == "__main__":
    unittest.main()
