"""``python -m grape_gnn.comparison DATASET``: the protocol on a named dataset, as a bare driver."""

from __future__ import annotations

import argparse
import sys

from grape_gnn import datasets
from grape_gnn.baselines import METHODS
from grape_gnn.comparison.compare import Progress, compare
from grape_gnn.comparison.profiles import PROFILES
from grape_gnn.comparison.table import comparison_table, table_text
from grape_gnn.datasets.features import KINDS
from grape_gnn.errors import GrapeError


def _show(step: Progress) -> None:
    run = step.result
    tested = "" if run.test_accuracy is None else f" test {100 * run.test_accuracy:5.2f}"
    print(
        f"[{step.done}/{step.total}] {step.method} {run.stage} seed {run.seed}: "
        f"validation {100 * run.validation_accuracy:5.2f}{tested}, {run.epochs} epochs, "
        f"{run.seconds:.1f} s{' (known)' if step.reused else ''}",
        file=sys.stderr,
        flush=True,
    )


def main() -> int:
    """Run the protocol and print the table."""
    parser = argparse.ArgumentParser(prog="python -m grape_gnn.comparison", description=__doc__)
    parser.add_argument("dataset", help=f"one of {', '.join(datasets.available())}")
    parser.add_argument("--features", default="original", choices=KINDS)
    parser.add_argument("--methods", default=",".join(METHODS), help="names, with commas between")
    parser.add_argument("--seeds", type=int, default=10, help="number of runs")
    parser.add_argument("--profile", default="quick", choices=list(PROFILES))
    parser.add_argument("--templates", help="a set or names; default: the dataset's")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--out", help="file of JSON lines to go on from and to append to")
    given = parser.parse_args()
    try:
        about = datasets.info(given.dataset)
        runs = compare(
            datasets.load(about.name),
            given.methods.split(","),
            dataset=about.name,
            features=given.features,
            seeds=range(given.seeds),
            profile=given.profile,
            results=given.out,
            templates=given.templates or about.templates,
            n_jobs=given.jobs,
            progress=_show,
        )
    except GrapeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(table_text(comparison_table(runs)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
