"""Eq. 2, 3 and 4 and Alg. A1 against slow loops written straight from the paper."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.nn import GRAPE, Aggregator, Fusion, RoleValues

EDGES = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (4, 5), (3, 5), (1, 3), (5, 6)]
TEMPLATES = "edge,3-path,triangle,4-cycle,tailed-triangle"


def small_graph() -> grape.Graph:
    src, dst = zip(*EDGES, strict=True)
    return grape.Graph.from_edges(src, dst)


def relu(value: float) -> float:
    return max(value, 0.0)


def dense(weight: torch.Tensor, bias: torch.Tensor, row: list[float]) -> list[float]:
    """One linear map with loops; `weight` has the shape (in, out)."""
    w, b = weight.tolist(), bias.tolist()
    return [b[k] + sum(row[i] * w[i][k] for i in range(len(row))) for k in range(len(b))]


def slow_aggregate(graph, template, h, ego, betas):
    """Compute the inner part of eq. 2 from Ego-AE sets given node by node."""
    rows = []
    for v in range(graph.num_nodes):
        total = [0.0] * len(h[0])
        for j, members in enumerate(grape.ego_ae_sets(graph, template, v)):
            # Role 0 holds every node, matched or not.
            inside = {v} if j == 0 else members
            weight = ego if j == 0 else betas[j - 1]
            for u in inside:
                for k in range(len(total)):
                    total[k] += weight * h[u][k]
        rows.append(total)
    return rows


@pytest.mark.parametrize(("wide", "narrow"), [(3, 5), (6, 2)], ids=["widens", "linear-first"])
def test_equation_2(wide: int, narrow: int) -> None:
    graph = small_graph()
    found = grape.match(graph, TEMPLATES, weighting="set")
    roles = RoleValues(found)
    torch.manual_seed(0)
    layer = Aggregator(roles.templates, wide, narrow).double()
    for parameter in layer.parameters():
        torch.nn.init.normal_(parameter)
    assert layer.linear_first == (narrow < wide)
    h = torch.randn(7, wide, dtype=torch.float64)
    out = layer(h, roles)
    role = 0
    for t, template in enumerate(roles.templates):
        count = template.num_roles - 1
        betas = layer.beta[role : role + count].tolist()
        role += count
        sums = slow_aggregate(graph, template, h.tolist(), layer.beta_ego[t].item(), betas)
        for v in range(7):
            hidden = [relu(x) for x in dense(layer.first.weight[t], layer.bias[t], sums[v])]
            final = dense(layer.second.weight[t], layer.second.bias[t], hidden)
            np.testing.assert_allclose(out[v, t].tolist(), [relu(x) for x in final], atol=1e-9)


def test_equations_3_and_4() -> None:
    torch.manual_seed(1)
    fusion = Fusion(3).double()
    torch.nn.init.normal_(fusion.squeeze.weight)
    torch.nn.init.normal_(fusion.excite.weight)
    h = torch.rand(5, 3, 4, dtype=torch.float64)
    gamma = [sum(sum(h[n, t].tolist()) / 4 for n in range(5)) / 5 for t in range(3)]
    w1, w2 = fusion.squeeze.weight.tolist(), fusion.excite.weight.tolist()
    inner = [relu(sum(w1[a][b] * gamma[b] for b in range(3))) for a in range(3)]
    alpha = [relu(sum(w2[a][b] * inner[b] for b in range(3))) for a in range(3)]
    np.testing.assert_allclose(fusion.alpha(h).tolist(), alpha, atol=1e-12)
    for v in range(5):
        expected = [sum(alpha[t] * h[v, t, k].item() for t in range(3)) for k in range(4)]
        np.testing.assert_allclose(fusion(h)[v].tolist(), expected, atol=1e-12)


def test_softmax_excitation() -> None:
    torch.manual_seed(1)
    h = torch.rand(5, 3, 4)
    torch.testing.assert_close(Fusion(3, "softmax").alpha(h).sum(), torch.tensor(1.0))


def test_algorithm_a1_is_layers_then_head() -> None:
    graph = small_graph()
    roles = RoleValues(grape.match(graph, TEMPLATES, weighting="set"))
    torch.manual_seed(2)
    model = GRAPE(roles.templates, 4, 3, hidden=8, layers=2, dropout=0.5, preset="paper").eval()
    x = torch.randn(7, 4)
    h = x
    for layer in model.layers:
        h = layer.fusion(layer.aggregator(h, roles))
    first, last = model.head[1], model.head[4]
    expected = torch.relu(h @ first.weight.T + first.bias) @ last.weight.T + last.bias
    torch.testing.assert_close(model(x, roles), expected)


def test_released_betas_are_a_softmax_over_each_template() -> None:
    roles = RoleValues(grape.match(small_graph(), TEMPLATES), values="half-sums")
    layer = Aggregator(roles.templates, 3, 4, simplex=True, layer_norm=True)
    torch.nn.init.normal_(layer.beta)
    ego, beta = layer.betas()
    first = torch.softmax(torch.cat([layer.beta_ego[1:2], layer.beta[1:3]]), dim=0)
    torch.testing.assert_close(torch.cat([ego[1:2], beta[1:3]]), first)
    totals = ego + torch.zeros(5).index_add(0, layer.group, beta)
    torch.testing.assert_close(totals, torch.ones(5))


def test_linear_first_gives_the_same_as_linear_last() -> None:
    roles = RoleValues(grape.match(small_graph(), TEMPLATES))
    torch.manual_seed(3)
    layer = Aggregator(roles.templates, 6, 2).double()
    h = torch.randn(7, 6, dtype=torch.float64)
    torch.testing.assert_close(
        layer.aggregate(layer.first(h), roles), layer.first(layer.aggregate(h, roles))
    )
