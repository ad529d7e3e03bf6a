"""The layer of the preset ``default`` against slow loops, and what it promises."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.nn import GRAPE, RoleLayer, RoleValues
from grape_gnn.nn.role_maps import FORMS
from grape_gnn.nn.sparse_features import SparseFeatures

TEMPLATES = "edge,3-path,triangle,4-cycle"


def small_graph(seed: int = 0, n: int = 14) -> grape.Graph:
    rng = np.random.default_rng(seed)
    return grape.Graph.from_edges(*np.nonzero(np.triu(rng.random((n, n)) < 0.3, 1)), n)


def standardised(column: np.ndarray) -> np.ndarray:
    return (column - column.mean()) / np.sqrt(column.var() + 1e-5)


@pytest.mark.parametrize("out", [3, 5], ids=["residual", "no residual"])
@pytest.mark.parametrize("damped", [0, 2])
def test_the_equations(out: int, damped: int) -> None:
    graph = small_graph()
    roles = RoleValues(grape.match(graph, TEMPLATES))
    torch.manual_seed(0)
    layer = RoleLayer(roles.templates, 3, out, damped=damped).double().train()
    h = np.random.default_rng(1).normal(size=(14, 3))
    sent = h.copy()
    sent[:, :damped] /= np.sqrt(1 + graph.degrees)[:, None]
    z = h @ layer.own.weight.detach().numpy().T
    maps = layer.maps.by_role().detach().numpy()
    for r, operator in enumerate(roles.operators):
        counts = operator.to_scipy().toarray()
        total = counts.sum(axis=1)
        mean = counts @ sent / np.where(total > 0, total, 1)[:, None]
        for form, factor in enumerate((np.ones(14), np.log1p(total))):
            message = np.apply_along_axis(standardised, 0, factor[:, None] * mean)
            z += message @ maps[r, form].T
    new = np.maximum(np.apply_along_axis(standardised, 0, z), 0)
    expected = h + new if out == 3 else new
    found = layer(torch.from_numpy(h), roles).detach().numpy()
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_maps_come_role_by_role() -> None:
    roles = RoleValues(grape.match(small_graph(), TEMPLATES))
    layer = RoleLayer(roles.templates, 2, 4)
    assert layer.maps.by_role().shape == (roles.num_roles, len(FORMS), 4, 2)
    with torch.no_grad():
        layer.maps.by_role()[1, 0].fill_(7.0)  # a view of the weights
    wide = layer.maps.weight.view(4, roles.num_roles, len(FORMS), 2)
    assert (wide[:, 1, 0] == 7.0).all()
    assert (wide == 7.0).sum() == 8


def test_what_is_said_of_a_node_is_finite_on_hubs_and_without_members() -> None:
    star = grape.Graph.from_edges([0] * 3000, range(1, 3001), num_nodes=3010)
    roles = RoleValues(grape.match(star, "edge,triangle,3-path,4-star"))
    layer = RoleLayer(roles.templates, 4, 4).train()
    out = layer(torch.randn(3010, 4), roles)
    assert out.isfinite().all()
    assert out.abs().max() < 300  # counts of billions do not come through


def test_sparse_and_dense_features_give_the_same_scores() -> None:
    roles = RoleValues(grape.match(small_graph(), TEMPLATES))
    model = GRAPE(roles.templates, 6, 2).eval()
    x = torch.eye(14)[:, :6].contiguous()
    torch.testing.assert_close(model(SparseFeatures(x), roles), model(x, roles))


def test_reset_draws_again_and_forgets_the_statistics() -> None:
    roles = RoleValues(grape.match(small_graph(), TEMPLATES))
    torch.manual_seed(0)
    layer = RoleLayer(roles.templates, 3, 3).train()
    before = layer.maps.weight.clone()
    layer(torch.randn(14, 3) + 5, roles)
    layer.reset_parameters()
    assert not torch.equal(layer.maps.weight, before)
    assert (layer.maps.running_mean == 0).all()


def test_a_trained_layer_says_the_same_of_a_graph_alone_and_in_company() -> None:
    one, two = small_graph(0), small_graph(1)
    ends = [np.asarray(g.edge_array()) for g in (one, two)]
    both = np.concatenate([ends[0], ends[1] + 14])
    together = grape.Graph.from_edges(both[:, 0], both[:, 1], 28)
    alone, company = (RoleValues(grape.match(g, TEMPLATES)) for g in (one, together))
    torch.manual_seed(0)
    model = GRAPE(alone.templates, 3, 2, layers=3).train()
    x = torch.randn(28, 3)
    model(x, company)
    model.eval()
    torch.testing.assert_close(model(x[:14], alone), model(x, company)[:14])
