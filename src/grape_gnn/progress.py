"""Progress: what takes long says how far it is, and a bar shows it if somebody watches.

Whatever may take longer than a second calls `report`. Nobody has to pass a function down to it:
the bar around it listens. Without a bar, reports cost nothing and go nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Progress", "advancing", "listening", "progress_bar", "report", "reporter"]

Progress = Callable[[int, int], None]
Listener = Callable[[str, int, "int | None"], None]

_LONGEST = 34  # letters of a step, so that the bar fits 80 columns
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Let a function hear what is reported inside the ``with`` block: step, done, total."""
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def report(step: str, done: int = 0, total: int | None = None) -> None:
    """Say what is being done and how far it is; without a total, only that it goes on.

    Examples
    --------
    >>> with listening(lambda *heard: print(*heard)):
    ...     report("reading friends.csv", 3, 10)
    reading friends.csv 3 10
    """
    listener = _listener.get()
    if listener is not None:
        listener(step, done, total)


def reporter(step: str) -> Progress | None:
    """Return a function that reports how far a step is; None if nobody listens."""
    listener = _listener.get()
    return None if listener is None else lambda done, total: listener(step, done, total)


@contextmanager
def progress_bar(title: str, console: Console | None = None) -> Iterator[Progress]:
    """Show a bar with the time left on standard error; yields the function that moves it.

    The bar also shows what is reported inside. Inside another bar there is no second one: that
    other shows the step.

    Parameters
    ----------
    title
        What is being done.
    console
        Where to draw; None: standard error. What is printed on the same console meanwhile stands
        above the bar.
    """
    outer = reporter(title)
    if outer is not None:
        outer(0, 0)
        yield outer
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    console = Console(stderr=True) if console is None else console
    if not console.is_terminal:
        # Where nothing can be erased, as in a log file, the bar would leave blank lines.
        yield lambda done, total: None
        return
    words = TextColumn("{task.description}", markup=False)
    # The spinner turns even while nothing can be counted.
    columns = (SpinnerColumn("line"), words, BarColumn(20), TaskProgressColumn(), TimeLeft())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=None)
        shown = title

        def show(step: str, done: int, total: int | None) -> None:
            nonlocal task, shown
            if step != shown:  # a new task: its time starts anew
                bar.remove_task(task)
                task, shown = bar.add_task(_short(step), total=None), step
            bar.update(task, completed=done, total=total or None)

        with listening(show):
            yield lambda done, total: show(title, done, total)


def _short(step: str) -> str:
    return step if len(step) <= _LONGEST else f"{step[: _LONGEST - 1]}…"


def advancing(progress: Progress, total: int) -> Progress:
    """Turn the progress of step after step into one out of `total` that never goes back."""
    furthest = 0

    def report(done: int, items: int) -> None:
        nonlocal furthest
        furthest = max(furthest, done * total // max(1, items))
        progress(furthest, total)

    return report
