"""Mini-batches go through the same loop as a full batch, which is the case of one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest
import torch

import grape_gnn as grape
from grape_gnn.nn import RoleValues
from grape_gnn.nn.role_maps import RoleMaps
from grape_gnn.training import Batch, Batches, FullBatch, History, TrainSettings, scores_of, train
from grape_gnn.training import trainer as trainer_module
from tests.training.test_trainer import KilledError, problem, same


class Rows(Batches):
    """Rows of a matrix, for networks that look at a node alone."""

    def __init__(self, x: torch.Tensor, size: int) -> None:
        self.x, self.size = x, size
        self.seen: list[list[int]] = []

    def drawn(self, nodes: torch.Tensor) -> Iterator[Batch]:
        for part in nodes[torch.randperm(len(nodes))].split(self.size):
            self.seen.append(part.tolist())
            yield Batch([self.x[part]], part)

    def asked(self, nodes: torch.Tensor) -> Iterator[Batch]:
        for part in nodes.split(self.size):
            yield Batch([self.x[part]], part)


def run(size: int, settings: TrainSettings, **options) -> tuple[History, dict, Rows]:
    model, x, y, first = problem()
    rows = Rows(x, size)
    history = train(model, rows, y, first, ~first, settings, **options)
    return history, model.state_dict(), rows


def test_every_node_once_in_an_order_that_the_seed_decides() -> None:
    settings = TrainSettings(epochs=3)
    history, weights, rows = run(16, settings)
    assert [len(part) for part in rows.seen[:3]] == [16, 16, 8]
    assert sorted(node for part in rows.seen[:3] for node in part) == list(range(40))
    assert rows.seen[:3] != rows.seen[3:6]
    again = run(16, settings)
    assert (again[0], again[2].seen) == (history, rows.seen)
    assert same(again[1], weights)


@pytest.mark.parametrize("kill_after", [26, 30])
def test_a_killed_training_resumes_to_the_same_result(tmp_path: Path, kill_after: int) -> None:
    settings = TrainSettings(epochs=40, patience=40)
    whole = run(16, settings)

    def kill(total: int, history: History) -> None:
        if len(history.epochs) == kill_after:
            raise KilledError

    file = tmp_path / "run.safetensors"
    with pytest.raises(KilledError):
        run(16, settings, checkpoint=file, progress=kill)
    resumed = run(16, settings, checkpoint=file)
    assert resumed[0] == whole[0]
    assert same(resumed[1], whole[1])


def test_long_epochs_are_kept_by_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainer_module, "CHECKPOINT_SECONDS", 0)
    file = tmp_path / "run.safetensors"

    def kill(total: int, history: History) -> None:
        raise KilledError

    with pytest.raises(KilledError):
        run(16, TrainSettings(epochs=5), checkpoint=file, progress=kill)
    assert file.exists()


def test_kept_statistics_are_those_of_all_nodes_without_dropout() -> None:
    """The first norm's, because what comes before it does not depend on other norms."""
    model, x, y, first = problem()
    train(model, Rows(x, 16), y, first, ~first, TrainSettings(epochs=4))
    linear, norm = model[0], model[1]
    values = linear(x)
    torch.testing.assert_close(norm.running_mean, values.mean(dim=0))
    torch.testing.assert_close(norm.running_var, values.var(dim=0, correction=0))


def test_role_maps_pool_their_statistics() -> None:
    graph = grape.Graph.from_networkx(nx.gnp_random_graph(50, 0.1, seed=1))
    roles = RoleValues(grape.match(graph, "edge,triangle"))
    maps, parts = RoleMaps(2, 3, 4).eval(), [torch.randn(50, 3) + shift for shift in (0, 5)]
    with maps.renewed():
        for h in parts:
            maps(h, roles)
    both = [torch.cat([roles.means(h) for h in parts]), torch.cat([roles.log_totals(parts[0])] * 2)]
    columns = torch.stack([both[0], both[0] * both[1][:, :, None]], dim=2).flatten(1)
    torch.testing.assert_close(maps.running_mean, columns.mean(dim=0))
    torch.testing.assert_close(maps.running_var, columns.var(dim=0, correction=0))


def test_the_chosen_epoch_is_what_is_predicted_in_batches_of_any_size() -> None:
    model, x, y, first = problem()
    history = train(model, Rows(x, 16), y, first, ~first, TrainSettings(epochs=30))
    nodes = (~first).nonzero()[:, 0]
    full = scores_of(model, FullBatch([x]), nodes)
    torch.testing.assert_close(scores_of(model, Rows(x, 3), nodes), full)
    right = (full.argmax(1) == y[nodes]).double().mean().item()
    assert right == history.epochs[history.best].validation_accuracy


def test_the_loss_of_an_epoch_is_that_of_its_nodes() -> None:
    """Without steps that change anything, batches of unequal size have the loss of all nodes."""
    _, x, y, first = problem()
    plain = torch.nn.Linear(5, 2)
    settings = TrainSettings(epochs=1, learning_rate=1e-12)
    expected = torch.nn.functional.cross_entropy(plain(x[first]), y[first]).item()
    history = train(plain, Rows(x, 16), y, first, ~first, settings)
    assert history.epochs[0].loss == pytest.approx(expected, rel=1e-5)
