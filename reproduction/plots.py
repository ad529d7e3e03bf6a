"""Horizontal bars as SVG text, in the colours and the frame of the library's charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from grape_gnn.charts import series_colour, svg_document, ticks

__all__ = ["bar_chart", "titled_picture"]

WIDTH = 760.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 150.0, 60.0, 48.0, 44.0
_BAR, _GAP = 13.0, 9.0
_LETTER = 8.0  # of a legend: the widest
_STYLE = """<style>
svg { color: #1f2328; }
@media (prefers-color-scheme: dark) { svg { color: #e6edf3; } }
text { font-size: 13px; fill: currentColor; } .soft { fill: var(--soft); }
.right { text-anchor: end; } .middle { text-anchor: middle; }
.grid { stroke: var(--faint); } .whisker { stroke: currentColor; stroke-width: 1.2; }
</style>"""


def titled_picture(parts: Sequence[str], height: float, title: str) -> str:
    """Wrap drawn parts into a picture with a title."""
    head = f"{_STYLE}<text class='title' x='8' y='20'>{escape(title)}</text>"
    return svg_document(head + "".join(parts), WIDTH, height, title)


def bar_chart(
    title: str,
    unit: str,
    groups: Mapping[str, Mapping[str, float]],
    *,
    errors: Mapping[str, Mapping[str, float]] | None = None,
) -> str:
    """Draw groups of horizontal bars, one bar a series.

    Parameters
    ----------
    title, unit
        Written above the chart and below its axis.
    groups
        Values from 0 up, by group and series.
    errors
        Half lengths of the whiskers, by group and series.

    Examples
    --------
    >>> picture = bar_chart("Time", "seconds", {"GIN": {"fit": 2.0}, "GCN": {"fit": 1.0}})
    >>> picture.count("class='bar'")
    2
    """
    names = list(dict.fromkeys(name for bars in groups.values() for name in bars))
    spread = errors or {}
    top = max(
        (value + spread.get(group, {}).get(name, 0.0))
        for group, bars in groups.items()
        for name, value in bars.items()
    )
    marks = ticks(0.0, max(top, 1e-9))
    scale = (WIDTH - _LEFT - _RIGHT) / marks[-1]
    parts, y = _legend(names), _TOP
    for group, bars in groups.items():
        middle = y + _BAR * len(bars) / 2 + 4
        parts.append(
            f"<text class='right' x='{_LEFT - 8:g}' y='{middle:.1f}'>{escape(group)}</text>"
        )
        for name, value in bars.items():
            half = spread.get(group, {}).get(name, 0.0)
            parts.append(_bar(y, value, half, scale, series_colour(names.index(name))))
            y += _BAR
        y += _GAP
    axis = [
        f"<path class='grid' d='M{_LEFT + tick * scale:.1f} {_TOP - 4:g}V{y:.1f}'/>"
        f"<text class='middle soft' x='{_LEFT + tick * scale:.1f}' y='{y + 16:.1f}'>{tick:g}</text>"
        for tick in marks
    ]
    axis.append(
        f"<text class='middle soft' x='{(_LEFT + WIDTH - _RIGHT) / 2:.1f}' y='{y + 34:.1f}'>"
        f"{escape(unit)}</text>"
    )
    return titled_picture([*axis, *parts], y + _BOTTOM, title)


def _bar(y: float, value: float, half: float, scale: float, colour: str) -> str:
    end = _LEFT + value * scale
    whisker = ""
    if half:
        middle = y + _BAR / 2 - 0.5
        whisker = (
            f"<path class='whisker' d='M{max(_LEFT, end - half * scale):.1f} {middle:.1f}"
            f"H{end + half * scale:.1f}'/>"
        )
    return (
        f"<rect class='bar' x='{_LEFT:g}' y='{y:.1f}' width='{max(value * scale, 0.5):.1f}' "
        f"height='{_BAR - 1:g}' fill='{colour}'/>{whisker}"
        f"<text class='soft' x='{end + half * scale + 5:.1f}' y='{y + 10.5:.1f}' "
        f"style='font-size:11px'>{_short(value)}</text>"
    )


def _legend(names: Sequence[str]) -> list[str]:
    """Return squares with names, if there are several."""
    parts, x = [], _LEFT
    for number, name in enumerate(names if len(names) > 1 else ()):
        parts.append(
            f"<rect x='{x:.1f}' y='28' width='11' height='11' fill='{series_colour(number)}'/>"
            f"<text x='{x + 16:.1f}' y='38'>{escape(name)}</text>"
        )
        x += _LETTER * len(name) + 34
    return parts


def _short(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"
