"""Years as labels: what becomes of people without one, and of years with few people."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.io import savemat
from scipy.sparse import csc_matrix

from grape_gnn import datasets
from grape_gnn.datasets.facebook100 import drop_rare, read_years
from grape_gnn.errors import DatasetError
from grape_gnn.graph import Graph


@pytest.fixture
def college(tmp_path):
    years = [2005, 0, 2004, 2005, 1950]
    info = np.zeros((5, 7), np.uint16)
    info[:, 5] = years
    info[:, 1] = [1, 2, 0, 1, 2]
    adjacency = csc_matrix(np.eye(5, k=1) + np.eye(5, k=-1))
    savemat(tmp_path / "College.mat", {"A": adjacency, "local_info": info})
    return tmp_path / "College.mat"


@pytest.mark.parametrize(
    ("options", "labels", "codes"),
    [
        ({}, (0, 1950, 2004, 2005), [3, 0, 2, 3, 1]),
        ({"missing": "drop-label"}, (1950, 2004, 2005), [2, -1, 1, 2, 0]),
        ({"missing": "drop-label", "rare": 2}, (2005,), [0, -1, -1, 0, -1]),
        ({"rare": 1}, (0, 1950, 2004, 2005), [3, 0, 2, 3, 1]),
    ],
)
def test_options(college, options, labels, codes):
    g = read_years(college, **options)
    assert g.label_names == labels
    assert g.y.tolist() == codes
    assert g.x[:, :3].tolist() == [[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"missing": "drop"}, "missing='drop' is unknown: use 'class' or 'drop-label'"),
        ({"rare": -1}, "rare=-1 must be at least 0"),
        ({"rare": 2.5}, r"rare=2\.5 must be a whole number"),
        ({"rare": 3}, "rare=3 leaves no class: the largest has 2 members"),
    ],
)
def test_options_that_make_no_sense(college, options, reason):
    with pytest.raises(DatasetError, match=reason):
        read_years(college, **options)


def test_rare_labels_need_labels():
    with pytest.raises(DatasetError, match="the graph has no labels"):
        drop_rare(Graph.from_edges([0], [1]), 2)


@pytest.mark.parametrize(
    ("name", "missing"),
    [("amherst", 214), ("hamilton", 196), ("lehigh", 446), ("rochester", 418), ("jhu", 636)],
)
def test_published(shared_data, name, missing):
    g = datasets.load(name, data_dir=shared_data, download=False)
    expected = datasets.info(name)
    assert (g.num_nodes, g.num_edges) == (expected.num_nodes, expected.num_edges)
    assert (g.x.shape[1], len(g.label_names)) == (expected.num_features, expected.num_classes)
    assert g.label_names[0] == 0
    assert (g.y == 0).sum() == missing
    dropped = datasets.load(
        name, data_dir=shared_data, download=False, missing="drop-label", rare=10
    )
    assert np.bincount(dropped.y[dropped.y >= 0]).min() >= 10
    assert (dropped.y < 0).sum() > missing
    assert set(dropped.label_names) < set(g.label_names) - {0}
