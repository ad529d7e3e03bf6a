"""Line and scatter charts as inline SVG, in the colours of the page's theme.

Each chart names its axes with their units. Pointed at, it shows the values of the nearest place
(``charts.js``); without scripts the drawing stands alone.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

__all__ = ["Series", "chart"]

_WIDTH, _HEIGHT = 560.0, 300.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 54.0, 14.0, 30.0, 44.0
_MOST_PLACES = 600  # a pointer cannot tell more apart


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
        ``"first"``, ``"second"`` or ``"third"``: a line; ``"point"``: dots.
    """

    name: str
    points: Sequence[tuple[float, float]]
    style: str


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
) -> Markup:
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

    Examples
    --------
    >>> loss = Series("loss", [(1, 0.9), (2, 0.5)], "first")
    >>> picture = chart([loss], label="Loss", x_axis="epoch", y_axis="nats")
    >>> str(picture).startswith("<svg class='chart'")
    True
    """
    xs = [x for one in series for x, _ in one.points]
    ys = [y for one in series for _, y in one.points if math.isfinite(y)]
    low, high = (min([*ys, *(y_range or ())]), max([*ys, *(y_range or ())])) if ys else (0.0, 1.0)
    ticks_y = _ticks(low, high)
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
        for x in _ticks(left, right)
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
    parts.append(_legend(series))
    parts.append(f"<line class='cursor' x1='0' x2='0' y1='{_TOP}' y2='{_HEIGHT - _BOTTOM}'/>")
    places = _places(series, at_x, x_axis, x_format, y_format)
    return Markup(
        f"<svg class='chart' viewBox='0 0 {_WIDTH:g} {_HEIGHT:g}' role='img' "
        f"aria-label='{escape(label)}' data-places='{escape(json.dumps(places))}'>"
        f"{''.join(parts)}</svg>"
    )


def _drawn(one: Series, at_x: Callable[[float], float], at_y: Callable[[float], float]) -> str:
    points = [(at_x(x), at_y(y)) for x, y in one.points if math.isfinite(y)]
    if one.style == "point":
        return "".join(
            f"<circle class='point' cx='{x:.1f}' cy='{y:.1f}' r='3.2'/>" for x, y in points
        )
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f"<path class='line {one.style}' d='M{path}'/>" if path else ""


def _legend(series: Sequence[Series]) -> str:
    """Write the names at the top right, each in its line's colour, after a piece of the line."""
    x, parts = _WIDTH - _RIGHT, []
    for one in reversed(series):
        if not one.name:
            continue
        x -= 7.0 * len(one.name)
        parts.append(f"<text class='key {one.style}' x='{x:.0f}' y='14'>{escape(one.name)}</text>")
        sample = f"<path class='line {one.style}' d='M{x - 26:.0f} 10H{x - 6:.0f}'/>"
        dot = f"<circle class='point' cx='{x - 10:.0f}' cy='10' r='3.2'/>"
        parts.append(dot if one.style == "point" else sample)
        x -= 44
    return "".join(parts)


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


def _ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers from at most `low` to at least `high`."""
    if not high > low:
        low, high = low - (abs(low) * 0.1 or 0.5), high + (abs(high) * 0.1 or 0.5)
    rough = (high - low) / wanted
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * k for k in (1, 2, 2.5, 5, 10) if power * k >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]
