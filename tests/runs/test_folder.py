"""Run folders: what they hold, and every way they can be damaged."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from grape_gnn.datasets.source import find_source
from grape_gnn.errors import GrapeError, GrapeWarning, ModelFileError
from grape_gnn.runs import RunFolder
from grape_gnn.runs.training import next_folder, resume_run, train_run

PARAMETERS = {"epochs": 30, "hidden": 4, "seed": 2}


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "roles"
    source = find_source("planted-roles", {"num_shapes": 9})
    train_run(path, source, PARAMETERS, templates="edge,triangle", command=["grape", "train"])
    return path


@pytest.fixture
def copy(trained: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained, tmp_path / "copy"))


def test_contents(trained: Path) -> None:
    run = RunFolder.open(trained)
    assert run.config["kind"] == "train"
    assert run.config["source"]["dataset"] == "planted-roles"
    assert run.config["source"]["features"] == "original"
    assert run.config["parameters"]["hidden"] == 4
    assert "templates" not in run.config["parameters"]
    assert [entry["name"] for entry in run.config["templates"]] == ["edge", "triangle"]
    assert run.config["command"] == ["grape", "train"]
    assert {"grape-gnn", "torch", "numpy", "python"} <= set(run.config["versions"])
    assert len(run.history.epochs) == run.metrics["epochs"] == 30
    assert run.history.best == run.metrics["best_epoch"]
    assert not run.checkpoint.exists()


def test_the_parts_fit_together(trained: Path) -> None:
    run = RunFolder.open(trained)
    graph, model, metrics = run.graph(), run.model(), run.metrics
    split = run.split()
    assert {k: int(v.sum()) for k, v in vars(split).items()} == metrics["parts"]
    assert model.score(graph) == metrics["test_accuracy"]
    assert model.score(graph, mask=split.validation) == metrics["validation_accuracy"]
    confusion = np.array(metrics["confusion"])
    assert np.trace(confusion) / confusion.sum() == metrics["test_accuracy"]
    assert metrics["classes"] == list(graph.label_names)
    rows = run.predictions()
    assert [row.predicted for row in rows] == model.predict(graph).tolist()
    assert [row.label for row in rows] == [graph.label_names[code] for code in graph.y]


def test_predictions_are_those_that_were_validated(tmp_path: Path) -> None:
    # Around a ring with alternating features the sum over a node and its neighbours is nearly
    # constant, so that normalisation magnifies the smallest difference between the two.
    (tmp_path / "ring.csv").write_text("".join(f"{i},{(i + 1) % 40}\n" for i in range(40)))
    rows = "".join(f"{i},{'ab'[i % 2]},{i % 2}\n" for i in range(40))
    (tmp_path / "table.csv").write_text("node,team,height\n" + rows)
    source = find_source(tmp_path / "ring.csv", {"nodes": tmp_path / "table.csv", "label": "team"})
    run = train_run(tmp_path / "run", source, {"epochs": 60}, templates="edge")
    best = run.history.epochs[run.history.best]
    assert run.metrics["validation_accuracy"] == best.validation_accuracy == 1.0


FILES = ["config.json", "history.json", "metrics.json", "model.safetensors", "predictions.csv"]


def use_everything(path: Path) -> None:
    run = RunFolder.open(path)
    assert run.history
    assert run.metrics
    run.model().predict(run.graph())


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(ModelFileError, match=name.replace(".", r"\.")) as caught:
        use_everything(copy)
    assert "train" in str(caught.value)


@pytest.mark.parametrize("content", ["truncated", b"", b"\x00\xff garbage", b"[1, 2]", b'{"a": 1}'])
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_named(copy: Path, name: str, content: bytes | str) -> None:
    file = copy / name
    whole = file.read_bytes()
    file.write_bytes(whole[:-40] if isinstance(content, str) else content)
    with pytest.raises(ModelFileError) as caught:
        use_everything(copy)
    assert name in str(caught.value) or (name == "config.json" and "kind None" in str(caught.value))
    assert "\n" not in str(caught.value)


def edit(file: Path, **changes: object) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))


def test_folders_of_other_kinds_and_versions(copy: Path, tmp_path: Path) -> None:
    edit(copy / "config.json", version=99)
    with pytest.raises(ModelFileError, match="has version 99, this release reads version 1"):
        RunFolder.open(copy)
    edit(copy / "config.json", kind="search")
    with pytest.raises(ModelFileError, match="of kind 'search', not of a training"):
        RunFolder.open(copy)
    with pytest.raises(ModelFileError, match="there is no such folder"):
        RunFolder.open(tmp_path / "none")
    with pytest.raises(
        ModelFileError, match=r"not the folder of a training: it has no config\.json"
    ):
        RunFolder.open(tmp_path)


def test_sources_that_make_no_sense(copy: Path) -> None:
    edit(copy / "config.json", source={"nothing": 1})
    with pytest.raises(ModelFileError, match="does not say which graph it is about"):
        RunFolder.open(copy).graph()
    edit(copy / "config.json", source={"dataset": "planted-roles", "options": {"shapes": 1}})
    with pytest.raises(GrapeError, match="shapes"):
        RunFolder.open(copy).graph()


def test_a_graph_that_changed_is_refused(copy: Path) -> None:
    source = {"dataset": "planted-roles", "options": {"num_shapes": 9, "seed": 7}}
    edit(copy / "config.json", source=source)
    with pytest.raises(ModelFileError, match="planted-roles is not the graph of this training any"):
        RunFolder.open(copy).graph()


@pytest.mark.parametrize(
    ("name", "key", "value", "reason"),
    [
        ("metrics.json", "test_accuracy", "0.5", "'test_accuracy' is '0.5', expected a number"),
        ("metrics.json", "test_accuracy", float("nan"), "'test_accuracy' is nan"),
        ("metrics.json", "confusion", [[1]], "has a confusion that does not fit its classes"),
        ("metrics.json", "confusion", [["x"]], "'confusion.0.0' is 'x', expected a count"),
        ("metrics.json", "parts", {"train": 3}, "'parts.validation' is missing"),
        ("metrics.json", "nodes", -3, "'nodes' is -3, expected a count"),
        ("history.json", "best", 30, "the best epoch is 30 of 30"),
        ("history.json", "best", "1", "'best' is '1', expected a count"),
        ("history.json", "epochs", [{"loss": 1.0}], "'epochs.0.validation_loss' is missing"),
        ("history.json", "epochs", [[1, 2, 3]], "'epochs.0' is .1, 2, 3., expected an object"),
        ("config.json", "source", [], "'source' is .., expected an object"),
        ("config.json", "templates", ["edge"], "'templates.0' is 'edge', expected an object"),
        ("config.json", "threads", "2", "'threads' is '2', expected a count"),
        ("config.json", "versions", {"torch": 2}, "'versions.torch' is 2, expected a text"),
    ],
)
def test_a_value_that_makes_no_sense_is_named(
    copy: Path, name: str, key: str, value: object, reason: str
) -> None:
    edit(copy / name, **{key: value})
    with pytest.raises(ModelFileError, match=reason) as caught:
        use_everything(copy)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "row", ["1,a,a,x,test", "1,a,a,nan,test", "1,a,a,2,test", "1,a,a,0.5,tset", "1,a,a,0.5,test,6"]
)
def test_a_prediction_that_makes_no_sense_is_named(copy: Path, row: str) -> None:
    table = copy / "predictions.csv"
    head, _, rest = table.read_text().split("\n", 2)
    table.write_text(f"{head}\n{row}\n{rest}")
    with pytest.raises(ModelFileError, match=r"predictions\.csv: line 2 is not a prediction"):
        RunFolder.open(copy).predictions()


def test_predictions_that_csv_cannot_read(copy: Path) -> None:
    table = copy / "predictions.csv"
    table.write_text(table.read_text() + '"' + "x" * 200_000 + '",a,a,0.5,test\n')
    with pytest.raises(ModelFileError, match=r"predictions\.csv: .*field larger than"):
        RunFolder.open(copy).predictions()


def test_rows_lost_at_a_line_end_are_noticed(copy: Path) -> None:
    table = copy / "predictions.csv"
    table.write_text("".join(table.read_text().splitlines(True)[:-3]))
    with pytest.raises(ModelFileError, match="has 69 nodes, expected 72"):
        RunFolder.open(copy).predictions()


def test_a_lost_probability_is_noticed(copy: Path) -> None:
    table = copy / "predictions.csv"
    head, first, *rest = table.read_text().splitlines(True)
    node, label, answer, _, *others = first.split(",")
    table.write_text("".join([head, ",".join([node, label, answer, "", *others]), *rest]))
    with pytest.raises(ModelFileError, match=f"has no probability for '{node}'; "):
        RunFolder.open(copy).predictions()


def test_a_prediction_that_is_no_class_is_noticed(copy: Path) -> None:
    table = copy / "predictions.csv"
    head, first, *rest = table.read_text().splitlines(True)
    node, label, _, *others = first.split(",")
    table.write_text("".join([head, ",".join([node, label, "nobody", *others]), *rest]))
    with pytest.raises(ModelFileError, match="predicts 'nobody', which is no class; "):
        RunFolder.open(copy).predictions()


def test_an_unfinished_run_says_how_to_go_on(copy: Path) -> None:
    for name in FILES[1:]:
        (copy / name).unlink()
    with pytest.raises(ModelFileError, match=r"not finished; go on with  grape train --resume"):
        RunFolder.open(copy)
    assert not RunFolder.open(copy, unfinished=True).is_finished


def test_resuming_a_description_that_makes_no_sense(copy: Path) -> None:
    (copy / "metrics.json").unlink()
    edit(copy / "config.json", parameters={"hiden": 3})
    with pytest.raises(ModelFileError, match="does not describe a training"):
        resume_run(copy)


def test_resuming_in_vain_keeps_the_folder(copy: Path) -> None:
    for name in FILES[1:]:
        (copy / name).unlink()
    config = RunFolder.open(copy, unfinished=True).config
    edit(copy / "config.json", parameters={**config["parameters"], "hidden": 0})
    with pytest.raises(GrapeError, match="hidden"):
        resume_run(copy)
    assert (copy / "config.json").exists()


def test_resuming_with_other_versions_is_a_warning(copy: Path) -> None:
    (copy / "metrics.json").unlink()
    versions = {**RunFolder.open(copy, unfinished=True).config["versions"], "torch": "1.0"}
    edit(copy / "config.json", versions=versions)
    with pytest.warns(GrapeWarning, match=r"other versions \(torch 1\.0 then, .* now\)"):
        assert resume_run(copy).is_finished


def test_a_folder_in_use_is_refused_before_any_work(trained: Path, tmp_path: Path) -> None:
    source = find_source("planted-roles", {"num_shapes": 9})
    with pytest.raises(ModelFileError, match="already holds a training"):
        train_run(trained, source, PARAMETERS)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ModelFileError, match="already holds other files"):
        train_run(tmp_path, source, PARAMETERS)
    with pytest.raises(ModelFileError, match="is a file, not a folder"):
        train_run(tmp_path / "notes.txt", source, PARAMETERS)
    with pytest.raises(ModelFileError, match="cannot make the folder: Not a directory"):
        train_run(tmp_path / "notes.txt" / "run", source, PARAMETERS)


def test_names_of_new_folders(tmp_path: Path) -> None:
    assert next_folder(tmp_path, "cora").name == "cora-1"
    (tmp_path / "cora-1").mkdir()
    assert next_folder(tmp_path, "cora").name == "cora-2"


def test_a_full_disk_at_the_start_leaves_nothing(tmp_path: Path, monkeypatch) -> None:
    def full(temporary: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("grape_gnn.files.atomic._sync", full)
    with pytest.raises(GrapeError, match=r"cannot write .*config\.json: .*No space left"):
        train_run(tmp_path / "run", find_source("planted-roles", {"num_shapes": 9}), PARAMETERS)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", FILES[1:])
def test_a_full_disk_at_the_end_loses_nothing(tmp_path: Path, monkeypatch, name: str) -> None:
    from grape_gnn.files import atomic

    source = find_source("planted-roles", {"num_shapes": 9})
    genuine, path = atomic._sync, tmp_path / "run"

    def full(temporary: Path) -> None:
        if Path(temporary).name.startswith(f".{Path(name).stem}."):
            raise OSError(28, "No space left on device")
        genuine(temporary)

    with monkeypatch.context() as patch:
        patch.setattr(atomic, "_sync", full)
        with pytest.raises(GrapeError, match=r"cannot write .*No space left on device"):
            train_run(path, source, PARAMETERS, templates="edge")
    assert (path / "checkpoint.safetensors").exists()
    assert not (path / name).exists()
    resumed = resume_run(path)
    whole = train_run(tmp_path / "whole", source, PARAMETERS, templates="edge")
    assert resumed.predictions() == whole.predictions()
