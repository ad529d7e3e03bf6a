"""Numbers on edges, from every library and file that has them."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.graphs import GraphSet

# The edges 0-1 and 1-2, each in both rows: 0-1, 1-0, 1-2, 2-1.
BOTH_ROWS = [[1.5], [1.5], [2.5], [2.5]]


def path() -> nx.Graph:
    graph = nx.Graph([(0, 1), (1, 2)])
    nx.set_edge_attributes(graph, {(0, 1): 1.5, (1, 2): 2.5}, "length")
    return graph


@pytest.mark.parametrize("library", ["networkx", "igraph"])
def test_attributes_are_features_if_named(library):
    graph, empty = path(), nx.empty_graph(2)
    if library == "igraph":
        igraph = pytest.importorskip("igraph")
        graph, empty = (igraph.Graph.from_networkx(each) for each in (graph, empty))
    graphs = GraphSet.of([graph, empty, graph], edge_features="length")
    assert graphs.edge_features.values.tolist() == BOTH_ROWS * 2
    assert repr(graphs).endswith("undirected, edge features=1)")
    assert graphs[[2, 1]].edge_features.values.tolist() == BOTH_ROWS
    with pytest.warns(grape.GrapeWarning, match="'length', which are left out.*by edge_features="):
        assert GraphSet.of([graph]).edge_features is None


def test_vectors_called_features_are_taken_like_those_of_nodes():
    graph = nx.path_graph(2)
    graph.edges[0, 1].update(features=[1.0, 2.0], length=3.0)
    named = GraphSet.of([graph], edge_features=("length", "features"))
    assert named.edge_features.values.tolist() == [[3.0, 1.0, 2.0]] * 2
    with pytest.warns(grape.GrapeWarning, match="'length', which are left out"):
        assert GraphSet.of([graph]).edge_features.values.tolist() == [[1.0, 2.0]] * 2


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "is missing or not finite on edge number 1: fill it in"),
        (np.inf, "is missing or not finite on edge number 1"),
        (1e300, "is missing or not finite on edge number 1"),
        ("long", "is not a number, or a vector of one length, on every edge"),
        ([1.0, 2.0], "is not a number, or a vector of one length, on every edge"),
    ],
)
def test_what_is_no_number_is_refused(value, message):
    graph = path()
    graph.edges[1, 2]["length"] = value
    with pytest.raises(
        GraphError, match=f"graph number 1: 'length', a feature of edges, {message}"
    ):
        GraphSet.of([path(), graph], edge_features="length")


def test_graphs_of_a_set_have_the_same_features():
    wide = nx.path_graph(2)
    wide.edges[0, 1]["features"] = [1.0, 2.0]
    narrow = nx.path_graph(2)
    narrow.edges[0, 1]["features"] = 1.0
    with pytest.raises(GraphError, match=r"number 1 has features of edges 1 \('features'\), graph"):
        GraphSet.of([wide, narrow])
    with pytest.raises(GraphError, match="number 1 has no features of edges, graph number 0 has 2"):
        GraphSet.of([wide, nx.path_graph(3)])


def data_of_pyg(attr, **more):
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data").Data
    ends = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    tensors = {name: torch.tensor(value) for name, value in {"edge_attr": attr, **more}.items()}
    return data(edge_index=ends, num_nodes=3, **tensors)


def test_edge_attr_of_pyg_is_told_from_all_graphs():
    whole, broken = data_of_pyg([[1.0], [1.0], [2.0], [2.0]]), data_of_pyg(BOTH_ROWS)
    assert GraphSet.of([whole, whole]).edge_features is None
    assert GraphSet.of([whole, whole]).edge_type_names == (1, 2)
    for graphs in (GraphSet.of([whole, broken]), GraphSet.of([broken, whole])):
        assert graphs.edge_types is None
        assert graphs.edge_features.names == ("edge_attr",)
        assert sorted(graphs.edge_features.values[:, 0]) == [1, 1, 1.5, 1.5, 2, 2, 2.5, 2.5]
    named = GraphSet.of([whole], edge_features="edge_attr")
    assert named.edge_types is None
    assert named.edge_features.values.tolist() == [[1], [1], [2], [2]]
    # Beside types of their own, whole numbers are numbers.
    both = data_of_pyg([[1], [1], [2], [2]], edge_type=[7, 7, 8, 8])
    graphs = GraphSet.of([both])
    assert graphs.edge_type_names == (7, 8)
    assert graphs.edge_features.values.tolist() == [[1], [1], [2], [2]]
    with pytest.raises(GraphError, match="no 'length', which was to be a feature of edges"):
        GraphSet.of([both], edge_features=["length"])


def test_arcs_of_an_edge_keep_their_own_numbers_and_survive_a_round_trip():
    graphs = GraphSet.of(
        [data_of_pyg([[0.5], [-0.5], [0.25], [-0.25]], edge_type=[0, 0, 1, 1])] * 2
    )
    assert not graphs.directed
    assert graphs.edge_features.values[:4, 0].tolist() == [0.5, -0.5, 0.25, -0.25]
    again = GraphSet.of(graphs.to_pyg())
    assert np.array_equal(again.edge_features.values, graphs.edge_features.values)
    assert np.array_equal(again.edge_types, graphs.edge_types)


def test_layers_of_pyg_say_that_they_leave_numbers_out():
    data = data_of_pyg(BOTH_ROWS)
    from grape_gnn.pyg import AddEgoRoles

    with pytest.warns(grape.GrapeWarning, match="edge_attr has numbers, which no template can ask"):
        AddEgoRoles("0-1=1")(data)
    with pytest.warns(grape.GrapeWarning, match="edge_attr is left out beside edge_type"):
        grape.Graph.from_pyg(data_of_pyg(BOTH_ROWS, edge_type=[0, 0, 1, 1]))


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_columns_of_a_table_of_edges(tmp_path, suffix):
    frame = pytest.importorskip("pandas").DataFrame(
        {
            "graph": ["b", "a", "b"],
            "u": ["x", "x", "y"],
            "v": ["y", "y", "z"],
            "length": [1.5, 0.25, 2.5],
            "remark": ["", "old", ""],
        }
    )
    file = tmp_path / f"edges.{suffix}"
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
        frame.to_parquet(file)
    else:
        frame.to_csv(file, index=False)
    with pytest.warns(grape.GrapeWarning, match="ignored 'remark'; edge_features=") as said:
        graphs = grape.read_graphs(file, edge_features=["length"])
    assert len(said) == 1
    with pytest.warns(grape.GrapeWarning, match="ignored 'remark'"):
        assert grape.read_graphs(file, edge_features="length").edge_features.width == 1
    assert graphs.names == ("b", "a")
    assert graphs.edge_features.values.tolist() == [*BOTH_ROWS, [0.25], [0.25]]
    with pytest.raises(
        GraphFileError, match="no column 'height' of edge features: it has graph, u"
    ):
        grape.read_graphs(file, edge_features=["height"])
    with (
        pytest.raises(GraphFileError, match="'remark', a feature, does not hold numbers"),
        pytest.warns(grape.GrapeWarning, match="ignored 'length'; edge_features="),
    ):
        grape.read_graphs(file, edge_features=["remark"])


def test_attributes_of_a_tu_folder(tmp_path):
    for name, text in {
        "A": "4, 5\n5, 4\n1, 2\n2, 1\n2, 3\n3, 2\n",
        "graph_indicator": "1\n1\n1\n2\n2\n",
        "graph_labels": "0\n1\n",
        "edge_attributes": "9, 0\n9, 0\n1.5, 1\n1.5, 1\n2.5, 1\n2.5, 1\n",
    }.items():
        (tmp_path / f"TOY_{name}.txt").write_text(text)
    graphs = grape.read_graphs(tmp_path)
    assert graphs.edge_features.values[:, 0].tolist() == [1.5, 1.5, 2.5, 2.5, 9, 9]
    (tmp_path / "TOY_edge_attributes.txt").write_text("1\n2\n")
    with pytest.raises(GraphFileError, match=r"edge_attributes\.txt: has 2 lines, and needs 6"):
        grape.read_graphs(tmp_path)


def test_damaged_features_are_refused(tmp_path):
    graphs = GraphSet.of([path()], edge_features="length")
    file = tmp_path / "g.npz"
    from grape_gnn.files.array_file import read_arrays, write_arrays

    graphs.save(file)
    members = dict(read_arrays(file, "graphs", 1, mmap=False))
    for values in (
        np.ones((3, 1), np.float32),
        np.ones((4, 1)),
        np.full((4, 1), np.nan, np.float32),
    ):
        write_arrays(file, "graphs", 1, {**members, "edge_features": values})
        with pytest.raises(GraphFileError, match="has damaged contents: edge_features"):
            grape.read_graphs(file)
