"""Features, labels and names: what is taken, what is refused, and in which words."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from grape_gnn.errors import GrapeWarning, GraphError
from grape_gnn.graph.attributes import (
    as_label_codes,
    as_names,
    encode_labels,
    spells_integer,
)
from grape_gnn.graph.feature_matrix import as_features

NAN = float("nan")


@pytest.mark.parametrize(
    ("y", "codes", "names"),
    [
        ([0, 2, 1], [0, 2, 1], (0, 1, 2)),
        ([0, -1, 1], [0, -1, 1], (0, 1)),
        ([2005, 2003, 2005], [1, 0, 1], (2003, 2005)),
        (["b", "a", None], [1, 0, -1], ("a", "b")),
        (np.array(["b", "a", "b"]), [1, 0, 1], ("a", "b")),
        ([1, None, NAN], [0, -1, -1], (1,)),
        (np.array([3.0, NAN, 1.0]), [1, -1, 0], (1, 3)),
        ([True, False, True], [1, 0, 1], (0, 1)),
        ([None, None, None], [-1, -1, -1], ()),
        (np.array([5, 7, 7], np.uint8), [0, 1, 1], (5, 7)),
    ],
)
@pytest.mark.filterwarnings("ignore:the labels are -1 and 1")
def test_labels_become_codes_in_sorted_order(y, codes, names):
    found, label_names = encode_labels(y, 3)
    assert found.tolist() == codes
    assert found.dtype == np.int64
    assert label_names == names
    assert all(type(name) in (int, str) for name in label_names)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0, 1], r"labels y must have shape \(3,\), one label per node; got \(2,\)"),
        (np.zeros((3, 2), int), r"got \(3, 2\)"),
        ([0, -5, 1], r"label -5 at y\[1\] is negative; use -1 for a missing label"),
        ([0.5, 1.0, 2.0], r"label 0.5 at y\[0\] is neither a text nor an integer"),
        ([0, float("inf"), 1], r"label inf at y\[1\] is neither a text nor an integer"),
        (["a", 1, "b"], r"labels y mix texts and numbers: y\[0\] is 'a'"),
        ([1, "a", 2], r"labels y mix texts and numbers: y\[1\] is 'a'"),
        ([(1, 2), 1, 2], r"label \(1, 2\) at y\[0\] is neither"),
    ],
)
def test_bad_labels(y, message):
    with pytest.raises(GraphError, match=message):
        encode_labels(y, 3)


def test_minus_one_and_one_are_probably_two_classes():
    with pytest.warns(GrapeWarning, match="-1 means missing; if these are two classes"):
        encode_labels([-1, 1, 1], 3)


def test_codes_with_given_label_names():
    codes, names = as_label_codes([1, -1], ["x", "y"], 2)
    assert codes.tolist() == [1, -1]
    assert names == ("x", "y")
    with pytest.raises(GraphError, match=r"label code 2 at y\[0\] is neither -1"):
        as_label_codes([2, 0], ["x", "y"], 2)
    with pytest.raises(GraphError, match="must be 2 integer codes"):
        as_label_codes(["x", "y"], ["x", "y"], 2)
    with pytest.raises(GraphError, match="label_names must be distinct"):
        as_label_codes([0, 0], ["x", "x"], 2)


def test_features_become_float32():
    assert as_features([[1, 2], [3, 4]], 2).dtype == np.float32
    assert as_features(csr_array([[0, 1.5], [0, 0]]), 2).toarray().tolist() == [[0, 1.5], [0, 0]]
    assert as_features(np.zeros((0, 3)), 0).shape == (0, 3)


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([[1.0], [NAN]], r"must be finite 32-bit numbers; x\[1, 0\] is nan"),
        ([[1.0, float("inf")], [0, 0]], r"x\[0, 1\] is inf"),
        ([[1e300], [0]], r"x\[0, 0\] is 1e\+300"),
        ([[1.0], [1.0, 2.0]], "features x must be a matrix: .*inhomogeneous"),
        ([1.0, 2.0], r"must have shape \(2, f\), one row per node; got \(2,\)"),
        ([[1.0]], r"got \(1, 1\)"),
        ([["a"], ["b"]], "features x must be numbers, got dtype <U1"),
    ],
)
def test_bad_features(x, message):
    with pytest.raises(GraphError, match=message):
        as_features(x, 2)


@pytest.mark.parametrize("text", ["0", "7", str(2**63 - 1)])
def test_spelled_integers(text):
    assert spells_integer(text)


@pytest.mark.parametrize("text", ["", "-1", "007", "+1", "1.0", "٣", str(2**63), "1" * 5000])
def test_other_texts(text):
    assert not spells_integer(text)


def test_names_in_their_two_forms():
    assert as_names([0, 1, 2], 3) is None
    assert as_names([10, 5, 7], 3).tolist() == [10, 5, 7]
    assert as_names(np.array([10, 5]), 2).tolist() == [10, 5]
    assert as_names(["a", "b"], 2) == ("a", "b")
    assert as_names([(0, 1), "b"], 2) == ("(0, 1)", "b")
    assert as_names([10**30, 1], 2) == (str(10**30), "1")
    assert as_names([], 0) is None


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a", "b", "a"], "names must be distinct: 'a' names the nodes 0 and 2"),
        ([4, 9, 9], "names must be distinct: 9 names the nodes 1 and 2"),
        ([1, "1", 2], "names must be distinct: '1' names the nodes 0 and 1"),
        (["a"], "names must have one entry per node: 3, got 1"),
        (np.array([1, 2]), "names must have one entry per node: 3, got 2"),
    ],
)
def test_bad_names(names, message):
    with pytest.raises(GraphError, match=message):
        as_names(names, 3)
