"""One answer per graph: learnt, kept in files, resumed, and the same in any company."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.errors import ModelError, ModelFileError
from grape_gnn.explain import explain_graph
from grape_gnn.graphs import GraphSet
from grape_gnn.testing.look_alikes import rings
from tests.estimator.company import assert_company_does_not_matter

QUICK = {"templates": "edge,3-path,triangle", "hidden": 8, "layers": 2, "epochs": 6, "seed": 0}


def shapes(count: int = 40, task: str = "classification") -> GraphSet:
    """Give random graphs with types; the target is the number of triangles, or whether any is."""
    random = np.random.default_rng(0)
    graphs, targets = [], []
    for number in range(count):
        graph = nx.gnp_random_graph(int(random.integers(4, 10)), 0.35, seed=number)
        nx.set_node_attributes(graph, {v: str(random.choice(["C", "N"])) for v in graph}, "type")
        graphs.append(graph)
        triangles = sum(nx.triangles(graph).values()) / 3
        targets.append(triangles + 0.5 if task == "regression" else str(triangles > 1))
    return GraphSet.of(graphs, y=targets)


def test_triangles_are_counted_where_the_edge_alone_fails() -> None:
    graphs = shapes(160, "regression")
    settings = {"epochs": 80, "hidden": 16, "dropout": 0.0, "seed": 0}
    seen = grape.GrapeGraphRegressor("edge,triangle", **settings).fit(graphs)
    assert seen.score(graphs) > 0.97
    assert sorted(seen.figures(graphs)) == ["mae", "r2", "rmse"]
    blind = grape.GrapeGraphRegressor("edge", **settings).fit(graphs)
    assert blind.score(graphs) < seen.score(graphs)


@pytest.mark.parametrize("preset", grape.nn.PRESETS)
@pytest.mark.parametrize("pooling", ["sum", "mean,max", "attention"])
def test_a_prediction_does_not_depend_on_the_company(preset: str, pooling: str) -> None:
    graphs = shapes()
    options = {**QUICK, "epochs": 2, "preset": preset, "pooling": pooling, "batch_size": 7}
    model = grape.GrapeGraphClassifier(**options).fit(graphs)
    assert_company_does_not_matter(model, graphs)


def test_a_model_survives_its_file(tmp_path) -> None:
    graphs = shapes()
    model = grape.GrapeGraphClassifier(**QUICK, both=True).fit(graphs)
    model.save(tmp_path / "m.safetensors")
    loaded = grape.GrapeGraphClassifier.load(tmp_path / "m.safetensors")
    assert np.array_equal(loaded.outputs(graphs), model.outputs(graphs))
    assert loaded.score(graphs) == model.score(graphs)
    assert loaded.get_params()["both"] is True
    with pytest.raises(ModelFileError, match="holds a GrapeGraphClassifier"):
        grape.GrapeGraphRegressor.load(tmp_path / "m.safetensors")
    with pytest.raises(ModelFileError, match="not a saved GrapeClassifier"):
        grape.GrapeClassifier.load(tmp_path / "m.safetensors")


def test_damaged_descriptions_are_refused(tmp_path) -> None:
    from grape_gnn.files.tensor_file import read_tensors, write_tensors

    file = tmp_path / "m.safetensors"
    grape.GrapeGraphClassifier(**QUICK).fit(shapes()).save(file)
    weights, header = read_tensors(file)
    for key, value in (
        ("params", {**header["params"], "hidden": 10**9}),
        ("params", {**header["params"], "layers": 7}),
        ("inputs", {**header["inputs"], "node_types": ["C", "C"]}),
        ("task", "multi-lable"),
        ("units", [1.0]),
        ("label_names", []),
    ):
        write_tensors(file, weights, {**header, key: value})
        with pytest.raises(ModelFileError, match="do not fit its description"):
            grape.GrapeGraphClassifier.load(file)
    write_tensors(file, weights, {**header, "version": 9})
    with pytest.raises(ModelFileError, match="file version 9"):
        grape.GrapeGraphClassifier.load(file)


class StoppedError(Exception):
    """Stands in for a kill."""


def test_an_interrupted_training_goes_on_to_the_same_result(tmp_path) -> None:
    graphs = shapes()
    options = {**QUICK, "epochs": 30}
    whole = grape.GrapeGraphClassifier(**options).fit(graphs)

    def stop(_: int, history: object) -> None:
        if len(history.epochs) == 27:
            raise StoppedError

    file = tmp_path / "c.safetensors"
    with pytest.raises(StoppedError):
        grape.GrapeGraphClassifier(**options).fit(graphs, checkpoint=file, progress=stop)
    resumed = grape.GrapeGraphClassifier(**options).fit(graphs, checkpoint=file)
    assert np.array_equal(resumed.outputs(graphs), whole.outputs(graphs))
    with pytest.raises(ModelFileError, match="belongs to another run"):
        grape.GrapeGraphClassifier(**{**options, "hidden": 4}).fit(graphs, checkpoint=file)


@pytest.mark.parametrize("pair_layer", [False, True])
def test_the_same_seed_gives_the_same_result(pair_layer: bool) -> None:
    graphs = shapes()
    options = {**QUICK, "pair_layer": pair_layer, "batch_size": 16}
    first, again = (grape.GrapeGraphClassifier(**options).fit(graphs) for _ in range(2))
    assert np.array_equal(first.outputs(graphs), again.outputs(graphs))
    other = grape.GrapeGraphClassifier(**{**options, "seed": 1}).fit(graphs)
    assert not np.array_equal(first.outputs(graphs), other.outputs(graphs))


def test_lists_of_graphs_masks_and_weights() -> None:
    graphs = [nx.cycle_graph(n) for n in range(3, 9)] + [nx.path_graph(n) for n in range(3, 9)]
    y = ["ring"] * 6 + ["path"] * 6
    train, val = [0, 1, 2, 3, 6, 7, 8, 9], [4, 10]
    model = grape.GrapeGraphClassifier(**QUICK, class_weight={"ring": 2.0})
    model.fit(graphs, y, train_mask=train, val_mask=val)
    assert model.split_.test.tolist() == [k in (5, 11) for k in range(12)]
    assert model.predict(graphs).shape == (12,)
    assert set(model.classes_) == {"path", "ring"}
    assert np.allclose(model.predict_proba(graphs).sum(axis=1), 1)
    with pytest.warns(grape.GrapeWarning, match="not the graphs of the training"):
        model.score(graphs[:4], y[:4])
    assert model.transform(graphs).shape == (12, 3 * 2 * 8)  # sums and means of three layers


def test_types_are_known_by_name_in_other_sets() -> None:
    graphs = shapes()
    model = grape.GrapeGraphClassifier(**QUICK).fit(graphs)
    other = nx.path_graph(3)
    nx.set_node_attributes(other, {0: "N", 1: "N", 2: "N"}, "type")
    only_n = model.outputs([other])
    nx.set_node_attributes(other, {0: "N", 1: "N", 2: "Xe"}, "type")
    with pytest.warns(grape.GrapeWarning, match="never seen nodes of the types 'Xe'"):
        assert not np.allclose(model.outputs([other]), only_n)
    with pytest.warns(grape.GrapeWarning, match="have no types, and the model learnt from 2, such"):
        model.predict([nx.path_graph(3)])
    # N is type 1 of 2 in the training's set and 0 of 1 here: the same column is set.
    nx.set_node_attributes(other, "N", "type")
    assert model.inputs_.features(GraphSet.of([other])).tolist() == [[0.0, 1.0]] * 3


def test_types_of_edges_make_a_difference() -> None:
    def chain(kinds: list[str]) -> nx.Graph:
        graph = nx.path_graph(len(kinds) + 1)
        nx.set_edge_attributes(graph, dict(zip(graph.edges, kinds, strict=True)), "type")
        return graph

    random = np.random.default_rng(0)
    lists = [random.choice(["single", "double"], 6).tolist() for _ in range(120)]
    doubles = [float(kinds.count("double")) for kinds in lists]
    graphs = GraphSet.of([chain(kinds) for kinds in lists]).with_targets(doubles, "regression")
    model = grape.GrapeGraphRegressor("edge", epochs=60, dropout=0.0, hidden=8).fit(graphs)
    assert model.score(graphs) > 0.95
    plain = GraphSet.of([nx.path_graph(7)] * 120).with_targets(doubles, "regression")
    blind = grape.GrapeGraphRegressor("edge", epochs=3, hidden=8).fit(plain)
    assert blind.score(plain) < 0.1


def test_types_of_arcs_make_a_difference() -> None:
    """Nothing but the type of the arc to the centre of a star, or from it, tells the classes."""
    graphs = []
    for number in range(60):
        graph = nx.DiGraph(y=("in", "out")[number % 2])
        for leaf in range(1, 5):
            graph.add_edge(0, leaf, type="ab"[number % 2])
            graph.add_edge(leaf, 0, type="ba"[number % 2])
        graph.add_edge(1, 2, type="ab"[number // 2 % 2])
        graph.add_edge(3, 4, type="ba"[number // 2 % 2])
        graphs.append(graph)
    graphs = GraphSet.of(graphs)
    for templates in ("0>1,1>0", "0>1 1>0"):
        options = {**QUICK, "templates": templates, "epochs": 40, "dropout": 0.0}
        model = grape.GrapeGraphClassifier(**options).fit(graphs)
        assert model.score(graphs) == 1.0
    assert model.inputs_.num_roles(model.templates_, False) == 1 + 2 * 2


def test_graphs_without_nodes_and_no_graphs_are_answered() -> None:
    graphs = shapes()
    for pair_layer in (False, True):
        model = grape.GrapeGraphClassifier(**QUICK, pair_layer=pair_layer).fit(graphs)
        assert len(model.predict([nx.Graph(), nx.Graph()])) == 2
        assert model.predict([]).shape == (0,)


def test_several_labels_per_graph() -> None:
    graphs = shapes()
    labels = [{"odd"} if n % 2 else {"even", "small"} if n < 6 else {"even"} for n in graphs.sizes]
    model = grape.GrapeGraphClassifier(**QUICK).fit(graphs.with_targets(labels))
    assert model.predict(graphs).shape == (40, 3)
    assert "micro-f1" in model.figures(graphs.with_targets(labels))


def test_an_explanation_names_the_role_that_matters() -> None:
    graphs = shapes(120, "regression")
    model = grape.GrapeGraphRegressor("edge,triangle", epochs=60, dropout=0.0, hidden=16, seed=0)
    model.fit(graphs)
    number = int(np.argmax(graphs.y))
    why = explain_graph(model, graphs, number)
    assert why.roles[0].template.name == "triangle"
    triangles = grape.match(graphs[number], "triangle")[0].totals
    assert triangles[why.graph.index_of(why.node)] > 0
    # Without a triangle around it, a node has nothing to lose.
    assert np.allclose(why.nodes[triangles == 0], 0.0, atol=1e-5)
    assert str(why).startswith("answer: ")
    assert why.value == pytest.approx(float(why.answer), rel=1e-4)  # what the effects are parts of
    assert ">triangle around " in why.svg()


def test_the_pair_layer_sees_beyond_message_passing(tmp_path) -> None:
    """A hexagon or two triangles, by the edge alone."""
    sizes = [(6,), (3, 3), (7,), (3, 4), (8,), (4, 4)]
    graphs = GraphSet.of([rings(*parts) for parts in sizes * 8], y=[len(p) > 1 for p in sizes * 8])
    options = {"templates": "edge", "epochs": 40, "hidden": 8, "dropout": 0.0, "batch_size": 12}
    parts = {"train_mask": np.arange(48) < 30, "val_mask": np.arange(48) // 6 == 5}
    plain = grape.GrapeGraphClassifier(**options, totals=False).fit(graphs, **parts)
    assert plain.score(graphs) < 0.8
    model = grape.GrapeGraphClassifier(**options, pair_layer=True).fit(graphs, **parts)
    assert model.score(graphs) == 1.0
    model.save(tmp_path / "m.safetensors")
    loaded = grape.GrapeGraphClassifier.load(tmp_path / "m.safetensors")
    assert np.array_equal(loaded.outputs(graphs), model.outputs(graphs))
    alone = model.outputs(graphs[[3]])
    np.testing.assert_allclose(alone, model.outputs(graphs)[[3]], atol=1e-5)
    with pytest.warns(grape.GrapeWarning, match="1 of 2 graphs have more than 200 nodes"):
        assert np.isfinite(model.outputs([rings(201), rings(6)])).all()


def test_templates_that_take_too_long_are_left_out(tmp_path) -> None:
    dense = GraphSet.of([nx.complete_graph(90)] * 4 + [nx.path_graph(90)] * 4, y=[0, 1] * 4)
    model = grape.GrapeGraphClassifier(
        "edge,8-cycle", epochs=1, hidden=4, match_time=2, engine="enumerate"
    )
    with pytest.warns(grape.GrapeWarning, match="left out, as match_time=2 was over: 8-cycle"):
        model.fit(dense)
    assert [t.name for t in model.templates_] == ["edge"]
    model.save(tmp_path / "m.safetensors")
    loaded = grape.GrapeGraphClassifier.load(tmp_path / "m.safetensors")
    for each in (model, loaded):
        assert [t.name for t in each.skipped_] == ["8-cycle"]
    assert loaded.predict(dense).tolist() == model.predict(dense).tolist()
    with pytest.raises(ModelError, match="no template could be matched"):
        model.set_params(templates="8-cycle", match_time=0.05).fit(dense)


def test_refusals() -> None:
    graphs = shapes()
    with pytest.raises(ModelError, match="no targets to learn from"):
        grape.GrapeGraphClassifier(**QUICK).fit(graphs.with_targets(None))
    with pytest.raises(ModelError, match="use GrapeGraphRegressor"):
        grape.GrapeGraphClassifier(**QUICK).fit(shapes(task="regression"))
    with pytest.raises(ModelError, match="2 labelled graphs are too few"):
        grape.GrapeGraphClassifier(**QUICK).fit(graphs[:2])
    with pytest.raises(ModelError, match="the training graphs have one class only"):
        grape.GrapeGraphClassifier(**QUICK).fit(graphs, ["a"] * 40)
    with pytest.raises(ModelError, match="use GrapeGraphClassifier"):
        grape.GrapeGraphRegressor(**QUICK).fit(graphs)
    with pytest.raises(ModelError, match="share 1 graphs"):
        grape.GrapeGraphClassifier(**QUICK).fit(graphs, train_mask=[0, 1, 2], val_mask=[2, 3])
    with pytest.raises(ModelError, match="pooling='median': choose of sum"):
        grape.GrapeGraphClassifier(**QUICK, pooling="median").fit(graphs)
    with pytest.raises(ModelError, match="has sets alone"):
        grape.GrapeGraphClassifier(**QUICK, preset="paper", both=True).fit(graphs)
    with pytest.raises(ModelError, match="not fitted yet"):
        grape.GrapeGraphClassifier().predict(graphs)
    model = grape.GrapeGraphClassifier(**QUICK).fit(graphs)
    with pytest.raises(grape.GrapeError, match="trained on undirected graphs"):
        model.predict([nx.path_graph(3, nx.DiGraph)])
    given = grape.match(graphs, "edge")
    with pytest.raises(ModelError, match="the given roles are not of these graphs"):
        grape.GrapeGraphClassifier(**QUICK).fit(graphs, roles=given)
