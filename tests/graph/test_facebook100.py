"""Facebook100 MATLAB files: the format on a made-up network, the facts on the published ones."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest
from scipy.io import savemat
from scipy.sparse import csc_matrix

from grape_gnn.errors import GraphFileError
from grape_gnn.graph import read_graph
from grape_gnn.graph.facebook100 import read_facebook100

PATH = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], float)
INFO = np.array(
    [[1, 2, 100, 0, 7, 2005, 3], [1, 1, 0, 0, 7, 0, 3], [2, 0, 100, 0, 9, 2004, 4]], np.uint16
)


@pytest.fixture
def college(tmp_path):
    """Give a function that writes a file with the given contents."""

    def write(A=None, local_info=INFO):
        path = tmp_path / "College1.mat"
        contents = {"A": csc_matrix(PATH) if A is None else A}
        savemat(path, contents if local_info is None else {**contents, "local_info": local_info})
        return path

    return write


def test_year_is_the_label_and_gender_and_major_the_features(college):
    g = read_graph(college())
    assert g.edge_array().tolist() == [[0, 1], [1, 2]]
    assert g.y.tolist() == [1, -1, 0]
    assert g.label_names == (2004, 2005)
    # gender 0, 1, 2, then major 0, 100
    assert g.x.tolist() == [[0, 0, 1, 0, 1], [0, 1, 0, 1, 0], [1, 0, 0, 0, 1]]


def test_other_columns(college):
    g = read_graph(college(), label="dorm", features=["status"])
    assert g.label_names == (7, 9)
    assert g.x.shape == (3, 2)
    bare = read_facebook100(college(), label=None, features=None)
    assert bare.y is None
    assert bare.x is None
    assert read_facebook100(college(), missing_is_class=True).label_names == (0, 2004, 2005)


def test_unknown_column(college):
    with pytest.raises(GraphFileError, match="has no column 'shoe'; the columns are status, gen"):
        read_graph(college(), label="shoe")


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"local_info": None}, "is no Facebook100 file: it needs a sparse A and local_info"),
        ({"A": PATH}, "is no Facebook100 file"),
        ({"local_info": INFO[:2]}, r"A has shape \(3, 3\) and local_info \(2, 7\)"),
        ({"A": csc_matrix(PATH[:2])}, r"A has shape \(2, 3\)"),
    ],
)
def test_other_matlab_files(college, parts, reason):
    with pytest.raises(GraphFileError, match=reason):
        read_graph(college(**parts))


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.6, 0.9])
def test_truncated_file(college, share):
    path = college()
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(GraphFileError, match=r"College1\.mat: is no"):
        read_graph(path)


@pytest.mark.parametrize(
    ("name", "nodes", "edges", "missing"),
    [
        ("Hamilton46", 2314, 96394, 196),
        ("Lehigh96", 5075, 198347, 446),
        ("Rochester38", 4563, 161404, 418),
        ("JohnsHopkins55", 5180, 186586, 636),
        ("Amherst41", 2235, 90954, 214),
    ],
)
def test_published_networks(shared_data, name, nodes, edges, missing):
    g = read_graph(shared_data / "facebook100" / f"{name}.mat")
    assert (g.num_nodes, g.num_edges, int((g.y < 0).sum())) == (nodes, edges, missing)
    assert (g.x.sum(axis=1) == 2).all()


def _with_indices(path, old, new):
    """Replace a run of 32-bit integers in an uncompressed file."""
    content = path.read_bytes()
    before, after = (np.array(values, "<i4").tobytes() for values in (old, new))
    assert content.count(before) == 1
    path.write_bytes(content.replace(before, after))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([1, 0, 2, 1], [1, 0, 3, 1]),
        ([1, 0, 2, 1], [1, 0, 2_000_000_000, 1]),
        ([1, 0, 2, 1], [1, 0, -1, 1]),
        ([0, 1, 3, 4], [0, 9, 3, 4]),
        ([0, 1, 3, 4], [0, 3, 1, 4]),
        ([0, 1, 3, 4], [0, -5, 3, 4]),
        ([0, 1, 3, 4], [0, 1, 3, 40]),
    ],
)
def test_sparse_structures_are_checked_before_use(college, old, new):
    path = college()
    _with_indices(path, old, new)
    with pytest.raises(GraphFileError, match=r"College1\.mat: .*[Aa].*"):
        read_graph(path)


def test_values_that_are_no_codes(college):
    for bad in (np.nan, np.inf, 0.5, 1e300):
        info = INFO.astype(float)
        info[1, 2] = bad
        with pytest.raises(GraphFileError, match=r"local_info.* are not all integers"):
            read_graph(college(local_info=info))
    with pytest.raises(GraphFileError, match="is no Facebook100 file"):
        read_graph(college(local_info=np.full((3, 7), "x", dtype=object)))


@pytest.mark.parametrize("packed", [False, True])
def test_an_element_of_no_known_type_does_not_end_the_process(tmp_path, packed):
    """SciPy looks types up by their number, and there is no type 0."""
    path = tmp_path / "College1.mat"
    savemat(path, {"A": csc_matrix(PATH), "local_info": INFO.T.copy().T})
    plain = path.read_bytes()
    numbers, damaged = struct.pack("<II", 4, INFO.nbytes), struct.pack("<II", 0, INFO.nbytes)
    assert plain.count(numbers) == 1
    broken = plain.replace(numbers, damaged)
    if packed:
        at = broken.index(b"local_info") - 48
        squeezed = zlib.compress(broken[at:])
        broken = broken[:at] + struct.pack("<II", 15, len(squeezed)) + squeezed
    path.write_bytes(broken)
    with pytest.raises(GraphFileError, match="an element of numbers has the type 0"):
        read_graph(path)
