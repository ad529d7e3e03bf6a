"""Types of nodes and edges: given, kept by every copy, file and part of a graph."""

from __future__ import annotations

import pickle
from dataclasses import replace

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from grape_gnn import read_graph
from grape_gnn.errors import GrapeError, GrapeWarning, GraphError
from grape_gnn.files.array_file import read_arrays, write_arrays
from grape_gnn.graph import Graph
from grape_gnn.graph.checksum import checksum
from grape_gnn.graph.npz import graph_members
from grape_gnn.graph.surroundings import induced
from grape_gnn.graph.typed import types_of_edges, types_of_nodes
from grape_gnn.testing import typed


def same_types(one: Graph, other: Graph) -> bool:
    return (
        np.array_equal(one.types, other.types)
        and np.array_equal(one.edge_types, other.edge_types)
        and one.type_names == other.type_names
        and one.edge_type_names == other.edge_type_names
    )


def test_types_are_apart_from_labels():
    graph = Graph.from_edges(
        [0, 1, 2], [1, 2, 3], y=["x", "y", "x", "y"], types=["C", "N", None, "C"],
        edge_types=["single", "double", None],
    )  # fmt: skip
    assert graph.types.tolist() == [0, 1, -1, 0]
    assert graph.type_names == ("C", "N")
    assert graph.label_names == ("x", "y")
    assert graph.edge_types.tolist() == [1, 1, 0, 0, -1, -1]  # 0-1 1-0 1-2 2-1 2-3 3-2
    assert types_of_edges(graph).tolist() == ["single", "double", None]
    assert types_of_nodes(graph).tolist() == ["C", "N", None, "C"]
    assert repr(graph).endswith("classes=2, node types=2, edge types=2)")


def test_types_of_arcs_follow_their_direction():
    graph = Graph.from_edges([1, 0, 2], [0, 1, 1], directed=True, edge_types=["b", "a", "c"])
    assert graph.edge_types.tolist() == [0, 1, 2]  # 0>1 1>0 2>1
    assert graph.edge_type_names == ("a", "b", "c")


def test_of_edges_given_twice_the_last_type_counts():
    with pytest.warns(GrapeWarning) as said:
        graph = Graph.from_edges([0, 1, 1], [1, 0, 2], edge_types=["a", "b", "a"])
    assert any(
        "1 edges are given more than once with different types" in str(w.message) for w in said
    )
    assert types_of_edges(graph).tolist() == ["b", "a"]
    assert graph.edge_types.tolist() == [1, 1, 0, 0]


def test_self_loops_and_equal_repetitions_do_no_harm():
    with pytest.warns(GrapeWarning) as said:
        graph = Graph.from_edges([0, 0, 1], [0, 1, 0], edge_types=["z", "a", "a"])
    assert not any("different types" in str(w.message) for w in said)
    assert types_of_edges(graph).tolist() == ["a"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"types": ["C"]}, r"types must have one value per node, 2; got \(1,\)"),
        ({"edge_types": [1, 2]}, r"edge_types must have one value per edge, 1; got \(2,\)"),
        ({"types": ["C", 1]}, r"types: labels y mix texts and numbers"),
    ],
)
def test_bad_types(given, message):
    with pytest.raises(GraphError, match=message):
        Graph.from_edges([0], [1], **given)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", ["graph.npz", "graph.grape"])
def test_files_keep_types(tmp_path, name, directed):
    graph = typed(9, 0.5, seed=3, directed=directed)
    graph.save(tmp_path / name)
    assert same_types(read_graph(tmp_path / name), graph)


def test_copies_keep_types():
    graph = typed(9, 0.5, seed=3, directed=True)
    assert same_types(pickle.loads(pickle.dumps(graph)), graph)
    assert same_types(replace(graph, y=None, label_names=None), graph)
    with pytest.raises(ValueError, match="read-only"):
        graph.edge_types[0] = 1


def test_parts_keep_types():
    graph = typed(12, 0.5, seed=4, directed=True)
    nodes = np.array([1, 2, 5, 8, 11])
    part = induced(graph, nodes)
    whole = dict(zip(map(tuple, graph.edge_array().tolist()), types_of_edges(graph), strict=True))
    for (a, b), kind in zip(part.edge_array(), types_of_edges(part), strict=True):
        assert whole[nodes[a], nodes[b]] == kind
    assert types_of_nodes(part).tolist() == types_of_nodes(graph)[nodes].tolist()


def test_undirected_copies_keep_types():
    arcs = Graph.from_edges([0, 2, 1], [1, 1, 2], directed=True, edge_types=["a", "b", "b"])
    assert types_of_edges(arcs.to_undirected()).tolist() == ["a", "b"]


def test_types_tell_data_apart():
    graph = Graph.from_edges([0], [1], types=["C", "N"], edge_types=[1])
    others = [
        Graph.from_edges([0], [1]),
        Graph.from_edges([0], [1], types=["C", "O"], edge_types=[1]),
        Graph.from_edges([0], [1], types=["C", "N"], edge_types=[2]),
    ]
    assert len({checksum(one) for one in [graph, *others]}) == 4


