"""Settings chosen on validation nodes: the climb, its budget, going on, and what is trained."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

import grape_gnn as grape
from grape_gnn.errors import ModelError
from grape_gnn.estimator.tuning import AXES, Trial, best_trial, climb, next_settings
from grape_gnn.training.history import Epoch, History

START = {"layers": 2, "hidden": 32}


def history(score: float) -> History:
    made = History()
    made.add(Epoch(1.0, 1.0 - score, score))
    return made


def landscape(settings: dict[str, object]) -> float:
    """One peak, at 5 layers of width 64."""
    return 0.9 - 0.05 * abs(settings["layers"] - 5) - 0.001 * abs(settings["hidden"] - 64)


def climbed(**options):
    trained = []

    def train(settings, progress):
        trained.append(settings)
        found = history(landscape(settings))
        progress(1, found)
        return found

    given = {"seconds": None, **options}
    return list(climb(START, ["layers", "hidden"], train, **given)), trained


def test_the_climb_starts_where_it_is_told_and_ends_on_the_peak():
    trials, trained = climbed()
    assert trained[0] == START
    assert best_trial(trials).settings == {"layers": 5, "hidden": 64}
    assert len(trials) < len(AXES["layers"]) * len(AXES["hidden"])


def test_nothing_is_tried_twice():
    trials, _ = climbed()
    for one, two in itertools.combinations(trials, 2):
        assert one.settings != two.settings


@pytest.mark.parametrize("stop", [1, 2, 4])
def test_a_climb_that_goes_on_tries_the_same(stop):
    whole, _ = climbed()
    rest, _ = climbed(trials=whole[:stop])
    assert [t.settings for t in whole[:stop] + rest] == [t.settings for t in whole]


def test_the_first_trial_is_finished_however_short_the_time():
    trials, _ = climbed(seconds=0.0)
    assert [trial.settings for trial in trials] == [START]


def test_time_used_before_counts():
    before = [Trial(START, 0.5, 0.5, 1, seconds=100.0)]
    assert climbed(seconds=99.0, trials=before)[1] == []


def test_a_trial_that_would_end_too_late_is_left(monkeypatch):
    clock = itertools.count(0, 4)
    monkeypatch.setattr("grape_gnn.estimator.tuning.monotonic", lambda: next(clock))
    trials, trained = climbed(seconds=7.0)
    assert len(trained) == len(trials) + 1


def test_values_between_the_steps_are_a_start_too():
    assert next_settings({"hidden": 48}, ["hidden"], []) == {"hidden": 48}
    tried = [Trial({"hidden": 48}, 0.5, 0.5, 1, 1.0)]
    assert next_settings({"hidden": 48}, ["hidden"], tried) == {"hidden": 32}


def test_equal_scores_go_by_the_loss():
    one, two = (Trial({"layers": k}, 0.8, loss, 1, 1.0) for k, loss in ((2, 0.4), (3, 0.3)))
    assert best_trial([one, two]) is two


@pytest.fixture(scope="module")
def graph():
    return grape.datasets.load("planted-roles", num_shapes=18)


def test_the_best_settings_are_taken_over_and_trained(graph):
    clf = grape.GrapeClassifier("edge,triangle", epochs=12, min_epochs=0, hidden=8)
    clf.tune(graph, None, settings=["layers", "label_inputs"])
    best = best_trial(clf.trials_)
    assert (clf.layers, clf.label_inputs) == tuple(best.settings[k] for k in best.settings)
    assert clf.history_.epochs[clf.history_.best].score == best.score
    assert len(clf.trials_) >= 4
    again = grape.GrapeClassifier("edge,triangle", epochs=12, min_epochs=0, hidden=8)
    again.set_params(**best.settings).fit(graph)
    assert (again.predict_proba(graph) == clf.predict_proba(graph)).all()


def test_test_labels_are_not_read(graph):
    clf = grape.GrapeClassifier("edge", epochs=3, min_epochs=0, hidden=4)
    clf.tune(graph, None, settings=["layers"])
    changed = graph.y.copy()
    changed[clf.split_.test] = (changed[clf.split_.test] + 1) % len(graph.label_names)
    other = grape.GrapeClassifier("edge", epochs=3, min_epochs=0, hidden=4)
    other.tune(replace(graph, y=changed), None, settings=["layers"])
    scores = [[t.score for t in each.trials_] for each in (clf, other)]
    assert scores[0] == scores[1]


def test_unknown_settings_are_refused(graph):
    with pytest.raises(ModelError, match="settings='epochs' is unknown: use one of label_inputs"):
        grape.GrapeClassifier("edge").tune(graph, settings=["epochs"])


def test_the_edges_alone_are_a_choice_where_there_is_more(graph):
    def tried(templates):
        clf = grape.GrapeClassifier(templates, epochs=2, min_epochs=0, hidden=4)
        return [t.settings for t in clf.tune(graph, None, settings=["edge_only"]).trials_]

    assert tried("edge,triangle") == [{"edge_only": False}, {"edge_only": True}]
    assert tried("edge") == tried("triangle") == [{}]
