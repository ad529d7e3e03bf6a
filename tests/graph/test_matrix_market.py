"""Matrix Market files."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from scipy.io import mmread, mmwrite
from scipy.sparse import coo_array

from grape_gnn.errors import GrapeWarning, GraphError, GraphFileError
from grape_gnn.graph import Graph, read_graph

HEAD = "%%MatrixMarket matrix coordinate pattern "


def test_a_symmetric_matrix_is_undirected(tmp_path):
    path = tmp_path / "g.mtx"
    path.write_text(HEAD + "symmetric\n% comment\n3 3 2\n2 1\n3 2\n")
    g = read_graph(path)
    assert not g.directed
    assert g.edge_array().tolist() == [[0, 1], [1, 2]]


def test_a_general_matrix_is_directed_unless_it_is_symmetric(tmp_path):
    path = tmp_path / "g.mtx"
    path.write_text(HEAD + "general\n3 3 2\n2 1\n3 2\n")
    assert read_graph(path).edge_array().tolist() == [[1, 0], [2, 1]]
    assert read_graph(path, directed=False).edge_array().tolist() == [[0, 1], [1, 2]]
    path.write_text(HEAD + "general\n2 2 2\n2 1\n1 2\n")
    assert not read_graph(path).directed


def test_values_isolated_nodes_and_gzip(tmp_path):
    matrix = coo_array(([0.5, 0.0], ([0, 1], [3, 2])), shape=(5, 5))
    mmwrite(tmp_path / "g.mtx", matrix)
    (tmp_path / "g.mtx.gz").write_bytes(gzip.compress((tmp_path / "g.mtx").read_bytes()))
    for name in ("g.mtx", "g.mtx.gz"):
        g = read_graph(tmp_path / name)
        assert (g.num_nodes, g.edge_array().tolist()) == (5, [[0, 3]])


def test_dense_files_and_loops(tmp_path):
    mmwrite(tmp_path / "g.mtx", np.ones((2, 2)))
    with pytest.warns(GrapeWarning, match="dropped 2 self-loops"):
        assert read_graph(tmp_path / "g.mtx").num_edges == 1
    with pytest.raises(GraphError, match="2 self-loops"):
        read_graph(tmp_path / "g.mtx", strict=True)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (HEAD + "general\n2 3 1\n1 1\n", "an adjacency matrix must be square, not 2 x 3"),
        (HEAD + "general\n3 3 2\n1 2\n", "is not a readable Matrix Market file"),
        (HEAD + "general\n3 3 1\n1 9\n", "is not a readable Matrix Market file"),
        (HEAD + "general\n3 3 1\nx y\n", "is not a readable Matrix Market file"),
        ("", "is not a readable Matrix Market file"),
        ("0,1\n", "is not a readable Matrix Market file"),
    ],
)
def test_broken_files(tmp_path, content, reason):
    path = tmp_path / "broken.mtx"
    path.write_text(content)
    with pytest.raises(GraphFileError, match=rf"broken\.mtx: {reason}"):
        read_graph(path)


def test_truncated_gzip(tmp_path):
    whole = gzip.compress((HEAD + "general\n3 3 1\n1 2\n").encode())
    (tmp_path / "g.mtx.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(GraphFileError, match="is not a readable Matrix Market file"):
        read_graph(tmp_path / "g.mtx.gz")


@pytest.mark.parametrize(
    "content",
    [
        (HEAD + "general\n3 3 2\n1 2\n\0 3\n"),
        (HEAD + "general\n3 3 2\n1 2\n2 3\0\n"),
        (HEAD + "general\n3 3\0 2\n1 2\n2 3\n"),
        (HEAD + "general\n3 3 2\n1 2\n2 é\n"),
        (HEAD + "\0general\n3 3 2\n1 2\n2 3\n"),
        (HEAD + "general\n% \0\n3 3 2\n1 2\n2 3\n"),
    ],
)
def test_bytes_that_no_such_file_has(tmp_path, content):
    for name, pack in (("g.mtx", bytes), ("g.mtx.gz", gzip.compress)):
        (tmp_path / name).write_bytes(pack(content.encode()))
        with pytest.raises(GraphFileError, match=r"g\.mtx.*: is not a readable Matrix Market file"):
            read_graph(tmp_path / name)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (HEAD + "general\n9 9 10000000000\n1 2\n", "announces 10,000,000,000 entries"),
        (
            "%%MatrixMarket matrix array real general\n100000 100000\n1.0\n",
            "announces 10,000,000,000 entries",
        ),
        (HEAD + "general\n2000000000 2000000000 1\n1 2\n", "2,000,000,000 nodes for 1 e"),
        (HEAD + f"general\n{10**30} {10**30} 1\n1 2\n", "nodes for 1 e"),
        (HEAD + "general\n3 3 -1\n1 2\n", "size line"),
        (HEAD + "general\n3 3\n1 2\n", "size line"),
        (HEAD + "general\n", "size line"),
        (HEAD + f"general\n3 3 {'9' * 5000}\n", "size line"),
    ],
)
def test_headers_that_lie(tmp_path, content, reason):
    path = tmp_path / "g.mtx"
    path.write_text(content)
    with pytest.raises(GraphFileError, match=rf"g\.mtx: .*{reason}"):
        read_graph(path)


VALUES = {
    "pattern": [""],
    "real": ["0", ".5", "-2e-3"],
    "integer": ["0", "7"],
    "complex": ["0 0", "0 1"],
}
KINDS = [
    (form, field, symmetry)
    for form in ("coordinate", "array")
    for field in VALUES
    for symmetry in ("general", "symmetric", "skew-symmetric", "hermitian")
    if (form, field) != ("array", "pattern")
    and (symmetry != "hermitian" or field == "complex")
    and (symmetry != "skew-symmetric" or field != "pattern")
]


@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
@pytest.mark.filterwarnings("ignore:dropped")
def test_every_kind_of_matrix_is_read_as_scipy_reads_it(tmp_path, kind, assert_same):
    form, field, symmetry = kind
    rng = np.random.default_rng(0)
    for n in (1, 2, 6):
        cells = [
            (i, j)
            for j in range(n)
            for i in range(n)
            if symmetry == "general" or i > j or (i == j and symmetry != "skew-symmetric")
        ]
        size = f"{n} {n}"
        if form == "coordinate":
            cells = [cell for cell in cells if rng.random() < 0.5]
            size += f" {len(cells)}"
        lines = [f"%%MatrixMarket matrix {form} {field} {symmetry}", "% é", size]
        for i, j in cells:
            place = f"{i + 1} {j + 1} " if form == "coordinate" else ""
            lines.append(place + rng.choice(VALUES[field]))
        path = tmp_path / "g.mtx"
        path.write_text("\n".join(lines) + "\n")
        assert_same(read_graph(path), Graph.from_scipy(coo_array(mmread(path))))
