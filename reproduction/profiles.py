"""How much work the cells of an experiment are given."""

from __future__ import annotations

from dataclasses import dataclass

from grape_gnn.errors import GrapeError

__all__ = ["PROFILES", "Profile", "find_profile"]


@dataclass(frozen=True)
class Profile:
    """How much work a cell is given.

    Parameters
    ----------
    name
        ``"quick"``, ``"standard"`` or ``"paper"``; the grids of the comparison have the same names.
    seeds
        One run each, on the random split of the same seed.
    search_seconds
        Budget of one template search.
    timed_epochs
        Epochs of a timed training, unless it stops early.
    mark
        What the page puts behind the figures of this profile.
    says
        The profile in words, for the page of results.
    """

    name: str
    seeds: tuple[int, ...]
    search_seconds: int
    timed_epochs: int
    mark: str
    says: str


# Smaller seeds were looked at while the model was made. These were not: what is measured on their
# splits is a first look, for GRAPE as for its baselines.
FRESH_SEEDS = tuple(range(1000, 1010))

# From the smallest to the largest.
PROFILES = {
    profile.name: profile
    for profile in (
        Profile(
            "quick",
            tuple(range(3)),
            120,
            100,
            "°",
            "3 random splits, a grid of 2 points, searches of 2 minutes",
        ),
        Profile(
            "standard",
            tuple(range(10)),
            600,
            200,
            "′",
            "10 random splits, a grid of 4 points, searches of 10 minutes",
        ),
        Profile(
            "paper",
            FRESH_SEEDS,
            3000,
            500,
            "",
            "10 other random splits, the paper's grid of 16 points, searches of 50 minutes",
        ),
    )
}


def find_profile(name: str) -> Profile:
    """Return the profile of a name.

    Examples
    --------
    >>> len(find_profile("paper").seeds)
    10
    """
    if name not in PROFILES:
        raise GrapeError(f"unknown profile {name!r}: choose one of {', '.join(PROFILES)}")
    return PROFILES[name]
