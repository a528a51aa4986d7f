#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Trains a small segmentation network on one process or many, whose weights have the same bits on 1,
2, 4 and 8 of them, CPUs and NVIDIA's GPUs. The five gradients with which AnyDML began are at work:
ReLU, max pooling, upsampling, cropping and clipping.

    python3 examples/train_ddp.py                       one process per GPU, by nccl; without a
                                                        GPU two processes, by gloo
    python3 examples/train_ddp.py --backend gloo --ranks 4
    RANK=0 WORLD_SIZE=2 MASTER_ADDR=... MASTER_PORT=... python3 examples/train_ddp.py
                                                        one process of a cluster, by env://

The images are discs in noise, made on the fly, so that nothing is downloaded.
"""
import argparse
import hashlib
import importlib.util
import math
import os
import re
import socket
import sys

import numpy
import torch
import torch.distributed as distributed
import torch.multiprocessing
from torch import nn
from torch.nn.parallel import DistributedDataParallel

import anydml

SIDE, BORDER = 36, 2
SHARDS = 8                                 # of a batch, however many processes there are
CROP = numpy.s_[..., BORDER:-BORDER, BORDER:-BORDER]
FILTERS = {"fine": (8, 1, 3, 3), "coarse": (16, 8, 3, 3), "head": (1, 24, 3, 3)}


def loss_of(p, images, masks):
    """A U-shaped network of one floor. The border, where convolutions see padding, is cropped."""
    def convolve(x, name):
        return anydml.convolution(x, p[name], p[name + ".bias"], start_padding=1, end_padding=1)

    fine = anydml.relu(convolve(images, "fine"))
    coarse = anydml.max_pooling2(fine, window_size=2, strides=2)
    coarse = anydml.resample2(anydml.relu(convolve(coarse, "coarse")), interpolation_mode="linear",
                              scales=(1, 1, 2, 2))
    scores = anydml.slice1(convolve(anydml.join([fine, coarse], axis=1), "head"),
                           input_window_offsets=(0, 0, BORDER, BORDER), input_window_sizes=masks.shape)
    return anydml.binary_cross_entropy(anydml.clip1(scores, min=-8.0, max=8.0), masks)


class Loss(torch.autograd.Function):
    """Forward and backward by one graph of AnyDML's, which has the same bits on every device."""

    differentiated = staticmethod(anydml.value_and_grad(loss_of))

    @staticmethod
    def forward(ctx, images, masks, names, *weights):
        loss, gradients = Loss.differentiated(dict(zip(names, weights)), images, masks)
        ctx.gradients = [gradients[name] for name in names]
        return loss

    @staticmethod
    def backward(ctx, of_loss):
        return (None, None, None, *[gradient * of_loss for gradient in ctx.gradients])


class Segmenter(nn.Module):
    def __init__(self, seed):
        super().__init__()
        made = anydml.uniform_parameters(FILTERS, seed)
        for name, (outputs, *_) in FILTERS.items():
            made[name + ".bias"] = numpy.zeros((1, outputs, 1, 1), "float32")
        self.names = list(made)
        self.weights = nn.ParameterList(nn.Parameter(torch.from_numpy(w)) for w in made.values())

    def forward(self, images, masks):
        return Loss.apply(images, masks, self.names, *self.weights)


def tree_sum(terms):
    """((0 + 1) + (2 + 3)) + ...: of neighbours, then of their sums."""
    terms = list(terms)
    while len(terms) > 1:
        terms = [a + b for a, b in zip(terms[::2], terms[1::2])]
    return terms[0]


class FixedOrder:
    """A communication hook of DistributedDataParallel for any model: the mean of the gradients of a
    batch's shards as examples/train_mpi.cpp adds them, in an order that does not depend on the number
    of processes. Each process calls backward() for its shards, which are neighbours, one by one and
    with no gradients left of the one before; only the last of them communicates, and what it leaves
    is the mean. torch.distributed moves bytes and adds nothing."""

    def __init__(self, ranks):
        self.ranks, self.share = ranks, SHARDS // ranks
        self.shards = {}                   # by parameter

    def __call__(self, _, bucket):
        gradients = list(zip(bucket.parameters(), bucket.gradients()))
        for parameter, gradient in gradients:
            self.shards.setdefault(parameter, []).append(gradient.clone())
        result = bucket.buffer()
        if len(self.shards[gradients[0][0]]) == self.share:
            for parameter, gradient in gradients:
                gradient.copy_(tree_sum(self.shards.pop(parameter)))
            result = self.across_ranks(result) / SHARDS
        future = torch.futures.Future(devices=[result.device] if result.is_cuda else None)
        future.set_result(result)
        return future

    def across_ranks(self, own):
        """All-to-all: rank k gets piece k of every sum, and adds these. All-gather: all get all."""
        is_gloo = distributed.get_backend() == "gloo"      # which moves the host's memory
        sent = own.cpu() if is_gloo else own
        sent = nn.functional.pad(sent, (0, -len(sent) % self.ranks))
        pieces = torch.empty_like(sent)
        distributed.all_to_all_single(pieces, sent)
        mine = tree_sum(pieces.view(self.ranks, -1))
        whole = [torch.empty_like(mine) for _ in range(self.ranks)]
        distributed.all_gather(whole, mine)
        return torch.cat(whole)[:len(own)].to(own.device)


