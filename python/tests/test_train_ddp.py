# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""examples/train_ddp.py: the same bits on 1, 2 and 4 processes on 127.0.0.1 by gloo, on one per GPU by
nccl, and on a CPU with a GPU."""
import importlib.util
import os
import pathlib
import re
import socket
import subprocess
import sys

import pytest
import torch
from conftest import why_no_cuda

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "examples" / "train_ddp.py"
STEPS = "12"


def start(*options, backend="gloo", **variables):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "GLOO_SOCKET_IFNAME": "lo",
                   "PYTHONDONTWRITEBYTECODE": "1", **variables}
    return subprocess.Popen([sys.executable, str(SCRIPT), "--steps", STEPS, "--backend", backend,
                             *options], env=environment, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)


def finish(process):
    output, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    return output


def run(*options, **variables):
    return finish(start(*options, **variables))


def digest(output):
    return re.search(r"weights ([0-9a-f]{64})", output)[1]


@pytest.fixture(scope="module")
def two_ranks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("two_ranks")
    plot = ["--plot", str(folder / "loss.png")] if importlib.util.find_spec("matplotlib") else []
    return folder, run("--ranks", "2", "--save", str(folder / "weights.pt"), *plot)


def test_two_ranks_end_with_equal_weights(two_ranks):
    assert "equal weights on 2 ranks: yes" in two_ranks[1]


def test_it_learns(two_ranks):
    first, last = map(float, re.search(r"loss ([\d.]+) -> ([\d.]+)", two_ranks[1]).groups())
    assert last < first


def test_loss_curve_is_drawn(two_ranks):
    pytest.importorskip("matplotlib")
    assert (two_ranks[0] / "loss.png").read_bytes().startswith(b"\x89PNG")


def test_two_runs_give_the_same_bits(two_ranks):
    assert digest(run("--ranks", "2")) == digest(two_ranks[1])


@pytest.mark.parametrize("ranks", ["1", "4"])
def test_any_number_of_ranks_gives_the_same_bits(two_ranks, ranks):
    output = run("--ranks", ranks)
    assert f"equal weights on {ranks} ranks: yes" in output
    assert output.splitlines()[0] == two_ranks[1].splitlines()[0]    # the losses too


def by_environment(*options_of_ranks):
    """What a cluster does: one process after the other, each with its options."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    processes = [start(*options, RANK=str(rank), WORLD_SIZE=str(len(options_of_ranks)),
                       MASTER_ADDR="127.0.0.1", MASTER_PORT=port)
                 for rank, options in enumerate(options_of_ranks)]
    return [finish(process) for process in processes]


def test_ranks_by_environment(two_ranks):
    assert digest(by_environment((), ())[0]) == digest(two_ranks[1])


# A model of PyTorch's own layers with several buckets; the gradients that the hook leaves, of shards
# whose gradients are made up: the loss is their product with the weights.
HOOKED = """
import sys, numpy, torch, torch.distributed as distributed
sys.path.insert(0, sys.argv[1])
import train_ddp
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = torch.nn.ParameterList(torch.nn.Parameter(torch.zeros(n)) for n in
                                              (5, 300_001, 7, 300_001, 3))
    def forward(self, gradients):
        return sum((w * g).sum() for w, g in zip(self.weights, gradients))
distributed.init_process_group("gloo")
rank, ranks = distributed.get_rank(), distributed.get_world_size()
model = Model()
wrapped = torch.nn.parallel.DistributedDataParallel(model, bucket_cap_mb=1)
wrapped.register_comm_hook(None, train_ddp.FixedOrder(ranks).__call__)
for step in range(3):
    random = numpy.random.default_rng(step)
    shards = [[torch.from_numpy(random.standard_normal(len(w), "float32")) for w in model.weights]
              for _ in range(8)]
    for shard in shards[rank * 8 // ranks:(rank + 1) * 8 // ranks]:
        model.zero_grad(set_to_none=True)
        wrapped(shard).backward()
    for i, w in enumerate(model.weights):
        g = [shard[i] for shard in shards]
        tree = ((g[0] + g[1]) + (g[2] + g[3])) + ((g[4] + g[5]) + (g[6] + g[7]))
        assert torch.equal(w.grad, tree / 8), (step, i)
"""


@pytest.mark.parametrize("ranks", [1, 2])
def test_the_hook_adds_the_shards_of_any_model_by_a_tree(ranks):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    place = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "GLOO_SOCKET_IFNAME": "lo",
             "WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    for process in [subprocess.Popen([sys.executable, "-B", "-c", HOOKED, str(SCRIPT.parent)],
                                     env={**place, "RANK": str(rank)}, text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                    for rank in range(ranks)]:
        finish(process)


