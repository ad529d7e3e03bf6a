"""Networks on pairs of nodes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.errors import ModelError
from grape_gnn.nn import PairLayer, PairNetwork
from grape_gnn.nn.pair_layer import PairProfiles
from grape_gnn.nn.written_roles import WrittenRoles
from grape_gnn.testing import gnp
from grape_gnn.testing.look_alikes import SKIPS, permuted, rings, skip_links


def asked_of(graphs, templates="social"):
    """Return what a network is asked with for some graphs, after the features."""
    together = grape.GraphSet.of(graphs)
    roles = WrittenRoles.of(grape.match(together, templates))
    return roles, torch.from_numpy(together.graph_of_node.copy()), len(together)


def test_profiles_are_the_logs_of_the_counts():
    graphs = [gnp(9, 0.4, 1), rings(201), gnp(6, 0.5, 0), gnp(0, 0.5, 0), gnp(9, 0.6, 2)]
    roles, _, _ = asked_of(graphs, "edge,triangle,4-path")
    sizes = np.array([graph.num_nodes for graph in graphs])
    pairs = PairProfiles.of(roles, sizes, torch.ones(()))
    assert (pairs.graphs.tolist(), pairs.sizes) == ([0, 2, 4], [9, 6, 9])
    assert pairs.nodes.tolist() == [*range(9), *range(210, 225)]
    parts = pairs.values.split([81, 36, 81], dim=1)
    for number, part in zip(pairs.graphs.tolist(), parts, strict=True):
        matched = grape.match(graphs[number], "edge,triangle,4-path")
        counts = [np.log1p(r.to_scipy().toarray()) for m in matched for r in m[1:]]
        wanted = np.stack([np.eye(sizes[number]), *counts])
        assert np.allclose(part.numpy(), wanted.reshape(len(wanted), -1))


def test_the_layer_is_its_equation():
    torch.manual_seed(0)
    layer, pairs = PairLayer(3).double(), torch.randn(3, 4 * 4 + 2 * 2, dtype=torch.float64)
    layer(pairs, [4, 2])  # moves what the normalisation keeps
    layer.eval()
    found = layer(pairs, [4, 2])
    for n, first in ((4, 0), (2, 16)):
        mine = slice(first, first + n * n)
        p, refined = (each[:, mine].view(3, n, n) for each in (pairs, found))
        s = layer.before(pairs[None])[0][:, mine].view(3, n, n)
        for v, u in itertools.product(range(n), repeat=2):
            between = sum(layer.first(s[:, v, w]) * layer.second(s[:, w, u]) for w in range(n)) / n
            z = layer.own(p[:, v, u]) + layer.after(between[None, :, None])[0, :, 0]
            wanted = p[:, v, u] + torch.nn.functional.silu(layer.norm(z[None, :, None])[0, :, 0])
            assert torch.allclose(refined[:, v, u], wanted)


def test_the_derivatives_of_the_layer():
    torch.manual_seed(0)
    layer = PairLayer(2).double()
    pairs = torch.randn(2, 9 + 1 + 4, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda given: layer(given, [3, 1, 2]), (pairs,))


def test_the_layer_goes_along_with_the_order_of_the_nodes():
    torch.manual_seed(0)
    layer, pairs, order = PairLayer(5).double(), torch.randn(5, 7, 7).double(), torch.randperm(7)
    moved = layer(pairs[:, order][:, :, order].flatten(1), [7]).view(5, 7, 7)
    plain = layer(pairs.flatten(1), [7]).view(5, 7, 7)
    assert torch.allclose(moved, plain[:, order][:, :, order])


def test_the_network_does_not_see_the_order_nor_the_companions():
    graphs = [gnp(5 + k, 0.4, k) for k in range(6)]
    copies = [permuted(graph, k) for k, graph in enumerate(graphs)]
    torch.manual_seed(0)
    both = asked_of([*graphs, *copies])
    model = PairNetwork(both[0].num_roles, 3)
    model(None, *both)
    scores = model.eval()(None, *both)
    assert torch.allclose(scores[:6], scores[6:], atol=1e-5)
    assert torch.allclose(model(None, *asked_of(graphs[2:3])), scores[2:3], atol=1e-6)


def test_features_of_nodes_enter():
    graph = rings(6)
    asked = asked_of([graph], "edge")
    torch.manual_seed(0)
    model = PairNetwork(1, 2, in_features=1).double().eval()
    near, far = torch.zeros(6, 1).double(), torch.zeros(6, 1).double()
    near[[0, 1]] = far[[0, 3]] = 1  # as many of either kind, at other distances
    assert (model(near, *asked) - model(far, *asked)).abs().max() > 1e-6


@pytest.mark.parametrize(
    ("templates", "dtype"), [("edge", torch.float64), ("social", torch.float32)]
)
def test_random_weights_tell_apart_what_pairs_do(templates, dtype):
    """With the edge alone differences are as small as the rounding errors of single precision."""
    graphs = [skip_links(skip) for skip in SKIPS]
    assert len(set(grape.pair_colours(graphs, templates).tolist())) == 10
    asked = asked_of(graphs, templates)
    copies = asked_of([permuted(g, k) for k, g in enumerate(graphs)], templates)
    torch.manual_seed(0)
    model = PairNetwork(asked[0].num_roles, 1).to(dtype)
    with torch.no_grad():
        for _ in range(30):
            model(None, *asked)
        model.eval()
        outputs, again = model.pooled(None, *asked), model.pooled(None, *copies)
    noise = 4 * (outputs - again).abs().max()
    for one, two in itertools.combinations(range(10), 2):
        assert (outputs[one] - outputs[two]).abs().max() > noise


def test_it_learns():
    """Whether rings of twelve nodes in all have triangles: message passing cannot know."""
    graphs = [rings(*sizes) for sizes in ((12,), (6, 6), (3, 9), (3, 3, 6), (4, 8), (3, 4, 5))]
    y = torch.tensor([0.0, 0.0, 1.0, 1.0, 0.0, 1.0])
    asked = asked_of(graphs, "edge")
    torch.manual_seed(0)
    model = PairNetwork(1, 1, hidden=16)
    optimiser = torch.optim.Adam(model.parameters(), 0.01)
    for _ in range(120):
        optimiser.zero_grad()
        scores = model(None, *asked)[:, 0]
        loss = torch.nn.functional.binary_cross_entropy_with_logits(scores, y)
        loss.backward()
        optimiser.step()
    assert all(parameter.grad is not None for parameter in model.parameters())
    model.eval()
    assert ((model(None, *asked)[:, 0] > 0) == (y > 0)).all()


def test_no_graph_and_no_node():
    empty = grape.Graph.from_edges([], [], num_nodes=0)
    model = PairNetwork(1, 2).eval()
    assert torch.isfinite(model(None, *asked_of([empty, rings(3)], "edge"))).all()
    assert model(None, *asked_of([empty], "edge")[:2], 0).shape == (0, 2)


def test_large_graphs_have_no_pairs():
    torch.manual_seed(0)
    model = PairNetwork(1, 2).eval()
    pooled = model.pooled(None, *asked_of([rings(201), rings(200), rings(300)], "edge"))
    assert (pooled[0] == pooled[2]).all()
    assert (pooled[0] != pooled[1]).any()
    alone = model.pooled(None, *asked_of([rings(200)], "edge"))
    assert torch.allclose(alone[0], pooled[1], atol=1e-6)


def test_other_roles_are_refused():
    with pytest.raises(ModelError, match="1 roles, but the network was built for 3"):
        PairNetwork(3, 1)(None, *asked_of([rings(5)], "edge"))
