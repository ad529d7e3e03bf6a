"""GRAPE as a module: presets, checks, both directions, weights that travel."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.errors import ModelError
from grape_gnn.nn import GRAPE, PRESETS, RoleValues, find_preset


def random_graph(n: int = 30, directed: bool = False, seed: int = 0) -> grape.Graph:
    rng = np.random.default_rng(seed)
    src, dst = np.nonzero(np.triu(rng.random((n, n)) < 0.2, 1))
    if directed:
        flip = rng.random(src.size) < 0.5
        src, dst = np.where(flip, dst, src), np.where(flip, src, dst)
    return grape.Graph.from_edges(src, dst, n, directed)


def roles_for(graph: grape.Graph, preset: str, templates: str) -> RoleValues:
    chosen = find_preset(preset)
    found = grape.match(graph, templates, weighting=chosen.weighting)
    return RoleValues(found, values=chosen.values)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("layers", [1, 2, 3])
def test_every_parameter_gets_a_gradient(preset: str, directed: bool, layers: int) -> None:
    graph = random_graph(directed=directed)
    roles = roles_for(graph, preset, "e-commerce" if directed else "social")
    torch.manual_seed(0)
    model = GRAPE(roles.templates, 6, 3, hidden=4, layers=layers, preset=preset)
    scores = model(torch.randn(30, 6), roles)
    assert scores.shape == (30, 3)
    torch.nn.functional.cross_entropy(scores, torch.arange(30) % 3).backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in model.parameters())


@pytest.mark.parametrize("preset", PRESETS)
def test_renaming_the_nodes_renames_the_result(preset: str) -> None:
    graph = random_graph()
    order = np.random.default_rng(1).permutation(30)
    edges = graph.edge_array()
    place = np.argsort(order)
    moved = grape.Graph.from_edges(place[edges[:, 0]], place[edges[:, 1]], 30)
    torch.manual_seed(0)
    x = torch.randn(30, 4, dtype=torch.float64)
    roles, other = (roles_for(g, preset, "social") for g in (graph, moved))
    model = GRAPE(roles.templates, 4, 2, preset=preset).double().eval()
    torch.testing.assert_close(model(x, roles)[order], model(x[order], other))


def test_roles_survive_pickling() -> None:
    roles = roles_for(random_graph(), "default", "edge,triangle")
    x = torch.randn(30, 4)
    model = GRAPE(roles.templates, 4, 2).eval()
    expected = model(x, roles)
    torch.testing.assert_close(model(x, pickle.loads(pickle.dumps(roles))), expected)


def test_a_single_node_can_be_trained_on() -> None:
    roles = RoleValues(grape.match(grape.Graph.from_edges([], [], 1), "edge"))
    model = GRAPE(roles.templates, 2, 2).train()
    assert model(torch.ones(1, 2), roles).shape == (1, 2)


def test_refusals() -> None:
    roles = roles_for(random_graph(), "default", "edge")
    with pytest.raises(ModelError, match=r"unknown preset 'papr'.*did you mean 'paper'"):
        GRAPE(roles.templates, 4, 2, preset="papr")
    with pytest.raises(ModelError, match="at least one template"):
        GRAPE([], 4, 2)
    with pytest.raises(ModelError, match="hidden=0 must be at least 1"):
        GRAPE(roles.templates, 4, 2, hidden=0)
    model = GRAPE(roles.templates, 4, 2)
    with pytest.raises(ModelError, match=r"shape \(30, 5\).*built for 4 features"):
        model(torch.ones(30, 5), roles)
    with pytest.raises(ModelError, match="built for the templates edge, the roles are of triangle"):
        model(torch.ones(30, 4), roles_for(random_graph(), "default", "triangle"))


@pytest.mark.parametrize(("share", "dropped"), [(0.5, True), (0.0, False)])
def test_what_the_first_map_makes_of_the_features_is_dropped_with_them(share, dropped):
    graph = grape.datasets.load("planted-roles", num_shapes=9)
    roles = RoleValues(grape.match(graph, "edge"))
    model = GRAPE(roles.templates, 3, 2, hidden=8, dropout=0.5, input_dropout=share)
    given = []
    model.layers[0].register_forward_pre_hook(lambda _, inputs: given.append(inputs[0]))
    model.train()(torch.ones(graph.num_nodes, 3), roles)
    zeros = (given[0] == 0).float().mean().item()
    assert 0.4 < zeros < 0.6 if dropped else zeros == 0
