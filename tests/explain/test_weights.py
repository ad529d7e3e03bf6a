"""Learned weights: what the network really uses, in shares that compare."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.explain import layer_weights
from grape_gnn.explain.weights import map_terms, role_terms
from grape_gnn.nn import GRAPE, RoleValues


@pytest.fixture
def graph():
    return grape.datasets.load("social-like", num_nodes=80)


@pytest.fixture(params=["default", "paper", "released"])
def preset(request):
    return request.param


def network_on(graph, names="edge,3-path,triangle", preset="default"):
    model = grape.GrapeClassifier(names, preset, hidden=8, epochs=3).fit(graph)
    return model.network, *model.inputs(graph)


@pytest.mark.parametrize("preset", ["paper", "released"])
def test_alpha_is_what_the_fusion_uses(graph, preset):
    network, x, roles = network_on(graph, preset=preset)
    used = []
    hooks = [
        layer.fusion.register_forward_hook(lambda f, given, _: used.append(f.alpha(given[0])))
        for layer in network.layers
    ]
    with torch.no_grad():
        network(x, roles)
    for hook in hooks:
        hook.remove()
    found = layer_weights(network, x, roles)
    assert [layer.alpha for layer in found] == [pytest.approx(a.tolist()) for a in used]


def test_shares_of_templates_and_of_their_roles_add_up_to_one(graph, preset):
    network, x, roles = network_on(graph, preset=preset)
    for layer in layer_weights(network, x, roles):
        assert sum(layer.share) + layer.own == pytest.approx(1)
        assert (layer.own > 0) == (preset == "default")
        for template in range(3):
            mine = [weight for weight in layer.roles if weight.template == template]
            assert sum(weight.share for weight in mine) == pytest.approx(1)
            first = 1 if preset == "default" else 0
            assert [w.role for w in mine if w.form in ("ego", "sum", "mean")] == list(
                range(first, roles.templates[template].num_roles)
            )


def test_betas_of_the_released_code_are_shares_of_one(graph):
    network, x, roles = network_on(graph, preset="released")
    for layer in layer_weights(network, x, roles):
        assert sum(w.weight for w in layer.roles if w.template == 1) == pytest.approx(1)


def test_the_spread_of_a_term_by_hand():
    star = grape.Graph.from_edges([0, 0, 0], [1, 2, 3])
    roles = RoleValues(grape.match(star, "edge", weighting="set"))
    network = GRAPE(roles.templates, 1, 2, hidden=1, layers=1, preset="paper").eval()
    with torch.no_grad():
        aggregator = network.layers[0].aggregator
        aggregator.first.weight.fill_(2.0)
        aggregator.beta_ego.fill_(3.0)
        aggregator.beta.fill_(-0.5)
    x = torch.tensor([[1.0], [2.0], [3.0], [4.0]])
    ego, member = layer_weights(network, x, roles)[0].roles
    own, sums = np.std([6, 12, 18, 24]), np.std([-9, -1, -1, -1])
    assert ego.share == pytest.approx(own / (own + sums))
    assert member.share == pytest.approx(sums / (own + sums))
    assert member.weight == -0.5


@pytest.mark.parametrize("preset", ["paper", "released"])
def test_the_terms_add_up_to_what_the_network_sums(graph, preset):
    network, x, roles = network_on(graph, preset=preset)
    aggregator = network.layers[0].aggregator
    with torch.no_grad():
        dense = x.to_dense() if hasattr(x, "to_dense") else x
        whole = aggregator.first(aggregator.aggregate(dense, roles))
        for template in range(3):
            terms = [term for *_, term in role_terms(aggregator, x, roles, template)]
            assert torch.allclose(sum(terms), whole[:, template], rtol=1e-4, atol=1e-4)


def test_the_terms_of_the_maps_add_up_to_what_the_layer_normalises(graph):
    network, x, roles = network_on(graph)
    layer = network.layers[0]
    normalised = []
    hook = layer.norm.register_forward_pre_hook(lambda _, given: normalised.append(given[0]))
    with torch.no_grad():
        h = x @ network.front.weight.T + network.front.bias
        layer(h, roles)
        terms = [term for *_, term in map_terms(layer, h, roles)]
        assert torch.allclose(sum(terms) + layer.own(h), normalised[0], rtol=1e-4, atol=1e-4)
    hook.remove()
    assert len(terms) == 2 * roles.num_roles


def test_shares_do_not_depend_on_the_size_of_what_is_weighted(graph):
    """A map that is larger because its messages are smaller is worth the same."""
    network, x, roles = network_on(graph)
    before = layer_weights(network, x, roles)[0]
    layer = network.layers[0]
    with torch.no_grad():
        eps, means = layer.maps.eps, layer.maps.running_var[:8]
        means.mul_(100).add_(99 * eps)  # the first role's means become a tenth of their size
        layer.maps.by_role()[0, 0].mul_(10)
    after = layer_weights(network, x, roles)[0]
    assert [w.share for w in after.roles] == [
        pytest.approx(w.share, rel=1e-3) for w in before.roles
    ]


def test_what_is_not_used_has_no_share(graph):
    network, x, roles = network_on(graph)
    with torch.no_grad():
        network.layers[0].maps.by_role()[0].zero_()
    first = layer_weights(network, x, roles)[0]
    assert [w.share for w in first.roles if (w.template, w.role) == (0, 1)] == [0.0, 0.0]


def test_the_network_is_left_as_it_was(graph):
    network, x, roles = network_on(graph)
    layer_weights(network, x, roles)
    assert not any(layer._forward_pre_hooks for layer in network.layers)
