"""Role matrices straight from the definitions: slow, short and obviously right.

This is the oracle that every engine is compared with. It shares no code with them: it tries
every injective map from the template's nodes to the graph's nodes, and finds the template's
automorphisms by trying every permutation (Definition 1 of the paper). Neither the compiled
core nor the role code of `Template` is used; only edges, labels and types are read.

An *instance* with ego ``v`` is a class of injective, edge-keeping maps ``f`` with
``f(anchor) = v``, where ``f`` and ``f . g`` are the same instance for every automorphism
``g`` of the template that fixes the anchor. *Roles* (Ego-AE sets, Definition 2) are the
orbits of those automorphisms. ``C_j[v, u]`` is the number of instances with ego ``v`` that
have ``u`` in role ``j``.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import DirectionMismatchError, MatchError
from grape_gnn.graph import Graph
from grape_gnn.template import Template

__all__ = ["brute_force_instances", "brute_force_roles"]

_MAX_MAPS = 20_000_000


def brute_force_roles(
    graph: Graph, template: Template, weighting: str = "count", induced: bool = False
) -> list[NDArray[np.int64]]:
    """Return the dense role matrices of a template, found by trying every map.

    Matching is non-induced unless ``induced`` is true: further edges of the graph between
    the matched nodes do not matter.

    Parameters
    ----------
    graph
        A small graph: the work is ``n (n - 1) ... (n - m + 1)`` maps for ``m`` template nodes.
    template
        The anchored template.
    weighting
        ``"count"``: how many instances have the node in the role. ``"set"``: 1 if any has.
    induced
        Whether edges of the graph must also be edges of the template.

    Returns
    -------
    list of ndarray
        One ``(n, n)`` matrix per role; the first, the anchor's, is the identity.

    Raises
    ------
    DirectionMismatchError
        If one of graph and template is directed and the other is not.
    MatchError
        If the graph is too large for this method.

    Examples
    --------
    >>> from grape_gnn import Graph, Template
    >>> square = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> ends = brute_force_roles(square, Template("0-1 1-2"))[2]
    >>> ends
    array([[0, 0, 2, 0],
           [0, 0, 0, 2],
           [2, 0, 0, 0],
           [0, 2, 0, 0]])
    """
    if weighting not in ("count", "set"):
        raise MatchError(f"unknown weighting {weighting!r}: use 'count' or 'set'")
    roles = _roles(template)
    matrices = [np.zeros((graph.num_nodes, graph.num_nodes), np.int64) for _ in roles]
    np.fill_diagonal(matrices[0], 1)
    instances = _instances(graph, template, induced)
    for role, matrix in list(zip(roles, matrices, strict=True))[1:]:
        for node in role:
            np.add.at(matrix, (instances[:, 0], instances[:, node]), 1)
    if weighting == "set":
        matrices = [np.minimum(matrix, 1) for matrix in matrices]
    return matrices


def brute_force_instances(
    graph: Graph, template: Template, induced: bool = False
) -> list[tuple[int, ...]]:
    """Return every instance once, as the graph's node for each template node.

    Of the maps that describe an instance the lexicographically smallest is given; the list
    is sorted, so the instances of one ego stand together.

    Parameters
    ----------
    graph, template, induced
        As for `brute_force_roles`.

    Returns
    -------
    list of tuple of int
        Node indices in the order of the template's nodes.

    Examples
    --------
    >>> from grape_gnn import Graph, Template
    >>> triangle = Graph.from_edges([0, 1, 2], [1, 2, 0])
    >>> brute_force_instances(triangle, Template("0-1 1-2 0-2"))
    [(0, 1, 2), (1, 0, 2), (2, 0, 1)]
    """
    return [tuple(row) for row in _instances(graph, template, induced).tolist()]


def _instances(graph: Graph, template: Template, induced: bool) -> NDArray[np.int64]:
    """One row per instance: the smallest of the maps that describe it."""
    maps = _edge_keeping_maps(graph, template, induced)
    # A map as one number in base n: comparing numbers compares maps lexicographically.
    place = graph.num_nodes ** np.arange(template.num_nodes - 1, -1, -1)
    same_instance = np.stack([maps[:, list(g)] @ place for g in _automorphisms(template)])
    smallest = np.unique(same_instance.min(axis=0))
    return smallest[:, None] // place % max(graph.num_nodes, 1)


def _edge_keeping_maps(graph: Graph, template: Template, induced: bool) -> NDArray[np.int64]:
    """All injective maps that keep every template edge and label, one per row."""
    if graph.directed != template.directed:
        raise DirectionMismatchError(
            f"brute force needs graph and template of one kind, got a graph with directed="
            f"{graph.directed} and a template with directed={template.directed}"
        )
    n, m = graph.num_nodes, template.num_nodes
    if math.perm(n, m) > _MAX_MAPS:
        raise MatchError(
            f"brute force would try {math.perm(n, m):,} maps of {m} template nodes to {n} "
            f"graph nodes; use a smaller graph, or match() for real work"
        )
    maps = _injective_maps(n, m)
    wanted, present = _template_arcs(template), _adjacency(graph)
    for a, b in itertools.permutations(range(m), 2):
        if (a, b) in wanted:
            maps = maps[present[maps[:, a], maps[:, b]]]
            if wanted[a, b] is not None:
                maps = maps[_arcs_of_type(graph, wanted[a, b])[maps[:, a], maps[:, b]]]
        elif induced:
            maps = maps[~present[maps[:, a], maps[:, b]]]
    for a, label in enumerate(template.labels):
        if label is not None:
            maps = maps[_nodes_labelled(graph, label)[maps[:, a]]]
    return maps


@lru_cache(maxsize=16)
def _injective_maps(n: int, m: int) -> NDArray[np.int64]:
    return np.array(list(itertools.permutations(range(n), m)), np.int64).reshape(-1, m)


def _adjacency(graph: Graph) -> NDArray[np.bool_]:
    present = np.zeros((graph.num_nodes, graph.num_nodes), bool)
    for v in range(graph.num_nodes):
        present[v, graph.indices[graph.indptr[v] : graph.indptr[v + 1]]] = True
    return present


def _arcs_of_type(graph: Graph, wanted: object) -> NDArray[np.bool_]:
    found = np.zeros((graph.num_nodes, graph.num_nodes), bool)
    names = graph.edge_type_names or ()
    for v in range(graph.num_nodes):
        for entry in range(graph.indptr[v], graph.indptr[v + 1]):
            code = -1 if graph.edge_types is None else graph.edge_types[entry]
            found[v, graph.indices[entry]] = code >= 0 and names[code] == wanted
    return found


def _template_arcs(template: Template) -> dict[tuple[int, int], object]:
    """Return the arcs, both ways if undirected, and the types they ask for."""
    arcs: dict[tuple[int, int], object] = dict(
        zip(template.edges, template.edge_types, strict=True)
    )
    backwards = {} if template.directed else {(b, a): asked for (a, b), asked in arcs.items()}
    return arcs | backwards


def _nodes_labelled(graph: Graph, label: object) -> NDArray[np.bool_]:
    """Which nodes have the type, or without types the label; a missing one (-1) is none."""
    codes, names = graph.y, graph.label_names
    if graph.types is not None:
        codes, names = graph.types, graph.type_names
    if codes is None:
        return np.zeros(graph.num_nodes, bool)
    return np.array(
        [code >= 0 and (code if names is None else names[code]) == label for code in codes],
        bool,
    )


def _automorphisms(template: Template) -> list[tuple[int, ...]]:
    """Every permutation of the nodes that fixes the anchor and keeps edges, labels and types."""
    arcs, labels = _template_arcs(template), template.labels
    return [
        (0, *rest)
        for rest in itertools.permutations(range(1, template.num_nodes))
        if {((0, *rest)[a], (0, *rest)[b]): asked for (a, b), asked in arcs.items()} == arcs
        and tuple(labels[a] for a in (0, *rest)) == labels
    ]


def _roles(template: Template) -> list[tuple[int, ...]]:
    """Orbits of the anchor-fixing automorphisms, in the order of their smallest node."""
    group = _automorphisms(template)
    orbits = {tuple(sorted({g[a] for g in group})) for a in range(template.num_nodes)}
    return sorted(orbits)
