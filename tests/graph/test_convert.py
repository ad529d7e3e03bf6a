"""Edge lists turned into graphs on disk: the graph of `read_graph`, whatever the memory."""

from __future__ import annotations

import gzip
import shutil
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grape_gnn.errors import GrapeWarning, GraphError, GraphFileError
from grape_gnn.graph import Graph, convert, read_graph
from grape_gnn.graph.streaming import (
    integer_numbers,
    line_chunks,
    reading,
    sorted_rows,
    table_chunks,
    text_numbers,
)


@pytest.fixture
def tiny(monkeypatch):
    """Make every chunk, bucket, range and piece hold next to nothing."""
    monkeypatch.setattr("os.fsync", lambda _: None)  # takes most of the time, and shows nothing
    monkeypatch.setattr(reading, "EDGE_BYTES", 4_000_000)
    monkeypatch.setattr(reading, "TEXT_EDGE_BYTES", 4_000_000)
    monkeypatch.setattr(line_chunks, "CHUNK_BYTES", 16)
    monkeypatch.setattr(table_chunks, "BATCH_ROWS", 3)
    monkeypatch.setattr(sorted_rows, "ARC_BYTES", 3_000_000)
    monkeypatch.setattr(sorted_rows, "CELLS", 4)
    monkeypatch.setattr(text_numbers, "NAME_BYTES", 4_000_000)
    monkeypatch.setattr(text_numbers, "PIECE", 3)
    monkeypatch.setattr(integer_numbers, "NAME_BYTES", 4_000_000)
    monkeypatch.setattr(integer_numbers, "SAMPLE", 2)


def both(path: Path, **options) -> tuple[Graph, Graph, list[str], list[str]]:
    """Read a file in memory and convert it; give the graphs and the warnings of each."""
    out = path.with_name("out.grape")
    with warnings.catch_warnings(record=True) as of_reading:
        warnings.simplefilter("always")
        expected = read_graph(path, **options)
    with warnings.catch_warnings(record=True) as of_converting:
        warnings.simplefilter("always")
        found = convert(path, out, memory="10MB", **options)
    assert not out.with_name("out.grape.part").exists()
    said = [_clauses(path, each) for each in (of_reading, of_converting)]
    return expected, found, said[0], said[1]


def _clauses(path, caught):
    """Take warnings apart: reading says all in one line, and converting when it knows."""
    texts = [str(warning.message).removeprefix(f"{path}: ") for warning in caught]
    return sorted(clause for text in texts for clause in text.split("; "))


def assert_columns_are_same(one: Graph, other: Graph) -> None:
    """Compare the columns and splits of two graphs."""
    assert (one.columns is None) == (other.columns is None)
    for a, b in zip(one.columns or (), other.columns or (), strict=True):
        assert (a.name, a.kind, a.objects()) == (b.name, b.kind, b.objects())
    for s, t in zip(one.splits, other.splits, strict=True):
        for part in ("train", "validation", "test"):
            np.testing.assert_array_equal(getattr(s, part), getattr(t, part))


def write_edges(folder: Path, kind: str, ends: list[tuple[object, object]]) -> Path:
    """Write edges in one of the formats."""
    if kind in ("csv", "csv.gz"):
        path = folder / f"e.{kind}"
        text = "source,target\n" + "".join(f"{a},{b}\n" for a, b in ends)
        path.write_bytes(gzip.compress(text.encode()) if kind == "csv.gz" else text.encode())
        return path
    numbers = all(isinstance(end, int) for pair in ends for end in pair)
    column = pa.int64() if numbers else pa.string()
    columns = [pa.array([e if numbers else str(e) for e in side], column)
               for side in ([a for a, _ in ends], [b for _, b in ends])]  # fmt: skip
    table = pa.table({"source": columns[0], "target": columns[1]})
    path = folder / f"e.{kind}"
    if kind == "parquet":
        pyarrow.parquet.write_table(table, path, row_group_size=4)
    else:
        pyarrow.feather.write_feather(table, path, chunksize=4)
    return path


NAMES = {
    "few": st.integers(0, 6),
    "many": st.integers(0, 40),
    "sparse": st.sampled_from([0, 3, 10**9, 10**15, 2**62]),
    "texts": st.sampled_from(["a", "bb", "ann", "7", "é", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1"]),
    "mixed": st.one_of(st.integers(0, 5), st.sampled_from(["x", "y"])),
}


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "parquet", "arrow"])
@pytest.mark.parametrize("names", NAMES)
def test_the_graph_is_that_of_read_graph(kind, names, tiny, assert_same):
    @settings(max_examples=25, deadline=None)
    @given(st.lists(st.tuples(NAMES[names], NAMES[names]), max_size=40), st.booleans())
    def check(ends, directed):
        with tempfile.TemporaryDirectory() as folder:
            path = write_edges(Path(folder), kind, ends)
            expected, found, said, also_said = both(path, directed=directed)
            assert_same(found, expected)
            dropped = [words for words in said if "dropped" in words]
            assert [words for words in also_said if "dropped" in words] == dropped

    check()


