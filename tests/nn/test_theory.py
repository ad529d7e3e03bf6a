"""The paper's Prop. 2 and Theorem 1 as tests."""

from __future__ import annotations

import itertools

import pytest
import torch

import grape_gnn as grape
from grape_gnn.nn import GRAPE, Aggregator, RoleValues, find_preset

# Two triangles, and a hexagon: every node has two neighbours, so the computation graphs of
# message passing are the same at any depth, but only the first has triangles.
TRIANGLES = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]
HEXAGON = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5)]


def graph_of(edges: list[tuple[int, int]]) -> grape.Graph:
    src, dst = zip(*edges, strict=True)
    return grape.Graph.from_edges(src, dst, 6)


def message_passing(name: str) -> type[torch.nn.Module]:
    nn = pytest.importorskip("torch_geometric.nn")
    return {
        "GCN": nn.GCN, "SAGE": nn.GraphSAGE, "GAT": nn.GAT, "GIN": nn.GIN,
    }[name]  # fmt: skip


@pytest.mark.parametrize("baseline", ["GCN", "SAGE", "GAT", "GIN"])
@pytest.mark.parametrize("depth", [1, 2, 5])
def test_proposition_2_message_passing_is_blind(baseline: str, depth: int) -> None:
    torch.manual_seed(depth)
    model = message_passing(baseline)(2, 8, depth, 4).eval()
    x = torch.ones(6, 2)
    one, two = (model(x, graph_of(edges).to_pyg().edge_index) for edges in (TRIANGLES, HEXAGON))
    torch.testing.assert_close(one, two)


@pytest.mark.parametrize("preset", ["paper", "released", "default"])
def test_proposition_2_grape_separates(preset: str) -> None:
    one, two = graph_of(TRIANGLES), graph_of(HEXAGON)
    assert grape.ego_ae_sets(one, "triangle", 0) != grape.ego_ae_sets(two, "triangle", 0)
    roles = [
        RoleValues(grape.match(g, "edge,triangle"), find_preset(preset).values) for g in (one, two)
    ]
    torch.manual_seed(0)
    model = GRAPE(roles[0].templates, 2, 4, hidden=8, preset=preset).eval()
    a, b = (model(torch.ones(6, 2), r) for r in roles)
    assert (a - b).abs().max() > 1e-4


@pytest.mark.parametrize("template", ["edge", "triangle", "3-path", "tailed-triangle"])
def test_theorem_1_on_all_graphs_of_four_nodes(template: str) -> None:
    """Nodes with different (multisets of features in) Ego-AE sets get different embeddings.

    The aggregator's sum with betas that are independent over the rationals is injective on the
    sums per role; features are encoded one-hot, so that sums over a set are injective too.
    """
    pairs = list(itertools.combinations(range(4), 2))
    x = torch.nn.functional.one_hot(torch.tensor([0, 1, 1, 2]), 3).double()
    betas = torch.tensor([2.0, 3.0, 5.0, 7.0], dtype=torch.float64).sqrt()
    seen: dict[tuple[object, ...], torch.Tensor] = {}
    for bits in range(1, 2 ** len(pairs)):
        edges = [pair for k, pair in enumerate(pairs) if bits >> k & 1]
        src, dst = zip(*edges, strict=True)
        graph = grape.Graph.from_edges(src, dst, 4)
        roles = RoleValues(grape.match(graph, template, weighting="set"))
        layer = Aggregator(roles.templates, 3, 3).double()
        with torch.no_grad():
            layer.beta_ego.copy_(betas[:1])
            layer.beta.copy_(betas[1 : 1 + roles.num_roles])
        sums = layer.aggregate(x, roles)[:, 0].detach()
        for v in range(4):
            sets = grape.ego_ae_sets(graph, template, v)
            kinds = tuple(
                tuple(sorted(x[u].argmax().item() for u in ({v} if j == 0 else members)))
                for j, members in enumerate(sets)
            )
            if kinds in seen:
                torch.testing.assert_close(sums[v], seen[kinds])
            seen[kinds] = sums[v]
    embeddings = torch.stack(list(seen.values()))
    gaps = torch.cdist(embeddings, embeddings) + torch.eye(len(seen))
    assert len(seen) > 5
    assert gaps.min() > 1e-6
