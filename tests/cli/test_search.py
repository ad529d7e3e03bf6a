"""``grape search``."""

from __future__ import annotations

import io
import json
import signal
import sys
import time
from dataclasses import fields

import pytest
from rich.console import Console

import grape_gnn
from grape_gnn import load_templates
from grape_gnn.cli.search_progress import population_table
from grape_gnn.datasets.source import GraphSource
from grape_gnn.search import SearchFolder

SMALL = ("planted-roles", "--option", "num_shapes=9", "--population", 4, "--max-nodes", 4)
QUICK = (*SMALL, "--epochs", 4)
QUICK_TRAIN = ("train", *SMALL[:3], "--epochs", 4)


def test_a_search_prints_what_it_found(grape, tmp_path):
    out = tmp_path / "found"
    result = grape.run("search", *QUICK, "--rounds", 2, "--out", out)
    assert result.exit_code == 0, result.output
    words = result.stdout
    assert "of the validation nodes right" in words
    assert "points over edges alone" in words
    assert "all rounds done after 2 rounds" in words
    for metric in ("ROC AUC", "average precision", "macro F1", "weighted F1", "log loss",
                   "balanced accuracy", "calibration error"):  # fmt: skip
        assert f"\n{metric}  " in words
    assert f"folder: {out} (templates.svg, curve.svg)" in words
    command = next(line for line in words.splitlines() if line.startswith("next:"))
    assert command.split(maxsplit=1)[1] == (
        f"grape train planted-roles --option num_shapes=9 --templates {out}/templates.json "
        f"--epochs 4 --metric accuracy --seed 0"
    )
    told = [line for line in result.stderr.splitlines() if "planted-roles: round" in line]
    assert len(told) == 2 + 2 + 1  # the start twice, two rounds, the best
    assert "by ridge" in told[0]
    assert "by training" in told[-1]
    # The command line that it gives works.
    words = command.split()[2:]
    run = grape.json(*words, "--out", tmp_path / "run")
    assert 0 <= run["test_accuracy"] <= 1
    folder = grape.json(*QUICK_TRAIN, "--templates", out, "--out", tmp_path / "run2")
    assert folder["test_accuracy"] == run["test_accuracy"]


def test_json(grape, tmp_path):
    data = grape.json("search", *QUICK, "--rounds", 1, "--out", tmp_path / "found")
    assert (data["ended"], data["rounds"]) == ("rounds", 1)
    assert [t.text for t in load_templates(tmp_path / "found" / "templates.json")] == (
        data["templates"]
    )
    assert data["validation_accuracy"] >= data["start_validation_accuracy"]
    assert data["judged_by"] == "training"
    assert data["evaluations"] >= data["trainings"] >= 1
    assert data["figures"]["accuracy"] == data["validation_accuracy"]
    assert set(data["start_figures"]) == set(data["figures"]) >= {"roc-auc", "log-loss"}


def test_doubtful_labels_are_spoken_of_and_the_metric_of_the_authors_is_taken(
    grape, tmp_path, monkeypatch
):
    edges = "".join(f"{i},{(i + k) % 90}\n" for i in range(90) for k in (1, 2))
    (tmp_path / "e.csv").write_text("source,target\n" + edges)
    (tmp_path / "n.csv").write_text("id,age\n" + "".join(f"{i},{20 + i % 40}\n" for i in range(90)))
    monkeypatch.setattr(GraphSource, "metric", "mae")
    words = [tmp_path / "e.csv", "--nodes", tmp_path / "n.csv", "--label", "age"]
    result = grape.run(
        "search", *words, "--rounds", 1, "--population", 4, "--epochs", 2, "-o", tmp_path / "s"
    )
    assert result.exit_code == 0, result.output
    assert "e: took the labels for numbers" in result.stderr
    assert "--metric mae" in result.stdout
    assert SearchFolder.open(tmp_path / "s").history.metric == "mae"


def test_every_option_reaches_the_search(grape, tmp_path):
    grape.output(
        "search", *SMALL, "--rounds", 0, "--out", tmp_path / "found", "--method", "genetic",
        "--seed", 3, "--templates-per-gene", 2, "--eliminate", 1, "--node-probability", 0.2,
        "--edge-probability", 0.25, "--crossover-probability", 0.35,
        "--recall-probability", 0.15, "--fitness", "training", "--finalists", 2,
        "--elites", 0, "--engine", "incremental", "--memory", "1GB",
        "--match-time", "1m", "--preset", "paper",
        "--hidden", 8, "--layers", 1, "--dropout", 0.1, "--learning-rate", 0.02,
        "--weight-decay", 0.001, "--epochs", 3, "--patience", 2, "--min-epochs", 1,
        "--budget", "2h", "--jobs", 1, "--backend", "loky",
    )  # fmt: skip
    config = SearchFolder.open(tmp_path / "found").config
    assert set(config["parameters"]) == {each.name for each in fields(grape_gnn.SearchSettings)}
    assert config["parameters"] == {
        "method": "genetic", "seed": 3, "templates_per_gene": 2, "population": 4, "eliminate": 1,
        "node_probability": 0.2, "edge_probability": 0.25, "crossover_probability": 0.35,
        "recall_probability": 0.15, "fitness": "training", "finalists": 2,
        "elites": 0, "max_nodes": 4,
        "engine": "incremental", "memory": "1GB", "match_time": "1m",
        "model": {
            "preset": "paper", "hidden": 8, "layers": 1, "dropout": 0.1, "learning_rate": 0.02,
            "weight_decay": 0.001, "epochs": 3, "patience": 2, "min_epochs": 1,
            "metric": "accuracy",  # that of the dataset
        },
    }  # fmt: skip
    assert config["budget"] == {"seconds": 7200.0, "rounds": 0}
    assert config["source"]["dataset"] == "planted-roles"
    assert config["kind"] == "search"


