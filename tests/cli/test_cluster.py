"""``grape cluster``."""

from __future__ import annotations

import csv

import networkx as nx
import pytest


@pytest.fixture
def barbell(tmp_path):
    """Write two bells of five, joined by a chain of three."""
    path = tmp_path / "barbell.csv"
    rows = [f"n{a},n{b}\n" for a, b in nx.barbell_graph(5, 3).edges]
    path.write_text("source,target\n" + "".join(rows))
    return path


def test_clusters_with_reasons(grape, barbell, tmp_path):
    out, svg = tmp_path / "roles.csv", tmp_path / "roles.svg"
    words = grape.output("cluster", barbell, "--clusters", 3, "--out", out, "--svg", svg)
    assert "13 nodes in 3 clusters; silhouette" in words
    assert "(others" in words
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert len(rows) == 13
    assert {row["cluster"] for row in rows} == {"0", "1", "2"}
    assert "dimension 1" in rows[0]
    assert svg.read_text().count("<circle") == 13


def test_json_has_all_nodes_and_marks(grape, barbell):
    found = grape.json("cluster", barbell)
    assert sum(row["size"] for row in found["clusters"]) == 13
    assert sorted(n for row in found["clusters"] for n in row["nodes"])[0] == "n0"
    first = found["clusters"][0]
    assert sorted(first["nodes"]) == ["n0", "n1", "n10", "n11", "n12", "n2", "n3", "n9"]
    assert first["marks"][0]["inside"] > first["marks"][0]["outside"]
    best = max(found["silhouettes"], key=lambda k: found["silhouettes"][k])
    assert len(found["clusters"]) == int(best)


def test_similar_nodes(grape, barbell):
    found = grape.json("cluster", barbell, "--similar", "n5", "--limit", 2)["similar"]
    assert found[0] == {"node": "n7", "distance": 0.0}
    assert len(found) == 2
    assert "n7" in grape.output("cluster", barbell, "--similar", "n5")


def test_parquet(grape, barbell, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "roles.parquet"
    grape.output("cluster", barbell, "--hops", 1, "--dimensions", 2, "--out", out)
    table = pq.read_table(out)
    assert table.column_names == ["node", "cluster", "dimension 1", "dimension 2"]
    assert table.num_rows == 13


def test_bad_input_is_one_line(grape, barbell, tmp_path):
    assert ".csv or .parquet" in grape.error("cluster", barbell, "--out", tmp_path / "x.txt")
    assert "zoe" in grape.error("cluster", barbell, "--similar", "zoe")
    assert "is directed" in grape.error("cluster", barbell, "--directed")
    assert "does not exist" in grape.error("cluster", barbell, "--svg", tmp_path / "no" / "x.svg")
