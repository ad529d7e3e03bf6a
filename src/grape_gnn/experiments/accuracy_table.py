"""Tables 1, A1 and A2 of the paper: every method on every dataset, with one kind of features."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from grape_gnn.experiments.accuracy import (
    DATASETS,
    TITLES,
    best_mean,
    mean_and_spread,
    paired_table,
    run_comparison,
)
from grape_gnn.experiments.basis import dataset_method, tuned_basis
from grape_gnn.experiments.experiment import Cell, Experiment, Section
from grape_gnn.experiments.lines import Results
from grape_gnn.experiments.paper import paper_accuracy
from grape_gnn.experiments.profiles import Profile

__all__ = ["METHODS", "RIVALS", "accuracy_table"]

RIVALS = {
    "gcn": "GCN",
    "sage": "GraphSAGE",
    "gin": "GIN",
    "gat": "GAT",
    "geniepath": "GeniePath",
    "meta-gnn": "Meta-GNN",
    "mixhop": "MixHop",
    "de-gnn": "DE-GNN",
}
YARDSTICKS = {
    "label-propagation": "label propagation",
    "mlp": "MLP",
    "linkx": "LINKX",
    "gin-labels": "GIN + labels",
}
METHODS = {**RIVALS, "grape": "GRAPE", **YARDSTICKS}


def accuracy_table(name: str, title: str, features: str, remark: str) -> Experiment:
    """Make the experiment of one of the three tables.

    Parameters
    ----------
    name
        Of the experiment, and of the paper's table in ``paper.json``.
    title
        Heading on the page.
    features
        original, dummy or random.
    remark
        What to know when reading the table.
    """
    return Experiment(
        name=name,
        title=title,
        cells=_cells,
        run=partial(_run, features),
        basis=_basis,
        section=partial(_section, name, remark),
    )


def _cells(profile: Profile) -> list[Cell]:
    # GRAPE first: it is what one wants to know, should the time not suffice for the rest.
    methods = ["grape", *RIVALS, *YARDSTICKS]
    return [{"dataset": dataset, "method": method} for dataset in DATASETS for method in methods]


def _run(features: str, cell: Cell, profile: Profile, folder: Path) -> dict[str, Any]:
    chosen = dataset_method(cell["method"], cell["dataset"])
    return run_comparison(chosen, cell, profile, folder, features)


def _basis(cell: Cell, profile: Profile) -> dict[str, Any]:
    return tuned_basis(dataset_method(cell["method"], cell["dataset"]), profile)


def _section(name: str, remark: str, results: Results) -> Section:
    head = [
        "| method | " + " | ".join(TITLES.values()) + " |",
        "|---|" + "---|" * len(TITLES),
    ]
    lines = {
        (method, dataset): results.best(dataset=dataset, method=method)
        for method in METHODS
        for dataset in TITLES
    }
    ranked = [*RIVALS, "grape"]
    best = {dataset: best_mean(lines[method, dataset] for method in ranked) for dataset in TITLES}
    rows = []
    for method, title in METHODS.items():
        cells = [
            mean_and_spread(lines[method, dataset], best[dataset] if method in ranked else None)
            + _printed(name, method, dataset)
            for dataset in TITLES
        ]
        shown = f"*{title}*" if method in YARDSTICKS else title
        rows.append(f"| {shown} | " + " | ".join(cells) + " |")
    groups = {"the paper's rivals": RIVALS, "the yardsticks": YARDSTICKS}
    return Section(
        "\n".join(
            [
                remark,
                "",
                *head,
                *rows,
                "",
                "Is GRAPE better than the best rival?",
                "",
                paired_table(results, list(TITLES), groups),
            ]
        )
    )


def _printed(name: str, method: str, dataset: str) -> str:
    printed = paper_accuracy(name, method, dataset)
    if printed is None:
        return ""
    music = " Music" if dataset == "amazon-dvd" else ""
    return f"<br><small>paper{music} {printed[0]:.1f}</small>"
