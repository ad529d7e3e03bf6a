"""``grape train --task graph`` and ``grape predict`` on its run folders."""

from __future__ import annotations

import json
import re

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
    assert json.loads(grape.output("evaluate", trained, rings, "--json")) == {
        **found, "graph": str(rings),
    }  # fmt: skip
    words = grape.output("evaluate", trained, "--part", "all")
    assert "rings.txt, all labelled graphs" in words
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
        (("--graph", "40"), "no graph is called '40'; graphs are numbered 0..39"),
        (("--node", "3"), "give --graph NAME"),
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
        (("--weight", "w"), "--weight says nothing"),
        (("--directed",), "the option directed says nothing of"),
        (("--types", "t"), "the option types says nothing of"),
        (("--match-time", "soon"), "cannot read 'soon' as a duration"),
    ):
        assert complaint in grape.error("train", rings, "--task", "graph", *options)
    assert "is a dataset" in grape.error("train", "planted-roles", "--task", "graph")
    assert "--pair-layer is for whole graphs" in grape.error("train", "cora", "--pair-layer")
    for option in (
        ("--match-time", "1m"), ("--targets", rings), ("--graph-column", "g"),
        ("--edge-features", "km"),
    ):  # fmt: skip
        assert f"{option[0]} is for whole graphs" in grape.error("train", "cora", *option)
    assert "task='nonsense' is unknown" in grape.error("train", rings, "--task", "graph-nonsense")
    assert "for trainings with --task graph" in grape.error("explain", tmp_path, "--graph", "1")


def test_what_is_not_asked_for_is_as_the_estimator_has_it(trained):
    from grape_gnn import GrapeGraphClassifier

    usual, model = GrapeGraphClassifier(), GrapeGraphClassifier.load(trained / "model.safetensors")
    assert (model.hidden, model.epochs) == (8, 8)
    assert (model.layers, model.patience) == (usual.layers, usual.patience)


@pytest.fixture
def tables(tmp_path):
    """Give tables of bonds, atoms and targets, which say whether a double bond leads to an O."""
    bonds, atoms, targets = ["mol,a,b,order"], ["mol,atom,element"], ["mol,found"]
    for number in range(40):
        double = number % 2 == 0
        kinds = ["single"] * 3 + ["double" if double else "single"]
        bonds += [f"m{number},{k},{k + 1},{kind}" for k, kind in enumerate(kinds)]
        atoms += [f"m{number},{k},{'O' if k == 4 else 'C'}" for k in range(5)]
        targets.append(f"m{number},{'yes' if double else 'no'}")
    for name, lines in (("bonds", bonds), ("atoms", atoms), ("targets", targets)):
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


READING = ("--graph-column", "mol", "--source", "a", "--target", "b", "--edge-types", "order")


def test_tables_of_bonds_atoms_and_targets(grape, tables):
    run = tables / "run"
    nodes = ("--nodes", tables / "atoms.csv", "--types", "element")
    given = (*READING, *nodes, "--targets", tables / "targets.csv")
    facts = " ".join(grape.output("info", tables / "bonds.csv", "--task", "graph", *given).split())
    assert "graphs 40 of 5 to 5 nodes, mean 5.00" in facts
    assert "2 classes, 0 missing no: 20, yes: 20" in facts
    assert "node types 2 (C: 160, O: 40)" in facts
    assert "edge types 2 (single: 140, double: 20)" in facts
    options = ("--task", "graph", "--epochs", "12", "--hidden", "8", "--out", run)
    grape.output("train", tables / "bonds.csv", *given, *options, "-t", "0-1=double 1:O")
    assert json.loads((run / "metrics.json").read_text())["figures"]["test"]["accuracy"] == 1.0
    assert grape.output("predict", run) == (run / "predictions.csv").read_text()
    # Another file is read as that of the training was.
    table = grape.output("predict", run, tables / "bonds.csv", "--nodes", tables / "atoms.csv")
    assert len(table.splitlines()) == 41
    scored = ("--nodes", tables / "atoms.csv", "--targets", tables / "targets.csv", "--json")
    found = json.loads(grape.output("evaluate", run, tables / "bonds.csv", *scored))
    assert found["figures"]["accuracy"] == 1.0
    assert "give their table with --targets" in grape.error("evaluate", run, tables / "bonds.csv")


def test_numbers_on_edges_are_named_once(grape, tmp_path):
    edges = [f"g{k},{v},{v + 1},{k * v / 7},x" for k in range(40) for v in range(3)]
    roads = tmp_path / "roads.csv"
    roads.write_text("\n".join(["graph,u,v,km,name", *edges]) + "\n")
    prices = tmp_path / "prices.csv"
    prices.write_text("\n".join(["graph,price", *(f"g{k},{k / 2}" for k in range(40))]) + "\n")
    given = ("--task", "graph", "--edge-features", "km")
    assert "1 ('km')" in grape.output("info", roads, *given)
    assert json.loads(grape.output("info", roads, *given, "--json"))["edge_features"] == ["km"]
    small = ("--epochs", "3", "--hidden", "4", "--templates", "edge", "--targets", prices)
    run = tmp_path / "run"
    grape.output("train", roads, *given, *small, "--out", run)
    # Another file is read as that of the training was.
    assert len(grape.output("predict", run, roads).splitlines()) == 41
    bare = tmp_path / "bare.csv"
    bare.write_text("graph,u,v\na,0,1\n")
    assert "no column 'km' of edge features" in grape.error("predict", run, bare)
    assert "graph g7: label 3.5" in grape.output("explain", run, "--graph", "g7")
    assert json.loads(grape.output("explain", run, "--graph", "g7", "--json"))["graph"] == "g7"
    assert "are for many graphs" in grape.error("info", roads, "--edge-features", "km")


def test_whole_numbers_can_be_learnt_as_numbers(grape, rings, tmp_path):
    run = tmp_path / "run"
    options = ("--epochs", "2", "--hidden", "4", "--templates", "edge", "--out", run)
    grape.output("train", rings, "--task", "graph-regression", *options)
    assert "By how much the RMSE of the validation graphs grows when" in grape.output(
        "explain", run
    )
    grape.output("report", run)
    said = grape.output("explain", run, "--graph", "3") + (run / "report.html").read_text()
    numbers = re.findall(r"predicted (-?[0-9.]+)", said)
    assert len(numbers) == 7
    assert max(map(len, numbers)) <= 10  # a sign, a point, zeros and six digits
    assert json.loads((run / "metrics.json").read_text())["task"] == "regression"


def test_templates_that_do_not_fit_the_time_are_left_out_of_the_run(grape, tmp_path):
    lines = ["12"]
    for number in range(12):
        lines.append(f"30 {number % 2}")
        around = [[u for u in range(30) if u != v] for v in range(30)]
        lines += [" ".join(map(str, [v % 2, 29, *around[v]])) for v in range(30)]
    file, run = tmp_path / "dense.txt", tmp_path / "run"
    file.write_text("\n".join(lines) + "\n")
    options = ("--task", "graph", "--epochs", "2", "--hidden", "4", "--engine", "enumerate")
    words = grape.output(
        "train", file, *options, "-t", "edge,8-cycle", "--match-time", "1s", "--out", run
    )
    assert "left out:  8-cycle (--match-time)" in words
    config = json.loads((run / "config.json").read_text())
    assert [t["name"] for t in config["templates"]] == ["edge"]
    assert [t["name"] for t in config["skipped"]] == ["8-cycle"]
    assert "edge" in grape.output("explain", run)
    (run / "metrics.json").unlink()
    grape.output("train", "--resume", run)
