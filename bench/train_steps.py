#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Times whole steps of trainings - forward, backward, Adam - beside PyTorch's.

    PYTHONPATH=python python3 bench/train_steps.py [--device cpu] [--threads 2] [--seconds 10]

Each network is written once and runs on both, FLOAT32 without TF32, PyTorch in its deterministic
mode. The losses of the first steps must agree before the clock runs; then both take turns, a turn
ends when the loss is there, and medians count. With --memory nothing is timed: the bytes of a step are
compared, batch, weights and moments included; PyTorch counts its own on a card alone.
"""
import argparse
import statistics
import time
import warnings

import numpy
import torch
import torch.nn.functional as F

import anydml


class Ours:
    relu = staticmethod(anydml.relu)
    cross_entropy = staticmethod(anydml.cross_entropy)
    binary_cross_entropy = staticmethod(anydml.binary_cross_entropy)

    @staticmethod
    def convolve(x, w, bias, stride, padding):
        bias = () if bias is None else (bias.reshape(1, -1, 1, 1),)
        return anydml.convolution(x, w, *bias, strides=stride, start_padding=padding,
                                  end_padding=padding)

    @staticmethod
    def normalize(x, scale, bias):
        return anydml.batch_normalization_training(
            x, scale.reshape(1, -1, 1, 1), bias.reshape(1, -1, 1, 1), epsilon=1e-5)[0]

    @staticmethod
    def half(x):
        return anydml.max_pooling2(x, window_size=2, strides=2)

    @staticmethod
    def double(x):
        return anydml.resample2(x, interpolation_mode="linear", rounding_direction="increasing",
                                scales=(1, 1, 2, 2))

    @staticmethod
    def crop(x, margin):
        n, c, h, w = x.shape
        return anydml.slice1(x, input_window_offsets=(0, 0, margin, margin), input_window_strides=1,
                             input_window_sizes=(n, c, h - 2 * margin, w - 2 * margin))

    @staticmethod
    def join(a, b):
        return anydml.join([a, b], axis=1)

    @staticmethod
    def clip(x):
        return anydml.clip1(x, min=-8, max=8)

    @staticmethod
    def mean(x):
        return anydml.average_pooling(x, window_size=x.shape[2:])

    @staticmethod
    def linear(x, w, bias):
        return anydml.gemm(x, w, trans_b="transpose") + bias


class Torch:
    relu = staticmethod(torch.relu)
    cross_entropy = staticmethod(F.cross_entropy)
    binary_cross_entropy = staticmethod(F.binary_cross_entropy_with_logits)

    @staticmethod
    def convolve(x, w, bias, stride, padding):
        return F.conv2d(x, w, bias, stride, padding)

    @staticmethod
    def normalize(x, scale, bias):
        return F.batch_norm(x, None, None, scale, bias, training=True)

    @staticmethod
    def half(x):
        return F.max_pool2d(x, 2)

    @staticmethod
    def double(x):
        return F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)

    @staticmethod
    def crop(x, margin):
        return x[:, :, margin:-margin, margin:-margin]

    @staticmethod
    def join(a, b):
        return torch.cat([a, b], 1)

    @staticmethod
    def clip(x):
        return x.clamp(-8, 8)

    @staticmethod
    def mean(x):
        return F.avg_pool2d(x, x.shape[2:])

    @staticmethod
    def linear(x, w, bias):
        return x @ w.T + bias


class Network:
    """Names weights as it goes: once to collect their shapes, then with values."""

    def __init__(self, ops, values=None):
        self.ops, self.values, self.shapes = ops, values, {}

    def weight(self, name, shape):
        self.shapes[name] = shape
        return self.values[name] if self.values else numpy.ones(shape, "float32")

    def convolve(self, x, name, channels, filter, padding=0, stride=1, bias=True):
        w = self.weight(name, (channels, x.shape[1], filter, filter))
        return self.ops.convolve(x, w, self.weight(name + ".bias", (channels,)) if bias else None,
                                 stride, padding)

    def linear(self, x, name, outputs):
        x = x.reshape(x.shape[0], -1)
        return self.ops.linear(x, self.weight(name, (outputs, x.shape[1])),
                               self.weight(name + ".bias", (outputs,)))

    def lenet(self, x, truth):
        ops = self.ops
        v = ops.half(ops.relu(self.convolve(x, "c1", 6, 5, padding=2)))
        v = ops.half(ops.relu(self.convolve(v, "c2", 16, 5)))
        v = ops.relu(self.linear(v, "f1", 120))
        v = ops.relu(self.linear(v, "f2", 84))
        return ops.cross_entropy(self.linear(v, "f3", 10), truth)

    def twice(self, x, name, channels, padding=1):
        v = self.ops.relu(self.convolve(x, name + "1", channels, 3, padding))
        return self.ops.relu(self.convolve(v, name + "2", channels, 3, 1))

    def up(self, x, before):
        large = self.ops.double(x)
        return self.ops.join(self.ops.crop(before, (before.shape[2] - large.shape[2]) // 2), large)

    def unet(self, x, truth):
        a = self.twice(x, "a", 8, padding=5)
        b = self.twice(self.ops.half(a), "b", 16)
        c = self.twice(self.ops.half(b), "c", 32, padding=0)
        d = self.twice(self.up(c, b), "d", 16)
        e = self.twice(self.up(d, a), "e", 8)
        return self.ops.binary_cross_entropy(self.ops.clip(self.convolve(e, "s", 1, 1)), truth)

    def normalized(self, x, name, channels, filter, stride):
        v = self.convolve(x, name, channels, filter, filter // 2, stride, bias=False)
        return self.ops.normalize(v, self.weight(name + ".scale", (channels,)),
                                  self.weight(name + ".shift", (channels,)))

    def block(self, x, name, channels, stride):
        v = self.ops.relu(self.normalized(x, name + "1", channels, 3, stride))
        past = x if stride == 1 and x.shape[1] == channels else (
            self.normalized(x, name + "p", channels, 1, stride))
        return self.ops.relu(self.normalized(v, name + "2", channels, 3, 1) + past)

    def resnet18(self, x, truth):
        """With a first convolution of 3x3, for CIFAR's 32 x 32 pixels."""
        v = self.ops.relu(self.normalized(x, "first", 64, 3, 1))
        for stage, channels in enumerate((64, 128, 256, 512)):
            for i in range(2):
                v = self.block(v, f"s{stage}b{i}", channels, 2 if stage and not i else 1)
        return self.ops.cross_entropy(self.linear(self.ops.mean(v), "scores", 10), truth)


