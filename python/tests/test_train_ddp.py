# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""examples/train_ddp.py with two processes on 127.0.0.1 by gloo, and with one per GPU by nccl."""
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


def test_one_rank_agrees_with_two(two_ranks, tmp_path):
    """The same global batch in one process: sums of another order, hence a tolerance."""
    run("--ranks", "1", "--save", str(tmp_path / "one.pt"))
    one, two = torch.load(tmp_path / "one.pt"), torch.load(two_ranks[0] / "weights.pt")
    for name in one:
        torch.testing.assert_close(one[name], two[name], rtol=1e-3, atol=1e-4)


def test_ranks_by_environment(two_ranks):
    """What a cluster does."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    processes = [start(RANK=str(rank), WORLD_SIZE="2", MASTER_ADDR="127.0.0.1", MASTER_PORT=port)
                 for rank in range(2)]
    outputs = [finish(process) for process in processes]
    assert digest(outputs[0]) == digest(two_ranks[1])


def test_batches_that_do_not_divide_are_refused():
    process = start("--batch", "7", "--ranks", "2")
    assert "--batch 7 must be a multiple of the 2 ranks" in process.communicate()[1]
    assert process.returncode == 2


def test_nccl_without_a_gpu_for_each_rank_is_refused():
    ranks = str(torch.cuda.device_count() + 1)
    process = start("--batch", ranks, "--ranks", ranks, backend="nccl")
    assert "--backend nccl takes one GPU per rank, and this machine has" in process.communicate()[1]
    assert process.returncode == 2


@pytest.mark.skipif(why_no_cuda() is not None, reason=str(why_no_cuda()))
def test_one_rank_per_gpu(two_ranks, tmp_path):
    """Equal weights, the same bits twice, and gloo's weights within float32's tolerance."""
    ranks = torch.cuda.device_count()
    batch = ["--batch", "16"] if 16 % ranks == 0 else ["--batch", str(16 * ranks)]
    outputs = [run(*batch, "--save", str(tmp_path / "gpu.pt"), backend="nccl") for _ in range(2)]
    assert f"equal weights on {ranks} ranks: yes" in outputs[0]
    assert digest(outputs[0]) == digest(outputs[1])
    if batch[1] == "16":
        ours, theirs = torch.load(tmp_path / "gpu.pt"), torch.load(two_ranks[0] / "weights.pt")
        for name in ours:
            torch.testing.assert_close(ours[name].cpu(), theirs[name], rtol=1e-2, atol=1e-3)


@pytest.mark.parametrize("options, sentence", [
    (["--ranks", "-1"], "--ranks: '-1' must be an integer from 1"),
    (["--ranks", "0"], "--ranks: '0' must be an integer from 1"),
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
    (["RANK=0", "WORLD_SIZE=two"], "WORLD_SIZE = 'two' must be an integer from 1"),
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
