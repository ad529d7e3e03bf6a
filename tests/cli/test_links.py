"""``grape links``."""

from __future__ import annotations

import pytest


@pytest.fixture
def clubs(tmp_path):
    """Write two clubs of six with a link missing in each, joined by one link."""
    names = [f"{club}{k}" for club in "ab" for k in range(6)]
    rows = [
        f"{x},{y}\n"
        for i, x in enumerate(names)
        for y in names[:i]
        if x[0] == y[0] and {x[1], y[1]} != {"0", "1"}
    ]
    path = tmp_path / "clubs.csv"
    path.write_text("source,target\n" + "".join(rows) + "a5,b5\n")
    return path


def test_suggestions_with_reasons(grape, clubs, tmp_path):
    folder = tmp_path / "reasons"
    words = grape.output("links", clubs, "--suggest", 2, "--svg", folder)
    assert "4 common neighbours: " in words
    found = grape.json("links", clubs, "--suggest", 2)["suggestions"]
    assert sorted(sorted(row["pair"]) for row in found) == [["a0", "a1"], ["b0", "b1"]]
    assert [file.name for file in sorted(folder.iterdir())] == ["001.svg", "002.svg"]
    assert (folder / "001.svg").read_text().startswith("<svg")


def test_evaluation(grape, clubs, tmp_path):
    out = tmp_path / "figures.json"
    words = grape.output("links", clubs, "--evaluate", "--splits", 2, "--out", out)
    assert "Adamic-Adar" in words
    assert "2 splits" in words
    assert len(grape.json("links", clubs, "--evaluate", "--splits", 2, "--out", out)["splits"]) == 2


def test_nothing_to_suggest(grape, tmp_path):
    path = tmp_path / "couples.csv"
    path.write_text("source,target\n" + "".join(f"a{k},b{k}\n" for k in range(5)))
    assert "there is nothing to suggest" in grape.output("links", path)


def test_directed_graphs_are_refused(grape, clubs):
    assert "directions are not supported" in grape.error("links", clubs, "--directed")
