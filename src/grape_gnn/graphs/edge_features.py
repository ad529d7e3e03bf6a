"""Numbers on the edges of a set of graphs, such as the length of a bond: what a model learns from.

Types of edges are classes, which templates can ask for; these are numbers, which none can. They
belong to the entries of the union's rows: an undirected edge has two, and where both arcs were
given, as in PyTorch Geometric, each keeps its own numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph import Graph
from grape_gnn.graph.typed import edges_by_entry

__all__ = ["EdgeFeatures", "joined_features"]


@dataclass(frozen=True, eq=False)
class EdgeFeatures:
    """A row of numbers for every edge.

    Parameters
    ----------
    names
        The attributes or columns that they come from, in order; one may have several numbers.
    values
        Finite numbers, float32, shape (edges, numbers).

    Examples
    --------
    >>> EdgeFeatures.of(["length", "angle"], [[1.5, 1.4], [[0.1, 0.2], [0.3, 0.4]]], 2).values.shape
    (2, 3)
    """

    names: tuple[str, ...]
    values: NDArray[np.float32]

    def __post_init__(self) -> None:
        self.values.flags.writeable = False

    @classmethod
    def of(cls, names: Iterable[str], columns: Iterable[Any], count: int) -> EdgeFeatures:
        """Check columns of numbers, or of vectors of one length, and put them side by side."""
        names, parts = tuple(names), []
        for name, column in zip(names, columns, strict=True):
            try:
                numbers = np.asarray(column, np.float64).reshape(count, -1 if count else 0)
            except (TypeError, ValueError) as error:
                raise GraphError(
                    f"{name!r}, a feature of edges, is not a number, or a vector of one length, on "
                    f"every edge"
                ) from error
            with np.errstate(over="ignore"):  # what is too large turns infinite, and is refused
                narrow = numbers.astype(np.float32)
            bad = np.flatnonzero(~np.isfinite(narrow).all(axis=1))
            if bad.size:
                raise GraphError(
                    f"{name!r}, a feature of edges, is missing or not finite on edge number "
                    f"{bad[0]}: fill it in"
                )
            parts.append(narrow)
        return cls(names, np.hstack(parts))

    @property
    def width(self) -> int:
        """How many numbers an edge has."""
        return int(self.values.shape[1])

    def rows(self, which: NDArray[np.int64]) -> EdgeFeatures:
        """Return the numbers of some edges."""
        return EdgeFeatures(self.names, self.values[which])

    def __str__(self) -> str:
        return f"{self.width} ({', '.join(map(repr, self.names))})"


def joined_features(
    parts: Sequence[EdgeFeatures | None],
    lengths: NDArray[np.int64],
    graph: Graph,
    ends: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> EdgeFeatures | None:
    """Return the numbers of every entry of a union's rows; None if no graph has any.

    Parameters
    ----------
    parts
        Those of the edges of every graph, as they were given; a graph without edges needs none.
    lengths
        How many edges were given for every graph.
    graph, ends
        The union, and all given edges.
    """
    filled = [(k, parts[k]) for k in np.flatnonzero(lengths).tolist()]
    known = [(k, part) for k, part in filled if part is not None]
    if not known:
        return None
    (first, model), missing = known[0], [k for k, part in filled if part is None]
    if missing:
        raise GraphError(
            f"graph number {missing[0]} has no features of edges, graph number {first} has "
            f"{model}: give all the same"
        )
    for k, part in known:
        if (part.names, part.width) != (model.names, model.width):
            raise GraphError(
                f"graph number {k} has features of edges {part}, graph number {first} has {model}: "
                f"give all the same"
            )
    values = np.concatenate([part.values for _, part in known])
    given = np.arange(len(values))
    if not graph.directed:  # the other arc has the same numbers, unless its own come behind
        ends = np.concatenate([ends[1], ends[0]]), np.concatenate([ends[0], ends[1]])
        given = np.concatenate([given, given])
    found = given[edges_by_entry(graph, ends, directed=True)]
    return EdgeFeatures(model.names, values[found])
