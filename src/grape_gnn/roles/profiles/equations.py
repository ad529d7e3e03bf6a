"""From non-induced counts to induced ones, exactly.

An induced instance of `H'` on some nodes contains a fixed number of non-induced instances of
every `H` with as many nodes, with the ego in the same place:

    plain(H)  =  sum over H' of  c(H, H') * induced(H'),

and `c(H, H')` is the number of copies of `H` inside `H'` that use all its nodes and keep the
ego, or the edge, in its place. It is 1 for `H' = H` and 0 unless `H'` has more edges, so the
equations are solved from the densest graph on, by whole numbers only. Non-induced counts that
fit into 64 bits give induced ones that fit, whatever wraps on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from grape_gnn.roles.profiles.orbits import Orbit

__all__ = ["containment", "induced_counts"]


def induced_counts(orbits: Sequence[Orbit], plain: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return induced counts.

    Parameters
    ----------
    orbits
        All node orbits, or all edge orbits, of the sizes that occur among them.
    plain
        Non-induced counts, one column per orbit.

    Examples
    --------
    The ends of a triangle's 3-paths are no ends of induced ones.

    >>> from grape_gnn.roles.profiles.orbits import node_orbits
    >>> induced_counts(node_orbits(3), np.array([[2, 2, 1, 1]])).tolist()
    [[2, 0, 0, 1]]
    """
    copies = containment(tuple(orbits))
    edges = [len(orbit.template.edges) for orbit in orbits]
    induced: NDArray[np.int64] = plain.copy()
    for i in sorted(range(len(orbits)), key=edges.__getitem__, reverse=True):
        for j in np.flatnonzero(copies[i]).tolist():
            if j != i:
                induced[:, i] -= copies[i, j] * induced[:, j]
    return induced


@cache
def containment(orbits: tuple[Orbit, ...]) -> NDArray[np.int64]:
    """Return `c(H, H')`: how many copies of every orbit's graph lie in every other's.

    Examples
    --------
    >>> from grape_gnn.roles.profiles.orbits import node_orbits
    >>> containment(node_orbits(3)).tolist()
    [[1, 0, 0, 0], [0, 1, 0, 2], [0, 0, 1, 1], [0, 0, 0, 1]]
    """
    copies = [_copies(orbit) for orbit in orbits]
    found = np.zeros((len(orbits), len(orbits)), dtype=np.int64)
    for i, j in np.ndindex(*found.shape):
        if orbits[i].template.num_nodes == orbits[j].template.num_nodes:
            whole = min(copies[j])
            found[i, j] = sum(part & whole == part for part in copies[i])
    return found


def _copies(orbit: Orbit) -> set[int]:
    """Return all copies of an orbit's graph on its nodes that keep the orbit in its place.

    The place is node 0, or the pair of the nodes 0 and 1. A graph is a set of pairs, one bit each.
    """
    template = orbit.template
    first = [0] if orbit.role == 0 else [0, template.roles[orbit.role][0]]
    rest = [node for node in range(template.num_nodes) if node not in first]
    bit = {pair: 1 << k for k, pair in enumerate(combinations(range(template.num_nodes), 2))}
    found = set()
    for ends in permutations(first):
        for order in permutations(rest):
            place = {node: k for k, node in enumerate([*ends, *order])}
            pairs = (sorted((place[a], place[b])) for a, b in template.edges)
            found.add(sum(bit[a, b] for a, b in pairs))
    return found
