"""``grape differ``, ``grape separate`` and ``grape colours``."""

from __future__ import annotations

import networkx as nx
import pytest


@pytest.fixture
def rings(tmp_path):
    """Write a ring of six and two of three."""
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text("source,target\na,b\nb,c\nc,d\nd,e\ne,f\nf,a\n")
    two.write_text("source,target\na,b\nb,c\nc,a\nd,e\ne,f\nf,d\n")
    return one, two


def test_nodes_that_differ(grape, friends, tmp_path):
    picture = tmp_path / "why.svg"
    words = grape.output("differ", friends, "ann", "cat", "--svg", picture)
    assert "edge tells ann from cat" in words
    assert "instances: 2 around ann, 3 around cat" in words
    assert picture.read_text().startswith("<svg")
    data = grape.json("differ", friends, "ann", "cat", "--templates", "triangle,3-path")
    assert data["template"]["name"] == "3-path"
    assert data["names"] == ["ann", "cat"]


def test_nodes_in_one_orbit(grape, friends):
    words = grape.output("differ", friends, "ann", "bob")
    assert "ann and bob are in one orbit: no template can tell them apart" in words
    assert "ann to bob, bob to ann" in words


def test_graphs_by_their_files(grape, rings, tmp_path):
    picture = tmp_path / "why.svg"
    words = grape.output("separate", *rings, "--svg", picture)
    assert f"triangle tells {rings[0]} from {rings[1]}" in words
    assert f"instances: 0 in {rings[0]}, 6 in {rings[1]}" in words
    assert f"written: {picture}" in words
    assert grape.json("separate", rings[0], rings[0])["isomorphic"] is True
    assert grape.json("separate", *rings, "--size", 2)["template"] is None


def test_options_of_reading_are_for_both(grape, rings):
    asked = ("separate", *rings, "--directed")
    assert grape.json(*asked)["template"]["text"] == "0>1 0<2 1>2"


def test_colours_of_nodes_and_graphs(grape, friends, rings, tmp_path):
    words = grape.output("colours", friends, "--templates", "edge")
    assert "4 nodes in 3 colours after 1 round" in words
    assert "2   ann, bob" in words
    data = grape.json("colours", *rings, rings[0], "-t", "edge,triangle")
    assert data["graphs"] == [0, 1, 0]
    assert grape.json("colours", *rings, "-t", "edge")["graphs"] == [0, 0]
    picture = tmp_path / "colours.svg"
    assert "3 graphs in 2 classes" in grape.output(
        "colours", *rings, rings[0], "-t", "edge", "-t", "triangle", "--svg", picture
    )
    assert picture.read_text().startswith("<svg")


def test_colours_of_a_file_of_many_graphs(grape, tmp_path):
    file = tmp_path / "pairs.g6"
    ring, triangles = nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    graphs = (ring, triangles, ring)
    file.write_bytes(b"".join(nx.to_graph6_bytes(each, header=False) for each in graphs))
    assert grape.json("colours", file, "-t", "edge")["graphs"] == [0, 0, 0]
    found = grape.json("colours", file, "-t", "edge,triangle")
    assert (found["graphs"], found["files"]) == ([0, 1, 0], ["0", "1", "2"])
    assert "3 graphs in 2 classes" in grape.output("colours", file, "-t", "edge,triangle")
    assert "3 graphs in 1 class\n" in grape.output("colours", file, "-t", "edge")
    assert "is a file of many graphs, and a single one" in grape.error("separate", file, file)


def test_errors_are_one_line(grape, friends, rings, tmp_path):
    assert "no such file" in grape.error("separate", friends, tmp_path / "none.csv")
    assert "nobody" in grape.error("differ", friends, "ann", "nobody")
    assert "same node" in grape.error("differ", friends, "ann", "ann")
    assert "sees='all' is unknown" in grape.error("colours", friends, "-t", "edge", "--sees", "all")
    missing = tmp_path / "no" / "why.svg"
    assert "does not exist" in grape.error("separate", *rings, "--svg", missing)
