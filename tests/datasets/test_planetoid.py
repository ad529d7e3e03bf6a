"""Planetoid files: put together from made-up parts, and the facts of Cora and Citeseer."""

from __future__ import annotations

import pickle
from collections import defaultdict

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from grape_gnn import datasets
from grape_gnn.datasets.planetoid import read_planetoid
from grape_gnn.errors import GraphFileError

# Nodes 0, 1 train; 2 to 4 are for testing, but 3 is in no file except the graph.
PARTS = {
    "allx": csr_matrix(np.array([[1, 0], [0, 1]], np.float32)),
    "ally": np.array([[1, 0], [0, 1]]),
    "tx": csr_matrix(np.array([[0, 2], [2, 0]], np.float32)),
    "ty": np.array([[0, 1], [0, 0]]),
    "graph": defaultdict(list, {0: [1, 1, 0], 1: [0, 4], 2: [], 3: [4], 4: [1, 3]}),
    "test.index": "4\n2\n",
}


@pytest.fixture
def read(tmp_path):
    """Give a function that writes the parts, some of them replaced, and reads them."""

    def write_and_read(**changed):
        paths = []
        for part, value in {**PARTS, **changed}.items():
            path = tmp_path / f"ind.toy.{part}"
            content = value.encode() if isinstance(value, str) else pickle.dumps(value, protocol=3)
            path.write_bytes(content)
            paths.append(path)
        return read_planetoid(*paths)

    return write_and_read


def test_test_rows_go_where_the_index_says(read):
    g = read()
    assert g.edge_array().tolist() == [[0, 1], [1, 4], [3, 4]]
    assert g.x.tolist() == [[1, 0], [0, 1], [2, 0], [0, 0], [0, 2]]
    # 2 has a row without a class, 3 has no row at all
    assert g.y.tolist() == [0, 1, -1, -1, 1]
    assert g.label_names == (0, 1)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"test.index": "4\nfour\n"}, r"test\.index, line 2: 'four' is not the number of a node"),
        ({"test.index": "4\n4\n"}, r"test\.index: names a test node twice"),
        ({"test.index": "4\n"}, r"tx: has 2 rows for 1 test numbers"),
        ({"ty": np.eye(3, 2)}, r"ty: has 3 rows for 2 test numbers"),
        ({"ally": np.eye(3, 2)}, r"ally: has 3 rows for 2 rows in allx"),
        ({"ty": np.eye(2, 3)}, r"tx: has features or classes that differ in number from allx"),
        ({"allx": np.eye(2)}, r"allx: should hold a sparse matrix, holds ndarray"),
        ({"ally": np.arange(2)}, r"ally: should hold a matrix, holds ndarray"),
        ({"graph": np.eye(2)}, r"graph: should hold neighbours by node, holds ndarray"),
        ({"graph": {0: ["one"]}}, r"graph: has a node that is no number"),
        ({"graph": {0: [-1]}}, r"graph: names the node -1"),
        ({"test.index": "300000000\n2\n"}, r"names the node 300,000,000, .* of 9 nodes"),
        ({"test.index": f"{2**80}\n2\n"}, rf"test.index, line 1: .*{2**80}"),
        ({"test.index": "9" * 5000 + "\n2\n"}, r"test.index, line 1: "),
        ({"test.index": "²\n2\n"}, r"test.index, line 1: '²' is not the number of a node"),
        ({"test.index": "1\n2\n"}, r"test.index: names the node 1, which allx describes"),
        ({"graph": {0: [300_000_000]}}, r"names the node 300,000,000, .* of 6 nodes"),
        ({"graph": {0: [2**80]}}, r"graph: has a node that is no number"),
        ({"graph": {0: [0.5]}}, r"graph: has a node that is no number"),
        ({"graph": {0: 5}}, r"graph: has a node that is no number"),
        ({"ally": np.array([[0, np.nan], [1, 0]])}, r"ally: .* what is not 0 or 1"),
        ({"allx": csr_matrix(np.array([[1, np.nan], [0, 1]]))}, r"finite"),
        (
            {"allx": csr_matrix((2, 10**9)), "tx": csr_matrix((2, 10**9))},
            r"allx: announces 1,000,000,000 features",
        ),
    ],
)
def test_parts_that_do_not_fit(read, changed, reason):
    with pytest.raises(GraphFileError, match=reason):
        read(**changed)


@pytest.mark.parametrize(
    ("name", "nodes", "edges", "features", "classes", "missing", "isolated"),
    [("cora", 2708, 5278, 1433, 7, 0, 0), ("citeseer", 3327, 4552, 3703, 6, 15, 48)],
)
def test_published(shared_data, name, nodes, edges, features, classes, missing, isolated):
    g = datasets.load(name, data_dir=shared_data, download=False)
    assert (g.num_nodes, g.num_edges, g.x.shape[1]) == (nodes, edges, features)
    assert len(np.unique(g.y[g.y >= 0])) == len(g.label_names) == classes
    assert (g.y < 0).sum() == missing
    assert (g.x[g.y < 0] == 0).all()
    assert (g.x[g.y >= 0].sum(axis=1) > 0).all()
    assert (g.degrees == 0).sum() == isolated


def test_citation_joins_papers_of_one_subject(shared_data):
    g = datasets.load("cora", data_dir=shared_data, download=False)
    subjects = g.y[g.edge_array()]
    # 81% is the published edge homophily of Cora: rows shuffled by mistake would give 18%.
    assert (subjects[:, 0] == subjects[:, 1]).mean() == pytest.approx(0.81, abs=0.005)
