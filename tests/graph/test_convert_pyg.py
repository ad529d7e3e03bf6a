"""Graphs from PyTorch Geometric."""

from __future__ import annotations

import sys

import pytest

from grape_gnn.errors import GrapeWarning, GraphError, MissingExtraError
from grape_gnn.graph import Graph

torch = pytest.importorskip("torch")
data_module = pytest.importorskip("torch_geometric.data")
Data = data_module.Data


def test_both_arcs_make_an_undirected_graph():
    both = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    assert not Graph.from_pyg(Data(edge_index=both, num_nodes=3)).directed
    assert Graph.from_pyg(Data(edge_index=both[:, :3], num_nodes=3)).directed
    assert Graph.from_pyg(Data(edge_index=both, num_nodes=3), directed=True).num_edges == 4
    halves = Graph.from_pyg(Data(edge_index=both[:, ::2], num_nodes=3), directed=False)
    assert halves.edge_array().tolist() == [[0, 1], [1, 2]]


def test_undirected_data_holds_both_arcs(triangle_with_tail):
    data = triangle_with_tail.to_pyg()
    assert data.edge_index.shape == (2, 8)
    assert data.is_undirected()
    data.validate(raise_on_error=True)
    data.x.zero_()
    assert triangle_with_tail.x[1, 1] == 3


def test_masks_and_edge_attributes_are_left_out():
    data = Data(
        edge_index=torch.tensor([[0], [1]]),
        edge_attr=torch.ones(1, 4),
        x=torch.ones(2, 1),
        y=torch.tensor([[1], [0]]),
        train_mask=torch.tensor([True, False]),
    )
    with pytest.warns(GrapeWarning, match="edge_attr is neither one column of whole numbers"):
        g = Graph.from_pyg(data)
    assert g.y.tolist() == [1, 0]
    assert g.x.tolist() == [[1], [1]]


def test_loops_of_a_symmetric_graph_are_counted_once():
    ends = torch.tensor([[0, 1, 1], [1, 0, 1]])
    with pytest.warns(GrapeWarning, match="dropped 1 self-loop among"):
        Graph.from_pyg(Data(edge_index=ends, num_nodes=2))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([1], "expected torch_geometric.data.Data with edge_index, got list"),
        (Data(x=torch.ones(2, 1)), "has no edge_index"),
        (Data(edge_index=torch.ones(3, 2)), r"shape \(2, edges\), got \(3, 2\)"),
        (
            Data(edge_index=torch.tensor([[0], [1]]), y=torch.ones(1, 5), num_nodes=2),
            r"data.y has shape \(1, 5\), expected a label per node, \(2,\)",
        ),
        (
            Data(edge_index=torch.tensor([[0], [7]]), num_nodes=2),
            r"node id 7 at dst\[0\] is out of range for num_nodes=2",
        ),
    ],
)
def test_bad_data(data, message):
    with pytest.raises(GraphError, match=message):
        Graph.from_pyg(data)


def test_heterogeneous_data_is_refused():
    hetero = data_module.HeteroData()
    hetero["a", "to", "a"].edge_index = torch.tensor([[0], [1]])
    with pytest.raises(GraphError, match=r"HeteroData into Data with \.to_homogeneous"):
        Graph.from_pyg(hetero)


def test_without_pyg_the_extra_is_named(monkeypatch, triangle_with_tail):
    monkeypatch.setitem(sys.modules, "torch_geometric.data", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'grape-gnn\[pyg\]'"):
        triangle_with_tail.to_pyg()
