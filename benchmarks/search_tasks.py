"""The graphs on which the search is measured, with their splits and what they are scored by."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import grape_gnn as grape

__all__ = ["TASKS", "Task"]


@dataclass(frozen=True)
class Task:
    """A graph and how it is judged.

    Parameters
    ----------
    dataset, options
        What to load.
    features
        ``"constant"`` in place of its own.
    templates
        Sets to compare with, by name.
    model
        Parameters of GRAPE beside the defaults.
    """

    dataset: str
    options: dict[str, Any] = field(default_factory=dict)
    features: str = "original"
    templates: dict[str, Any] = field(
        default_factory=lambda: {"edges alone": "edge", "social set": "social"}
    )
    model: dict[str, Any] = field(default_factory=dict)

    def graph(self) -> grape.Graph:
        """Load it."""
        loaded = grape.datasets.load(self.dataset, **self.options)
        return grape.datasets.with_features(loaded, self.features)

    def masks(self, seed: int) -> dict[str, Any]:
        """Return the published split of this number; nothing if there is none: a random one."""
        splits = grape.datasets.splits(self.dataset)
        if not splits:
            return {}
        split = splits[seed % len(splits)]
        return {"train_mask": split.train, "val_mask": split.validation}

    def test_score(self, model: grape.GrapeClassifier, graph: grape.Graph) -> float:
        """Score a trained model on the test nodes, by the metric of the dataset."""
        if grape.datasets.info(self.dataset).metric == "accuracy":
            return float(model.score(graph))
        import torch

        from grape_gnn.training import score

        test = model.split_.test
        shares = torch.from_numpy(model.predict_proba(graph)[test])
        return float(score("roc-auc", shares, torch.from_numpy(graph.y[test])))


_RIGHT = {"edges alone": "edge", "social set": "social", "the right ones": "edge,4-cycle,5-cycle"}

TASKS: dict[str, Task] = {
    "cubic shapes": Task("cubic-shapes", templates=_RIGHT),
    "Brazil airports": Task("brazil-airports"),
    "Europe airports": Task("europe-airports"),
    "chameleon, constant features": Task(
        "chameleon-filtered", features="constant", model={"epochs": 100}
    ),
    "minesweeper": Task("minesweeper", model={"epochs": 50}),
    "planted roles": Task("planted-roles", options={"num_shapes": 30}),
}
