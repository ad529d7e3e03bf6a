"""Counts at given pairs: those of the matrix, without it; they never see the pair's own edge."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from grape_gnn.errors import CountOverflowError, GraphError, UnknownNodeError
from grape_gnn.graph import Graph
from grape_gnn.roles import ENGINES, match
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates
from grape_gnn.testing import FAMILIES, gnp, random_graph, star

PATHS = [Template(" ".join(f"{i}-{i + 1}" for i in range(n - 1))) for n in range(5, 8)]
DIRECTED = [Template(t) for t in ("0>1 1>2", "0>1 2>1 2>3", "0>1 1>2 2>3 3>0", "0<>1 1>2 0>3 3>2")]
LABELLED = [Template(t, labels={2: 1}) for t in ("0-1 1-2 2-3", "0-1 0-2 1-3 2-3")]


def check(graph, wanted, engine="algebra", pairs=150):
    """All roles at random pairs, some of them twice, and turned round."""
    rng = np.random.default_rng(graph.num_nodes)
    places = rng.integers(0, graph.num_nodes, (pairs, 2))
    for roles in match(graph, wanted, engine=engine):
        for role in roles:
            matrix = role.to_scipy().toarray()
            np.testing.assert_array_equal(role.at(places), matrix[places[:, 0], places[:, 1]])
            np.testing.assert_array_equal(role.T.at(places), matrix[places[:, 1], places[:, 0]])


@pytest.mark.parametrize("seed", range(4))
def test_every_small_template_and_long_paths(seed):
    graph = gnp(6 + 4 * seed, [0.1, 0.3, 0.6][seed % 3], seed)
    check(graph, [*templates("all-5" if seed == 2 else "all-4"), *PATHS])


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine(engine):
    check(gnp(14, 0.3, seed=3), "all-4", engine)


@pytest.mark.parametrize("seed", range(4))
def test_directed_graphs(seed):
    check(gnp(16, 0.25, seed, directed=True), DIRECTED)


def test_labelled_templates():
    check(gnp(20, 0.3, seed=5, labels=2), LABELLED)


def test_stored_roles_are_searched():
    roles = match(gnp(20, 0.2, seed=1), "4-path", engine="enumerate", weighting="set")[0]
    assert roles[3].is_stored
    assert set(roles[3].at([(a, b) for a in range(20) for b in range(20)]).tolist()) == {0, 1}


def test_leaves_of_a_great_star():
    """C(4998, 5) lies between 2^53 and 2^63: integers take over from doubles."""
    seven = Template("0-1 1-2 1-3 1-4 1-5 1-6 1-7")
    leaves = match(star(5000), [seven], engine="algebra")[0][2]
    assert leaves.at([(1, 2), (1, 0), (3, 3)]).tolist() == [comb(4998, 5), 0, 0]


def test_counts_beyond_64_bits_are_refused():
    leaves = match(star(60_000), [Template("0-1 1-2 1-3 1-4 1-5 1-6 1-7")], engine="algebra")[0][2]
    with pytest.raises(CountOverflowError, match=r"role 2 .* does not fit into 64 bits"):
        leaves.at([(1, 2)])


def test_pairs_by_name_and_bad_pairs():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], names=["ann", "bob", "cat", "dan"])
    end = match(graph, "3-path", engine="algebra")[0][2]
    assert end.at([("ann", "cat"), ("cat", "ann"), ("ann", "dan")]).tolist() == [1, 1, 0]
    assert end.at([]).tolist() == []
    with pytest.raises(UnknownNodeError, match="no node is called 'eve'"):
        end.at([("ann", "eve")])
    with pytest.raises(GraphError, match=r"\('ann', 'bob', 'cat'\) is not a pair"):
        end.at([("ann", "bob", "cat")])
    with pytest.raises(GraphError, match="'ann' is not a pair"):
        end.at(["ann"])
    numbered = match(gnp(5, 0.5, seed=0), "3-path", engine="algebra")[0][2]
    for outside in ((0, 5), (-1, 2)):
        with pytest.raises(UnknownNodeError, match=r"nodes are numbered 0\.\.4"):
            numbered.at(np.array([outside]))
    with pytest.raises(GraphError, match="an array with two columns"):
        numbered.at(np.array([1, 2, 3]))
    with pytest.raises(UnknownNodeError, match=r"no node is called 1\.5"):
        numbered.at(np.array([[1.5, 2.0]]))


# ------------------------------------------------------- the edge between the two nodes

WANTED = [*templates("all-4"), *PATHS]


def far_counts(graph, pairs):
    """Return the counts of all roles that their template does not join to the anchor."""
    far = [role for role in match(graph, WANTED, engine="algebra").operators() if role.is_far]
    return far, far[0].counts_at_group(far, *np.array(pairs).T)


def without(graph, a, b):
    edges = np.array([(u, v) for u, v in graph.edge_array().tolist() if {u, v} != {a, b}])
    return Graph.from_edges(*edges.reshape(-1, 2).T, num_nodes=graph.num_nodes)


@pytest.mark.parametrize("seed", range(20))
def test_a_far_role_never_sees_the_edge_between_the_two(seed):
    """Deleting an edge changes no count: 4 edges of 20 graphs, 23 roles, both ways."""
    graph = random_graph(sorted(FAMILIES)[seed % len(FAMILIES)], 6 + seed, seed)
    for a, b in np.random.default_rng(seed).permutation(graph.edge_array())[:4].tolist():
        both_ways = [(a, b), (b, a)]
        far, before = far_counts(graph, both_ways)
        _, after = far_counts(without(graph, a, b), both_ways)
        for role, one, other in zip(far, before, after, strict=True):
            assert one.tolist() == other.tolist(), (seed, (a, b), role)


def test_a_near_role_does_see_it():
    graph = gnp(12, 0.5, seed=2)
    (a, b), *_ = graph.edge_array().tolist()
    seen = [match(g, "triangle")[0][1].at([(a, b)])[0] for g in (graph, without(graph, a, b))]
    assert seen[0] > 0
    assert seen[1] == 0
