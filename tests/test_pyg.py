"""The convolution and the transform for PyTorch Geometric."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import torch

pytest.importorskip("torch_geometric")

from torch_geometric.data import Batch, Data, InMemoryDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv, global_add_pool

import grape_gnn as grape
from grape_gnn.errors import ModelError
from grape_gnn.pyg import AddEgoRoles, AddRoleCounts, EgoRoles, GRAPEConv


def small_data() -> Data:
    graph = grape.Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 3, 4])
    data = graph.to_pyg()
    data.x = torch.randn(5, 3, generator=torch.Generator().manual_seed(0))
    return data


def test_edge_index_and_roles_give_the_same() -> None:
    data = AddEgoRoles("edge,triangle")(small_data())
    conv = GRAPEConv(3, 8, "edge,triangle", match=True).eval()
    values = grape.nn.RoleValues(grape.match(grape.Graph.from_pyg(small_data()), "edge,triangle"))
    expected = conv(data.x, data.edge_index)
    torch.testing.assert_close(expected, conv(data.x, EgoRoles(data)))
    torch.testing.assert_close(expected, conv(data.x, values))


def test_the_transform_copies_and_names_its_templates() -> None:
    data = small_data()
    transform = AddEgoRoles("triangle", engine="enumerate")
    transform(data)
    assert "ego_role" not in data
    assert repr(transform) == (
        "AddEgoRoles(templates=['0-1 0-2 1-2'], preset='default', engine='enumerate')"
    )
    assert repr(AddEgoRoles("edge")) != repr(AddEgoRoles("3-path"))
    assert repr(AddEgoRoles("edge", "paper")) != repr(AddEgoRoles("edge"))


def test_matching_has_to_be_asked_for_and_is_done_once(monkeypatch: pytest.MonkeyPatch) -> None:
    import grape_gnn.pyg.conv as module

    calls = []
    original = module.match_templates
    monkeypatch.setattr(
        module, "match_templates", lambda *a, **k: calls.append(1) or original(*a, **k)
    )
    data, other = small_data(), random_data(6, 0)
    with pytest.raises(ModelError, match="does not match by itself"):
        GRAPEConv(3, 8, "edge")(data.x, data.edge_index)
    conv = GRAPEConv(3, 8, "edge", match=True).eval()
    for each in (data, other, data, other):
        conv(each.x.float(), each.edge_index)
    assert len(calls) == 2
    for seed in range(module.KEPT):
        conv(torch.ones(7, 3), random_data(7, seed).edge_index)
    assert len(conv._kept) == module.KEPT
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
    target, roles = torch.tensor([0, 0, 1, 1, 0]), EgoRoles(data)
    losses = []
    for _ in range(60):
        optimiser.zero_grad()
        out = second(first(data.x, data.edge_index).relu(), roles)
        loss = torch.nn.functional.cross_entropy(out, target)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]


def test_refusals() -> None:
    data = AddEgoRoles("edge")(small_data())
    with pytest.raises(ModelError, match="got roles of other templates"):
        GRAPEConv(3, 8, "triangle")(data.x, EgoRoles(data))
    with pytest.raises(ModelError, match="or for another preset"):
        GRAPEConv(3, 8, "edge", "paper")(data.x, EgoRoles(data))
    with pytest.raises(ModelError, match="the data has no roles"):
        EgoRoles(small_data())
    with pytest.raises(ModelError, match="got list for roles"):
        GRAPEConv(3, 8, "edge")(data.x, [1])
    with pytest.raises(ModelError, match="x has 4 rows, the roles are of 5 nodes"):
        GRAPEConv(3, 8, "edge")(data.x[:4], EgoRoles(data))


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
    add = AddEgoRoles("edge,3-path,triangle", preset)
    graphs = [add(random_data(nodes, seed)) for seed, nodes in enumerate((9, 14, 1, 6))]
    torch.manual_seed(0)
    first = GRAPEConv(3, 5, "edge,3-path,triangle", preset).double()
    second = GRAPEConv(5, 4, "edge,3-path,triangle", preset).double()

    def run(data: Data) -> torch.Tensor:
        roles = EgoRoles(data)
        return second(first(data.x, roles, data.batch), roles, data.batch)

    everyone = Batch.from_data_list(graphs)
    run(everyone)  # sets the statistics and constants that evaluation keeps to
    first.eval()
    second.eval()
    alone = [run(data) for data in graphs]
    for order in ([0, 1, 2, 3], [3, 1], [2, 0, 1]):
        together = run(Batch.from_data_list([graphs[k] for k in order]))
        torch.testing.assert_close(
            together, torch.cat([alone[k] for k in order]), rtol=1e-6, atol=1e-6
        )
    # Taken for one graph, they share the averages that the paper's fusion rests on.
    roles = EgoRoles(everyone)
    as_one = second(first(everyone.x, roles), roles)
    assert torch.allclose(as_one, torch.cat(alone), rtol=1e-3) == (preset == "default")


def test_a_batch_that_does_not_fit_is_refused() -> None:
    data = AddEgoRoles("edge,triangle")(small_data())
    conv = GRAPEConv(3, 8, "edge,triangle").eval()
    for batch in (torch.zeros(4, dtype=torch.int64), torch.zeros(5)):
        with pytest.raises(ModelError, match="graph of each of the 5 nodes, as int64"):
            conv(data.x, EgoRoles(data), batch)


def test_features_of_another_width_are_refused_in_one_line() -> None:
    data = AddEgoRoles("edge,triangle")(small_data())
    for given in (data.edge_index, EgoRoles(data)):
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


# ------------------------------------------------------------------ as PyG users expect


def molecules(count: int = 12) -> list[Data]:
    rng = np.random.default_rng(1)
    found = []
    for number in range(count):
        data = random_data(int(rng.integers(1, 9)), number)
        data.x = data.x.float()
        data.y = torch.tensor([number % 2])
        found.append(data)
    return found


class Net(torch.nn.Module):
    """Two layers and a sum over the graph."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = (GRAPEConv(3, 3, "edge,3-path,triangle") for _ in range(2))

    def forward(self, data: Data) -> torch.Tensor:
        roles = EgoRoles(data)
        h = self.second(self.first(data.x, roles, data.batch), roles, data.batch)
        return global_add_pool(h, data.batch)


