"""``grape explain``."""

from __future__ import annotations

import pytest

import grape_gnn as grape_library
from grape_gnn.cli.explain import _points
from grape_gnn.datasets.source import find_source
from grape_gnn.runs.training import train_run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "social"
    source = find_source("social-like", {"num_nodes": 100})
    return train_run(folder, source, {"epochs": 4, "hidden": 4}, templates="edge,3-path,triangle")


def test_weights_of_templates_and_roles_are_printed(grape, run):
    words = grape.output("explain", run.path, "--repeats", 1)
    assert "What the model learnt" in words
    for name in ("edge", "3-path", "triangle"):
        assert f"\n{name} " in words
    assert words.count("its own map") == 1
    assert words.count("role 1, mean") == words.count("role 1, log") == 3
    assert "role 2, mean" in words
    assert "Worth by label" in words


@pytest.mark.filterwarnings("ignore:no instance")
def test_templates_without_instances_are_worth_nothing_to_any_label(grape, tmp_path):
    asked = ("train", "planted-roles", "--option", "num_shapes=9", "--epochs", 2, "--hidden", 4)
    grape.output(*asked, "-t", "edge,6-clique", "--out", tmp_path / "r")
    words = grape.output("explain", tmp_path / "r", "--repeats", 1)
    assert "6-clique: no instance in the graph" in words
    worth = words[words.index("Worth by label") :]
    assert "edge" in worth
    assert "6-clique" not in worth
    assert "all 1 columns" not in words


def test_json_has_everything(grape, run):
    found = grape.json("explain", run.path, "--repeats", 2, "--seed", 5)
    assert [t["name"] for t in found["templates"]] == ["edge", "3-path", "triangle"]
    assert len(found["layers"]) == 2
    first = found["layers"][0]
    assert sum(first["share"]) + first["own"] == pytest.approx(1)
    importance = found["importance"]
    assert (importance["repeats"], importance["seed"]) == (2, 5)
    assert importance["accuracy"] == pytest.approx(run.metrics["validation_accuracy"])
    assert len(importance["role_drop"]) == 4
    empty = [k for k, count in enumerate(importance["support"]) if count == 0]
    assert all(importance["class_accuracy"][k] is None for k in empty)


def test_a_node_shows_its_sets(grape, run):
    words = grape.output("explain", run.path, "--node", 7, "--limit", 2)
    assert words.startswith("7: label ") or words.startswith("7: no label")
    assert "within 2 hops" in words
    assert "triangle, role 1" in words
    degree = run.graph().degrees[7]
    assert f"and {degree - 2} more" in words


def test_a_node_as_json(grape, run):
    found = grape.json("explain", run.path, "-n", 7, "--limit", 1000)
    wanted = grape_library.ego_role_counts(run.graph(), "3-path", 7)
    ends = next(s for s in found["sets"] if (s["template"]["name"], s["role"]) == ("3-path", 2))
    assert {m["name"]: m["count"] for m in ends["members"]} == wanted[2]
    assert ends["more"] == 0
    row = run.predictions()[7]
    assert (str(found["predicted"]), found["part"] or "") == (row.predicted, row.part)
    assert found["probability"] == pytest.approx(row.probability, abs=1e-5)


def test_what_cannot_be_explained(grape, run, tmp_path):
    assert "there is no such folder" in grape.error("explain", tmp_path / "nowhere")
    assert "no node is called 'nobody'" in grape.error("explain", run.path, "--node", "nobody")


def test_nothing_lost_has_no_minus():
    assert _points(-0.0002, 0.02) == "+0.0 ± 2.0"
    assert _points(-0.03, 0.0) == "-3.0 ± 0.0"
