"""Roles that a `GrapeClassifier` keeps: a graph is matched once, and nothing is kept too long."""

from __future__ import annotations

import gc
import pickle
import weakref
from typing import Any

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.estimator import GrapeClassifier


@pytest.fixture
def matchings(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Give the list of the graphs that were matched."""
    import grape_gnn.estimator.method as module

    seen: list[Any] = []
    usual = module.match

    def counted(graph: Any, *args: Any, **options: Any) -> Any:
        seen.append(graph)
        return usual(graph, *args, **options)

    monkeypatch.setattr(module, "match", counted)
    return seen


def _ring(size: int) -> grape.Graph:
    ends = [(i, (i + k) % size) for i in range(size) for k in (1, 2)]
    return grape.Graph.from_edges(*zip(*ends, strict=True), y=["left", "right"] * (size // 2))


def test_a_graph_is_matched_once(matchings: list[Any]) -> None:
    first, second, third = _ring(30), _ring(40), _ring(50)
    model = GrapeClassifier("edge,triangle", epochs=2, hidden=4).fit(first)
    before = model.predict_proba(first)
    model.score(first)
    model.predict(_ring(30))  # the same contents
    assert len(matchings) == 1
    model.predict(second)
    model.predict(first)
    model.predict(second)
    assert len(matchings) == 2
    model.predict(third)  # the oldest, the first, gives way
    model.predict(second)
    assert len(matchings) == 3
    assert np.array_equal(model.predict_proba(first), before)
    assert len(matchings) == 4
    model.set_params(templates="edge,3-path").fit(first)
    assert len(matchings) == 5


def test_other_graphs_are_not_taken_for_known_ones(matchings: list[Any]) -> None:
    model = GrapeClassifier("edge,triangle", epochs=2, hidden=4).fit(_ring(30))
    edges = _ring(30).edge_array()
    edges[0] = (0, 15)
    model.predict(grape.Graph.from_edges(*edges.T))
    assert len(matchings) == 2


def test_given_roles_serve_the_prediction_too(matchings: list[Any]) -> None:
    graph = _ring(30)
    GrapeClassifier("edge", "paper", epochs=2, hidden=4).fit(
        graph, roles=grape.match(graph, "edge", weighting="set")
    ).predict(graph)
    assert matchings == []


def test_kept_roles_are_let_go_and_do_not_travel(matchings: list[Any]) -> None:
    graph = _ring(30)
    model = GrapeClassifier("edge", epochs=2, hidden=4).fit(graph)
    copied = pickle.loads(pickle.dumps(model))
    assert len(matchings) == 1
    assert np.array_equal(copied.predict(graph), model.predict(graph))
    assert len(matchings) == 2
    gone = weakref.ref(graph)
    model.predict(_ring(40))
    model.predict(_ring(50))
    del graph, copied
    matchings.clear()
    gc.collect()
    assert gone() is None
