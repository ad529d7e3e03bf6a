"""Templates from and to adjacency matrices and networkx graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from grape_gnn.arguments import flag
from grape_gnn.errors import TemplateError
from grape_gnn.extras import named_extra
from grape_gnn.template.structure import MAX_NODES
from grape_gnn.template.text import Edge, Label

if TYPE_CHECKING:
    import networkx as nx

    from grape_gnn.template.template import Template

__all__ = ["edges_of_matrix", "parts_of_networkx", "to_matrix", "to_networkx"]


def edges_of_matrix(matrix: ArrayLike, directed: bool | None) -> tuple[list[Edge], bool]:
    """Read the edges of an adjacency matrix, and whether they are arcs.

    Examples
    --------
    >>> edges_of_matrix([[0, 1], [0, 0]], None)
    ([(0, 1)], True)
    """
    if directed is not None:
        directed = flag("directed", directed, error=TemplateError)
    try:
        dense = np.asarray(matrix.toarray() if sparse.issparse(matrix) else matrix)
    except ValueError:
        raise TemplateError(
            f"the adjacency matrix {matrix!r} has rows of different lengths: give one row and "
            f"one column per template node"
        ) from None
    if dense.ndim != 2 or dense.shape[0] != dense.shape[1]:
        raise TemplateError(
            f"an adjacency matrix of shape {dense.shape} is not square: give one row and one "
            f"column per template node"
        )
    if dense.shape[0] > MAX_NODES:
        raise TemplateError(
            f"an adjacency matrix of {dense.shape[0]} nodes: a template has at most {MAX_NODES}"
        )
    if not np.isin(dense, (0, 1)).all():
        raise TemplateError(
            f"the adjacency matrix {dense.tolist()} has entries other than 0 and 1: templates "
            f"have no edge weights"
        )
    present = dense.astype(bool)
    symmetric = bool((present == present.T).all())
    if directed is False and not symmetric:
        raise TemplateError(
            f"the adjacency matrix {dense.tolist()} is not symmetric: pass directed=True or "
            f"symmetrise it"
        )
    isolated = np.flatnonzero(~(present.any(axis=0) | present.any(axis=1)))
    if len(isolated):
        raise TemplateError(
            f"node {isolated[0]} of the adjacency matrix {dense.tolist()} has no edge: a template "
            f"is connected, so remove its row and column"
        )
    is_directed = not symmetric if directed is None else directed
    pairs = np.argwhere(present if is_directed else np.triu(present))
    return [(int(a), int(b)) for a, b in pairs], is_directed


def to_matrix(template: Template) -> NDArray[np.int8]:
    """Return the 0/1 adjacency matrix; see `Template.adjacency`."""
    matrix = np.zeros((template.num_nodes, template.num_nodes), dtype=np.int8)
    for a, b in template.edges:
        matrix[a, b] = 1
        if not template.directed:
            matrix[b, a] = 1
    return matrix


def parts_of_networkx(
    graph: nx.Graph[Any], anchor: object
) -> tuple[list[Edge], list[Label | None], dict[Edge, Label]]:
    """Return edges, labels and types of edges of a networkx graph, numbered from the anchor on."""
    if anchor not in graph:
        raise TemplateError(
            f"the anchor {anchor!r} is not a node of the networkx graph: its nodes are "
            f"{list(graph)[: MAX_NODES + 1]!r}"
        )
    if len(graph) > MAX_NODES:
        raise TemplateError(
            f"the networkx graph has {len(graph)} nodes: a template has at most {MAX_NODES}"
        )
    isolated = [node for node in graph if graph.degree(node) == 0]
    if isolated:
        raise TemplateError(
            f"node {isolated[0]!r} of the networkx graph has no edge: a template is connected "
            f"and has at least 2 nodes"
        )
    order = [anchor, *(node for node in graph if node != anchor)]
    number = {node: k for k, node in enumerate(order)}
    edges = [(number[a], number[b]) for a, b in graph.edges()]
    types = {
        (number[a], number[b]): asked
        for a, b, asked in graph.edges(data="type")
        if asked is not None
    }
    return edges, [graph.nodes[node].get("label") for node in order], types


def to_networkx(template: Template) -> nx.Graph[Any]:
    """Return the networkx form, with ``role`` and ``label`` on the nodes, ``type`` on the edges."""
    with named_extra():
        import networkx as nx

    graph: nx.Graph[Any] = nx.DiGraph() if template.directed else nx.Graph()
    if template.name is not None:
        graph.graph["name"] = template.name
    for node in range(template.num_nodes):
        graph.add_node(node, role=template.role_of[node])
        if template.labels[node] is not None:
            graph.nodes[node]["label"] = template.labels[node]
    graph.add_edges_from(template.edges)
    for (a, b), asked in template.type_of_edge.items():
        graph.edges[a, b]["type"] = asked
    return graph
