"""Minesweeper and Chameleon: graph and splits of a file, damaged files, the published ones."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from grape_gnn import datasets
from grape_gnn.datasets.heterophilous import read_heterophilous, read_published_splits
from grape_gnn.errors import GraphFileError

MEMBERS = {
    "node_features": np.arange(8, dtype=np.float32).reshape(4, 2),
    "node_labels": np.array([1, 0, 1, 0]),
    "edges": np.array([[0, 1], [1, 0], [2, 2], [3, 1]]),
    "train_masks": np.array([[1, 1, 0, 0], [0, 1, 1, 0]], bool),
    "val_masks": np.array([[0, 0, 1, 0], [1, 0, 0, 0]], bool),
    "test_masks": np.array([[0, 0, 0, 1], [0, 0, 0, 1]], bool),
}


@pytest.fixture
def save(tmp_path):
    """Write a file with some members changed (None: left out)."""

    def write(**changed):
        members = {**MEMBERS, **changed}
        path = tmp_path / "graph.npz"
        np.savez_compressed(path, **{k: v for k, v in members.items() if v is not None})
        return path

    return write


@pytest.mark.filterwarnings("error")
def test_graph(save):
    g = read_heterophilous(save())
    assert (g.num_nodes, g.num_edges, g.directed) == (4, 2, False)
    assert g.neighbours(1).tolist() == [0, 3]
    assert g.x.tolist() == MEMBERS["node_features"].tolist()
    assert g.y.tolist() == [1, 0, 1, 0]


def test_splits(save):
    first, second = read_published_splits(save())
    assert first.train.tolist() == [True, True, False, False]
    assert second.validation.tolist() == [True, False, False, False]
    assert second.test.tolist() == [False, False, False, True]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"edges": None}, r"is not a readable \.npz file: .*edges\.npy"),
        ({"edges": np.array([[0.0, 1.0]])}, r"edges has dtype float64 and shape \(1, 2\)"),
        ({"edges": np.array([0, 1])}, r"edges has dtype int64 and shape \(2,\)"),
        ({"edges": np.array([[0, 1, 2]])}, "edges has 3 columns, expected 2"),
        ({"edges": np.array([[0, 4]])}, r"edges names nodes outside 0\.\.3"),
        ({"edges": np.array([[0, -1]])}, r"edges names nodes outside 0\.\.3"),
        ({"node_labels": np.array([0, 1])}, "has features of 4 nodes and labels of 2"),
        ({"node_features": np.full((4, 1), np.nan)}, "does not make a graph: .*nan"),
        ({"node_labels": np.array(["a"] * 4, object)}, "not a readable .*Object arrays cannot"),
    ],
)
def test_damaged_graphs(save, changed, reason):
    with pytest.raises(GraphFileError, match=reason) as caught:
        read_heterophilous(save(**changed))
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"val_masks": MEMBERS["val_masks"][:1]}, r"val_masks has shape \(1, 4\), expected \(2, 4"),
        (
            {"train_masks": np.ones((2, 5), bool)},
            r"train_masks has shape \(2, 5\), expected",
        ),
        ({"test_masks": MEMBERS["train_masks"]}, "has a node in two parts of one split"),
        ({"test_masks": np.zeros((2, 4))}, r"test_masks has dtype float64 and shape \(2, 4\)"),
    ],
)
def test_damaged_splits(save, changed, reason):
    with pytest.raises(GraphFileError, match=reason):
        read_published_splits(save(**changed))


def test_files_that_are_none(save, tmp_path):
    path = save()
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(GraphFileError, match=r"is not a readable \.npz file: File is not a zip"):
        read_heterophilous(path)
    with pytest.raises(GraphFileError, match=r"is not a readable \.npz file: No such file"):
        read_heterophilous(tmp_path / "nowhere.npz")


@pytest.mark.parametrize(("rows", "reason"), [(1, "longer than it says"), (10**15, "readable")])
def test_an_array_that_lies_about_its_size(save, rows, reason):
    path = save(node_labels=None)
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<i8", "fortran_order": False, "shape": (rows,)}
    )
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("node_labels.npy", header.getvalue() + bytes(32))
    with pytest.raises(GraphFileError, match=reason):
        read_heterophilous(path)


@pytest.mark.parametrize("name", ["minesweeper", "chameleon-filtered"])
def test_published(shared_data, name):
    g = datasets.load(name, data_dir=shared_data, download=False)
    facts = datasets.info(name)
    assert (g.num_nodes, g.num_edges) == (facts.num_nodes, facts.num_edges)
    assert (g.x.shape[1], len(g.label_names)) == (facts.num_features, facts.num_classes)
    parts = datasets.splits(name, data_dir=shared_data, download=False)
    assert len(parts) == facts.num_splits == 10
    for split in parts:
        assert (split.train ^ split.validation ^ split.test).all()
        assert not (split.train & split.validation & split.test).any()
    assert len({split.test.tobytes() for split in parts}) == 10


def test_facts():
    assert datasets.info("minesweeper").metric == "roc-auc"
    assert datasets.info("chameleon_filtered").metric == "accuracy"
    assert datasets.info("minesweeper").num_nodes == 100 * 100


def test_from_a_mirror_end_to_end(empty_cache, monkeypatch, server, shared_data):
    (file,) = datasets.info("chameleon-filtered").files
    server.files[file.path] = (shared_data / file.path).read_bytes()
    monkeypatch.setenv("GRAPE_DATA_URL", server.url)
    assert len(datasets.splits("chameleon-filtered")) == 10
    assert datasets.load("chameleon-filtered").num_nodes == 890
    assert server.requests == [file.path]