def test_batches_that_do_not_divide_are_refused():
    process = start("--batch", "12", "--ranks", "2")
    assert "--batch 12 must be a multiple of 8, its shards" in process.communicate()[1]
    assert process.returncode == 2


def test_nccl_without_a_gpu_for_each_rank_is_refused():
    if torch.cuda.device_count() >= 8:
        pytest.skip("this machine has a GPU for each of 8 ranks")
    process = start("--ranks", "8", backend="nccl")
    assert "--backend nccl takes one GPU per rank, and this machine has" in process.communicate()[1]
    assert process.returncode == 2


@pytest.mark.skipif(why_no_cuda() is not None, reason=str(why_no_cuda()))
def test_one_rank_per_gpu_has_the_bits_of_cpus(two_ranks):
    assert digest(run(backend="nccl")) == digest(two_ranks[1])


@pytest.mark.skipif(why_no_cuda() is not None, reason=str(why_no_cuda()))
def test_one_rank_on_a_cpu_and_one_on_a_gpu_have_these_bits_too(two_ranks):
    outputs = by_environment((), ("--device", "cuda:0"))
    assert digest(outputs[0]) == digest(two_ranks[1])


@pytest.mark.parametrize("options, sentence", [
    (["--ranks", "-1"], "--ranks: '-1' must be 1, 2, 4 or 8, of which each takes as many"),
    (["--ranks", "3"], "--ranks: '3' must be 1, 2, 4 or 8, of which each takes as many"),
    (["--device", "abacus"], "--device: 'abacus' is no device of PyTorch's on this machine"),
    (["--device", "cuda:9999"], "--device: 'cuda:9999' is no device of PyTorch's on this machine"),
    (["--steps", "0"], "--steps: '0' must be an integer from 1"),
    (["--batch", "0"], "--batch: '0' must be an integer from 1"),
    (["--seed", "-1"], "--seed: '-1' must be an integer from 0"),
    (["--seed", "18446744073709551616"], "must be an integer from 0 to 18446744073709551615"),
    (["--rate", "nan"], "--rate: 'nan' must be a finite number greater than 0"),
    (["--plot", "/nowhere/loss.png"], "--plot: '/nowhere/loss.png' cannot be written: "),
    (["--plot", "/"], "--plot: '/' cannot be written: "),
    (["--save", "/nowhere/weights.pt"], "--save: '/nowhere/weights.pt' cannot be written: "),
    (["RANK=0"], "the environment variable WORLD_SIZE is missing, which RANK asks for"),
    (["WORLD_SIZE=2"], "the environment variable WORLD_SIZE is set and RANK is not"),
    (["RANK=2", "WORLD_SIZE=2"], "RANK = '2' must be an integer from 0 to 1"),
    (["RANK=0", "WORLD_SIZE=two"], "WORLD_SIZE = 'two' must be 1, 2, 4 or 8"),
    (["RANK=0", "WORLD_SIZE=2"], "the environment variable MASTER_PORT is missing"),
    (["RANK=0", "WORLD_SIZE=2", "MASTER_PORT=70000"], "MASTER_PORT = '70000' must be an integer"),
    (["RANK=0", "WORLD_SIZE=2", "MASTER_PORT=7000"], "MASTER_ADDR is missing"),
])
def test_what_makes_no_sense_is_told_before_anything_starts(options, sentence, monkeypatch,
                                                            capsys):
    """In this process: there is nothing to start."""
    if "--plot" in options:
        pytest.importorskip("matplotlib")
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "LOCAL_RANK"):
        monkeypatch.delenv(name, raising=False)
    for option in options:
        if "=" in option:
            monkeypatch.setenv(*option.split("="))
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), *(o for o in options if "=" not in o)])
    spec = importlib.util.spec_from_file_location("train_ddp", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "spawn", lambda options: pytest.fail("processes were started"))
    monkeypatch.setattr(module, "work", lambda *_: pytest.fail("a rank was started"))
    with pytest.raises(SystemExit) as left:
        module.main()
    assert left.value.code == 2
    assert sentence in capsys.readouterr().err


def test_files_are_not_touched_before_the_end(tmp_path):
    """Whether a file can be written is tried without a trace."""
    there, new = tmp_path / "there.pt", tmp_path / "new.png"
    there.write_bytes(b"kept")
    process = start("--save", str(there), "--batch", "7", "--ranks", "2", "--plot", str(new))
    process.communicate()
    assert process.returncode == 2
    assert there.read_bytes() == b"kept" and not new.exists()
