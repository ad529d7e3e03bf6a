"""The roles of the graphs that a classifier saw last: matching is the slow part of predicting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grape_gnn.graph import Graph
from grape_gnn.graph.checksum import checksum

__all__ = ["RoleCache"]

_GRAPHS = 2  # the graph of the training, and the one that is predicted in turns with it


class RoleCache:
    """Role values, or role products, of the last two graphs; older ones are let go.

    A graph is known by its contents, so that PyG ``Data``, which is converted on every call, is
    recognised. The cache is not copied or pickled with its owner.

    Examples
    --------
    >>> from grape_gnn.nn import RoleValues
    >>> from grape_gnn.roles import match
    >>> path, cache = Graph.from_edges([0, 1], [1, 2]), RoleCache()
    >>> first = cache.get(path, ("edge",), lambda: RoleValues(match(path, "edge")))
    >>> cache.get(path, ("edge",), lambda: None) is first
    True
    """

    def __init__(self) -> None:
        self._kept: list[tuple[Graph, tuple[Any, ...], str, Any]] = []

    def get(self, graph: Graph, what: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        """Return the roles of a graph, made now if they are not there.

        Parameters
        ----------
        graph
            The graph.
        what
            Which roles: whatever they depend on besides the graph.
        make
            Makes them.
        """
        known = next((each for each in self._kept if each[0] is graph and each[1] == what), None)
        if known is None:
            contents = checksum(graph, graph.names, graph.y, graph.label_names)
            known = next((each for each in self._kept if each[1:3] == (what, contents)), None)
            if known is None:
                del self._kept[_GRAPHS - 1 :]  # before the new ones need room
                known = (graph, what, contents, make())
        self._kept = [known, *(each for each in self._kept if each is not known)]
        return known[3]

    def __reduce__(self) -> tuple[type[RoleCache], tuple[()]]:
        return RoleCache, ()
