"""Mutation and crossover: every child is one step from its parent, and all steps occur."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from grape_gnn import Template
from grape_gnn.search.gene import Gene
from grape_gnn.search.mutation import Rates, add_edge, add_node, exchange, mutate
from grape_gnn.testing import random_template


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_children_are_one_step_away(seed, directed):
    rng = np.random.default_rng(seed)
    parent = random_template(seed, max_nodes=4, directed=directed)
    children = {child.canonical for child in parent.children()}
    grown = [add_node(parent, rng), add_edge(parent, rng)]
    assert all(child.canonical in children or child == parent for child in grown)
    assert grown[0].num_nodes == parent.num_nodes + 1
    assert set(parent.edges) <= set(grown[1].edges)


@pytest.mark.parametrize("directed", [False, True])
def test_every_child_can_come_up(directed):
    rng = np.random.default_rng(0)
    parent = Template("0>1 1>2" if directed else "0-1 1-2")
    wanted = {child.canonical for child in parent.children()}
    drawn = {add_node(parent, rng).canonical for _ in range(300)}
    drawn |= {add_edge(parent, rng).canonical for _ in range(300)}
    assert drawn == wanted


def test_nothing_grows_beyond_its_bound_or_its_room():
    rng = np.random.default_rng(0)
    clique = Template("0-1 0-2 1-2")
    assert add_edge(clique, rng) == clique
    assert mutate(clique, Rates(node=1.0, edge=0.0, max_nodes=3), rng) == (clique, None)
    path = Template("0-1 1-2")
    assert mutate(path, Rates(node=1.0, edge=0.0, max_nodes=3), rng) == (clique, "edge")
    assert mutate(clique, Rates(node=0.0, edge=1.0, max_nodes=4), rng)[1] == "node"


def test_a_double_arc_can_be_completed():
    rng = np.random.default_rng(0)
    assert add_edge(Template("0>1"), rng) == Template("0<>1")


def test_changes_come_as_often_as_asked_for():
    rng = np.random.default_rng(0)
    path = Template("0-1 1-2 2-3")
    rates = Rates(node=0.2, edge=0.3)
    drawn = Counter(mutate(path, rates, rng)[1] for _ in range(4000))
    shares = {change: count / 4000 for change, count in drawn.items()}
    assert shares == pytest.approx({"node": 0.2, "edge": 0.3, None: 0.5}, abs=0.03)


def test_crossover_keeps_all_templates_and_moves_some():
    rng = np.random.default_rng(0)
    first = Gene.from_texts(["0-1", "0-1 1-2", "0-1 0-2"])
    second = Gene.from_texts(["0-1 0-2 1-2", "0-1 1-2 2-3", "0-1 0-2 0-3"])
    for _ in range(20):
        children = exchange(first, second, rng)
        assert sorted([*children[0].texts, *children[1].texts]) == sorted(
            [*first.texts, *second.texts]
        )
        assert children[0] not in (first, second)
        assert [len(child) for child in children] == [3, 3]


def test_genes_of_one_template_have_nothing_to_exchange():
    first, second = Gene.from_texts(["0-1"]), Gene.from_texts(["0-1 1-2"])
    assert exchange(first, second, np.random.default_rng(0)) == (first, second)
