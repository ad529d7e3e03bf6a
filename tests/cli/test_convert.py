"""``grape convert``."""

from __future__ import annotations

import pytest

from grape_gnn.graph import read_graph


def test_a_graph_on_disk_is_taken_by_every_command(grape, friends, tmp_path):
    out = tmp_path / "friends.grape"
    assert "Graph(nodes=" in grape.output("convert", friends, out, "--memory", "50MB")
    facts = grape.json("info", out)
    plain = grape.json("info", friends)
    assert (facts["nodes"], facts["edges"]) == (plain["nodes"], plain["edges"])
    assert "--full counts" in grape.output("info", out)
    assert grape.json("info", out, "--full")["triangles"] == plain["triangles"]
    assert "triangle" in grape.output("match", out, "--templates", "triangle")


def test_a_folder_of_parts_is_a_table(grape, friends, tmp_path):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    folder = tmp_path / "edges.parquet"
    folder.mkdir()
    (folder / "_SUCCESS").touch()
    frame = pd.DataFrame({"source": ["ann", "bob", "cat"], "target": ["bob", "cat", "ann"]})
    frame[:2].to_parquet(folder / "part-0.parquet")
    frame[2:].to_parquet(folder / "part-1.parquet")
    assert "edges=3" in grape.output("convert", folder, tmp_path / "g.grape")
    assert grape.json("info", folder)["triangles"] == 1
    (folder / "part-1.parquet").write_text("ann,bob")
    for command in (("convert", folder, tmp_path / "h.grape"), ("info", folder)):
        assert "part-1.parquet: is not a readable Parquet" in grape.error(*command)


def test_errors_are_one_line(grape, friends, tmp_path):
    for words, complaint in (
        ((friends, tmp_path / "g.npz"), "must end in .grape"),
        ((friends, tmp_path / "g.grape", "--memory", "x"), "cannot read 'x' as a size"),
        ((friends, tmp_path / "g.grape", "--source", "a", "--target", "b"), "has no column 'a'"),
        (("cora", tmp_path / "g.grape", "--x", "x.npy"), "are for edge lists"),
    ):
        result = grape.run("convert", *words)
        assert result.exit_code == 2
        assert complaint in result.stderr
        assert len(result.stderr.splitlines()) == 1


def test_a_dataset_goes_to_disk_too(grape, tmp_path):
    grape.output("convert", "planted-roles", tmp_path / "g.grape")
    assert read_graph(tmp_path / "g.grape").label_names is not None
