"""A generated network with the traits of Facebook100: years, friend groups, popular people.

- People belong to a year; the latest four years hold most of them, earlier ones fade out.
- Most friendships are within a year, the rest mostly with the year before or after.
- Popularity is uneven (a Pareto law), so degrees are.
- Friend groups of four to seven people of one year all know each other: planted cliques.
- The features are gender and major, one-hot. Every year has its fashions among the majors, so
  the major of one person says little about the year, and those of all the friends say much.
- One person in twelve did not tell the year; that label is missing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grape_gnn.datasets.generated import checked_size, generated, seeded
from grape_gnn.datasets.simple_edges import simple_edges
from grape_gnn.graph import Graph

__all__ = ["DATASETS", "social_like"]

YEARS = np.arange(2002, 2010)
SHARES = np.array([0.01, 0.02, 0.04, 0.09, 0.19, 0.21, 0.22, 0.22])
MAJORS = 12
FRIENDS_EACH = 10
GROUPS_EACH = 0.12
MISSING_SHARE = 1 / 12


def social_like(*, num_nodes: int = 2000, seed: int = 0) -> Graph:
    """Generate a social network; see the top of the module.

    Parameters
    ----------
    num_nodes
        Number of people, at least 50.
    seed
        Seed of everything random.

    Returns
    -------
    Graph

    Examples
    --------
    >>> g = social_like(num_nodes=100)
    >>> g.num_nodes, g.label_names[-1], g.x.shape
    (100, 2009, (100, 14))
    """
    num_nodes = checked_size("num_nodes", num_nodes, 50)
    rng = seeded(seed)
    year = rng.choice(len(YEARS), num_nodes, p=SHARES)
    ends = np.concatenate([_friendships(year, rng), _friend_groups(year, rng)])
    major = _majors(year, rng)
    told = rng.random(num_nodes) >= MISSING_SHARE
    return Graph.from_edges(
        *simple_edges(ends[:, 0], ends[:, 1], num_nodes),
        num_nodes,
        x=np.hstack([np.eye(2)[rng.integers(2, size=num_nodes)], np.eye(MAJORS)[major]]),
        y=np.where(told, year, -1),
        label_names=YEARS.tolist(),
    )


def _friendships(year: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    count = FRIENDS_EACH * year.size
    popularity = 1 + rng.pareto(2.5, year.size)
    src = rng.choice(year.size, count, p=popularity / popularity.sum())
    # Same year four times in five, else one year off.
    step = rng.choice([-1, 0, 1], count, p=[0.1, 0.8, 0.1])
    wanted = np.clip(year[src] + step, 0, len(YEARS) - 1)
    dst = src.copy()  # a year without people leaves a self-loop, which is dropped
    for y in np.unique(year):
        people = np.flatnonzero(year == y)
        chance = popularity[people] / popularity[people].sum()
        places = np.flatnonzero(wanted == y)
        dst[places] = rng.choice(people, places.size, p=chance)
    return np.stack([src, dst], axis=1)


def _friend_groups(year: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    groups = []
    for _ in range(int(GROUPS_EACH * year.size)):
        people = np.flatnonzero(year == year[rng.integers(year.size)])
        size = min(int(rng.integers(4, 8)), people.size)
        group = rng.choice(people, size, replace=False)
        groups.append(group[np.stack(np.triu_indices(size, 1), axis=1)])
    return np.concatenate(groups)


def _majors(year: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    fashion = rng.dirichlet(np.ones(MAJORS), len(YEARS)).cumsum(axis=1)
    drawn = rng.random(year.size)[:, None] * fashion[:, -1][year][:, None]
    majors: NDArray[np.int64] = (drawn >= fashion[year]).sum(axis=1)
    return majors


DATASETS = (
    generated(
        "social-like",
        "years, friend groups and popular people; label: year; features: gender and major",
        social_like,
        (2000, None, 14, 8),
    ),
)
