"""``grape train --task graph`` and ``grape predict`` on its run folders."""

from __future__ import annotations

import json

import networkx as nx
import pytest


@pytest.fixture
def rings(tmp_path):
    """Give a file of rings and paths."""
    lines = ["40"]
    for number in range(40):
        n = 4 + number // 2
        graph = nx.cycle_graph(n) if number % 2 else nx.path_graph(n)
        lines.append(f"{n} {number % 2}")
        for v in graph:
            around = sorted(graph[v])
            lines.append(" ".join(map(str, [0, len(around), *around])))
    file = tmp_path / "rings.txt"
    file.write_text("\n".join(lines) + "\n")
    return file


def test_a_run_folder_is_made_and_asked(grape, rings, tmp_path):
    run = tmp_path / "run"
    options = ("--task", "graph", "--epochs", "8", "--hidden", "8", "--templates", "edge,3-path")
    words = grape.output("train", rings, *options, "--out", run)
    assert "40 graphs with 540 nodes" in words
    names = {file.name for file in run.iterdir()}
    assert {
        "config.json", "history.json", "metrics.json", "model.safetensors", "predictions.csv",
    } <= names  # fmt: skip
    assert "checkpoint.safetensors" not in names
    metrics = json.loads((run / "metrics.json").read_text())
    assert metrics["graphs"] == 40
    assert metrics["parts"] == {"train": 24, "validation": 8, "test": 8}
    first = (run / "predictions.csv").read_text().splitlines()
    assert first[0] == "graph,label,predicted,probability,part"
    table = grape.output("predict", run, rings)
    assert len(table.splitlines()) == 41
    assert grape.output("predict", run) == (run / "predictions.csv").read_text()


@pytest.fixture
def trained(grape, rings, tmp_path):
    """Give a run on rings and paths, with a pair layer."""
    run = tmp_path / "trained"
    options = ("--task", "graph", "--epochs", "8", "--hidden", "8", "--templates", "edge,3-path")
    grape.output("train", rings, *options, "--pair-layer", "--out", run)
    return run


def test_it_is_evaluated(grape, rings, trained):
    found = json.loads(grape.output("evaluate", trained, "--json"))
    assert found["graphs"] == 8
    assert "nodes" not in found
    assert found["part"] == "test"
    assert sum(map(sum, found["confusion"])) == 8
    assert found["figures"] == json.loads((trained / "metrics.json").read_text())["figures"]["test"]
    assert json.loads(grape.output("evaluate", trained, rings, "--json"))["graphs"] == 40
    words = grape.output("evaluate", trained, "--part", "all")
    assert "rings.txt, all graphs" in words
    assert "largest class" in words


def test_it_is_explained(grape, trained, tmp_path):
    worth = json.loads(grape.output("explain", trained, "--json"))["roles"]
    assert [(role["template"], role["role"]) for role in worth] == [
        ("edge", 1), ("3-path", 1), ("3-path", 2),
    ]  # fmt: skip
    figure = tmp_path / "graph.svg"
    words = grape.output("explain", trained, "--graph", "3", "--figure", figure)
    assert "graph 3: label 1" in words
    assert figure.read_text().startswith("<svg")
    one = json.loads(grape.output("explain", trained, "--graph", "3", "--json"))
    assert one["strongest"] in one["nodes"]
    assert len(one["nodes"]) == 5
    for options, complaint in (
        (("--graph", "40"), "numbered 0 to 39"),
        (("--node", "3"), "give --graph NUMBER"),
        (("--figure", figure), "choose it with --graph"),
    ):
        assert complaint in grape.error("explain", trained, *options)


def test_it_is_reported(grape, trained):
    grape.output("report", trained)
    page = (trained / "report.html").read_text()
    assert "GRAPE on rings.txt" in page
    assert "of the 8 test graphs are predicted right" in page
    assert page.count("<svg class='ego'") == 6
    assert "test nodes" not in page
    assert "leave out the node" in grape.error("report", trained, "--node", "1")


def test_an_interrupted_run_goes_on_to_the_same_result(grape, rings, tmp_path):
    from grape_gnn.runs.graph_run import train_graph_run

    def stop(_, history):
        if len(history.epochs) == 27:
            raise KeyboardInterrupt

    options = {"epochs": 30, "hidden": 4, "layers": 1, "patience": 30}
    run, whole = tmp_path / "run", tmp_path / "whole"
    with pytest.raises(KeyboardInterrupt):
        train_graph_run(run, rings, {}, options, templates="edge", progress=stop)
    assert "this training is not finished; go on with" in grape.error("evaluate", run)
    grape.output("train", "--resume", run)
    train_graph_run(whole, rings, {}, options, templates="edge")
    for name in ("predictions.csv", "history.json"):
        assert (run / name).read_text() == (whole / name).read_text()
    assert json.loads((run / "metrics.json").read_text())["resumed"] is True


def test_refusals_are_one_line(grape, rings, tmp_path):
    for options, complaint in (
        (("--edge-only",), "--edge-only is for nodes"),
        (("--tune", "1m"), "--tune and --label-inputs are for nodes"),
        (("--directed",), "--directed says nothing"),
    ):
        assert complaint in grape.error("train", rings, "--task", "graph", *options)
    assert "is a dataset" in grape.error("train", "planted-roles", "--task", "graph")
    assert "--pair-layer is for whole graphs" in grape.error("train", "cora", "--pair-layer")
    assert "for trainings with --task graph" in grape.error("explain", tmp_path, "--graph", "1")


def test_what_is_not_asked_for_is_as_the_estimator_has_it(trained):
    from grape_gnn import GrapeGraphClassifier

    usual, model = GrapeGraphClassifier(), GrapeGraphClassifier.load(trained / "model.safetensors")
    assert (model.hidden, model.epochs) == (8, 8)
    assert (model.layers, model.patience) == (usual.layers, usual.patience)