@pytest.mark.parametrize(
    ("key", "array", "message"),
    [
        ("types", np.array([0, 7]), "types does not point into type_names"),
        ("types", np.array([0]), r"types has dtype int64 and shape \(1,\)"),
        ("edge_types", np.array([0, 9]), "edge_types does not point into edge_type_names"),
        ("edge_types", np.array([0, -1]), "edge_types has two types for an undirected edge"),
        ("edge_types", np.array([0.0, 0.0]), "edge_types has dtype float64"),
    ],
)
def test_damaged_types_are_refused(tmp_path, key, array, message):
    graph = Graph.from_edges([0], [1], types=["C", "N"], edge_types=["double"])
    file = tmp_path / "graph.npz"
    write_arrays(file, "graph", 1, {**graph_members(graph), key: array})
    assert key in read_arrays(file, "graph", 1, mmap=False)
    with pytest.raises(GrapeError, match=message):
        read_graph(file)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("library", ["networkx", "igraph", "pyg"])
def test_other_libraries_and_back(library, directed):
    pytest.importorskip("torch_geometric" if library == "pyg" else library)
    graph = typed(8, 0.5, seed=2, directed=directed)
    again = getattr(Graph, f"from_{library}")(getattr(graph, f"to_{library}")())
    assert types_of_nodes(again).tolist() == types_of_nodes(graph).tolist()
    assert np.array_equal(again.edge_array(), graph.edge_array())
    assert types_of_edges(again).tolist() == types_of_edges(graph).tolist()


def test_attributes_of_networkx():
    source = nx.Graph([(0, 1, {"bond": 2}), (1, 2, {"bond": 1})])
    nx.set_node_attributes(source, {0: "C", 1: "O", 2: "C"}, "atom")
    graph = Graph.from_networkx(source, types="atom", edge_types="bond")
    assert graph.type_names == ("C", "O")
    assert types_of_edges(graph).tolist() == [2, 1]
    plain = Graph.from_networkx(source)
    assert plain.types is None
    assert plain.edge_types is None
    with pytest.raises(GraphError, match="no edge has the attribute 'order'"):
        Graph.from_networkx(source, edge_types="order")


def test_an_attribute_called_type_that_is_none_is_left_out():
    source = nx.Graph([(0, 1, {"type": 0.5})])
    with pytest.warns(GrapeWarning, match="edge attribute 'type' holds neither texts nor whole"):
        assert Graph.from_networkx(source).edge_types is None
    assert Graph.from_networkx(source, edge_types=None).edge_types is None


@pytest.mark.parametrize(
    ("attr", "names"),
    [
        ([[1], [1], [2], [2]], (1, 2)),
        ([1.0, 1.0, 2.0, 2.0], (1, 2)),
        ([[1, 0], [1, 0], [0, 1], [0, 1]], (0, 1)),
    ],
)
def test_edge_attr_of_pyg(attr, names):
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data").Data
    ends = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    graph = Graph.from_pyg(data(edge_index=ends, num_nodes=3, edge_attr=torch.tensor(attr)))
    assert graph.edge_type_names == names
    assert types_of_edges(graph).tolist() == list(names)


@pytest.mark.parametrize("attr", [[0.5, 0.5], [-7.0, -7.0], [[1, 1], [1, 1]]])
def test_edge_attr_of_pyg_is_never_left_out_in_silence(attr):
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data").Data
    ends = torch.tensor([[0, 1], [1, 0]])
    with pytest.warns(GrapeWarning, match="edge_attr is neither.*left out; make classes of them"):
        graph = Graph.from_pyg(data(edge_index=ends, num_nodes=2, edge_attr=torch.tensor(attr)))
    assert graph.edge_types is None


@pytest.mark.parametrize("ends", [["ann", "bob", "cat", "dan"], [7, 8, 9, 10]])
def test_a_column_of_a_data_frame(ends):
    edges = pd.DataFrame({"from": ends[:3], "kind": ["likes", None, "knows"], "to": ends[1:]})
    graph = Graph.from_pandas(edges, edge_types="kind")
    assert types_of_edges(graph).tolist() == ["likes", None, "knows"]
    more = pd.DataFrame({"name": [*ends, 6], "age": [1.0, 2, 3, 4, 5]})
    again = Graph.from_pandas(edges, more, edge_types="kind")
    names = {frozenset(map(again.name_of, edge)) for edge in again.edge_array().tolist()}
    assert len(names) == 3
    assert sorted(map(str, types_of_edges(again))) == ["None", "knows", "likes"]
    with pytest.raises(GraphError, match="the table of edges: has no column 'type'"):
        Graph.from_pandas(edges, edge_types="type")


def test_edges_of_weight_zero_take_their_type_along():
    edges = pd.DataFrame({"from": [0, 1, 2], "to": [1, 2, 3], "w": [1, 0, 1], "kind": [5, 6, 7]})
    with pytest.warns(GrapeWarning, match="left out 1 edges of weight 0"):
        graph = Graph.from_pandas(edges, weight="w", edge_types="kind")
    assert types_of_edges(graph).tolist() == [5, 7]
