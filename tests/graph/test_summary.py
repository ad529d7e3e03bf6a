"""Summaries, checked against networkx."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest

from grape_gnn.graph import Graph, read_graph, summarise


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("directed", [False, True])
def test_against_networkx(seed, directed):
    source = nx.gnp_random_graph(40, 0.08, seed=seed, directed=directed)
    s = summarise(Graph.from_networkx(source))
    degrees = [d for _, d in (source.out_degree() if directed else source.degree())]
    flat = source.to_undirected()
    parts = list(nx.connected_components(flat))
    assert (s.nodes, s.edges, s.directed) == (40, source.number_of_edges(), directed)
    assert s.density == pytest.approx(nx.density(source))
    assert (s.degree_min, s.degree_max) == (min(degrees), max(degrees))
    assert s.degree_mean == pytest.approx(np.mean(degrees))
    assert s.degree_median == np.median(degrees)
    assert s.isolated == nx.number_of_isolates(source)
    assert (s.components, s.largest_component) == (len(parts), max(map(len, parts)))
    assert s.triangles == sum(nx.triangles(flat).values()) // 3


@pytest.mark.parametrize("graph", [nx.complete_graph(30), nx.star_graph(50), nx.wheel_graph(9)])
def test_triangles_of_known_graphs(graph):
    expected = sum(nx.triangles(graph).values()) // 3
    assert summarise(Graph.from_networkx(graph)).triangles == expected


def test_labels_and_features(triangle_with_tail):
    s = summarise(triangle_with_tail)
    assert s.labels.classes == 2
    assert s.labels.missing == 2
    assert s.labels.largest == (("red", 2), ("blue", 1))
    assert s.features.width == 2
    assert s.features.density == pytest.approx(0.9)
    assert s.features.zero_rows == 0


def test_the_empty_graph():
    s = summarise(Graph.from_edges([], []))
    assert (s.nodes, s.edges, s.density, s.components, s.triangles) == (0, 0, 0.0, 0, 0)
    assert summarise(Graph.from_edges([], [], num_nodes=1)).components == 1


def test_json(triangle_with_tail):
    record = json.loads(json.dumps(summarise(triangle_with_tail).to_dict()))
    assert record["labels"]["largest"] == [["red", 2], ["blue", 1]]
    assert record["triangles"] == 1


def test_amherst_has_its_published_triangles(shared_data):
    s = summarise(read_graph(shared_data / "facebook100" / "Amherst41.mat"))
    assert (s.nodes, s.edges, s.triangles, s.labels.missing) == (2235, 90954, 916265, 214)
