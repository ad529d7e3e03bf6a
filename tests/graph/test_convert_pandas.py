"""Graphs from data frames and Arrow tables, and from files of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from grape_gnn import convert
from grape_gnn.errors import GrapeWarning, GraphError, GraphFileError
from grape_gnn.graph import Graph, read_graph

EDGES = {"source": ["ann", "bob", "cat"], "target": ["bob", "cat", "ann"]}
NODES = {
    "name": ["cat", "dan", "ann", "bob"],
    "team": ["red", None, "blue", "red"],
    "age": [31, None, 45, 28],
    "vip": [True, False, None, True],
}
KINDS = [("age", "number"), ("vip", "boolean")]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, pl.LazyFrame])
def test_frames_of_all_libraries_give_the_same_graph(make):
    g = Graph.from_pandas(make(EDGES), make(NODES), label="team")
    assert g.names == ("ann", "bob", "cat", "dan")
    assert g.edge_array().tolist() == [[0, 1], [0, 2], [1, 2]]
    assert g.label_names == ("blue", "red")
    assert g.y.tolist() == [0, 1, 1, -1]
    assert [(c.name, c.kind) for c in g.columns] == KINDS
    assert g.columns[0].objects() == [45, 28, 31, None]
    assert g.columns[1].numbers()[[1, 2, 3]].tolist() == [1, 1, 0]


def test_the_names_may_be_the_index():
    nodes = pd.DataFrame(NODES).set_index("name")
    g = Graph.from_pandas(pd.DataFrame(EDGES), nodes, label="team")
    assert g.names == ("ann", "bob", "cat", "dan")
    assert g.columns[0].objects() == [45, 28, 31, None]
    kept = pd.DataFrame(NODES)[1:]  # its index counts rows, from 1
    with pytest.warns(GrapeWarning, match="the table lacks 1 of the 3 nodes of the edge list"):
        g = Graph.from_pandas(pd.DataFrame(EDGES), kept)
    assert [c.name for c in g.columns] == ["team", "age", "vip"]


def test_integer_names_and_a_filtered_frame():
    edges = pd.DataFrame({"weight": [0.5, 0.0, 2.0], "from": [30, 10, 20], "to": [10, 40, 10]})
    with pytest.warns(GrapeWarning, match="took 'from' and 'to' .* and ignored 'weight'; matching"):
        assert Graph.from_pandas(edges[edges.weight > 0]).names.tolist() == [10, 20, 30]
    with pytest.warns(GrapeWarning, match="left out 1 edges of weight 0"):
        assert Graph.from_pandas(edges, weight="weight").num_edges == 2
    floats = pd.DataFrame({"a": [1.0, 2.0], "b": [2.0, 3.0]})
    assert Graph.from_pandas(floats).names.tolist() == [1, 2, 3]


def test_names_that_mix_numbers_and_texts_are_found_as_they_were_written():
    g = Graph.from_pandas(pd.DataFrame({"u": [1, "x"], "v": ["x", 2]}), directed=True)
    assert [g.index_of(name) for name in (1, "x", 2, "1", np.int64(2))] == [0, 1, 2, 0, 2]


@pytest.mark.parametrize(
    ("kind", "largest"),
    [("float32", 2**24), ("float64", 2**53), ("uint64", 2**63 - 1)],
)
def test_names_that_are_rounded_or_wrapped_are_refused(kind, largest, tmp_path):
    fits = pd.DataFrame({"source": np.array([largest, 1], kind), "target": np.array([1, 2], kind)})
    assert Graph.from_pandas(fits).names.tolist() == [1, 2, largest]
    more = np.array([largest, 1], kind) + np.array(2, kind)
    fits.assign(target=more).to_parquet(tmp_path / "edges.parquet")
    wrong = "is too large; ids must be below" if kind == "uint64" else f"is rounded, as {kind} it"
    for read in (read_graph, lambda file: convert(file, tmp_path / "g.grape")):
        with pytest.raises(GraphError, match=f"row 0 of the column 'target': .* {wrong}"):
            read(tmp_path / "edges.parquet")


@pytest.mark.filterwarnings("error")
def test_whole_numbers_of_any_size_among_objects_are_texts():
    g = Graph.from_pandas(pd.DataFrame({"u": [2**70, 1], "v": [1, 2]}, dtype=object))
    assert g.names == (str(2**70), "1", "2")


@pytest.mark.parametrize(
    ("edges", "options", "message"),
    [
        ({"u": [1, None], "v": [2, 3]}, {}, "row 1 of the column 'u': .*nan.* is not a node name"),
        ({"u": [[1, 2]], "v": [2]}, {}, r"row 0 of the column 'u': \[1, 2\] is not one node name"),
        ({"u": [1.5], "v": [2]}, {}, "row 0 of the column 'u': .*1.5.* is not a node name"),
        ({"u": ["a", None], "v": ["b", "c"]}, {}, "row 1 of the column 'u': None is not a node"),
        ({"u": [-1], "v": [2]}, {}, "is negative; ids must be 0 or more, or texts"),
        ({"u": [1]}, {}, r"needs two columns for their ends; it has \['u'\]"),
        ({"u": [1], "v": [2]}, {"source": "a", "target": "v"}, "table of edges: has no column 'a'"),
        ({"id": [1], "p": [2], "q": [3]}, {}, "cannot tell which columns are the two ends"),
        ({"u": [1], "v": [2], "w": ["x"]}, {"weight": "w"}, "weights in 'w' must be numbers"),
        ({"u": [1], "v": [2]}, {"label": "team"}, "label= needs a table of nodes"),
    ],
)
def test_refusals(edges, options, message):
    with pytest.raises(GraphError, match=message):
        Graph.from_pandas(pd.DataFrame(edges), **options)


def test_a_table_of_nodes_that_does_not_fit():
    edges = pd.DataFrame(EDGES)
    with pytest.raises(GraphError, match="row 1: node 'ann' was already on row 0"):
        Graph.from_pandas(edges, pd.DataFrame({"name": ["ann", "ann"]}))
    with pytest.raises(GraphError, match="the node table: has no column 'shoe'"):
        Graph.from_pandas(edges, pd.DataFrame(NODES), label="shoe")
    with pytest.raises(GraphError, match="expected a pandas or polars data frame or an Arrow"):
        Graph.from_pandas([("ann", "bob")])


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "feather"])
def test_files(tmp_path, suffix):
    edges, nodes = tmp_path / f"edges.{suffix}", tmp_path / f"nodes.{suffix}"
    for path, columns in ((edges, EDGES), (nodes, NODES)):
        if suffix == "parquet":
            pyarrow.parquet.write_table(pa.table(columns), path)
        elif suffix == "feather":
            pyarrow.feather.write_feather(pa.table(columns), path, compression="uncompressed")
        else:
            with (
                pa.OSFile(str(path), "wb") as sink,
                pa.ipc.new_stream(sink, pa.table(columns).schema) as writer,
            ):
                writer.write_table(pa.table(columns))
    g = read_graph(edges, nodes=nodes, label="team", ignore=["vip"])
    assert g.names == ("ann", "bob", "cat", "dan")
    assert g.label_names == ("blue", "red")
    assert [c.name for c in g.columns] == ["age"]
    damaged = tmp_path / f"damaged.{suffix}"
    damaged.write_bytes(edges.read_bytes()[:100])
    with pytest.raises(GraphFileError, match="is not a readable Parquet or Arrow table"):
        read_graph(damaged)


def test_a_text_edge_list_with_a_table_in_parquet(tmp_path):
    (tmp_path / "e.csv").write_text("ann,bob\nbob,cat\n")
    pyarrow.parquet.write_table(pa.table(NODES), tmp_path / "n.parquet")
    g = read_graph(tmp_path / "e.csv", nodes=tmp_path / "n.parquet", label="team")
    assert [(c.name, c.kind) for c in g.columns] == KINDS


def test_what_a_frame_calls_categories_are_categories(tmp_path):
    codes = pd.Categorical([3, 1, 3, None])
    nodes = pd.DataFrame(NODES).assign(code=codes, time=pd.to_timedelta([1, 2, 3, 4], unit="D"))
    kept = [Graph.from_pandas(pd.DataFrame(EDGES), nodes)]
    pd.DataFrame(EDGES).to_parquet(tmp_path / "edges.parquet")
    nodes.to_parquet(tmp_path / "nodes.parquet")
    nodes.to_feather(tmp_path / "nodes.feather")
    files = [tmp_path / name for name in ("edges.parquet", "nodes.parquet", "nodes.feather")]
    kept += [read_graph(files[0], nodes=table) for table in files[1:]]
    kinds = [{column.name: column.kind for column in g.columns} for g in kept]
    assert [each["code"] for each in kinds] == ["category"] * 3
    assert {each["time"] for each in kinds} == {"number"}


def test_labels_that_a_frame_calls_categories_are_classes(tmp_path):
    ring = pd.DataFrame({"source": range(30), "target": [*range(1, 30), 0]})
    zips = pd.DataFrame({"house": range(30), "zip": pd.Categorical(range(100, 130))})
    ring.to_parquet(tmp_path / "ring.parquet")
    zips.to_parquet(tmp_path / "zips.parquet")
    read = read_graph(tmp_path / "ring.parquet", nodes=tmp_path / "zips.parquet", label="zip")
    for g in (Graph.from_pandas(ring, zips, label="zip"), read):
        assert g.label_names == tuple(range(100, 130))
    assert Graph.from_pandas(ring, zips.astype(int), label="zip").task == "regression"


def test_numbers_without_end_are_gaps():
    nodes = pd.DataFrame(NODES).assign(age=[31, np.inf, -np.inf, 28])
    (ages, _) = Graph.from_pandas(pd.DataFrame(EDGES), nodes, label="team").columns
    assert repr(ages) == "Column('age', number, values=4, missing=2)"


def test_two_columns_of_one_name_are_refused():
    for edges, nodes in [(("u", "u"), ("name", "age")), (("u", "v"), ("name", "name"))]:
        frames = [pd.DataFrame([["ann", "bob"]], columns=names) for names in (edges, nodes)]
        with pytest.raises(GraphError, match=r"column names must be distinct, got \['(u|name)'"):
            Graph.from_pandas(*frames)


def test_an_index_that_counts_and_has_a_name_is_in_no_column_of_a_file(tmp_path):
    edges = pd.DataFrame({"source": [0, 1], "target": [1, 2]})
    nodes = pd.DataFrame({"team": ["red", "red", "blue"]}, index=pd.RangeIndex(3, name="id"))
    edges.to_parquet(tmp_path / "edges.parquet")
    nodes.to_parquet(tmp_path / "nodes.parquet")
    g = read_graph(tmp_path / "edges.parquet", nodes=tmp_path / "nodes.parquet", label="team")
    assert g.y.tolist() == [1, 1, 0]


def test_an_index_without_a_name_is_the_last_resort():
    edges = pd.DataFrame({"source": [0, 1], "target": [1, 2]})
    nodes = pd.DataFrame({"team": ["red", "red", "blue"], "age": [1, 1, 2]})[::-1]
    with pytest.warns(GrapeWarning, match="took the index of the node table for the names"):
        g = Graph.from_pandas(edges, nodes, label="team")
    assert g.y.tolist() == [1, 1, 0]


def test_columns_that_are_called_by_numbers():
    edges = pd.DataFrame([["ann", "bob", 1], ["bob", "cat", 0]])
    nodes = pd.DataFrame([["red", "ann"], ["blue", "bob"], ["red", "cat"]])
    with pytest.warns(GrapeWarning, match="left out 1 edges of weight 0"):
        g = Graph.from_pandas(edges, nodes, source=0, target=1, weight=2, label=0, id=1)
    assert g.num_edges == 1
    assert g.label_names == ("blue", "red")
