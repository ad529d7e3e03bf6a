"""``grape predict``: the run's graph, other graphs, and refusals."""

from __future__ import annotations

import shutil

import pytest

from grape_gnn.runs import RunFolder
from grape_gnn.runs.predictions import read_predictions


def test_the_own_graph(grape, trained, tmp_path):
    words = grape.output("predict", trained, "--out", tmp_path / "p.csv")
    assert words == f"72 nodes predicted: {tmp_path / 'p.csv'}\n"
    assert read_predictions(tmp_path / "p.csv") == RunFolder.open(trained).predictions()
    assert grape.output("predict", trained) == (tmp_path / "p.csv").read_text()


def test_another_graph(grape, trained, tmp_path):
    words = ["planted-roles", "--option", "num_shapes=30", "--option", "seed=4"]
    grape.output("predict", trained, *words, "--out", tmp_path / "p.csv")
    rows = read_predictions(tmp_path / "p.csv")
    assert len(rows) == 240
    assert {row.part for row in rows} == {""}
    right = sum(row.label == row.predicted for row in rows) / 240
    assert right > RunFolder.open(trained).metrics["majority_share"]


@pytest.fixture
def two_teams(grape, teams, tmp_path):
    grape.output("train", *teams, "-t", "edge", "--epochs", 60, "-o", tmp_path / "run")
    return tmp_path / "run"


def test_columns_are_those_of_the_training_and_labels_may_be_missing(grape, two_teams, tmp_path):
    edges, table = tmp_path / "other.csv", tmp_path / "table.csv"
    edges.write_text("".join(f"q{i},q{(i + 1) % 6}\n" for i in range(6)))
    table.write_text("name,age,height\n" + "".join(f"q{i},7,{i % 2}\n" for i in range(6)))
    words = [two_teams, edges, "--nodes", table]
    grape.output("predict", *words, "--out", tmp_path / "p.csv")
    rows = read_predictions(tmp_path / "p.csv")
    assert [row.predicted for row in rows] == ["blue", "red"] * 3
    assert {row.label for row in rows} == {""}
    assert "has no column 'team'" in grape.error("evaluate", *words)
    assert "has no column 'x'" in grape.error("predict", *words, "--label", "x")


def test_columns_that_the_training_had_are_named_and_others_ignored(grape, two_teams, teams):
    edges, _, people, *_ = teams
    words = ["predict", two_teams, edges, "--nodes", people]
    assert grape.output(*words, "--features", "age,height") == grape.output(*words)
    message = grape.error(*words, "--features", "age")
    assert "the node table lacks 'height', which the model was trained with" in message
    assert message.endswith("its columns are age")


def test_a_table_that_was_forgotten_is_asked_for(grape, two_teams, teams):
    message = grape.error("predict", two_teams, teams[0])
    assert "trained with columns of a node table: name the table of" in message
    assert message.endswith("by --nodes")


def test_graphs_of_another_direction(grape, two_teams, teams):
    edges, _, people, *_ = teams
    words = ["predict", two_teams, edges, "--nodes", people, "--directed"]
    assert "trained on an undirected graph, this one is directed" in grape.error(*words)


def test_damaged_folders_are_one_line(grape, trained, tmp_path):
    def damaged(name, content):
        copy = tmp_path / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(trained, copy)
        if content is None:
            (copy / name).unlink()
        else:
            (copy / name).write_bytes(content)
        return grape.error("predict", copy)

    for name in ("metrics.json", "model.safetensors", "predictions.csv"):
        assert f"{name}: is missing; restore it from a copy, or train again" in damaged(name, None)
        assert name in damaged(name, b"garbage")
    assert "is not the folder of a training" in damaged("config.json", None)
    assert "config.json: is damaged: not valid JSON" in damaged("config.json", b"{")
    assert "of kind 'search'" in damaged("config.json", b'{"kind": "search"}')


def test_tables_that_cannot_be_written(grape, trained, tmp_path):
    assert "does not exist" in grape.error("predict", trained, "-o", tmp_path / "no" / "p.csv")
    assert "it is a folder" in grape.error("predict", trained, "-o", tmp_path)
    assert "there is no such folder" in grape.error("predict", tmp_path / "none")


def test_a_full_disk_keeps_the_old_table(grape, trained, tmp_path, monkeypatch):
    def full(temporary):
        raise OSError(28, "No space left on device")

    (tmp_path / "p.csv").write_text("old")
    monkeypatch.setattr("grape_gnn.files.atomic._sync", full)
    assert "No space left on device" in grape.error("predict", trained, "-o", tmp_path / "p.csv")
    assert (tmp_path / "p.csv").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_labels_of_another_graph_are_seen_if_one_says_so(grape, tmp_path):
    run = tmp_path / "run"
    small = ["social-like", "--option", "num_nodes=120"]
    grape.output("train", *small, "--label-inputs", "on", "-t", "edge", "--epochs", 60, "-o", run)
    other = [*small, "--option", "seed=5"]
    blind = grape.run("predict", run, *other)
    seeing = grape.run("predict", run, *other, "--use-labels")
    assert "now it sees none" in blind.stderr
    assert "now it sees none" not in seeing.stderr
    assert blind.stdout != seeing.stdout
    assert "--use-labels is for another graph" in grape.error("predict", run, "--use-labels")
