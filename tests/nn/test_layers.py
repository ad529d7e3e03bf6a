"""The compiled layers against torch's own operations: values, gradients, statistics, devices."""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import nn

import grape_gnn as grape
from grape_gnn.nn import GRAPE, RoleValues
from grape_gnn.nn.dropout import Dropout, drop
from grape_gnn.nn.group_sum import group_sum
from grape_gnn.nn.grouped import GroupedLinear
from grape_gnn.nn.norm_relu import norm_relu


def same_with_gradients(
    fast: Callable[..., torch.Tensor],
    plain: Callable[..., torch.Tensor],
    inputs: list[torch.Tensor],
) -> None:
    found, wanted = fast(*inputs), plain(*inputs)
    torch.testing.assert_close(found, wanted)
    upstream = torch.randn_like(found)
    for a, b in zip(
        torch.autograd.grad(found, inputs, upstream),
        torch.autograd.grad(wanted, inputs, upstream),
        strict=True,
    ):
        torch.testing.assert_close(a, b)


def random(*shape: int) -> torch.Tensor:
    return torch.randn(shape, dtype=torch.float64, requires_grad=True)


@pytest.mark.parametrize("features", [1, 8, 32, 37, 100])
def test_normalisation_with_relu_is_the_two_one_after_the_other(features: int) -> None:
    torch.manual_seed(features)
    one = nn.BatchNorm1d(features).double()
    nn.init.normal_(one.weight)
    nn.init.normal_(one.bias)
    two = copy.deepcopy(one)
    x = 3 + 2 * random(150, features)
    found, wanted = norm_relu(one, x), torch.relu(two(x))
    torch.testing.assert_close(found, wanted)
    upstream = torch.randn_like(found)
    for a, b in zip(
        torch.autograd.grad(found, [x, one.weight, one.bias], upstream),
        torch.autograd.grad(wanted, [x, two.weight, two.bias], upstream),
        strict=True,
    ):
        torch.testing.assert_close(a, b)
    for name, kept in one.state_dict().items():
        torch.testing.assert_close(kept, two.state_dict()[name])
    torch.testing.assert_close(norm_relu(one.eval(), x), torch.relu(two.eval()(x)))


def test_normalisation_shows_what_is_not_a_number() -> None:
    x = torch.tensor([[1.0, 1.0], [float("nan"), 2.0]])
    out = norm_relu(nn.BatchNorm1d(2), x)
    assert torch.isnan(out[:, 0]).all()
    assert not torch.isnan(out[:, 1]).any()


@pytest.mark.parametrize("features", [1, 8, 32, 37])
def test_sum_over_groups(features: int) -> None:
    def plain(h: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return torch.einsum("ngf,g->nf", h, w)

    same_with_gradients(group_sum, plain, [random(20, 5, features), random(5)])


def test_grouped_linear_is_a_batched_product() -> None:
    layer = GroupedLinear(3, 5, 4, bias=False).double()

    def plain(h: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return torch.bmm(h.transpose(0, 1), w).transpose(0, 1)

    same_with_gradients(lambda h, _: layer(h), plain, [random(7, 3, 5), layer.weight])
    assert layer(random(7, 3, 5)).is_contiguous()


def test_dropout_drops_the_same_in_both_passes_and_repeats_with_torchs_generator() -> None:
    h = torch.ones(20_000, requires_grad=True)
    torch.manual_seed(3)
    out = Dropout(0.3)(h)
    torch.manual_seed(3)
    assert torch.equal(out, drop(h, 0.3))
    assert not torch.equal(out, drop(h, 0.3))
    assert abs((out != 0).double().mean().item() - 0.7) < 0.015
    (gradient,) = torch.autograd.grad(out.sum(), h)
    assert torch.equal(gradient, out)
    assert drop(h, 0.0) is h
    assert torch.equal(drop(h, 1.0), torch.zeros_like(h))


@pytest.mark.parametrize("preset", ["default", "paper", "released"])
def test_nothing_but_the_compiled_passes_assumes_the_processor(
    preset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Tensors without storage: whoever takes their memory as an array is found out.
    graph = grape.Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 3, 4])
    chosen = grape.nn.find_preset(preset)
    names = "edge,3-path,triangle,4-path"
    found = grape.match(graph, names, weighting=chosen.weighting, engine="enumerate")
    roles = RoleValues(found, values=chosen.values)
    model = GRAPE(roles.templates, 3, 2, hidden=4, dropout=0.5, preset=preset).to("meta")
    monkeypatch.setattr("grape_gnn.nn.aggregator.Aggregator.calibrate", lambda *_: None)
    for layer in model.layers:
        layer.aggregator.register_buffer("waiting", torch.tensor(False))
    scores = model(torch.ones(5, 3, device="meta"), roles)
    assert scores.shape == (5, 2)
    scores.sum().backward()
    assert all(p.grad is not None and p.grad.device.type == "meta" for p in model.parameters())


def test_the_path_of_other_devices_gives_the_same_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    src, dst = np.nonzero(np.triu(rng.random((20, 20)) < 0.3, 1))
    roles = RoleValues(grape.match(grape.Graph.from_edges(src, dst, 20), "citation"))
    torch.manual_seed(0)
    model = GRAPE(roles.templates, 3, 2, hidden=4).double()
    x = torch.randn(20, 3, dtype=torch.float64)
    fast = model(x, roles)
    monkeypatch.setattr("grape_gnn.nn.role_values.fused_product", grape.nn.fused.plain_product)
    monkeypatch.setattr("grape_gnn.nn.grouped.norm_relu", lambda norm, h: torch.relu(norm(h)))
    monkeypatch.setattr(
        "grape_gnn.nn.fusion.group_sum", lambda h, w: torch.einsum("ngf,g->nf", h, w)
    )
    torch.testing.assert_close(model(x, roles), fast)
