"""A progress bar for long matching runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Progress", "advancing", "progress_bar"]

Progress = Callable[[int, int], None]


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar with the time left on standard error; yields the function that moves it."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeLeft())
    console = Console(stderr=True)
    # Where nothing can be erased, as in a log file, the bar would leave blank lines.
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def advancing(progress: Progress, total: int) -> Progress:
    """Turn the progress of step after step into one out of `total` that never goes back."""
    furthest = 0

    def report(done: int, items: int) -> None:
        nonlocal furthest
        furthest = max(furthest, done * total // max(1, items))
        progress(furthest, total)

    return report
