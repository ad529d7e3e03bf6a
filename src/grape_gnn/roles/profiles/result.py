"""What `profile` returns: a table of counts, and the instances behind every number."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import flag, whole_number
from grape_gnn.errors import MatchError
from grape_gnn.extras import named_extra
from grape_gnn.graph import Graph
from grape_gnn.roles.dispatch import role_finder
from grape_gnn.roles.engine import make_settings
from grape_gnn.roles.instances import instances
from grape_gnn.roles.profiles.equations import induced_counts
from grape_gnn.roles.profiles.orbits import Orbit
from grape_gnn.roles.result import TemplateRoles

__all__ = ["Profile"]


class Profile:
    """Orbit counts of all nodes, or of all edges, of a graph.

    Attributes
    ----------
    graph
        The graph.
    of
        ``"nodes"`` or ``"edges"``: what the rows are.
    orbits
        What the columns are: `Orbit` with its number, its template and, of an edge, the role.

    Examples
    --------
    >>> from grape_gnn.roles.profiles import profile
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])
    >>> edges = profile(g, size=3, of="edges")
    >>> edges
    Profile(4 edges, 2 orbits)
    >>> edges.rows[3], edges.to_numpy(induced=True)[3].tolist()
    (('cat', 'dan'), [2, 0])
    """

    def __init__(
        self, graph: Graph, of: str, orbits: tuple[Orbit, ...], plain: NDArray[np.int64]
    ) -> None:
        self.graph = graph
        self.of = of
        self.orbits = orbits
        self._plain = plain

    @cached_property
    def _induced(self) -> NDArray[np.int64]:
        return induced_counts(self.orbits, self._plain)

    @property
    def names(self) -> list[str]:
        """The orbits by number and name, such as ``"3 triangle"``."""
        return [f"{orbit.number} {orbit.name}" for orbit in self.orbits]

    @property
    def rows(self) -> list[Any]:
        """The nodes by their names, or the edges as pairs of names."""
        name = self.graph.name_of
        if self.of == "nodes":
            return [name(v) for v in range(self.graph.num_nodes)]
        return [(name(u), name(v)) for u, v in self.graph.edge_array().tolist()]

    def to_numpy(self, induced: bool = False) -> NDArray[np.int64]:
        """Return the counts, a row for every node or edge and a column for every orbit.

        Parameters
        ----------
        induced
            False: instances may have further edges between their nodes. True: they may not.
        """
        return self._induced if flag("induced", induced) else self._plain

    def to_pandas(self, induced: bool = False) -> Any:
        """Return the counts as a pandas data frame (extra ``arrow``), named by `names`."""
        with named_extra():
            import pandas as pd

        if self.of == "nodes":
            index = pd.Index(self.rows, name="node")
        else:
            index = pd.MultiIndex.from_tuples(self.rows, names=("source", "target"))
        return pd.DataFrame(self.to_numpy(induced), index=index, columns=self.names)

    def roles(self, orbit: int) -> TemplateRoles:
        """Return who plays which role in the (non-induced) instances of an orbit, as `match` does.

        Examples
        --------
        >>> from grape_gnn.roles.profiles import profile
        >>> triangle = Graph.from_edges([0, 0, 1], [1, 2, 2])
        >>> profile(triangle).roles(3)[1].members(0)
        {1: 1, 2: 1}
        """
        settings = make_settings()
        find = role_finder(self.graph, "auto", settings, None)
        return find(self._orbit(orbit).template, settings)

    def instances(
        self, row: Any, orbit: int, induced: bool = False
    ) -> Iterator[tuple[str | int, ...]]:
        """Yield the instances behind a number, each as nodes in the order of the template's.

        Parameters
        ----------
        row
            A node by its name, or an edge as a pair of names.
        orbit
            Number of the orbit.
        induced
            Which of the two numbers.
        """
        place = self._orbit(orbit)
        if self.of == "nodes":
            return instances(self.graph, place.template, row, induced)
        return self._around_edge(row, place, induced)

    def _around_edge(
        self, edge: Any, orbit: Orbit, induced: bool
    ) -> Iterator[tuple[str | int, ...]]:
        if not isinstance(edge, tuple | list) or len(edge) != 2:
            raise MatchError(f"row={edge!r} must be an edge: a pair of names of nodes")
        ends = orbit.template.roles[orbit.role]
        ways = [tuple(edge)] if orbit.reversible else [tuple(edge), tuple(edge)[::-1]]
        for ego, other in ways:
            for found in instances(self.graph, orbit.template, ego, induced):
                if other in [found[node] for node in ends]:
                    yield found

    def _orbit(self, number: int) -> Orbit:
        return self.orbits[whole_number("orbit", number, 0, len(self.orbits) - 1)]

    def __repr__(self) -> str:
        return f"Profile({len(self._plain):,} {self.of}, {len(self.orbits)} orbits)"
