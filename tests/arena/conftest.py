"""A task small enough to run, and records made by hand."""

from __future__ import annotations

import pytest

from arena.tasks import TASKS, Task
from grape_gnn import datasets
from grape_gnn.comparison import Profile
from grape_gnn.training import RunResult, append_results

GRID = {"hidden": (8,), "dropout": (0.0,), "weight_decay": (0.0,), "learning_rate": (0.03,)}


class TinyTask(Task):
    """Planted roles with few shapes, trained for two epochs."""

    @property
    def profile(self):
        return Profile("tiny", {**GRID, "layers": self.depths}, epochs=2)

    def graph(self):
        return datasets.planted_roles(num_shapes=9)


@pytest.fixture
def tiny():
    return TinyTask("planted-roles", "planted-roles", "small", seeds=(0, 1), more=(2,))


@pytest.fixture
def write(tmp_path):
    """Give a function that appends runs of an entrant on a task to records in `tmp_path`."""

    def append(method, task, tests, league=1, seeds=None, validation=0.5):
        found = next(each for each in TASKS if each.name == task)
        settings = {"label_inputs": True} if league == 2 else {}
        append_results(
            tmp_path / f"{method}.jsonl",
            [
                RunResult(
                    method,
                    found.dataset,
                    found.features,
                    seed,
                    settings,
                    0,
                    1,
                    validation,
                    test,
                    1.0,
                )
                for seed, test in zip(seeds or found.seeds, tests, strict=False)
            ],
        )

    return append
