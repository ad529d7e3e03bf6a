"""Numbers, several labels, uneven classes and given splits: data that is odd on purpose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.baselines import METHODS
from grape_gnn.comparison import Profile, compare, comparison_table
from grape_gnn.comparison.table import table_text
from grape_gnn.errors import GrapeWarning, ModelError, ModelFileError
from grape_gnn.estimator.collapse import warn_of_one_answer
from grape_gnn.graph.split import Split

RNG = np.random.default_rng(0)
N = 160
EDGES = np.array(
    [(i, int(RNG.integers(0, i))) for i in range(1, N)]
    + [(i, (i * 7 + 3) % N) for i in range(0, N, 2)]
)
EDGES = np.unique(np.sort(EDGES, axis=1), axis=0)
SIZE = RNG.normal(size=N)


def graph(y, **options) -> grape.Graph:
    x = SIZE[:, None] if options.pop("features", True) else None
    return grape.Graph.from_edges(*EDGES.T, N, x=x, y=y, **options)


DEGREES = graph(np.zeros(N, int)).degrees
PRICES = 300_000.5 + 40_000 * SIZE + 20_000 * np.log1p(DEGREES)
TAGS = [
    {tag for tag, has in (("big", s > 0), ("hub", d > 3), ("leaf", d < 3)) if has}
    for s, d in zip(SIZE, DEGREES, strict=True)
]


def options(**more):
    return {"templates": "edge,3-path", "hidden": 16, "epochs": 150, "learning_rate": 0.03, **more}


@pytest.mark.parametrize("label_inputs", [False, True])
def test_prices_are_predicted_in_their_units(label_inputs: bool, tmp_path) -> None:
    y = PRICES.copy()
    y[::11] = np.nan  # as many prices are not known
    g = graph(y)
    model = grape.GrapeRegressor(**options(label_inputs=label_inputs)).fit(g)
    assert model.metric_ == "rmse"
    assert model.score(g) > 0.7
    assert abs(model.predict(g).mean() - PRICES.mean()) < 20_000
    figures = model.figures(g)
    test = model.split_.test
    assert figures["mae"] == pytest.approx(np.abs(model.predict(g) - y)[test].mean())
    model.save(tmp_path / "m.safetensors")
    again = grape.GrapeRegressor.load(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(again.predict(g), model.predict(g))
    assert again.score(g) == model.score(g)
    with pytest.raises(ModelFileError, match=r"load it with GrapeRegressor\.load"):
        grape.GrapeClassifier.load(tmp_path / "m.safetensors")


def test_the_units_do_not_matter() -> None:
    """Years, shares and prices: the training is the same, in other units."""
    one = grape.GrapeRegressor(**options(epochs=20)).fit(graph(PRICES))
    two = grape.GrapeRegressor(**options(epochs=20)).fit(graph(PRICES * 1e-9 + 5))
    scaled = (two.predict(graph(PRICES)) - 5) * 1e9
    np.testing.assert_allclose(scaled, one.predict(graph(PRICES)), rtol=1e-3)


def test_ages_may_be_numbers_or_classes() -> None:
    ages = (40 + 10 * SIZE).round().astype(int)
    assert graph(ages % 7).task == "classification"
    model = grape.GrapeRegressor(**options(epochs=60)).fit(graph(ages % 7))
    assert model.predict(graph(ages % 7)).dtype == np.float64
    with pytest.raises(ModelError, match="the labels are numbers: use GrapeRegressor"):
        grape.GrapeClassifier().fit(graph(PRICES))
    with pytest.raises(ModelError, match="a regression needs numbers, and the labels are class"):
        grape.GrapeRegressor().fit(graph(["a", "b"] * (N // 2)))
    with pytest.raises(ModelError, match="class_weight is for classes"):
        grape.GrapeRegressor("edge", class_weight="balanced", epochs=1).fit(graph(PRICES))
    with pytest.raises(ModelError, match="'released' computes no negative numbers"):
        grape.GrapeRegressor(preset="released").fit(graph(PRICES))


@pytest.mark.parametrize("label_inputs", [False, True])
def test_several_labels(label_inputs: bool, tmp_path) -> None:
    g = graph([None if k % 13 == 5 else tags for k, tags in enumerate(TAGS)])
    clf = grape.GrapeClassifier(**options(label_inputs=label_inputs)).fit(g)
    assert (clf.task_, clf.metric_) == ("multi-label", "micro-f1")
    assert clf.classes_.tolist() == ["big", "hub", "leaf"]
    assert clf.predict(g).shape == clf.predict_proba(g).shape == (N, 3)
    figures = clf.figures(g)
    assert figures["micro-f1"] > 0.8
    assert figures["average-precision"] > 0.8
    test = clf.split_.test
    right = (clf.predict(g)[test] == g.y[test]).all(axis=1).mean()
    assert clf.score(g) == pytest.approx(right)
    clf.save(tmp_path / "m.safetensors")
    again = grape.GrapeClassifier.load(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(again.predict_proba(g), clf.predict_proba(g))


def test_uneven_classes_are_chosen_by_auc_and_can_be_weighted() -> None:
    """A tenth of the nodes, at random: without weights none is ever found."""
    g = graph((np.random.default_rng(3).random(N) < 0.1).astype(int))
    plain = grape.GrapeClassifier(**options(epochs=35, weight_decay=1.0, metric="accuracy"))
    with pytest.warns(GrapeWarning, match=r"one class for all nodes.*class_weight='balanced'"):
        plain.fit(g)
    even = grape.GrapeClassifier(**options(epochs=60, class_weight="balanced")).fit(g)
    assert even.metric_ == "roc-auc"
    assert even.predict(g).sum() > plain.predict(g).sum() == 0


def test_nearly_all_answers_alike_are_told_unless_nearly_all_labels_are() -> None:
    half, rare = np.arange(400) % 2, (np.arange(400) < 4).astype(int)
    outputs = np.tile([0.0, 1.0], (400, 1))
    outputs[0] = [1.0, 0.0]
    split = Split(np.arange(400) < 300, np.arange(400) >= 300, np.zeros(400, bool))
    with pytest.warns(GrapeWarning, match="one class for nearly all nodes, which 50%"):
        warn_of_one_answer(outputs, half, split, np.eye(400))
    warn_of_one_answer(outputs[:, ::-1], rare, split, np.eye(400))


def test_weights_by_label(tmp_path) -> None:
    y = (np.random.default_rng(3).random(N) < 0.1).astype(int)
    g = graph(y)
    plain, heavy = (
        grape.GrapeClassifier(**options(epochs=29, class_weight=weights)).fit(g)
        for weights in (None, {1: 30})
    )
    assert heavy.predict(g).sum() > plain.predict(g).sum()
    # What "balanced" works out can be given, and a model file keeps it.
    known = y[plain.split_.train]
    weights = dict(enumerate((known.size / (2 * np.bincount(known))).tolist()))
    given = grape.GrapeClassifier(**options(epochs=5, class_weight=weights)).fit(g)
    even = grape.GrapeClassifier(**options(epochs=5, class_weight="balanced")).fit(g)
    np.testing.assert_allclose(given.predict_proba(g), even.predict_proba(g), atol=1e-5)
    given.save(tmp_path / "m.safetensors")
    again = grape.GrapeClassifier.load(tmp_path / "m.safetensors").fit(g)
    np.testing.assert_array_equal(given.predict_proba(g), again.predict_proba(g))
    several = grape.GrapeClassifier(**options(epochs=5, class_weight={"hub": 9.0})).fit(graph(TAGS))
    flat = grape.GrapeClassifier(**options(epochs=5)).fit(graph(TAGS))
    hub = several.classes_.tolist().index("hub")
    assert (
        several.predict_proba(graph(TAGS))[:, hub].mean()
        > flat.predict_proba(graph(TAGS))[:, hub].mean()
    )
    for wrong, message in (
        ({"fraud": 2}, "class_weight has 'fraud', which is no label of the graph: it has 0, 1"),
        ({1: -1}, r"class_weight\[1\]"),
        ({1: "much"}, r"class_weight\[1\]"),
    ):
        with pytest.raises(ModelError, match=message):
            grape.GrapeClassifier(**options(class_weight=wrong)).fit(g)
    with pytest.raises(ModelError, match="class_weight is for classes"):
        grape.GrapeRegressor(**options(class_weight={1: 2})).fit(graph(PRICES))


def test_one_class_for_all_nodes_is_said_with_its_reason() -> None:
    """A ring: no node differs from another, so nothing can be learnt."""
    n = 40
    ring = grape.Graph.from_edges(range(n), [(i + 1) % n for i in range(n)], y=["a", "b"] * 20)
    with pytest.warns(GrapeWarning, match="all nodes have the same features, and the templates"):
        grape.GrapeClassifier("edge", epochs=40, hidden=4).fit(ring)


def test_given_splits_are_used_completed_and_chosen() -> None:
    part = np.arange(N) % 4
    first = Split(part < 2, part == 2, part == 3)
    bare = Split(part == 1, part == 9, part == 0)  # no validation nodes
    g = graph((SIZE > 0).astype(int), splits=[first, bare])
    clf = grape.GrapeClassifier(**options(epochs=2))
    assert (clf.fit(g).split_.train == first.train).all()
    drawn = clf.set_params(split=1).fit(g).split_
    assert (drawn.train | drawn.validation == bare.train).all()
    assert int(drawn.validation.sum()) == round(0.25 * bare.train.sum())
    assert (drawn.test == bare.test).all()
    assert int(clf.set_params(split="random").fit(g).split_.train.sum()) == round(0.6 * N)
    with pytest.raises(ModelError, match=r"split=2: the graph comes with 2 splits"):
        clf.set_params(split=2).fit(g)
    with pytest.raises(ModelError, match="comes without splits"):
        clf.fit(replace(g, splits=()))


def test_masks_of_pyg_with_several_columns() -> None:
    part = torch.arange(N) % 4
    masks = [torch.stack([part == k, part == 3 - k], dim=1) for k in (0, 1, 2)]
    data = graph((SIZE > 0).astype(int)).to_pyg()
    data.train_mask, data.val_mask, data.test_mask = masks[0], masks[1], None
    clf = grape.GrapeClassifier(**options(epochs=2, split=1)).fit(data)
    assert (clf.split_.train == (part == 3).numpy()).all()
    assert clf.score(data) >= 0


def test_score_means_one_thing(tmp_path) -> None:
    """The test nodes of the training's graph, also after loading; else all, and it says so."""
    g = graph(np.array(["low", "high"])[(SIZE > 0).astype(int)])
    clf = grape.GrapeClassifier(**options(epochs=30)).fit(g)
    right = clf.predict(g) == np.array(g.label_names)[g.y]
    assert clf.score(g) == right[clf.split_.test].mean()
    clf.save(tmp_path / "m.safetensors")
    loaded = grape.GrapeClassifier.load(tmp_path / "m.safetensors")
    assert loaded.score(g) == clf.score(g)
    moved = grape.Graph.from_edges(*EDGES[1:].T, N, x=g.x, y=g.y, label_names=g.label_names)
    with pytest.warns(GrapeWarning, match=f"not the graph of the training: .* all {N} labelled"):
        loaded.score(moved)
    with pytest.raises(ModelError, match="give a mask as mask="):
        clf.score(g, clf.split_.test)


