"""Every function that takes a graph takes what other libraries call one."""

from __future__ import annotations

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch
from scipy.sparse import csr_array
from torch_geometric.data import Data, HeteroData

import grape_gnn as grape
from grape_gnn.errors import GrapeError, GraphError
from grape_gnn.graph import Graph, as_graph

PAIRS = [(0, 1), (1, 2), (2, 0), (2, 3)]
U, V = zip(*PAIRS, strict=True)
GRAPH = Graph.from_edges(U, V)
MATRIX = csr_array((np.ones(4), (U, V)), shape=(4, 4))
KINDS = {
    "networkx": nx.Graph(PAIRS),
    "igraph": igraph.Graph(PAIRS),
    "scipy": MATRIX + MATRIX.T,
    "pyg": Data(edge_index=torch.tensor([U + V, V + U]), num_nodes=4),
    "pandas": pd.DataFrame({"source": U, "target": V}),
    "polars": pl.DataFrame({"from": U, "to": V}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_matching(kind):
    given = KINDS[kind]
    assert as_graph(given).edge_array().tolist() == GRAPH.edge_array().tolist()
    roles = grape.match(given, "triangle")
    assert roles[0].totals.tolist() == [1, 1, 1, 0]
    assert grape.ego_ae_sets(given, "triangle", 0) == [{0}, {1, 2}]
    assert grape.count_instances(given, "edge").ravel().tolist() == [2, 2, 3, 1]
    assert len(list(grape.instances(given, "triangle"))) == 3
    assert grape.ego_role_counts(given, "edge", 3) == [{3: 1}, {2: 1}]
    assert "triangle" in str(grape.explain_plan(given, "triangle"))
    assert grape.automorphism_orbits(given).tolist() == [0, 0, 1, 2]


def test_a_graph_is_returned_as_it_is():
    assert as_graph(GRAPH) is GRAPH


def test_training_and_predicting():
    ring = nx.cycle_graph(30)
    nx.set_node_attributes(ring, {i: "odd" if i % 2 else "even" for i in ring}, "label")
    model = grape.GrapeClassifier("edge", epochs=2).fit(ring)
    wanted = model.predict(Graph.from_networkx(ring))
    edges = list(ring.edges)
    u, v = (list(ends) for ends in zip(*edges, strict=True))
    matrix = csr_array((np.ones(30), (u, v)), shape=(30, 30))
    for other in (ring, igraph.Graph(edges), matrix + matrix.T, pd.DataFrame({"u": u, "v": v})):
        assert model.predict(other).tolist() == wanted.tolist()
    with pytest.raises(GrapeError, match="no labels to learn from"):
        grape.GrapeClassifier("edge", epochs=2).fit(igraph.Graph(edges))


class Foreign:
    """A graph of a library that nobody knows."""


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (Foreign(), r"got .*test_accept\.Foreign: give a Graph, a networkx or igraph graph, a Sci"),
        (None, r"expected a graph, got NoneType"),
        ("friends.csv", "the text 'friends.csv': read a file with read_graph"),
        (np.eye(3), r"expected a graph, got numpy\.ndarray: .* a SciPy sparse matrix"),
        (nx.Graph, r"got the class networkx\..*Graph: give one of its graphs"),
        (HeteroData(), r"turn HeteroData into Data with \.to_homogeneous"),
    ],
)
def test_anything_else_is_one_clear_line(given, message):
    model = grape.GrapeClassifier("edge", epochs=2)
    model.fit(Graph.from_edges(range(9), range(1, 10), y=[0, 1] * 5))
    for call in (model.predict, model.fit, lambda g: grape.match(g, "edge")):
        with pytest.raises(GraphError, match=message):
            call(given)
