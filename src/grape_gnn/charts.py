"""Charts as SVG text: lines, steps and points, in a page of a report or as a picture of their own.

Each chart names its axes with their units. In a page it has the colours of the page's theme and,
pointed at, shows the values of the nearest place (``charts.js``); without scripts the drawing
stands alone. The page holds it twice, wide and narrow, and shows the one that fits, since letters
that shrink with the drawing cannot be read on a phone. A picture of its own follows the reader's
light or dark colour scheme. No plotting library is needed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from grape_gnn.template.palette import ROLE_COLOURS

__all__ = ["Series", "chart", "number_text", "series_colour", "svg_document", "ticks"]

_WIDTH, _NARROW, _HEIGHT = 560.0, 330.0, 300.0
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


def number_text(value: float, digits: int = 4) -> str:
    """Write a number with so many digits as people do, without powers of ten where they can.

    Examples
    --------
    >>> number_text(15000), number_text(0.51239)
    ('15,000', '0.5124')
    """
    return f"{float(f'{value:.{digits}g}'):,.12g}"


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
    y_format: Callable[[float], str] = number_text,
    x_format: Callable[[float], str] = number_text,
    mark: tuple[float, str] | None = None,
    y_range: tuple[float, float] | None = None,
    y_limits: tuple[float, float] | None = None,
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
    y_limits
        Beyond which there are no values: the y axis where all values are alike.
    whole_x
        Whether x counts something, and has no values between the whole numbers.
    alone
        Whether it is a picture of its own, not a part of a page.

    Examples
    --------
    >>> loss = Series("loss", [(1, 0.9), (2, 0.5)], "first")
    >>> picture = chart([loss], label="Loss", x_axis="epoch", y_axis="nats")
    >>> picture.count("<svg class='chart")  # for wide and for narrow screens
    2
    """
    xs = [x for one in series for x, _ in one.points]
    ys = [y for one in series for _, y in one.points if math.isfinite(y)]
    low, high = (min([*ys, *(y_range or ())]), max([*ys, *(y_range or ())])) if ys else (0.0, 1.0)
    if low == high and y_limits is not None:
        low, high = y_limits
    ticks_y = ticks(low, high)
    names_y = [y_format(y) for y in ticks_y]
    left, right = (min(xs), max(xs)) if xs else (0.0, 1.0)
    right = right if right > left else left + 1.0
    bottom, top = ticks_y[0], ticks_y[-1]
    start = max(_LEFT, _LETTER * max(map(len, names_y)) + 12)

    def at_y(y: float) -> float:
        return _HEIGHT - _BOTTOM - (y - bottom) / (top - bottom) * (_HEIGHT - _TOP - _BOTTOM)

    def drawing(width: float) -> str:
        end = width - _RIGHT

        def at_x(x: float) -> float:
            return start + (x - left) / (right - left) * (end - start)

        parts = [
            f"<line class='grid-line' x1='{start}' x2='{end}' y1='{at_y(y):.1f}' "
            f"y2='{at_y(y):.1f}'/><text x='{start - 8}' y='{at_y(y) + 4:.1f}' text-anchor='end'>"
            f"{escape(name)}</text>"
            for y, name in zip(ticks_y, names_y, strict=True)
        ]
        parts += [
            f"<text x='{at_x(x):.1f}' y='{_HEIGHT - _BOTTOM + 18}' text-anchor='middle'>"
            f"{escape(x_format(x))}</text>"
            for x in ticks(left, right, wanted=5 if width == _WIDTH else 3)
            if left <= x <= right and (x == int(x) or not whole_x)
        ]
        parts.append(
            f"<text x='{(start + end) / 2}' y='{_HEIGHT - 6}' text-anchor='middle'>"
            f"{escape(x_axis)}</text>"
            f"<text x='{start}' y='14' text-anchor='start'>{escape(y_axis)}</text>"
        )
        parts += [_drawn(one, at_x, at_y) for one in series]
        if mark is not None:
            shown = [(at_x(x), at_y(y)) for one in series for x, y in one.points]
            parts.append(_marked(at_x(mark[0]), mark[1], width, shown))
        legend, below = _legend(series, start, start + 6.0 * len(y_axis) + 20, width)
        parts.append(legend)
        if alone:
            return svg_document("".join(parts), width, _HEIGHT + below, label)
        parts.append(f"<line class='cursor' x1='0' x2='0' y1='{_TOP}' y2='{_HEIGHT - _BOTTOM}'/>")
        places = _places(series, at_x, x_axis, x_format, y_format)
        return (
            f"<svg class='chart{' narrow' if width < _WIDTH else ''}' "
            f"viewBox='0 0 {width:g} {_HEIGHT + below:g}' role='img' "
            f"aria-label='{escape(label)}' data-places='{escape(json.dumps(places))}'>"
            f"{''.join(parts)}</svg>"
        )

    return drawing(_WIDTH) if alone else drawing(_WIDTH) + drawing(_NARROW)


def _marked(x: float, name: str, width: float, shown: Sequence[tuple[float, float]]) -> str:
    """Draw an upright line with its name where the fewest lines pass: at the top or the bottom."""
    before = x > width * 0.6
    reach = 6 + _LETTER * len(name)
    first, last = (x - reach, x) if before else (x, x + reach)
    near = [y for place, y in shown if first <= place <= last and math.isfinite(y)]
    heights = (_HEIGHT - _BOTTOM - 8, _TOP + 14)
    height = max(heights, key=lambda at: min((abs(y - at + 4) for y in near), default=0.0))
    return (
        f"<line class='mark' x1='{x:.1f}' x2='{x:.1f}' y1='{_TOP}' y2='{_HEIGHT - _BOTTOM}'/>"
        f"<text class='said' x='{x + (-6 if before else 6):.1f}' y='{height:g}' "
        f"text-anchor='{'end' if before else 'start'}'>{escape(name)}</text>"
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


def _legend(series: Sequence[Series], start: float, left: float, width: float) -> tuple[str, float]:
    """Return names after pieces of their lines, and the height they need below the chart.

    They stand at the top right if they fit there, beginning at `left`; else in rows below, from
    `start` on.
    """
    named = [one for one in series if one.name]
    widths = [_LETTER * len(one.name) + 44 for one in named]
    fits = sum(widths) <= width - _RIGHT - left
    x, y = (width - _RIGHT - sum(widths), 14.0) if fits else (start - 18, _HEIGHT + 12)
    parts = []
    for one, needed in zip(named, widths, strict=True):
        if x + needed > width and x > start:
            x, y = start - 18, y + _ROW
        sample = f"<path {one.look('line', 'stroke')} d='M{x + 18:.0f} {y - 4:.0f}h20'/>"
        dot = f"<circle class='point' cx='{x + 34:.0f}' cy='{y - 4:.0f}' r='3.2'/>"
        parts.append(dot if one.style == "point" else sample)
        name = f"<text {one.look('key', 'fill')} x='{x + 44:.0f}' y='{y:.0f}'>{escape(one.name)}"
        parts.append(f"{name}</text>")
        x += needed
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
