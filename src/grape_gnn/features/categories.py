"""Categories as features: a column of ones and zeros for each that is not rare."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph.columns import Column
from grape_gnn.warn import warn

__all__ = ["CategoryCode", "fit_category"]

LEAST = 2  # training nodes that a category of its own must have


@dataclass(frozen=True)
class CategoryCode:
    """How one column of categories becomes a feature for each.

    Parameters
    ----------
    name
        That of the column.
    categories
        Those with a feature of their own, the most frequent first.
    other
        Whether rare ones share a feature; one that training did not have is among them.
    indicator
        Whether a feature tells where the category is missing.
    """

    name: str
    categories: tuple[str, ...]
    other: bool
    indicator: bool

    @property
    def feature_names(self) -> list[str]:
        """Names of the features."""
        own = [f"{self.name}={category}" for category in self.categories]
        rest = [f"{self.name} is rare"] if self.other else []
        return own + rest + ([f"{self.name} is missing"] if self.indicator else [])

    @property
    def kind(self) -> str:
        """The kind of the column."""
        return "category"

    def describe(self) -> str:
        """Say what is done to the column."""
        rest = ", rare ones together" if self.other else ""
        return f"one-hot, {len(self.categories)}{rest}{', gaps marked' if self.indicator else ''}"

    def transform(self, column: Column, trained: Any = None) -> list[NDArray[np.float64]]:
        """Return the features; `trained` as for `NodeEncoder.transform`."""
        texts = column.texts()
        place = {category: k for k, category in enumerate(self.categories)}
        codes = np.array([-1 if t is None else place.get(t, len(place)) for t in texts], np.int64)
        features = [codes == k for k in range(len(place) + self.other)]
        if self.indicator:
            features.append(codes == -1)
        strange = codes == len(place)
        if not self.other and (strange if trained is None else strange[trained]).any():
            warn(
                f"the column {self.name!r} has {int(strange.sum()):,} values that training did not "
                f"have, such as {texts[int(np.argmax(strange))]!r}: they count as none of the "
                f"{len(place)} known"
            )
        return [feature.astype(np.float64) for feature in features]

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``."""
        return {"code": "category", **asdict(self), "categories": list(self.categories)}


def fit_category(
    column: Column, training: NDArray[np.bool_], min_frequency: float, max_categories: int
) -> CategoryCode | str:
    """Learn a code from the training values; a text says why the column is of no use.

    Examples
    --------
    >>> jobs = Column("job", "category", np.array(["cook", "clerk", "cook", None, "king"], object))
    >>> fit_category(jobs, np.ones(5, bool), 0.01, 32).feature_names
    ['job=cook', 'job is rare', 'job is missing']
    """
    given = column.texts()[training].tolist()
    counts = Counter(text for text in given if text is not None)
    if not counts:
        return "no value in training"
    gaps = None in given
    if len(counts) == 1 and not gaps:
        return "constant in training"
    least = max(LEAST, min_frequency * len(given))
    ranked = sorted(counts, key=lambda text: (-counts[text], text))
    own = [text for text in ranked if counts[text] >= least][:max_categories]
    if not own:
        return "every value is rare"
    return CategoryCode(column.name, tuple(own), len(own) < len(counts), gaps)
