"""Where the commands write: tables and JSON to standard output, remarks to standard error."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from grape_gnn.template import Template

__all__ = ["console", "drawn", "plain_table", "print_json", "say"]


def console() -> Console:
    """Return the console of standard output; nothing in it is markup or guessed to be a number."""
    from rich.console import Console

    # A pipe has no width: long lines are for the program at the other end to cut.
    width = None if sys.stdout.isatty() else 160
    return Console(highlight=False, markup=False, emoji=False, width=width)


def say(line: str, colour: str) -> None:
    """Write one remark to standard error, in colour if a person reads it."""
    from rich.console import Console

    error_console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    error_console.print(" ".join(line.split()), style=colour, soft_wrap=True)


def print_json(data: Any) -> None:
    """Write data for scripts."""
    sys.stdout.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def plain_table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    """Return an empty table with the given columns, some of them aligned right."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left")
    return table


def drawn(template: Template, ascii_only: bool) -> Text:
    """Return the one-line drawing of a template, for terminals with and without Unicode."""
    from rich.text import Text

    from grape_gnn.template.sketch import coloured

    return Text(template.sketch(ascii_only=True)) if ascii_only else coloured(template)
