"""The search curve as SVG: the best validation accuracy over time, one line per search."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from grape_gnn.template.palette import role_colour

__all__ = ["curve_svg"]

_WIDTH, _HEIGHT = 640.0, 360.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 20.0, 24.0, 52.0
_GREY = "#7A828C"
_FONT = "font-family='system-ui, Helvetica, Arial, sans-serif'"

Curve = Sequence[tuple[float, float]]


def curve_svg(curves: Mapping[str, Curve], end: float | None = None) -> str:
    """Draw search curves.

    Parameters
    ----------
    curves
        By name the points (seconds, best accuracy) at which a curve rises.
    end
        Seconds to which the lines are drawn; None: a little further than the last rise.

    Examples
    --------
    >>> picture = curve_svg({"genetic": [(1.0, 0.5), (9.0, 0.8)]})
    >>> picture.count("<path"), "genetic" in picture
    (1, True)
    """
    points = [point for curve in curves.values() for point in curve]
    last = max((seconds for seconds, _ in points), default=1.0)
    until = max(last * 1.05, 1e-3) if end is None else max(end, last)
    low, high = _range([accuracy for _, accuracy in points])
    frame = _Frame(until, low, high)
    parts = [*frame.axes()]
    left = _WIDTH - _RIGHT - 150  # below the curves, which rise
    for number, (name, curve) in enumerate(curves.items()):
        colour = role_colour(number + 1)
        parts.append(frame.steps(curve, colour))
        y = _HEIGHT - _BOTTOM - 12 - 18 * (len(curves) - 1 - number)
        parts.append(
            f"<rect x='{left:.0f}' y='{y - 9:.0f}' width='18' height='4' fill='{colour}'/>"
        )
        parts.append(_text(name, left + 26, y - 2, "start"))
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{_WIDTH:.0f}' height='{_HEIGHT:.0f}' "
        f"viewBox='0 0 {_WIDTH:.0f} {_HEIGHT:.0f}' role='img' {_FONT}>"
        f"<title>Best validation accuracy over time</title>{''.join(parts)}</svg>\n"
    )


class _Frame:
    """From seconds and accuracies to places in the picture."""

    def __init__(self, until: float, low: float, high: float) -> None:
        self.until, self.low, self.high = until, low, high

    def x(self, seconds: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * seconds / self.until

    def y(self, accuracy: float) -> float:
        share = (accuracy - self.low) / (self.high - self.low)
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share

    def steps(self, curve: Curve, colour: str) -> str:
        """Draw a curve that stays level until it rises."""
        if not curve:
            return ""
        path = [f"M{self.x(curve[0][0]):.1f},{self.y(curve[0][1]):.1f}"]
        for seconds, accuracy in curve[1:]:
            path.append(f"H{self.x(seconds):.1f}V{self.y(accuracy):.1f}")
        path.append(f"H{self.x(self.until):.1f}")
        return f"<path d='{''.join(path)}' fill='none' stroke='{colour}' stroke-width='2.4'/>"

    def axes(self) -> list[str]:
        """Draw the grid with its figures."""
        unit, name = (60.0, "minutes") if self.until >= 180 else (1.0, "seconds")
        bottom = _HEIGHT - _BOTTOM
        parts = []
        for tick in _ticks(self.low, self.high, 5):
            y = self.y(tick)
            parts.append(_line(_LEFT, y, _WIDTH - _RIGHT, y))
            parts.append(_text(f"{100 * tick:.4g}%", _LEFT - 8, y + 4, "end"))
        for tick in _ticks(0.0, self.until / unit, 6):
            x = self.x(tick * unit)
            parts.append(_line(x, bottom, x, bottom + 5))
            parts.append(_text(f"{tick:.4g}", x, bottom + 20, "middle"))
        middle = (_LEFT + _WIDTH - _RIGHT) / 2
        parts.append(_text(f"{name} since the start", middle, _HEIGHT - 10, "middle"))
        parts.append(_text("best validation accuracy", _LEFT, 14, "start"))
        return parts


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values, default=0.0), max(values, default=1.0)
    margin = max(0.05 * (high - low), 0.01)
    return max(0.0, low - margin), high + margin


def _ticks(low: float, high: float, count: int) -> list[float]:
    """Return round numbers in a range, about so many."""
    raw = (high - low) / count
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * k for k in (1, 2, 5, 10) if power * k >= raw)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return (
        f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' stroke='{_GREY}' "
        f"stroke-width='0.6'/>"
    )


def _text(words: str, x: float, y: float, align: str) -> str:
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' font-size='12' fill='currentColor' "
        f"text-anchor='{align}'>{escape(words)}</text>"
    )
