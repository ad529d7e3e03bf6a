"""The ablation: what is taken away is gone, and the table compares split by split."""

from __future__ import annotations

import pytest
import torch

import grape_gnn as grape
from arena.ablation import VARIANTS, Variant, ablation_table
from grape_gnn.nn import RoleValues
from grape_gnn.training import Shape

SHAPE = Shape(in_features=3, num_classes=2, hidden=4, layers=2, dropout=0.0, input_dropout=0.0)


@pytest.fixture(scope="module")
def roles():
    graph = grape.datasets.load("planted-roles", num_shapes=9)
    return RoleValues(grape.match(graph, "edge,triangle"))


def scores(name, roles):
    torch.manual_seed(0)
    network = Variant("edge,triangle", VARIANTS[name][1]).network(SHAPE)
    torch.manual_seed(1)
    x = torch.randn(roles.num_nodes, 3)
    return network.train()(x, roles)


@pytest.mark.parametrize("name", [name for name in VARIANTS if name != "default"])
def test_every_variant_computes_something_else(name, roles):
    assert not torch.allclose(scores(name, roles), scores("default", roles))


def test_without_a_form_its_maps_get_no_gradient(roles):
    torch.manual_seed(0)
    network = Variant("edge,triangle", VARIANTS["mean"][1]).network(SHAPE)
    network.train()(torch.randn(roles.num_nodes, 3), roles).sum().backward()
    layer = network.layers[0]
    gradient = layer.maps.weight.grad.view(4, layer.num_roles, 2, 4)
    assert gradient[:, :, 0].abs().sum() > 0
    assert gradient[:, :, 1].abs().sum() == 0


def test_the_table_has_differences_to_the_layer_as_it_is():
    table = ablation_table({"default": {"one": [50.0, 60.0]}, "mean": {"one": [49.0, 57.0]}})
    assert "| the layer as it is | 55.0 | |" in table
    assert "| means only | -2.0 ± 1.0 | -2.0 |" in table
