"""Chains of mutations (Proposition 1): whatever the path, the same as a fresh match."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn.graph import Graph
from grape_gnn.roles import ENGINES, match
from grape_gnn.template import Template
from grape_gnn.testing import Case, disagreement, gnp, mutation_chain, random_graph


def dense(graph: Graph, template: Template, engine: str, **options: object) -> list[np.ndarray]:
    roles = match(graph, [template], engine=engine, **options)[0]
    return [role.to_scipy().toarray() for role in roles]


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("seed", range(25))
def test_chain_equals_brute_force(seed, directed):
    graph = random_graph(["sparse", "dense", "hubs"][seed % 3], 8, seed, directed)
    chain = mutation_chain(7, seed, directed, max_nodes=5)
    for weighting in ("count", "set"):
        for template in chain:
            assert disagreement(Case(graph, template, "incremental", weighting)) is None


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("seed", range(6))
def test_long_chain_equals_fresh_enumeration(seed, directed):
    """Up to eight nodes, beyond the reach of brute force."""
    graph = random_graph("sparse", 14, seed, directed)
    for template in mutation_chain(12, seed, directed):
        fresh = dense(graph, template, "enumerate")
        for j, role in enumerate(dense(graph, template, "incremental")):
            np.testing.assert_array_equal(role, fresh[j], err_msg=f"{template}, role {j}")


@pytest.mark.parametrize("seed", range(5))
def test_whole_chain_in_one_call(seed):
    graph = gnp(20, 0.3, seed)
    chain = mutation_chain(6, seed, max_nodes=5)
    together = match(graph, chain, engine="incremental")
    for template, roles in zip(chain, together, strict=True):
        for ours, fresh in zip(roles, dense(graph, template, "enumerate"), strict=True):
            np.testing.assert_array_equal(ours.to_scipy().toarray(), fresh)


@pytest.mark.parametrize("seed", range(5))
def test_result_does_not_depend_on_the_path(seed):
    """The square with a chord, reached by its node or by its edge last."""
    graph = gnp(15, 0.4, seed)
    by_edge = ["0-1", "0-1 0-2", "0-1 0-2 1-3", "0-1 0-2 1-3 2-3", "0-1 0-2 1-2 1-3 2-3"]
    by_node = ["0-1", "0-1 0-2", "0-1 0-2 1-2", "0-1 0-2 1-2 1-3", "0-1 0-2 1-2 1-3 2-3"]
    last = [
        match(graph, [Template(text) for text in path], engine="incremental")[-1]
        for path in (by_edge, by_node)
    ]
    for one, other in zip(*last, strict=True):
        np.testing.assert_array_equal(one.to_scipy().toarray(), other.to_scipy().toarray())


@pytest.mark.parametrize("engine", ENGINES)
def test_a_parent_without_instances_gives_children_without_instances(engine):
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3])  # a path has no triangle
    chain = [Template("0-1 0-2 1-2"), Template("0-1 0-2 1-2 0-3"), Template("0-1 0-2 1-2 0-3 1-3")]
    for roles in match(graph, chain, engine=engine):
        assert not np.asarray(roles.totals).any()
        np.testing.assert_array_equal(roles[0].to_scipy().toarray(), np.eye(4))
        assert all(role.nnz == 0 for role in list(roles)[1:])
