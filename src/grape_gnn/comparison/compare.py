"""`compare`: the paper's protocol for any set of methods, resumable at any point.

For every method: try each point of the grid on the first split, take the one with the best
validation score, run it on all splits, and score each run once on its test nodes. A profile with
finals tries the best point of every form of the method on all splits before it takes one. Every
training, of either stage, is appended to the results as soon as it is done; what is found there is
not run again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.baselines import method
from grape_gnn.comparison.cells import Cell, Task
from grape_gnn.comparison.profiles import Profile, find_profile
from grape_gnn.comparison.store import ResultStore
from grape_gnn.datasets.features import with_features
from grape_gnn.errors import ModelError
from grape_gnn.estimator.target import check_labels
from grape_gnn.graph import Graph
from grape_gnn.graph.checksum import checksum, feature_parts
from grape_gnn.template import Template
from grape_gnn.training import (
    Method,
    RunResult,
    Split,
    check_metric,
    default_metric,
    grid_points,
    versions,
)

__all__ = ["Progress", "compare"]

FEATURE_SEED = 0  # random features are part of the data: the same for all methods and runs


@dataclass(frozen=True)
class Progress:
    """What is done, after every training.

    Parameters
    ----------
    result
        The training just done, or found in the results file.
    reused
        Whether it was found there.
    method
        Title of the method.
    done, total
        Trainings of this method done, and in all.
    """

    result: RunResult
    reused: bool
    method: str
    done: int
    total: int


def compare(
    graph: Graph,
    methods: Iterable[str | Method],
    *,
    dataset: str,
    features: str = "original",
    seeds: Iterable[int] = range(10),
    metric: str | None = None,
    splits: Sequence[Split] | None = None,
    profile: str | Profile = "standard",
    label_inputs: bool = False,
    results: str | os.PathLike[str] | None = None,
    fingerprint: str | None = None,
    templates: str | Template | Iterable[str | Template] = "social",
    n_jobs: int = 1,
    progress: Callable[[Progress], None] | None = None,
) -> list[RunResult]:
    """Tune, run and score methods on a graph.

    Parameters
    ----------
    graph
        With labels and, for the original features, features.
    methods
        Names of `grape_gnn.baselines.METHODS`, or methods.
    dataset
        Name of the graph, for the record.
    features
        ``"original"``, ``"constant"`` or ``"random"``; see `grape_gnn.datasets.with_features`.
    seeds
        One run each: the seed of its 60/20/20 split, its weights and its dropout.
    metric
        What chooses epochs and settings on validation nodes and scores test nodes: a name of
        `grape_gnn.training.METRICS`; `grape_gnn.datasets.info` says what a dataset's authors use.
        None: as for `GrapeClassifier`.
    splits
        Fixed splits, such as `grape_gnn.datasets.splits` loads: a run takes the one with the number
        of its seed. None: random ones.
    profile
        ``"quick"``: a grid of 2 points; ``"standard"``: of 4; ``"paper"``: the paper's 16; each
        without and with batch normalisation for the baselines that leave it open. Chosen by
        validation score on the first split.
    label_inputs
        Give every method that trains the training labels besides the features, and let validation
        decide whether it uses the features; see `grape_gnn.training.LabelInputs`.
    results
        File of JSON lines to go on from and to append to; None: nothing is kept.
    fingerprint
        Of the methods' code, for the record: trainings with another one are not taken.
    templates
        For the methods named that match templates.
    n_jobs
        Number of processes; more than one needs joblib. The results are the same.
    progress
        Called after every training.

    Returns
    -------
    list of RunResult
        The final runs, in the order of the methods and seeds.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> g = grape.datasets.load("planted-roles", num_shapes=30)
    >>> runs = compare(g, ["mlp"], dataset="planted-roles", seeds=[0, 1],
    ...                profile=Profile("tiny", {"hidden": [8], "dropout": [0.0],
    ...                "weight_decay": [0.0], "learning_rate": [0.01]}, epochs=2))
    >>> [(run.model, run.seed, run.stage) for run in runs]
    [('mlp', 0, 'run'), ('mlp', 1, 'run')]
    """
    budget = find_profile(profile)
    chosen_seeds = list(seeds)
    if not chosen_seeds:
        raise ModelError("no seeds, no runs: give at least one seed")
    if splits is not None:
        _check_splits(splits, chosen_seeds, graph.num_nodes)
    data = with_features(graph, features, seed=FEATURE_SEED)
    metric = metric or default_metric(check_labels(data)[data.labelled])
    check_metric(metric, data.task)
    given = [method(m, templates) if isinstance(m, str) else m for m in methods]
    if label_inputs:
        given = [each.with_label_inputs() for each in given]
    store = ResultStore(results)
    details: dict[str, Any] = {
        "data": checksum(data, *feature_parts(data), data.y),
        "versions": versions(),
        "profile": budget.name,
    }
    if splits is not None:
        parts = (part for split in splits for part in vars(split).values())
        details["splits"] = checksum(data, *parts)
    if fingerprint is not None:
        details["fingerprint"] = fingerprint
    runs: list[RunResult] = []
    for chosen in given:
        task = Task(
            chosen,
            data,
            dataset,
            features,
            budget.epochs,
            budget.patience,
            metric,
            None if splits is None else tuple(splits),
            {**details, "method": chosen.describe()},
        )
        runs += _run_method(task, budget, chosen_seeds, store, n_jobs, progress)
    return runs


def _check_splits(splits: Sequence[Split], seeds: Sequence[int], num_nodes: int) -> None:
    if not set(seeds) <= set(range(len(splits))):
        raise ModelError(
            f"there are {len(splits)} fixed splits: give seeds from 0 to {len(splits) - 1}"
        )
    sizes = {part.size for split in splits for part in vars(split).values()} - {num_nodes}
    if sizes:
        raise ModelError(
            f"a fixed split has {min(sizes)} nodes and the graph {num_nodes}: give splits of this "
            f"graph"
        )


def _run_method(
    task: Task,
    budget: Profile,
    seeds: Sequence[int],
    store: ResultStore,
    n_jobs: int,
    progress: Callable[[Progress], None] | None,
) -> list[RunResult]:
    points = _points(task, budget)
    forms = _forms(task, budget, points)
    tried = seeds[: budget.splits]
    finals = len(forms) * len(seeds) if len(forms) > 1 else 0
    total = len(points) * len(tried) + finals + len(seeds)
    done = 0

    def stage(cells: Sequence[Cell]) -> list[RunResult]:
        nonlocal done
        found = {}
        for number, result, reused in store.run(task, cells, n_jobs):
            found[number] = result
            done += 1
            if progress is not None:
                progress(Progress(result, reused, task.method.title, done, total))
        return [found[number] for number in range(len(cells))]

    def validated(points: Sequence[dict[str, Any]], seeds: Sequence[int]) -> NDArray[np.float64]:
        runs = stage([Cell("grid", seed, point) for point in points for seed in seeds])
        scores = np.array([run.validation_score for run in runs])
        mean: NDArray[np.float64] = scores.reshape(len(points), -1).mean(axis=1)
        return mean

    scores = validated(points, tried)
    finalists = [max(form, key=lambda number: scores[number]) for form in forms]
    best = finalists[0]
    if len(finalists) > 1:
        best = finalists[int(validated([points[each] for each in finalists], seeds).argmax())]
    return stage([Cell("run", seed, points[best]) for seed in seeds])


def _forms(task: Task, budget: Profile, points: Sequence[dict[str, Any]]) -> list[list[int]]:
    """Return the numbers of the points of every form that may win; all in one without finals."""
    if not budget.finals:
        return [list(range(len(points)))]
    names = [name for name in task.method.choices if name not in budget.grid]
    forms: dict[tuple[Any, ...], list[int]] = {}
    for number, point in enumerate(points):
        forms.setdefault(tuple(point.get(name) for name in names), []).append(number)
    return list(forms.values())


def _points(task: Task, budget: Profile) -> list[dict[str, Any]]:
    """Return the points to tune over; features that are constant need not be left out as well."""
    if task.method.grid is not None:
        return list(grid_points(task.method.grid))
    choices = dict(task.method.choices)
    if task.constant and "use_features" in choices:
        choices["use_features"] = (True,)
    # What the budget says of the depth, say, holds for all methods that leave it open.
    grid = {**budget.grid, **choices, **budget.grid}
    if "layers" in grid and task.method.depths is not None:
        grid["layers"] = task.method.depths
    return list(grid_points(grid))
