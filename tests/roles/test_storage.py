"""Role matches in files: what comes back is what was saved, and damage is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

from grape_gnn import Graph, load_roles, match, read_graph
from grape_gnn.errors import GrapeError, GraphFileError, MatchError, RolesFileError
from grape_gnn.testing import gnp

NAMES = ["ann", "bob", "cat", "dan", "eve"]


@pytest.fixture
def graph():
    """Give a triangle with a tail and a lonely node, named and labelled."""
    y = ["red", None, "blue", "red", "red"]
    x = np.ones((5, 2))
    return Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], x=x, y=y, names=NAMES)


@pytest.fixture
def saved(tmp_path, graph):
    """Give the path of saved roles."""
    match(graph, ["3-path", "triangle"]).save(tmp_path / "roles.npz")
    return tmp_path / "roles.npz"


def rewrite(path, **changes):
    """Save the members again with some replaced (or, with None, removed)."""
    with np.load(path) as members:
        contents = {**members, **changes}
    np.savez(path, **{key: value for key, value in contents.items() if value is not None})


def assert_same(left, right):
    assert (left.weighting, left.induced, len(left)) == (right.weighting, right.induced, len(right))
    for a, b in zip(left, right, strict=True):
        assert a.template == b.template
        assert a.template.name == b.template.name
        assert (a.sampled, a.truncated) == (b.sampled, b.truncated)
        np.testing.assert_array_equal(a.totals, b.totals)
        if a.complete is not None:
            np.testing.assert_array_equal(a.complete, b.complete)
        for p, q in zip(a, b, strict=True):
            assert p.to_scipy().dtype == q.to_scipy().dtype
            np.testing.assert_array_equal(p.to_scipy().toarray(), q.to_scipy().toarray())


@pytest.mark.parametrize("mmap", [False, True])
@pytest.mark.parametrize("weighting", ["count", "set"])
@pytest.mark.parametrize("induced", [False, True])
def test_what_comes_back_is_what_was_saved(tmp_path, graph, weighting, induced, mmap):
    roles = match(graph, "social", weighting=weighting, induced=induced)
    roles.save(tmp_path / "roles.npz")
    loaded = load_roles(tmp_path / "roles.npz", mmap=mmap)
    assert_same(loaded, roles)
    assert loaded[1][2].members("ann") == roles[1][2].members("ann")
    assert loaded.graph.label_names == graph.label_names
    assert loaded.graph.x is None
    assert (loaded[1][1] @ np.ones(5)).tolist() == roles[1][1].row_sums().tolist()


def test_directed_and_labelled_and_nameless(tmp_path, graph):
    arcs = gnp(20, 0.2, seed=1, directed=True)
    roles = match(arcs, "ecommerce")
    roles.save(tmp_path / "arcs.npz")
    assert_same(load_roles(tmp_path / "arcs.npz"), roles)
    roles = match(graph, "0-1 1:blue")
    roles.save(tmp_path / "labelled.npz")
    assert_same(load_roles(tmp_path / "labelled.npz"), roles)


def test_roles_by_algebra_are_written_out(tmp_path, graph):
    roles = match(graph, "social", engine="algebra")
    roles.save(tmp_path / "roles.npz")
    stored = match(graph, "social", engine="enumerate")
    assert_same(load_roles(tmp_path / "roles.npz"), stored)
    assert_same(roles.materialised(), stored)
    assert {type(role).__name__ for role in roles.materialised().operators()} == {
        "IdentityRole",
        "MatrixRole",
    }


def test_flags_survive(tmp_path):
    graph = gnp(40, 0.5, seed=1)
    part = match(graph, "4-path", instances=2000, on_budget="partial", engine="enumerate")
    assert part.truncated
    part.save(tmp_path / "part.npz")
    assert_same(load_roles(tmp_path / "part.npz"), part)
    sampled = match(graph, "4-path", sample=5, seed=3)
    sampled.save(tmp_path / "sampled.npz")
    assert_same(load_roles(tmp_path / "sampled.npz"), sampled)
    assert load_roles(tmp_path / "sampled.npz")[0].sampled


def test_no_templates_and_no_nodes(tmp_path):
    empty = Graph.from_edges([], [])
    for templates in ([], ["triangle"]):
        match(empty, templates).save(tmp_path / "none.npz")
        assert len(load_roles(tmp_path / "none.npz")) == len(templates)


def test_numpy_reads_it_without_pickle(saved):
    with np.load(saved, allow_pickle=False) as members:
        assert str(members["format"]) == "grape-roles"
        settings = json.loads(members["settings"].tobytes())
        assert [t["template"]["name"] for t in settings["templates"]] == ["3-path", "triangle"]
        assert members["t0_totals"].tolist() == [3, 3, 2, 2, 0]
        assert all(members[key].dtype != object for key in members.files)


def test_truncated_and_damaged_files_are_refused(saved):
    content = saved.read_bytes()
    for length in range(0, len(content), 101):
        saved.write_bytes(content[:length])
        with pytest.raises(RolesFileError, match=r"roles\.npz: is not a readable roles file"):
            load_roles(saved)
    rng = np.random.default_rng(0)
    for position in rng.integers(0, len(content), 200):
        damaged = bytearray(content)
        damaged[position] ^= 0xFF
        saved.write_bytes(damaged)
        try:
            load_roles(saved)  # a byte of padding or of a date may change unnoticed
        except RolesFileError:
            continue


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": np.array("grape-graph")}, "not a roles file saved by grape-gnn"),
        ({"version": np.array(2)}, "has format version 2, this release reads 1"),
        ({"settings": None}, "has damaged contents: 'settings'"),
        ({"settings": np.frombuffer(b"{}", np.uint8)}, "has damaged contents: 'weighting'"),
        ({"settings": np.frombuffer(b"\xff", np.uint8)}, "has damaged contents"),
        ({"t0_totals": np.zeros(3)}, "template 0 does not fit 5 nodes"),
        ({"t0_complete": np.zeros(5)}, "template 0 does not fit 5 nodes"),
        ({"t0_r1_indices": np.full(7, 9, np.int32)}, "a neighbour lies outside"),
        ({"t0_r2_data": np.array(["a"] * 10)}, "t0_r2_data has values of dtype <U1"),
        ({"t0_r1_indptr": None}, "has damaged contents: 't0_r1_indptr'"),
        ({"t1_r1_indptr": np.zeros(1, np.int64)}, "row pointers are inconsistent"),
        ({"t0_totals": np.array([np.nan, 3, 2, 2, 0])}, "t0_totals has values that are no numbers"),
        ({"t0_totals": np.array([3, 3, 2, 2, -1])}, "t0_totals has values that are no numbers"),
        ({"t0_totals": np.array([np.inf, 3, 2, 2, 0])}, "t0_totals has values that are no numbers"),
        ({"t0_totals": np.array([3, 3, 2, 2, 1])}, "t0_r1 does not agree with the number of"),
        ({"t0_totals": np.array(["3"] * 5)}, "t0_totals has values of dtype"),
        ({"t1_r1_data": np.array([1, 1, 1, 1, 1, 2])}, "t1_r1 does not agree with the number of"),
        ({"t1_r1_data": np.array([1, 1, 1, 1, 1, np.nan])}, "t1_r1_data has values that are no"),
        ({"t1_r1_data": np.array([1, 1, 1, 1, 1, -1])}, "t1_r1_data has values that are no"),
        ({"t1_r1_data": np.array([2, 0, 1, 1, 1, 1])}, "t1_r1_data has values that are no"),
        ({"settings": np.frombuffer(b"[" * 100_000, np.uint8)}, "nested too deeply"),
    ],
)
def test_foreign_contents_are_refused(saved, changes, message):
    rewrite(saved, **changes)
    with pytest.raises(RolesFileError, match=message):
        load_roles(saved)


def test_missing_files_and_wrong_names(tmp_path, saved, graph):
    with pytest.raises(RolesFileError, match=r"nowhere\.npz: no such file"):
        load_roles(tmp_path / "nowhere.npz")
    with pytest.raises(MatchError, match=r"must end in \.npz"):
        match(graph, "edge").save(tmp_path / "roles.csv")
    with pytest.raises(GrapeError, match="does not exist"):
        match(graph, "edge").save(tmp_path / "no" / "roles.npz")
    with pytest.raises(GraphFileError, match="not a graph file saved"):
        read_graph(saved)
