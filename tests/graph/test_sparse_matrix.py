"""A sparse matrix of features stays sparse: in the graph, in files, from and to other libraries."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import sparse

from grape_gnn import Graph, read_graph
from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.files.array_file import read_arrays, write_arrays
from grape_gnn.graph import feature_matrix, summarise
from grape_gnn.graph.checksum import checksum
from grape_gnn.graph.feature_matrix import made_dense

WORDS = np.array([[0, 2, 0, 0], [0, 0, 0, 0], [1, 0, 0, 3]])


def graph(x=None, **more) -> Graph:
    given = sparse.csc_matrix(WORDS) if x is None else x
    return Graph.from_edges([0, 1], [1, 2], x=given, **more)


def test_all_kinds_of_sparse_matrices_become_one():
    for kind in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array, sparse.lil_array):
        x = graph(kind(WORDS)).x
        assert isinstance(x, sparse.csr_array)
        assert x.dtype == np.float32
        assert x.toarray().tolist() == WORDS.tolist()


def test_stored_zeros_go_repeated_entries_add_up_and_nothing_can_be_changed():
    entries = ([5.0, 0.0, 1.0, 1.0], ([0, 0, 2, 2], [3, 0, 1, 1]))
    g = graph(sparse.coo_array(entries, (3, 4)))
    assert g.x.nnz == 2
    assert g.x.toarray()[2, 1] == 2
    with pytest.raises(ValueError, match="read-only"):
        g.x.data[0] = 9


def test_words_that_are_not_finite_are_named_by_row_and_column():
    with pytest.raises(GraphError, match=r"x\[2, 3\] is inf"):
        graph(sparse.csr_array(np.where(WORDS == 3, np.inf, WORDS)))
    with pytest.raises(GraphError, match=r"shape \(3, f\), one row per node; got \(2, 4\)"):
        graph(sparse.csr_array(WORDS[:2]))


@pytest.mark.parametrize("name", ["g.npz", "g.grape"])
@pytest.mark.parametrize("mmap", [False, True])
def test_files_keep_it_sparse(tmp_path, name, mmap):
    g = graph()
    g.save(tmp_path / name)
    for _ in range(2):  # the second time a folder is known to be right
        back = read_graph(tmp_path / name, mmap=mmap)
        assert isinstance(back.x, sparse.csr_array)
        assert back.x.toarray().tolist() == WORDS.tolist()
        assert checksum(back, back.x) == checksum(g, g.x)
    assert "x" not in {p.stem for p in (tmp_path / name).glob("*")}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x_indices": [1, 0, 4]}, "are not among the 4 columns"),
        ({"x_indices": [1, 3, 0]}, "do not ascend"),
        ({"x_indptr": [0, 2, 1, 3]}, "does not ascend from 0"),
        ({"x_indptr": [0, 1, 3]}, "does not ascend from 0, one step per node"),
        ({"x_indptr": [0, 1, 1, 2]}, "does not end where"),
        ({"x_data": [1.0, np.nan, 2.0]}, "must be finite"),
    ],
)
def test_damaged_files_are_refused(tmp_path, change, message):
    file = tmp_path / "g.npz"
    graph().save(file)
    members = {k: np.array(v) for k, v in read_arrays(file, "graph", 1, mmap=False).items()}
    members |= {k: np.array(v, members[k].dtype) for k, v in change.items()}
    write_arrays(file, "graph", 1, members)
    with pytest.raises(GraphFileError, match=message):
        read_graph(file)


def test_checksums_tell_matrices_apart():
    g, other = graph(), graph(sparse.csr_array(WORDS[:, ::-1]))
    assert checksum(g, g.x) == checksum(g, graph(sparse.coo_array(WORDS)).x)
    assert checksum(g, g.x) != checksum(g, other.x)
    wider = sparse.csr_array(np.hstack([WORDS, np.zeros((3, 1))]))
    assert checksum(g, g.x) != checksum(g, graph(wider).x)


def test_copies_and_summaries():
    g = graph()
    assert "features=4" in repr(g)
    assert pickle.loads(pickle.dumps(g)).x.toarray().tolist() == WORDS.tolist()
    found = summarise(g).features
    assert (found.width, found.density, found.zero_rows) == (4, 0.25, 1)
    assert "features" in g._repr_html_()


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support is in beta")  # once a process
def test_pyg_gets_and_gives_a_sparse_tensor():
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch_geometric")
    data = graph().to_pyg()
    assert data.x.layout == torch.sparse_coo
    back = Graph.from_pyg(data)
    assert isinstance(back.x, sparse.csr_array)
    assert back.x.toarray().tolist() == WORDS.tolist()
    data.x = data.x.to_sparse_csr()
    assert Graph.from_pyg(data).x.toarray().tolist() == WORDS.tolist()


def test_who_needs_it_dense_gets_it_unless_it_is_too_large(monkeypatch):
    pytest.importorskip("networkx")
    g = graph()
    assert g.to_networkx().nodes[2]["features"] == [1, 0, 0, 3]
    assert made_dense(g.x, "x").tolist() == WORDS.tolist()
    monkeypatch.setattr(feature_matrix, "DENSE_BYTES", 40)
    with pytest.raises(GraphError, match=r"a list of features .* needs .* 0\.0 GB: give"):
        g.to_networkx()
