#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Trains a small segmentation network on one process or many, with AnyDML's five gradients at work:
ReLU, max pooling, upsampling, cropping and clipping.

    python3 examples/train_ddp.py                       one process per GPU, by nccl; without a
                                                        GPU two processes, by gloo
    python3 examples/train_ddp.py --backend gloo --ranks 2
    RANK=0 WORLD_SIZE=2 MASTER_ADDR=... MASTER_PORT=... python3 examples/train_ddp.py
                                                        one process of a cluster, by env://

The images are discs in noise, made on the fly, so that nothing is downloaded. All ranks end with
the same weights; the same command gives the same bits again.
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

import anydml.torch

SIDE, BORDER = 36, 2
MOST_RANKS = 10**6
CROP = numpy.s_[..., BORDER:-BORDER, BORDER:-BORDER]


class Segmenter(nn.Module):
    """A U-shaped network of one floor. The border, where convolutions see padding, is cropped."""

    def __init__(self):
        super().__init__()
        self.fine = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), anydml.torch.ReLU())
        self.coarse = nn.Sequential(
            anydml.torch.MaxPool2d(2), nn.Conv2d(8, 16, 3, padding=1), anydml.torch.ReLU(),
            anydml.torch.Upsample(scale_factor=2, mode="bilinear"))
        self.head = nn.Sequential(nn.Conv2d(24, 1, 3, padding=1), anydml.torch.Slice(CROP),
                                  anydml.torch.Clip(-8.0, 8.0))

    def forward(self, images):
        fine = self.fine(images)
        return self.head(torch.cat([fine, self.coarse(fine)], 1))


def make_batch(count, seed):
    """Discs in noise, and where they are."""
    random = numpy.random.default_rng(seed)
    rows, columns = numpy.mgrid[:SIDE, :SIDE]
    centres = random.uniform(10, SIDE - 10, (count, 2, 1, 1))
    radii = random.uniform(4, 9, (count, 1, 1))
    masks = (rows - centres[:, 0])**2 + (columns - centres[:, 1])**2 < radii**2
    images = masks + random.normal(0, 0.5, masks.shape)
    return [torch.from_numpy(a.astype("float32")[:, None]) for a in (images, masks)]


def share(tensor, rank, ranks):
    """The part of a batch that belongs to a rank: equal parts, so that means of means are means."""
    return tensor.chunk(ranks)[rank]


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


def make_convolutions_repeatable():
    """PyTorch's own layers then give the same bits again; AnyDML's do so without a flag."""
    torch.set_num_threads(1)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.allow_tf32 = False


def device_of(options, rank):
    """With nccl one GPU per process of a machine."""
    if options.backend != "nccl":
        return torch.device("cpu")
    number = os.environ.get("LOCAL_RANK", rank % torch.cuda.device_count())
    device = torch.device("cuda", int(number))
    torch.cuda.set_device(device)          # where nccl puts what it gathers
    return device


def train(options, rank, ranks):
    """Returns the network and the mean losses of all ranks."""
    torch.manual_seed(options.seed)
    make_convolutions_repeatable()
    device = device_of(options, rank)
    network = Segmenter().to(device)
    model = DistributedDataParallel(network)
    optimizer = torch.optim.SGD(model.parameters(), lr=options.rate, momentum=0.9)
    progress, losses = Progress(options.steps, rank == 0), []
    for step in range(options.steps):
        images, masks = (share(t, rank, ranks).to(device)
                         for t in make_batch(options.batch, [options.seed, step]))
        optimizer.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(model(images), masks[CROP])
        loss.backward()
        optimizer.step()
        mean = loss.detach()
        distributed.all_reduce(mean)
        losses.append(mean.item() / ranks)
        progress.show(step + 1, losses[-1])
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
    digests = [None] * ranks
    distributed.all_gather_object(digests, digest(network))
    if rank == 0:
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


def environment_number(name, least, most, parser):
    if name not in os.environ:
        parser.error(f"the environment variable {name} is missing, which RANK asks for")
    try:
        return between(least, most)(os.environ[name])
    except argparse.ArgumentTypeError as error:
        parser.error(f"the environment variable {name} = {error}")


def read_environment(parser):
    """Rank and number of ranks of a process of a cluster; None where RANK is not set."""
    if "RANK" not in os.environ:
        if "WORLD_SIZE" in os.environ:
            parser.error("the environment variable WORLD_SIZE is set and RANK is not; set both, or "
                         "none and --ranks")
        return None
    ranks = environment_number("WORLD_SIZE", 1, MOST_RANKS, parser)
    rank = environment_number("RANK", 0, ranks - 1, parser)
    environment_number("MASTER_PORT", 1, 65535, parser)
    if not os.environ.get("MASTER_ADDR"):
        parser.error("the environment variable MASTER_ADDR is missing, which RANK asks for")
    if "LOCAL_RANK" in os.environ:
        environment_number("LOCAL_RANK", 0, ranks - 1, parser)
    return rank, ranks


def make_parser():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--ranks", type=between(1, MOST_RANKS), help="processes to start on "
                        "this machine: as many as GPUs with nccl, 2 with gloo")
    parser.add_argument("--steps", type=between(1, 10**9), default=60)
    parser.add_argument("--batch", type=between(1, 10**6), default=16,
                        help="images per step, over all ranks")
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
        options.ranks = gpus if options.backend == "nccl" else 2
    if options.backend == "nccl" and not (gpus and (place or 0 < options.ranks <= gpus)):
        parser.error(f"--backend nccl takes one GPU per rank, and this machine has {gpus}")
    if options.batch % options.ranks:
        parser.error(f"--batch {options.batch} must be a multiple of the {options.ranks} ranks")
    return options, place


def main():
    options, place = read_options()
    if place is None:
        spawn(options)
    else:
        work(place[0], options, place[1], "env://")


if __name__ == "__main__":
    main()
