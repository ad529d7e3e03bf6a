"""How much work a cell is given: the profiles of the comparison, with what experiments add."""

from __future__ import annotations

from dataclasses import dataclass

from grape_gnn import comparison

__all__ = ["PROFILES", "Profile"]

# Smaller seeds were looked at while the model was made. These were not: what is measured on their
# splits is a first look, for GRAPE as for the baselines.
FRESH_SEEDS = tuple(range(1000, 1010))


@dataclass(frozen=True, kw_only=True)
class Profile(comparison.Profile):
    """A profile of the comparison, and the work of experiments that are no comparison.

    Parameters
    ----------
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

    seeds: tuple[int, ...]
    search_seconds: int
    timed_epochs: int
    mark: str
    says: str


# From the smallest to the largest.
PROFILES = {
    profile.name: profile
    for profile in (
        Profile(
            **vars(comparison.PROFILES["quick"]),
            seeds=tuple(range(3)),
            search_seconds=120,
            timed_epochs=100,
            mark="°",
            says="3 random splits, a grid of 2 points, searches of 2 minutes",
        ),
        Profile(
            **vars(comparison.PROFILES["standard"]),
            seeds=tuple(range(10)),
            search_seconds=600,
            timed_epochs=200,
            mark="′",
            says="10 random splits, a grid of 4 points, searches of 10 minutes",
        ),
        Profile(
            **vars(comparison.PROFILES["paper"]),
            seeds=FRESH_SEEDS,
            search_seconds=3000,
            timed_epochs=500,
            mark="",
            says="10 other random splits, the paper's grid of 16 points, searches of 50 minutes",
        ),
    )
}
