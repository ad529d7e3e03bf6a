"""How far a training is: a live line in a terminal, plain lines elsewhere, on standard error."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from grape_gnn.cli.output import error_console, say
from grape_gnn.progress import listening

if TYPE_CHECKING:
    from types import TracebackType

    from grape_gnn.estimator.tuning import Trial
    from grape_gnn.training.history import History

__all__ = ["TrainingProgress", "in_words"]

LINES = 10  # in a whole training, where there is no terminal
_LONGEST = 40  # letters of a step
SECONDS = 10  # but a slow training should not look dead


class TrainingProgress:
    """The progress function of a training; use it in a ``with`` block.

    Parameters
    ----------
    title
        What is being trained.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.epochs = 0
        self._metric = "accuracy"
        self._started = self._printed = time.monotonic()
        self._first: int | None = None
        self._live = _LiveLine() if sys.stderr.isatty() else None

    def __enter__(self) -> TrainingProgress:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, total: int, history: History) -> None:
        """Show the last epoch."""
        done = len(history.epochs)
        if done <= self.epochs:  # the next training, which starts from the beginning
            self._first = None
        self.epochs = done
        self._metric = history.metric
        now = time.monotonic()
        if self._first is None:
            # Matching and reading came before the first epoch: they tell nothing of the next.
            self._first, self._started = done, now
        left = None
        if done > self._first:
            left = (now - self._started) / (done - self._first) * (total - done)
        if self._live is not None:
            self._live.show(done, total, history, left)
        elif done % max(1, total // LINES) == 0 or now - self._printed > SECONDS:
            self._printed = now
            self._say(done, total, history, left)

    def remark(self, line: str) -> None:
        """Say something that the user should know before the training is done."""
        say(f"{self.title}: {line}", "yellow")

    def tried(self, trial: Trial) -> None:
        """Say how a trial of the tuning went."""
        settings = ", ".join(f"{name} {value}" for name, value in trial.settings.items())
        say(f"{self.title}: {settings}: validation {_text(self._metric, trial.score)}", "default")

    def _say(self, done: int, total: int, history: History, left: float | None) -> None:
        last, best = history.epochs[-1], history.epochs[history.best]
        say(
            f"{self.title}: epoch {done}/{total} loss {last.loss:.3f} "
            f"validation {_text(history.metric, last.score)} "
            f"best {_text(history.metric, best.score)} (epoch {history.best + 1}) "
            + ("" if left is None else f"at most {in_words(left)} left"),
            "default",
        )


class _LiveLine:
    """A bar and figures that are drawn over again; they fit 80 columns."""

    def __init__(self) -> None:
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

        self._bar = Progress(
            SpinnerColumn("line"),
            TextColumn("{task.description}", markup=False),
            BarColumn(10),
            TextColumn("{task.fields[words]}", markup=False),
            console=error_console(),
            transient=True,
        )
        self._shown = "preparing"
        self._task = self._bar.add_task(self._shown, total=None, words="")
        self._open = ExitStack()

    def start(self) -> None:
        self._open.enter_context(self._bar)
        self._open.enter_context(listening(self.step))

    def step(self, step: str, done: int, total: int | None) -> None:
        """Show what comes before the first epoch and after the last: matching, scoring."""
        self._draw(step[:_LONGEST], done, total, f"{100 * done / total:.0f}%" if total else "")

    def show(self, done: int, total: int, history: History, left: float | None) -> None:
        last, best = history.epochs[-1], history.epochs[history.best]
        words = (
            f"{done}/{total}  loss {last.loss:.3f}  "
            f"validation {_text(history.metric, last.score)}  "
            f"best {_text(history.metric, best.score)}"
        )
        if left is not None:
            words += f"  {_clock(left)} left"
        self._draw("epoch", done, total, words)

    def _draw(self, step: str, done: int, total: int | None, words: str) -> None:
        if step != self._shown:  # a new task: rich keeps the total of an old one
            self._bar.remove_task(self._task)
            self._task, self._shown = self._bar.add_task(step, total=None, words=words), step
        self._bar.update(self._task, completed=done, total=total or None, words=words)

    def stop(self) -> None:
        self._open.close()


def _text(metric: str, score: float) -> str:
    from grape_gnn.training import score_text

    return score_text(metric, score, digits=1)


def _clock(seconds: float) -> str:
    """Return a duration as on a clock.

    Examples
    --------
    >>> _clock(7.6), _clock(100), _clock(7300)
    ('0:08', '1:40', '2:01:40')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def in_words(seconds: float) -> str:
    """Return a duration in words.

    Examples
    --------
    >>> in_words(7.6), in_words(100), in_words(7300)
    ('8 s', '1 min 40 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
