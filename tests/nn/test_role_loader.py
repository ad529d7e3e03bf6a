"""Mini-batches: the same scores and gradients as the whole graph, and samples right on average."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.errors import ModelError
from grape_gnn.nn import GRAPE, RoleLoader, RoleValues, RowSource, find_preset, role_values
from grape_gnn.nn.fusion import Fusion

N, WIDTH, CLASSES = 60, 5, 3
SETS = ["social", "citation", "edge,4-cycle,house", "5-star,triangle"]
PRESETS = ["default", "paper", "released"]


def graph_of(seed: int = 0, directed: bool = False) -> grape.Graph:
    drawn = nx.gnp_random_graph(N, 0.04, seed=seed, directed=directed)
    rng = np.random.default_rng(seed)
    return grape.Graph.from_edges(
        *np.array(drawn.edges()).T,
        num_nodes=N,
        directed=directed,
        x=rng.normal(size=(N, WIDTH)),
        y=rng.integers(0, CLASSES, N),
    )


def problem(preset: str, templates: str | list[str], layers: int = 2, directed: bool = False):
    """Return a network whose statistics are measured and held, and its whole graph."""
    torch.manual_seed(0)
    graph = graph_of(directed=directed)
    chosen = find_preset(preset)
    roles = RoleValues(
        grape.match(graph, templates, weighting=chosen.weighting), values=chosen.values
    )
    model = GRAPE(roles.templates, WIDTH, CLASSES, hidden=8, layers=layers, preset=preset)
    model.double()
    x = torch.from_numpy(graph.x.copy()).double()
    model.train()(x, roles)
    model.eval()
    fusions = [part for part in model.modules() if isinstance(part, Fusion)]
    with torch.no_grad():
        for fusion in fusions:
            with fusion.renewed():
                model(x, roles)
    return graph, roles, model, x


def gradients(model: torch.nn.Module) -> list[torch.Tensor]:
    found = [p.grad.clone() for p in model.parameters() if p.grad is not None]
    model.zero_grad()
    return found


def loss_of(scores: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.cross_entropy(scores, y, reduction="sum")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("templates", SETS)
@pytest.mark.parametrize("layers", [1, 2])
def test_batches_add_up_to_the_gradients_of_the_whole_graph(preset, templates, layers, monkeypatch):
    if layers == 2:  # roles that could be written out are not
        monkeypatch.setattr(role_values, "LARGEST_WRITTEN_OUT", 0)
    graph, roles, model, x = problem(preset, templates, layers)
    y = torch.from_numpy(graph.y.copy())
    whole = model(x, roles)
    if preset == "default":
        loss_of(whole, y).backward()
    else:  # gamma is held: the batch of all nodes is what the batches add up to
        everyone = RowSource(roles).batch(np.arange(N), layers)[1]
        same = model(x, everyone)
        torch.testing.assert_close(same, whole)
        loss_of(same, y).backward()
    expected = gradients(model)
    for batch in RoleLoader(graph, roles, batch_size=7, layers=layers, shuffle=True):
        scores = model(x[batch.n_id], batch.roles)
        egos = batch.n_id[: batch.batch_size]
        torch.testing.assert_close(scores, whole[egos])
        assert torch.equal(batch.y[: batch.batch_size], y[egos])
        loss_of(scores, y[egos]).backward()
    torch.testing.assert_close(gradients(model), expected, rtol=1e-9, atol=1e-9)


def test_batches_of_a_directed_graph(monkeypatch):
    monkeypatch.setattr(role_values, "LARGEST_WRITTEN_OUT", 0)
    graph, roles, model, x = problem("default", ["0>1", "0>1 1>2", "0>1 1>2 2>3"], directed=True)
    assert roles.lazy
    whole = model(x, roles)
    for batch in RoleLoader(graph, roles, batch_size=9):
        egos = batch.n_id[: batch.batch_size]
        torch.testing.assert_close(model(x[batch.n_id], batch.roles), whole[egos])


def test_single_precision_agrees_to_its_rounding():
    graph, roles, model, x = problem("default", "social")
    model.float()
    whole = model(x.float(), roles)
    loss_of(whole, torch.from_numpy(graph.y.copy())).backward()
    expected = gradients(model)
    for batch in RoleLoader(graph, roles, batch_size=13):
        scores = model(batch.x, batch.roles)
        loss_of(scores, batch.y[: batch.batch_size]).backward()
    torch.testing.assert_close(gradients(model), expected, rtol=1e-4, atol=1e-5)


def test_a_batch_has_no_more_than_it_needs():
    path = grape.Graph.from_edges(range(20), range(1, 21), x=np.ones((21, 1)))
    (batch,) = RoleLoader(path, "edge,triangle", nodes=[10], layers=2)
    assert sorted(batch.n_id.tolist()) == [8, 9, 10, 11, 12]
    assert batch.n_id[0] == 10
    assert [rows.num_egos for rows in batch.roles] == [3, 1]
    (far,) = RoleLoader(path, "3-path", nodes=[10], layers=2)
    assert sorted(far.n_id.tolist()) == list(range(6, 15))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("templates", ["social", "4-path"])
def test_samples_are_right_on_average(preset, templates):
    graph = graph_of()
    chosen = find_preset(preset)
    found = grape.match(graph, templates, weighting=chosen.weighting)
    roles = RoleValues(found, chosen.values)
    h = torch.from_numpy(graph.x.copy()).double()
    nothing = torch.zeros(roles.num_roles, dtype=h.dtype)
    ones = torch.ones(roles.num_roles, N, dtype=h.dtype)
    exact = roles.ungrouped().aggregate(nothing, ones, h)
    egos, random = np.arange(5, 25), np.random.default_rng(0)
    source, total, squares, draws = RowSource(roles, 2), 0.0, 0.0, 600
    for _ in range(draws):
        rows = source.rows(egos, random)
        assert rows.num_egos == 20
        assert max(np.diff(s.ptr).max() for s in rows.stored) <= 2
        sums = rows.ungrouped().aggregate(nothing, ones[:, :20], h[rows.nodes])
        total, squares = total + sums, squares + sums.square()
    mean = total / draws
    error = ((squares / draws - mean.square()).clamp(min=0) / draws).sqrt()
    assert ((mean - exact[5:25]).abs() <= 5 * error + 1e-5).all()
    assert (error > 0).any()


def test_the_seed_decides_the_order_and_the_sample():
    graph = graph_of()
    loaders = [RoleLoader(graph, batch_size=9, sample=1, shuffle=True, seed=s) for s in (1, 1, 2)]
    first, again, other = ([batch.n_id.tolist() for batch in loader] for loader in loaders)
    assert first == again != other
    assert [b.n_id.tolist() for b in loaders[0]] != first  # another pass, another order
    assert len(loaders[0]) == 7
    assert next(iter(loaders[0])).sampled == 1


def test_plain_pyg_users_can_iterate():
    pyg = pytest.importorskip("torch_geometric.data")
    from grape_gnn.pyg import GRAPEConv, RoleLoader

    edges = torch.tensor([[0, 1, 1, 2, 2, 3, 3, 0], [1, 0, 2, 1, 3, 2, 0, 3]])
    data = pyg.Data(edge_index=edges, x=torch.ones(4, 2), y=torch.tensor([0, 1, 0, 1]))
    first, second = GRAPEConv(2, 8, "edge,3-path"), GRAPEConv(8, 8, "edge,3-path")
    for batch in RoleLoader(data, "edge,3-path", batch_size=3):
        h = second(first(batch.x, batch.roles[0]), batch.roles[1])
        assert h.shape == (batch.batch_size, 8)
        assert batch.to("cpu").y.shape == batch.n_id.shape


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch_size": 0}, "batch_size"),
        ({"sample": 0}, "sample_neighbours"),
        ({"nodes": [0, 0]}, "different numbers of nodes"),
        ({"nodes": [N]}, "a mask of the 60 nodes"),
    ],
)
def test_bad_arguments(options, message):
    with pytest.raises(ModelError, match=message):
        RoleLoader(graph_of(), "edge", **options)


def test_roles_for_another_number_of_layers():
    graph, roles, model, _ = problem("default", "edge")
    (batch,) = RoleLoader(graph, roles, nodes=[0], layers=1)
    with pytest.raises(ModelError, match="make the loader with layers=2"):
        model(batch.x.double(), batch.roles)
