"""From a node table to figures, for numbers, several labels, uneven classes and given splits."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from grape_gnn.runs import RunFolder

N = 120


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> tuple[str, ...]:
    """Write a tree with chords; prices with gaps, tags, fraud of a tenth, and a column of parts."""
    folder = tmp_path_factory.mktemp("tasks")
    rng = np.random.default_rng(0)
    edges = sorted({(int(rng.integers(0, i)), i) for i in range(1, N)} | {(0, i) for i in (50, 60)})
    degree = np.bincount(np.array(edges).ravel(), minlength=N)
    (folder / "e.csv").write_text("".join(f"h{a},h{b}\n" for a, b in edges))
    rows = ["id,price,age,tags,fraud,part"]
    for i in range(N):
        price = "" if i % 17 == 3 else f"{2e5 + 1e4 * degree[i] + i:.2f}"
        tags = ";".join(t for t, has in (("hub", degree[i] > 2), ("leaf", degree[i] < 2),
                                         ("even", i % 2 == 0)) if has)  # fmt: skip
        part = ("train", "train", "train", "val", "test")[i % 5]
        rows.append(f"h{i},{price},{20 + i % 40},{tags},{int(degree[i] > 3)},{part}")
    (folder / "n.csv").write_text("\n".join(rows) + "\n")
    return (str(folder / "e.csv"), "--nodes", str(folder / "n.csv"), "--features", "constant")


def train(grape, files, tmp_path, *words):
    made = grape.run("train", *files, "-t", "edge", "--epochs", 20, "-o", tmp_path / "r", *words)
    assert made.exit_code == 0, made.stderr
    return RunFolder.open(tmp_path / "r"), " ".join(made.stdout.split()), made.stderr


def test_a_column_of_prices(grape, files, tmp_path) -> None:
    run, words, said = train(grape, files, tmp_path, "--label", "price")
    assert run.metrics["task"] == "regression"
    assert run.metrics["metric"] == "rmse"
    assert set(run.metrics["figures"]["test"]) == {"rmse", "mae", "r2"}
    assert "validation test mean" in words
    assert "RMSE" in words
    assert "numbers to predict" in words
    assert "the split is the one that came with the graph" in said
    assert "took the labels" not in said
    assert run.metrics["parts"]["test"] == 23  # one price of the test nodes is missing
    scored = grape.json("evaluate", tmp_path / "r")
    assert scored["figures"] == pytest.approx(run.metrics["figures"]["test"])
    assert scored["baseline"]["r2"] < 0.1
    assert "MAE" in grape.output("evaluate", tmp_path / "r")
    assert "of the validation R2" in grape.output("explain", tmp_path / "r")
    grape.output("predict", tmp_path / "r", "--out", tmp_path / "p.csv")
    rows = list(csv.DictReader((tmp_path / "p.csv").read_text().splitlines()))
    assert all(1e5 < float(row["predicted"]) < 1e6 for row in rows)
    assert {row["probability"] for row in rows} == {""}
    assert "" in {row["label"] for row in rows}


def test_a_column_of_ages_is_said_to_be_classes(grape, files, tmp_path) -> None:
    _, _, said = train(grape, files, tmp_path, "--label", "age")
    assert "took the labels for numbers (40 different ones)" in said
    assert "--task classification" in said


def test_the_task_can_be_said(grape, files, tmp_path) -> None:
    run, words, said = train(
        grape, files, tmp_path, "--label", "age", "--task", "classification", "--split", "random"
    )
    assert "40 classes" in words
    assert "took the labels" not in said
    assert "came with the graph" not in said
    assert run.metrics["parts"]["train"] == 72


def test_several_labels_in_a_cell(grape, files, tmp_path) -> None:
    run, words, said = train(grape, files, tmp_path, "--label", "tags")
    assert run.metrics["task"] == "multi-label"
    assert run.metrics["classes"] == ["even", "hub", "leaf"]
    assert "mAP" in words
    assert "took the labels for several per node, of 3" in said
    scored = grape.json("evaluate", tmp_path / "r")
    assert [row["label"] for row in scored["classes"]] == ["even", "hub", "leaf"]
    answers = {row.predicted for row in run.predictions()}
    assert {part for answer in answers for part in answer.split(";")} <= {"", "even", "hub", "leaf"}


def test_fraud_is_chosen_by_auc(grape, files, tmp_path) -> None:
    run, words, _ = train(grape, files, tmp_path, "--label", "fraud", "--class-weight", "balanced")
    assert run.metrics["metric"] == "roc-auc"
    assert "the epoch was chosen by ROC AUC on the validation nodes" in words
    assert run.config["parameters"]["class_weight"] == "balanced"
    assert json.loads((run.path / "history.json").read_text())["metric"] == "roc-auc"


def test_one_answer_for_all_names_the_options_to_try(grape, tmp_path) -> None:
    table = "node,leaks\n" + "".join(f"{k},{'yes' if k % 20 == 7 else 'no'}\n" for k in range(80))
    (tmp_path / "nodes.csv").write_text(table)
    (tmp_path / "ring.csv").write_text("".join(f"{k},{(k + 1) % 80}\n" for k in range(80)))
    words = ["train", tmp_path / "ring.csv", "--nodes", tmp_path / "nodes.csv", "--label", "leaks"]
    done = grape.run(*words, "-t", "edge", "--metric", "accuracy", "-o", tmp_path / "r")
    assert "uneven; try --class-weight balanced and --metric macro-f1" in done.stderr


def test_weights_by_label(grape, files, tmp_path) -> None:
    run, _, _ = train(grape, files, tmp_path, "--label", "fraud", "--class-weight", "1=7,0=0.5")
    assert run.config["parameters"]["class_weight"] == {"1": 7.0, "0": 0.5}
    grape.output("evaluate", tmp_path / "r")
    words = ["train", *files, "--label", "fraud", "--split", "random", "-o", tmp_path / "other",
             "--class-weight"]  # fmt: skip
    assert "class_weight has 'yes', which is no label" in grape.error(*words, "yes=3")
    assert "write LABEL=WEIGHT" in grape.error(*words, "1=much")


def test_what_was_said_of_a_file_is_not_said_by_every_command(grape, files, tmp_path) -> None:
    """Of the folders that were made of it, that is: another look at the file says it again."""
    file, *options = files
    twice = tmp_path / "twice.csv"
    twice.write_text(2 * Path(file).read_text())
    made = grape.run("train", twice, *options, "--label", "fraud", "-t", "edge", "--epochs", 2,
                     "-o", tmp_path / "r")  # fmt: skip
    assert made.stderr.count("repeated edges") == 1
    silent = [
        grape.run("evaluate", tmp_path / "r"),
        grape.run("predict", tmp_path / "r", "--out", tmp_path / "p.csv"),
        grape.run("explain", tmp_path / "r"),
        grape.run("report", tmp_path / "r"),
    ]
    words = ["search", twice, *options, "--label", "fraud", "--epochs", 2, "--population", 4,
             "--rounds", 1, "-o", tmp_path / "s"]  # fmt: skip
    assert grape.run(*words).stderr.count("repeated edges") == 1
    silent.append(grape.run("search", "--resume", tmp_path / "s", "--rounds", 2))
    words = ["compare", twice, *options, "--label", "age", "-m", "label-propagation",
             "--seeds", 1, "-o", tmp_path / "c"]  # fmt: skip
    first = grape.run(*words)
    assert first.stderr.count("repeated edges") == first.stderr.count("took the labels") == 1
    silent.append(grape.run(*words))
    for result in silent:
        assert result.exit_code == 0, result.output
        assert "repeated edges" not in result.stderr
        assert "took the labels" not in result.stderr


@pytest.mark.parametrize("label", ["price", "tags"])
def test_an_interrupted_training_of_any_task_goes_on(grape, files, tmp_path, label) -> None:
    run, _, _ = train(grape, files, tmp_path, "--label", label)
    before = run.metrics["figures"]
    for name in ("metrics.json", "predictions.csv", "model.safetensors", "history.json"):
        Path(run.path / name).unlink()
    grape.output("train", "--resume", run.path)
    assert RunFolder.open(run.path).metrics["figures"] == before


def test_a_comparison_of_numbers_on_the_given_split(grape, files, tmp_path) -> None:
    words = ["compare", *files, "--label", "price", "--task", "regression", "-m", "mlp,grape",
             "-t", "edge", "--profile", "quick", "-o", tmp_path / "c"]  # fmt: skip
    shown = " ".join(grape.output(*words).split())
    assert "Test RMSE, lower is better" in shown
    assert "R2" in " ".join(grape.output(*words, "--metric", "r2").split())
    assert "comes with 1 splits" in grape.error(*words, "--seeds", 3)


def test_bad_input(grape, files, tmp_path) -> None:
    words = ["train", *files, "--label", "price", "-t", "edge", "-o", tmp_path / "r"]
    random = [*words, "--split", "random"]
    assert "--metric auc is unknown" in grape.error(*random, "--metric", "auc")
    assert "not for regression tasks" in grape.error(*random, "--metric", "accuracy")
    assert "class_weight is for classes" in grape.error(*random, "--class-weight", "balanced")
    assert "comes with 1 splits" in grape.run(*words, "--split", 3).stderr
    assert "task='numbers'" in grape.error(*random, "--task", "numbers")
    assert not (tmp_path / "r").exists()


def test_a_split_that_is_not_there_is_not_announced(grape, files, tmp_path) -> None:
    words = ["train", *files, "--label", "fraud", "--split", 5, "-o", tmp_path / "r"]
    assert "the graph comes with 1 splits" in grape.error(*words)  # one line, and no other
