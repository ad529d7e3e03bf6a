"""``python -m reproduction``: the tables and figures of the paper, run again."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from grape_gnn.cli.output import console, plain_table, say
from grape_gnn.errors import GrapeError
from reproduction import (
    EXPERIMENTS,
    PROFILES,
    CellReport,
    Entry,
    Experiment,
    Profile,
    Records,
    find_experiment,
    missing_cells,
    run_cells,
)
from reproduction.document import write_document

__all__ = ["main"]

ALL = "all"
FOLDER = Path(__file__).with_name("records")


def main(words: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code.

    Parameters
    ----------
    words
        The arguments; None: those of the process.
    """
    asked = _parser().parse_args(words)
    try:
        _run(asked)
    except GrapeError as error:
        say(f"error: {error}", "red")
        return 2
    except KeyboardInterrupt:
        # With --again the same command would begin anew with the cells that were done.
        say("interrupted" if asked.again else "interrupted; the same command goes on", "yellow")
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m reproduction",
        description="Run the tables and figures of the paper again, each cell once. A finished "
        "cell is one record. Stopped by Ctrl-C or SIGTERM, the same command goes on.",
    )
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="experiments, or 'all'; none: list them")
    add("--profile", choices=PROFILES, default="quick", help="how many splits and grid points")
    add("--datasets", type=_names, metavar="NAMES", help="only these, separated by commas")
    add("--methods", type=_names, metavar="NAMES", help="only these, separated by commas")
    add("--jobs", type=int, default=1, help="how many cells at a time, each on one thread")
    add("--records", type=Path, default=FOLDER, metavar="FOLDER", help="where the records are")
    add("--document", type=Path, metavar="FILE", help="write the page of results there")
    add("--again", action="store_true", help="run cells that have a record already, too")
    return parser


def _names(given: str) -> list[str]:
    return [word.strip() for word in given.split(",")]


def _run(asked: argparse.Namespace) -> None:
    profile = PROFILES[asked.profile]
    wanted = [
        experiment
        for name in asked.names
        for experiment in (EXPERIMENTS if name == ALL else [find_experiment(name)])
    ]
    filters = {"dataset": asked.datasets, "method": asked.methods}
    only = {name: allowed for name, allowed in filters.items() if allowed}
    failed = 0
    for experiment, cells in missing_cells(
        wanted, profile, asked.records, only=only, again=asked.again
    ):
        records = Records(asked.records, experiment.name)
        console().print(_plan(experiment, cells, profile, records))
        reporter = _Reporter(len(cells))
        ended = run_cells(experiment, cells, profile, records, jobs=asked.jobs, progress=reporter)
        failed += sum(bool(report.failure) for report in ended)
    if not wanted:
        _print_state(asked.records)
    if asked.document is not None:
        console().print(f"wrote {write_document(asked.records, asked.document)}")
    if failed:
        raise GrapeError(f"{failed} of the cells failed, see above; the same command tries again")


def _plan(experiment: Experiment, cells: list[Entry], profile: Profile, records: Records) -> str:
    number = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
    text = f"{experiment.name}: {number} to run ({profile.name})"
    found = [records.find(profile.name, cell) for cell in cells]
    old = sum(record is not None and not experiment.is_current(record) for record in found)
    return f"{text}, {old} of them again: their method or settings have changed" if old else text


class _Reporter:
    """Says after every cell how it ended."""

    def __init__(self, total: int) -> None:
        self.done, self.total = 0, total

    def __call__(self, report: CellReport) -> None:
        self.done += 1
        cell = " ".join(report.cell[name] for name in sorted(report.cell))
        if report.failure:
            say(f"failed: {cell}: {report.failure}", "red")
        else:
            words = f"  [{self.done}/{self.total}] {cell}  {report.seconds:.1f} s"
            console().print(words, soft_wrap=True)


def _print_state(folder: Path) -> None:
    table = plain_table("name", "what", *PROFILES, right=tuple(PROFILES))
    for experiment in EXPERIMENTS:
        records = Records(folder, experiment.name)
        states = [_state(experiment, profile, records) for profile in PROFILES.values()]
        table.add_row(experiment.name, experiment.title, *states)
    console().print(table)


def _state(experiment: Experiment, profile: Profile, records: Records) -> str:
    cells = experiment.cells(profile)
    found = (records.find(profile.name, cell) for cell in cells)
    done = sum(record is not None and experiment.is_current(record) for record in found)
    return f"{done} of {len(cells)}"


if __name__ == "__main__":
    sys.exit(main())
