"""Whether a map turns one graph into another, found by refinement and backtracking.

Colour refinement sorts the nodes of both graphs together. If that leaves a choice, a node of the
first graph is paired with each of its colour in the second in turn, and refinement goes on. What
comes out is checked edge by edge, so a map that is found is a proof.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn.differ.refine import Colours, refine
from grape_gnn.errors import BudgetExceededError
from grape_gnn.graph import Graph

__all__ = ["find_isomorphism"]


def find_isomorphism(
    both: Graph, colours: Colours, deadline: float | None = None
) -> NDArray[np.int64] | None:
    """Find a map from the first half of a graph's nodes onto the second that keeps all edges.

    Parameters
    ----------
    both
        Two graphs of the same size side by side.
    colours
        A node may only be mapped onto one of its colour.
    deadline
        When to give up, by ``time.monotonic``: `BudgetExceededError`.

    Returns
    -------
    numpy.ndarray
        For every node of the first graph its image, counted from 0; None if there is no map.

    Examples
    --------
    >>> both = Graph.from_edges([0, 1, 3, 3], [1, 2, 4, 5])
    >>> find_isomorphism(both, np.zeros(6, np.int64)).tolist()
    [1, 0, 2]
    """
    size = both.num_nodes // 2
    relations = _relations(both)
    edges = both.edge_array()
    first, second = edges[edges[:, 0] < size], edges[edges[:, 0] >= size]
    colours = _twins_numbered(both, colours)
    # A stack of choices: the colouring before, the chosen node, and the partners left to try.
    choices: list[tuple[Colours, int, list[int]]] = []
    while True:
        if deadline is not None and time.monotonic() > deadline:
            raise BudgetExceededError("time", "no time left to look for an isomorphism")
        colours, _ = refine(colours, relations, "set")
        mine, theirs = colours[:size], colours[size:]
        sizes = np.bincount(mine, minlength=1)
        if np.array_equal(sizes, np.bincount(theirs, minlength=1)):
            if sizes.max() <= 1:
                image = np.empty(size, np.int64)
                image[np.argsort(mine)] = np.argsort(theirs)
                moved = (image + size)[first]
                if np.array_equal(_sorted(moved, both.directed), _sorted(second, both.directed)):
                    return image
            else:
                cell = np.flatnonzero(sizes > 1)[np.argmin(sizes[sizes > 1])]
                partners = (size + np.flatnonzero(theirs == cell)).tolist()
                choices.append((colours, int(np.argmax(mine == cell)), partners[::-1]))
        while choices and not choices[-1][2]:
            choices.pop()
        if not choices:
            return None
        before, chosen, partners = choices[-1]
        colours = before.copy()
        colours[[chosen, partners.pop()]] = colours.max() + 1


def _relations(graph: Graph) -> list[sparse.csr_array[Any, Any]]:
    rows = [(graph.indptr, graph.indices)]
    if graph.directed:
        rows.append((graph.in_indptr, graph.in_indices))
    shape = (graph.num_nodes, graph.num_nodes)
    return [
        sparse.csr_array((np.ones(len(indices), np.int64), indices, indptr), shape=shape)
        for indptr, indices in rows
    ]


def _twins_numbered(graph: Graph, colours: Colours) -> Colours:
    """Colour nodes of the same neighbours by their number among them.

    They can be swapped at will, so it does not matter which is mapped onto which; and a star
    needs no choice for every leaf.
    """
    met: dict[tuple[Any, ...], int] = {}
    numbered = np.zeros(graph.num_nodes, np.int64)
    for node, colour in enumerate(colours.tolist()):
        second = node >= graph.num_nodes // 2  # nodes without neighbours are twins on their side
        twins: tuple[Any, ...] = second, colour, graph.neighbours(node).tobytes()
        if graph.directed:
            start, end = graph.in_indptr[node : node + 2]
            twins = *twins, graph.in_indices[start:end].tobytes()
        numbered[node] = met[twins] = met.get(twins, -1) + 1
    _, finer = np.unique(np.stack([colours, numbered]), axis=1, return_inverse=True)
    return finer.ravel().astype(np.int64)


def _sorted(edges: NDArray[np.int64], directed: bool) -> NDArray[np.int64]:
    ends = edges if directed else np.sort(edges, axis=1)
    ordered: NDArray[np.int64] = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
    return ordered
