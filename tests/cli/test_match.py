"""``grape match``."""

from __future__ import annotations

import grape_gnn
from grape_gnn.testing import gnp


def test_roles_are_written_and_summarised(grape, friends, tmp_path):
    out = tmp_path / "roles.npz"
    words = grape.output("match", friends, "--templates", "social", "--out", out)
    assert "tailed-triangle" in words
    assert "4 nodes, 4 edges; weighting count, non-induced" in words
    assert f"written: {out}" in words
    loaded = grape_gnn.load_roles(out)
    expected = grape_gnn.match(grape_gnn.read_graph(friends), "social")
    assert [r.totals.tolist() for r in loaded] == [r.totals.tolist() for r in expected]
    assert loaded[1][2].members("ann") == {"bob": 1, "cat": 1, "dan": 1}


def test_roles_as_tables(grape, friends, tmp_path):
    out = tmp_path / "roles.csv"
    words = grape.output("match", friends, "-t", "triangle,3-path", "-o", out)
    assert "7 + 10" in words  # pairs by role of the path
    lines = out.read_text().splitlines()
    assert lines[:3] == [
        "ego,template,role,member,count", "ann,triangle,1,bob,1", "ann,triangle,1,cat,1",
    ]  # fmt: skip
    assert len(lines) == 1 + 6 + 7 + 10
    data = grape.json("match", friends, "-t", "triangle", "-o", tmp_path / "roles.parquet")
    assert [role["pairs"] for role in data["templates"][0]["roles"]] == [4, 6]


def test_json_summary(grape, friends):
    data = grape.json("match", friends, "-t", "triangle,3-path", "-t", "0-1")
    assert [t["text"] for t in data["templates"]] == ["0-1 0-2 1-2", "0-1 1-2", "0-1"]
    path = data["templates"][1]
    assert (path["instances"], path["egos"], path["truncated"]) == (10, 4, False)
    assert [role["pairs"] for role in path["roles"]] == [4, 7, 10]
    assert (data["out"], data["truncated"], data["weighting"]) == (None, False, "count")
    assert data["seconds"] >= 0


def test_every_option_reaches_the_library(grape, friends, tmp_path):
    out = tmp_path / "roles.npz"
    grape.output(
        "match", friends, "-t", "3-path", "-o", out, "--weighting", "set", "--induced",
        "--engine", "esu", "--threads", 1, "--memory", "1GB", "--time", "1m", "--instances", 99,
    )  # fmt: skip
    loaded = grape_gnn.load_roles(out)
    assert (loaded.weighting, loaded.induced) == ("set", True)
    assert loaded[0].totals.sum() == 4


def test_sampling_is_seeded_and_said(grape, tmp_path):
    graph = tmp_path / "g.npz"
    gnp(40, 0.5, seed=1).save(graph)
    asked = ("match", graph, "-t", "4-path", "--engine", "incremental", "--sample", 20)
    assert "about " in grape.output(*asked)
    first, again, other = (grape.json(*asked, "--seed", seed)["templates"][0] for seed in (1, 1, 2))
    assert first["sampled"] is True
    assert first["roles"] == again["roles"] != other["roles"]


def test_budgets_fail_or_give_a_flagged_part(grape, tmp_path):
    graph = tmp_path / "g.npz"
    gnp(60, 0.5, seed=1).save(graph)
    asked = ("match", graph, "-t", "4-path", "--instances", 1000, "--engine", "enumerate")
    message = grape.error(*asked)
    assert "the instances budget of 1,000 instances is not enough" in message
    assert "allow more with --instances" in message
    assert "--partial" in message
    result = grape.run(*asked, "--partial", "--json")
    assert result.exit_code == 0
    assert '"truncated": true' in result.stdout
    assert result.stderr.startswith("warning: 4-path is incomplete: the budget sufficed for ")


def test_a_bad_target_is_refused_before_the_work(grape, friends, tmp_path):
    assert "must end in .csv, .csv.gz, .parquet or .npz" in grape.error(
        "match", friends, "-t", "edge", "-o", "roles.xlsx"
    )
    nowhere = tmp_path / "no" / "roles.npz"
    assert "does not exist" in grape.error("match", friends, "-t", "edge", "-o", nowhere)


def test_wrong_values_are_the_librarys_messages(grape, friends):
    assert "unknown engine 'fast'" in grape.error(
        "match", friends, "-t", "edge", "--engine", "fast"
    )
    assert "cannot read 'soon' as a duration" in grape.error(
        "match", friends, "-t", "edge", "--time", "soon"
    )


def test_the_empty_graph_has_no_instances(grape, tmp_path):
    path = tmp_path / "empty.csv"
    path.write_text("source,target\n")
    data = grape.json("match", path, "-t", "social")
    assert [t["instances"] for t in data["templates"]] == [0] * 5
