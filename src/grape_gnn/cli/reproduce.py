"""``grape reproduce``: the tables and figures of the paper, run again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grape_gnn.cli.output import console, plain_table, say
from grape_gnn.errors import ExperimentError

if TYPE_CHECKING:
    from grape_gnn.experiments import Cell, CellReport, Experiment, Profile, Results

__all__ = ["reproduce"]

_ALL = "all"


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="Experiments, or 'all'. Without a name: list them and what is done.",
        ),
    ] = None,
    profile: Annotated[
        str,
        typer.Option(help="quick (3 splits), standard (10, small grid) or paper (10, its grid)."),
    ] = "quick",
    datasets: Annotated[
        str, typer.Option(metavar="NAMES", help="Only these datasets, separated by commas.")
    ] = "",
    methods: Annotated[
        str, typer.Option(metavar="NAMES", help="Only these methods, separated by commas.")
    ] = "",
    jobs: Annotated[
        int, typer.Option(min=1, help="How many cells at a time, each on one thread.")
    ] = 1,
    results: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where the JSON lines are kept.")
    ] = Path("results"),
    document: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the page of results there, when all is done."),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Run cells that have a result already, too.")
    ] = False,
) -> None:
    """Run the tables and figures of the paper again, each cell once.

    A finished cell is one JSON line in the results folder. Stopped by
    Ctrl-C or SIGTERM, the same command goes on where it was.

    \b
    Examples:
      grape reproduce
      grape reproduce table1 --profile quick --datasets cora,amherst --methods grape,gin
      grape reproduce all --profile paper --jobs 4 --document docs/results.md
    """
    from grape_gnn.experiments import (
        EXPERIMENTS,
        Results,
        find_experiment,
        find_profile,
        missing_cells,
        run_cells,
    )

    size = find_profile(profile)
    wanted = [
        experiment
        for name in names or ()
        for experiment in (EXPERIMENTS if name == _ALL else [find_experiment(name)])
    ]
    only = {
        name: [word.strip() for word in given.split(",")]
        for name, given in (("dataset", datasets), ("method", methods))
        if given
    }
    failed = []
    for experiment, cells in missing_cells(wanted, size, results, only=only, again=again):
        found = Results(results, experiment.name)
        console().print(_plan(experiment, cells, size, found))
        reporter = _Reporter(len(cells))
        try:
            ended = run_cells(experiment, cells, size, found, jobs=jobs, progress=reporter)
        except KeyboardInterrupt:
            # With --again the same command would begin anew with the cells that were done.
            raise KeyboardInterrupt("" if again else "; the same command goes on") from None
        failed += [report for report in ended if report.failure]
    if not wanted:
        _print_state(EXPERIMENTS, results)
    if document is not None:
        from grape_gnn.experiments.document import write_document

        console().print(f"wrote {write_document(results, document)}")
    if failed:
        raise ExperimentError(
            f"{len(failed)} of the cells failed, see above; the same command tries them again"
        )


def _plan(experiment: Experiment, cells: list[Cell], profile: Profile, found: Results) -> str:
    number = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
    text = f"{experiment.name}: {number} to run ({profile.name})"
    lines = [found.find(profile.name, cell) for cell in cells]
    old = sum(line is not None and not experiment.is_current(line) for line in lines)
    return f"{text}, {old} of them again: their method or settings have changed" if old else text


class _Reporter:
    """Writes a line after every cell."""

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


def _print_state(experiments: tuple[Experiment, ...], folder: Path) -> None:
    from grape_gnn.experiments import PROFILES, Results

    table = plain_table("name", "what", *PROFILES, right=tuple(PROFILES))
    for experiment in experiments:
        found = Results(folder, experiment.name)
        states = [_state(experiment, profile, found) for profile in PROFILES.values()]
        table.add_row(experiment.name, experiment.title, *states)
    console().print(table)


def _state(experiment: Experiment, profile: Profile, found: Results) -> str:
    cells = experiment.cells(profile)
    lines = (found.find(profile.name, cell) for cell in cells)
    done = sum(line is not None and experiment.is_current(line) for line in lines)
    return f"{done} of {len(cells)}"
