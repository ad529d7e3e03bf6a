"""How far a search is: a live table of the population in a terminal, a line per round elsewhere."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from grape_gnn.cli.output import drawn, error_console, plain_table, say
from grape_gnn.cli.training_progress import in_words
from grape_gnn.progress import listening

if TYPE_CHECKING:
    from types import TracebackType

    from rich.console import Console, Group
    from rich.text import Text

    from grape_gnn.search import Evaluation, Gene, Progress, SearchHistory

__all__ = ["SearchProgress", "judged", "population_table"]

_FEW = 20  # rounds that are all told
_PAUSE = 0.2  # seconds between two drawings


class SearchProgress:
    """The progress function of a search; use it in a ``with`` block.

    Parameters
    ----------
    title
        What is being searched.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self._live: _LiveTable | None = None

    def __enter__(self) -> SearchProgress:
        if sys.stderr.isatty():
            self._live = _LiveTable(self.title)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, progress: Progress) -> None:
        """Show where the search stands."""
        if self._live is not None:
            self._live.show(progress)
        elif len(progress.evaluated) == len(progress.candidates) and _worth_a_line(progress):
            best = progress.history.best
            names = ", ".join(t.name or t.text for t in best.gene.templates)
            say(
                f"{self.title}: round {_of(progress.round, progress.budget.rounds)} after "
                f"{in_words(progress.seconds)}, best {_accuracy(progress.history)} ({names})",
                "default",
            )


class _LiveTable:
    """A table that is drawn over again, with a clock that goes on during long trainings."""

    def __init__(self, title: str) -> None:
        from rich.live import Live

        self._title = title
        self._progress: Progress | None = None
        self._shown, self._drawn = time.monotonic(), 0.0
        self._console = error_console()
        self._live = Live(self, console=self._console, transient=True, refresh_per_second=2)
        self._step = "reading"
        self._open = ExitStack()
        self._open.enter_context(self._live)
        self._open.enter_context(listening(self._heard))

    def _heard(self, step: str, done: int, total: int | None) -> None:
        self._step = f"{step} {100 * done / total:.0f}%" if total else step

    def show(self, progress: Progress) -> None:
        now = time.monotonic()
        self._progress, self._shown = progress, now
        if now - self._drawn > _PAUSE:  # drawing takes longer than judging a gene
            self._live.refresh()
            self._drawn = time.monotonic()

    def stop(self) -> None:
        self._open.close()

    def __rich__(self) -> Any:
        """Draw the table as it is now."""
        if self._progress is None:
            seconds = in_words(time.monotonic() - self._shown)  # goes on, so that it looks alive
            return f"{self._title}: {self._step}, {seconds}"
        since = time.monotonic() - self._shown
        return population_table(self._title, self._progress, since, self._console)


def population_table(title: str, progress: Progress, since: float, screen: Console) -> Group:
    """Return the population with drawings, and above it the best so far and the times.

    Parameters
    ----------
    title
        What is being searched.
    progress
        Where the search stands.
    since
        Seconds since then.
    screen
        Where it will be shown.
    """
    from rich.console import Group

    history, budget = progress.history, progress.budget
    clock = f"{in_words(progress.seconds + since)}"
    if budget.seconds is not None:
        clock += f" of {in_words(budget.seconds)}"
    lines: list[Any] = [f"{title}: round {_of(progress.round, budget.rounds)}, {clock}"]
    if len(history):
        best = history.best
        line = _drawn_gene(best.gene, screen)
        line.append(f"   round {best.round}, {best.change}")
        line = _text(f"best {_accuracy(progress.history)}  ") + line
        lines.append(line)
        lines.append(f"{judged(history)}, matching {history.matching_seconds:.1f} s")
    accuracy = f"by {progress.fitness}"
    table = plain_table("gene", "change", accuracy, "cost", right=(accuracy, "cost"))
    for place, candidate in enumerate(progress.candidates):
        done = progress.evaluated[place] if place < len(progress.evaluated) else None
        figures = _figures(done, history.metric)
        table.add_row(_drawn_gene(candidate.gene, screen), candidate.change, *figures)
    return Group(*lines, table)


def judged(history: SearchHistory) -> str:
    """Say how many genes were judged by what, and how long it took."""
    parts = []
    for fitness in ("ridge", "training"):
        took = [each.evaluation_seconds for each in history.computed(fitness)]
        if took:
            parts.append(
                f"{len(took)} gene{'s' * (len(took) != 1)} by {fitness} in {sum(took):.1f} s"
            )
    return ", ".join(parts)


def _worth_a_line(progress: Progress) -> bool:
    """Whether a round gets a line: when there are many, those that found something better."""
    number = progress.round
    return number < _FEW or progress.fitness == "training" or progress.history.best.round == number


def _accuracy(history: SearchHistory) -> str:
    from grape_gnn.training import score_text

    best = history.best
    return f"{score_text(history.metric, best.validation_accuracy)} by {best.fitness}"


def _figures(done: Evaluation | None, metric: str) -> tuple[str, str]:
    from grape_gnn.training import score_text

    if done is None:
        return "", ""
    if done.failure is not None:
        return "failed", ""
    known = "=" if done.cached else ""
    return f"{known}{score_text(metric, done.validation_accuracy)}", f"{done.cost:.1f}"


def _drawn_gene(gene: Gene, screen: Console) -> Text:
    from rich.text import Text

    pictures = [drawn(template, screen.options.ascii_only) for template in gene.templates]
    return Text("   ").join(pictures)


def _text(words: str) -> Text:
    from rich.text import Text

    return Text(words, style="bold")


def _of(number: int, total: int | None) -> str:
    return f"{number}" if total is None else f"{number} of {total}"
