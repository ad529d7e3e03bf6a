"""Numbers on edges: learnt from, kept with the model, and the same in any company."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.errors import GraphError, ModelError, ModelFileError
from grape_gnn.explain import explain_graph
from grape_gnn.graphs import GraphSet
from grape_gnn.nn.written_roles import WrittenRoles
from tests.estimator.company import assert_company_does_not_matter

QUICK = {"templates": "edge,3-path,triangle", "hidden": 8, "layers": 2, "epochs": 3, "seed": 0}


def roads(
    count: int, target: str = "length", directed: bool = False, slopes: bool = True
) -> list[nx.Graph]:
    """Give random graphs with numbers on nodes and edges, and a target that needs the latter."""
    random = np.random.default_rng(0)
    graphs = []
    for number in range(count):
        size = int(random.integers(5, 10))
        graph = nx.gnp_random_graph(size, 0.35, seed=number, directed=directed)
        for v in graph:
            graph.nodes[v]["x"] = [float(random.normal())]
        for u, v in graph.edges:
            graph.edges[u, v]["length"] = float(random.normal(50, 9))
            if slopes:
                graph.edges[u, v]["slope"] = float(size)
        edges = list(graph.edges(data="length"))
        if target == "length":
            graph.graph["y"] = sum(length - 50 for *_, length in edges)
        else:  # what comes in over the edges
            x = {v: graph.nodes[v]["x"][0] for v in graph}
            graph.graph["y"] = sum((length - 50) * (x[u] + x[v]) for u, v, length in edges)
        graphs.append(graph)
    return graphs


@pytest.mark.parametrize("target", ["length", "length times neighbour"])
def test_a_sum_over_edges_is_learnt_where_nothing_else_tells_it(target: str) -> None:
    graphs = roads(800, target)
    options = {"templates": "edge", "hidden": 16, "layers": 2, "dropout": 0.0, "epochs": 120}
    given = GraphSet.of(graphs, edge_features=["length", "slope"])
    assert grape.GrapeGraphRegressor(**options, seed=0).fit(given).score(given) > 0.99
    bare = replace(given, edge_features=None)
    blind = grape.GrapeGraphRegressor(**options | {"epochs": 30}, seed=0).fit(bare)
    assert blind.score(bare) < 0.2


def test_members_are_weighed_by_the_edge_that_leads_there() -> None:
    """Every role next to the ego, by hand: the count of the pair times the number of its edge."""
    graphs = GraphSet.of(roads(6, slopes=False), edge_features="length")
    matches = grape.match(graphs, "edge,triangle,3-path")
    numbers = graphs.edge_features.values.astype(np.float64) - 50
    roles = WrittenRoles.of(matches, edge_features=numbers)
    on_edge = np.zeros((graphs.num_nodes,) * 2)
    tails = np.repeat(np.arange(graphs.num_nodes), graphs.union.degrees)
    on_edge[tails, graphs.union.indices] = numbers[:, 0]
    h = torch.randn(graphs.num_nodes, 2, dtype=torch.float64)
    found = roles.means(h).numpy()
    sums = roles.log_sums(h).numpy()
    plain = [op.to_scipy().toarray() for each in matches for op in each[1:]]
    assert [form for form in roles.forms if form[1]] == [(r, "feature 0") for r in (0, 1, 2)]
    for k, (r, form) in enumerate(roles.forms):
        weighed = plain[r] * on_edge if form else plain[r]
        members = np.maximum(plain[r].sum(axis=1, keepdims=True), 1)
        np.testing.assert_allclose(found[:, k], weighed @ h.numpy() / members, atol=1e-12)
        total = weighed.sum(axis=1)
        np.testing.assert_allclose(sums[:, k], np.sign(total) * np.log1p(np.abs(total)), atol=1e-9)
    grown = h.clone().requires_grad_()
    assert torch.autograd.gradcheck(roles.means, grown)


def test_numbers_of_arcs_are_those_of_their_direction() -> None:
    graph = nx.DiGraph([(0, 1), (2, 0)])
    nx.set_edge_attributes(graph, {(0, 1): 3.0, (2, 0): 5.0}, "features")
    graphs = GraphSet.of([graph])
    numbers = graphs.edge_features.values
    for template, expected in (("0>1", [3, 0, 5]), ("1>0", [5, 3, 0])):
        roles = WrittenRoles.of(grape.match(graphs, template), edge_features=numbers)
        totals = np.expm1(roles.log_sums(torch.ones((), dtype=torch.float64)).numpy())
        np.testing.assert_allclose(totals[:, 1], expected)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("pair_layer", [False, True])
def test_a_prediction_does_not_depend_on_the_company(directed: bool, pair_layer: bool) -> None:
    templates = ["0>1", "0>1 1>0"] if directed else QUICK["templates"]
    graphs = GraphSet.of(roads(40, directed=directed), edge_features=("length", "slope"))
    options = {**QUICK, "templates": templates, "pair_layer": pair_layer, "batch_size": 7}
    model = grape.GrapeGraphRegressor(**options).fit(graphs)
    assert_company_does_not_matter(model, graphs)


def test_a_model_keeps_what_its_edges_were_like(tmp_path) -> None:
    lists = roads(40)
    graphs = GraphSet.of(lists, edge_features=["length", "slope"])
    model = grape.GrapeGraphRegressor(**QUICK).fit(graphs)
    inputs, entries = model.inputs_, graphs[model.split_.train].edge_features.values
    np.testing.assert_allclose(inputs.edge_centres, entries.mean(axis=0, dtype=np.float64))
    np.testing.assert_allclose(inputs.edge_spreads, entries.std(axis=0, dtype=np.float64))
    model.save(tmp_path / "m.safetensors")
    loaded = grape.GrapeGraphRegressor.load(tmp_path / "m.safetensors")
    assert loaded.inputs_ == inputs
    assert np.array_equal(loaded.outputs(graphs), model.outputs(graphs))
    # A list is asked for the same attributes; a few graphs are in the units of the training.
    np.testing.assert_allclose(loaded.predict(lists[:3]), model.predict(graphs)[:3], rtol=1e-5)
    assert explain_graph(model, lists, 2).roles
    graphs.save(tmp_path / "g.npz")
    again = grape.read_graphs(tmp_path / "g.npz")
    assert np.array_equal(again.edge_features.values, graphs.edge_features.values)
    assert again.edge_features.names == ("length", "slope")
    assert np.array_equal(model.outputs(again), model.outputs(graphs))


def test_other_features_of_edges_are_refused_by_one_line(tmp_path) -> None:
    lists = roads(40)
    graphs = GraphSet.of(lists, edge_features=["length", "slope"])
    model = grape.GrapeGraphRegressor(**QUICK).fit(graphs)
    kept = r"trained with 2 \('length', 'slope'\): give the same in the same order, by edge_feat"
    with pytest.raises(ModelError, match=f"edges none, the model was {kept}"):
        model.predict(replace(graphs, edge_features=None))
    with pytest.raises(ModelError, match=rf"edges 1 \('length'\), the model was {kept}"):
        model.predict(GraphSet.of(roads(40, slopes=False), edge_features="length"))
    with pytest.raises(ModelError, match=rf"edges 2 \('slope', 'length'\), the model was {kept}"):
        model.predict(GraphSet.of(lists, edge_features=["slope", "length"]))
    del lists[3].edges[next(iter(lists[3].edges))]["slope"]
    with pytest.raises(
        GraphError, match=r"number 3: 'slope'.*missing or not finite on edge number"
    ):
        model.predict(lists)
    with pytest.raises(GraphError, match="number 0: a Graph has no features of edges: give a Gr"):
        model.predict([graphs[3]])
    lonely = nx.empty_graph(1)
    lonely.nodes[0]["x"] = [0.5]
    assert model.predict([lonely]).shape == (1,)  # no edges, none needed
    with pytest.raises(ModelError, match="types and features of edges"):
        grape.GrapeGraphRegressor(**QUICK, preset="paper").fit(graphs)
    plain = grape.GrapeGraphRegressor(**QUICK).fit(replace(graphs, edge_features=None))
    with pytest.warns(grape.GrapeWarning, match=r"without features of edges: 2 \('length'.*left o"):
        plain.predict(graphs)


def test_a_checkpoint_belongs_to_its_edge_features(tmp_path) -> None:
    graphs = GraphSet.of(roads(40, slopes=False), edge_features="length")
    file = tmp_path / "c.safetensors"

    def stop(_: int, history: object) -> None:
        if len(history.epochs) == 26:
            raise KeyboardInterrupt

    options = {**QUICK, "epochs": 28}
    with pytest.raises(KeyboardInterrupt):
        grape.GrapeGraphRegressor(**options).fit(graphs, checkpoint=file, progress=stop)
    numbers = graphs.edge_features
    moved = replace(graphs, edge_features=replace(numbers, values=numbers.values + 1))
    with pytest.raises(ModelFileError, match="belongs to another run"):
        grape.GrapeGraphRegressor(**options).fit(moved, checkpoint=file)


def test_damaged_units_are_refused(tmp_path) -> None:
    from grape_gnn.files.tensor_file import read_tensors, write_tensors

    file = tmp_path / "m.safetensors"
    model = grape.GrapeGraphRegressor(**QUICK).fit(
        GraphSet.of(roads(40, slopes=False), edge_features="length")
    )
    model.save(file)
    weights, header = read_tensors(file)
    for damage in (
        {"edge_centres": []},
        {"edge_features": [3]},
        {"edge_spreads": [0.0]},
        {"edge_spreads": [float("nan")]},
        {"edge_centres": [1.0, 2.0], "edge_spreads": [1.0, 2.0]},
    ):
        write_tensors(file, weights, {**header, "inputs": {**header["inputs"], **damage}})
        with pytest.raises(ModelFileError, match="do not fit its description"):
            grape.GrapeGraphRegressor.load(file)
