"""The cheap fitness: exactly a ridge regression, on exactly the columns that are promised."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.errors import MatchError
from grape_gnn.search import ridge
from grape_gnn.search.columns import Columns, narrowed, standardised
from grape_gnn.search.problem import make_problem
from grape_gnn.search.ridge import STRENGTHS, RidgeFitness, fit_ridge


def by_least_squares(x, y, x_new, y_new, strength):
    """Solve the same regression by numpy, as least squares with rows for the penalty."""
    centre, targets = x.mean(0), np.eye(y_new.max() + 1)[y]
    penalty = np.sqrt(strength * len(x)) * np.eye(x.shape[1])
    rows = np.vstack([x - centre, penalty])
    sides = np.vstack([targets - targets.mean(0), np.zeros((x.shape[1], targets.shape[1]))])
    weights = np.linalg.lstsq(rows, sides, rcond=None)[0]
    scores = (x_new - centre) @ weights + targets.mean(0)
    truth = np.eye(targets.shape[1])[y_new]
    return (scores.argmax(1) == y_new).mean(), ((scores - truth) ** 2).sum(1).mean()


@pytest.mark.parametrize("width", [3, 80])  # fewer columns than nodes, and more
def test_it_equals_least_squares(width):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(60, width)), rng.integers(3, size=60)
    x[:, 0] += y
    x, x_new, y, y_new = x[:40], x[40:], y[:40], y[40:]
    fit = fit_ridge(torch.from_numpy(x), y, torch.from_numpy(x_new), y_new)
    each = {s: by_least_squares(x, y, x_new, y_new, s) for s in STRENGTHS}
    assert (fit.accuracy, fit.loss) == pytest.approx(each[fit.strength], abs=1e-9)
    assert fit.accuracy == pytest.approx(max(accuracy for accuracy, _ in each.values()))


def test_the_columns_of_a_template_by_hand(monkeypatch):
    """A triangle with a tail, by the formulas at the top of the module."""
    x = np.array([[1.0], [10.0], [100.0], [1000.0]])
    graph = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], x=x, y=[0, 1, 0, 1])
    problem = make_problem(graph, {}, 0, train_mask=[0, 1], val_mask=[2, 3])
    a = np.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]], float)
    total = a.sum(1, keepdims=True)
    log = np.log1p(total)
    size = (log - log.mean()) / log.std()
    mean = a @ x / total
    first = [size, size**2, mean, mean * log / log.mean()]
    second = [a @ each / total for each in (size, size**2, mean)]
    columns = Columns(problem)
    found = columns.of(grape.match(graph, "edge")[0])
    assert np.allclose(found, standardised(np.hstack([*first, *second])))
    assert np.allclose(columns.own, standardised(x))


def test_labels_are_inputs_only_if_they_are_the_models(planted):
    without, with_labels = (
        Columns(make_problem(planted, model, 0)).of(grape.match(planted, "triangle")[0])
        for model in ({}, {"label_inputs": True})
    )
    assert with_labels.shape[1] > without.shape[1]
    # The labels of validation nodes are not among them.
    problem = make_problem(planted, {"label_inputs": True}, 0)
    other = np.where(problem.validation, (problem.graph.y + 1) % 15, problem.graph.y)
    changed = dataclasses.replace(problem, graph=dataclasses.replace(problem.graph, y=other))
    again = Columns(changed).of(grape.match(planted, "triangle")[0])
    assert np.allclose(again, with_labels)


def test_wide_features_are_narrowed_to_the_best_approximation():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(50, 30)) * 0.5 ** np.arange(30)
    left, sizes, _ = np.linalg.svd(x, full_matrices=False)
    found = narrowed(x, 4)
    assert np.allclose(np.abs(found), np.abs((left * sizes)[:, :4]), atol=1e-4)


def test_columns_are_computed_once(planted, monkeypatch):
    asked = []
    compute = Columns.of

    def noted(self, roles):
        asked.append(roles.template.text)
        return compute(self, roles)

    monkeypatch.setattr(ridge.Columns, "of", noted)
    problem = make_problem(planted, {}, 0)
    judge = RidgeFitness(problem, 1 << 20)
    first = judge.judge(grape.match(planted, "edge,triangle"))
    again = judge.judge(grape.match(planted, "triangle,edge"))
    assert len(asked) == 2
    assert (first.accuracy, first.loss) == pytest.approx((again.accuracy, again.loss))
    forgetful = RidgeFitness(problem, 1)
    assert forgetful.judge(grape.match(planted, "edge,triangle")).loss == first.loss


def test_a_failure_is_an_outcome(planted, monkeypatch):
    def refuse(self, roles):
        raise MatchError("too many to count")

    monkeypatch.setattr(ridge.Columns, "of", refuse)
    outcome = RidgeFitness(make_problem(planted, {}, 0), 1).judge(grape.match(planted, "edge"))
    assert (outcome.accuracy, outcome.failure) == (0.0, "too many to count")


def test_planted_shapes_are_found():
    """Squares tell the shapes apart that edges and the named sets do not."""
    graph = grape.datasets.load("cubic-shapes", num_nodes=200, exchanged=0.0)
    settings = grape.SearchSettings(
        population=8, max_nodes=4, finalists=1, model={"epochs": 1}, seed=1
    )
    found = grape.search(graph, rounds=80, settings=settings)
    judge = RidgeFitness(make_problem(graph, {}, settings.seed), 1 << 20)
    right = judge.judge(grape.match(graph, "edge,4-cycle")).accuracy
    social = judge.judge(grape.match(graph, "social")).accuracy
    best = max(each.validation_accuracy for each in found.history.computed("ridge"))
    assert social < 0.3 < 0.5 < right <= best
    assert any("4-cycle" in (template.name or "") for template in found.templates)


def test_the_number_of_threads_does_not_matter(planted, quick, course):
    before = torch.get_num_threads()
    settings = grape.SearchSettings(seed=2, **quick)
    courses = []
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            courses.append(course(grape.search(planted, rounds=5, settings=settings)))
    finally:
        torch.set_num_threads(before)
    assert courses[0] == courses[1]
