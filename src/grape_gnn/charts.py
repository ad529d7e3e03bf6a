"""Charts as SVG text: lines, steps and points, in a page of a report or as a picture of their own.

Each chart names its axes with their units. In a page it has the colours of the page's theme and,
pointed at, shows the values of the nearest place (``charts.js``); without scripts the drawing
stands alone. A picture of its own follows the reader's light or dark colour scheme. No plotting
library is needed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from grape_gnn.template.palette import ROLE_COLOURS

__all__ = ["Series", "chart", "series_colour", "svg_document", "ticks"]

_WIDTH, _HEIGHT = 560.0, 300.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 54.0, 14.0, 30.0, 44.0
_MOST_PLACES = 600  # a pointer cannot tell more apart
_LETTER, _ROW = 7.0, 20.0  # of a legend: width of a letter and height of a row
_STYLE = """<style>
svg { --soft: #59636e; --faint: #d8dce0; fill: var(--soft);
  font: 12px system-ui, Helvetica, Arial, sans-serif; }
@media (prefers-color-scheme: dark) { svg { --soft: #a3acb6; --faint: #3d444d; } }
.title { font-weight: 600; font-size: 15px; } .key { font-weight: 600; }
.grid-line { stroke: var(--faint); } .mark { stroke: var(--soft); stroke-dasharray: 3 3; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
</style>"""
# Okabe and Ito's, which people with any colour vision can tell apart. Vermilion marks the ego in
# drawings of roles, and black vanishes in the dark.
_COLOURS = (*ROLE_COLOURS[1:4], ROLE_COLOURS[6], ROLE_COLOURS[5], ROLE_COLOURS[0])


def series_colour(number: int) -> str:
    """Return the colour of a series in a picture of its own; they repeat after six."""
    return _COLOURS[number % len(_COLOURS)]


def svg_document(body: str, width: float, height: float, label: str) -> str:
    """Wrap what was drawn into a picture of its own, with its style."""
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:g}' height='{height:g}' "
        f"viewBox='0 0 {width:g} {height:g}' role='img' aria-label='{escape(label)}'>{_STYLE}"
        f"<title>{escape(label)}</title>{body}</svg>\n"
    )


@dataclass(frozen=True)
class Series:
    """Points of one kind.

    Parameters
    ----------
    name
        What the legend calls it.
    points
        Pairs of x and y, by rising x.
    style
        ``"first"`` or ``"second"``: a line in a colour of the page; ``"point"``: dots; a colour
        such as ``"#0072b2"``: a line in it.
    steps
        Whether a value holds until the next point.
    """

    name: str
    points: Sequence[tuple[float, float]]
    style: str
    steps: bool = False

    def look(self, part: str, painted: str) -> str:
        """Return the attributes of a part of it; a colour of its own is that of what is painted."""
        if self.style.startswith("#"):
            return f"class='{part}' style='{painted}: {self.style}'"
        return f"class='{part} {self.style}'"


def chart(
    series: Sequence[Series],
    *,
    label: str,
    x_axis: str,
    y_axis: str,
    y_format: Callable[[float], str] = "{:g}".format,
    x_format: Callable[[float], str] = "{:g}".format,
    mark: tuple[float, str] | None = None,
    y_range: tuple[float, float] | None = None,
    whole_x: bool = False,
    alone: bool = False,
) -> str:
    """Draw a chart.

    Parameters
    ----------
    series
        What to draw; they may have different x.
    label
        What the chart shows, for screen readers.
    x_axis, y_axis
        Names of the axes, with units.
    y_format, x_format
        How to write values.
    mark
        An x to mark by an upright line, and its name.
    y_range
        Least range of the y axis.
    whole_x
        Whether x counts something, and has no values between the whole numbers.
    alone
        Whether it is a picture of its own, not a part of a page.

    Examples
    --------
    >>> loss = Series("loss", [(1, 0.9), (2, 0.5)], "first")
    >>> picture = chart([loss], label="Loss", x_axis="epoch", y_axis="nats")
    >>> picture.startswith("<svg class='chart'")
    True
    """
    xs = [x for one in series for x, _ in one.points]
    ys = [y for one in series for _, y in one.points if math.isfinite(y)]
    low, high = (min([*ys, *(y_range or ())]), max([*ys, *(y_range or ())])) if ys else (0.0, 1.0)
    ticks_y = ticks(low, high)
    left, right = (min(xs), max(xs)) if xs else (0.0, 1.0)
    right = right if right > left else left + 1.0
    bottom, top = ticks_y[0], ticks_y[-1]

    def at_x(x: float) -> float:
        return _LEFT + (x - left) / (right - left) * (_WIDTH - _LEFT - _RIGHT)

    def at_y(y: float) -> float:
        return _HEIGHT - _BOTTOM - (y - bottom) / (top - bottom) * (_HEIGHT - _TOP - _BOTTOM)

    parts = [
        f"<line class='grid-line' x1='{_LEFT}' x2='{_WIDTH - _RIGHT}' y1='{at_y(y):.1f}' "
        f"y2='{at_y(y):.1f}'/><text x='{_LEFT - 8}' y='{at_y(y) + 4:.1f}' text-anchor='end'>"
        f"{escape(y_format(y))}</text>"
        for y in ticks_y
    ]
    parts += [
        f"<text x='{at_x(x):.1f}' y='{_HEIGHT - _BOTTOM + 18}' text-anchor='middle'>"
        f"{escape(x_format(x))}</text>"
        for x in ticks(left, right)
        if left <= x <= right and (x == int(x) or not whole_x)
    ]
    parts.append(
        f"<text x='{(_LEFT + _WIDTH - _RIGHT) / 2}' y='{_HEIGHT - 6}' text-anchor='middle'>"
        f"{escape(x_axis)}</text>"
        f"<text x='{_LEFT}' y='14' text-anchor='start'>{escape(y_axis)}</text>"
    )
    if mark is not None:
        x = at_x(mark[0])
        side = "end" if x > _WIDTH * 0.6 else "start"
        parts.append(
            f"<line class='mark' x1='{x:.1f}' x2='{x:.1f}' y1='{_TOP}' y2='{_HEIGHT - _BOTTOM}'/>"
            f"<text x='{x + (-6 if side == 'end' else 6):.1f}' y='{_HEIGHT - _BOTTOM - 8}' "
            f"text-anchor='{side}'>{escape(mark[1])}</text>"
        )
    parts += [_drawn(one, at_x, at_y) for one in series]
    legend, below = _legend(series, _LEFT + 6.0 * len(y_axis) + 20)
    parts.append(legend)
    if alone:
        return svg_document("".join(parts), _WIDTH, _HEIGHT + below, label)
    parts.append(f"<line class='cursor' x1='0' x2='0' y1='{_TOP}' y2='{_HEIGHT - _BOTTOM}'/>")
    places = _places(series, at_x, x_axis, x_format, y_format)
    return (
        f"<svg class='chart' viewBox='0 0 {_WIDTH:g} {_HEIGHT + below:g}' role='img' "
        f"aria-label='{escape(label)}' data-places='{escape(json.dumps(places))}'>"
        f"{''.join(parts)}</svg>"
    )


def _drawn(one: Series, at_x: Callable[[float], float], at_y: Callable[[float], float]) -> str:
    points = [(at_x(x), at_y(y)) for x, y in one.points if math.isfinite(y)]
    if one.style == "point":
        return "".join(
            f"<circle class='point' cx='{x:.1f}' cy='{y:.1f}' r='3.2'/>" for x, y in points
        )
    if one.steps:
        path = "".join(
            f"H{x:.1f}V{y:.1f}" if k else f"{x:.1f} {y:.1f}" for k, (x, y) in enumerate(points)
        )
    else:
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f"<path {one.look('line', 'stroke')} d='M{path}'/>" if path else ""


def _legend(series: Sequence[Series], left: float) -> tuple[str, float]:
    """Return names after pieces of their lines, and the height they need below the chart.

    They stand at the top right if they fit there, beginning at `left`; else in rows below.
    """
    named = [one for one in series if one.name]
    widths = [_LETTER * len(one.name) + 44 for one in named]
    fits = sum(widths) <= _WIDTH - _RIGHT - left
    x, y = (_WIDTH - _RIGHT - sum(widths), 14.0) if fits else (_LEFT, _HEIGHT + 12)
    parts = []
    for one, width in zip(named, widths, strict=True):
        if x + width > _WIDTH and x > _LEFT:
            x, y = _LEFT, y + _ROW
        sample = f"<path {one.look('line', 'stroke')} d='M{x + 18:.0f} {y - 4:.0f}h20'/>"
        dot = f"<circle class='point' cx='{x + 34:.0f}' cy='{y - 4:.0f}' r='3.2'/>"
        parts.append(dot if one.style == "point" else sample)
        name = f"<text {one.look('key', 'fill')} x='{x + 44:.0f}' y='{y:.0f}'>{escape(one.name)}"
        parts.append(f"{name}</text>")
        x += width
    return "".join(parts), 0.0 if fits else y + 8 - _HEIGHT


def _places(
    series: Sequence[Series],
    at_x: Callable[[float], float],
    x_axis: str,
    x_format: Callable[[float], str],
    y_format: Callable[[float], str],
) -> list[tuple[float, str]]:
    """Return where the pointer may stop, and what it reads there."""
    read: dict[float, list[str]] = {}
    for one in series:
        for x, y in one.points:
            words = f"{one.name}: {y_format(y)}" if math.isfinite(y) else f"{one.name}: none"
            read.setdefault(x, []).append(words)
    every = sorted(read)
    step = max(1, math.ceil(len(every) / _MOST_PLACES))
    return [
        (round(at_x(x), 1), "\n".join([f"{x_axis} {x_format(x)}", *read[x]])) for x in every[::step]
    ]


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Return round numbers from at most `low` to at least `high`.

    Examples
    --------
    >>> ticks(0, 3.2)
    [0.0, 1.0, 2.0, 3.0, 4.0]
    """
    if not high > low:
        low, high = low - (abs(low) * 0.1 or 0.5), high + (abs(high) * 0.1 or 0.5)
    rough = (high - low) / wanted
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * k for k in (1, 2, 2.5, 5, 10) if power * k >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]
