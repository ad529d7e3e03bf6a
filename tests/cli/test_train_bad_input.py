"""``grape train`` with bad input: one line, exit code 2, and no folder left behind."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grape_gnn import Graph

SHAPES = ("planted-roles", "--option", "num_shapes=9")


@pytest.fixture
def refused(grape, tmp_path):
    """Train with bad input; give the message."""

    def run(*words):
        out = tmp_path / "run"
        message = grape.error("train", *words, "--out", out)
        assert not out.exists()
        return message

    return run


def people(tmp_path: Path, *columns: str) -> list:
    edges, table = tmp_path / "e.csv", tmp_path / "p.csv"
    edges.write_text("".join(f"{i},{(i + 1) % 10}\n" for i in range(10)))
    rows = zip(*(column.split() for column in columns), strict=True)
    table.write_text("".join(",".join(row).replace("none", "") + "\n" for row in rows))
    return [edges, "--nodes", table, "--label", "team"]


NAMES = "name 0 1 2 3 4 5 6 7 8 9"
TEAMS = "team a b a b a b a b a b"


def saved(tmp_path: Path, **changes) -> Path:
    """Write a graph file whose arrays were tampered with."""
    file = tmp_path / "g.npz"
    graph = Graph.from_edges(range(9), range(1, 10), x=np.ones((10, 2)), y=[0, 1] * 5)
    graph.save(file)
    with np.load(file) as stored:
        arrays = {name: stored[name] for name in stored.files}
    np.savez(file, **{**arrays, **changes})
    return file


def test_features_with_nan_in_a_graph_file(refused, tmp_path):
    x = np.ones((10, 2), np.float32)
    x[3, 1] = np.nan
    assert "nan" in refused(saved(tmp_path, x=x)).lower()


def test_labels_out_of_range(refused, tmp_path):
    message = refused(saved(tmp_path, y=np.array([0, 1, 7, 0, 1, 0, 1, 0, 1, 0])))
    assert "y does not point into label_names" in message


def test_labels_that_are_missing(refused, tmp_path):
    edges, nodes, table, *_ = people(tmp_path, NAMES, TEAMS)
    assert "has no labels to learn from" in refused(edges)
    assert "pass --label when you read it" in refused(edges)
    message = refused(edges, nodes, table, "--label", "group")
    assert "has no column 'group'; it has ['name', 'team']" in message


def test_one_class_only(refused, tmp_path):
    words = people(tmp_path, NAMES, "team a a a a a a a a a a")
    assert "one class only: there is nothing to learn" in refused(*words)


def test_a_split_with_an_empty_part(refused, tmp_path):
    words = people(tmp_path, NAMES, "team a b none none none none none none none none")
    assert "part of the split is empty: 2 labelled nodes are too few" in refused(*words)


def test_names_that_nobody_knows(refused, tmp_path):
    assert "there is no file amhrest, and no dataset is called 'amhrest'" in refused("amhrest")
    assert "did you mean amherst" in refused("amhrest")
    assert "no such file" in refused(tmp_path / "none.csv")
    assert "unknown preset 'relased'" in refused(*SHAPES, "--preset", "relased")
    assert "did you mean 'released'" in refused(*SHAPES, "--preset", "relased")
    assert "is called 'triangel'" in refused(*SHAPES, "-t", "triangel")
    assert "unknown kind of features 'rndom'" in refused(*SHAPES, "--features", "rndom")
    assert "has no option 'shapes'" in refused("planted-roles", "--option", "shapes=9")
    assert "expected NAME=VALUE" in refused("planted-roles", "--option", "shapes")
    assert "templates.json" in refused(*SHAPES, "-t", tmp_path)


def test_options_of_files_on_datasets_and_the_reverse(refused, tmp_path):
    message = "--label is for files, and planted-roles is a dataset"
    assert message in refused(*SHAPES, "--label", "x")
    words = people(tmp_path, NAMES, TEAMS)
    assert "is for datasets" in refused(*words, "--option", "num_shapes=9")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--hidden", 0], "hidden"),
        (["--dropout", 1.5], "dropout"),
        (["--epochs", 0], "epochs=0 must be at least 1"),
        (["--learning-rate", 0], "above 0"),
        (["--device", "abacus"], "abacus"),
        (["--layers", 0], "layers"),
        (["-t", "to"], "direct"),
        (["--engine", "steam"], "steam"),
    ],
)
def test_values_that_do_not_work(refused, words, message):
    assert message in refused(*SHAPES, *words)


def test_folders_that_cannot_be_used(grape, trained, tmp_path):
    (tmp_path / "file").write_text("")
    assert "is a file, not a folder" in grape.error("train", *SHAPES, "-o", tmp_path / "file")
    message = grape.error("train", *SHAPES, "-o", tmp_path / "file" / "run")
    assert "cannot make the folder: Not a directory" in message
    assert "already holds a training: choose another" in grape.error(
        "train", *SHAPES, "-o", trained
    )
    assert "already holds other files" in grape.error("train", *SHAPES, "-o", tmp_path)


def test_a_folder_without_permission(grape, tmp_path, monkeypatch):
    def forbidden(*args, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", forbidden)
    message = grape.error("train", *SHAPES, "-o", tmp_path / "run")
    assert message == f"error: {tmp_path / 'run'}: cannot make the folder: Permission denied"


def test_nothing_to_train_on_or_too_much(grape, trained):
    assert "say what to train on" in grape.error("train")
    message = "--resume goes on with the options of the run: leave out"
    assert f"{message} the graph" in grape.error("train", "cora", "--resume", trained)
    assert f"{message} --hidden" in grape.error("train", "--resume", trained, "--hidden", 3)
