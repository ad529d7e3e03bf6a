"""The contract of an engine: whatever the settings, the brute-force answer to the last count.

`disagreement` compares one call of `match` with the oracle. The tests and the fuzzer are
loops around it, so a new engine is proved by the same code as the old ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph
from grape_gnn.graph.attributes import as_objects
from grape_gnn.graph.typed import types_of_edges, types_of_nodes
from grape_gnn.roles import match
from grape_gnn.template import Template
from grape_gnn.testing.brute_force import brute_force_instances, brute_force_roles

__all__ = ["Case", "disagreement"]


@dataclass(frozen=True)
class Case:
    """One call of `match` to be checked.

    Parameters
    ----------
    graph, template, engine, weighting, induced, threads
        What `match` is called with.
    isolated
        Scatter this many isolated nodes among those of the graph before the call. They change
        nothing, but engines treat sparse graphs differently, and a graph that is small enough
        for brute force is never sparse.
    """

    graph: Graph
    template: Template
    engine: str = "enumerate"
    weighting: str = "count"
    induced: bool = False
    threads: int = 1
    isolated: int = 0

    def __str__(self) -> str:
        graph, _ = _scattered(self.graph, self.isolated)
        edges = graph.edge_array()
        labels = ""
        if graph.y is not None:
            labels = f", y={graph.y.tolist()}, label_names={graph.label_names}"
        kinds, ties = types_of_nodes(graph), types_of_edges(graph)
        labels += "" if kinds is None else f", types={kinds.tolist()}"
        labels += "" if ties is None else f", edge_types={ties.tolist()}"
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
    graph, at = _scattered(case.graph, case.isolated)
    found = match(
        graph,
        [case.template],
        engine=case.engine,
        weighting=case.weighting,
        induced=case.induced,
        threads=case.threads,
    )[0]
    totals, roles = _expected(case.graph, case.template, case.induced)
    if len(found) != len(roles):
        return f"{len(found)} roles instead of {len(roles)}\n{case}"
    if not np.array_equal(found.totals[at], totals) or found.totals.sum() != totals.sum():
        return f"totals {found.totals.tolist()} instead of {totals.tolist()} at {at}\n{case}"
    for j, (operator, counts) in enumerate(zip(found, roles, strict=True)):
        right = np.minimum(counts, 1) if case.weighting == "set" else counts
        matrix = operator.to_scipy().toarray()
        if j > 0 and np.count_nonzero(matrix) != np.count_nonzero(matrix[np.ix_(at, at)]):
            return f"role {j} of isolated nodes is not empty\n{case}"
        matrix = matrix[np.ix_(at, at)]
        if not np.array_equal(matrix, right):
            ego, node = (int(k) for k in np.argwhere(matrix != right)[0])
            return (
                f"role {j}, ego {at[ego]}, node {at[node]}: {matrix[ego, node]} instead of "
                f"{right[ego, node]}\n{case}"
            )
    return None


@lru_cache(maxsize=64)
def _scattered(graph: Graph, isolated: int) -> tuple[Graph, NDArray[np.int64]]:
    """Put isolated nodes between the others; return the graph and where those are now.

    The new nodes have the first label and type, so that a template that asks for one could mistake
    them.
    """
    n = graph.num_nodes
    at = np.arange(n) * (n + isolated) // max(n, 1)
    if isolated == 0:
        return graph, at
    edges, y, types = graph.edge_array(), None, types_of_nodes(graph)
    if graph.y is not None:
        y = np.zeros(n + isolated, np.int64)
        y[at] = graph.y
    if types is not None:
        given, types = types, as_objects([(graph.type_names or (None,))[0]] * (n + isolated))
        types[at] = given
    return Graph.from_edges(
        at[edges[:, 0]],
        at[edges[:, 1]],
        num_nodes=n + isolated,
        directed=graph.directed,
        y=y,
        label_names=graph.label_names,
        types=types,
        edge_types=types_of_edges(graph),
    ), at


@lru_cache(maxsize=256)
def _expected(
    graph: Graph, template: Template, induced: bool
) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """Totals per ego and role counts by brute force; the same for all engines and threads."""
    egos = [instance[0] for instance in brute_force_instances(graph, template, induced)]
    totals = np.bincount(egos, minlength=graph.num_nodes).astype(np.int64)
    return totals, brute_force_roles(graph, template, induced=induced)
