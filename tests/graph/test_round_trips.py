"""Every conversion, there and back, gives the same graph: structure, names, features, labels."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grape_gnn.errors import GrapeWarning
from grape_gnn.graph import Graph, read_graph
from grape_gnn.graph.columns import make_column

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


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(graphs(), st.booleans())
def test_folder(assert_same, tmp_path, graph, mmap):
    graph.save(tmp_path / "g.grape")
    again = read_graph(tmp_path / "g.grape", mmap=mmap)
    assert_same(graph, again)
    again.save(tmp_path / "g.npz")
    assert_same(graph, read_graph(tmp_path / "g.npz"))


@pytest.mark.parametrize("mmap", [False, True])
def test_columns(tmp_path, mmap):
    columns = [
        make_column("age", [31, None, 45.5]),
        make_column("job", ["cook", None, "clérk"]),
        make_column("vip", ["yes", "no", None]),
        make_column("joined", ["2024-02-29", None, "2023-01-01"]),
    ]
    graph = Graph.from_edges([0, 1], [1, 2], columns=columns)
    graph.save(tmp_path / "g.npz")
    graph.save(tmp_path / "g.grape")
    for again in (
        read_graph(tmp_path / "g.npz", mmap=mmap),
        read_graph(tmp_path / "g.grape", mmap=mmap),
        pickle.loads(pickle.dumps(graph)),
    ):
        for one, other in zip(columns, again.columns, strict=True):
            assert (one.name, one.kind, one.objects()) == (other.name, other.kind, other.objects())
    keys = [column.name for column in columns]
    for again in (
        Graph.from_networkx(graph.to_networkx(), features=keys),
        Graph.from_igraph(graph.to_igraph(), features=keys),
    ):
        assert [c.objects() for c in again.columns] == [c.objects() for c in columns]
    with pytest.warns(GrapeWarning, match="they are left out; make features of them by Node"):
        assert graph.to_pyg().x is None


def test_an_empty_graph_with_columns(tmp_path):
    graph = Graph.from_edges(
        [], [], 0, columns=[make_column("a", []), make_column("b", [], "used")]
    )
    graph.save(tmp_path / "g.npz")
    assert [c.name for c in read_graph(tmp_path / "g.npz").columns] == ["a", "b"]
