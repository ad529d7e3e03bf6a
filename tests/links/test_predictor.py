"""`GrapeLinkPredictor` finds hidden links, says why, and survives being saved."""

from __future__ import annotations

import numpy as np
import pytest

import grape_gnn
from grape_gnn.errors import FileError, GraphError, ModelError, ModelFileError, UnknownNodeError
from grape_gnn.graph import Graph
from grape_gnn.links import GrapeLinkPredictor, Suggestion, evaluate_links, suggestion_svg
from grape_gnn.links.evaluate import link_figures
from grape_gnn.links.sample import candidates, unlinked_pairs
from grape_gnn.testing import gnp


def groups(size=8, number=4, seed=0):
    """Close-knit groups that are joined in a ring; one link in six is missing."""
    rng = np.random.default_rng(seed)
    ends = [
        (g * size + a, g * size + b) for g in range(number) for a in range(size) for b in range(a)
    ]
    kept = [pair for pair in ends if rng.random() > 1 / 6]
    ring = [(g * size, (g + 1) % number * size + 1) for g in range(number)]
    return Graph.from_edges(*zip(*kept, *ring, strict=True), num_nodes=size * number)


@pytest.fixture(scope="module")
def model():
    return GrapeLinkPredictor(seed=1).fit(groups())


def test_suggestions_are_within_groups_and_say_why(model):
    found = model.suggest(8)
    assert [s.head // 8 for s in found] == [s.tail // 8 for s in found]
    assert all("common neighbours: " in s.reason for s in found)
    chances = [s.probability for s in found]
    assert chances == sorted(chances, reverse=True)
    linked = {tuple(edge) for edge in model.graph_.edge_array().tolist()}
    assert not linked & {(s.head, s.tail) for s in found}


def test_probabilities_and_score(model):
    pairs = np.array([(0, 4), (0, 20), (9, 12), (9, 30)])
    chances = model.predict_proba(pairs)
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    assert model.score(pairs, np.array([True, False, True, False])) == 1.0
    np.testing.assert_array_equal(chances, model.predict_proba(pairs[:, ::-1]))


def test_the_same_seed_gives_the_same_model(model):
    again = GrapeLinkPredictor(seed=1, threads=2).fit(groups())
    np.testing.assert_array_equal(again.model_.weights, model.model_.weights)


def test_a_saved_model_predicts_the_same(model, tmp_path):
    model.save(tmp_path / "links.npz")
    loaded = GrapeLinkPredictor.load(tmp_path / "links.npz", groups())
    pairs = [(0, 4), (3, 30)]
    np.testing.assert_array_equal(loaded.predict_proba(pairs), model.predict_proba(pairs))
    other = tmp_path / "other.npz"
    other.write_bytes((tmp_path / "links.npz").read_bytes()[:200])
    with pytest.raises(ModelFileError, match="train the model again"):
        GrapeLinkPredictor.load(other, groups())
    with pytest.raises(ModelFileError, match="no such file"):
        GrapeLinkPredictor.load(tmp_path / "none.npz", groups())


def test_errors_name_the_input_and_the_remedy(model):
    with pytest.raises(ModelError, match=r"call fit\(graph\) first"):
        GrapeLinkPredictor().predict_proba([(0, 1)])
    with pytest.raises(UnknownNodeError, match="no node is called 99"):
        model.predict_proba([(0, 99)])
    with pytest.raises(GraphError, match="directions are not supported"):
        GrapeLinkPredictor().fit(gnp(9, 0.5, seed=0, directed=True))
    with pytest.raises(GraphError, match="directions are not supported"):
        evaluate_links(gnp(9, 0.5, seed=0, directed=True))
    with pytest.raises(ModelError, match="too few links"):
        GrapeLinkPredictor().fit(Graph.from_edges([0], [1]))
    with pytest.raises(GraphError, match="pairs without a link"):
        GrapeLinkPredictor().fit(gnp(6, 1.0, seed=0))
    with pytest.raises(ModelError, match="k=0 must be at least 1"):
        model.suggest(0)
    with pytest.raises(ModelError, match="pairs that are linked and pairs that are not"):
        model.score([(0, 4)], [True])
    assert grape_gnn.GrapeLinkPredictor is GrapeLinkPredictor


def test_figures_by_hand():
    figures = link_figures(np.array([5.0, 1.0]), np.array([3.0, 2.0, 1.0]))
    assert figures["auc"] == pytest.approx((3 + 0.5) / 6)
    assert figures["mrr"] == pytest.approx((1 + 1 / 3.5) / 2)
    many = link_figures(np.array([50.5, 48.5]), np.arange(100.0))
    assert many["hits@50"] == 0.5


def test_splits_go_on_where_they_were(tmp_path):
    graph, out = groups(), tmp_path / "figures.json"
    whole = evaluate_links(graph, splits=3, seed=2)
    evaluate_links(graph, splits=1, seed=2, out=out)
    done = []
    resumed = evaluate_links(graph, splits=3, seed=2, out=out, progress=lambda k, n: done.append(k))
    assert resumed == whole
    assert done == [2, 3]
    assert np.mean([split["grape"]["auc"] for split in whole]) > 0.9
    with pytest.raises(FileError, match="another graph or seed"):
        evaluate_links(graph, splits=3, seed=3, out=out)


def test_unlinked_pairs_and_candidates():
    graph = gnp(12, 0.4, seed=3)
    linked = {tuple(edge) for edge in graph.edge_array().tolist()}
    drawn = {tuple(pair) for pair in unlinked_pairs(graph, 20, np.random.default_rng(0)).tolist()}
    assert len(drawn) == 20
    assert not drawn & linked
    near = candidates(graph, 1000).tolist()
    assert len({tuple(pair) for pair in near}) == len(near)
    assert not {tuple(pair) for pair in near} & linked


def test_drawing_escapes_names():
    picture = suggestion_svg(Suggestion("<b>", "d&n", 0.9, (("<b>", "x", "y", "d&n"),), 1))
    assert "&lt;b&gt;" in picture
    assert "d&amp;n" in picture
    assert picture.count("<line") == 3
