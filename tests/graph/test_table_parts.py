"""Tables in folders of parts, as Spark, Dask and DuckDB write them: read as one file is."""

from __future__ import annotations

import os
import shutil
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from grape_gnn.errors import GrapeWarning, GraphError, GraphFileError
from grape_gnn.graph import Graph, convert, read_graph
from grape_gnn.graph.streaming import reading, table_chunks

ENDS = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "a"), ("f", "b")]
NUMBERS = [(ord(u) - ord("a"), ord(v) - ord("a")) for u, v in ENDS]


def table_of(ends, **columns) -> pa.Table:
    """Give edges as a table."""
    return pa.table({"source": [u for u, _ in ends], "target": [v for _, v in ends], **columns})


def write(table: pa.Table, path: Path) -> Path:
    """Write a table into a file, or a part of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(table, path, row_group_size=2)
    elif path.suffix == ".feather":
        pyarrow.feather.write_feather(table, path, chunksize=2)
    else:
        with pa.ipc.new_stream(str(path), table.schema) as writer:
            writer.write_table(table)
    return path


def write_parts(folder: Path, table: pa.Table, names: list[str]) -> Path:
    """Write a table as parts of these names, in this order."""
    cuts = np.linspace(0, table.num_rows, len(names) + 1).astype(int)
    for name, begin, end in zip(names, cuts, cuts[1:], strict=False):
        write(table.slice(begin, end - begin), folder / name)
    return folder


def both(path: Path, **options):
    """Read a table in memory, and convert it in tiny chunks."""
    out = path.parent / "out.grape"
    shutil.rmtree(out, ignore_errors=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_graph(path, **options), convert(path, out, memory="10MB", **options)


def _convert_beside(path: Path, **options) -> Graph:
    return convert(path, path.parent / "refused.grape", **options)


def refused(path: Path, **options) -> str:
    """Return how both ways of reading a table refuse it, in the same line."""
    said = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for read in (read_graph, _convert_beside):
            with pytest.raises(GraphError) as caught:
                read(path, **options)
            said.append(str(caught.value))
    assert said[0] == said[1]
    assert "\n" not in said[0]
    assert not (path.parent / "refused.grape.part").exists()
    return said[0]


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setattr("os.fsync", lambda _: None)
    monkeypatch.setattr(reading, "EDGE_BYTES", 4_000_000)
    monkeypatch.setattr(reading, "TEXT_EDGE_BYTES", 4_000_000)
    monkeypatch.setattr(table_chunks, "BATCH_ROWS", 2)


# ------------------------------------------------------------------ the same graph


@pytest.mark.parametrize("suffix", ["parquet", "feather", "arrow"])
@pytest.mark.parametrize("ends", [ENDS, NUMBERS], ids=["texts", "numbers"])
@pytest.mark.parametrize("directed", [False, True])
def test_the_graph_is_that_of_the_single_file(tmp_path, tiny, assert_same, suffix, ends, directed):
    table = table_of(ends, w=[1, 1, 0, 2, 1, 1, 3])
    names = [f"part-{k}.{suffix}" for k in range(4)]
    parts = write_parts(tmp_path / f"edges.{suffix}", table, names)
    one = write(table, tmp_path / f"one.{suffix}")
    for options in ({}, {"weight": "w"}):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = read_graph(one, directed=directed, **options)
        for found in both(parts, directed=directed, **options):
            assert_same(found, expected)


def test_what_is_said_of_a_table_is_said_of_it_as_a_whole(tmp_path):
    table = table_of(ENDS, w=[1, 1, 0, 2, 0, 1, 3])
    parts = write_parts(tmp_path / "edges.parquet", table, ["a.parquet", "b.parquet"])
    with pytest.warns(GrapeWarning, match=r"edges\.parquet: left out 2 edges of weight 0"):
        convert(parts, tmp_path / "g.grape", weight="w")


def test_parts_come_in_the_order_of_their_names(tmp_path):
    names = ["day=9/x.parquet", "day=10/a.parquet", "day=10/b.parquet", "last.parquet"]
    folder = tmp_path / "edges.parquet"
    for k in (2, 0, 3, 1):
        write(table_of([(f"n{k}", f"m{k}")]), folder / names[k])
    for found in both(folder):
        assert list(found.names) == ["n0", "m0", "n1", "m1", "n2", "m2", "n3", "m3"]


def test_files_that_are_no_parts_are_passed_over(tmp_path, assert_same):
    folder = write_parts(
        tmp_path / "edges.parquet", table_of(ENDS), ["0.parquet", "_x=1/1.parquet"]
    )
    for name in (
        "_SUCCESS",
        "_metadata",
        ".0.parquet.crc",
        "_temporary/2.parquet",
        ".git/3.parquet",
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("no table")
    expected = read_graph(write(table_of(ENDS), tmp_path / "one.parquet"))
    for found in both(folder):
        assert_same(found, expected)


@pytest.mark.parametrize("name", ["edges", "my.edges.v2", "EDGES.PARQUET"])
def test_a_folder_of_another_name_that_holds_parts(tmp_path, name):
    # Neither does the first part need a suffix: Hive writes 000000_0.
    folder = tmp_path / name
    write_parts(folder, table_of(ENDS), ["0.parquet", "1.parquet"])
    (folder / "0.parquet").rename(folder / "000000_0")
    for found in both(folder):
        assert found.num_edges == 7


def test_parts_of_no_rows_and_columns_in_another_order(tmp_path, tiny):
    folder = tmp_path / "edges.parquet"
    empty = table_of([]).cast(table_of(ENDS).schema)
    write(empty, folder / "0.parquet")
    write(table_of(ENDS).select(["target", "source"]), folder / "1.parquet")
    write(empty, folder / "2.parquet")
    for found in both(folder, directed=True):
        assert found.num_edges == 7
        assert list(found.names)[:2] == ["a", "b"]
    (folder / "1.parquet").unlink()
    for found in both(folder):
        assert found.num_nodes == 0


@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_categories_of_which_parts_have_more_or_less(tmp_path, suffix):
    folder = tmp_path / f"edges.{suffix}"
    for k, count in enumerate((3, 300)):
        names = pd.Categorical([f"n{i}" for i in range(count)])
        frame = pd.DataFrame({"source": names, "target": names[::-1]})
        write(pa.Table.from_pandas(frame), folder / f"{k}.{suffix}")
    for found in both(folder):
        assert found.num_nodes == 300


@pytest.mark.parametrize("nullable", [False, True])
def test_columns_that_may_have_gaps_in_some_parts_only(tmp_path, tiny, nullable):
    folder = tmp_path / "edges.parquet"
    for k, may in enumerate((nullable, not nullable)):
        fields = [pa.field(name, pa.string(), may) for name in ("source", "target")]
        table = table_of(ENDS[4 * k : 4 * k + 4]).cast(pa.schema(fields, {"part": str(k)}))
        write(table, folder / f"{k}.parquet")
    for found in both(folder):
        assert found.num_edges == 7


@pytest.mark.parametrize("partitions", [1, 12])
def test_what_dask_writes(tmp_path, tiny, assert_same, partitions):
    dask = pytest.importorskip("dask.dataframe")
    frame = pd.DataFrame(ENDS * 5, columns=["source", "target"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Dask uses what pandas will leave out
        dask.from_pandas(frame, npartitions=partitions).to_parquet(
            tmp_path / "edges.parquet", write_metadata_file=True
        )
    assert (tmp_path / "edges.parquet" / "_metadata").exists()
    frame.to_parquet(tmp_path / "one.parquet")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = read_graph(tmp_path / "one.parquet")
    for found in both(tmp_path / "edges.parquet"):
        assert_same(found, expected)


def test_what_pyarrow_writes_in_partitions(tmp_path):
    table = table_of(ENDS, day=[1, 1, 2, 2, 2, 3, 3])
    folder = tmp_path / "edges.parquet"
    pyarrow.parquet.write_to_dataset(table, folder, partition_cols=["day"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing is to be said of the column that was ignored
        assert read_graph(folder).num_edges == 7
        assert convert(folder, tmp_path / "g.grape").num_edges == 7


def test_a_table_of_nodes_in_parts(tmp_path, assert_same):
    people = pa.table({
        "name": list("abcdef"), "team": ["x", None, "y", "x", "y", "x"],
        "age": [3, 5, None, 7, 1, 2], "part": ["train", "train", "val", "test", "test", "train"],
    })  # fmt: skip
    write(people, tmp_path / "one.parquet")
    write_parts(tmp_path / "people", people, ["0.parquet", "1.parquet", "2.parquet"])
    edges = write_parts(tmp_path / "edges.parquet", table_of(ENDS), ["0.parquet", "1.parquet"])
    expected = read_graph(edges, nodes=tmp_path / "one.parquet", label="team")
    for found in both(edges, nodes=tmp_path / "people", label="team"):
        assert_same(found, expected)
        assert [c.name for c in found.columns] == ["age"]
        assert found.columns[0].objects() == expected.columns[0].objects()
        assert len(found.splits) == 1


# ------------------------------------------------------------------ refusals


def test_parts_that_differ(tmp_path):
    folder = tmp_path / "edges.parquet"
    write(table_of(NUMBERS, w=[1.0] * 7), folder / "0.parquet")
    remedy = "all parts of a table must have the same columns, of the same types"
    for table, complaint in (
        (table_of(NUMBERS), "lacks the column 'w', which is in 0.parquet"),
        (
            table_of(NUMBERS, w=[1.0] * 7, v=[1] * 7),
            "has the column 'v', which is not in 0.parquet",
        ),
        (
            table_of(ENDS, w=[1.0] * 7),
            "has the column 'source' of type string, which is int64 in 0.parquet",
        ),
    ):
        other = write(table, folder / "x=1" / "1.parquet")
        assert refused(folder) == f"{other}: {complaint}: {remedy}"
    twice = pa.table([[1], [2], [3]], ["source", "target", "target"])
    write(twice, other)
    assert refused(folder).startswith(f"{other}: column names must be distinct, got ")


@pytest.mark.parametrize("inside", [[], ["_SUCCESS"], ["day=1/.hidden.parquet"]])
def test_a_folder_without_parts(tmp_path, inside):
    folder = tmp_path / "edges.parquet"
    folder.mkdir()
    for name in inside:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()
    assert refused(folder) == (
        f"{folder}: is a folder without parts of a table: looked in it and its sub-folders for "
        f"Parquet or Arrow files whose names begin neither with _ nor with a dot"
    )


def test_a_part_that_is_none(tmp_path):
    folder = write_parts(tmp_path / "edges.parquet", table_of(ENDS), ["0.parquet", "1.parquet"])
    broken = folder / "2.parquet"
    for make, reason in (
        (lambda: broken.write_text("ann,bob\n"), ""),
        (lambda: broken.write_bytes((folder / "0.parquet").read_bytes()[:-9]), "Parquet magic"),
        (lambda: os.mkfifo(broken), "is a named pipe, not an ordinary file"),
        (lambda: broken.symlink_to(folder), "is a folder, not an ordinary file"),
    ):
        broken.unlink(missing_ok=True)
        make()
        said = refused(folder)
        assert said.startswith(f"{broken}: is not a readable Parquet or Arrow table: {reason}")
        assert said.endswith(
            f"; all files in {folder} are taken for parts of one table, but for those whose names "
            f"begin with _ or a dot"
        )


def test_columns_in_the_names_of_folders(tmp_path):
    folder = tmp_path / "edges.parquet"
    write(table_of(ENDS), folder / "day=1" / "hour=2" / "0.parquet")
    for options in ({"source": "hour", "target": "target"}, {"weight": "day"}):
        name = options.get("weight", "hour")
        said = f"{folder}: the column {name!r} is in the names of the folders ({name}="
        assert refused(folder, **options).startswith(said)
        assert refused(folder, **options).endswith("), not in the parts: write it into the parts")
    assert "has no column 'week'; it has ['source', 'target']" in refused(folder, weight="week")
    people = tmp_path / "people.parquet"
    write(pa.table({"name": ["a"], "age": [3]}), people / "team=x" / "0.parquet")
    said = refused(folder, nodes=people, label="team")
    assert "people.parquet: the column 'team' is in the names of the folders (team=x)" in said


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ([3] * 6 + [-1], "-1 is negative"),
        ([3.0] * 6 + [0.5], "0.5 is not a node name"),
        (["a"] * 6 + [None], "None is not a node name"),
        (["a"] * 6 + [""], "'' is not a node name"),
    ],
)
@pytest.mark.parametrize("suffix", ["parquet", "feather", "arrow"])
def test_rows_are_named_by_part(tmp_path, values, complaint, suffix):
    table = pa.table({"source": values, "target": values, "w": [1, 1, 1, 1, 1, 0, 1]})
    names = [f"{k}.{suffix}" for k in range(3)]
    folder = write_parts(tmp_path / f"edges.{suffix}", table, names)
    for options in ({}, {"weight": "w"}):  # an edge of weight 0, left out, is a row all the same
        said = refused(folder, **options)
        assert said.startswith(f"{folder}: 2.{suffix}, row 2 of the column 'source': {complaint}")


def test_rows_of_a_node_table_are_named_by_part(tmp_path):
    edges = write(table_of(NUMBERS), tmp_path / "e.parquet")
    for names, complaint in (
        ([0, 1, 2, 1], "0.parquet, row 1 and 1.parquet, row 1 are about the same node"),
        (["0", "1", "2", "x"], "1.parquet, row 1 of the column 'id' is 'x', while the edge list"),
        (["0", "1", "2", ""], "1.parquet, row 1: the node name is empty"),
    ):
        table = pa.table({"id": names, "age": [1, 2, 3, 4]})
        people = write_parts(tmp_path / "people", table, ["0.parquet", "1.parquet"])
        with pytest.raises(GraphFileError) as caught:
            convert(edges, tmp_path / "g.grape", nodes=people)
        shutil.rmtree(tmp_path / "g.grape.part", ignore_errors=True)
        assert complaint in str(caught.value)
        if "same" in complaint:
            with pytest.raises(GraphFileError, match=r"'1' was already on 0\.parquet, row 1"):
                read_graph(edges, nodes=people)


def test_folders_that_hold_no_table(tmp_path, triangle_with_tail):
    triangle_with_tail.save(tmp_path / "g.grape")
    assert read_graph(tmp_path / "g.grape").num_edges == 4
    (tmp_path / "g.grape").rename(tmp_path / "renamed")
    assert read_graph(tmp_path / "renamed").num_edges == 4
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.json").write_text('{"kind": "train", "version": 1}')
    write(table_of(ENDS), tmp_path / "run" / "parts" / "0.parquet")
    assert "is a folder of kind 'train', not of a graph" in refused(tmp_path / "run")
    (tmp_path / "texts.csv").mkdir()
    (tmp_path / "texts.csv" / "0.csv").write_text("a,b\n")
    assert "is a folder, and holds neither a graph on disk (.grape) nor the parts" in refused(
        tmp_path / "texts.csv"
    )


def test_tables_with_versions(tmp_path):
    folder = write_parts(tmp_path / "edges", table_of(ENDS), ["0.parquet", "1.parquet"])
    (folder / "_delta_log").mkdir()
    assert "is a table of Delta Lake (_delta_log), whose parts hold rows of older" in refused(
        folder
    )


def test_a_graph_is_not_written_into_its_table(tmp_path):
    folder = write_parts(tmp_path / "edges", table_of(ENDS), ["0.parquet", "1.parquet"])
    with pytest.raises(GraphError, match=r"it would be inside .*edges; choose a place beside"):
        convert(folder, folder / "g.grape")
    assert len(list(folder.iterdir())) == 2
