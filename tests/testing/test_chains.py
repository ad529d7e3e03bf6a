"""Each template of a chain is the one before plus one edge, and chains cover what they should."""

from __future__ import annotations

import itertools

import pytest

from grape_gnn.testing import mutation_chain, random_template


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_every_step_adds_one_edge_and_keeps_the_numbers(directed):
    for seed in range(50):
        chain = mutation_chain(8, seed, directed, max_nodes=5)
        for parent, child in itertools.pairwise(chain):
            assert set(parent.edges) < set(child.edges)
            assert len(child.edges) == len(parent.edges) + 1
            assert child.num_nodes - parent.num_nodes in (0, 1)
        assert chain[-1].num_nodes <= 5


def test_a_chain_ends_when_nothing_can_be_added():
    chain = mutation_chain(100, seed=0, max_nodes=4)
    assert len(chain[-1].edges) == 6
    assert len(chain) == 6


def test_random_templates_reach_every_size_and_carry_labels():
    drawn = [random_template(seed, max_nodes=6, labels=2) for seed in range(200)]
    assert {t.num_nodes for t in drawn} == {2, 3, 4, 5, 6}
    assert {label for t in drawn for label in t.labels} == {None, 0, 1}
