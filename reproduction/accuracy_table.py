"""Tables 1, A1 and A2 of the paper: every method on every dataset, with one kind of features."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reproduction.accuracy import (
    DATASETS,
    TITLES,
    best_mean,
    mean_and_spread,
    paired_table,
    run_comparison,
)
from reproduction.experiment import Entry, Experiment, Section
from reproduction.fingerprint import dataset_method, tuned_fingerprint
from reproduction.paper import paper_accuracy
from reproduction.profiles import Profile
from reproduction.record import Records

if TYPE_CHECKING:
    from arena.scores import Scores

__all__ = ["BASELINES", "METHODS", "TABLE_1", "TABLE_A1", "TABLE_A2"]

BASELINES = {
    "gcn": "GCN",
    "sage": "GraphSAGE",
    "gin": "GIN",
    "gat": "GAT",
    "geniepath": "GeniePath",
    "meta-gnn": "Meta-GNN",
    "mixhop": "MixHop",
    "de-gnn": "DE-GNN",
}
REFERENCES = {"label-propagation": "label propagation", "mlp": "MLP", "linkx": "LINKX"}
# Like for like: nobody has training labels among the inputs, or all that are compared have.
PLAIN = {**BASELINES, "grape-plain": "GRAPE", **REFERENCES}
WITH_LABELS = {"gin-labels": "GIN + labels", "grape": "GRAPE + labels"}
METHODS = {**BASELINES, "grape-plain": "GRAPE", **WITH_LABELS, **REFERENCES}


def accuracy_table(name: str, title: str, features: str, remark: str) -> Experiment:
    """Make the experiment of one of the three tables.

    Parameters
    ----------
    name
        Of the experiment, and of the paper's table in ``paper.json``.
    title
        Heading on the page.
    features
        original, constant or random.
    remark
        What to know when reading the table.
    """
    return Experiment(
        name=name,
        title=title,
        cells=_cells,
        run=partial(_run, features),
        fingerprint=_fingerprint,
        section=partial(_section, name, remark),
    )


def _cells(profile: Profile) -> list[Entry]:
    # GRAPE first: it is what one wants to know, should the time not suffice for the rest.
    methods = ["grape-plain", "grape", *BASELINES, *REFERENCES, "gin-labels"]
    return [{"dataset": dataset, "method": method} for dataset in DATASETS for method in methods]


def _run(features: str, cell: Entry, profile: Profile, folder: Path) -> dict[str, Any]:
    chosen = dataset_method(cell["method"], cell["dataset"])
    return run_comparison(chosen, cell, profile, folder, features)


def _fingerprint(cell: Entry, profile: Profile) -> dict[str, Any]:
    return tuned_fingerprint(dataset_method(cell["method"], cell["dataset"]), profile)


def _section(name: str, remark: str, records: Records) -> Section:
    plain = _rows(name, PLAIN, records)
    given = _rows(name, WITH_LABELS, records)
    parts = [
        remark,
        "",
        "**Without label inputs**, for anybody:",
        "",
        *plain,
        "",
        "Is GRAPE better than the best of the others?",
        "",
        paired_table(
            records,
            list(TITLES),
            {"the paper's baselines": BASELINES, "the reference methods": REFERENCES},
            ours="grape-plain",
        ),
        "**With label inputs**: the training labels are among the inputs of both methods.",
        "",
        *given,
        "",
        paired_table(records, list(TITLES), {"label inputs, no roles": WITH_LABELS}, ours="grape"),
    ]
    return Section("\n".join(parts))


def _rows(name: str, methods: Mapping[str, str], records: Records) -> list[str]:
    found = {
        (method, dataset): records.best(dataset=dataset, method=method)
        for method in methods
        for dataset in TITLES
    }
    ranked = [method for method in methods if method not in REFERENCES]
    best = {dataset: best_mean(found[method, dataset] for method in ranked) for dataset in TITLES}
    rows = ["| method | " + " | ".join(TITLES.values()) + " |", "|---|" + "---|" * len(TITLES)]
    for method, title in methods.items():
        cells = [
            mean_and_spread(found[method, dataset], best[dataset] if method in ranked else None)
            + _in_the_arena(name, method, dataset)
            + _printed(name, method, dataset)
            for dataset in TITLES
        ]
        shown = f"*{title}*" if method in REFERENCES else title
        rows.append(f"| {shown} | " + " | ".join(cells) + " |")
    return rows


@cache
def _arena() -> Scores:
    from arena.scores import Scores

    return Scores()


def _in_the_arena(name: str, method: str, dataset: str) -> str:
    """Return what GRAPE without label inputs reaches in the arena, if it was run there."""
    from arena.entrants import GRAPE
    from arena.tasks import PAPER_TASKS

    shown = (name, method) == ("table1", "grape-plain") and dataset in PAPER_TASKS
    found = _arena().figures(1, dataset, GRAPE) if shown else None
    return f"<br><small>arena {found[0]:.1f}, {found[2]} splits</small>" if found else ""


def _printed(name: str, method: str, dataset: str) -> str:
    # The paper's GRAPE had no label inputs.
    printed = paper_accuracy(
        name, {"grape": "", "grape-plain": "grape"}.get(method, method), dataset
    )
    if printed is None:
        return ""
    music = " Music" if dataset == "amazon-dvd" else ""
    return f"<br><small>paper{music} {printed[0]:.1f}</small>"


TABLE_1 = accuracy_table(
    "table1",
    "Table 1: original features",
    "original",
    "Test accuracy, %. Features: bag of words (Cora, Citeseer), gender and major (the five "
    "universities), numbers of reviews and votes (Amazon).",
)
TABLE_A1 = accuracy_table(
    "tableA1",
    "Table A1: constant features",
    "constant",
    "Test accuracy, %. Every node has the single feature 1: without label inputs only the "
    "structure is left. For all methods alike, early stopping waits until epoch 200, because with "
    "constant features learning takes off late.",
)
TABLE_A2 = accuracy_table(
    "tableA2",
    "Table A2: random features",
    "random",
    "Test accuracy, %. Every node has 64 standard normal numbers, which tell nodes apart and mean "
    "nothing.",
)