def shapes_of(name, x, truth):
    network = Network(Ours)
    anydml.value_and_grad(lambda x: getattr(network, name)(x, truth))(x)
    return network.shapes


class OurStep:
    name = "AnyDML"

    def __init__(self, network, weights, x, truth, options):
        self.step = anydml.train_step(
            lambda p, x, t: getattr(Network(Ours, p), network)(x, t), anydml.Adam(1e-3),
            device=options.device, threads=options.threads if options.device == "cpu" else 0)
        self.state = self.step.init(weights)
        self.batch = (x, truth)

    def __call__(self):
        self.state, loss = self.step(self.state, *self.batch)
        return float(loss)

    def memory(self):
        return self.state._in_use().info().memory_bytes


class TorchStep:
    name = "PyTorch"

    def __init__(self, network, weights, x, truth, options):
        device = options.device
        self.weights = {n: torch.tensor(w, device=device, requires_grad=True)
                        for n, w in weights.items()}
        self.optimizer = torch.optim.Adam(self.weights.values(), 1e-3)
        truth = truth.astype("int64") if truth.dtype == "uint32" else truth
        self.batch = (torch.tensor(x, device=device), torch.tensor(truth, device=device))
        self.forward = getattr(Network(Torch, self.weights), network)

    def __call__(self):
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.forward(*self.batch)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def memory(self):
        """The most that was in use at a time, in the next step."""
        if self.batch[0].device.type == "cpu":
            return None
        torch.cuda.reset_peak_memory_stats()
        self()
        return torch.cuda.max_memory_allocated()


def race(network, x, truth, options):
    shapes = shapes_of(network, x, truth)
    weights = anydml.uniform_parameters(shapes, seed=1)
    for name in weights:
        if name.endswith(".scale"):
            weights[name] = numpy.ones_like(weights[name])
    steps = [kind(network, weights, x, truth, options) for kind in (OurStep, TorchStep)]
    for _ in range(3):
        ours, theirs = (step() for step in steps)
        if abs(ours - theirs) > 2e-2 * abs(theirs):
            raise SystemExit(f"{network}: the losses are {ours} and {theirs}")
    if options.memory:
        ours, theirs = (step.memory() for step in steps)
        told = "" if theirs is None else (f"  PyTorch {torch.__version__} {theirs / 2**20:9.2f} MiB  "
                                          f"{ours / theirs:5.2f} of it")
        print(f"{network:10} batch {len(x):3}  AnyDML {ours / 2**20:9.2f} MiB{told}", flush=True)
        return
    times = [[], []]
    end = time.perf_counter() + options.seconds
    while time.perf_counter() < end or len(times[0]) < 5:
        for step, found in zip(steps, times):
            start = time.perf_counter()
            step()
            found.append(time.perf_counter() - start)
    ours, theirs = (1e3 * statistics.median(found) for found in times)
    print(f"{network:10} batch {len(x):3}  AnyDML {ours:8.2f} ms  PyTorch {torch.__version__} "
          f"{theirs:8.2f} ms  {theirs / ours:5.2f} times as fast", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10, help="per network")
    parser.add_argument("--memory", action="store_true", help="compare bytes in place of times")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    warnings.simplefilter("ignore")        # of what has no deterministic form
    torch.use_deterministic_algorithms(True, warn_only=True)
    random = numpy.random.default_rng(1)

    def images(*shape):
        return random.random(shape, "float32")

    def classes(count):
        return random.integers(0, 10, count).astype("uint32")

    large = 32 if options.device == "cpu" else 128
    race("lenet", images(64, 1, 28, 28), classes(64), options)
    race("unet", images(16, 1, 56, 56), (images(16, 1, 56, 56) > 0.7).astype("float32"), options)
    race("resnet18", images(large, 3, 32, 32), classes(large), options)


if __name__ == "__main__":
    main()
