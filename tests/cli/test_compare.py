"""``grape compare``: the table, going on, and refusals."""

from __future__ import annotations

import json
import os
import signal
import sys
import time

import numpy as np
import pytest

from grape_gnn.comparison import PROFILES, Profile
from grape_gnn.datasets.source import GraphSource
from grape_gnn.training import random_split, read_results

SHAPES = ("planted-roles", "--option", "num_shapes=9")
ONE_POINT = {"hidden": (8,), "dropout": (0.0,), "weight_decay": (0.0,), "learning_rate": (0.01,)}


@pytest.fixture
def quick(monkeypatch):
    """Make trainings so short that only the bookkeeping is left."""
    monkeypatch.setitem(PROFILES, "quick", Profile("quick", ONE_POINT, epochs=3))


@pytest.mark.usefixtures("quick")
def test_table_files_and_going_on(grape, tmp_path):
    out = tmp_path / "cmp"
    words = ["compare", *SHAPES, "-m", "mlp,grape", "--features", "constant,random", "-o", out]
    result = grape.run(*words, "--seeds", 2)
    assert result.exit_code == 0
    assert "planted-roles, constant features" in result.stdout
    assert "planted-roles, random features" in result.stdout
    assert "1   grape" in result.stdout
    assert "(mlp)" in result.stdout
    assert "tied with the first within one standard error" in result.stdout
    assert result.stdout.count("all metrics of the test nodes, means over the runs") == 2
    for words_of_metric in ("average", "calibration", "weighted", "ROC"):
        assert words_of_metric in result.stdout
    assert "GRAPE (1/4, constant)" in result.stderr or "MLP (1/4, constant)" in result.stderr
    trainings = read_results(out / "results.jsonl")
    assert sum(training.stage == "run" for training in trainings) == 2 * 2 * 2

    more = json.loads(grape.output(*words, "--seeds", 3, "--json"))
    assert len(read_results(out / "results.jsonl")) == len(trainings) + 4
    assert {row["runs"] for row in more["rows"]} == {3}
    for row in more["rows"]:
        assert row["figures"]["accuracy"] == pytest.approx(row["mean"] / 100)
        assert {"roc-auc", "average-precision", "weighted-f1", "log-loss"} < set(row["figures"])
    heads = (
        "| macro F1 | weighted F1 | ROC AUC | average precision | log loss | calibration error |"
    )
    assert heads in (out / "table.md").read_text()
    assert json.loads((out / "table.json").read_text()) == more["rows"]
    assert "| planted-roles | constant | grape |" in (out / "table.md").read_text()
    config = json.loads((out / "config.json").read_text())
    assert (config["kind"], config["seeds"]) == ("compare", 3)


