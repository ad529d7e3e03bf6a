"""Induced roles as operators: every way to look at one says what enumeration says."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.errors import BudgetExceededError
from grape_gnn.graph import Graph
from grape_gnn.roles import match
from grape_gnn.roles.algebra import CostModel, choose_engine
from grape_gnn.roles.algebra.induced import open_pairs, reaches_induced, template_quotients
from grape_gnn.roles.elsewhere import roles_on
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.template import Template
from grape_gnn.template.zoo import all_templates
from grape_gnn.testing import gnp

SIZES = [t for size in (3, 4, 5) for t in all_templates(size, directed=False)]


def both(graph: Graph, template: Template, **options):
    return [
        match(graph, [template], induced=True, engine=engine, **options)[0]
        for engine in ("algebra", "enumerate")
    ]


@pytest.mark.parametrize("template", SIZES, ids=lambda t: t.text.replace(" ", ","))
def test_products_sums_and_members(template):
    graph = gnp(24, 0.35, seed=3)
    features = np.random.default_rng(0).integers(-9, 9, (graph.num_nodes, 3))
    pairs = np.array(list(itertools.product(range(0, 24, 3), range(24))))
    for ours, right in zip(*both(graph, template), strict=True):
        np.testing.assert_array_equal(ours @ features, right @ features)
        np.testing.assert_array_equal(ours.T @ features, right.T @ features)
        np.testing.assert_array_equal(ours.row_sums(), right.row_sums())
        np.testing.assert_array_equal(ours.at(pairs), right.at(pairs))
        assert ours.members(5) == right.members(5)
        single = ours @ features.astype(np.float32)
        np.testing.assert_allclose(single, right @ features.astype(float), rtol=1e-4, atol=1e-3)


def test_the_roles_are_induced_on_another_graph_too():
    small, large = gnp(10, 0.5, seed=1), gnp(20, 0.4, seed=2)
    roles = match(small, "4-path", induced=True, engine="algebra")[0]
    right = match(large, "4-path", induced=True, engine="enumerate")[0]
    for ours, matrix in zip(roles_on(large, roles[1:]), right[1:], strict=True):
        np.testing.assert_array_equal(ours.to_scipy().toarray(), matrix.to_scipy().toarray())


def test_auto_takes_the_cheaper_way():
    graph = gnp(600, 0.15, seed=0)
    model, asked = CostModel(graph, induced=True), MatchSettings(induced=True)
    choices = {
        name: choose_engine(model, grape.template(name), asked)
        for name in ("3-path", "4-star", "tailed-triangle", "diamond", "4-cycle")
    }
    assert choices.pop("4-cycle") == "enumerate"  # opposite corners are searched either way
    assert set(choices.values()) == {"algebra"}
    small = CostModel(gnp(20, 0.3, seed=0), induced=True)
    assert choose_engine(small, grape.template("3-path"), asked) == "enumerate"
    assert choose_engine(model, Template("0-1 1-2 2-3 3-4 4-5"), asked) == "enumerate"


def test_sets_where_all_roles_lie_on_the_edges():
    graph = gnp(30, 0.3, seed=1)
    for ours, right in zip(*both(graph, grape.template("4-star"), weighting="set"), strict=True):
        np.testing.assert_array_equal(ours.to_scipy().toarray(), right.to_scipy().toarray())


def test_a_template_without_open_pairs_is_the_same_induced():
    clique = grape.template("4-clique")
    assert open_pairs(clique) == []
    induced, plain = (template_quotients(clique, 1, induced=kind) for kind in (True, False))
    assert induced == plain


def test_how_far_it_reaches():
    assert all(map(reaches_induced, SIZES))
    assert all(map(reaches_induced, all_templates(3, directed=True)))
    assert not reaches_induced(Template("0>1 1>2 2>3"))
    assert not reaches_induced(Template("0-1 1-2 2-3 3-4 4-5"))


def test_budgets_hold():
    graph = gnp(1500, 0.2, seed=0)
    with pytest.raises(BudgetExceededError, match="time"):
        match(graph, "4-path", induced=True, engine="algebra", time=0.3, threads=1)
    with pytest.raises(BudgetExceededError, match="memory"):
        match(graph, "4-path", induced=True, engine="algebra", memory="1MB", threads=1)
