"""The convolution and the transform for PyTorch Geometric."""

from __future__ import annotations

import numpy as np
import pytest
import torch

pytest.importorskip("torch_geometric")

from torch_geometric.data import Batch, Data
from torch_geometric.nn import GCNConv

import grape_gnn as grape
from grape_gnn.errors import ModelError
from grape_gnn.pyg import AddEgoRoles, GRAPEConv


def small_data() -> Data:
    graph = grape.Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 3, 4])
    data = graph.to_pyg()
    data.x = torch.randn(5, 3, generator=torch.Generator().manual_seed(0))
    return data


def test_edge_index_and_roles_give_the_same() -> None:
    data = AddEgoRoles("edge,triangle")(small_data())
    conv = GRAPEConv(3, 8, "edge,triangle").eval()
    torch.testing.assert_close(conv(data.x, data.edge_index), conv(data.x, data.ego_roles))


def test_the_transform_copies_and_names_its_templates() -> None:
    data = small_data()
    transform = AddEgoRoles("triangle", engine="enumerate")
    transform(data)
    assert "ego_roles" not in data
    assert repr(transform) == (
        "AddEgoRoles(templates=['0-1 0-2 1-2'], preset='default', engine='enumerate')"
    )
    assert repr(AddEgoRoles("edge")) != repr(AddEgoRoles("3-path"))
    assert repr(AddEgoRoles("edge", "paper")) != repr(AddEgoRoles("edge"))


def test_cached_matches_once(monkeypatch: pytest.MonkeyPatch) -> None:
    import grape_gnn.pyg as module

    calls = []
    original = module.match
    monkeypatch.setattr(module, "match", lambda *a, **k: calls.append(1) or original(*a, **k))
    data = small_data()
    for cached, expected in ((True, 1), (False, 2)):
        calls.clear()
        conv = GRAPEConv(3, 8, "edge", cached=cached).eval()
        conv(data.x, data.edge_index)
        conv(data.x, data.edge_index)
        assert len(calls) == expected
    conv = GRAPEConv(3, 8, "edge", cached=True).eval()
    conv(data.x, data.edge_index)
    conv.reset_parameters()
    calls.clear()
    conv(data.x, data.edge_index)
    assert len(calls) == 1


def test_reset_draws_new_weights() -> None:
    conv = GRAPEConv(3, 8, "edge,triangle", "paper")
    before = conv.layer.aggregator.first.weight.clone()
    with torch.no_grad():
        conv.layer.aggregator.beta.fill_(9.0)
    conv.reset_parameters()
    assert not torch.equal(conv.layer.aggregator.first.weight, before)
    assert conv.layer.aggregator.beta.eq(1.0).all()
    conv = GRAPEConv(3, 8, "edge,triangle")
    before = conv.layer.maps.weight.clone()
    conv.reset_parameters()
    assert not torch.equal(conv.layer.maps.weight, before)


def test_a_mixed_model_trains() -> None:
    data = AddEgoRoles("edge,triangle")(small_data())
    torch.manual_seed(0)
    first, second = GCNConv(3, 8), GRAPEConv(8, 2, "edge,triangle")
    optimiser = torch.optim.Adam([*first.parameters(), *second.parameters()], lr=0.05)
    target = torch.tensor([0, 0, 1, 1, 0])
    losses = []
    for _ in range(60):
        optimiser.zero_grad()
        out = second(first(data.x, data.edge_index).relu(), data.ego_roles)
        loss = torch.nn.functional.cross_entropy(out, target)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]


def test_refusals() -> None:
    data = AddEgoRoles("edge")(small_data())
    with pytest.raises(ModelError, match="got roles of other templates"):
        GRAPEConv(3, 8, "triangle")(data.x, data.ego_roles)
    with pytest.raises(ModelError, match="x has 4 rows, the roles are of 5 nodes"):
        GRAPEConv(3, 8, "edge")(data.x[:4], data.ego_roles)


def test_conversion_both_ways() -> None:
    graph = grape.Graph.from_edges([0, 1], [1, 2], x=[[1.0], [2.0], [3.0]], y=["a", "b", "a"])
    back = grape.Graph.from_pyg(graph.to_pyg())
    assert back.edge_array().tolist() == graph.edge_array().tolist()
    assert back.x.tolist() == graph.x.tolist()
    assert back.label_names == ("a", "b")


def random_data(nodes: int, seed: int) -> Data:
    rng = np.random.default_rng(seed)
    src, dst = np.nonzero(np.triu(rng.random((nodes, nodes)) < 0.4, 1))
    data = grape.Graph.from_edges(src, dst, nodes).to_pyg()
    data.x = torch.from_numpy(rng.normal(size=(nodes, 3)) + seed)
    return data


@pytest.mark.parametrize("preset", grape.nn.PRESETS)
def test_a_graph_does_not_notice_its_companions(preset: str) -> None:
    graphs = [random_data(nodes, seed) for seed, nodes in enumerate((9, 14, 1, 6))]
    torch.manual_seed(0)
    first = GRAPEConv(3, 5, "edge,3-path,triangle", preset).double()
    second = GRAPEConv(5, 4, "edge,3-path,triangle", preset).double()

    def run(data: Data) -> torch.Tensor:
        return second(first(data.x, data.edge_index, data.batch), data.edge_index, data.batch)

    everyone = Batch.from_data_list(graphs)
    run(everyone)  # sets the statistics and constants that evaluation keeps to
    first.eval()
    second.eval()
    alone = [run(data) for data in graphs]
    for order in ([0, 1, 2, 3], [3, 1], [2, 0, 1]):
        together = run(Batch.from_data_list([graphs[k] for k in order]))
        torch.testing.assert_close(
            together, torch.cat([alone[k] for k in order]), rtol=1e-9, atol=1e-9
        )
    # Taken for one graph, they share the averages that the paper's fusion rests on.
    as_one = second(first(everyone.x, everyone.edge_index), everyone.edge_index)
    assert torch.allclose(as_one, torch.cat(alone), rtol=1e-3) == (preset == "default")


def test_a_batch_that_does_not_fit_is_refused() -> None:
    data = small_data()
    conv = GRAPEConv(3, 8, "edge,triangle").eval()
    for batch in (torch.zeros(4, dtype=torch.int64), torch.zeros(5)):
        with pytest.raises(ModelError, match="graph of each of the 5 nodes, as int64"):
            conv(data.x, data.edge_index, batch)


def test_features_of_another_width_are_refused_in_one_line() -> None:
    data = AddEgoRoles("edge,triangle")(small_data())
    for given in (data.edge_index, data.ego_roles):
        with pytest.raises(
            ModelError, match=r"shape \(5, 3\): it was made for in_channels=4"
        ) as told:
            GRAPEConv(4, 8, "edge,triangle")(data.x, given)
        assert "\n" not in str(told.value)
        assert "GRAPEConv(3, ...)" in str(told.value)
    with pytest.raises(ModelError, match=r"shape \(5,\)"):
        GRAPEConv(3, 8, "edge")(data.x[:, 0], data.edge_index)


@pytest.mark.parametrize("wrong", [0, -1, 2.5, "four", None])
def test_widths_that_are_none_are_refused_in_one_line(wrong):
    for widths, name in (((wrong, 4), "in_channels"), ((4, wrong), "out_channels")):
        with pytest.raises(ModelError, match=f"{name}={wrong!r} must be") as refused:
            GRAPEConv(*widths, "edge")
        assert "\n" not in str(refused.value)
