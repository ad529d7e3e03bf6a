"""``grape profile``."""

from __future__ import annotations


def test_sums_and_largest_counts(grape, friends):
    orbits = grape.json("profile", friends, "--size", 3)["orbits"]
    assert [orbit["sum"] for orbit in orbits] == [8, 10, 5, 3]
    assert orbits[0] | {"at": "cat"} == orbits[0]
    assert "triangle" in grape.output("profile", friends)


def test_induced_edges(grape, friends):
    asked = ("profile", friends, "--size", 3, "--of", "edges")
    assert [orbit["sum"] for orbit in grape.json(*asked)["orbits"]] == [10, 3]
    assert [orbit["sum"] for orbit in grape.json(*asked, "--induced")["orbits"]] == [4, 3]
    assert "cat-dan" in grape.output(*asked, "--induced")


def test_all_counts_in_a_file(grape, friends, tmp_path):
    out = tmp_path / "orbits.csv"
    assert str(out) in grape.output("profile", friends, "--size", 2, "--out", out).replace("\n", "")
    assert out.read_text() == "node,0 edge\nann,2\nbob,2\ncat,3\ndan,1\n"
    grape.output("profile", friends, "--size", 3, "--of", "edges", "--induced", "--out", out)
    assert out.read_text().splitlines()[-1] == "cat,dan,2,0"


def test_bad_sizes_are_named(grape, friends):
    assert "size=6" in grape.error("profile", friends, "--size", 6)
    assert "of='pairs'" in grape.error("profile", friends, "--of", "pairs")


def test_the_empty_graph(grape, tmp_path):
    path = tmp_path / "empty.csv"
    path.write_text("source,target\n")
    assert [orbit["at"] for orbit in grape.json("profile", path)["orbits"]] == [None] * 15
