"""The picture of `significance`: where the graph stands among the rewired ones.

One strip for each template. The axis counts standard deviations of the rewired graphs from their
mean, evenly near zero and by powers of ten farther out (asinh), so that z = 2 and 200 both fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from grape_gnn.charts import number_text, series_colour, svg_document
from grape_gnn.significance.statistics import Scores

__all__ = ["strip_chart"]

_WIDTH, _RIGHT, _TOP, _ROW, _FOOT = 720.0, 150.0, 12.0, 34.0, 46.0
_LETTER = 7.0
_TICKS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 100_000, 1_000_000)


def strip_chart(names: Sequence[str], copies: NDArray[np.int64], scores: Scores) -> str:
    """Draw the rewired graphs as dots and the graph as a mark, a strip for each template.

    Parameters
    ----------
    names
        Names of the templates.
    copies
        Counts of the rewired graphs, a row for each.
    scores
        Scores of the templates.
    """
    start = 24 + _LETTER * max(map(len, names), default=0)
    end = _WIDTH - _RIGHT
    null = np.full(copies.shape, np.nan)  # distances like z, one column for each template
    np.divide(copies - scores.mean, scores.std, out=null, where=scores.std > 0)
    every = np.concatenate([null.ravel(), scores.z])
    every = every[np.isfinite(every)]
    low, high = float(every.min(initial=-3.0)), float(every.max(initial=3.0))
    left, right = np.arcsinh(low) - 0.15, np.arcsinh(high) + 0.15

    def at(z: float) -> float:
        return float(start + (np.arcsinh(z) - left) / (right - left) * (end - start))

    bottom = _TOP + _ROW * len(names)
    parts = [_axis(at, low, high, bottom, (start + end) / 2)]
    for k, name in enumerate(names):
        y = _TOP + _ROW * (k + 0.5)
        parts.append(
            f"<text x='{start - 14:.0f}' y='{y + 4:.1f}' text-anchor='end'>{escape(name)}</text>"
        )
        if np.isnan(scores.z[k]):
            words = "z undefined: rewired graphs do not differ"
            parts.append(f"<text x='{at(0):.1f}' y='{y + 4:.1f}'>{words}</text>")
            continue
        parts.append(_dots(np.unique(null[:, k].round(2)), at, y))
        parts.append(_mark(at(float(scores.z[k])), y, scores.z[k], scores.q[k], end))
    label = f"Counts of {len(names)} templates among {len(copies)} rewired graphs"
    return svg_document("".join(parts), _WIDTH, bottom + _FOOT, label)


def _axis(
    at: Callable[[float], float], low: float, high: float, bottom: float, middle: float
) -> str:
    ticks = [0, *(sign * tick for tick in _TICKS for sign in (-1, 1))]
    lines = "".join(
        f"<line class='grid-line' x1='{at(z):.1f}' x2='{at(z):.1f}' y1='{_TOP}' y2='{bottom:.0f}'/>"
        f"<text x='{at(z):.1f}' y='{bottom + 16:.0f}' text-anchor='middle'>{number_text(z)}</text>"
        for z in ticks
        if low <= z <= high
    )
    words = "standard deviations from the mean of the rewired graphs"
    return (
        f"{lines}<text x='{middle:.0f}' y='{bottom + 36:.0f}' text-anchor='middle'>{words}</text>"
    )


def _dots(values: NDArray[np.float64], at: Callable[[float], float], y: float) -> str:
    return "".join(
        f"<circle cx='{at(float(z)):.1f}' cy='{y:.1f}' r='3' fill-opacity='0.25'/>" for z in values
    )


def _mark(x: float, y: float, z: float, q: float, end: float) -> str:
    colour = series_colour(0)
    return (
        f"<path d='M{x:.1f} {y - 9:.1f}l6 9l-6 9l-6 -9z' style='fill: {colour}'/>"
        f"<text class='key' x='{end + 16:.0f}' y='{y + 4:.1f}' style='fill: {colour}'>"
        f"z = {number_text(float(z), 3)}, q = {number_text(float(q), 2)}</text>"
    )
