"""Edge arrays become clean rows, or a clear refusal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grape_gnn.errors import GrapeWarning, GraphError
from grape_gnn.graph.check_rows import check_reverse, check_rows
from grape_gnn.graph.rows import as_node_ids, build_rows, infer_num_nodes

EDGES = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=40)


def rows_of(edges, n, directed):
    src, dst = (np.array([e[k] for e in edges], np.int64) for k in (0, 1))
    return build_rows(src, dst, n, directed=directed, strict=False)


@pytest.mark.filterwarnings("ignore::grape_gnn.errors.GrapeWarning")
@given(EDGES, st.booleans())
def test_rows_hold_exactly_the_distinct_proper_edges(edges, directed):
    rows = rows_of(edges, 8, directed)
    arcs = {(u, v) for u, v in edges if u != v}
    if not directed:
        arcs |= {(v, u) for u, v in arcs}
    found = [
        (u, int(v)) for u in range(8) for v in rows.indices[rows.indptr[u] : rows.indptr[u + 1]]
    ]
    assert found == sorted(arcs)
    back = [
        (int(u), v)
        for v in range(8)
        for u in rows.in_indices[rows.in_indptr[v] : rows.in_indptr[v + 1]]
    ]
    assert back == sorted(arcs, key=lambda arc: (arc[1], arc[0]))
    assert (rows.in_indices is rows.indices) == (not directed)
    check_rows(rows.indptr, rows.indices)


def test_one_warning_counts_loops_and_repeats():
    edges = [(0, 0), (1, 1), (0, 1), (1, 0), (0, 1), (1, 2)]
    with pytest.warns(GrapeWarning) as caught:
        rows_of(edges, 3, directed=False)
    assert len(caught) == 1
    text = str(caught[0].message)
    assert "dropped 2 self-loops and 2 repeated edges among 6 edges" in text
    assert "u-v and v-u are the same edge" in text


def test_opposite_arcs_of_a_directed_graph_are_no_repeats():
    rows = rows_of([(0, 1), (1, 0)], 2, directed=True)
    assert rows.indices.tolist() == [1, 0]


def test_strict_refuses_what_would_be_dropped():
    src, dst = np.array([0, 0, 2]), np.array([1, 1, 2])
    with pytest.raises(GraphError, match="has 1 self-loop and 1 repeated edge among 3 edges"):
        build_rows(src, dst, 3, directed=False, strict=True)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([0, -3], r"node id -3 at src\[1\] is negative"),
        ([0, 1.5], r"node id 1.5 at src\[1\] is not an integer"),
        ([0, float("nan")], r"node id nan at src\[1\] is not an integer"),
        ([0, float("inf")], r"node id inf at src\[1\] is not an integer"),
        ([2**31 - 1], r"node id 2147483647 at src\[0\] is too large: the limit is 2,147,483,646"),
        ([1, 2**63], r"node id 9223372036854775808 at src\[1\] is too large"),
        ([1, 10**30], r"node id 10{30} at src\[1\] is too large"),
        ([1, None], r"node id None at src\[1\] is not an integer"),
        ([True, False], "src must hold integer node ids, got bool"),
        (["a", "b"], "src must hold integer node ids, .* pass their names with names="),
        ([[0], [1, 2]], "src must be a one-dimensional array of node ids: .*inhomogeneous"),
        ([[0, 1], [1, 2]], r"src must be a one-dimensional array of node ids, got shape \(2, 2\)"),
    ],
)
def test_bad_ids_are_named_with_their_position(ids, message):
    with pytest.raises(GraphError, match=message):
        as_node_ids(ids, "src")


def test_whole_floats_and_unsigned_are_ids():
    assert as_node_ids([0.0, 2.0], "src").tolist() == [0, 2]
    assert as_node_ids(np.array([3], np.uint64), "src").dtype == np.int64
    assert as_node_ids([], "src").dtype == np.int64


def test_num_nodes_is_checked_against_the_ids():
    src, dst = np.array([0, 1]), np.array([1, 5])
    with pytest.raises(GraphError, match=r"node id 5 at dst\[1\] is out of range for num_nodes=5"):
        infer_num_nodes(src, dst, 5)
    assert infer_num_nodes(src, dst, 6) == infer_num_nodes(src, dst, None) == 6


@pytest.mark.parametrize(
    ("num_nodes", "message"),
    [
        (-1, "num_nodes=-1 must be at least 0"),
        (2**31, "num_nodes=2147483648 must be at most 2147483647"),
        (2.5, "num_nodes=2.5 must be a whole number"),
        (True, "num_nodes=True must be a whole number"),
    ],
)
def test_bad_num_nodes(num_nodes, message):
    with pytest.raises(GraphError, match=message):
        infer_num_nodes(np.array([0]), np.array([0]), num_nodes)


def test_database_keys_are_not_taken_for_row_numbers():
    with pytest.raises(GraphError, match="the largest id is 2,000,000,000: number the nodes"):
        infer_num_nodes(np.array([0]), np.array([2_000_000_000]), None)


@pytest.mark.parametrize(
    ("indptr", "indices", "message"),
    [
        ([0, 1, 2], [1, 2], "a neighbour lies outside 0..1"),
        ([0, 1, 3], [1, 0], "row pointers are inconsistent"),
        ([0, 2, 1, 2], [1, 2], "row pointers are inconsistent"),
        ([0, 1, 2], [0, 0], "self-loop"),
        ([0, 2, 2, 2], [2, 1], "a row is not sorted"),
        ([0, 2, 2], [1, 1], "a row is not sorted"),
    ],
)
def test_check_rows_refuses(indptr, indices, message):
    with pytest.raises(GraphError, match=message):
        check_rows(np.array(indptr, np.int64), np.array(indices, np.int32))


def test_check_rows_refuses_other_types():
    with pytest.raises(GraphError, match="wrong type"):
        check_rows(np.array([0, 0], np.int32), np.array([], np.int32))


def test_rows_are_checked_across_pieces(monkeypatch):
    rng = np.random.default_rng(0)
    n = 40
    keys = np.unique(rng.integers(0, n * n, 600))
    src, dst = keys // n, keys % n
    src, dst = src[src != dst], dst[src != dst]
    rows = build_rows(src, dst, n, directed=True, strict=True)
    out, back = (rows.indptr, rows.indices), (rows.in_indptr, rows.in_indices)
    for piece in (1, 3, 64, 1000):
        monkeypatch.setattr("grape_gnn.graph.check_rows.PIECE", piece)
        check_rows(*out)
        check_reverse(out, back)
        for position in range(0, src.size - 1, 7):
            turned = rows.indices.copy()
            turned[position : position + 2] = turned[position : position + 2][::-1]
            with pytest.raises(GraphError, match=r"sorted|self-loop|reversed"):
                check_both((rows.indptr, turned), back)


def check_both(out, back):
    check_rows(*out)
    check_reverse(out, back)
