"""``grape train``: what it writes and prints, from datasets and files."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest
from typer.main import get_command

from grape_gnn.cli import app
from grape_gnn.runs import RunFolder

SHAPES = ("planted-roles", "--option", "num_shapes=9")


def test_summary_names_the_accuracies_the_folder_and_the_next_commands(grape, tmp_path):
    path = tmp_path / "run"
    result = grape.run("train", *SHAPES, "--epochs", 20, "--hidden", 4, "--out", path)
    assert result.exit_code == 0
    metrics = RunFolder.open(path).metrics
    words = " ".join(result.stdout.split())
    assert "planted-roles: GRAPE, preset default" in words
    assert "validation test largest class" in words
    assert "nodes 15 14 accuracy" in words
    shares = [metrics[f"{name}"] for name in ("validation_accuracy", "test_accuracy")]
    shares.append(metrics["majority_share"])
    assert "accuracy " + " ".join(f"{100 * share:.2f}%" for share in shares) in words
    f1 = [metrics["figures"][part]["macro-f1"] for part in ("validation", "test")]
    assert "macro F1 " + " ".join(f"{100 * share:.2f}%" for share in f1) in words
    for name in ("weighted F1", "ROC AUC", "log loss", "calibration error"):
        assert name in words
    assert "43 training nodes; the epoch was chosen by accuracy on the validation nodes" in words
    assert "72 nodes, 132 edges, 15 classes, 1 feature (original)" in words
    assert "templates: edge, 3-path, triangle, 4-clique, tailed-triangle" in words
    assert f"run folder: {path}" in words
    assert f"grape evaluate {path}" in words
    assert "epoch 20/20" in result.stderr
    assert "best" in result.stderr


def test_json_is_the_metrics(grape, tmp_path):
    result = grape.run("train", *SHAPES, "--epochs", 2, "-o", tmp_path / "run", "--json")
    data = json.loads(result.stdout)
    assert data.pop("run") == str(tmp_path / "run")
    assert data == RunFolder.open(tmp_path / "run").metrics


def test_default_folders_are_numbered(grape, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        grape.output("train", *SHAPES, "--epochs", 1)
        assert RunFolder.open(Path("runs", f"planted-roles-{number}")).metrics["epochs"] == 1


def test_every_option_reaches_the_classifier(grape, tmp_path):
    given = {
        "preset": "paper", "hidden": 5, "layers": 1, "dropout": 0.1, "learning_rate": 0.02,
        "weight_decay": 0.001, "epochs": 2, "patience": 7, "min_epochs": 1, "seed": 9,
        "engine": "enumerate", "device": "cpu", "metric": "macro-f1", "class_weight": "balanced",
        "split": "random", "batch_size": 8, "sample_neighbours": 2,
    }  # fmt: skip
    words = [word for k, v in given.items() for word in (f"--{k.replace('_', '-')}", v)]
    words += [
        "--label-inputs",
        "on",
        "--no-scaling",
        "--edge-only",
        "-t",
        "edge",
        "--threads",
        1,
        "-o",
        tmp_path / "r",
    ]
    shown = grape.output("train", *SHAPES, *words)
    assert "), label inputs" in shown
    assert "mini-batches of 8 nodes, 2 members per role and ego sampled" in shown
    config = RunFolder.open(tmp_path / "r").config
    assert config["parameters"] == {
        **given, "label_inputs": True, "scaling": False, "edge_only": True, "products": None,
    }  # fmt: skip
    assert config["threads"] == 1
    assert [entry["name"] for entry in config["templates"]] == ["edge"]


def test_defaults_are_those_of_the_classifier():
    from grape_gnn.estimator import GrapeClassifier

    options = {option.name: option.default for option in get_command(app).commands["train"].params}
    for name, parameter in inspect.signature(GrapeClassifier.__init__).parameters.items():
        if name not in ("self", "templates", "graph"):
            default = {"off": False, "0": 0}.get(options[name], options[name])
            assert default == parameter.default, name


@pytest.mark.parametrize(("kind", "width"), [("constant", 1), ("random", 64)])
def test_kinds_of_features(grape, tmp_path, kind, width):
    grape.output("train", *SHAPES, "--features", kind, "--epochs", 2, "-o", tmp_path / "r")
    run = RunFolder.open(tmp_path / "r")
    assert run.config["source"]["features"] == kind
    assert run.metrics["features"] == width


def test_a_file_with_a_node_table(grape, teams, tmp_path):
    grape.output("train", *teams, "-t", "edge", "--epochs", 60, "-o", tmp_path / "r")
    run = RunFolder.open(tmp_path / "r")
    assert run.metrics["test_accuracy"] == 1.0
    assert run.metrics["classes"] == ["blue", "red"]
    assert run.config["source"]["reading"]["features"] == ["height"]
    assert run.predictions()[3].node == "p3"


def test_a_file_without_features_takes_constant_ones(grape, teams, tmp_path):
    edges, nodes, people, *_ = teams
    bare = tmp_path / "bare.csv"
    bare.write_text(
        "".join(line.rsplit(",", 2)[0] + "\n" for line in people.read_text().splitlines())
    )
    words = [edges, nodes, bare, "--label", "team", "-t", "edge", "--epochs", 2]
    assert "1 feature (constant)" in grape.output("train", *words, "-o", tmp_path / "r")


def test_templates_from_a_file_and_from_the_folder_of_a_search(grape, tmp_path):
    from grape_gnn import save_templates, templates

    save_templates(templates(["triangle", "0-1 1-2 2-3 3-0"]), tmp_path / "templates.json")
    for number, source in enumerate([tmp_path / "templates.json", tmp_path]):
        out = tmp_path / f"run{number}"
        grape.output("train", *SHAPES, "-t", source, "--epochs", 1, "-o", out)
        assert len(RunFolder.open(out).config["templates"]) == 2


def test_a_template_without_instances_works_and_says_so(grape, teams, tmp_path):
    words = ["train", *teams, "-t", "edge,triangle", "--epochs", 2, "-o", tmp_path / "r"]
    result = grape.run(*words)
    assert result.exit_code == 0
    assert "warning: no instance of triangle in the graph" in result.stderr


def test_the_seed_decides(grape, tmp_path):
    def predictions(name, seed):
        grape.output("train", *SHAPES, "--epochs", 3, "--seed", seed, "-o", tmp_path / name)
        return (tmp_path / name / "predictions.csv").read_text()

    assert predictions("a", 1) == predictions("b", 1) != predictions("c", 2)


def test_settings_are_chosen_on_validation_nodes_first(grape, tmp_path):
    run = tmp_path / "r"
    words = [*SHAPES, "-t", "edge", "--epochs", 2, "--min-epochs", 0, "--hidden", 16]
    out = grape.output("train", *words, "--tune", "1s", "--label-inputs", "auto", "-o", run)
    assert "on validation nodes: label_inputs " in out
    opened = RunFolder.open(run)
    assert len(opened.trials) >= 1
    assert opened.config["tuning"]["seconds"] == 1.0
    best = max(opened.trials, key=lambda trial: (trial.score, -trial.loss))
    assert opened.parameters == {**opened.config["parameters"], **best.settings}
    assert opened.metrics["validation_accuracy"] == pytest.approx(best.score)
    assert opened.model().hidden == best.settings["hidden"]


def test_without_templates_validation_chooses_them(grape, tmp_path):
    words = [*SHAPES, "--epochs", 3, "--min-epochs", 0, "--hidden", 4]
    out = " ".join(grape.output("train", *words, "-o", tmp_path / "free").split())
    free = RunFolder.open(tmp_path / "free")
    scores = [trial.score for trial in free.trials]
    for options in (["--all-templates"], ["--edge-only"], ["-t", "edge"]):
        run = tmp_path / options[-1]
        grape.output("train", *words, *options, "-o", run)
        found = RunFolder.open(run)
        assert found.metrics["validation_accuracy"] == scores[options[0] != "--all-templates"]
        assert not found.trials
    assert free.metrics["validation_accuracy"] == max(scores)
    every, alone = (f"{100 * score:.1f}%" for score in scores)
    assert every in out
    how = "as well" if every == alone else "better"
    assert (f"alone validated {how}" in out) == (len(free.model().templates_) == 1)
    assert f"alone validation is {alone}" in out or f"({alone} against {every})" in out
    assert not list(free.path.glob("*checkpoint*"))


def test_label_inputs_and_templates_are_chosen_together(grape, tmp_path):
    words = [*SHAPES, "--epochs", 2, "--min-epochs", 0, "--hidden", 4, "--label-inputs", "auto"]
    grape.output("train", *words, "-o", tmp_path / "r")
    run = RunFolder.open(tmp_path / "r")
    assert run.tuning["settings"] == ["label_inputs", "edge_only"]
    assert len(run.trials) >= 3
    assert run.parameters["edge_only"] in (False, True)


def test_tuning_that_was_interrupted_goes_on(grape, tmp_path):
    words = [*SHAPES, "-t", "edge", "--epochs", 2, "--min-epochs", 0]
    whole = tmp_path / "whole"
    grape.output("train", *words, "--label-inputs", "auto", "-o", whole)
    half = tmp_path / "half"
    half.mkdir()
    (half / "config.json").write_bytes((whole / "config.json").read_bytes())
    first = (whole / "trials.jsonl").read_text().splitlines(keepends=True)[0]
    (half / "trials.jsonl").write_text(first + '{"settings": {"la')  # torn by a crash
    grape.output("train", "--resume", half)
    one, two = RunFolder.open(whole), RunFolder.open(half)
    assert [t.settings for t in one.trials] == [t.settings for t in two.trials]
    assert one.metrics["test_accuracy"] == two.metrics["test_accuracy"]


def test_batch_sizes_that_are_none(grape):
    for size in ("all", "0", "-3", "1.5"):
        failed = grape.error("train", *SHAPES, "--batch-size", size)
        assert "--batch-size" in failed


def test_label_inputs_must_be_on_off_or_auto(grape):
    found = grape.run("train", "cora", "--label-inputs", "yes")
    assert found.exit_code == 2
    assert "--label-inputs='yes' is unknown: use one of on, off, auto" in found.stderr
