"""The layers against torch's own operations: values, gradients, devices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.nn import GRAPE, RoleValues
from grape_gnn.nn.grouped import GroupedLinear


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


def test_grouped_linear_is_a_batched_product() -> None:
    layer = GroupedLinear(3, 5, 4, bias=False).double()

    def plain(h: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return torch.bmm(h.transpose(0, 1), w).transpose(0, 1)

    same_with_gradients(lambda h, _: layer(h), plain, [random(7, 3, 5), layer.weight])
    assert layer(random(7, 3, 5)).is_contiguous()


@pytest.mark.parametrize("preset", ["default", "paper", "released"])
def test_nothing_but_the_compiled_passes_assumes_the_processor(preset: str) -> None:
    # Tensors without storage: whoever takes their memory as an array is found out.
    graph = grape.Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 3, 4])
    chosen = grape.nn.find_preset(preset)
    names = "edge,3-path,triangle,4-path"
    found = grape.match(graph, names, weighting=chosen.weighting, engine="enumerate")
    roles = RoleValues(found, values=chosen.values)
    model = GRAPE(roles.templates, 3, 2, hidden=4, dropout=0.5, preset=preset).to("meta")
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
    torch.testing.assert_close(model(x, roles), fast)
