"""How much tuning every method gets; the same for GRAPE and its baselines."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grape_gnn.errors import ModelError
from grape_gnn.training import PAPER_GRID

__all__ = ["PROFILES", "Profile", "find_profile"]


@dataclass(frozen=True)
class Profile:
    """The budget of a comparison.

    Parameters
    ----------
    name
        Its name.
    grid
        Values to try, by parameter; the point with the best validation accuracy is taken.
    splits
        On how many of the splits, from the first, the points are tried; their mean decides.
    finals
        Whether the best point of every form of a method is then tried on all splits, and their mean
        decides. Forms are what a method leaves open itself: which templates, whether it normalises.
    epochs, patience
        Of every training, as in `grape_gnn.training.TrainSettings`.
    """

    name: str
    grid: Mapping[str, Sequence[Any]] = field(default_factory=lambda: PAPER_GRID)
    splits: int = 1
    finals: bool = False
    epochs: int = 500
    patience: int = 50


_NARROW = {"hidden": (32,), "dropout": (0.3, 0.5), "weight_decay": (5e-5,)}
PROFILES = {
    "quick": Profile("quick", {**_NARROW, "learning_rate": (0.01,)}),
    "standard": Profile("standard", {**_NARROW, "learning_rate": (0.01, 0.03)}),
    "paper": Profile("paper"),
}


def find_profile(name: str | Profile) -> Profile:
    """Return the profile of a name.

    Examples
    --------
    >>> find_profile("quick").grid["dropout"]
    (0.3, 0.5)
    """
    if isinstance(name, Profile):
        return name
    if name not in PROFILES:
        close = difflib.get_close_matches(str(name), PROFILES, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ModelError(f"unknown profile {name!r}: choose one of {', '.join(PROFILES)}{hint}")
    return PROFILES[name]