def test_a_text_after_a_megabyte_of_numbers(tmp_path, assert_same):
    path = tmp_path / "e.csv"
    ends = np.random.default_rng(0).integers(0, 90_000, (100_000, 2)).tolist()
    path.write_text("".join(f"{a},{b}\n" for a, b in ends) + "7,ann")
    expected, found, _, _ = both(path)
    assert_same(found, expected)
    assert found.index_of(7) == found.index_of("7")


def test_random_graphs_with_default_sizes(tmp_path, assert_same):
    rng = np.random.default_rng(0)
    ends = rng.zipf(1.5, (30_000, 2)) % 5_000 * 7
    path = write_edges(tmp_path, "parquet", [tuple(pair) for pair in ends.tolist()])
    expected, found, _, _ = both(path)
    assert_same(found, expected)
    assert isinstance(found.names, np.ndarray)


def test_texts_after_chunks_of_integers(tmp_path, tiny, assert_same):
    lines = [f"{k} {k + 1}" for k in range(30)] + ["30 x", "x 3"]
    (tmp_path / "e.txt").write_text("\n".join(lines))
    expected, found, _, _ = both(tmp_path / "e.txt")
    assert_same(found, expected)
    assert found.name_of(31) == "x"


def test_columns_weights_and_notes(tmp_path, tiny, assert_same):
    (tmp_path / "e.csv").write_text("id,w,from,to\n0,1,a,b\n1,0,b,c\n2,5,c,a\n")
    for options in ({}, {"weight": "w"}, {"source": "id", "target": "to"}):
        expected, found, said, also = both(tmp_path / "e.csv", **options)
        assert_same(found, expected)
        assert said == also
        (tmp_path / "out.grape").rename(tmp_path / f"{len(options)}.grape")
    table = pa.table({"w": [1.0, 0, 5], "from": [8, 9, 4], "to": [9, 4, 8]})
    pyarrow.parquet.write_table(table, tmp_path / "e.parquet")
    expected, found, said, also = both(tmp_path / "e.parquet", weight="w")
    assert_same(found, expected)
    assert said == also


TABLE = """name;age;job;vip;joined;group;part
a;3,5;cook;yes;2024-02-29;x;train
b;;clerk;no;;y;test
c;7;cook;;2023-01-01;x;val
z;1;;no;2020-05-05;;train
"""


@pytest.mark.parametrize("options", [{}, {"label": "group"}, {"label": "age", "ignore": ["vip"]}])
def test_a_table_of_nodes(tmp_path, tiny, assert_same, options):
    (tmp_path / "e.csv").write_text("source,target\na,b\nb,c\nc,a\nc,d\n")
    (tmp_path / "n.csv").write_text(TABLE)
    expected, found, _, _ = both(tmp_path / "e.csv", nodes=tmp_path / "n.csv", **options)
    assert_same(found, expected)
    assert_columns_are_same(found, expected)
    assert found.name_of(4) == "z"
    assert len(found.columns) == len(expected.columns) >= 3


@pytest.mark.parametrize("label", ["kind", "amount", "word", "flag"])
def test_a_parquet_table_of_integer_nodes(tmp_path, tiny, assert_same, label):
    (tmp_path / "e.csv").write_text("5 9\n9 7\n7 5\n3 3\n")
    table = pa.table({
        "node": [9, 5, 100, 7], "kind": [0, 1, 1, 0], "amount": [0.5, None, 2.5, 1.0],
        "word": ["x", None, "y", "x"], "flag": [True, False, None, True],
        "train_mask": [1, 0, 0, 0], "val_mask": [0, 1, 0, 0], "test_mask": [0, 0, 0, 1],
    })  # fmt: skip
    pyarrow.parquet.write_table(table, tmp_path / "n.parquet")
    expected, found, said, also = both(
        tmp_path / "e.csv", nodes=tmp_path / "n.parquet", label=label
    )
    assert_same(found, expected)
    assert_columns_are_same(found, expected)
    assert len(said) == len(also)


