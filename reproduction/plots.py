"""Small charts as SVG text: horizontal bars, and curves over time.

No plotting library is needed, and the pictures follow the reader's light or dark colour scheme.
Colours are those of the roles (Okabe and Ito), which people with any colour vision can tell apart.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from grape_gnn.template.palette import ROLE_COLOURS

__all__ = ["bar_chart", "curve_chart", "series_colour", "svg_document"]

WIDTH = 760.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 150.0, 60.0, 48.0, 44.0
_BAR, _GAP = 13.0, 9.0
_LETTER, _ROW = 8.0, 20.0  # of a legend: letters at their widest, and the height of a row
_STYLE = """<style>
svg { color: #1f2328; --grid: #d8dce0; --soft: #59636e; }
@media (prefers-color-scheme: dark) { svg { color: #e6edf3; --grid: #3d444d; --soft: #a3acb6; } }
text { font: 13px system-ui, Helvetica, Arial, sans-serif; fill: currentColor; }
.title { font-weight: 600; font-size: 15px; } .soft { fill: var(--soft); }
.right { text-anchor: end; } .middle { text-anchor: middle; }
.grid { stroke: var(--grid); } .curve { fill: none; stroke-width: 2; }
.whisker { stroke: currentColor; stroke-width: 1.2; }
</style>"""
# Vermilion marks the ego in drawings of roles and black vanishes in the dark.
_COLOURS = (*ROLE_COLOURS[1:4], ROLE_COLOURS[6], ROLE_COLOURS[5], ROLE_COLOURS[0])


def series_colour(number: int) -> str:
    """Return the colour of a series; they repeat after six."""
    return _COLOURS[number % len(_COLOURS)]


def svg_document(parts: Sequence[str], height: float, title: str) -> str:
    """Wrap drawn parts into a picture of its own."""
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH:g} {height:g}' role='img' "
        f"aria-label='{escape(title, quote=True)}'>{_STYLE}"
        f"<text class='title' x='8' y='20'>{escape(title)}</text>{''.join(parts)}</svg>\n"
    )


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
    ticks = _ticks(top)
    scale = (WIDTH - _LEFT - _RIGHT) / max(ticks[-1], 1e-12)
    parts, y = _legend(names, _LEFT, 38.0)[0], _TOP
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
        for tick in ticks
    ]
    axis.append(
        f"<text class='middle soft' x='{(_LEFT + WIDTH - _RIGHT) / 2:.1f}' y='{y + 34:.1f}'>"
        f"{escape(unit)}</text>"
    )
    return svg_document([*axis, *parts], y + _BOTTOM, title)


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


def curve_chart(
    title: str,
    x_unit: str,
    y_unit: str,
    curves: Mapping[str, Sequence[tuple[float, float]]],
    *,
    height: float = 360.0,
) -> str:
    """Draw step curves: each value holds until the next point.

    Parameters
    ----------
    title, x_unit, y_unit
        Written above the chart and along its axes.
    curves
        Points (x, y) by name, x growing from 0.

    Examples
    --------
    >>> picture = curve_chart("Search", "s", "%", {"genetic": [(0, 50), (10, 60)]})
    >>> picture.count("class='curve'")
    1
    """
    points = [point for curve in curves.values() for point in curve]
    x_ticks = _ticks(max(x for x, _ in points))
    low, high = min(y for _, y in points), max(y for _, y in points)
    y_ticks = _ticks(max(high, low + 1e-9), low)
    left, bottom = 70.0, height - _BOTTOM
    x_scale = (WIDTH - left - 20) / max(x_ticks[-1], 1e-12)
    y_scale = (bottom - _TOP) / max(y_ticks[-1] - y_ticks[0], 1e-12)

    def at(x: float, y: float) -> tuple[float, float]:
        return left + x * x_scale, bottom - (y - y_ticks[0]) * y_scale

    parts, below = _legend(list(curves), left, height + 18)
    for tick in y_ticks:
        y = at(0, tick)[1]
        parts.append(
            f"<path class='grid' d='M{left:g} {y:.1f}H{WIDTH - 20:g}'/>"
            f"<text class='right soft' x='{left - 6:g}' y='{y + 4:.1f}'>{tick:g}</text>"
        )
    for tick in x_ticks:
        parts.append(
            f"<text class='middle soft' x='{at(tick, 0)[0]:.1f}' y='{bottom + 17:g}'>{tick:g}"
            f"</text>"
        )
    parts.append(
        f"<text class='middle soft' x='{WIDTH / 2:g}' y='{bottom + 36:g}'>{escape(x_unit)}</text>"
        f"<text class='soft' x='8' y='{_TOP - 12:g}'>{escape(y_unit)}</text>"
    )
    for number, curve in enumerate(curves.values()):
        path = "".join(
            f"M{x:.1f} {y:.1f}" if k == 0 else f"H{x:.1f}V{y:.1f}"
            for k, (x, y) in enumerate(at(*point) for point in curve)
        )
        parts.append(f"<path class='curve' stroke='{series_colour(number)}' d='{path}'/>")
    return svg_document(parts, height + 8 + below, title)


def _legend(names: Sequence[str], left: float, top: float) -> tuple[list[str], float]:
    """Return squares with names, in as many rows as they need, and the height of the rows."""
    if len(names) < 2:
        return [], 0.0
    parts, x, y = [], left, top
    for number, name in enumerate(names):
        width = _LETTER * len(name) + 34
        if x > left and x + width > WIDTH:
            x, y = left, y + _ROW
        parts.append(
            f"<rect x='{x:.1f}' y='{y - 10:g}' width='11' height='11' "
            f"fill='{series_colour(number)}'/>"
            f"<text x='{x + 16:.1f}' y='{y:g}'>{escape(name)}</text>"
        )
        x += width
    return parts, y + _ROW - top


def _ticks(high: float, low: float = 0.0) -> list[float]:
    """Return round numbers from below `low` to above `high`, about five."""
    span = max(high - low, 1e-9)
    power = 10.0 ** math.floor(math.log10(span / 4))
    step = next(power * m for m in (1, 2, 2.5, 5, 10, 20) if span / (power * m) <= 5)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]


def _short(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"
