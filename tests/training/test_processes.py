"""Two processes started by torchrun, on this machine, against one: the same weights."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

import grape_gnn as grape
from grape_gnn.errors import ModelError
from grape_gnn.estimator.decoupled import Decoupled
from grape_gnn.estimator.role_batches import RoleBatches
from grape_gnn.nn import GRAPE, DecoupledGRAPE, RoleValues
from grape_gnn.runs import RunFolder
from grape_gnn.training import ProductBatches, TrainSettings, random_split, train
from grape_gnn.training.processes import Processes

ALONE = """
import sys, torch
from tests.training.test_processes import trained
model, history = trained(sys.argv[1], class_weight=sys.argv[3] or None)
import os
torch.save((model.state_dict(), history.to_json()), f"{sys.argv[2]}/{os.environ['RANK']}.pt")
"""


def trained(preset: str, class_weight: str | None = None, **options: object):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    graph = grape.datasets.load("planted-roles", num_shapes=9)
    x = torch.randn(graph.num_nodes, 4)
    split = random_split(graph.y, seed=0)
    masks = torch.from_numpy(split.train), torch.from_numpy(split.validation)
    settings = TrainSettings(epochs=6, class_weight=class_weight)
    labels, classes = torch.from_numpy(graph.y.copy()), len(graph.label_names)
    if preset == "decoupled":
        method = Decoupled("edge,3-path,triangle")
        network = DecoupledGRAPE(method.templates, 4, classes, columns=4, hidden=8, dropout=0.3)
        parts = ProductBatches(method.inputs(graph, x.numpy()), 11)
        return network, train(network, parts, labels, *masks, settings, **options)
    weighting = "set" if preset == "paper" else "count"
    values = "half-sums" if preset == "released" else "matched"
    roles = RoleValues(grape.match(graph, "edge,3-path,triangle", weighting=weighting), values)
    model = GRAPE(roles.templates, 4, classes, 8, dropout=0.3, preset=preset)
    batches = RoleBatches([x, roles], 11, layers=2, sample=3)  # the last batch has one node more
    return model, train(model, batches, labels, *masks, settings, **options)


def torchrun(*words: object, processes: int = 2, **options: object) -> subprocess.Popen:
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", processes]
    command += ["--master-addr", "127.0.0.1", "--master-port", 0, "--rdzv-backend", "c10d"]
    command += ["--rdzv-endpoint", "127.0.0.1:0", *words]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path.cwd())}
    return subprocess.Popen(
        list(map(str, command)),
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )


@pytest.mark.parametrize(
    ("preset", "weight"),
    [("default", ""), ("default", "balanced"), ("paper", ""), ("released", ""), ("decoupled", "")],
)
def test_two_processes_have_the_weights_of_one(preset, weight, tmp_path):
    script = tmp_path / "train.py"
    script.write_text(ALONE)
    run = torchrun(script, preset, tmp_path, weight)
    _, errors = run.communicate(timeout=300)
    assert run.returncode == 0, errors
    model, history = trained(preset, class_weight=weight or None, shares=2)
    for rank in (0, 1):
        weights, epochs = torch.load(tmp_path / f"{rank}.pt")
        for name, expected in model.named_parameters():
            torch.testing.assert_close(weights[name], expected, rtol=1e-5, atol=1e-5)
        assert epochs == history.to_json()


def test_only_the_first_process_writes_and_a_run_that_lost_one_goes_on_alone(tmp_path):
    shapes = ["planted-roles", "--option", "num_shapes=9", "-t", "edge,triangle"]
    words = [*shapes, "--batch-size", 16, "--threads", 1, "--epochs", 120, "--patience", 200]
    folders = [tmp_path / name for name in ("whole", "killed")]
    run = torchrun("-m", "grape_gnn", "train", *words, "-o", folders[0])
    shown, errors = run.communicate(timeout=300)
    assert run.returncode == 0, errors
    assert shown.count("run folder:") == 1
    assert errors.count("epoch 120/120") <= 1

    killed = torchrun("-m", "grape_gnn", "train", *words, "-o", folders[1])
    wait_for(folders[1] / "checkpoint.safetensors", killed)
    os.kill(youngest_child(killed.pid), signal.SIGKILL)
    killed.communicate(timeout=120)
    assert killed.returncode != 0
    alone = [sys.executable, "-m", "grape_gnn", "train", "--resume", str(folders[1])]
    subprocess.run(alone, check=True, capture_output=True, timeout=300)
    one, two = (RunFolder.open(folder).model().network for folder in folders)
    for expected, found in zip(one.parameters(), two.parameters(), strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)


def test_what_had_no_checkpoint_is_trained_in_as_many_shares(tmp_path):
    """The edges alone come second: one process trained them in whole batches, to other weights."""
    words = ["planted-roles", "--option", "num_shapes=9", "--batch-size", 16, "--threads", 1]
    words += ["--epochs", 30, "--seed", 1]  # no templates are named: validation decides
    folders = [tmp_path / name for name in ("whole", "killed")]
    run = torchrun("-m", "grape_gnn", "train", *words, "-o", folders[0])
    _, errors = run.communicate(timeout=300)
    assert run.returncode == 0, errors
    killed = torchrun("-m", "grape_gnn", "train", *words, "-o", folders[1])
    wait_for(folders[1] / "config.json", killed)
    os.kill(youngest_child(killed.pid), signal.SIGKILL)
    killed.communicate(timeout=120)
    alone = [sys.executable, "-m", "grape_gnn", "train", "--resume", str(folders[1])]
    subprocess.run(alone, check=True, capture_output=True, timeout=300)
    one, two = (RunFolder.open(folder).trials for folder in folders)
    for expected, found in zip(one, two, strict=True):
        assert found.settings == expected.settings
        assert found.loss == pytest.approx(expected.loss, abs=1e-4)


def wait_for(file: Path, process: subprocess.Popen) -> None:
    for _ in range(1200):
        if file.exists():
            return
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.1)
    raise AssertionError(f"{file} was not written")


def youngest_child(pid: int) -> int:
    tasks = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(tasks[-1])


def test_all_nodes_at_once_are_for_one_process(monkeypatch):
    x, y = torch.randn(4, 2), torch.tensor([0, 1, 0, 1])
    mask = torch.tensor([True, True, False, False])
    with pytest.raises(ModelError, match="several processes train in mini-batches"):
        train(torch.nn.Linear(2, 2), [x], y, mask, ~mask, TrainSettings(epochs=1), shares=2)


def test_shares_that_cannot_be_divided():
    assert list(Processes(1, 2).shares(4)) == [1, 3]
    with pytest.raises(ModelError, match="3 shares of every batch, which 2 processes cannot"):
        Processes(0, 2).shares(3)
