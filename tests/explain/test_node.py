"""One node's Ego-AE sets: the counts of the matcher, the labels of the graph."""

from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.errors import ModelError, UnknownNodeError
from grape_gnn.explain import describe_node


@pytest.fixture(scope="module")
def graph():
    return grape.datasets.load("social-like", num_nodes=120)


@pytest.mark.parametrize("engine", ["auto", "algebra", "enumerate"])
def test_members_and_counts_are_those_of_the_matcher(graph, engine):
    found = describe_node(grape.match(graph, "social", engine=engine), 7, members=10**6)
    assert [(s.template.name, s.role) for s in found.sets] == [
        (t.name, role) for t in grape.templates("social") for role in range(1, t.num_roles)
    ]
    for entry in found.sets:
        wanted = grape.ego_role_counts(graph, entry.template, 7)[entry.role]
        assert {m.name: m.count for m in entry.members} == wanted
        assert entry.more == 0
        size = len(entry.template.roles[entry.role])
        assert entry.instances == sum(wanted.values()) // size


def test_two_hops_are_those_of_networkx(graph):
    found = describe_node(grape.match(graph, "edge"), 3)
    away = nx.single_source_shortest_path_length(graph.to_networkx(), 3, cutoff=2)
    labels = [graph.y[v] for v, steps in away.items() if steps > 0]
    assert found.two_hop.nodes == len(labels)
    known = Counter(graph.label_names[code] for code in labels if code >= 0)
    assert dict(found.two_hop.shares) == pytest.approx(
        {label: count / known.total() for label, count in known.items()}
    )
    assert found.one_hop.nodes == graph.degrees[3]


def test_shares_count_members_once_or_as_often_as_they_play():
    y = ["red", "red", "blue", "blue", None]
    graph = grape.Graph.from_edges([0, 0, 1, 1, 1], [1, 2, 2, 3, 4], y=y)
    middle = describe_node(grape.match(graph, "3-path"), 0).sets[0]
    assert [(m.name, m.label, m.count) for m in middle.members] == [(1, "red", 3), (2, "blue", 1)]
    assert dict(middle.labels.shares) == {"red": 0.5, "blue": 0.5}
    assert dict(middle.weighted.shares) == {"red": 0.75, "blue": 0.25}
    end = describe_node(grape.match(graph, "3-path"), 0).sets[1]
    assert (end.labels.nodes, end.labels.labelled) == (4, 3)
    assert [m.label for m in end.members if m.name == 4] == [None]
    shares = dict(end.labels.shares)
    assert shares["blue"] == pytest.approx(2 / 3)
    assert "green" not in shares


def test_long_sets_are_cut():
    star = grape.Graph.from_edges(np.zeros(50, int), np.arange(1, 51))
    entry = describe_node(grape.match(star, "edge"), 0, members=3).sets[0]
    assert (len(entry.members), entry.more, entry.labels.nodes) == (3, 47, 50)


def test_hops_ignore_directions():
    graph = grape.Graph.from_edges([0, 2], [1, 1], directed=True, names=["a", "b", "c"])
    found = describe_node(grape.match(graph, ["from"]), "a")
    assert (found.one_hop.nodes, found.two_hop.nodes) == (1, 2)


def test_a_lonely_node():
    graph = grape.Graph.from_edges([0], [1], 3, y=["x", "y", "x"])
    found = describe_node(grape.match(graph, "triangle"), 2)
    assert found.two_hop.nodes == 0
    assert found.sets[0].members == ()
    assert found.to_json()["sets"][0]["labels"] == {"nodes": 0, "labelled": 0, "shares": ()}


def test_a_graph_without_labels():
    found = describe_node(grape.match(grape.Graph.from_edges([0], [1]), "edge"), 0)
    assert found.label is None
    assert found.sets[0].labels.shares == ()


def test_unknown_nodes_and_sets_without_counts_are_refused(graph):
    with pytest.raises(UnknownNodeError, match="no node is called 'nobody'"):
        describe_node(grape.match(graph, "edge"), "nobody")
    with pytest.raises(ModelError, match="match with weighting='count'"):
        describe_node(grape.match(graph, "edge", weighting="set"), 0)