def test_tables_that_do_not_fit_the_edges(tmp_path):
    (tmp_path / "e.csv").write_text("1 2\n2 3\n")
    for text, complaint in (
        ("id,age\n1,2\nx,3\n", r"row 1 of the column 'id' is 'x', while the edge list names nodes"),
        ("id,age\n1,2\n1,3\n", "row 0 and row 1 are about the same node"),
        ("id,age\n,2\n1,3\n", "row 0: the node name is empty"),
        ("id,age\n7,2\n8,3\n", "no name in the column 'id' is a node of the edge list; say by id="),
        (",name,age\n1,2,5\n2,1,3\n", "has no name and counts rows: say by id= which column has"),
        ("id,age\n7,2,5\n8,3\n", "found 3 columns where the first line has 2"),
    ):
        (tmp_path / "n.csv").write_text(text)
        with pytest.raises(GraphFileError, match=complaint):
            convert(tmp_path / "e.csv", tmp_path / "g.grape", nodes=tmp_path / "n.csv")
        shutil.rmtree(tmp_path / "g.grape.part", ignore_errors=True)
    (tmp_path / "n.csv").write_text("id,age\n1,2\n")
    with pytest.raises(GraphFileError, match=r"has no column 'team'; it has \['id', 'age'\]"):
        convert(tmp_path / "e.csv", tmp_path / "g.grape", nodes=tmp_path / "n.csv", label="team")


def test_other_formats_are_read_as_a_whole(tmp_path, triangle_with_tail, assert_same):
    triangle_with_tail.save(tmp_path / "g.npz")
    assert_same(convert(tmp_path / "g.npz", tmp_path / "g.grape"), triangle_with_tail)


# ------------------------------------------------------------------ bad input


def test_what_cannot_be_converted(tmp_path, triangle_with_tail):
    edges = tmp_path / "e.csv"
    edges.write_text("0 1\n")
    pyarrow.parquet.write_table(pa.table({"id": [1], "u": [2], "w": [3]}), tmp_path / "e.parquet")
    triangle_with_tail.save(tmp_path / "there.grape")
    cases = [
        (edges, "g.npz", {}, r"the name must end in \.grape"),
        (edges, "there.grape", {}, "is there already: choose another name, or remove it"),
        (edges, "none/g.grape", {}, "the folder .* does not exist"),
        (tmp_path / "no.csv", "g.grape", {}, r"no\.csv: no such file"),
        (edges, "g.grape", {"memory": "1KB"}, "memory='1KB' is too little"),
        (edges, "g.grape", {"memory": "much"}, "cannot read 'much' as a size"),
        (edges, "g.grape", {"label": "x"}, "the option label needs a node table"),
        (tmp_path / "e.parquet", "g.grape", {"source": "a", "target": "b"}, "has no column 'a'"),
        (tmp_path / "e.parquet", "h.grape", {}, "cannot tell which columns are the two ends"),
        (tmp_path / "e.parquet", "i.grape", {"header": True}, "the option header does not apply"),
    ]
    for path, out, options, complaint in cases:
        with pytest.raises(GraphError, match=complaint) as caught:
            convert(path, tmp_path / out, **options)
        assert "\n" not in str(caught.value)


def test_a_wrong_node_table_is_refused_before_the_edges_are_read(tmp_path, monkeypatch):
    def read(*_):
        raise AssertionError("read")

    (tmp_path / "e.csv").write_text("source,target\n0,1\n1,2\n")
    (tmp_path / "n.csv").write_text(",name,team\n0,0,red\n1,1,blue\n2,2,red\n")
    np.save(tmp_path / "x.npy", np.ones((3, 2)))
    np.save(tmp_path / "y.npy", np.ones(4, int))
    table, arrays = {"nodes": tmp_path / "n.csv"}, {name: tmp_path / f"{name}.npy" for name in "xy"}
    with monkeypatch.context() as patch:
        # The module is hidden behind the function of its name.
        patch.setattr(sys.modules["grape_gnn.graph.streaming.convert"], "read_chunks", read)
        for options, complaint in (
            ({**table, "label": "shoe"}, "has no column 'shoe'"),
            (table, "the first column has no name and counts rows: say by id="),
            (arrays, "has not as many rows as"),
        ):
            with pytest.raises(GraphFileError, match=complaint):
                convert(tmp_path / "e.csv", tmp_path / "g.grape", **options)
            assert not (tmp_path / "g.grape.part").exists()
    found = convert(tmp_path / "e.csv", tmp_path / "g.grape", **table, id="name", label="team")
    assert found.y.tolist() == [1, 0, 1]


