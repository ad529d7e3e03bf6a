"""``grape orbits``."""

from __future__ import annotations


def test_classes_by_name(grape, friends):
    words = grape.output("orbits", friends)
    assert "4 nodes in 3 classes; 2 nodes are like no other" in words
    assert "2   ann, bob" in words
    assert grape.json("orbits", friends)["classes"] == [["ann", "bob"], ["cat"], ["dan"]]


def test_labels_break_symmetries(grape, friends, tmp_path):
    table = tmp_path / "people.csv"
    table.write_text("name,team\nann,red\nbob,blue\ncat,red\ndan,red\n")
    asked = ("orbits", friends, "--nodes", table, "--label", "team")
    assert len(grape.json(*asked)["classes"]) == 3
    assert len(grape.json(*asked, "--use-labels")["classes"]) == 4
    assert "4 nodes are like no other" in grape.output(*asked, "--use-labels")


def test_long_lists_are_cut(grape, tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("".join(f"c,s{k}\n" + f"s{k},l{k}\n" * (k % 2) for k in range(30)))
    assert "and 2 smaller classes" in grape.output("orbits", path, "--limit", 1)
    assert "smaller classes" not in grape.output("orbits", path, "--limit", 0)


def test_the_empty_graph(grape, tmp_path):
    path = tmp_path / "empty.csv"
    path.write_text("source,target\n")
    assert grape.json("orbits", path)["classes"] == []
    assert "0 nodes in 0 classes" in grape.output("orbits", path)
