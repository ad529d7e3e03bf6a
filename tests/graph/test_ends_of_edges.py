"""Which columns of a table are the ends of an edge: one rule, whoever reads the table."""

from __future__ import annotations

import pandas as pd
import pyarrow.feather
import pytest

from grape_gnn import convert, read_graph
from grape_gnn.errors import GraphError
from grape_gnn.graph import Graph
from grape_gnn.graph.edge_columns import find_edge_columns
from grape_gnn.graphs import GraphSet, read_graphs

EDGES = [("ann", "bob"), ("bob", "cat")]
# Of another kind than the ends, of the same kind, and a table that is none of edges.
UNKNOWN = (
    {"who": ["ann", "bob"], "whom": ["bob", "cat"], "strength": [1.5, 2.0]},
    {"one": [1, 2], "two": [2, 3], "three": [3, 4]},
    {"customer": ["ann", "bob"], "plan": ["gold", "basic"], "age": [31, 45]},
)


def by_csv(frame, folder, **options):
    frame.to_csv(folder / "edges.csv", index=False)
    return read_graph(folder / "edges.csv", header=True, **options)


def by_parquet(frame, folder, **options):
    frame.to_parquet(folder / "edges.parquet")
    return read_graph(folder / "edges.parquet", **options)


def by_feather(frame, folder, **options):
    frame.to_feather(folder / "edges.feather")
    return read_graph(folder / "edges.feather", **options)


def by_converted_csv(frame, folder, **options):
    frame.to_csv(folder / "edges.csv", index=False)
    return convert(folder / "edges.csv", folder / "csv.grape", header=True, **options)


def by_converted_parquet(frame, folder, **options):
    frame.to_parquet(folder / "edges.parquet")
    return convert(folder / "edges.parquet", folder / "parquet.grape", **options)


def by_frame(frame, folder, **options):
    return Graph.from_pandas(frame, **options)


def by_dask(frame, folder, **options):
    frames = pytest.importorskip("dask.dataframe").from_pandas(frame, npartitions=2)
    return Graph.from_dask(frames, folder / "dask.grape", **options)


def by_set(frame, folder, **options) -> GraphSet:
    frame.assign(graph="g").to_parquet(folder / "graphs.parquet")
    return read_graphs(folder / "graphs.parquet", **options)


READERS = [
    by_csv, by_parquet, by_feather, by_converted_csv, by_converted_parquet, by_frame, by_dask,
    by_set,
]  # fmt: skip


@pytest.mark.parametrize("read", READERS)
def test_two_columns_are_the_ends_whatever_they_are_called(read, tmp_path, recwarn):
    found = read(pd.DataFrame(EDGES, columns=["person", "likes"]), tmp_path)
    assert (found.num_nodes, found.num_edges) == (3, 2)
    assert not recwarn.list


@pytest.mark.parametrize("columns", UNKNOWN)
@pytest.mark.parametrize("read", READERS)
def test_more_columns_of_unknown_names_are_refused(read, columns, tmp_path):
    with pytest.raises(GraphError, match="cannot tell which columns are the two ends") as caught:
        read(pd.DataFrame(columns), tmp_path)
    message = str(caught.value)
    assert "say so by source= and target=; the columns are " + str(list(columns)) in message
    assert "\n" not in message
    assert not list(tmp_path.glob("*.grape*"))


@pytest.mark.parametrize("read", READERS)
@pytest.mark.filterwarnings("ignore::grape_gnn.GrapeWarning")
def test_what_is_said_of_other_columns_leaves_two(read, tmp_path):
    frame = pd.DataFrame(UNKNOWN[0])
    named = read(frame, tmp_path, source="who", target="whom")
    assert (named.num_nodes, named.num_edges) == (3, 2)
    said = {"edge_features": "strength"} if read is by_set else {"weight": "strength"}
    for folder in tmp_path.glob("*.grape"):
        folder.rename(folder.with_suffix(".before"))
    assert read(frame, tmp_path, **said).num_edges == 2


@pytest.mark.parametrize(
    ("names", "ends"),
    [
        ("protein1 protein2 combined_score", (0, 1)),
        ("score,Gene A,Gene B", (1, 2)),
        ("user,friend,weight", (0, 1)),
        ("weight,user,friend", (1, 2)),
        ("person_b,person_a,since", (1, 0)),
    ],
)
def test_twins_and_what_a_weight_leaves(names, ends):
    at = find_edge_columns(names.split("," if "," in names else " "), ",")
    assert (at.source, at.target) == ends


@pytest.mark.parametrize("names", ["lat_a,lat_b,gene_a,gene_b", "1,2,3", "a,b,c", "user,friend,w"])
def test_no_one_pair_of_twins(names):
    with pytest.raises(GraphError, match="cannot tell which columns"):
        find_edge_columns(names.split(","), ",")


def test_nodes_that_are_called_like_twins_are_no_line_of_names(tmp_path):
    (tmp_path / "e.txt").write_text("p1 p2\np2 p3\n")
    assert read_graph(tmp_path / "e.txt").num_edges == 2


def test_one_column_is_not_enough(tmp_path):
    pyarrow.feather.write_feather(pd.DataFrame({"source": [1]}), tmp_path / "e.feather")
    for read in (read_graph, lambda file: convert(file, tmp_path / "e.grape")):
        with pytest.raises(GraphError, match=r"needs two columns for their ends; it has \['source"):
            read(tmp_path / "e.feather")


def test_of_very_many_columns_some_are_listed(tmp_path):
    wide = pd.DataFrame({f"c{k}": [1] for k in range(1000)})
    with pytest.raises(GraphError, match=r"'c19'\] and 980 more") as caught:
        by_parquet(wide, tmp_path)
    assert len(str(caught.value)) < 500
