"""What a template's counts say about two groups of egos: the same, or where they differ.

For every ego there is the number of instances around it and, for every role, how often each
member plays it. Two groups are told apart by a template if these, as multisets, are not the same:
first the instances of all egos together, then ego by ego, then role by role.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grape_gnn.differ.refine import by_appearance, multisets, refine
from grape_gnn.graph import Graph
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.roles.enumerate import enumerate_roles
from grape_gnn.template import Template

__all__ = ["Evidence", "Profile", "compare", "compare_refined"]

Profile = tuple[tuple[int, int], ...]
"""The counts of a role around an ego: pairs (count, number of members), largest count first."""

_PAIRS = 1 << 22  # pairs of ego and member looked at together: they are held in memory

_PROFILES = 16

Egos = NDArray[np.int32]
Pair = tuple[int, int]


@dataclass(frozen=True)
class Evidence:
    """Counts of one template around two groups of egos that are not the same.

    Parameters
    ----------
    by
        ``"instances"``: their number around all egos together; ``"instances per ego"``;
        ``"role counts"``: only how often the members of a role play it; ``"role colours"``: only
        the colours that refinement over the roles ends with, see `grape_gnn.role_colours`.
    role
        The role whose counts differ; None if instances do.
    totals
        Instances around all egos of either group.
    counts
        What an ego has (a number of instances, the `Profile` of the role, or a colour), and how
        many egos of either group have it; only what is not equally frequent in both, at most 16
        profiles.
    where
        The egos of either group whose number or profile is not as frequent in the other.
    """

    by: str
    role: int | None
    totals: Pair
    counts: dict[int, Pair] | dict[Profile, Pair]
    where: tuple[list[int], list[int]]


def compare(
    graph: Graph, template: Template, groups: tuple[Egos, Egos], settings: MatchSettings
) -> Evidence | None:
    """Return what tells two groups of egos apart, or None if the template does not.

    Examples
    --------
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> groups = np.array([0], np.int32), np.array([3], np.int32)
    >>> found = compare(g, Template("0-1 0-2 1-2"), groups, MatchSettings())
    >>> found.by, found.totals
    ('instances', (1, 0))
    """
    both = np.concatenate(groups)
    totals = enumerate_roles(graph, template, settings, both, pairs=False).totals
    mine, theirs = (totals[group].tolist() for group in groups)
    sums = sum(mine), sum(theirs)
    if often := _unequal(mine, theirs):
        by = "instances" if sums[0] != sums[1] else "instances per ego"
        return Evidence(by, None, sums, often, _where(groups, (mine, theirs), often))
    if sums[0] == 0 or template.num_nodes == 2:  # the counts of an edge's role are all 1
        return None
    numbers = np.concatenate(list(_role_numbers(graph, template, both, settings))).T
    for role, found in enumerate(numbers, start=1):
        mine, theirs = (half.tolist() for half in np.split(found, [len(groups[0])]))
        if often := _unequal(mine, theirs):
            where = _where(groups, (mine, theirs), often)
            first = {number: ego for ego, number in zip(both.tolist(), found.tolist(), strict=True)}
            shown = {
                _profile(graph, template, role, first[number], settings): egos
                for number, egos in list(often.items())[:_PROFILES]
            }
            return Evidence("role counts", role, sums, shown, where)
    return None


def compare_refined(
    graph: Graph, template: Template, groups: tuple[Egos, Egos], settings: MatchSettings
) -> Evidence | None:
    """Return what tells two groups apart when egos also see the colours of their members."""
    found = enumerate_roles(graph, template, settings)
    colours, _ = refine(np.zeros(graph.num_nodes, np.int64), found.matrices)
    # As `role_colours` numbers them, so that anyone can look them up.
    colours = by_appearance(colours)
    mine, theirs = (colours[group].tolist() for group in groups)
    often = _unequal(mine, theirs)
    if not often:
        return None
    sums = int(found.totals[groups[0]].sum()), int(found.totals[groups[1]].sum())
    return Evidence("role colours", None, sums, often, _where(groups, (mine, theirs), often))


def _unequal(mine: list[int], theirs: list[int]) -> dict[int, Pair]:
    """Return the values that are not equally frequent, with both frequencies, largest first."""
    often = Counter(mine), Counter(theirs)
    values = sorted({*mine, *theirs}, reverse=True)
    pairs = {value: (often[0][value], often[1][value]) for value in values}
    return {value: pair for value, pair in pairs.items() if pair[0] != pair[1]}


def _where(
    groups: tuple[Egos, Egos], values: tuple[list[int], list[int]], often: dict[int, Pair]
) -> tuple[list[int], list[int]]:
    mine, theirs = (
        [ego for ego, value in zip(group.tolist(), found, strict=True) if value in often]
        for group, found in zip(groups, values, strict=True)
    )
    return mine, theirs


def _parts(graph: Graph, egos: Egos) -> Iterator[Egos]:
    step = max(1, _PAIRS // max(1, graph.num_nodes))
    for start in range(0, len(egos), step):
        yield egos[start : start + step]


def _role_numbers(
    graph: Graph, template: Template, egos: Egos, settings: MatchSettings
) -> Iterator[NDArray[np.uint64]]:
    """Yield a row for every ego: a number for each role, equal for equal counts."""
    alike = np.zeros(graph.num_nodes, np.int64)
    for part in _parts(graph, egos):
        found = enumerate_roles(graph, template, settings, part)
        numbers = [multisets(matrix[part], alike)[0] for matrix in found.matrices]
        yield np.stack(numbers, axis=1)


def _profile(
    graph: Graph, template: Template, role: int, ego: int, settings: MatchSettings
) -> Profile:
    # No budget ends this: the answer is known, and only a few egos are counted once more.
    whole = replace(settings, seconds=None)
    counts = enumerate_roles(graph, template, whole, [ego]).matrices[role - 1].data
    return tuple(sorted(Counter(counts.tolist()).items(), reverse=True))
