"""The tasks: a dataset, a kind of features, splits, and in a sentence why it is there.

Choices about GRAPE are made on validation scores over all of them, never on one graph. To add a
task, add an entry here; `python -m arena run` then runs what is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from grape_gnn import datasets
from grape_gnn.comparison import Profile
from grape_gnn.errors import GrapeError
from grape_gnn.graph import Graph
from grape_gnn.graph.split import Split

__all__ = ["GRID", "LONG", "OF_WORDS", "PAPER_TASKS", "TASKS", "WORDS", "Task", "find_tasks"]

WORDS = ("cora", "citeseer")
PAPER_TASKS = (*WORDS, "amherst", "hamilton", "lehigh", "rochester", "jhu")
"""The graphs of the paper, on which the baselines were run by `reproduction` too."""
LONG = ("gat", "geniepath", "meta-gnn")
"""Baselines that take hours on the social graphs, and have the runs of `reproduction` alone."""

# The same for all entrants; the depths are the task's. Those published without batch normalisation
# try every point without and with it, and with label inputs every point without the features too.
GRID = {"hidden": (32,), "dropout": (0.1, 0.5), "weight_decay": (5e-5,), "learning_rate": (0.02,)}
# Thousands of words of few nodes are learnt by heart: validation says what helps against it.
OF_WORDS = {
    **GRID,
    "dropout": (0.1, 0.5, 0.7),
    "weight_decay": (5e-5, 2e-3),
    "learning_rate": (0.005, 0.02),
}
# What `reproduction` gives the baselines on the social graphs has a dropout of 0.3.
OF_STUDENTS = {**GRID, "dropout": (0.1, 0.3, 0.5)}


@dataclass(frozen=True)
class Task:
    """What is asked.

    Parameters
    ----------
    name
        What commands and tables call it.
    dataset
        Name of the dataset, which also brings the metric, the templates and published splits.
    why
        What it is there for.
    features
        original, constant or random.
    seeds
        The runs of an ordinary pass: seeds of random splits, or numbers of published ones.
    more
        Further runs of a full pass.
    depths
        Numbers of layers to choose from.
    grid
        What else to choose from, the same for all entrants.
    tuned_on
        On how many of the splits settings are tried; small graphs need several.
    """

    name: str
    dataset: str
    why: str
    features: str = "original"
    seeds: tuple[int, ...] = tuple(range(5))
    more: tuple[int, ...] = ()
    depths: tuple[int, ...] = (2, 3)
    grid: Mapping[str, Sequence[float]] = field(default_factory=lambda: GRID)
    tuned_on: int = 1

    @property
    def metric(self) -> str:
        """What nodes are scored by."""
        return datasets.info(self.dataset).metric

    @property
    def templates(self) -> str:
        """The default set, as `grape train` takes it for this dataset."""
        return datasets.info(self.dataset).templates

    @property
    def edge(self) -> str:
        """The edge alone, in both directions where edges have one."""
        return "to,from" if datasets.info(self.dataset).directed else "edge"

    @property
    def profile(self) -> Profile:
        """The grid and how it is tried."""
        grid = {**self.grid, "layers": self.depths}
        return Profile("arena", grid, splits=self.tuned_on, finals=True)

    def graph(self) -> Graph:
        """Load the graph."""
        return datasets.load(self.dataset)

    def splits(self) -> list[Split] | None:
        """Load the published splits; None: random ones."""
        return datasets.splits(self.dataset) or None


_CITATIONS = "Words and citations: neighbours agree, roles must not get in the way."
_STUDENTS = "A dense social graph of students, to tell their year."
_FIRST, _REST = (0, 1, 2), tuple(range(3, 10))  # of ten published splits


def _of_the_paper(name: str) -> Task:
    # The seeds are those of the paper profile of `reproduction`.
    of_words, smaller = name in WORDS, name in ("amherst", "hamilton")
    return Task(
        name,
        name,
        _CITATIONS if of_words else _STUDENTS,
        seeds=(1000, 1001, 1002),
        more=tuple(range(1003, 1010)),
        depths=(2, 3, 5) if smaller else (2, 3),  # on the larger ones that would take hours
        grid=OF_WORDS if of_words else OF_STUDENTS,
        tuned_on=3,
    )


def _generated(name: str, why: str) -> Task:
    # What is asked for is a node's own role, for which one layer may be enough.
    return Task(name, name, why, depths=(1, 2, 3))


TASKS: tuple[Task, ...] = (
    *map(_of_the_paper, PAPER_TASKS),
    Task(
        "brazil-airports",
        "brazil-airports",
        "The place in the network is all that is known, of very few nodes.",
        features="constant",
        seeds=tuple(range(10)),
        tuned_on=2,
    ),
    Task(
        "europe-airports",
        "europe-airports",
        "The same with three times the nodes.",
        features="constant",
        seeds=tuple(range(10)),
        tuned_on=2,
    ),
    Task(
        "minesweeper",
        "minesweeper",
        "Neighbours differ, the diameter is large: depth must not hurt.",
        depths=(2, 5),
        seeds=_FIRST,
        more=_REST,
    ),
    Task(
        "chameleon",
        "chameleon-filtered",
        "Neighbours differ, many features, few nodes.",
        grid=OF_WORDS,
        seeds=_FIRST,
        more=_REST,
        tuned_on=3,
    ),
    Task(
        "chameleon-constant",
        "chameleon-filtered",
        "The same without the features: only the structure is left.",
        features="constant",
        seeds=_FIRST,
        more=_REST,
    ),
    _generated(
        "planted-roles", "Places in planted shapes, which message passing cannot tell apart."
    ),
    _generated("role-quartile", "Counting: the quartile of the number of triangles."),
    _generated(
        "heterophilous-roles",
        "The label of one role, opposite in a 4-cycle, while the neighbours mislead.",
    ),
    _generated(
        "power-law-roles",
        "Planted shapes in a sparse graph with hubs: counts have heavy tails.",
    ),
    _generated("directed-roles", "Triangles that differ by the direction of edges."),
)


def find_tasks(names: Iterable[str] | None) -> list[Task]:
    """Return tasks by name, in the order of the arena; None: all.

    Examples
    --------
    >>> [task.metric for task in find_tasks(["minesweeper", "cora"])]
    ['accuracy', 'roc-auc']
    """
    known = {task.name: task for task in TASKS}
    wanted = list(known if names is None else names)
    for name in wanted:
        if name not in known:
            raise GrapeError(f"no task is called {name!r} (there are {', '.join(known)})")
    return [task for name, task in known.items() if name in wanted]
