"""``python -m arena``: run entrants on tasks, write the tables, look at validation scores."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from arena.ablation import ablation_table, run_ablation
from arena.entrants import find_entrants
from arena.page import write_between, write_page, write_readme
from arena.run import Report, run_arena
from arena.scores import RECORDS, Scores
from arena.tasks import find_tasks
from grape_gnn.cli.output import console, plain_table, say
from grape_gnn.errors import GrapeError

__all__ = ["main"]

ROOT = Path(__file__).parents[1]
PAGE, MODEL_PAGE, README = ROOT / "docs/arena.md", ROOT / "docs/model.md", ROOT / "README.md"


def main(words: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code.

    Parameters
    ----------
    words
        The arguments; None: those of the process.
    """
    asked = _parser().parse_args(words)
    try:
        asked.action(asked)
    except GrapeError as error:
        say(f"error: {error}", "red")
        return 2
    except KeyboardInterrupt:
        say("interrupted; the same command goes on", "yellow")
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m arena", description=__doc__)
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    run = actions.add_parser("run", help="train what is missing; stopped, it goes on")
    run.add_argument("--full", action="store_true", help="all published splits")
    run.add_argument("--jobs", type=int, default=1, help="number of processes")
    run.set_defaults(action=_run)
    table = actions.add_parser("table", help="write the page and the README's table")
    table.add_argument("--page", type=Path, default=PAGE, metavar="FILE", help="where to")
    table.add_argument("--readme", type=Path, default=README, metavar="FILE", help="and there")
    table.set_defaults(action=_table)
    validation = actions.add_parser("validation", help="print validation scores, no test scores")
    validation.set_defaults(action=_validation)
    ablation = actions.add_parser("ablation", help="the layer without its parts, by validation")
    ablation.set_defaults(action=_ablation)
    for action in (run, validation):
        action.add_argument("--league", type=int, choices=(1, 2), default=1)
        action.add_argument("--tasks", type=_names, metavar="NAMES", help="separated by commas")
        action.add_argument("--methods", type=_names, metavar="NAMES", help="separated by commas")
    for action in (run, table, validation, ablation):
        action.add_argument("--records", type=Path, default=RECORDS, metavar="FOLDER")
    return parser


def _names(given: str) -> list[str]:
    return [word.strip() for word in given.split(",")]


def _run(asked: argparse.Namespace) -> None:
    reports = run_arena(
        find_tasks(asked.tasks),
        find_entrants(asked.methods),
        asked.league,
        asked.records,
        full=asked.full,
        jobs=asked.jobs,
        progress=_say,
    )
    hours = sum(report.seconds for report in reports) / 3600
    console().print(f"{hours:.2f} core hours")
    failed = sum(bool(report.failure) for report in reports)
    if failed:
        raise GrapeError(f"{failed} failed, see above; the same command tries again")


def _say(report: Report) -> None:
    where = f"{report.task} {report.method} (league {report.league})"
    if report.failure:
        say(f"failed: {where}: {report.failure}", "red")
        return
    words = f"{where}: validation {report.validation:.1f}  {report.trainings} trainings"
    console().print(f"{words}  {report.seconds:.0f} s", soft_wrap=True)


def _table(asked: argparse.Namespace) -> None:
    scores = Scores(asked.records)
    console().print(f"wrote {write_page(scores, asked.page)}")
    console().print(f"wrote {write_readme(scores, asked.readme)}")


def _validation(asked: argparse.Namespace) -> None:
    scores, methods = Scores(asked.records), find_entrants(asked.methods)
    table = plain_table("task", *methods, right=tuple(methods))
    for task in find_tasks(asked.tasks):
        found = (scores.validation(asked.league, task.name, name) for name in methods)
        table.add_row(task.name, *("" if each is None else f"{each:.2f}" for each in found))
    console().print(table)


def _ablation(asked: argparse.Namespace) -> None:
    scores = run_ablation(asked.records / "ablation", progress=console().print)
    write_between(MODEL_PAGE, "ablation", ablation_table(scores))
    console().print(f"wrote {MODEL_PAGE}")


if __name__ == "__main__":
    sys.exit(main())