def test_lines_and_tables_that_are_wrong(tmp_path, tiny):
    (tmp_path / "e.csv").write_text("a,b\n" * 20 + "a\n")
    with pytest.raises(GraphFileError, match=r"e\.csv, line 21: found 1 columns where the first"):
        convert(tmp_path / "e.csv", tmp_path / "a.grape")
    (tmp_path / "n.csv").write_text("1,2\n" * 20 + "3,-4\n")
    with pytest.raises(GraphFileError, match=r"n\.csv, line 21: node id -4 is negative"):
        convert(tmp_path / "n.csv", tmp_path / "b.grape")
    for column, complaint in (
        ([[1, 2]] * 10, r"row 0 of the column 'target': \[1, 2\] is not one node name"),
        (["a"] * 9 + [None], "row 9 of the column 'target': None is not a node name"),
        ([3] * 9 + [-1], "row 9 of the column 'target': -1 is negative"),
        ([3.0] * 9 + [0.5], "row 9 of the column 'target': .*0.5.* is not a node name"),
    ):
        table = pa.table({"source": [3] * 10, "target": column})
        pyarrow.parquet.write_table(table, tmp_path / "e.parquet")
        with pytest.raises(GraphFileError, match=complaint):
            convert(tmp_path / "e.parquet", tmp_path / f"{len(complaint)}.grape")
    (tmp_path / "e.parquet").write_bytes((tmp_path / "e.parquet").read_bytes()[:-9])
    with pytest.raises(GraphFileError, match="is not a readable Parquet or Arrow table"):
        convert(tmp_path / "e.parquet", tmp_path / "c.grape")


def test_repeated_edges_are_refused_if_so_wanted_and_then_nothing_is_lost(tmp_path):
    (tmp_path / "e.csv").write_text("0 1\n1 0\n2 2\n")
    with pytest.raises(GraphFileError, match="has 1 self-loop and 1 repeated edge among 3 edges"):
        convert(tmp_path / "e.csv", tmp_path / "g.grape", strict=True)
    with pytest.warns(GrapeWarning, match="dropped 1 self-loop and 1 repeated edge"):
        assert convert(tmp_path / "e.csv", tmp_path / "g.grape").num_edges == 1


def test_a_first_line_that_may_name_the_columns(tmp_path):
    (tmp_path / "e.csv").write_text("who,whom\nann,bob\nbob,cat\n")
    (tmp_path / "n.csv").write_text("name,age\nann,3\nbob,5\n")
    with pytest.warns(GrapeWarning, match="took the first line for an edge between 'who' and"):
        assert convert(tmp_path / "e.csv", tmp_path / "a.grape").num_nodes == 5
    with pytest.raises(GraphFileError, match="cannot tell whether to take the first line"):
        convert(tmp_path / "e.csv", tmp_path / "b.grape", nodes=tmp_path / "n.csv")
    assert convert(tmp_path / "e.csv", tmp_path / "c.grape", header=True).num_nodes == 3
    (tmp_path / "e.csv").write_text("name,name\nann,bob\nbob,cat\n")
    doubt = pytest.warns(GrapeWarning, match="between 'name' and 'name'")
    with doubt, pytest.warns(GrapeWarning, match="dropped 1 self-loop"):
        assert convert(tmp_path / "e.csv", tmp_path / "d.grape").num_nodes == 4


def test_more_nodes_than_can_be_numbered(tmp_path, monkeypatch):
    monkeypatch.setattr("grape_gnn.graph.streaming.numbering.MAX_NODES", 3)
    for number, line in enumerate(("0 1\n2 3\n", f"0 1\n2 {10**12}\n", "a b\nc d\n")):
        (tmp_path / "e.txt").write_text(line)
        with pytest.raises(GraphFileError, match="there are more than 3 nodes, which is the limit"):
            convert(tmp_path / "e.txt", tmp_path / f"{number}.grape", header=False)


# ------------------------------------------------------------------ interruptions


@pytest.mark.parametrize("names", ["few", "sparse", "texts"])
@pytest.mark.parametrize("directed", [False, True])
def test_cut_off_anywhere_it_goes_on(tmp_path, tiny, monkeypatch, assert_same, names, directed):
    rng = np.random.default_rng(3)
    words = {"few": range(9), "sparse": [5, 10**6, 10**15, 77, 10**9], "texts": "abcdefgh"}[names]
    ends = [tuple(rng.choice(len(words), 2)) for _ in range(16)]
    path = write_edges(tmp_path, "csv", [(words[a], words[b]) for a, b in ends])
    (tmp_path / "n.csv").write_text(
        "name,age\n" + "".join(f"{w},{k}\n" for k, w in enumerate(words))
    )
    options = {"nodes": tmp_path / "n.csv", "directed": directed}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = read_graph(path, **options)
    from grape_gnn.graph.streaming.workspace import Workspace

    note = Workspace.note
    for allowed in range(0, 200, 3):
        left = allowed

        def cut(self, step, **facts):
            nonlocal left
            if left == 0:
                raise KeyboardInterrupt
            left -= 1
            note(self, step, **facts)

        monkeypatch.setattr(Workspace, "note", cut)
        out = tmp_path / f"{allowed}.grape"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                convert(path, out, memory="10MB", **options)
            break
        except KeyboardInterrupt:
            assert not out.exists()
        monkeypatch.setattr(Workspace, "note", note)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = convert(path, out, memory="10MB", **options)
        assert_same(found, expected)
        assert_columns_are_same(found, expected)
    assert allowed > 10
