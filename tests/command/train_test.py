# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""`anydml train` and `anydml verify`: batches, checkpoints, logs, an interruption, refusals."""
import json
import pathlib
import signal
import struct
import subprocess
import sys
import unittest

import numpy as np

from command import COMMAND, MODELS, SOURCE, CommandTest, anydml

sys.path.insert(0, str(SOURCE / "tests/train"))
from training_numbers import he_bound, shuffled, uniform  # pylint: disable=wrong-import-position

REGRESSION = MODELS / "linear_regression.json"  # mean((x w + b - t)^2) of four samples; w = b = 0
X = [[1, 0], [0, 1], [1, 1], [2, 1]]
T = [3, 0, 2, 4]


class TrainTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.step = self.make_step("sgd:0.5")

    def make_step(self, update, name="step.json"):
        made = anydml("grad", REGRESSION, "--loss", "loss", "--of", "w,b", "--update", update,
                      "-o", self.folder / name)
        self.assert_prints(made, "")
        return self.folder / name

    def array(self, name, values, data_type=np.float32):
        np.save(self.folder / name, np.array(values, data_type))
        return self.folder / name

    def idx(self, name, values):
        values = np.array(values, np.uint8)
        header = bytes([0, 0, 8, values.ndim]) + struct.pack(f">{values.ndim}I", *values.shape)
        (self.folder / name).write_bytes(header + values.tobytes())
        return self.folder / name

    def train(self, *arguments, step=None, **options):
        given = list(arguments)
        for option, value in (("--save", "weights"), ("--log", "run.jsonl")):
            given += [] if option in given else [option, value]
        return anydml("train", step or self.step, *given, cwd=self.folder, **options)

    def verify(self, *arguments):
        return anydml("verify", "run.jsonl", *arguments, cwd=self.folder)

    def trained(self, *arguments, **options):
        """The losses that a training logs."""
        result = self.train(*arguments, **options)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        return [loss for loss in map(self.loss_of, self.log()) if loss is not None]

    def log(self):
        return (self.folder / "run.jsonl").read_text().splitlines()

    @staticmethod
    def loss_of(line):
        bits = json.loads(line).get("bits")
        return bits and struct.unpack(">f", bytes.fromhex(bits))[0]


