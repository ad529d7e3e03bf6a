"""Training holds no matrix denser than the graph it trains on."""

import networkx as nx
import pytest

from grape_gnn import Graph, match
from grape_gnn.nn import RoleValues
from grape_gnn.template import all_templates

TREES = [t for size in range(2, 6) for t in all_templates(size) if len(t.edges) == size - 1]


@pytest.mark.parametrize(("nodes", "density"), [(12, 0.2), (60, 0.1), (200, 0.05), (200, 0.3)])
def test_trees_are_never_written_out_denser_than_the_graph(nodes, density):
    graph = Graph.from_networkx(nx.gnp_random_graph(nodes, density, seed=nodes))
    assert len(TREES) > 10
    for template in TREES:
        for structure in RoleValues(match(graph, [template])).parts.stored:
            assert structure.idx.size <= graph.indices.size


def test_a_far_role_sparser_than_the_graph_is_written_out():
    graph = Graph.from_networkx(nx.gnp_random_graph(100, 0.02, seed=1))
    parts = RoleValues(match(graph, "4-cycle")).parts
    assert parts.operators == ()
    assert 0 < parts.stored[1].idx.size < graph.indices.size
