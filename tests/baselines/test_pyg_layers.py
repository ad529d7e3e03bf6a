"""Our order of operations gives what PyG's own layers give, forwards and backwards."""

import pytest
import torch
import torch_geometric.nn as pyg

from grape_gnn.baselines.adjacency import adjacency, normalised, to_torch
from grape_gnn.baselines.attention import Neighbourhood
from grape_gnn.baselines.gat import GATLayer
from grape_gnn.baselines.gcn import GCNLayer
from grape_gnn.baselines.gin import GINLayer
from grape_gnn.baselines.mixhop import MixHopLayer
from grape_gnn.baselines.sage import SAGELayer


def edges_of(graph):
    return torch.from_numpy(graph.to_pyg().edge_index.numpy().copy())


def assert_equal_layers(ours, theirs, weights):
    """Compare outputs, and the gradients of pairs (our weight, their weight)."""
    assert torch.allclose(ours, theirs, atol=1e-5)
    steer = torch.linspace(-1, 1, ours.numel()).view(ours.shape)
    mine = torch.autograd.grad((ours * steer).sum(), [w for w, _ in weights])
    other = torch.autograd.grad((theirs * steer).sum(), [w for _, w in weights])
    for a, b in zip(mine, other, strict=True):
        assert torch.allclose(a, b.t() if a.shape != b.shape else b, atol=1e-4)


def test_gcn(small):
    x = torch.from_numpy(small.x.copy())
    ours, theirs = GCNLayer(5, 4), pyg.GCNConv(5, 4)
    theirs.lin.weight.data = ours.linear.weight.data.t().clone()
    assert_equal_layers(
        ours(x, to_torch(normalised(small))),
        theirs(x, edges_of(small)),
        [(ours.linear.weight, theirs.lin.weight), (ours.conv.bias, theirs.bias)],
    )


def test_sage(small):
    x = torch.from_numpy(small.x.copy())
    ours, theirs = SAGELayer(5, 4), pyg.SAGEConv(5, 4)
    theirs.lin_l.weight.data = ours.linear.weight.data[:, :4].t().clone()
    theirs.lin_r.weight.data = ours.linear.weight.data[:, 4:].t().clone()
    theirs.lin_l.bias.data.zero_()
    out = ours(x, to_torch(adjacency(small)))
    assert_equal_layers(out, theirs(x, edges_of(small)), [(ours.bias, theirs.lin_l.bias)])


def test_gin(small):
    x = torch.from_numpy(small.x.copy())
    ours = GINLayer(5, 4)
    first = torch.nn.Linear(5, 4, bias=False)
    theirs = pyg.GINConv(torch.nn.Sequential(first, *ours.conv.nn), train_eps=True)
    first.weight.data = ours.linear.weight.data.t().clone()
    for layer in (ours.conv, theirs):
        layer.eps.data.fill_(0.3)
    out = ours(x, to_torch(adjacency(small)))
    weights = [(ours.conv.eps, theirs.eps), (ours.linear.weight, first.weight)]
    assert_equal_layers(out, theirs(x, edges_of(small)), weights)


@pytest.mark.parametrize("heads", [1, 2])
def test_gat(small, heads):
    x = torch.from_numpy(small.x.copy())
    ours = GATLayer(5, 4, heads, dropout=0.0)
    theirs = pyg.GATConv(5, 4 // heads, heads)
    theirs.lin.weight.data = ours.linear.weight.data.t().clone()
    theirs.att_src.data, theirs.att_dst.data = ours.conv.att_src.data, ours.conv.att_dst.data
    weights = [(ours.linear.weight, theirs.lin.weight), (ours.conv.att_src, theirs.att_src)]
    weights += [(ours.conv.att_dst, theirs.att_dst)]
    assert_equal_layers(ours(x, Neighbourhood(small)), theirs(x, edges_of(small)), weights)


def test_mixhop(small):
    x = torch.from_numpy(small.x.copy())
    ours, theirs = MixHopLayer(5, 4), pyg.MixHopConv(5, 4, powers=[0, 1, 2])
    for mine, other in zip(ours.linears, theirs.lins, strict=True):
        other.weight.data = mine.weight.data.t().clone()
    weights = [(a.weight, b.weight) for a, b in zip(ours.linears, theirs.lins, strict=True)]
    out = ours(x, to_torch(normalised(small)))
    assert_equal_layers(out, theirs(x, edges_of(small)), weights)
