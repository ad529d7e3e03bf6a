"""Role matches as tables: true to the operators, by the nodes' own names, piece by piece."""

from __future__ import annotations

import csv
import gzip
import io

import numpy as np
import pytest

from grape_gnn import Graph, count_instances, ego_role_counts, match
from grape_gnn.errors import MatchError
from grape_gnn.roles import table
from grape_gnn.testing import gnp

pd = pytest.importorskip("pandas")
NAMES = ["ann", "Dumas, A.", 'the "cat"', "line\nbreak", " blank", "", "=1+1", "Zoë"]


@pytest.fixture
def named():
    """Give a graph whose names need quoting."""
    edges = gnp(8, 0.5, seed=3).edge_array()
    return Graph.from_edges(*edges.T, names=NAMES)


def expected(graph, names):
    """Work out all rows from single egos."""
    rows = []
    for name in names:
        for ego in range(graph.num_nodes):
            counts = ego_role_counts(graph, name, graph.name_of(ego))
            for role, members in enumerate(counts[1:], start=1):
                for who, n in members.items():
                    rows.append((graph.name_of(ego), name, role, who, n))
    return sorted(rows, key=str)


@pytest.mark.parametrize("engine", ["algebra", "enumerate"])
def test_a_frame_has_every_pair_by_name(named, engine):
    frame = match(named, "3-path,triangle", engine=engine).to_pandas()
    assert list(frame.columns) == list(table.COLUMNS)
    rows = sorted(frame.itertuples(index=False, name=None), key=str)
    assert rows == expected(named, ["3-path", "triangle"])
    assert frame["count"].dtype == np.int64


def test_csv_and_parquet_come_back_as_they_were(named, tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(table, "_ROWS", 7)  # many pieces
    roles = match(named, ["3-path", "triangle"])
    wanted = expected(named, ["3-path", "triangle"])
    for name in ("roles.csv", "roles.csv.gz", "roles.parquet"):
        roles.write_table(tmp_path / name)
    packed = gzip.decompress((tmp_path / "roles.csv.gz").read_bytes())
    for text in ((tmp_path / "roles.csv").read_bytes(), packed):
        head, *rows = csv.reader(io.StringIO(text.decode(), newline=""))
        assert head == list(table.COLUMNS)
        assert sorted(((e, t, int(r), m, int(n)) for e, t, r, m, n in rows), key=str) == wanted
    rows = parquet.read_table(tmp_path / "roles.parquet").to_pylist()
    assert sorted((tuple(row.values()) for row in rows), key=str) == wanted


def test_integer_names_stay_integers(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    graph = Graph.from_edges([0, 1], [1, 2], names=[10, 7, 900])
    frame = match(graph, "edge").to_pandas()
    assert frame["ego"].tolist() == [10, 7, 7, 900]
    assert frame["member"].dtype == np.int64
    match(graph, "edge").write_table(tmp_path / "roles.parquet")
    assert parquet.read_table(tmp_path / "roles.parquet")["ego"].to_pylist() == [10, 7, 7, 900]


def test_sampled_counts_are_fractions_and_empty_results_are_tables(tmp_path):
    graph = gnp(30, 0.5, seed=1)
    sampled = match(graph, "4-path", engine="incremental", sample=9)
    assert sampled.to_pandas()["count"].dtype == np.float64
    empty = match(Graph.from_edges([], [], 3), "triangle")
    assert empty.to_pandas().shape == (0, 5)
    for name in ("none.csv", "none.parquet"):
        empty.write_table(tmp_path / name)
    assert (tmp_path / "none.csv").read_text() == "ego,template,role,member,count\n"
    match(Graph.from_edges([], [], 0), "edge").write_table(tmp_path / "none.parquet")


def test_a_failure_leaves_the_old_table(named, tmp_path, monkeypatch):
    target = tmp_path / "roles.csv"
    target.write_text("old")
    roles = match(named, "triangle")

    def broken(self):
        raise MemoryError

    monkeypatch.setattr(type(roles[0][1]), "to_scipy", broken)
    with pytest.raises(MemoryError):
        roles.write_table(target)
    assert [path.name for path in tmp_path.iterdir()] == ["roles.csv"]
    assert target.read_text() == "old"
    with pytest.raises(MatchError, match=r"must end in \.csv or \.csv\.gz or \.parquet"):
        roles.write_table(tmp_path / "roles.xlsx")


def test_instances_as_a_frame(named):
    frame = count_instances(named, "edge,triangle", as_frame=True)
    assert frame.index.tolist() == NAMES
    assert frame.columns.tolist() == ["edge", "triangle"]
    assert frame.to_numpy().tolist() == count_instances(named, "edge,triangle").tolist()
