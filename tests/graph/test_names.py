"""Finding nodes by name."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn.errors import UnknownNodeError
from grape_gnn.graph import Graph


@pytest.mark.parametrize("name", ["x", 0, None, 1.0])
def test_unknown_text_name(triangle_with_tail, name):
    with pytest.raises(UnknownNodeError) as caught:
        triangle_with_tail.index_of(name)
    assert str(caught.value) == f"no node is called {name!r}; names look like 'a', 'b', 'c'"


def test_names_of_other_types_are_found_as_they_were_given():
    nx = pytest.importorskip("networkx")
    g = Graph.from_networkx(nx.grid_2d_graph(2, 3))
    assert g.name_of(g.index_of((1, 2))) == "(1, 2)"


def test_integer_names():
    g = Graph.from_edges([0, 1], [1, 2], names=[30, 10, 20])
    assert [g.index_of(v) for v in (10, 20, 30, "20", np.int64(30))] == [1, 2, 0, 2, 0]
    assert [g.name_of(i) for i in range(3)] == [30, 10, 20]
    assert type(g.name_of(0)) is int
    for unknown in (0, 15, 99, "x", "010", 10.0, -(10**30)):
        with pytest.raises(UnknownNodeError, match="names look like 30, 10, 20"):
            g.index_of(unknown)


def test_nodes_without_names_are_called_by_number():
    g = Graph.from_edges([0], [1])
    assert g.index_of(1) == g.index_of("1") == g.name_of(1) == 1
    with pytest.raises(UnknownNodeError, match=r"no node is called 2; nodes are numbered 0\.\.1"):
        g.index_of(2)
    with pytest.raises(UnknownNodeError, match="there are no nodes"):
        Graph.from_edges([], []).index_of(0)
