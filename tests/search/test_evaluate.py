"""The evaluation of a gene is a training of GRAPE, without the test labels."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from grape_gnn import GrapeClassifier, match
from grape_gnn.errors import ModelError, SearchError
from grape_gnn.search.evaluate import Job, train_gene
from grape_gnn.search.gene import Gene
from grape_gnn.search.problem import make_problem
from grape_gnn.search.strategy import mixed_seed

GENE = Gene.from_texts(["0-1", "0-1 0-2 1-2"])


def job(problem, gene=GENE, **options):
    return Job(gene, match(problem.graph, list(gene.templates)), seed=0, **options)


def test_it_equals_the_classifier(planted):
    problem = make_problem(planted, {"epochs": 6}, seed=3)
    outcome = train_gene(problem, job(problem))
    classifier = GrapeClassifier(list(GENE.templates), epochs=6, seed=mixed_seed(0, GENE.key))
    classifier.fit(planted, train_mask=problem.train, val_mask=problem.validation)
    best = classifier.history_.epochs[classifier.history_.best]
    assert outcome.accuracy == best.validation_accuracy
    assert (outcome.epochs, outcome.failure) == (6, None)


def test_it_is_cut_off_when_its_time_is_over_and_not_before(planted):
    endless = make_problem(planted, {"epochs": 10**9, "patience": 10**9}, seed=3)
    outcome = train_gene(endless, job(endless, seconds=0.3))
    assert outcome.cut_off
    assert outcome.epochs > 0
    short = make_problem(planted, {"epochs": 3}, seed=3)
    patient = train_gene(short, job(short, seconds=600.0))
    whole = train_gene(short, job(short))
    assert not patient.cut_off
    assert patient.accuracy == whole.accuracy
    # The last epoch was the end in any case.
    assert not train_gene(
        make_problem(planted, {"epochs": 1}, seed=3), job(short, seconds=0.0)
    ).cut_off


def test_the_split_is_that_of_a_classifier_with_the_seed(planted):
    problem = make_problem(planted, {}, seed=5)
    split = GrapeClassifier("edge", epochs=1, seed=5).fit(planted).split_
    assert np.array_equal(problem.train, split.train)
    assert np.array_equal(problem.validation, split.validation)


def test_test_labels_are_not_there(planted):
    problem = make_problem(planted, {}, seed=0)
    hidden = ~(problem.train | problem.validation)
    assert hidden.sum() >= 10
    assert (problem.graph.y[hidden] == -1).all()
    assert np.array_equal(problem.graph.y[~hidden], planted.y[~hidden])
    scrambled = dataclasses.replace(planted, y=np.where(hidden, 0, planted.y))
    masks = {"train_mask": problem.train, "val_mask": problem.validation}
    again = make_problem(scrambled, {}, 0, **masks)
    assert again.data == make_problem(planted, {}, 0, **masks).data


def test_a_failure_is_an_outcome(planted):
    huge = dataclasses.replace(planted, x=np.full((72, 1), 3e38, np.float32))
    problem = make_problem(huge, {"preset": "paper", "epochs": 3}, seed=0)
    roles = match(problem.graph, list(GENE.templates), weighting="set")
    outcome = train_gene(problem, Job(GENE, roles, seed=0))
    assert outcome.accuracy == 0.0
    assert "training loss" in outcome.failure


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ({"seed": 1}, "'seed', which the search sets itself"),
        (
            {"epoch": 1},
            "'epoch', which GrapeClassifier does not know: it has preset, edge_only",
        ),
        ({"epochs": object()}, "plain numbers and texts"),
    ],
)
def test_models_that_make_no_sense(planted, model, message):
    with pytest.raises(SearchError, match=message):
        make_problem(planted, model, seed=0)


def test_graphs_without_labels(planted):
    with pytest.raises(ModelError, match="no labels to learn from"):
        make_problem(dataclasses.replace(planted, y=None, label_names=None), {}, seed=0)