def test_resuming_goes_on_with_a_larger_budget(grape, tmp_path):
    out = tmp_path / "found"
    grape.output("search", *QUICK, "--rounds", 1, "--out", out)
    longer = grape.json("search", "--resume", out, "--rounds", 3)
    assert longer["rounds"] == 3
    whole = grape.json("search", *QUICK, "--rounds", 3, "--out", tmp_path / "whole")
    assert longer["templates"] == whole["templates"]


def test_ctrl_c_keeps_the_best_so_far(grape, tmp_path):
    out = tmp_path / "found"
    process = grape.process("search", *QUICK, "--rounds", 10000, "--max-nodes", 5, "-o", out)
    deadline = time.monotonic() + 120
    history = out / "history.jsonl"
    while not (history.exists() and history.read_text().count("\n") > 6):
        assert time.monotonic() < deadline
        assert process.poll() is None, process.communicate()
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    words, remarks = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted after" in words
    assert f"interrupted; go on with grape search --resume {out}" in remarks
    assert "Traceback" not in remarks
    best = SearchFolder.open(out).templates()
    assert load_templates(out / "templates.json") == best


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "say where to search: a dataset, such as grape search amherst, or a file"),
        (("nowhere",), "there is no file nowhere"),
        ((*QUICK, "--method", "luck"), "use one of genetic, random, bayesian"),
        ((*QUICK, "--budget", "soon"), "cannot read 'soon' as a duration"),
        ((*QUICK, "--population", 1), "must be at least 2"),
        (("--resume", "nowhere"), "there is no such folder"),
        (("--resume", "nowhere", "--seed", 1), "leave out --seed"),
        ((*QUICK, "--backend", "dask"), "the scheduler's address"),
    ],
)
def test_mistakes_are_told_in_one_line(grape, words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert message in grape.error("search", *words)


def test_a_search_from_python_has_no_source(grape, tmp_path):
    graph = grape_gnn.datasets.load("planted-roles", num_shapes=9)
    grape_gnn.search(
        graph,
        rounds=0,
        out=tmp_path / "found",
        settings=grape_gnn.SearchSettings(model={"epochs": 1}),
    )
    message = grape.error("search", "--resume", tmp_path / "found")
    assert "because it was started in Python" in message


def test_without_a_name_folders_are_numbered(grape, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        data = grape.json("search", *QUICK, "--rounds", 0)
        assert data["folder"] == f"runs/planted-roles-search-{number}"


def test_the_table_of_the_population(planted_progress):
    screen = Console(file=io.StringIO(), width=100)
    screen.print(population_table("planted-roles", planted_progress, 1.0, screen))
    shown = screen.file.getvalue()
    assert "planted-roles: round 1 of 1" in shown
    assert "●0─1a" in shown
    assert "genes by ridge in" in shown
    assert shown.count("%") == 1 + len(planted_progress.candidates)
    assert "final" in shown


@pytest.fixture
def planted_progress():
    """Give the last word of a short search."""
    graph = grape_gnn.datasets.load("planted-roles", num_shapes=9)
    seen = []
    grape_gnn.search(
        graph,
        rounds=1,
        progress=seen.append,
        settings=grape_gnn.SearchSettings(population=4, max_nodes=4, model={"epochs": 2}),
    )
    return seen[-1]


def test_the_live_table_is_drawn_in_a_terminal(monkeypatch, planted_progress):
    from grape_gnn.cli import search_progress

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    with search_progress.SearchProgress("planted-roles") as progress:
        progress(planted_progress)
    assert "round 1 of 1" in sys.stderr.getvalue()


def test_history_lines_are_what_was_promised(grape, tmp_path):
    grape.output("search", *QUICK, "--rounds", 1, "--out", tmp_path / "found")
    lines = (tmp_path / "found" / "history.jsonl").read_text().splitlines()
    assert set(json.loads(lines[-1])) >= {
        "round", "gene", "validation_accuracy", "seconds", "matching_seconds",
        "evaluation_seconds", "parents", "change",
    }  # fmt: skip
