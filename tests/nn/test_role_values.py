"""What the aggregator multiplies by, and that none of it is denser than the graph."""

import pickle

import networkx as nx
import numpy as np
import pytest

from grape_gnn import Graph, match
from grape_gnn.errors import ModelError
from grape_gnn.nn import RoleValues
from grape_gnn.template import all_templates

TREES = [t for size in range(2, 6) for t in all_templates(size) if len(t.edges) == size - 1]


@pytest.mark.parametrize(("nodes", "density"), [(12, 0.2), (60, 0.1), (200, 0.05), (200, 0.3)])
def test_trees_are_never_written_out_denser_than_the_graph(nodes, density):
    graph = Graph.from_networkx(nx.gnp_random_graph(nodes, density, seed=nodes))
    assert len(TREES) > 10
    for template in TREES:
        for structure in RoleValues(match(graph, [template], engine="algebra")).stored:
            assert structure.idx.size <= graph.indices.size


def test_a_far_role_sparser_than_the_graph_is_written_out():
    graph = Graph.from_networkx(nx.gnp_random_graph(100, 0.02, seed=1))
    roles = RoleValues(match(graph, "4-cycle"))
    assert roles.lazy == ()
    assert 0 < roles.stored[1].idx.size < graph.indices.size


@pytest.mark.parametrize("engine", ["algebra", "enumerate"])
@pytest.mark.parametrize("directed", [False, True])
def test_near_sets_are_sets_next_to_the_ego_and_counts_beyond(engine, directed):
    drawn = nx.gnp_random_graph(40, 0.2, seed=3, directed=directed)
    graph = Graph.from_networkx(drawn)
    wanted = ["0>1", "0>1 1>2", "0>1 1>2 0>2"] if directed else "social,4-path"
    counts, sets = (match(graph, wanted, weighting=w).operators() for w in ("count", "set"))
    pairs = [(c, s) for c, s in zip(counts, sets, strict=True) if c.role > 0]
    roles = RoleValues(match(graph, wanted, engine=engine), "near-sets")
    assert roles.near
    assert roles.far
    counted_twice = 0
    for number, (count, once) in enumerate(pairs):
        expected = (once if number in roles.near else count).to_scipy().toarray()
        operator = roles.operators[number]
        assert (operator.to_scipy().toarray() == expected).all()
        assert (np.asarray(operator.T.to_scipy().toarray()) == expected.T).all()
        assert roles.row_sums[number].tolist() == expected.sum(axis=1).tolist()
        counted_twice += int((count.to_scipy().toarray() != expected).sum())
    assert counted_twice > 0


def test_near_sets_travel_to_other_processes():
    graph = Graph.from_networkx(nx.gnp_random_graph(30, 0.3, seed=4))
    roles = RoleValues(match(graph, "triangle,3-path"), "near-sets")
    again = pickle.loads(pickle.dumps(roles))
    assert again.row_sums.tolist() == roles.row_sums.tolist()


def test_unknown_values():
    with pytest.raises(ModelError, match="unknown values 'once': choose one of matched, near-sets"):
        RoleValues(match(Graph.from_edges([0], [1]), "edge"), "once")