class Momentum:
    """velocity = 0.9 velocity + gradient, weight -= rate velocity: rounded alike on every device."""

    def __init__(self, weights, rate):
        self.rate = rate
        self.velocities = [(weight, torch.zeros_like(weight)) for weight in weights]

    @torch.no_grad()
    def step(self):
        for weight, velocity in self.velocities:
            anydml.add(anydml.identity(velocity, scale_bias=(0.9, 0)), weight.grad, out=velocity)
            change = anydml.identity(velocity, scale_bias=(self.rate, 0))
            weight.copy_(anydml.subtract(weight.detach(), change))


def make_batch(count, seed):
    """Discs in noise, and where they are."""
    random = numpy.random.default_rng(seed)
    rows, columns = numpy.mgrid[:SIDE, :SIDE]
    centres = random.uniform(10, SIDE - 10, (count, 2, 1, 1))
    radii = random.uniform(4, 9, (count, 1, 1))
    masks = (rows - centres[:, 0])**2 + (columns - centres[:, 1])**2 < radii**2
    images = masks + random.normal(0, 0.5, masks.shape)
    return [torch.from_numpy(a.astype("float32")[:, None]) for a in (images, masks)]


class Progress:
    """A bar on the terminal; silent in the other ranks."""

    def __init__(self, steps, shown):
        self.steps, self.shown = steps, shown

    def show(self, step, loss):
        if not self.shown:
            return
        filled = 30 * step // self.steps
        end = "\n" if step == self.steps else ""
        print(f"\r[{'#' * filled}{'.' * (30 - filled)}] {step}/{self.steps}  loss {loss:.4f}",
              end=end, file=sys.stderr, flush=True)


def device_of(options, rank):
    """With nccl one GPU per process of a machine."""
    if options.backend != "nccl":
        return torch.device(options.device)
    number = os.environ.get("LOCAL_RANK", rank % torch.cuda.device_count())
    device = torch.device("cuda", int(number))
    torch.cuda.set_device(device)          # where nccl puts what it gathers
    return device


def train(options, rank, ranks):
    """Returns the network and the losses of this rank's shards, step by step."""
    device, share = device_of(options, rank), SHARDS // ranks
    network = Segmenter(options.seed).to(device)
    model = DistributedDataParallel(network)
    model.register_comm_hook(None, FixedOrder(ranks).__call__)
    optimizer = Momentum(network.parameters(), options.rate)
    progress, losses = Progress(options.steps, rank == 0), []
    for step in range(options.steps):
        images, masks = (tensor.to(device).chunk(SHARDS)
                         for tensor in make_batch(options.batch, [options.seed, step]))
        losses.append([])
        for shard in range(rank * share, (rank + 1) * share):
            network.zero_grad(set_to_none=True)
            loss = model(images[shard], masks[shard][CROP].contiguous())
            loss.backward()
            losses[-1].append(loss.item())
        optimizer.step()
        progress.show(step + 1, losses[-1][0])
    return network, losses


def digest(network):
    """The weights' bits in 64 digits."""
    sha = hashlib.sha256()
    for weight in network.state_dict().values():
        sha.update(weight.cpu().numpy().tobytes())
    return sha.hexdigest()


def draw(losses, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.figure(figsize=(6, 4))
    pyplot.plot(range(1, len(losses) + 1), losses)
    pyplot.xlabel("step")
    pyplot.ylabel("loss")
    pyplot.tight_layout()
    pyplot.savefig(path, format="png")


def finish(options, network, losses, rank, ranks):
    digests, shares = [None] * ranks, [None] * ranks
    distributed.all_gather_object(digests, digest(network))
    distributed.all_gather_object(shares, losses)
    if rank == 0:
        losses = [sum(sum(shards, [])) / SHARDS for shards in zip(*shares)]
        print(f"loss {losses[0]:.4f} -> {losses[-1]:.4f}, weights {digests[0]}")
        print(f"equal weights on {ranks} ranks: {'yes' if len(set(digests)) == 1 else 'NO'}")
        if options.plot:
            draw(losses, options.plot)
        if options.save:
            torch.save(network.state_dict(), options.save)
    if len(set(digests)) != 1:
        sys.exit("the ranks disagree")


def work(rank, options, ranks, address):
    """One rank, from joining to leaving."""
    distributed.init_process_group(options.backend, init_method=address, rank=rank,
                                   world_size=ranks)
    try:
        network, losses = train(options, rank, ranks)
        finish(options, network, losses, rank, ranks)
    finally:
        distributed.destroy_process_group()


def spawn(options):
    """All ranks on this machine, found through a free port."""
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    torch.multiprocessing.spawn(work, (options, options.ranks, address), options.ranks)


def rank_count(text):
    if text not in ("1", "2", "4", "8"):
        raise argparse.ArgumentTypeError(f"{text!r} must be 1, 2, 4 or 8, of which each takes as many "
                                         f"of the {SHARDS} shards of a batch")
    return int(text)


def between(least, most):
    """An argparse type."""
    def integer(text):
        if re.fullmatch("-?[0-9]{1,20}", text) and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text!r} must be an integer from {least} to {most}")
    return integer