def scores_alone(net: Net, graphs: list[Data]) -> torch.Tensor:
    return torch.cat([net(Batch.from_data_list([data])) for data in graphs])


@pytest.mark.parametrize("workers", [0, 2])
def test_a_loader_stacks_the_roles_of_graphs_with_targets(workers: int) -> None:
    graphs = [AddEgoRoles("edge,3-path,triangle")(data) for data in molecules()]
    torch.manual_seed(0)
    net = Net()
    net(Batch.from_data_list(graphs))
    net.eval()
    loader = DataLoader(graphs, batch_size=5, num_workers=workers)
    with torch.no_grad():
        together = torch.cat([net(batch) for batch in loader])
        torch.testing.assert_close(together, scores_alone(net, graphs), rtol=1e-6, atol=1e-6)


class Molecules(InMemoryDataset):
    """A dataset that matches before it is saved."""

    @property
    def processed_file_names(self) -> list[str]:
        return ["data.pt"]

    def __init__(self, root: str, **options: object) -> None:
        super().__init__(root, **options)
        self.load(self.processed_paths[0])

    def process(self) -> None:
        self.save([self.pre_transform(data) for data in molecules()], self.processed_paths[0])


def test_a_dataset_in_memory_keeps_the_roles(tmp_path) -> None:
    dataset = Molecules(str(tmp_path), pre_transform=AddEgoRoles("edge,3-path,triangle"))
    again = Molecules(str(tmp_path), pre_transform=AddEgoRoles("edge,3-path,triangle"))
    expected = [AddEgoRoles("edge,3-path,triangle")(data) for data in molecules()]
    for found in (dataset, again, pickle.loads(pickle.dumps(dataset))):
        for number in (0, 3, 11):
            assert torch.equal(found[number].ego_role_index, expected[number].ego_role_index)
            assert torch.equal(found[number].ego_role_value, expected[number].ego_role_value)
    some = dataset[torch.tensor([4, 2])]
    assert torch.equal(some[1].ego_role_index, expected[2].ego_role_index)
    batch = Batch.from_data_list([dataset[k] for k in (5, 1)])
    assert torch.equal(batch.to_data_list()[1].ego_role_index, expected[1].ego_role_index)


def test_counts_are_encodings_of_nodes_edges_and_graphs() -> None:
    plain = molecules()
    graphs = [AddRoleCounts("edge,triangle,3-path")(data) for data in plain]
    batch = Batch.from_data_list(graphs)
    assert batch.role_counts.shape == (batch.num_nodes, 4)
    assert batch.edge_role_counts.shape == (batch.num_edges, 3)
    assert batch.graph_role_counts.shape == (12, 4)
    data = graphs[7]
    adjacency = np.zeros((data.num_nodes,) * 2, int)
    adjacency[tuple(data.edge_index.numpy())] = 1
    triangles = (adjacency @ adjacency * adjacency)[tuple(data.edge_index.numpy())]
    found = data.edge_role_counts[:, 1].expm1().round().numpy()
    assert np.array_equal(found, triangles)
    total = data.graph_role_counts[0, 0].expm1().round()
    assert total == data.num_edges
    only = AddRoleCounts("edge", places="graph")(plain[0])
    assert "role_counts" not in only
    assert "graph_role_counts" in only
    with pytest.raises(ModelError, match="places"):
        AddRoleCounts("edge", places=["world"])


def test_an_atom_that_a_molecule_lacks_means_no_instance() -> None:
    data = small_data()
    data.z = torch.tensor([6, 6, 7, 6, 6])
    found = AddEgoRoles(["0-1 1:7", "0-1 1:8"])(data)
    assert found.ego_role.tolist() == [0, 0, 0]
    assert found.ego_role_index[1].tolist() == [2, 2, 2]


# What torch.compile warns of by itself when it goes on behind a layer that it leaves alone.
@pytest.mark.filterwarnings("ignore:The .grad attribute")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_compiled_model_gives_the_same() -> None:
    graphs = [AddEgoRoles("edge,3-path,triangle")(data) for data in molecules()]
    batch = Batch.from_data_list(graphs)
    torch.manual_seed(0)
    net = Net()
    net(batch)
    net.eval()
    compiled = torch.compile(net, backend="eager")
    torch.testing.assert_close(compiled(batch), net(batch))
    net.train()
    compiled(batch).sum().backward()
    assert net.first.layer.own.weight.grad is not None
