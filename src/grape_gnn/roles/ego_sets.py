"""Ego-AE sets by name, and totals per ego (Definition 2 of the paper)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from grape_gnn.graph import GraphLike, as_graph
from grape_gnn.roles.engine import MatchSettings, make_settings
from grape_gnn.roles.enumerate import enumerate_roles
from grape_gnn.roles.profiles.totals import TotalCounter
from grape_gnn.roles.table import totals_frame
from grape_gnn.template import Template
from grape_gnn.template.zoo import template as find_template
from grape_gnn.template.zoo import templates as find_templates

__all__ = ["count_instances", "ego_ae_sets", "ego_role_counts"]


def ego_ae_sets(
    graph: GraphLike, template: str | Template, node: str | int, *, induced: bool = False
) -> list[set[str | int]]:
    """Who plays which role around one node.

    Matching is non-induced by default: further edges between matched nodes do not matter.

    Parameters
    ----------
    graph
        As for `match`.
    template
        A template or its name.
    node
        The ego, by its original name.
    induced
        Demand that pairs which are not edges of the template are not edges of the graph.

    Returns
    -------
    list of set
        The members of each role by name, in the order of ``template.roles``. The first is the
        ego alone, whether it is matched or not.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])
    >>> [sorted(members) for members in ego_ae_sets(g, "triangle", "ann")]
    [['ann'], ['bob', 'cat']]
    """
    settings = make_settings(weighting="set", induced=induced, threads=1)
    return [set(members) for members in _members(graph, template, node, settings)]


def ego_role_counts(
    graph: GraphLike, template: str | Template, node: str | int, *, induced: bool = False
) -> list[dict[str | int, int]]:
    """Who plays which role around one node, and in how many instances.

    One row of every role matrix, without computing the others. Matching is non-induced by
    default, and every instance counts once.

    Parameters
    ----------
    graph, template, node, induced
        As for `ego_ae_sets`.

    Returns
    -------
    list of dict
        Count by the member's name for each role, in the order of ``template.roles`` and of the
        graph. The first is the ego alone with count 1, whether it is matched or not.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])
    >>> ego_role_counts(g, "3-path", "ann")
    [{'ann': 1}, {'bob': 1, 'cat': 2}, {'bob': 1, 'cat': 1, 'dan': 1}]
    """
    settings = make_settings(weighting="count", induced=induced, threads=1)
    return _members(graph, template, node, settings)


def _members(
    graph: GraphLike, template: str | Template, node: str | int, settings: MatchSettings
) -> list[dict[str | int, int]]:
    graph = as_graph(graph)
    ego = graph.index_of(node)
    output = enumerate_roles(graph, find_template(template), settings, [ego])
    return [
        {graph.name_of(ego): 1},
        *(
            dict(
                zip(map(graph.name_of, matrix.indices.tolist()), matrix.data.tolist(), strict=True)
            )
            for matrix in output.matrices
        ),
    ]


def count_instances(
    graph: GraphLike,
    templates: str | Template | Iterable[str | Template],
    *,
    induced: bool = False,
    threads: int | None = None,
    time: float | str | None = None,
    as_frame: bool = False,
) -> Any:
    """Count the instances of templates around every ego, without any pair matrix.

    Matching is non-induced by default, and every instance counts once. Templates of up to five
    nodes are not enumerated where the algebra has their counts without a search; induced ones of
    up to five (directed: three) follow from the counts of denser templates, unless a search is
    expected to be quicker (see `profile`).

    Parameters
    ----------
    graph, templates, induced, threads, time
        As for `match`.
    as_frame
        Return a pandas data frame (extra ``arrow``): one row per ego by its own name, one column
        per template.

    Returns
    -------
    numpy.ndarray or pandas.DataFrame
        int64, one row per node and one column per template.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])
    >>> count_instances(g, "edge,triangle").tolist()
    [[2, 1], [2, 1], [3, 1], [1, 0]]
    >>> count_instances(g, "edge,triangle", as_frame=True).loc["cat", "edge"]
    np.int64(3)
    """
    graph = as_graph(graph)
    settings = make_settings(induced=induced, threads=threads, time=time)
    wanted = find_templates(templates)
    counter = TotalCounter(graph, settings)
    columns = [counter.of(template) for template in wanted]
    totals = np.stack(columns, axis=1) if columns else np.zeros((graph.num_nodes, 0), np.int64)
    return totals_frame(graph, wanted, totals) if as_frame else totals