def learning_rate(text):
    try:
        rate = float(text)
    except ValueError:
        rate = math.nan
    if not 0 < rate < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} must be a finite number greater than 0")
    return rate


def torch_device(text):
    if text == "cpu" or re.fullmatch("cuda(:[0-9]{1,4})?", text) and torch.cuda.device_count() > int(
            text.partition(":")[2] or 0):
        return text
    raise argparse.ArgumentTypeError(f"{text!r} is no device of PyTorch's on this machine")


def writable(text):
    """Told before the training and not after it. A file that is there stays as it is."""
    try:
        is_new = not os.path.lexists(text)
        open(text, "ab").close()
        if is_new:
            os.remove(text)
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{text!r} cannot be written: {error}")
    return text


def png(text):
    if importlib.util.find_spec("matplotlib") is None:
        raise argparse.ArgumentTypeError("matplotlib draws the curve, and is missing (Debian's "
                                         "package python3-matplotlib)")
    return writable(text)


def environment_number(name, number, parser):
    if name not in os.environ:
        parser.error(f"the environment variable {name} is missing, which RANK asks for")
    try:
        return number(os.environ[name])
    except argparse.ArgumentTypeError as error:
        parser.error(f"the environment variable {name} = {error}")


def read_environment(parser):
    """Rank and number of ranks of a process of a cluster; None where RANK is not set."""
    if "RANK" not in os.environ:
        if "WORLD_SIZE" in os.environ:
            parser.error("the environment variable WORLD_SIZE is set and RANK is not; set both, or "
                         "none and --ranks")
        return None
    ranks = environment_number("WORLD_SIZE", rank_count, parser)
    rank = environment_number("RANK", between(0, ranks - 1), parser)
    environment_number("MASTER_PORT", between(1, 65535), parser)
    if not os.environ.get("MASTER_ADDR"):
        parser.error("the environment variable MASTER_ADDR is missing, which RANK asks for")
    if "LOCAL_RANK" in os.environ:
        environment_number("LOCAL_RANK", between(0, ranks - 1), parser)
    return rank, ranks


def make_parser():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--ranks", type=rank_count, help="processes to start on this machine: with "
                        "nccl as many as GPUs, with gloo 2")
    parser.add_argument("--steps", type=between(1, 10**9), default=60)
    parser.add_argument("--batch", type=between(1, 10**6), default=16,
                        help="images per step, over all ranks")
    parser.add_argument("--device", type=torch_device, default="cpu",
                        help="of the processes that use gloo: cpu or cuda:0")
    parser.add_argument("--rate", type=learning_rate, default=0.2, help="learning rate")
    parser.add_argument("--seed", type=between(0, 2**64 - 1), default=1)
    parser.add_argument("--backend", choices=["gloo", "nccl"], help="nccl where there are "
                        "GPUs, gloo otherwise")
    parser.add_argument("--plot", type=png, metavar="PNG", help="where to draw the loss curve")
    parser.add_argument("--save", type=writable, metavar="PT", help="where to save the weights")
    return parser


def read_options():
    """The options, complete, and what read_environment() gives."""
    parser = make_parser()
    options = parser.parse_args()
    place = read_environment(parser)
    gpus = torch.cuda.device_count() if distributed.is_nccl_available() else 0
    options.backend = options.backend or ("nccl" if gpus else "gloo")
    if place is not None:
        options.ranks = place[1]
    elif options.ranks is None:
        most = min(gpus, SHARDS) if options.backend == "nccl" else 2
        options.ranks = max((n for n in (1, 2, 4, 8) if n <= most), default=1)
    if options.backend == "nccl" and not (gpus and (place or 0 < options.ranks <= gpus)):
        parser.error(f"--backend nccl takes one GPU per rank, and this machine has {gpus}")
    if options.batch % SHARDS:
        parser.error(f"--batch {options.batch} must be a multiple of {SHARDS}, its shards")
    return options, place


def main():
    options, place = read_options()
    if place is None:
        spawn(options)
    else:
        work(place[0], options, place[1], "env://")


if __name__ == "__main__":
    main()
