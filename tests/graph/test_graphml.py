"""GraphML files."""

from __future__ import annotations

import gzip

import networkx as nx
import pytest

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.graph import Graph, read_graph


@pytest.fixture
def club(tmp_path):
    """Give the path of Zachary's karate club as GraphML."""
    path = tmp_path / "club.graphml"
    graph = nx.karate_club_graph()
    nx.set_node_attributes(graph, {i: i / 2 for i in graph}, "half")
    nx.write_graphml(graph, path)
    return path


def test_structure_label_and_features(club):
    g = read_graph(club, label="club", features=["half"])
    assert (g.num_nodes, g.num_edges, g.directed, g.names) == (34, 78, False, None)
    assert g.label_names == ("Mr. Hi", "Officer")
    assert g.columns[0].values.tolist() == [i / 2 for i in range(34)]
    plain = read_graph(club)
    assert plain.y is None
    assert not plain.has_features
    assert plain.edge_array().tolist() == [list(e) for e in sorted(nx.karate_club_graph().edges)]


def test_gzip(club, tmp_path):
    packed = tmp_path / "packed.graphml.gz"
    packed.write_bytes(gzip.compress(club.read_bytes()))
    assert read_graph(packed).num_edges == 78


def test_direction_as_the_file_says_or_as_asked(tmp_path):
    path = tmp_path / "d.graphml"
    nx.write_graphml(nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c")]), path)
    assert read_graph(path).num_edges == 3
    assert read_graph(path).names == ("a", "b", "c")
    assert read_graph(path, directed=False).num_edges == 2
    nx.write_graphml(nx.path_graph(3), path)
    assert read_graph(path, directed=True).num_edges == 4


def test_unknown_attribute(club):
    with pytest.raises(GraphError, match=r"no node has the attribute 'shoe'; .*'club', 'half'"):
        read_graph(club, label="shoe")


@pytest.mark.parametrize("content", [b"", b"no xml", b"<graphml>", b"<graphml></graphml>"])
def test_broken_files(tmp_path, content):
    path = tmp_path / "broken.graphml"
    path.write_bytes(content)
    with pytest.raises(GraphFileError, match=r"broken\.graphml: is not a readable GraphML file"):
        read_graph(path)


def test_truncated_file(club):
    club.write_bytes(club.read_bytes()[:3000])
    with pytest.raises(GraphFileError, match="is not a readable GraphML file"):
        read_graph(club)


def test_our_own_names_survive(tmp_path, assert_same):
    graph = Graph.from_edges([0, 1], [1, 2], directed=True, y=[7, None, 9], names=[5, 3, 4])
    nx.write_graphml(graph.to_networkx(), tmp_path / "own.graphml")
    assert_same(graph, read_graph(tmp_path / "own.graphml", label="label"))


GRAPHML = (
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    '<graph edgedefault="{}">{}</graph></graphml>'
)


@pytest.mark.parametrize(
    ("elements", "reason"),
    [
        ('<node id="a"/><node id="b"/><edge target="b"/>', "edge 1 has no source"),
        ('<node id="a"/><node id="b"/><edge source="b"/>', "edge 1 has no target"),
        ('<node id="a"/><edge source="a" target="x"/>', "edge 1 ends at 'x', which is no node"),
        ('<node id="a"/><node id="b"/><node id="a"/>', "the id 'a' stands at two nodes"),
        ('<node id="a"/><node/>', "node 2 has no id"),
    ],
)
def test_nodes_and_edges_that_do_not_fit(tmp_path, elements, reason):
    for direction in ("directed", "undirected"):
        path = tmp_path / "g.graphml"
        path.write_text(GRAPHML.format(direction, elements))
        with pytest.raises(GraphFileError, match=rf"g\.graphml: .*{reason}"):
            read_graph(path)


def test_edges_may_stand_before_their_nodes(tmp_path):
    path = tmp_path / "g.graphml"
    elements = '<edge source="a" target="b"/><node id="a"/><node id="b"/>'
    path.write_text(GRAPHML.format("directed", elements))
    assert read_graph(path).names == ("a", "b")
