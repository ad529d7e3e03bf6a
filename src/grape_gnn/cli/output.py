"""Where the commands write: tables and JSON to standard output, remarks to standard error.

Names of nodes, labels, templates and files come from anywhere: all of them pass through here, and
control characters among them are written out before a terminal can obey them.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grape_gnn.errors import GrapeError
from grape_gnn.progress import Progress, progress_bar

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from grape_gnn.template import Template

__all__ = [
    "check_target",
    "console",
    "drawn",
    "error_console",
    "load_torch",
    "plain_table",
    "print_json",
    "print_text",
    "print_wide",
    "say",
    "shell_words",
    "visible",
    "working",
]

# All control characters but tab and newline, further line ends, marks that turn the direction of
# a line, and halves of characters, which cannot be written at all.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)

_APART = 3  # blanks between the columns of a table
_errors: tuple[Any, Console] | None = None  # standard error, and the console on it


def visible(text: str) -> str:
    """Write control characters out.

    Examples
    --------
    >>> print(visible("ann\\x1b[2J"))
    ann\\x1b[2J
    """
    return _UNSAFE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def console() -> Console:
    """Return the console of standard output; nothing in it is markup or guessed to be a number."""
    from grape_gnn.cli.safe_console import SafeConsole

    # A pipe has no width: long lines are for the program at the other end to cut.
    return SafeConsole(width=None if sys.stdout.isatty() else 160)


def error_console() -> Console:
    """Return the console of standard error, the same one for bars and for remarks.

    Rich then writes a remark above the bar that is being shown, not into it.
    """
    from grape_gnn.cli.safe_console import SafeConsole

    global _errors
    stream = getattr(sys.stderr, "rich_proxied_file", sys.stderr)  # a bar wraps the stream
    if _errors is None or _errors[0] is not stream:
        _errors = stream, SafeConsole(stderr=True)
    return _errors[1]


def working(step: str) -> AbstractContextManager[Progress]:
    """Show a bar in a terminal while something takes its time; see `progress_bar`."""
    return progress_bar(step, error_console())


def load_torch() -> None:
    """Import torch and what trains with it, which may take seconds, under a bar.

    With the estimators comes scikit-learn, if it is installed. Who needs torch says if it is
    missing.
    """
    with working("starting"), suppress(ImportError):
        import torch  # noqa: F401  only to have it there

        import grape_gnn.estimator  # noqa: F401  likewise


def say(line: str, colour: str) -> None:
    """Write one remark to standard error, in colour and cut at words if a person reads it."""
    there = error_console()
    there.print(" ".join(line.split()), style=colour, soft_wrap=not there.is_terminal)


def print_json(data: Any) -> None:
    """Write data for scripts."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    # They stand inside strings only, where JSON has an escape for each.
    sys.stdout.write(_UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def print_text(text: str) -> None:
    """Write text for scripts: exactly as it is, unless a terminal would obey what is in it."""
    sys.stdout.write(visible(text) if sys.stdout.isatty() else text)


def shell_words(*words: object) -> str:
    """Return a command as it can be typed, whatever its paths are called.

    Examples
    --------
    >>> shell_words("grape", "evaluate", "my runs/cora")
    "grape evaluate 'my runs/cora'"
    """
    return shlex.join(map(str, words))


def check_target(out: Path, *endings: str) -> None:
    """Refuse a file that cannot be written, before the work whose result it is for.

    Nor could it be opened if its name promised another format: it has one of the endings, if any
    are given.
    """
    if endings and not out.name.lower().endswith(endings):
        raise GrapeError(f"cannot write {out}: the file name must end in {' or '.join(endings)}")
    if not out.parent.is_dir():
        raise GrapeError(f"cannot write {out}: the folder {out.parent} does not exist")
    if not os.access(out.parent, os.W_OK | os.X_OK):
        raise GrapeError(f"cannot write {out}: the folder {out.parent} is read-only")


def plain_table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    """Return an empty table with the given columns, some of them aligned right."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left")
    return table


def print_wide(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table of numbers; if it is wider than the screen, as several, one below the other.

    Parameters
    ----------
    heads
        Names of the columns, in several lines if they like; the first column, which names the
        rows, is in every part.
    rows
        The cells.
    """
    from rich.cells import cell_len

    screen = console()
    widths = [
        max(cell_len(line) for cell in column for line in cell.split("\n"))
        for column in zip(heads, *rows, strict=True)
    ]
    room = screen.width - min(widths[0], screen.width // 2)
    parts: list[list[int]] = [[]]
    for column in range(1, len(widths)):
        if parts[-1] and sum(widths[c] + _APART for c in [*parts[-1], column]) > room:
            parts.append([])
        parts[-1].append(column)
    for number, part in enumerate(parts):
        if number:
            screen.print()
        names = [heads[column] for column in part]
        table = plain_table(heads[0], *names, right=tuple(names))
        for row in rows:
            table.add_row(row[0], *(row[column] for column in part))
        screen.print(table)


def drawn(template: Template, ascii_only: bool) -> Text:
    """Return the one-line drawing of a template, for terminals with and without Unicode."""
    from rich.text import Text

    from grape_gnn.template.sketch import coloured

    return Text(template.sketch(ascii_only=True)) if ascii_only else coloured(template)
