"""What the aggregator multiplies by, and that none of it is denser than the graph."""

import networkx as nx
import numpy as np
import pytest
import torch

from grape_gnn import Graph, match
from grape_gnn.errors import ModelError
from grape_gnn.nn import RoleValues
from grape_gnn.nn.role_rows import RowSource
from grape_gnn.roles.algebra.expression import Adjacency
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
def test_means_over_members_and_the_log_of_their_number(engine, directed):
    drawn = nx.gnp_random_graph(40, 0.1, seed=3, directed=directed)
    graph = Graph.from_networkx(drawn)
    wanted = ["0>1", "0>1 1>2", "0>1 1>2 0>2"] if directed else "social,4-path"
    roles = RoleValues(match(graph, wanted, engine=engine))
    assert roles.near
    assert roles.far
    h = torch.randn(40, 3, dtype=torch.float64)
    means, logs = roles.means(h), roles.log_totals(h)
    empty = 0
    for number, operator in enumerate(roles.operators):
        counts = operator.to_scipy().toarray()
        for v in range(40):
            total = counts[v].sum()
            mean = counts[v] @ h.numpy() / total if total else np.zeros(3)
            np.testing.assert_allclose(means[v, number], mean, atol=1e-12)
            assert logs[v, number].item() == pytest.approx(np.log1p(total), abs=1e-12)
            empty += total == 0
    assert empty > 0


def test_unknown_values():
    with pytest.raises(ModelError, match="unknown values 'once': choose one of matched, half-sums"):
        RoleValues(match(Graph.from_edges([0], [1]), "edge"), "once")


def test_values_are_single_where_that_is_exact_and_rows_are_the_graphs_own():
    graph = Graph.from_networkx(nx.gnp_random_graph(60, 0.2, seed=2))
    (near,) = RoleValues(match(graph, "edge,triangle")).stored
    assert {each.dtype for each in near.values} == {np.dtype(np.float32)}
    assert near.idx is graph.indices
    directed = Graph.from_networkx(nx.gnp_random_graph(60, 0.2, seed=2, directed=True))
    assert RoleValues(match(directed, "0>1")).stored[0].values[0].dtype == np.float32


def test_values_beyond_single_precision_stay_exact():
    star = Graph.from_edges([0] * 600, range(1, 601))
    (near,) = RoleValues(match(star, "5-star")).stored
    # Around the centre every leaf is in 599 * 598 * 597 / 6 stars of four.
    assert near.values[0].dtype == np.float64
    assert near.values[0].max() == 599 * 598 * 597 // 6
    half = RoleValues(match(star, "edge"), "half-sums").stored[0]
    assert half.values[0].dtype == np.float64


def test_what_only_the_preparation_needed_is_let_go():
    graph = Graph.from_networkx(nx.gnp_random_graph(300, 0.1, seed=1))
    roles = RoleValues(match(graph, "social", engine="algebra"))
    h = torch.randn(300, 4)
    by_means = torch.ones_like(roles.means(h))
    roles.means_backward(h, by_means)
    roles.log_totals(h)
    evaluators = {id(op.evaluator): op.evaluator for op in roles.operators}
    assert len(evaluators) == 1
    for evaluator in evaluators.values():
        assert evaluator.stored_bytes < 8 * graph.indices.size  # vectors over the nodes at most
        assert "origin" not in vars(evaluator.matrix(Adjacency("out")).pattern)


@pytest.mark.parametrize(
    ("templates", "expected"),
    [
        ("triangle,edge", [2, 2, 3, 1]),
        ("triangle", [2, 2, 2, 0]),  # nobody asked for the edges: twice the triangles
        (["0>1", "0<1"], [2, 2, 3, 1]),
    ],
)
def test_degrees_are_members_on_edges(templates, expected):
    directed = isinstance(templates, list)
    graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], directed=directed)
    roles = RoleValues(match(graph, templates))
    assert roles.degrees.tolist() == expected
    damping = roles.damping(torch.zeros(1, dtype=torch.float64))
    np.testing.assert_allclose(damping[:, 0], 1 / np.sqrt(1 + np.array(expected)))
    rows = RowSource(roles).rows(np.array([3]))
    assert rows.degrees.tolist() == [expected[node] for node in rows.nodes]
