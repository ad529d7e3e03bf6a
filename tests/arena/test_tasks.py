"""The tasks are what the page says."""

from __future__ import annotations

import pytest

from arena.entrants import ENTRANTS, entrant, find_entrants, fingerprint
from arena.tasks import PAPER_TASKS, TASKS, find_tasks
from grape_gnn import datasets
from grape_gnn.baselines import METHODS, method
from grape_gnn.errors import GrapeError
from reproduction.profiles import PROFILES


def test_tasks():
    assert len(TASKS) >= 14
    assert len({task.name for task in TASKS}) == len(TASKS)
    assert len({(task.dataset, task.features) for task in TASKS}) == len(TASKS)
    for task in TASKS:
        published = datasets.info(task.dataset).num_splits
        assert not published or set(task.seeds + task.more) == set(range(published))
        assert len(task.seeds) >= 3
        assert 2 in task.depths
    assert {task.metric for task in TASKS} == {"accuracy", "roc-auc"}
    assert [task.name for task in find_tasks(["jhu", "cora"])] == ["cora", "jhu"]
    with pytest.raises(GrapeError, match="no task is called 'corra'"):
        find_tasks(["corra"])


def test_the_paper_graphs_have_the_splits_of_the_reproduction():
    for task in find_tasks(PAPER_TASKS):
        assert task.seeds + task.more == PROFILES["paper"].seeds


def test_entrants():
    assert set(ENTRANTS) == {*METHODS, "grape-edge"}
    directed = find_tasks(["directed-roles"])[0]
    assert [t.name for t in entrant("grape-edge", directed).templates] == ["to", "from"]
    assert entrant("grape-edge", directed).name == "grape-edge"
    assert entrant("grape", directed).name == "grape"
    assert find_entrants(["grape", "gcn"]) == ["gcn", "grape"]
    with pytest.raises(GrapeError, match="no entrant is called 'gcnn'"):
        find_entrants(["gcnn"])


def test_a_fingerprint_tells_models_apart_and_not_runs():
    prints = {name: fingerprint(method(name, "edge")) for name in ("grape", "gin", "linkx")}
    assert len(set(prints.values())) == 3
    assert prints["grape"] == fingerprint(method("grape", "edge"))
    assert prints["grape"] != fingerprint(method("grape", "edge,triangle"))


def test_a_fingerprint_sees_a_change_of_the_model(monkeypatch):
    from grape_gnn.baselines.layers import Linear

    before = fingerprint(method("mlp"))
    forward = Linear.forward
    monkeypatch.setattr(Linear, "forward", lambda self, x: 2 * forward(self, x))
    assert fingerprint(method("mlp")) != before
