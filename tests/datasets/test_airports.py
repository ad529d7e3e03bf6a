"""Air-traffic networks: what is read, what is refused, and the published files."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn import datasets
from grape_gnn.datasets.airports import read_airports
from grape_gnn.errors import GraphFileError

EDGES = "2 0\n0 2\n1 1\n2 3\n"
LABELS = "node label\n0 0\n3 1\n1 2\n2 1\n"


def read(folder, edges=EDGES, labels=LABELS):
    (folder / "edges").write_text(edges)
    (folder / "labels").write_text(labels)
    return read_airports(folder / "edges", folder / "labels")


@pytest.mark.filterwarnings("error")
def test_loops_and_repeats_are_dropped_without_a_warning(tmp_path):
    g = read(tmp_path)
    assert (g.num_nodes, g.num_edges, g.directed) == (4, 2, False)
    assert g.neighbours(2).tolist() == [0, 3]
    assert g.y.tolist() == [0, 2, 1, 1]
    assert g.label_names == (0, 1, 2)
    assert g.x.tolist() == [[1.0]] * 4


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"edges": "0 1\n1 x\n"}, "edges, line 2: '1 x' is not two numbers from 0 up"),
        ({"edges": "0 1 5\n"}, "edges, line 1: '0 1 5' is not two numbers"),
        ({"edges": "0 -1\n"}, "edges, line 1: '0 -1' is not two numbers"),
        ({"edges": "0 9999999999\n"}, "edges, line 1: '0 9999999999' is not two numbers"),
        ({"edges": "0 4\n"}, "edges: names the node 4, which has no label"),
        ({"edges": ""}, "edges: is empty"),
        ({"labels": "0 1\n1 0\n"}, "labels, line 1: should begin with the line 'node label'"),
        ({"labels": ""}, "labels, line 1: should begin with the line 'node label'"),
        ({"labels": "node label\n0 1\n0 1\n"}, "labels: should name the 2 nodes 0 to 1 once each"),
        ({"labels": "node label\n0 1\n7 1\n"}, "labels: should name the 2 nodes 0 to 1 once each"),
    ],
)
def test_damaged_files(tmp_path, files, reason):
    with pytest.raises(GraphFileError, match=reason):
        read(tmp_path, **files)


def test_files_that_are_none(tmp_path):
    read(tmp_path)
    with pytest.raises(GraphFileError, match="cannot be read: No such file"):
        read_airports(tmp_path / "nowhere", tmp_path / "labels")
    (tmp_path / "labels").write_bytes(b"node label\n\xff 1\n")
    with pytest.raises(GraphFileError, match=r"labels: cannot be read: .*utf-8"):
        read_airports(tmp_path / "edges", tmp_path / "labels")


@pytest.mark.parametrize(
    ("name", "counts", "members"),
    [
        ("brazil-airports", (131, 1003), [32, 32, 32, 35]),
        ("europe-airports", (399, 5993), [99, 99, 99, 102]),
    ],
)
def test_published(shared_data, name, counts, members):
    g = datasets.load(name, data_dir=shared_data, download=False)
    assert (g.num_nodes, g.num_edges) == counts
    assert np.bincount(g.y).tolist() == members
    assert (g.x == 1).all()
    assert g.x.shape == (g.num_nodes, 1)
    # Class 0 is the busiest quarter, class 3 the least busy one.
    mean = [g.degrees[g.y == quarter].mean() for quarter in range(4)]
    assert mean == sorted(mean, reverse=True)
    assert datasets.splits(name) == []
