"""The unpickler reads arrays, and runs nothing."""

from __future__ import annotations

import os
import pickle
import pickletools
from collections import defaultdict

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix

from grape_gnn.datasets.safe_pickle import read_array_pickle
from grape_gnn.errors import GraphFileError, UnsafePickleError


@pytest.fixture
def written(tmp_path):
    """Give a function that writes bytes, or the pickle of an object, and returns the path."""

    def write(content):
        path = tmp_path / "ind.test.x"
        raw = content if isinstance(content, bytes) else pickle.dumps(content, protocol=3)
        path.write_bytes(raw)
        return path

    return write


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=np.int32).reshape(2, 3),
        np.array([[0.5, -1.0]], np.float64),
        np.asfortranarray(np.arange(6).reshape(2, 3)),
        np.array([1, 2], ">i2"),
        np.array([True, False]),
        np.empty((0, 3), np.float32),
    ],
)
def test_arrays(written, array):
    read = read_array_pickle(written(array))
    np.testing.assert_array_equal(read, array)
    assert read.dtype == array.dtype
    assert read.shape == array.shape


def test_sparse_matrices_and_neighbour_lists(written):
    matrix = csr_matrix(np.array([[0, 2.0], [1, 0]]))
    read = read_array_pickle(written(matrix))
    assert isinstance(read, csr_array)
    np.testing.assert_array_equal(read.toarray(), matrix.toarray())
    neighbours = defaultdict(list, {0: [1, 2], 1: [0]})
    assert read_array_pickle(written(neighbours)) == neighbours


def test_python_2_pickle(written):
    # int32 array [1, 2] as Python 2 wrote it: bytes are text, align and copy are 0 and 1.
    raw = (
        b"\x80\x02cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85U\x01b\x87R"
        b"(K\x01K\x02\x85cnumpy\ndtype\nU\x02i4K\x00K\x01\x87R(K\x03U\x01<NNNJ\xff\xff\xff\xff"
        b"J\xff\xff\xff\xffK\x00tb\x89U\x08\x01\x00\x00\x00\x02\x00\x00\x00tb."
    )
    assert read_array_pickle(written(raw)).tolist() == [1, 2]


class Call:
    """Pickles as a call of a function."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


def test_malicious_pickles_do_not_run(written, tmp_path):
    trace = tmp_path / "trace"
    attacks = {
        f"{os.system.__module__}.system": Call(os.system, f"touch {trace}"),
        "builtins.eval": Call(eval, f"open({str(trace)!r}, 'w')"),
        "builtins.exec": Call(exec, f"open({str(trace)!r}, 'w')"),
        "__builtin__.getattr": b"c__builtin__\ngetattr\n(S'a'\nS'b'\ntR.",
        "numpy.fromfile": b"cnumpy\nfromfile\n(S'/etc/passwd'\ntR.",
        "numpy.load": b"cnumpy\nload\n(S'/etc/passwd'\ntR.",
        "numpy.ndarray.tofile": b"\x80\x04\x8c\x05numpy\x8c\x0endarray.tofile\x93.",
    }
    for name, attack in attacks.items():
        path = written(attack)
        with pytest.raises(UnsafePickleError, match=f"the pickle asks for {name}, which arrays"):
            read_array_pickle(path)
    assert not trace.exists()


def test_the_attack_is_real(tmp_path):
    # Otherwise the test above could pass because its pickles do nothing anywhere.
    trace = tmp_path / "trace"
    pickle.loads(pickle.dumps(Call(os.system, f"touch {trace}"), protocol=3))
    assert trace.exists()


def test_attack_hidden_in_an_array(written, tmp_path):
    trace = tmp_path / "trace"
    hidden = np.empty(1, object)
    hidden[0] = Call(os.system, f"touch {trace}")
    for content in (hidden, {0: [hidden[0]]}, {"data": hidden[0]}):
        with pytest.raises(GraphFileError):
            read_array_pickle(written(content))
    assert not trace.exists()


def test_arrays_of_objects_are_refused(written):
    with pytest.raises(GraphFileError, match="arrays of type 'O8' are not read"):
        read_array_pickle(written(np.array([None, 1], object)))


def test_persistent_objects_are_refused(written):
    with pytest.raises(UnsafePickleError, match="asks for the persistent object 'key'"):
        read_array_pickle(written(b"Pkey\n."))


def test_every_prefix_of_a_pickle_is_refused(written):
    raw = pickle.dumps(csr_matrix(np.eye(3)), protocol=3)
    for length in range(0, len(raw), 7):
        with pytest.raises(GraphFileError, match=r"ind\.test\.x: is no readable pickle of arrays"):
            read_array_pickle(written(raw[:length]))


def test_sparse_indices_out_of_range(written):
    matrix = csr_matrix(np.eye(3))
    matrix.indices[1] = 99
    with pytest.raises(GraphFileError, match="is no readable pickle of arrays"):
        read_array_pickle(written(matrix))


def test_array_whose_data_is_too_short(written):
    raw = pickletools.optimize(pickle.dumps(np.arange(4, dtype=np.int8), protocol=3))
    wrong = raw.replace(b"K\x04\x85", b"K\x05\x85")
    assert wrong != raw
    with pytest.raises(GraphFileError, match="cannot reshape array of size 4"):
        read_array_pickle(written(wrong))
