"""The contract of an engine: whatever the settings, the brute-force answer to the last count.

`disagreement` compares one call of `match` with the oracle. The tests and the fuzzer are
loops around it, so a new engine is proved by the same code as the old ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph
from grape_gnn.roles import match
from grape_gnn.template import Template
from grape_gnn.testing.brute_force import brute_force_instances, brute_force_roles

__all__ = ["Case", "disagreement", "shrink"]


@dataclass(frozen=True)
class Case:
    """One call of `match` to be checked.

    Parameters
    ----------
    graph, template, engine, weighting, induced, threads
        What `match` is called with.
    """

    graph: Graph
    template: Template
    engine: str = "enumerate"
    weighting: str = "count"
    induced: bool = False
    threads: int = 1

    def __str__(self) -> str:
        graph = self.graph
        edges = graph.edge_array()
        labels = ""
        if graph.y is not None:
            labels = f", y={graph.y.tolist()}, label_names={graph.label_names}"
        return (
            f"graph = Graph.from_edges({edges[:, 0].tolist()}, {edges[:, 1].tolist()}, "
            f"num_nodes={graph.num_nodes}, directed={graph.directed}{labels})\n"
            f"template = Template({self.template.text!r})\n"
            f"match(graph, [template], engine={self.engine!r}, weighting={self.weighting!r}, "
            f"induced={self.induced}, threads={self.threads})"
        )


def disagreement(case: Case) -> str | None:
    """Compare `match` with brute force.

    Parameters
    ----------
    case
        The call to check; its graph must be small enough for brute force.

    Returns
    -------
    str or None
        What differs first and the call that shows it; None when everything agrees.

    Examples
    --------
    >>> from grape_gnn import Template
    >>> from grape_gnn.testing import gnp
    >>> disagreement(Case(gnp(7, 0.5, seed=1), Template("0-1 1-2 0-2"))) is None
    True
    """
    found = match(
        case.graph,
        [case.template],
        engine=case.engine,
        weighting=case.weighting,
        induced=case.induced,
        threads=case.threads,
    )[0]
    totals, roles = _expected(case.graph, case.template, case.induced)
    if len(found) != len(roles):
        return f"{len(found)} roles instead of {len(roles)}\n{case}"
    if not np.array_equal(found.totals, totals):
        return f"totals {found.totals.tolist()} instead of {totals.tolist()}\n{case}"
    for j, (operator, counts) in enumerate(zip(found, roles, strict=True)):
        right = np.minimum(counts, 1) if case.weighting == "set" else counts
        matrix = operator.to_scipy().toarray()
        if not np.array_equal(matrix, right):
            ego, node = (int(k) for k in np.argwhere(matrix != right)[0])
            return (
                f"role {j}, ego {ego}, node {node}: {matrix[ego, node]} instead of "
                f"{right[ego, node]}\n{case}"
            )
    return None


@lru_cache(maxsize=256)
def _expected(
    graph: Graph, template: Template, induced: bool
) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """Totals per ego and role counts by brute force; the same for all engines and threads."""
    egos = [instance[0] for instance in brute_force_instances(graph, template, induced)]
    totals = np.bincount(egos, minlength=graph.num_nodes).astype(np.int64)
    return totals, brute_force_roles(graph, template, induced=induced)


def shrink(case: Case) -> Case:
    """Delete nodes and edges of the graph for as long as the case still fails.

    Parameters
    ----------
    case
        A case with a `disagreement`, or one that makes `match` raise an error.

    Returns
    -------
    Case
        A case that fails as well, with a graph from which nothing more can be deleted.
    """
    while True:
        smaller = (replace(case, graph=graph) for graph in _smaller_graphs(case.graph))
        failing = next((other for other in smaller if _fails(other)), None)
        if failing is None:
            return case
        case = failing


def _fails(case: Case) -> bool:
    try:
        return disagreement(case) is not None
    except Exception:
        return True


def _smaller_graphs(graph: Graph) -> list[Graph]:
    """Return the graph without each node, then without each edge."""
    edges, nodes = graph.edge_array(), np.arange(graph.num_nodes)
    kept_nodes = [nodes[nodes != v] for v in nodes]
    smaller = [_rebuilt(graph, kept, edges[np.isin(edges, kept).all(1)]) for kept in kept_nodes]
    smaller += [_rebuilt(graph, nodes, np.delete(edges, k, axis=0)) for k in range(len(edges))]
    return smaller


def _rebuilt(graph: Graph, nodes: NDArray[np.int64], edges: NDArray[np.int64]) -> Graph:
    position = np.zeros(graph.num_nodes + 1, np.int64)
    position[nodes] = np.arange(len(nodes))
    return Graph.from_edges(
        position[edges[:, 0]],
        position[edges[:, 1]],
        num_nodes=len(nodes),
        directed=graph.directed,
        y=None if graph.y is None else graph.y[nodes],
        label_names=graph.label_names,
    )