@pytest.mark.usefixtures("quick")
def test_defaults_and_config_files(grape, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "c.toml"
    text = 'graph = "planted-roles"\noption = "num_shapes=9"\nmethods = ["mlp"]\nseeds = 1\n'
    file.write_text(text)
    rows = json.loads(grape.output("compare", "--config", file, "--json"))["rows"]
    assert [(row["method"], row["features"]) for row in rows] == [("mlp", "original")]
    assert (tmp_path / "runs" / "compare-planted-roles" / "results.jsonl").exists()


@pytest.mark.usefixtures("quick")
def test_a_file_with_a_node_table(grape, teams, tmp_path):
    words = ["compare", *teams, "-m", "mlp", "--seeds", 1, "-o", tmp_path / "cmp", "--json"]
    (row,) = json.loads(grape.output(*words))["rows"]
    assert (row["dataset"], row["features"]) == ("ring", "original")


@pytest.mark.usefixtures("quick")
def test_published_splits_and_the_metric_of_the_authors(grape, teams, tmp_path, monkeypatch):
    fixed = [random_split(np.arange(40) % 2, seed, (0.4, 0.3, 0.3)) for seed in range(2)]
    monkeypatch.setattr(GraphSource, "splits", lambda source: fixed)
    monkeypatch.setattr(GraphSource, "metric", "roc-auc")
    out = tmp_path / "cmp"
    words = ["compare", *teams, "-m", "mlp", "--profile", "quick", "-o", out]
    shown = grape.output(*words, "--seeds", 2)
    assert "Test ROC AUC in percent" in shown
    assert "test ROC AUC" in (out / "table.md").read_text()
    runs = read_results(out / "results.jsonl")
    assert {run.metric for run in runs} == {"roc-auc"}
    assert {run.details["parts"]["test"] for run in runs} == {12}
    assert "comes with 2 splits" in grape.error(*words, "--seeds", 3)


def test_without_scikit_learn_the_rest_is_compared(grape, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    monkeypatch.setitem(PROFILES, "quick", Profile("quick", ONE_POINT, epochs=1))
    words = ["compare", *SHAPES, "--profile", "quick", "--seeds", 1, "-o", tmp_path / "cmp"]
    result = grape.run(*words)
    assert result.exit_code == 0
    assert "logistic-totals is left out" in result.stderr
    assert "(label-propagation)" in result.stdout


def test_bad_input(grape, trained, friends, tmp_path):
    out = ["-o", tmp_path / "cmp"]
    assert "say what to compare on" in grape.error("compare")
    assert "unknown method 'gni'" in grape.error("compare", *SHAPES, "-m", "gni", *out)
    assert "unknown profile 'papr'" in grape.error("compare", *SHAPES, "--profile", "papr", *out)
    assert "is called 'triangel'" in grape.error("compare", *SHAPES, "-t", "triangel", *out)
    assert "no dataset is called 'cra'" in grape.error("compare", "cra", *out)
    assert "no labels to learn from" in grape.error("compare", friends, "-m", "mlp", *out)
    words = ["compare", *SHAPES, "--features", "constant,randm", "-m", "mlp", *out]
    assert "unknown kind of features 'randm'" in grape.error(*words)
    assert not (tmp_path / "cmp").exists()
    message = grape.error("compare", *SHAPES, "-m", "mlp", "-o", trained)
    assert "is a folder of kind 'train', not of a comparison" in message


def test_folders_that_are_in_use(grape, tmp_path):
    words = ["compare", *SHAPES, "-m", "mlp", "-o"]
    (tmp_path / "file").write_text("")
    assert "is a file, not a folder" in grape.error(*words, tmp_path / "file")
    assert "already holds other files" in grape.error(*words, tmp_path)
    other = {"kind": "compare", "version": 1, "source": {"dataset": "cora"}}
    (tmp_path / "config.json").write_text(json.dumps(other))
    assert "already holds a comparison on another graph" in grape.error(*words, tmp_path)
    (tmp_path / "config.json").write_text("{")
    assert "config.json: is damaged" in grape.error(*words, tmp_path)
    assert "cannot make the folder" in grape.error(*words, tmp_path / "file" / "cmp")


def test_several_kinds_of_features_are_for_comparisons_only(grape):
    message = grape.error("train", *SHAPES, "--features", "constant,random")
    assert "choose one kind of features, not several" in message


@pytest.mark.skipif(sys.platform == "win32", reason="sends POSIX signals")
def test_ctrl_c_says_how_to_go_on(grape, tmp_path):
    out = tmp_path / "cmp"
    words = ["compare", "planted-roles", "-m", "mlp", "--seeds", 500, "-o", out]
    child = grape.process(*words)
    deadline = time.monotonic() + 120
    try:
        while not (out / "results.jsonl").exists():
            assert child.poll() is None, child.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.kill(child.pid, signal.SIGINT)
        _, err = child.communicate(timeout=60)
    finally:
        child.kill()
        child.wait()
    assert child.returncode == 130
    assert err.splitlines()[-1] == f"interrupted; the same command goes on from {out}"
    assert read_results(out / "results.jsonl")
