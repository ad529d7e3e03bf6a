"""``grape significance``."""

from __future__ import annotations

import csv


def test_scores_of_templates(grape, friends):
    found = grape.json("significance", friends, "-t", "edge,triangle", "--samples", 20)
    assert [row["observed"] for row in found["templates"]] == [4, 1]
    assert found["templates"][0]["z"] is None
    assert set(found["mixing"]) == {"accepted", "kept_half", "kept"}
    text = grape.output("significance", friends, "-t", "edge", "--samples", 5)
    assert "z is none where all rewired graphs have the same count" in text
    assert "5 rewired graphs (null: degrees)" in text


def test_files(grape, friends, tmp_path):
    svg, table, counts = (tmp_path / name for name in ("a.svg", "nodes.csv", "counts.jsonl"))
    asked = ("significance", friends, "-t", "3-path", "--samples", 4)
    options = ("--svg", svg, "--per-node", table, "--out", counts)
    assert str(svg) in grape.output(*asked, *options).replace("\n", "")
    assert svg.read_text().startswith("<svg")
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert len(rows) == 4 * 3
    assert rows[-1] | {"node": "dan", "role": "3-path, role 2", "observed": "2"} == rows[-1]
    before = counts.read_text()
    grape.output(*asked, *options)
    assert counts.read_text() == before


def test_bad_input_is_one_line(grape, friends, tmp_path):
    asked = ("significance", friends, "-t", "triangle")
    assert "--null erdos is unknown" in grape.error(*asked, "--null", "erdos")
    assert "use --null degrees" in grape.error(*asked, "--null", "labels")
    assert "samples=1 must be at least 2" in grape.error(*asked, "--samples", 1)
    assert "does not exist" in grape.error(*asked, "--svg", tmp_path / "nowhere" / "a.svg")
