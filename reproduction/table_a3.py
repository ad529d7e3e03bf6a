"""Table A3 of the paper: GRAPE with a single template, on Lehigh."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reproduction.accuracy import best_mean, mean_and_spread, run_comparison
from reproduction.experiment import Entry, Experiment, Section
from reproduction.fingerprint import tuned_fingerprint
from reproduction.paper import paper_facts
from reproduction.profiles import Profile
from reproduction.record import Records

__all__ = ["TABLE_A3"]

DATASET = "lehigh"
TEMPLATES = {
    "S1": "edge",
    "S2": "3-path",
    "S3": "triangle",
    "S4": "4-path",
    "S5": "4-clique",
    "S6": "tailed triangle",
}


def _cells(profile: Profile) -> list[Entry]:
    return [{"dataset": DATASET, "template": name} for name in TEMPLATES]


def _run(cell: Entry, profile: Profile, folder: Path) -> dict[str, Any]:
    return run_comparison(_method(cell), cell, profile, folder)


def _method(cell: Entry) -> Any:
    from reproduction.variants import table_method

    return table_method("grape", cell["template"])


def _fingerprint(cell: Entry, profile: Profile) -> dict[str, Any]:
    return tuned_fingerprint(_method(cell), profile)


def _section(records: Records) -> Section:
    found = {name: records.best(dataset=DATASET, template=name) for name in TEMPLATES}
    best = best_mean(found.values())
    printed = paper_facts("tableA3")["accuracy"]
    names = " | ".join(f"{name} {says}" for name, says in TEMPLATES.items())
    ours = " | ".join(mean_and_spread(found[name], best) for name in TEMPLATES)
    theirs = " | ".join(f"{printed[name][0]} ± {printed[name][1]}" for name in TEMPLATES)
    return Section(
        f"GRAPE with one template on Lehigh, original features, test accuracy in %.\n\n"
        f"| | {names} |\n|---|{'---|' * len(TEMPLATES)}\n| ours | {ours} |\n"
        f"| paper | {theirs} |\n"
    )


TABLE_A3 = Experiment(
    name="tableA3",
    title="Table A3: single templates",
    cells=_cells,
    run=_run,
    fingerprint=_fingerprint,
    section=_section,
)
