"""``grape convert``."""

from __future__ import annotations

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
