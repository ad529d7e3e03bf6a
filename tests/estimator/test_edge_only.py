"""The edges alone: as with no other template; a choice by validation, here and in comparisons."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.comparison import Profile, compare
from grape_gnn.errors import ModelError
from grape_gnn.estimator.method import Grape

TINY = Profile(
    "tiny",
    {"hidden": [8], "dropout": [0.1], "weight_decay": [0.0], "learning_rate": [0.02]},
    epochs=4,
)


@pytest.fixture(scope="module")
def graph():
    return grape.datasets.load("planted-roles", num_shapes=18)


def test_the_edges_alone_are_trained_as_without_the_others(graph, tmp_path):
    alone = grape.GrapeClassifier("edge,triangle", edge_only=True, epochs=3).fit(graph)
    other = grape.GrapeClassifier("edge", epochs=3).fit(graph)
    wanted = other.predict_proba(graph)
    np.testing.assert_array_equal(alone.predict_proba(graph), wanted)
    alone.save(tmp_path / "model.safetensors")
    loaded = grape.GrapeClassifier.load(tmp_path / "model.safetensors")
    np.testing.assert_array_equal(loaded.predict_proba(graph), wanted)


def test_both_directions_of_an_edge_are_edges():
    graph = grape.datasets.load("directed-roles", num_nodes=180)
    clf = grape.GrapeClassifier("to,from,triangle", edge_only=True, epochs=2).fit(graph)
    assert [template.name for template in clf.templates_] == ["to", "from"]


def test_without_an_edge_there_is_nothing_left(graph):
    with pytest.raises(ModelError, match="no template is an edge: add 'edge'"):
        grape.GrapeClassifier("triangle", edge_only=True).fit(graph)


@pytest.mark.parametrize("seed", range(4))
def test_without_templates_validation_decides(seed, tmp_path):
    graph = grape.datasets.load("planted-roles", num_shapes=9)
    own = {"epochs": 3, "hidden": 4, "seed": seed}
    both = [grape.GrapeClassifier(text, **own).fit(graph) for text in ("social", "edge")]
    best = [clf.history_.epochs[clf.history_.best] for clf in both]
    wanted = max(range(2), key=lambda k: (best[k].score, -best[k].validation_loss))
    chosen = grape.GrapeClassifier(**own).fit(graph)
    assert [trial.settings for trial in chosen.trials_] == [
        {"edge_only": False},
        {"edge_only": True},
    ]
    assert [trial.score for trial in chosen.trials_] == [each.score for each in best]
    assert chosen.templates_ == both[wanted].templates_
    assert chosen.get_params()["edge_only"] is None
    answers = both[wanted].predict_proba(graph)
    np.testing.assert_array_equal(chosen.predict_proba(graph), answers)
    chosen.save(tmp_path / "model.safetensors")
    loaded = grape.GrapeClassifier.load(tmp_path / "model.safetensors")
    np.testing.assert_array_equal(loaded.predict_proba(graph), answers)


def test_the_choice_goes_both_ways(graph):
    # The 5-clique says nothing here: chance decides, and over a few seeds for either.
    own = {"edge_only": "auto", "epochs": 10, "hidden": 8}
    fitted = (grape.GrapeClassifier("edge,5-clique", seed=seed, **own) for seed in range(10))
    assert {len(clf.fit(graph).templates_) for clf in fitted} == {1, 2}


def test_templates_that_somebody_asked_for_stay(graph):
    clf = grape.GrapeClassifier("edge,triangle", epochs=2).fit(graph)
    assert len(clf.templates_) == 2
    assert not hasattr(clf, "trials_")


@pytest.mark.filterwarnings("ignore:no instance of")
def test_directed_graphs_have_their_own_set():
    graph = grape.datasets.load("directed-roles", num_nodes=180)
    clf = grape.GrapeClassifier(epochs=2, edge_only=False).fit(graph)
    assert clf.templates_ == tuple(grape.templates("ecommerce"))


@pytest.mark.parametrize("preset", ["paper", "released", "decoupled"])
def test_other_presets_take_all_templates(graph, preset):
    clf = grape.GrapeClassifier(preset=preset, epochs=2).fit(graph)
    assert len(clf.templates_) == 5


def test_a_choice_that_does_not_exist(graph):
    with pytest.raises(ModelError, match="edge_only='maybe' is unknown: use False, True or 'auto'"):
        grape.GrapeClassifier(edge_only="maybe").fit(graph)


@pytest.mark.parametrize("stop", [2, 5])
def test_an_interrupted_choice_goes_on(graph, tmp_path, stop):
    """The first training has four epochs: the second stop is in that of the edges alone."""
    own = {"epochs": 4, "hidden": 4, "patience": 10}
    whole = grape.GrapeClassifier(**own).fit(graph)
    seen = []

    def interrupt(total, history):
        seen.append(len(history.epochs))
        if len(seen) == stop:
            raise KeyboardInterrupt

    clf, file = grape.GrapeClassifier(**own), tmp_path / "checkpoint.safetensors"
    with pytest.raises(KeyboardInterrupt):
        clf.fit(graph, checkpoint=file, progress=interrupt)
    clf.fit(graph, checkpoint=file)
    assert [t.score for t in clf.trials_] == [t.score for t in whole.trials_]
    np.testing.assert_array_equal(clf.predict_proba(graph), whole.predict_proba(graph))


def test_what_is_said_is_said_of_the_model_that_is_taken(graph):
    bare = grape.Graph.from_edges([0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6], y=[0, 1, 0, 1, 0, 1, 0])
    clf = grape.GrapeClassifier("edge,4-clique", edge_only="auto", epochs=2)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        clf.fit(bare, train_mask=[0, 1, 2, 3], val_mask=[4, 5])
    empty = any("4-clique" in str(each.message) for each in said)
    assert empty == (len(clf.templates_) == 2)


def test_warnings_of_others_stay_theirs(graph):
    def noisy(total, history):
        warnings.warn("of another library", DeprecationWarning, stacklevel=2)

    clf = grape.GrapeClassifier(epochs=2, hidden=4)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        clf.fit(graph, progress=noisy)
    assert [each.category for each in said] == [DeprecationWarning] * 4  # of both trainings


def compared(graph, method):
    """Return all trainings of a comparison."""
    found = []
    options = {"dataset": "roles", "seeds": [0], "profile": TINY}
    compare(graph, [method], **options, progress=lambda step: found.append(step.result))
    return found


def test_comparisons_choose_by_validation(graph):
    given, alone, chosen = compared(graph, Grape("edge,triangle"))
    trained, run = compared(graph, Grape("edge"))
    assert [each.settings["edge_only"] for each in (given, alone)] == [False, True]
    assert alone.validation_score == trained.validation_score != given.validation_score
    best = max(given, alone, key=lambda each: each.validation_score)
    assert chosen.settings["edge_only"] == best.settings["edge_only"]
    assert chosen.validation_score == best.validation_score
    assert "edge_only" not in run.settings
