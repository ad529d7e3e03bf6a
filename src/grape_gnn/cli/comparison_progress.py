"""How far a comparison is: a bar per method in a terminal, a line per training elsewhere."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from grape_gnn.cli.output import error_console, say
from grape_gnn.cli.training_progress import in_words
from grape_gnn.progress import listening

if TYPE_CHECKING:
    from grape_gnn.comparison import Progress

__all__ = ["ComparisonProgress"]


class ComparisonProgress:
    """The progress function of a comparison; use it in a ``with`` block.

    Parameters
    ----------
    methods
        How many methods there are, counted once for each kind of features.
    """

    def __init__(self, methods: int) -> None:
        self.methods = methods
        self._number = 0
        self._known = self._fresh = 0
        self._started = time.monotonic()
        self._bar: Any = None
        self._open = ExitStack()

    def __enter__(self) -> ComparisonProgress:
        if sys.stderr.isatty():
            from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

            self._bar = Progress(
                SpinnerColumn("line"),
                TextColumn("{task.description}", markup=False),
                BarColumn(20),
                TextColumn("{task.fields[words]}", markup=False),
                console=error_console(),
                transient=True,
            )
            self._task = self._bar.add_task("preparing", total=None, words="")
            self._open.enter_context(self._bar)
            self._open.enter_context(listening(self._prepared))
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def _prepared(self, step: str, done: int, total: int | None) -> None:
        """Show what comes before a training: reading, planning, matching."""
        words = f"{step} {100 * done / total:.0f}%" if total else step
        self._bar.update(self._task, words=words)

    def __call__(self, step: Progress) -> None:
        """Show the training just done."""
        if step.done == 1:
            self._number += 1
            self._known = self._fresh = 0
            self._started = time.monotonic()
        if step.reused:
            self._known += 1
        else:
            self._fresh += 1
        title = f"{step.method} ({self._number}/{self.methods}, {step.result.features})"
        words = self._words(step)
        if self._bar is not None:
            self._bar.update(
                self._task, description=title, completed=step.done, total=step.total, words=words
            )
        elif not step.reused or step.done == step.total:
            say(f"{title}: training {step.done}/{step.total} {words}", "default")

    def _words(self, step: Progress) -> str:
        run = step.result
        doing = "choosing the setting" if run.stage == "grid" else f"seed {run.seed}"
        words = f"{doing}  validation {100 * run.validation_score:.1f}%"
        if run.test_score is not None:
            words += f"  test {100 * run.test_score:.1f}%"
        if self._known:
            words += f"  {self._known} known"
        if self._fresh > 1:
            # The first training of a method includes what it prepares.
            each = (time.monotonic() - self._started) / self._fresh
            words += f"  about {in_words(each * (step.total - step.done))} left"
        return words
