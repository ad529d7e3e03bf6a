"""Every conversion, there and back, gives the same graph: structure, names, features, labels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grape_gnn.graph import Graph, read_graph

pytest.importorskip("igraph")
pytest.importorskip("torch_geometric")

NAMES = {
    "none": lambda n: None,
    "integers": lambda n: [3 * i + 7 for i in reversed(range(n))],
    "texts": lambda n: [f'nöde {i}, "{"x" * i}"' for i in range(n)],
}
LABELS = {
    "none": st.none(),
    "years": st.sampled_from([2004, 2005, 2007, None]),
    "texts": st.sampled_from(["β", "a", None]),
}


@st.composite
def graphs(draw, features=True):
    n = draw(st.integers(0, 6))
    directed = draw(st.booleans())
    pairs = [(u, v) for u in range(n) for v in range(n) if u < v or (directed and u != v)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    kind = draw(st.sampled_from(sorted(LABELS)))
    y = None if kind == "none" else draw(st.lists(LABELS[kind], min_size=n, max_size=n))
    with_x = features and n > 0 and draw(st.booleans())
    return Graph.from_edges(
        [u for u, _ in edges],
        [v for _, v in edges],
        n,
        directed,
        x=np.arange(2.0 * n).reshape(n, 2) / 3 if with_x else None,
        y=y if y is None or any(v is not None for v in y) else None,
        names=NAMES[draw(st.sampled_from(sorted(NAMES)))](n),
    )


@given(graphs())
def test_networkx(assert_same, graph):
    assert_same(graph, Graph.from_networkx(graph.to_networkx()))


@given(graphs())
def test_igraph(assert_same, graph):
    assert_same(graph, Graph.from_igraph(graph.to_igraph()))


@given(graphs())
def test_pyg(assert_same, graph):
    assert_same(graph, Graph.from_pyg(graph.to_pyg(), directed=graph.directed))


@given(graphs())
def test_scipy(assert_same, graph):
    again = Graph.from_scipy(
        graph.to_scipy(),
        directed=graph.directed,
        x=graph.x,
        y=graph.y,
        label_names=graph.label_names,
        names=graph.names,
    )
    assert_same(graph, again)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(graphs(), st.booleans())
def test_npz(assert_same, tmp_path, graph, mmap):
    graph.save(tmp_path / "g.npz")
    assert_same(graph, read_graph(tmp_path / "g.npz", mmap=mmap))
