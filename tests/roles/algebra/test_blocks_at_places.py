"""A block's sums at the places of another matrix: searched for, or read where they are stored."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn import _native
from grape_gnn.roles.algebra import execute_numpy
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.expression import Adjacency, Core, Ones, apply, chain, hadamard
from grape_gnn.testing import gnp

A = Adjacency("out")
DIAMOND = ((0, 2, A), (0, 3, A), (1, 2, A), (1, 3, A), (2, 3, A))
BLOCK = Core(4, DIAMOND, (apply(A, Ones()), Ones(), Ones(), Ones()))  # rows times degrees
LEADS = [A, chain(A, A)]


@pytest.mark.parametrize("lead", LEADS)
@pytest.mark.parametrize("nodes", [12, 90])
def test_both_ways_give_the_same_values(lead, nodes):
    graph = gnp(nodes, 0.5, seed=nodes)
    searched, stored = Evaluator(graph), Evaluator(graph)
    stored.matrix(BLOCK)
    wanted, found = (e.matrix(hadamard(lead, BLOCK)) for e in (searched, stored))
    for kind in ("floats", "integers"):
        assert np.array_equal(wanted.array(kind), found.array(kind))
    assert wanted.values().floats.max() > 0


@pytest.mark.parametrize("lead", LEADS)
def test_a_stored_block_is_not_searched_again(lead, monkeypatch):
    placed = []
    search = _native.masked_pattern

    def counting(mask, links, *rest):
        placed.append(len(links))
        return search(mask, links, *rest)

    evaluator = Evaluator(gnp(20, 0.3, seed=1))
    evaluator.matrix(BLOCK)
    monkeypatch.setattr(execute_numpy._native, "masked_pattern", counting)
    evaluator.matrix(hadamard(lead, BLOCK))
    assert placed == [2]  # the two ends only, none of the nodes between them
