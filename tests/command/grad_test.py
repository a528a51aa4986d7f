# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""`anydml grad`: gradients that are known by hand, models that go on training, refusals."""
import copy
import json
import os
import re
import unittest

import numpy as np

from command import MODELS, CommandTest, anydml


def tensor(*sizes, data_type="FLOAT32", **members):
    return {"DataType": data_type, "Sizes": list(sizes), **members}


def values(numbers, data_type="FLOAT32"):
    return {"initialValuesDataType": data_type, "initialValues": numbers}


COMMENT = re.compile(r"^ *//.*$", re.MULTILINE)
# loss = mean((x w + b - t)^2), b broadcast to four rows.
REGRESSION = json.loads(COMMENT.sub("", (MODELS / "linear_regression.json").read_text()))


class Grad(CommandTest):
    def grad(self, model, *arguments):
        return anydml("grad", self.save(model), *arguments)

    def printed(self, model):
        """{resource: numbers} of what `anydml run` prints."""
        result = self.run_model(model)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        lines = [line.split(": ") for line in result.stdout.splitlines()]
        return {name.split("'")[1]: [float(n) for n in numbers.split(", ")]
                for name, numbers in lines}

    def test_gradients_by_hand(self):
        out = self.folder / "out.json"
        result = self.grad(REGRESSION, "--loss", "loss", "--of", "w,b", "-o", out)
        self.assert_prints(result, "")
        # e = -t: loss = (9 + 4 + 16) / 4, dw = 2/4 x^T e, db = 2/4 sum e.
        self.assertEqual(self.printed(out.read_text()),
                         {"loss": [7.25], "d.w": [-6.5, -3], "d.b": [-4.5]})

    def test_the_written_model_is_a_model_like_any_other(self):
        text = self.grad(REGRESSION, "--loss", "loss", "--of", "x").stdout
        model = json.loads(text)
        self.assertEqual(model["resources"]["x"], REGRESSION["resources"]["x"])
        self.assertEqual(model["commands"][-1], {"type": "print", "resource": "d.x"})
        checked = anydml("check", self.save(text))
        self.assertEqual((checked.stderr, checked.returncode), ("", 0))
        # Of one element of e by itself, a second time.
        self.assertEqual(self.grad(text, "--loss", "loss", "--of", "e").returncode, 0)

    def test_options_before_the_model(self):
        result = anydml("grad", "--loss", "loss", "--of", "w,b", self.save(REGRESSION))
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertEqual(self.printed(result.stdout)["d.b"], [-4.5])

    def test_two_gradients_that_are_one_value(self):
        elements = {"sum": ("ADD", "ATensor", "BTensor"), "square": ("MULTIPLY", "ATensor",
                                                                     "BTensor")}
        model = {"resources": {n: values([1, 2] if n == "a" else [3, -4] if n == "b" else [0] * k)
                               for n, k in (("a", 2), ("b", 2), ("s", 2), ("q", 2), ("loss", 1))},
                 "dispatchables": {name: {"type": f"ELEMENT_WISE_{kind}", "desc": {
                     left: tensor(2), right: tensor(2), "OutputTensor": tensor(2)}}
                     for name, (kind, left, right) in elements.items()},
                 "commands": [{"type": "dispatch", "dispatchable": name, "bindings": bindings}
                              for name, bindings in (
                     ("sum", {"ATensor": "a", "BTensor": "b", "OutputTensor": "s"}),
                     ("square", {"ATensor": "s", "BTensor": "s", "OutputTensor": "q"}),
                     ("add", {"InputTensor": "q", "OutputTensor": "loss"}))]}
        model["dispatchables"]["add"] = {"type": "REDUCE", "desc": {
            "Function": "SUM", "InputTensor": tensor(2), "OutputTensor": tensor(1),
            "AxisCount": 1, "Axes": [0]}}
        text = self.grad(model, "--loss", "loss", "--of", "a,b").stdout
        self.assertEqual(self.printed(text), {"loss": [20], "d.a": [8, -4], "d.b": [8, -4]})

    def test_a_unet_beside_torch(self):
        """networks.json is PyTorch's (tests/reference_data/make_gradient_data.py); the tolerance
        is that of tests/gradient/networks_test.cpp."""
        of = ["x", "c1", "b1", "c2", "b2", "c3", "b3", "c4"]
        text = anydml("grad", MODELS / "unet.json", "--loss", "loss", "--of", ",".join(of)).stdout
        types = {d["type"] for d in json.loads(text)["dispatchables"].values()}
        self.assertLessEqual({"ACTIVATION_RELU_GRAD", "ELEMENT_WISE_CLIP_GRAD1", "RESAMPLE_GRAD1",
                              "SLICE_GRAD", "MAX_POOLING_GRAD"}, types)
        printed = self.printed(text)
        reference = MODELS.parent / "tests/gradient/networks.json"
        expected = json.loads(reference.read_text())["unet"]
        self.assertAlmostEqual(printed["loss"][0], expected["loss"], delta=2e-5)
        for name, gradient in zip(of, expected["gradients"]):
            largest = max(map(abs, gradient))
            self.assertEqual(len(printed[f"d.{name}"]), len(gradient))
            for ours, theirs in zip(printed[f"d.{name}"], gradient):
                self.assertAlmostEqual(ours, theirs, delta=2e-5 * largest)

    def test_for_directml(self):
        """Whosever offsets they are, the numbers are the same."""
        unet = ("--loss", "loss", "--of", "c1,c2")
        plain = json.loads(anydml("grad", MODELS / "unet.json", *unet).stdout)
        result = anydml("grad", MODELS / "unet.json", *unet, "--for", "directml")
        self.assertEqual(result.stderr, "")
        model = json.loads(result.stdout)
        resample = next(d["desc"] for d in model["dispatchables"].values()
                        if d["type"] == "RESAMPLE_GRAD1")
        offsets = resample["InputPixelOffsets"]
        self.assertEqual(resample["OutputPixelOffsets"], offsets)
        # x = (o + 1/2) / s - 1/2 for scales 1, 1, 2, 2: (-1 / (2 s) + 1/2) s / (s + 1).
        for offset, expected in zip(offsets, (0, 0, 1 / 6, 1 / 6)):
            self.assertAlmostEqual(offset, expected, places=7)
        documented, here = self.printed(model), self.printed(plain)
        for name in ("d.c1", "d.c2"):
            for a, b in zip(documented[name], here[name]):
                self.assertAlmostEqual(a, b, places=6)
        exchanged = anydml("run", self.save(model),
                           env={**os.environ, "ANYDML_PIXEL_OFFSETS": "exchanged"})
        self.assertEqual(exchanged.stdout, self.run_model(model).stdout)

    def test_for_an_older_directml(self):
        """The gradient of t is a NEGATE, which came with 5_0."""
        def types(*arguments):
            text = self.grad(REGRESSION, "--loss", "loss", "--of", "t", "--for", "directml",
                             *arguments).stdout
            self.assertEqual(self.printed(text)["d.t"], [1.5, 0, 1, 2])
            return {d["type"] for d in json.loads(text)["dispatchables"].values()}

        self.assertIn("ELEMENT_WISE_NEGATE", types())
        self.assertNotIn("ELEMENT_WISE_NEGATE", types("--feature-level", "4.1"))
        out = self.folder / "out.json"
        self.assert_fails(self.grad(REGRESSION, "--loss", "loss", "--of", "t", "--for", "directml",
                                    "--feature-level", "2.0", "-o", out),
                          "needs feature level 3_0 or above; this device has 2_0")
        self.assertFalse(out.exists())

    def test_clip_for_an_older_directml(self):
        model = {"resources": {n: values([-2, 0.25, 3] if n == "x" else [0] * k)
                               for n, k in (("x", 3), ("y", 3), ("loss", 1))},
                 "dispatchables": {
                     "y": {"type": "ACTIVATION_HARD_SIGMOID", "desc": {
                         "InputTensor": tensor(3), "OutputTensor": tensor(3), "Alpha": 0.5,
                         "Beta": 0.5}},
                     "sum": {"type": "REDUCE", "desc": {
                         "Function": "SUM", "InputTensor": tensor(3), "OutputTensor": tensor(1),
                         "AxisCount": 1, "Axes": [0]}}},
                 "commands": [
                     {"type": "dispatch", "dispatchable": "y", "bindings": {
                         "InputTensor": "x", "OutputTensor": "y"}},
                     {"type": "dispatch", "dispatchable": "sum", "bindings": {
                         "InputTensor": "y", "OutputTensor": "loss"}}]}
        result = self.grad(model, "--loss", "loss", "--of", "x", "--for", "directml",
                           "--feature-level", "4.1")
        self.assertIn('"ELEMENT_WISE_CLIP_GRAD"', result.stdout)
        self.assertEqual(self.printed(result.stdout)["d.x"], [0, 0.5, 0])

    def test_pixels_at_a_border_for_directml(self):
        """x = (o - 1) / 2 is a whole number for every second element."""
        model = {"resources": {n: values([1, 2] if n == "x" else [0] * k)
                               for n, k in (("x", 2), ("y", 4), ("loss", 1))},
                 "dispatchables": {
                     "y": {"type": "RESAMPLE2", "desc": {
                         "InputTensor": tensor(2), "OutputTensor": tensor(4),
                         "InterpolationMode": "NEAREST_NEIGHBOR", "RoundingDirection": "DECREASING",
                         "DimensionCount": 1, "Scales": [2], "InputPixelOffsets": [0],
                         "OutputPixelOffsets": [1]}},
                     "sum": {"type": "REDUCE", "desc": {
                         "Function": "SUM", "InputTensor": tensor(4), "OutputTensor": tensor(1),
                         "AxisCount": 1, "Axes": [0]}}},
                 "commands": [
                     {"type": "dispatch", "dispatchable": "y", "bindings": {
                         "InputTensor": "x", "OutputTensor": "y"}},
                     {"type": "dispatch", "dispatchable": "sum", "bindings": {
                         "InputTensor": "y", "OutputTensor": "loss"}}]}
        arguments = ("--loss", "loss", "--of", "x", "--for", "directml")
        self.assert_fails(self.grad(model, *arguments), "RESAMPLE_GRAD1 cannot be given equal "
                          "pixel offsets: along dimension 0 an element lies on the border")
        model["dispatchables"]["y"]["desc"]["OutputPixelOffsets"] = [0.5]
        result = self.grad(model, *arguments)
        self.assertEqual(self.printed(result.stdout)["d.x"], [3, 1])

    def test_sgd(self):
        text = self.grad(REGRESSION, "--loss", "loss", "--of", "w,b", "--update", "sgd:0.5").stdout
        printed = self.printed(text)
        self.assertEqual((printed["w"], printed["b"]), ([3.25, 1.5], [2.25]))

    def test_sgd_with_momentum(self):
        model = json.loads(self.grad(REGRESSION, "--loss", "loss", "--of", "w,b",
                                     "--update", "sgd:0.5:0.25").stdout)
        x, t = np.float32([[1, 0], [0, 1], [1, 1], [2, 1]]), np.float32([3, 0, 2, 4])
        w, b, v, vb = np.zeros(2), 0, np.zeros(2), 0
        for _ in range(2):
            e = x @ w + b - t
            v, vb = v * 0.25 + x.T @ e / 2, vb * 0.25 + e.sum() / 2
            w, b = w - v * 0.5, b - vb * 0.5
        steps = [c for c in model["commands"] if c["type"] == "dispatch"]
        kept = ("w", "w.velocity", "b", "b.velocity", "steps", "learning_rate")
        model["commands"] = steps * 2 + [{"type": "print", "resource": n} for n in kept]
        self.assertEqual(self.printed(model), dict(zip(
            kept, (list(w), list(v), [b], [vb], [2], [0.5]))))

    def test_executing_the_commands_again_trains(self):
        text = self.grad(REGRESSION, "--loss", "loss", "--of", "w,b",
                         "--update", "adam:0.1").stdout
        model = json.loads(text)
        first = self.printed(model)
        # The first step of Adam has the size of the rate.
        for name, expected in (("w", [0.1, 0.1]), ("b", [0.1]), ("steps", [1])):
            for a, b in zip(first[name], expected):
                self.assertAlmostEqual(a, b, places=5)
        steps = [c for c in model["commands"] if c["type"] == "dispatch"]
        model["commands"] = steps * 400 + [{"type": "print", "resource": n}
                                           for n in ("loss", "steps")]
        trained = self.printed(model)
        self.assertEqual(trained["steps"], [400])
        self.assertLess(trained["loss"][0], 1e-3)

    def test_warns_of_resources_that_were_declared_of_another_type(self):
        """Before a training too, whatever else is wrong with the step."""
        model = copy.deepcopy(REGRESSION)
        model["resources"]["x"]["initialValuesDataType"] = "INT32"
        path, step = self.save(model), self.folder / "step.json"
        for result in (self.grad(model, "--loss", "loss", "--of", "w", "--update", "sgd:1", "-o", step),
                       anydml("train", path, "--steps", 1, "--save", self.folder / "weights")):
            self.assertIn('"x" is declared INT32 and the tensor is FLOAT32', result.stderr)

    def test_refusals(self):
        def refused(sentence, *arguments, model=REGRESSION):
            out = self.folder / "out.json"
            self.assert_fails(self.grad(model, *arguments, "-o", out), sentence)
            self.assertFalse(out.exists())

        refused("--loss: 'los' is no resource that a dispatch reads or writes; did you mean loss?",
                "--loss", "los", "--of", "w")
        refused("--of: 'q' is no resource that a dispatch reads or writes",
                "--loss", "loss", "--of", "w,q")
        refused("what is differentiated must have one element", "--loss", "y", "--of", "w")
        refused("does not depend on input 't'", "--loss", "loss2", "--of", "t",
                model=self.with_second_loss())
        refused("which has no gradient", "--loss", "loss2", "--of", "n",
                model=self.with_second_loss())
        for rule in ("sgd", "adam"):
            refused("optimizer: the learning rate -1 must be finite and at least 0",
                    "--loss", "loss", "--of", "w", "--update", f"{rule}:-1")
        refused("optimizer: momentum = 2 must be from 0 to 1",
                "--loss", "loss", "--of", "w", "--update", "sgd:1:2")
        refused("--update: 'y' is written by a dispatch", "--loss", "loss", "--of", "y",
                "--update", "sgd:1")
        twice = copy.deepcopy(REGRESSION)
        twice["commands"].insert(1, twice["commands"][0])
        refused('the model is no graph: commands[1] writes "y", which commands[0] has written',
                "--loss", "loss", "--of", "w", model=twice)
        cycle = copy.deepcopy(REGRESSION)
        cycle["commands"][0]["bindings"]["CTensor"] = "loss"
        refused('the model is no graph: commands[3] writes "loss", which commands[0] reads',
                "--loss", "loss", "--of", "w", model=cycle)
        refused("--of: 'w' is named twice", "--loss", "loss", "--of", "w,b,w")
        named = json.loads(json.dumps(REGRESSION).replace('"e"', '"d.w"'))
        refused("there is a value 'd.w' already", "--loss", "loss", "--of", "w", model=named)

    def test_a_model_does_not_replace_what_it_comes_from(self):
        source = self.folder / "w.dat"
        source.write_bytes(bytes(8))
        model = copy.deepcopy(REGRESSION)
        model["resources"]["w"]["initialValues"] = {"sourcePath": "w.dat"}
        path = self.save(model)
        for kept in (path, source):
            self.assert_keeps(kept, "grad", path, "--loss", "loss", "--of", "w,b", "-o")

    def with_second_loss(self):
        """loss2 depends on w and on the integers n, and not on t."""
        model = copy.deepcopy(REGRESSION)
        model["resources"].update(n=values([1, 2], "INT32"), f=values([0, 0]), p=values([0, 0]),
                                  loss2=values([0]))
        model["dispatchables"].update(
            cast={"type": "CAST", "desc": {"InputTensor": tensor(2, 1, data_type="INT32"),
                                           "OutputTensor": tensor(2, 1)}},
            multiply={"type": "ELEMENT_WISE_MULTIPLY", "desc": {
                "ATensor": tensor(2, 1), "BTensor": tensor(2, 1), "OutputTensor": tensor(2, 1)}},
            sum={"type": "REDUCE", "desc": {
                "Function": "SUM", "InputTensor": tensor(2, 1), "OutputTensor": tensor(1, 1),
                "AxisCount": 2, "Axes": [0, 1]}})
        model["commands"] += [
            {"type": "dispatch", "dispatchable": "cast", "bindings": {
                "InputTensor": "n", "OutputTensor": "f"}},
            {"type": "dispatch", "dispatchable": "multiply", "bindings": {
                "ATensor": "w", "BTensor": "f", "OutputTensor": "p"}},
            {"type": "dispatch", "dispatchable": "sum", "bindings": {
                "InputTensor": "p", "OutputTensor": "loss2"}}]
        return model

    def test_usage(self):
        for arguments, sentence in (
                (("--loss", "loss"), "--of is required"),
                (("--loss", "loss", "--of", "w", "--update", "adam"),
                 "'adam' must be adam:RATE, sgd:RATE or sgd:RATE:MOMENTUM"),
                (("--loss", "loss", "--of", "w", "--update", "adam:1:1"),
                 "'adam:1:1' must be adam:RATE, sgd:RATE or sgd:RATE:MOMENTUM"),
                (("--loss", "loss", "--of", "w", "--update", "sgd:x"),
                 "'sgd:x' must be adam:RATE, sgd:RATE or sgd:RATE:MOMENTUM"),
                (("--loss", "loss", "--of", "w", "--update", "adam:1e-50"),
                 "'adam:1e-50' must be adam:RATE, sgd:RATE or sgd:RATE:MOMENTUM"),
                (("--loss", "loss", "--of", "w", "--feature-level", "3.0"), "requires --for"),
                (("--loss", "loss", "--of", "w", "--for", "onnx"), "--for")):
            result = self.grad(REGRESSION, *arguments)
            self.assertEqual((result.stdout, result.returncode), ("", 2))
            self.assertIn(sentence, result.stderr)


if __name__ == "__main__":
    unittest.main()
