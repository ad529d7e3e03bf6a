"""Graphs from networkx: names, attributes, multigraphs."""

from __future__ import annotations

import networkx as nx
import pytest

from grape_gnn.errors import GrapeWarning, GraphError
from grape_gnn.graph import Graph


def test_names_direction_and_order_are_kept():
    source = nx.DiGraph([("b", "a"), ("a", "c")])
    g = Graph.from_networkx(source)
    assert g.names == ("b", "a", "c")
    assert g.directed
    assert g.edge_array().tolist() == [[0, 1], [1, 2]]


def test_parallel_edges_of_a_multigraph_are_repeats():
    with pytest.warns(GrapeWarning, match="dropped 1 self-loop and 1 repeated edge"):
        g = Graph.from_networkx(nx.MultiGraph([(0, 1), (0, 1), (1, 1)]))
    assert g.num_edges == 1


def test_chosen_attributes():
    source = nx.path_graph(3)
    nx.set_node_attributes(source, {0: "x", 2: "y"}, "team")
    nx.set_node_attributes(source, {0: 1.5, 1: 2, 2: 3}, "age")
    nx.set_node_attributes(source, {i: [i, i] for i in range(3)}, "place")
    g = Graph.from_networkx(source, label="team", features=["age", "place"])
    assert g.y.tolist() == [0, -1, 1]
    assert g.x.tolist() == [[1.5, 0, 0], [2, 1, 1], [3, 2, 2]]


def test_attributes_that_are_not_there():
    source = nx.path_graph(2)
    source.nodes[0]["age"] = 3
    with pytest.raises(GraphError, match=r"no node has the attribute 'team'; .* \['age'\]"):
        Graph.from_networkx(source, label="team")
    with pytest.raises(GraphError, match=r"no node has the attribute 'team'; .* \['age'\]"):
        Graph.from_networkx(source, features=["age", "team"])
    assert not Graph.from_networkx(source).has_features
    source.nodes[0]["features"] = [1, 2]
    with pytest.raises(GraphError, match="node number 1 has no attribute 'features'"):
        Graph.from_networkx(source)
    source.nodes[1]["features"] = "old"
    with pytest.raises(GraphError, match="node attribute 'features' is not a number"):
        Graph.from_networkx(source)


def test_attributes_are_columns_and_come_back():
    source = nx.path_graph(3)
    nx.set_node_attributes(source, {0: 31, 2: 45}, "age")
    nx.set_node_attributes(source, {0: "cook", 1: "clerk"}, "job")
    nx.set_node_attributes(source, dict.fromkeys(range(3), "2024-02-29"), "joined")
    g = Graph.from_networkx(source, features=["age", "job", "joined"])
    assert [(c.name, c.kind) for c in g.columns] == [
        ("age", "number"), ("job", "category"), ("joined", "date"),
    ]  # fmt: skip
    assert dict(g.to_networkx().nodes(data=True)) == dict(source.nodes(data=True))


def test_names_that_are_neither_integers_nor_texts_become_texts():
    assert Graph.from_networkx(nx.grid_2d_graph(1, 2)).names == ("(0, 0)", "(0, 1)")


def test_something_else_is_refused():
    with pytest.raises(GraphError, match="expected a networkx graph, got list"):
        Graph.from_networkx([(0, 1)])
