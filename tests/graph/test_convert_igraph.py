"""Graphs from igraph."""

from __future__ import annotations

import sys

import pytest

from grape_gnn.errors import GrapeWarning, GraphError, MissingExtraError
from grape_gnn.graph import Graph

igraph = pytest.importorskip("igraph")


def test_zachary_has_its_published_size():
    g = Graph.from_igraph(igraph.Graph.Famous("Zachary"))
    assert (g.num_nodes, g.num_edges, g.names) == (34, 78, None)


def test_repeats_and_loops():
    with pytest.warns(GrapeWarning, match="dropped 1 self-loop and 1 repeated edge"):
        Graph.from_igraph(igraph.Graph([(0, 1), (1, 0), (1, 1)]))


def test_something_else_is_refused():
    with pytest.raises(GraphError, match="expected an igraph graph, got int"):
        Graph.from_igraph(3)


def test_without_igraph_the_extra_is_named(monkeypatch, triangle_with_tail):
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'grape-gnn\[igraph\]'"):
        triangle_with_tail.to_igraph()