class Train(TrainTest):
    def test_steps_by_hand(self):
        # loss = (9 + 0 + 4 + 16) / 4; w -= dw / 2, where dw = (-6.5, -3) and db = -4.5.
        losses = self.trained("--steps", 2, "--every", 1)
        w, b = np.float64([3.25, 1.5]), 2.25
        self.assertEqual(losses, [7.25, np.mean((X @ w + b - T) ** 2)])
        self.assertEqual(self.names(self.folder / "weights"), ["1", "2"])
        np.testing.assert_array_equal(np.load(self.folder / "weights/1/w.npy").ravel(), w)
        np.testing.assert_array_equal(np.load(self.folder / "weights/1/b.npy").ravel(), b)

    def test_batches_are_in_the_order_of_the_seed(self):
        step = self.make_step("sgd:0")
        targets = np.arange(13)  # of which the last one in an epoch is left over
        for seed in (1, 7):
            expected = []
            for epoch in range(2):
                order = shuffled(seed, epoch, 13)
                expected += [np.mean(targets[order[i:i + 4]] ** 2.0) for i in (0, 4, 8)]
            for file in (self.array("t.npy", targets), self.idx("t.idx", targets)):
                self.assertEqual(expected, self.trained(
                    "--steps", 6, "--seed", seed, "--feed", f"t={file}", step=step))

    def test_feeds_take_the_place_of_the_models_values(self):
        x, t = self.array("x.npy", X), self.idx("t.idx", T)
        fed = self.trained("--feed", f"x={x}", "--feed", f"t={t}", "--steps", 1)
        self.assertEqual(fed, [7.25])
        double = self.array("x.npy", np.array(X) * 0)
        self.assertEqual(7.25, self.trained("--feed", f"x={double}", "--steps", 1)[0])
        np.testing.assert_array_equal(np.load(self.folder / "weights/1/w.npy").ravel(), [0, 0])

    def test_bytes_become_what_the_model_takes(self):
        """Of labels that are UINT32, which a dispatch makes FLOAT32."""
        model = json.loads(self.step.read_text())
        model["resources"]["labels"] = {"initialValuesDataType": "UINT32",
                                        "initialValues": [0, 0, 0, 0]}
        model["dispatchables"]["cast"] = {"type": "CAST", "desc": {
            "InputTensor": {"DataType": "UINT32", "Sizes": [4]},
            "OutputTensor": {"DataType": "FLOAT32", "Sizes": [4]}}}
        model["commands"].insert(0, {"type": "dispatch", "dispatchable": "cast", "bindings": {
            "InputTensor": "labels", "OutputTensor": "t"}})
        step = self.save(model)
        labels = [255, 0, 1, 128]
        expected = [np.mean(np.square(labels, dtype=np.float64))]
        for file in (self.idx("l.idx", labels), self.array("l.npy", labels, np.uint32)):
            fed = self.trained("--feed", f"labels={file}", "--steps", 1, step=step)
            self.assertEqual(fed, expected)

    def test_checkpoints_have_the_sums_of_the_log(self):
        self.trained("--steps", 5, "--every", 2, step=self.make_step("adam:0.1"))
        found = [json.loads(line) for line in self.log() if "checkpoint" in line]
        self.assertEqual([entry["checkpoint"] for entry in found], [2, 4, 5])
        for entry in found:
            text = subprocess.run(["sha256sum", self.folder / entry["folder"] / "weights.bin"],
                                  text=True, capture_output=True, check=True).stdout
            self.assertEqual(text.split()[0], entry["sha256"])

    def test_going_on_gives_the_bits_of_one_run(self):
        step = self.make_step("adam:0.1")
        options = ("--feed", f"t={self.array('t.npy', range(13))}", "--every", 4, "--seed", 3)
        whole = self.trained("--steps", 10, *options, step=step)
        sum_of_whole = json.loads(self.log()[-1])["sha256"]
        rest = self.trained("--steps", 10, "--from", "weights/4", "--save", "other", *options,
                            step=step)
        self.assertEqual(rest, whole[4:])
        self.assertEqual(json.loads(self.log()[-1])["sha256"], sum_of_whole)
        for number, first, last in ((5, 5, 8), (9, 9, 10)):
            self.assertIn(f"steps {first} to {last}: ", self.verify("--step", number).stdout)
        self.assert_fails(self.verify("--step", 4), "has checkpoints of steps 5 to 10")

    def test_first_values_follow_from_the_seed(self):
        def first(*options):
            self.trained("--steps", 1, *options, step=self.make_step("sgd:0"))
            w = np.load(self.folder / "weights/1/w.npy")
            self.assertEqual(self.verify("--step", 1).returncode, 0)
            return w

        self.assertFalse(first().any())
        w = first("--init", "w", "--seed", 5)
        np.testing.assert_array_equal(
            w.ravel(), uniform(5, "w", he_bound(w.size // w.shape[0]), w.size))
        self.assertFalse(np.load(self.folder / "weights/1/b.npy").any())

    def test_an_interruption_saves_a_checkpoint(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                self.setUp()
                self.interrupt(number)

    def interrupt(self, number):
        process = subprocess.Popen(
            [COMMAND, "train", self.make_step("adam:0.1"), "--steps", "100000000", "--every",
             "1000", "--save", "weights", "--log", "run.jsonl"], cwd=self.folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not (self.folder / "weights/1000").exists():
            self.assertIsNone(process.poll())
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(errors, r"^anydml: interrupted after step (\d+) of 100000000, which is "
                                 r"saved in weights/\1\n$")
        last = errors.split()[4]
        self.assertIn(last, self.names(self.folder / "weights"))
        self.assertFalse(list(self.folder.rglob("*.part")))
        self.assertEqual(self.verify("--step", last).returncode, 0)


class Verify(TrainTest):
    def setUp(self):
        super().setUp()
        self.t = self.array("t.npy", np.arange(12))
        self.trained("--steps", 10, "--every", 4, "--feed", "t=t.npy",
                     step=self.make_step("adam:0.1"))

    def test_makes_the_steps_between_two_checkpoints_again(self):
        for step, first, last in ((1, 1, 4), (4, 1, 4), (5, 5, 8), (10, 9, 10)):
            self.assert_prints(
                self.verify("--step", step, "--threads", 1),
                f"steps {first} to {last}: all losses and the sha256 of the last checkpoint are "
                "the same on cpu\n")

    def test_another_loss_is_found(self):
        lines = self.log()
        index = next(i for i, line in enumerate(lines) if '"step":6' in line)
        entry = json.loads(lines[index])
        entry["bits"] = f"{int(entry['bits'], 16) ^ 1:08x}"
        lines[index] = json.dumps(entry)
        (self.folder / "run.jsonl").write_text("\n".join(lines) + "\n")
        self.assert_fails(self.verify("--step", 7), "step 6: the loss is ")
        self.assertEqual(self.verify("--step", 3).returncode, 0)

    def test_another_checkpoint_is_found(self):
        weights = self.folder / "weights/4/w.npy"
        content = weights.read_bytes()
        weights.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        self.assert_fails(self.verify("--step", 5), "weights/4/w.npy was changed: manifest.json "
                          "has another sha256 of it")
        weights.write_bytes(content[:-1])
        self.assert_fails(self.verify("--step", 5), "weights/4/w.npy ")
        weights.unlink()
        self.assert_fails(self.verify("--step", 5), "weights/4/w.npy does not exist")

    def test_a_checkpoint_of_another_step_is_found(self):
        (self.folder / "weights/4").rename(self.folder / "weights/old")
        (self.folder / "weights/8").rename(self.folder / "weights/4")
        self.assert_fails(self.verify("--step", 5), "weights/4 is of step 8 and must be of step 4")

    def test_other_files_are_found(self):
        self.array("t.npy", np.arange(1, 13))
        self.assert_fails(self.verify("--step", 5),
                          "t.npy is not the file that was trained with")
        self.array("t.npy", np.arange(12))
        self.make_step("adam:0.2")
        self.assert_fails(self.verify("--step", 5), "step.json is not the file")

    def test_logs_that_are_none(self):
        self.assert_fails(self.verify("--step", 11),
                          "--step 11: run.jsonl has checkpoints of steps 1 to 10")
        text = (self.folder / "run.jsonl").read_text()
        header, rest = text.split("\n", 1)
        for changed, sentence in (
                ("", "run.jsonl: line 1 is no JSON object"),
                ("{}\n" + rest, "run.jsonl: line 1 is not the beginning of a training's log"),
                (header + "\n[]\n", "run.jsonl: line 2 is no JSON object"),
                (header + "\n" + rest.split("\n", 1)[1], "line 2 is neither the next step")):
            (self.folder / "run.jsonl").write_text(changed)
            self.assert_fails(self.verify("--step", 1), sentence)
        (self.folder / "run.jsonl").write_text(text[:-10])  # the last checkpoint's line is cut
        self.assertEqual(self.verify("--step", 8).returncode, 0)
        self.assert_fails(self.verify("--step", 9), "run.jsonl has checkpoints of steps 1 to 8")
        (self.folder / "run.jsonl").unlink()
        self.assert_fails(self.verify("--step", 1), "run.jsonl does not exist")


class Refusals(TrainTest):
    def refuse(self, sentence, *arguments, **options):
        before = self.names()
        self.assert_fails(self.train("--steps", 1, *arguments, **options), sentence)
        self.assertEqual(self.names(), before)  # no file, whole or half

    def test_models(self):
        self.refuse("nowhere.json: ", step="nowhere.json")
        self.refuse("no resource is written over, so that nothing is trained", step=REGRESSION)
        model = json.loads(self.step.read_text())
        model["commands"] = [c for c in model["commands"] if c["type"] != "print"]
        self.refuse("no command prints the loss", step=self.save(model))
        model["commands"].append({"type": "print", "resource": "x"})
        self.refuse("'x', which is printed first, must be the loss", step=self.save(model))
        self.refuse("a training must be a file", step="-")
        named = self.step.read_text().replace('"w"', '"../w"')
        self.refuse("the name '../w' must be of", step=self.save(named))

    def test_feeds(self):
        def feed(path):
            return ("--feed", f"t={path}")

        self.refuse("--feed: 't' must be NAME=FILE", "--feed", "t")
        self.refuse("--feed t: nowhere.npy does not exist", *feed("nowhere.npy"))
        file = self.array("t.npy", T)
        self.refuse("--feed: 'w' is no resource that the model only reads", "--feed", f"w={file}")
        self.refuse("--feed: 't' is fed twice", *feed(file), *feed(file))
        self.refuse("has FLOAT64 and the model takes FLOAT32",
                    *feed(self.array("d.npy", T, np.float64)))
        self.refuse("has Sizes {3}; the model takes batches of Sizes {4",
                    *feed(self.array("few.npy", T[:3])))
        for sizes in ((9, 3), (4, 2)):
            self.refuse(f"has Sizes {{{sizes[0]}, {sizes[1]}}}; the model takes batches of Sizes",
                        *feed(self.array("odd.npy", np.ones(sizes))))
        for sizes in ((2, 4), (8,)):
            self.refuse("; the model takes batches of Sizes {1, 1, 4, 2}",
                        "--feed", f"x={self.array('x.npy', np.ones(sizes))}")
        self.refuse("has 5 samples for batches of 4; the first file has 4 for batches of 4",
                    "--feed", f"x={self.array('x.npy', X)}", *feed(self.array("5.npy", T + [1])))
        np.savez(self.folder / "t.npz", T)
        self.refuse("t.npz is an archive (.npz or .zip): save one array as .npy",
                    *feed(self.folder / "t.npz"))
        file.rename(self.folder / "t.bin")
        self.refuse("t.bin is a NumPy file: its name must end with .npy",
                    *feed(self.folder / "t.bin"))
        whole = pathlib.Path(self.idx("t.idx", T)).read_bytes()
        (self.folder / "cut.idx").write_bytes(whole[:-1])
        self.refuse("cut.idx has 3 bytes after its sizes", *feed(self.folder / "cut.idx"))

    def test_places_that_cannot_be_written(self):
        self.refuse("nowhere/weights cannot be created", "--save", "nowhere/weights")
        self.refuse("step.json cannot be created", "--save", "step.json")
        (self.folder / "weights").mkdir()
        self.refuse("nowhere/run.jsonl", "--log", "nowhere/run.jsonl")
        (self.folder / "weights/1").write_text("mine")
        result = self.train("--steps", 1)
        self.assert_fails(result, "weights/1 is there and is no checkpoint")
        self.assertEqual((self.folder / "weights/1").read_text(), "mine")

    def test_going_on(self):
        self.trained("--steps", 4, "--every", 2)
        self.refuse("--steps 1: weights/4 is of step 4", "--from", "weights/4")
        self.refuse("--seed 2: weights/4 has the seed 1", "--from", "weights/4", "--seed", 2)
        self.refuse("nowhere", "--from", "nowhere")
        self.refuse("--init: 'W' is no packed FLOAT32 resource that the model trains; did you mean",
                    "--init", "W")

    def test_a_log_does_not_replace_what_is_trained_with(self):
        (self.folder / "x.bin").write_bytes(np.float32(X).tobytes())
        model = json.loads(self.step.read_text())
        model["resources"]["x"]["initialValues"] = {"sourcePath": "x.bin"}
        self.step.write_text(json.dumps(model))
        fed = self.array("t.npy", T)
        for kept in (self.step, self.folder / "x.bin", fed):
            self.assert_keeps(kept, "train", self.step, "--feed", f"t={fed}", "--steps", 1,
                              "--save", "weights", "--log")

    def test_usage(self):
        for seed in ("-1", "18446744073709551616", "1.5", "one"):
            result = self.train("--steps", 1, "--seed", seed)
            self.assertEqual((result.stdout, result.returncode), ("", 2))
            self.assertIn(f"'{seed}' must be a whole number from 0 to 2^64 - 1", result.stderr)
        for arguments, sentence in ((("train", self.step, "--save", "w"), "--steps is required"),
                                    (("train", self.step, "--steps", 1), "--save is required"),
                                    (("verify", "run.jsonl"), "--step is required")):
            result = anydml(*arguments)
            self.assertEqual((result.stdout, result.returncode), ("", 2))
            self.assertIn(sentence, result.stderr)


if __name__ == "__main__":
    unittest.main()
