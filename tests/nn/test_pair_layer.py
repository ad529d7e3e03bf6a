"""Networks on pairs of nodes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.errors import ModelError
from grape_gnn.nn import PairLayer, PairNetwork, pair_profiles
from grape_gnn.testing import gnp
from grape_gnn.testing.look_alikes import SKIPS, permuted, rings, skip_links


def profiles_of(graphs, templates="social", dtype=torch.float32):
    together = grape.GraphSet.of(graphs)
    matches = grape.match(together, templates)
    return pair_profiles(matches, together, dtype), sum(len(roles) - 1 for roles in matches)


def test_profiles_are_the_logs_of_the_counts():
    graphs = [gnp(6, 0.5, 0), gnp(9, 0.4, 1)]
    profiles, _ = profiles_of(graphs, "edge,triangle,4-path")
    for graph, profile in zip(graphs, profiles, strict=True):
        roles = [r for m in grape.match(graph, "edge,triangle,4-path") for r in m[1:]]
        wanted = [np.eye(graph.num_nodes), *(np.log1p(r.to_scipy().toarray()) for r in roles)]
        assert np.allclose(profile.numpy(), np.stack(wanted, axis=2))


def test_the_layer_is_its_equation():
    torch.manual_seed(0)
    layer, pairs = PairLayer(3).double(), torch.randn(4, 4, 3, dtype=torch.float64)
    layer([pairs])  # moves what the normalisation keeps
    layer.eval()
    s = layer.before(pairs.flatten(0, 1)).view(4, 4, 3)
    wanted = torch.empty_like(pairs)
    for v, u in itertools.product(range(4), repeat=2):
        between = sum(layer.first(s[v, w]) * layer.second(s[w, u]) for w in range(4)) / 4
        z = layer.own(pairs[v, u]) + layer.after(between[None])[0]
        wanted[v, u] = pairs[v, u] + torch.nn.functional.silu(layer.norm(z[None])[0])
    assert torch.allclose(layer([pairs])[0], wanted)


def test_the_layer_goes_along_with_the_order_of_the_nodes():
    torch.manual_seed(0)
    layer, pairs, order = PairLayer(5).double(), torch.randn(7, 7, 5).double(), torch.randperm(7)
    [moved], [plain] = layer([pairs[order][:, order]]), layer([pairs])
    assert torch.allclose(moved, plain[order][:, order])


def test_the_network_does_not_see_the_order_nor_the_companions():
    graphs = [gnp(5 + k, 0.4, k) for k in range(6)]
    copies = [permuted(graph, k) for k, graph in enumerate(graphs)]
    torch.manual_seed(0)
    both, count = profiles_of([*graphs, *copies])
    model = PairNetwork(count, 3)
    model(both)
    scores = model.eval()(both)
    assert torch.allclose(scores[:6], scores[6:], atol=1e-5)
    assert torch.allclose(model(both[2:3]), scores[2:3], atol=1e-6)


def test_features_of_nodes_enter():
    graph = rings(6)
    profiles, count = profiles_of([graph], "edge", torch.float64)
    torch.manual_seed(0)
    model = PairNetwork(count, 2, in_features=1).double().eval()
    near, far = torch.zeros(6, 1).double(), torch.zeros(6, 1).double()
    near[[0, 1]] = far[[0, 3]] = 1  # as many of either kind, at other distances
    assert (model(profiles, [near]) - model(profiles, [far])).abs().max() > 1e-6


@pytest.mark.parametrize(
    ("templates", "dtype"), [("edge", torch.float64), ("social", torch.float32)]
)
def test_random_weights_tell_apart_what_pairs_do(templates, dtype):
    """With the edge alone differences are as small as the rounding errors of single precision."""
    graphs = [skip_links(skip) for skip in SKIPS]
    assert len(set(grape.pair_colours(graphs, templates).tolist())) == 10
    profiles, count = profiles_of(graphs, templates, dtype)
    copies, _ = profiles_of([permuted(g, k) for k, g in enumerate(graphs)], templates, dtype)
    torch.manual_seed(0)
    model = PairNetwork(count, 1).to(dtype)
    with torch.no_grad():
        for _ in range(30):
            model(profiles)
        model.eval()
        outputs, again = model.pooled(profiles), model.pooled(copies)
    noise = 4 * (outputs - again).abs().max()
    for one, two in itertools.combinations(range(10), 2):
        assert (outputs[one] - outputs[two]).abs().max() > noise


def test_it_learns():
    """Whether rings of twelve nodes in all have triangles: message passing cannot know."""
    graphs = [rings(*sizes) for sizes in ((12,), (6, 6), (3, 9), (3, 3, 6), (4, 8), (3, 4, 5))]
    y = torch.tensor([0.0, 0.0, 1.0, 1.0, 0.0, 1.0])
    profiles, count = profiles_of(graphs, "edge")
    torch.manual_seed(0)
    model = PairNetwork(count, 1, hidden=16)
    optimiser = torch.optim.Adam(model.parameters(), 0.01)
    for _ in range(120):
        optimiser.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(model(profiles)[:, 0], y)
        loss.backward()
        optimiser.step()
    assert all(parameter.grad is not None for parameter in model.parameters())
    model.eval()
    assert ((model(profiles)[:, 0] > 0) == (y > 0)).all()


def test_no_graph_and_no_node():
    empty = grape.Graph.from_edges([], [], num_nodes=0)
    profiles, count = profiles_of([empty, rings(3)], "edge")
    model = PairNetwork(count, 2).eval()
    assert torch.isfinite(model(profiles)).all()
    assert model([]).shape == (0, 2)


def test_errors():
    large = grape.GraphSet.of([rings(201)])
    with pytest.raises(ModelError, match="201 nodes has too many pairs"):
        pair_profiles(grape.match(large, "edge"), large)
    profiles, _ = profiles_of([rings(5)], "edge")
    with pytest.raises(ModelError, match="1 roles and 0 features, but the network was built for 3"):
        PairNetwork(3, 1)(profiles)
    with pytest.raises(ModelError, match="another set of graphs"):
        pair_profiles(grape.match(large, "edge"), grape.GraphSet.of([rings(5)]))
