"""What the accuracy tables share: cells of one method on one dataset, and their presentation.

Every number of the page is computed here from the accuracies of the single runs in the records.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grape_gnn.training.results import RunResult, read_results, summarise
from reproduction.experiment import Entry
from reproduction.paired import PairedTest, paired_test
from reproduction.profiles import PROFILES, Profile
from reproduction.record import Record, Records

if TYPE_CHECKING:
    from grape_gnn.training import Method

__all__ = [
    "DATASETS",
    "TITLES",
    "mean_and_spread",
    "paired_table",
    "run_comparison",
    "test_accuracies",
]

# In the order to run: the seven graphs of the paper, small ones first, then the stand-in.
DATASETS = (
    "cora",
    "citeseer",
    "amherst",
    "hamilton",
    "lehigh",
    "rochester",
    "jhu",
    "amazon-dvd",
)
# In the order of the paper's columns.
TITLES = {
    "hamilton": "Hamilton",
    "lehigh": "Lehigh",
    "rochester": "Rochester",
    "jhu": "JHU",
    "amherst": "Amherst",
    "cora": "Cora",
    "citeseer": "Citeseer",
    "amazon-dvd": "Amazon (DVD stand-in)",
}


def run_comparison(
    method: Method, cell: Entry, profile: Profile, folder: Path, features: str = "original"
) -> dict[str, Any]:
    """Tune a method on a dataset and run it on every split; goes on from `folder`.

    Parameters
    ----------
    method
        The method.
    cell
        Names the dataset.
    profile, folder
        As for `Experiment.run`.
    features
        original, constant or random.
    """
    from grape_gnn import datasets
    from grape_gnn.comparison import compare

    name, kept = cell["dataset"], folder / "runs.jsonl"
    runs = compare(
        datasets.load(name),
        [method],
        dataset=name,
        features=features,
        seeds=profile.seeds,
        metric="accuracy",
        profile=profile,
        results=kept,
    )
    return {
        "features": features,
        "settings": {k: v for k, v in runs[0].settings.items() if k != "seed"},
        "grid": _grid([run for run in read_results(kept) if run.stage == "grid"]),
        "runs": [_kept(run) for run in runs],
    }


def _grid(tried: Sequence[RunResult]) -> list[dict[str, Any]]:
    """Return what a record keeps of the trainings that helped to choose the settings."""
    names = [name for name in (tried[0].settings if tried else ()) if name != "seed"]
    varied = [name for name in names if len({run.settings[name] for run in tried}) > 1]
    return [
        {
            "seed": run.seed,
            **{name: run.settings[name] for name in varied},
            "validation_accuracy": round(run.validation_score, 6),
        }
        for run in tried
    ]


def _kept(run: RunResult) -> dict[str, Any]:
    """Return what a record keeps of a run."""
    return {
        "seed": run.seed,
        "validation_accuracy": round(run.validation_score, 6),
        "test_accuracy": round(run.test_score or 0.0, 6),
        "best_epoch": run.best_epoch,
        "epochs": run.epochs,
        "seconds": round(run.seconds, 3),
    }


def test_accuracies(record: Record) -> list[float]:
    """Return the test accuracies of a record's runs, in the order of their seeds."""
    runs = sorted(record.result["runs"], key=lambda run: int(run["seed"]))
    return [float(run["test_accuracy"]) for run in runs]


def mean_and_spread(record: Record | None, best: float | None = None) -> str:
    """Write mean ± standard deviation in percent, bold if within one standard error of `best`.

    The profile's mark stands behind it.
    """
    if record is None:
        return "not run"
    mean, spread, error = summarise(test_accuracies(record))
    text = f"{mean:.1f} ± {spread:.1f}"
    if best is not None and mean + error >= best:
        text = f"**{text}**"
    return text + PROFILES[record.profile].mark


def best_mean(records: Iterable[Record | None]) -> float | None:
    """Return the highest mean accuracy, in percent; None if nothing was run."""
    means = [summarise(test_accuracies(record))[0] for record in records if record is not None]
    return max(means) if means else None


def paired_table(
    records: Records,
    datasets: Sequence[str],
    groups: Mapping[str, Mapping[str, str]],
    *,
    ours: str,
) -> str:
    """Write how GRAPE compares to the best method of each group, on the same splits.

    The best is the one with the highest mean *test* accuracy, the hardest choice for GRAPE.

    Parameters
    ----------
    records
        The records.
    datasets
        Rows.
    groups
        Titles of methods by their names, by what the page calls them together.
    ours
        The name of GRAPE: without or with label inputs, as the groups are.
    """
    rows = [
        "| dataset | against | best of them | GRAPE is better by | p, paired | p, corrected "
        "| p, Wilcoxon | runs |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for dataset in datasets:
        mine = records.best(dataset=dataset, method=ours)
        if mine is None:
            continue
        for group, methods in groups.items():
            found = [
                (name, theirs)
                for name in methods
                if name != ours
                and (theirs := records.find(mine.profile, {"dataset": dataset, "method": name}))
            ]
            if not found:
                continue
            name, theirs = max(found, key=lambda pair: summarise(test_accuracies(pair[1]))[0])
            test = paired_test(test_accuracies(mine), test_accuracies(theirs))
            title = TITLES.get(dataset, dataset)
            rows.append(f"| {title} | {group} | {methods[name]} | {_tested(test)} |")
    return "\n".join(rows) + "\n" if len(rows) > 2 else "No dataset has both yet.\n"


def _tested(test: PairedTest) -> str:
    values = (_p(p) for p in (test.p_paired, test.p_corrected, test.p_wilcoxon))
    gap = f"{test.difference:+.1f} ± {test.standard_error:.1f}"
    return f"{gap} | {' | '.join(values)} | {test.runs}"


def _p(value: float) -> str:
    if value != value:
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
