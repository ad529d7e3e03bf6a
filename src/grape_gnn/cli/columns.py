"""What was done to the columns of a node table, as a table that fits a narrow screen."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from grape_gnn.cli.output import console, plain_table

if TYPE_CHECKING:
    from grape_gnn.features import NodeEncoder

__all__ = ["print_columns"]

_NAMED = 3  # of columns that share a line


def print_columns(encoder: NodeEncoder) -> None:
    """Print a line for every column; neighbours that are treated alike share one."""
    table = plain_table("column", "kind", "what was done")
    for (kind, what), rows in groupby(encoder.describe(), key=lambda row: row[1:]):
        names = [name for name, _, _ in rows]
        more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
        table.add_row(", ".join(names[:_NAMED]) + more, kind, what)
    console().print(table)
