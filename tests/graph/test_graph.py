"""The Graph class itself."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pytest

from grape_gnn import _native
from grape_gnn.errors import GraphError, UnknownNodeError
from grape_gnn.graph import Graph
from grape_gnn.graph.columns import make_column


def test_counts_degrees_and_neighbours(triangle_with_tail):
    g = triangle_with_tail
    assert (g.num_nodes, g.num_edges, g.directed) == (5, 4, False)
    assert g.degrees.tolist() == [2, 2, 3, 1, 0]
    assert g.neighbours(2).tolist() == [0, 1, 3]
    assert g.neighbours(4).tolist() == []
    assert g.edge_array().tolist() == [[0, 1], [0, 2], [1, 2], [2, 3]]
    assert g.in_indptr is g.indptr


def test_a_directed_graph_keeps_both_sides():
    g = Graph.from_edges([0, 1, 2], [1, 0, 1], directed=True)
    assert g.num_edges == 3
    assert g.degrees.tolist() == [1, 1, 1]
    assert g.in_indices[g.in_indptr[1] : g.in_indptr[2]].tolist() == [0, 2]
    assert g.edge_array().tolist() == [[0, 1], [1, 0], [2, 1]]


def test_types_are_those_of_the_core(triangle_with_tail):
    g = triangle_with_tail
    assert (g.indptr.dtype, g.indices.dtype) == (np.int64, np.int32)
    assert (g.x.dtype, g.y.dtype) == (np.float32, np.int64)
    assert isinstance(g.native, _native.Graph)
    assert g.native is g.native


@pytest.mark.parametrize("n", [0, 3])
@pytest.mark.parametrize("directed", [False, True])
def test_graphs_without_edges(n, directed):
    g = Graph.from_edges([], [], num_nodes=n, directed=directed, x=np.ones((n, 2)), y=[0] * n)
    assert (g.num_nodes, g.num_edges) == (n, 0)
    assert g.edge_array().shape == (0, 2)
    assert g.degrees.tolist() == [0] * n
    assert isinstance(g.native, _native.Graph)


def test_nothing_can_be_changed(triangle_with_tail):
    g = triangle_with_tail
    for part in ("indptr", "indices", "in_indptr", "in_indices", "x", "y", "degrees"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(g, part)[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        g.neighbours(0)[0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        g.x = None


def test_the_users_arrays_stay_his_own():
    src, dst = np.array([0, 1]), np.array([1, 2])
    x, y, names = np.ones((3, 1), np.float32), np.array([0, 1, 0]), np.array([5, 6, 7])
    g = Graph.from_edges(src, dst, x=x, y=y, names=names)
    for array in (src, dst, x, y, names):
        array[0] = 1  # still writeable
    assert g.x[0, 0] == 1
    assert g.y.tolist() == [0, 1, 0]
    assert g.names.tolist() == [5, 6, 7]


def test_names_decide_the_number_of_nodes():
    assert Graph.from_edges([0], [1], names=["a", "b", "c"]).num_nodes == 3
    with pytest.raises(GraphError, match=r"node id 3 at dst\[0\] is out of range"):
        Graph.from_edges([0], [3], names=["a", "b", "c"])


def test_label_names_need_labels():
    with pytest.raises(GraphError, match="label_names were given without labels; pass y"):
        Graph.from_edges([0], [1], label_names=["a"])


def test_ends_must_pair_up():
    with pytest.raises(GraphError, match="src and dst must have the same length, got 2 and 1"):
        Graph.from_edges([0, 1], [1])


@pytest.mark.parametrize("index", [-1, 5])
def test_index_out_of_range(triangle_with_tail, index):
    message = f"node index {index} is out of range: the graph has 5 nodes"
    with pytest.raises(UnknownNodeError, match=message):
        triangle_with_tail.name_of(index)
    with pytest.raises(UnknownNodeError, match=message):
        triangle_with_tail.neighbours(index)


def test_repr_is_complete(triangle_with_tail):
    assert repr(triangle_with_tail) == (
        "Graph(nodes=5, edges=4, undirected, features=2, classes=2, named)"
    )
    assert repr(Graph.from_edges([0], [1], directed=True)) == "Graph(nodes=2, edges=1, directed)"


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
def test_copies_are_equal_and_read_only(triangle_with_tail, assert_same, clone):
    assert triangle_with_tail.native is not None  # cached, and must not travel
    twin = clone(triangle_with_tail)
    assert_same(triangle_with_tail, twin)
    assert not twin.indices.flags.writeable
    assert isinstance(twin.native, _native.Graph)


def test_to_undirected_keeps_everything_else():
    g = Graph.from_edges(
        [0, 1, 1],
        [1, 0, 2],
        directed=True,
        x=np.ones((3, 2)),
        y=["a", "b", None],
        names=list("uvw"),
    )
    plain = g.to_undirected()
    assert not plain.directed
    assert plain.edge_array().tolist() == [[0, 1], [1, 2]]
    assert plain.in_indices.tolist() == plain.indices.tolist() == [1, 0, 2, 1]
    assert (plain.x is g.x, plain.label_names, plain.names) == (True, g.label_names, g.names)
    assert plain.to_undirected() is plain
    assert Graph.from_edges([], [], 2, directed=True).to_undirected().num_edges == 0


def test_columns_need_a_value_for_every_node():
    column = make_column("age", [1, 2])
    with pytest.raises(GraphError, match="the column 'age' must have one value per node, 3; got 2"):
        Graph.from_edges([0], [1], 3, columns=[column])
    with pytest.raises(GraphError, match="give the features as x or as columns, not both"):
        Graph.from_edges([0], [1], columns=[column], x=np.ones((2, 1)))
