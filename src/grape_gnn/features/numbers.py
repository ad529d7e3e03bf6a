"""Numbers, truth values and dates as features: gaps filled, and scaled to be about 1.

What a column is scaled by comes from its training values alone:

* standardised: ``(v - mean) / standard deviation``;
* heavy tails: first ``asinh((v - median) / spread)``, which is about linear around the median and a
  logarithm far from it, on both sides;
* mostly zeros, such as words counted: ``v / root mean square of the others``, so that zeros stay;
* truth values and, on demand, anything: as they are.

A missing value becomes the median, and a second column tells where values were missing, if some
were in training. What lies further than ten standard deviations off is taken back to ten: one
slip of the pen would otherwise drown a whole neighbourhood.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph.columns import Column
from grape_gnn.graph.dates import spell_date
from grape_gnn.warn import warn

__all__ = ["NumberCode", "fit_number"]

HEAVY_SKEW, HEAVY_KURTOSIS = 2.0, 7.0  # those of an exponential distribution are 2 and 6
MOSTLY_ZERO = 0.8
FURTHEST = 10.0


@dataclass(frozen=True)
class NumberCode:
    """How one column of numbers becomes one feature, or two.

    Parameters
    ----------
    name, kind
        Those of the column.
    how
        ``"standardised"``, ``"log scale"``, ``"zeros kept"`` or ``"as it is"``.
    fill
        What stands for a missing value.
    indicator
        Whether a second feature tells where values are missing.
    middle, spread
        Of the log scale.
    center, scale
        What is subtracted, and divided by, at last.
    """

    name: str
    kind: Literal["number", "boolean", "date"]
    how: Literal["standardised", "log scale", "zeros kept", "as it is"]
    fill: float
    indicator: bool
    middle: float = 0.0
    spread: float = 1.0
    center: float = 0.0
    scale: float = 1.0

    @property
    def feature_names(self) -> list[str]:
        """Names of the features."""
        return [self.name, f"{self.name} is missing"][: 1 + self.indicator]

    def describe(self) -> str:
        """Say what is done to the column."""
        if not self.indicator:
            return self.how
        fill = f"{self.fill:.6g}"
        if self.kind == "date":
            fill = spell_date(float(round(self.fill)))
        return f"{self.how}, gaps filled with {fill} and marked"

    def transform(self, column: Column, trained: Any = None) -> list[NDArray[np.float64]]:
        """Return the features; `trained` as for `NodeEncoder.transform`."""
        values = column.read_as(self.kind)
        lost = np.isnan(values) & ~column.missing
        if (lost if trained is None else lost[trained]).any():
            warn(
                f"the column {self.name!r} was {self.kind} in training: {int(lost.sum()):,} values "
                f"that are none count as missing"
            )
        gaps = np.isnan(values)
        scaled = self.scaled(np.where(gaps, self.fill, values))
        return [scaled, gaps.astype(np.float64)][: 1 + self.indicator]

    def scaled(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values without gaps, scaled."""
        if self.how == "as it is":
            return values
        if self.how == "log scale":
            values = np.arcsinh((values - self.middle) / self.spread)
        z: NDArray[np.float64] = (values - self.center) / self.scale
        return np.clip(z, -FURTHEST, FURTHEST)

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``."""
        return {"code": "number", **asdict(self)}


def fit_number(column: Column, training: NDArray[np.bool_], scaling: bool) -> NumberCode | str:
    """Learn a code from the training values; a text says why the column is of no use.

    Examples
    --------
    >>> ages = Column("age", "number", np.array([20.0, 30.0, 40.0, np.nan, 99.0]))
    >>> code = fit_number(ages, np.array([True, True, True, True, False]), scaling=True)
    >>> code.describe()
    'standardised, gaps filled with 30 and marked'
    >>> [feature.round(2).tolist() for feature in code.transform(ages)]
    [[-1.22, 0.0, 1.22, 0.0, 8.45], [0.0, 0.0, 0.0, 1.0, 0.0]]
    """
    given = column.numbers()[training]
    known = given[~np.isnan(given)]
    indicator = bool(known.size < given.size)
    if not known.size:
        return "no value in training"
    if known.min() == known.max() and not indicator:
        return "constant in training"
    fill = float(np.median(known))
    if column.kind == "boolean":
        return NumberCode(column.name, "boolean", "as it is", float(fill > 0.5), indicator)
    code = _scale_of(known) if scaling else {"how": "as it is"}
    kind = cast(Literal["number", "date"], column.kind)
    return NumberCode(column.name, kind, fill=fill, indicator=indicator, **code)


def _scale_of(known: NDArray[np.float64]) -> dict[str, Any]:
    others = known[known != 0]
    if others.size <= (1 - MOSTLY_ZERO) * known.size:
        return {"how": "zeros kept", "scale": _positive(np.sqrt(_mean(others**2)))}
    mean, deviation = float(known.mean()), float(known.std())
    z = (known - mean) / _positive(deviation)
    if abs(_mean(z**3)) <= HEAVY_SKEW and _mean(z**4) - 3 <= HEAVY_KURTOSIS:
        return {"how": "standardised", "center": mean, "scale": _positive(deviation)}
    middle = float(np.median(known))
    off = np.abs(known - middle)
    spread = _positive(float(np.median(off)) or _mean(off[off > 0]))
    bent = np.arcsinh((known - middle) / spread)
    return {
        "how": "log scale",
        "middle": middle,
        "spread": spread,
        "center": float(bent.mean()),
        "scale": _positive(float(bent.std())),
    }


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if values.size else 0.0


def _positive(value: float) -> float:
    return float(value) if value > 0 and np.isfinite(value) else 1.0
