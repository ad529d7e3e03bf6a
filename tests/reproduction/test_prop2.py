"""The pairs of Proposition 2 are what they claim to be."""

from __future__ import annotations

import networkx as nx
import pytest

from grape_gnn import Graph, ego_role_counts
from grape_gnn.template.zoo import template
from reproduction.profiles import PROFILES
from reproduction.prop2 import PAIRS, PROP_2, colour_refinement, pair_graph


def halves(pair):
    graph, other = pair_graph(pair)
    nodes = graph.to_networkx()
    return nodes.subgraph(range(other)), nodes.subgraph(range(other, graph.num_nodes)), other


@pytest.mark.parametrize("pair", PAIRS)
def test_colour_refinement_sees_no_difference_but_the_roles_do(pair):
    graph, other = pair_graph(pair)
    colours, _ = colour_refinement(graph)
    assert colours[0] == colours[other]
    assert sorted(colours[:other]) == sorted(colours[other:])
    chosen = template(PAIRS[pair][1])
    counts = [
        sum(map(sum, map(dict.values, ego_role_counts(graph, chosen, v)))) for v in (0, other)
    ]
    assert counts[0] != counts[1]


@pytest.mark.parametrize("pair", PAIRS)
def test_the_two_are_not_isomorphic(pair):
    first, second, _ = halves(pair)
    assert not nx.is_isomorphic(first, second)


def test_the_last_pair_is_strongly_regular():
    first, second, _ = halves("rook")
    assert nx.is_strongly_regular(first)
    assert nx.is_strongly_regular(second)
    assert {d for _, d in first.degree} == {d for _, d in second.degree} == {6}


def test_colour_refinement_tells_unlike_nodes_apart():
    star = Graph.from_edges([0, 0, 0, 3], [1, 2, 3, 4])
    colours, rounds = colour_refinement(star)
    assert colours[1] == colours[2]
    assert len(set(colours)) == 4
    assert rounds >= 1


def test_message_passing_fails_and_grape_does_not(tmp_path):
    pytest.importorskip("torch_geometric")
    result = PROP_2.run({"pair": "hexagon"}, PROFILES["quick"], tmp_path)
    assert result["same_colour"]
    assert result["role_members"] == [[1, 0], [1, 2]]
    for name in ("gcn", "sage", "gin", "gat", "mixhop"):
        assert max(result["distances"][name].values()) < 1e-5
    assert min(result["distances"]["grape"].values()) > 1e-2
