"""The graph of the back end: ours, with the nodes of networkx, which may be any objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn.graph import Graph
from grape_gnn.roles import count_instances
from grape_gnn.roles.profiles import profile

__all__ = ["BackendGraph", "from_networkx", "to_networkx"]


class BackendGraph:
    """An undirected graph that remembers its nodes, its self-loops and what was counted.

    It never changes, so that every number is counted once, however many functions ask for it.

    Parameters
    ----------
    graph
        The graph without its self-loops.
    number
        The number of every node, in the order of networkx.
    loops
        Nodes with a self-loop, by number. No function of the back end counts them.
    attributes
        The attributes of the whole graph.

    Examples
    --------
    >>> G = from_networkx(nx.Graph([("a", "b"), ("b", "c"), ("a", "c"), ("c", "c")]))
    >>> G.number_of_edges(), G.triangles.tolist(), "c" in G
    (4, [1, 1, 1], True)
    """

    __networkx_backend__ = "grape"

    def __init__(
        self,
        graph: Graph,
        number: dict[Any, int],
        loops: NDArray[np.int64],
        attributes: dict[Any, Any],
    ) -> None:
        self.rows = graph
        self.number = number
        self.loops = loops
        self.graph = attributes  # the name that networkx has for them

    def is_directed(self) -> bool:
        """Return False: other graphs are left to networkx."""
        return False

    def is_multigraph(self) -> bool:
        """Return False: other graphs are left to networkx."""
        return False

    def number_of_nodes(self) -> int:
        """Return the number of nodes."""
        return len(self.number)

    def number_of_edges(self) -> int:
        """Return the number of edges, self-loops among them."""
        return self.rows.num_edges + len(self.loops)

    def __len__(self) -> int:
        return len(self.number)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.number)

    def __contains__(self, node: Any) -> bool:
        try:
            return node in self.number
        except TypeError:  # not hashable
            return False

    @property
    def _adj(self) -> dict[Any, int]:
        """Where networkx looks for nodes."""
        return self.number

    def nbunch_iter(self, nodes: Any = None) -> Iterator[Any]:
        """Return those of some nodes that the graph has, by the rules of networkx."""
        found: Iterator[Any] = nx.Graph.nbunch_iter(self, nodes)
        return found

    @property
    def degrees(self) -> NDArray[np.int64]:
        """The number of neighbours of every node, itself left out."""
        return self.rows.degrees

    @cached_property
    def triangles(self) -> NDArray[np.int64]:
        """The triangles at every node."""
        return self._counted("triangle")

    @cached_property
    def squares(self) -> NDArray[np.int64]:
        """The 4-cycles through every node, with chords or without."""
        return self._counted("4-cycle")

    @cached_property
    def triangles_at_edges(self) -> NDArray[np.int64]:
        """The triangles at every edge, in the order of `Graph.edge_array`."""
        return profile(self.rows, 3, of="edges").to_numpy()[:, 1]  # column 0: 3-paths

    def _counted(self, template: str) -> NDArray[np.int64]:
        counts: NDArray[np.int64] = count_instances(self.rows, template)[:, 0]
        return counts


def from_networkx(source: Any) -> BackendGraph:
    """Return an undirected simple networkx graph, with any self-loops, as one of the back end."""
    rows = dict(source.adjacency())
    number = {node: k for k, node in enumerate(rows)}
    ptr = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, rows.values()), np.int64, len(rows)), out=ptr[1:])
    every: Iterable[Any] = chain.from_iterable(rows.values())
    if not all(type(node) is int and node == k for node, k in number.items()):
        every = map(number.__getitem__, every)
    columns = np.fromiter(every, np.int32, int(ptr[-1]))
    heads = np.repeat(np.arange(len(rows)), np.diff(ptr))
    loops = heads == columns
    whole = sparse.csr_matrix((~loops, columns, ptr), shape=(len(rows), len(rows)))
    whole.eliminate_zeros()
    whole.sort_indices()
    ptr, columns = whole.indptr.astype(np.int64), whole.indices.astype(np.int32, copy=False)
    graph = Graph(False, ptr, columns, ptr, columns)
    return BackendGraph(graph, number, heads[loops], dict(source.graph))


def to_networkx(source: BackendGraph) -> Any:
    """Return a graph of the back end as one of networkx, without attributes of nodes and edges."""
    nodes = list(source)
    result = nx.Graph()
    result.graph.update(source.graph)
    result.add_nodes_from(nodes)
    result.add_edges_from((nodes[u], nodes[v]) for u, v in source.rows.edge_array().tolist())
    result.add_edges_from((nodes[v], nodes[v]) for v in source.loops.tolist())
    return result
