"""The edges alone: the same training as with no other template, and a choice in comparisons."""

from __future__ import annotations

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
