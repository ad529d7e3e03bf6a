"""Instances per ego without enumeration: induced ones by equations, and the budget of a call."""

from __future__ import annotations

import math

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.roles.algebra import CostModel
from grape_gnn.roles.algebra.induced import reaches_induced
from grape_gnn.roles.profiles import totals
from grape_gnn.template.zoo import all_templates
from grape_gnn.testing import gnp, random_graph, random_template
from grape_gnn.testing.brute_force import brute_force_instances


@pytest.fixture
def no_search(monkeypatch):
    """Let every search look too long, and fail if there is one."""

    def refuse(*_):
        raise AssertionError("enumerated")

    monkeypatch.setattr(CostModel, "is_quick", lambda *_: False)
    monkeypatch.setattr(CostModel, "enumeration", lambda *_, **__: math.inf)
    monkeypatch.setattr(totals, "enumerate_totals", refuse)


def check(graph, template):
    egos = [instance[0] for instance in brute_force_instances(graph, template, True)]
    expected = np.bincount(egos, minlength=graph.num_nodes)
    found = grape.count_instances(graph, [template], induced=True)[:, 0]
    np.testing.assert_array_equal(found, expected, err_msg=template.text)


@pytest.mark.parametrize("family", ["sparse", "dense", "hubs", "disconnected"])
def test_induced_counts_of_every_small_template(no_search, family):
    graph = random_graph(family, 8, 1, False)
    for size in range(2, 6):
        for template in all_templates(size, directed=False):
            check(graph, template)


def test_induced_counts_of_directed_templates(no_search):
    graph = random_graph("reciprocal", 7, 2, True)
    for template in all_templates(3, directed=True):
        check(graph, template)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_induced_counts_of_labelled_templates(no_search, seed, directed):
    template = random_template(seed, 4, directed, labels=2, edge_types=2)
    if reaches_induced(template):
        check(random_graph("typed", 7, seed, directed), template)


def test_a_search_stays_where_it_is_the_cheaper_way(monkeypatch):
    found = []
    search = totals.enumerate_totals
    monkeypatch.setattr(totals, "enumerate_totals", lambda *a: found.append(1) or search(*a))
    check(gnp(8, 0.4, seed=1), grape.Template("0-1 1-2 2-3 3-4"))
    check(gnp(8, 0.4, seed=1), grape.Template("0-1 1-2 2-3 3-4 4-5"))  # too many open pairs
    assert len(found) == 2


def test_the_time_is_that_of_all_templates_together(monkeypatch):
    left = []
    search = totals.enumerate_totals
    monkeypatch.setattr(
        totals, "enumerate_totals", lambda *a: left.append(a[2].seconds) or search(*a)
    )
    path = grape.Template("0-1 1-2 2-3 3-4 4-5")
    grape.count_instances(gnp(8, 0.4, seed=1), [path, path], induced=True, time=60)
    assert 60 > left[0] > left[1] > 0
