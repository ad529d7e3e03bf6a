"""The search curve as SVG: the best validation accuracy over time, one line per search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grape_gnn.charts import Series, chart, series_colour

__all__ = ["curve_svg"]

Curve = Sequence[tuple[float, float]]


def curve_svg(
    curves: Mapping[str, Curve], end: float | None = None, metric: str = "accuracy"
) -> str:
    """Draw search curves.

    Parameters
    ----------
    curves
        By name the points (seconds, best accuracy) at which a curve rises.
    end
        Seconds to which the lines are drawn; None: a little further than the last rise.
    metric
        What the curves are of.

    Examples
    --------
    >>> picture = curve_svg({"genetic": [(1.0, 0.5), (9.0, 0.8)]})
    >>> picture.startswith("<svg"), ">genetic<" in picture
    (True, True)
    """
    from grape_gnn.training import METRICS

    words = METRICS[metric].words
    last = max((seconds for curve in curves.values() for seconds, _ in curve), default=1.0)
    until = max(last * 1.05, 1e-3) if end is None else max(end, last)
    unit, name = (60.0, "minutes") if until >= 180 else (1.0, "seconds")
    return chart(
        [
            Series(title, _points(curve, until, unit, metric), series_colour(number), steps=True)
            for number, (title, curve) in enumerate(curves.items())
        ],
        label=f"Best validation {words} over time",
        x_axis=f"{name} since the start",
        y_axis=f"best validation {words}",
        y_format="{:.4g}%".format if METRICS[metric].percent else "{:.4g}".format,
        y_limits=(0.0, 100.0) if METRICS[metric].percent else None,
        alone=True,
    )


def _points(curve: Curve, until: float, unit: float, metric: str) -> list[tuple[float, float]]:
    """Return a curve in the chart's units, level to the end."""
    from grape_gnn.training import in_units

    held = [*curve, (until, curve[-1][1])] if curve else []
    return [(seconds / unit, in_units(metric, score)) for seconds, score in held]
