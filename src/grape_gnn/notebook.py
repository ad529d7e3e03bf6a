"""What notebooks show of our objects: small tables that are readable in light and in dark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["Raw", "html_list", "html_table"]

_CELL = "padding: 0.2em 0.8em 0.2em 0; border: 0; background: none;"
_LINE = "border-bottom: 1px solid rgba(128, 128, 128, 0.35);"


class Raw(str):
    """Text that is HTML already; everything else is escaped."""


def html_table(
    title: str, heads: Sequence[str], rows: Iterable[Sequence[object]], note: str = ""
) -> str:
    """Return a table as HTML; whatever stands in it is escaped, unless it is `Raw`.

    Parameters
    ----------
    title
        What stands above the table.
    heads
        Names of the columns; none: no line of names.
    rows
        The cells. Numbers are aligned right below a line of names.
    note
        What stands below the table.

    Examples
    --------
    >>> html_table("<b>", (), [("nodes", 3)])[:14]
    '<div><b>&lt;b&'
    """
    lines = []
    if heads:
        cells = "".join(
            f"<th style='{_CELL}{_LINE} text-align: left;'>{escape(head)}</th>" for head in heads
        )
        lines.append(f"<tr style='background: none;'>{cells}</tr>")
    for row in rows:
        cells = "".join(_cell(value, below_heads=bool(heads)) for value in row)
        lines.append(f"<tr style='background: none;'>{cells}</tr>")
    style = "border-collapse: collapse; margin: 0.3em 0;"
    table = f"<div style='overflow-x: auto;'><table style='{style}'>{''.join(lines)}</table></div>"
    below = f"<div style='opacity: 0.75;'>{escape(note)}</div>" if note else ""
    return f"<div><b>{escape(title)}</b>{table if lines else ''}{below}</div>"


def html_list(title: str, entries: Iterable[tuple[str, str]]) -> str:
    """Return drawings side by side, each with its name: pairs of name and SVG."""
    cards = "".join(
        f"<figure style='margin: 0; text-align: center;'>{drawing}"
        f"<figcaption>{escape(name)}</figcaption></figure>"
        for name, drawing in entries
    )
    style = "display: flex; flex-wrap: wrap; gap: 1em; align-items: end;"
    return f"<div><b>{escape(title)}</b><div style='{style}'>{cards}</div></div>"


def _cell(value: object, *, below_heads: bool) -> str:
    # Columns stay in lines, and many of them scroll; single facts may wrap.
    side, wrap = "left", "white-space: nowrap;" if below_heads else ""
    if isinstance(value, Raw):
        words = str(value)
    elif isinstance(value, int) and not isinstance(value, bool):
        words, side = f"{value:,}", "right" if below_heads else "left"
    else:
        words = escape(str(value))
    return f"<td style='{_CELL}{wrap} text-align: {side};'>{words}</td>"
