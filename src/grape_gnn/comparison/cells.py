"""One cell of a comparison: one method, one setting, one split, trained and scored.

Test labels are hidden from the training by overwriting them, and are read in one place only: by a
cell of the final stage, once its network is trained.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import torch

from grape_gnn.estimator.input import node_features
from grape_gnn.estimator.target import check_labels, check_parts, num_outputs
from grape_gnn.features import encoded
from grape_gnn.graph import Graph
from grape_gnn.graph.targets import hide_labels
from grape_gnn.nn import as_sparse
from grape_gnn.training import (
    Method,
    Prepared,
    RunResult,
    Split,
    all_figures,
    is_constant,
    random_split,
    score,
    torch_threads,
)

__all__ = ["Cell", "Task", "run_cell"]


@dataclass(frozen=True)
class Cell:
    """What is to be run.

    Parameters
    ----------
    stage
        ``"grid"``: to choose a setting by validation score; the test labels are not read.
        ``"run"``: with the chosen setting, scored on the test nodes.
    seed
        Seed of the weights, of dropout and of the split, or the number of a fixed split.
    point
        Values of the grid.
    """

    stage: str
    seed: int
    point: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Task:
    """What all cells of one method share.

    Parameters
    ----------
    method
        The method.
    graph
        With features and labels as used.
    dataset, features
        Their names, for the record.
    epochs, patience, metric
        Of every training.
    splits
        Fixed splits, of which a cell takes the one with the number of its seed; None: random ones.
    details
        Further facts for the record: versions, the data's hash.
    """

    method: Method
    graph: Graph
    dataset: str
    features: str
    epochs: int
    patience: int
    metric: str = "accuracy"
    splits: tuple[Split, ...] | None = None
    details: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def prepared(self) -> Prepared:
        """The method's work that depends on the graph only; done when first needed."""
        return self.method.prepare(self.graph, node_features(replace(self.graph, columns=None)))

    def prepared_for(self, split: Split) -> Prepared:
        """Return that work, with features made of the columns of a table by its training nodes."""
        if self.graph.columns is None:
            return self.prepared
        x = node_features(encoded(self.graph, split.train))
        return replace(self.prepared, x=as_sparse(x), constant=False)

    @cached_property
    def constant(self) -> bool:
        """Whether all nodes have the same features."""
        return self.graph.columns is None and is_constant(node_features(self.graph))

    def settings(self, cell: Cell) -> dict[str, Any]:
        """Return all that the training of a cell is set to."""
        return self.method.settings(
            self.constant,
            cell.point,
            epochs=self.epochs,
            patience=self.patience,
            seed=cell.seed,
            metric=self.metric,
        )

    def __getstate__(self) -> dict[str, Any]:
        # Prepared structures may hold compiled parts; another process prepares its own.
        return {k: v for k, v in vars(self).items() if k != "prepared"}


def run_cell(task: Task, cell: Cell) -> RunResult:
    """Train and score.

    Parameters
    ----------
    task
        Method and data.
    cell
        Stage, seed and setting.
    """
    labels = check_labels(task.graph)
    split = random_split(labels, cell.seed) if task.splits is None else task.splits[cell.seed]
    check_parts(labels, split)
    visible = torch.from_numpy(hide_labels(labels, ~split.test))
    settings = task.settings(cell)
    prepared = task.prepared_for(split)
    start = time.perf_counter()
    with torch_threads(1):
        fitted = task.method.fit(
            prepared,
            visible,
            torch.from_numpy(split.train),
            torch.from_numpy(split.validation),
            num_outputs(task.graph),
            settings,
        )
    seconds = round(time.perf_counter() - start, 3)
    tested: float | None = None
    figures: dict[str, float | None] = {}
    if cell.stage == "run":
        test = torch.from_numpy(split.test)
        wanted = torch.from_numpy(labels[split.test])
        tested = score(task.metric, fitted.scores[test], wanted)
        figures = all_figures(fitted.scores[test].numpy(), wanted.numpy())
        if not fitted.logits:
            figures |= dict.fromkeys(("log-loss", "calibration-error"))
    parts = {name: int(part.sum()) for name, part in vars(split).items()}
    return RunResult(
        model=task.method.name,
        dataset=task.dataset,
        features=task.features,
        seed=cell.seed,
        settings=settings,
        best_epoch=fitted.best_epoch,
        epochs=fitted.epochs,
        validation_score=fitted.validation_score,
        test_score=tested,
        seconds=seconds,
        details={**task.details, "parts": parts},
        stage=cell.stage,
        metric=task.metric,
        figures=figures,
    )
