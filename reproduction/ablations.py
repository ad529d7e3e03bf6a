"""What the paper does not show: GRAPE with one thing changed at a time.

Counts against sets, with and without squeeze-and-excitation, skip connections and damping, depth,
number of templates, and the three presets, each tuned and run like every other method.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reproduction.accuracy import (
    TITLES,
    best_mean,
    mean_and_spread,
    run_comparison,
    test_accuracies,
)
from reproduction.experiment import Entry, Experiment, Section
from reproduction.fingerprint import tuned_fingerprint
from reproduction.paired import paired_test
from reproduction.profiles import Profile
from reproduction.record import Records

__all__ = ["ABLATIONS", "VARIANTS"]

DATASETS = ("amherst", "cora", "hamilton")
DEFAULT = "default"
# What the page calls a variant, and what it changes. "first" takes that many templates.
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    DEFAULT: ("the preset `default` with 2 layers, as in Table 1", {}),
    "count": ("counts for all roles, near and far", {"values": "matched"}),
    "set": ("sets for all roles, near and far", {"weighting": "set"}),
    "no-labels": ("no label inputs", {"label_inputs": False}),
    "no-se": ("all templates weighted alike, no squeeze-and-excitation", {"excitation": False}),
    "no-skip": ("no skip connections", {"skip": False}),
    "no-damping": ("no damping of hubs", {"damped": False}),
    "layers-1": ("1 layer", {"layers": 1}),
    "layers-3": ("3 layers", {"layers": 3}),
    "layers-4": ("4 layers", {"layers": 4}),
    "templates-1": ("the first template only (the edge)", {"first": 1}),
    "templates-2": ("the first 2 templates", {"first": 2}),
    "templates-3": ("the first 3 templates", {"first": 3}),
    "templates-4": ("the first 4 templates", {"first": 4}),
    "paper": (
        "the preset `paper`: the equations as printed, no label inputs",
        {"preset": "paper", "label_inputs": False},
    ),
    "released": (
        "the preset `released`: what the authors' code does, no label inputs",
        {"preset": "released", "label_inputs": False},
    ),
}


def _cells(profile: Profile) -> list[Entry]:
    return [{"dataset": name, "variant": variant} for name in DATASETS for variant in VARIANTS]


def _run(cell: Entry, profile: Profile, folder: Path) -> dict[str, Any]:
    return run_comparison(_method(cell), cell, profile, folder)


def _fingerprint(cell: Entry, profile: Profile) -> dict[str, Any]:
    return tuned_fingerprint(_method(cell), profile)


def _method(cell: Entry) -> Any:
    from grape_gnn import datasets, templates
    from reproduction.variants import GrapeVariant

    changes = dict(VARIANTS[cell["variant"]][1])
    first = changes.pop("first", None)
    chosen = templates(datasets.info(cell["dataset"]).templates)[:first]
    return GrapeVariant(chosen, **changes)


def _section(records: Records) -> Section:
    found = {
        (variant, dataset): records.best(dataset=dataset, variant=variant)
        for variant in VARIANTS
        for dataset in DATASETS
    }
    best = {d: best_mean(found[variant, d] for variant in VARIANTS) for d in DATASETS}
    heads = " | ".join(f"{TITLES[d]} | against `default`" for d in DATASETS)
    rows = [f"| variant | {heads} |", "|---|" + "---|---|" * len(DATASETS)]
    for variant, (says, _) in VARIANTS.items():
        cells = []
        for dataset in DATASETS:
            cells.append(mean_and_spread(found[variant, dataset], best[dataset]))
            cells.append(_against(records, variant, dataset))
        rows.append(f"| {says} | {' | '.join(cells)} |")
    return Section(
        "Original features, test accuracy in %. One thing is changed at a time, and every variant "
        "is tuned like the others; the difference to the preset `default` is the mean over the "
        "same splits, with its standard error.\n\n" + "\n".join(rows) + "\n"
    )


def _against(records: Records, variant: str, dataset: str) -> str:
    record = records.best(dataset=dataset, variant=variant)
    if record is None or variant == DEFAULT:
        return ""
    standard = records.find(record.profile, {"dataset": dataset, "variant": DEFAULT})
    if standard is None:
        return ""
    test = paired_test(test_accuracies(record), test_accuracies(standard))
    return f"{test.difference:+.1f} ± {test.standard_error:.1f}"


ABLATIONS = Experiment(
    name="ablations",
    title="Ablations",
    cells=_cells,
    run=_run,
    fingerprint=_fingerprint,
    section=_section,
)