@pytest.mark.parametrize("numbers", [False, True])
def test_labels_beside_a_graph_are_scored_as_they_were_learnt(numbers) -> None:
    import networkx as nx

    ring = nx.cycle_graph(N)
    y = SIZE if numbers else np.array(["low", "high"])[(SIZE > 0).astype(int)]
    model = (grape.GrapeRegressor if numbers else grape.GrapeClassifier)("edge", epochs=3)
    model.fit(ring, y)
    labelled = grape.Graph.from_edges(range(N), [*range(1, N), 0], y=y)
    assert model.score(ring, y) == model.score(labelled)
    assert model.figures(ring, y) == model.figures(labelled)
    with pytest.raises(ModelError, match="no labels to score against: pass y="):
        model.score(ring)


TINY = Profile(
    "tiny",
    {"hidden": [8], "dropout": [0.0], "weight_decay": [0.0], "learning_rate": [0.03]},
    epochs=15,
)


@pytest.mark.parametrize("y", [PRICES, TAGS], ids=["numbers", "several"])
@pytest.mark.parametrize("name", METHODS)
def test_every_method_learns_every_task(name: str, y) -> None:
    runs = compare(graph(y), [name], dataset="odd", seeds=[0], profile=TINY, templates="edge")
    assert runs[0].metric == ("rmse" if y is PRICES else "micro-f1")
    assert np.isfinite(runs[0].test_score)


def test_the_table_of_numbers_is_in_their_units_and_the_lowest_is_first() -> None:
    runs = compare(graph(PRICES), ["gcn", "grape", "mlp"], dataset="houses", seeds=[0, 1],
                   profile=TINY, templates="edge")  # fmt: skip
    rows = {row.method: row for row in comparison_table(runs)}
    best = min((rows["gcn"], rows["grape"]), key=lambda row: row.mean)
    assert best.first
    assert 1_000 < best.mean < 200_000
    assert best.difference < 0  # lower than the other
    assert "test RMSE" in table_text(list(rows.values()))
