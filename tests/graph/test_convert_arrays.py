"""Features and labels of a conversion as arrays, whose row i belongs to node i."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

from grape_gnn.errors import GraphFileError
from grape_gnn.graph import convert


def test_features_and_labels_as_arrays(tmp_path):
    (tmp_path / "e.csv").write_text("0 1\n1 3\n")
    x = np.arange(10, dtype=np.float64).reshape(5, 2)
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", np.array([0, 1, 1, -1, 0]))
    found = convert(
        tmp_path / "e.csv", tmp_path / "g.grape", x=tmp_path / "x.npy", y=tmp_path / "y.npy"
    )
    assert (found.num_nodes, found.names) == (5, None)
    np.testing.assert_array_equal(found.x, x.astype(np.float32))
    assert found.y.tolist() == [0, 1, 1, -1, 0]
    assert found.label_names == (0, 1)


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_sparse_features_stay_sparse(tmp_path, form):
    (tmp_path / "e.csv").write_text("0 1\n1 3\n")
    x = scipy.sparse.random_array((4, 50), density=0.1, rng=np.random.default_rng(0), format=form)
    scipy.sparse.save_npz(tmp_path / "x.npz", x)
    found = convert(tmp_path / "e.csv", tmp_path / "g.grape", x=tmp_path / "x.npz")
    assert scipy.sparse.issparse(found.x)
    np.testing.assert_array_equal(found.x.toarray(), x.toarray().astype(np.float32))


def test_arrays_that_do_not_fit(tmp_path):
    (tmp_path / "e.csv").write_text("0 1\n1 3\n")
    (tmp_path / "t.csv").write_text("a b\nb c\n")
    np.save(tmp_path / "x.npy", np.ones((3, 2)))
    np.save(tmp_path / "y.npy", np.zeros(4, np.int64))
    np.save(tmp_path / "bad.npy", np.full((4, 2), np.inf))
    (tmp_path / "no.npy").write_text("x")
    np.savez(tmp_path / "two.npz", a=np.ones(4), b=np.ones(4))
    words = {"indices": [0, 9, 1, 1], "indptr": [0, 1, 2, 3, 4], "data": np.ones(4)}
    np.savez(tmp_path / "wild.npz", format=b"csr", shape=(4, 3), **words)
    scipy.sparse.save_npz(tmp_path / "large.npz", scipy.sparse.eye_array(1_000_000, format="csr"))
    cases = [
        ("e.csv", {"x": "x.npy"}, r"x\.npy: has 3 rows, and row i belongs to node i"),
        ("e.csv", {"x": "x.npy", "y": "y.npy"}, r"y\.npy: has not as many rows as .*x\.npy"),
        ("e.csv", {"x": "bad.npy"}, r"bad\.npy: in the rows from 0 on, features x must be finite"),
        ("e.csv", {"x": "no.npy"}, r"no\.npy: is not an \.npy file of numbers"),
        ("e.csv", {"x": "two.npz"}, r"two\.npz: is not a sparse matrix of scipy\.sparse\.save_npz"),
        ("e.csv", {"x": "wild.npz"}, r"wild\.npz: is not a sparse matrix"),
        ("e.csv", {"x": "large.npz"}, r"large\.npz: takes 0\.0\d+ GB unpacked: give more memory"),
        ("t.csv", {"y": "y.npy"}, "row i belongs to node i, and nodes have texts for names"),
    ]
    for number, (edges, arrays, complaint) in enumerate(cases):
        given = {name: tmp_path / file for name, file in arrays.items()}
        with pytest.raises(GraphFileError, match=complaint):
            convert(tmp_path / edges, tmp_path / f"{number}.grape", memory="10MB", **given)
