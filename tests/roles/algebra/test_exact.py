"""Counts beyond what enumeration or doubles could reach, against closed forms."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from grape_gnn.errors import CountOverflowError
from grape_gnn.graph import Graph
from grape_gnn.roles.algebra.exact import EXACT, Numbers, combined, counted, multiplied
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.operator import AlgebraicRole
from grape_gnn.template import Template
from grape_gnn.testing import complete, star


def complete_bipartite(left: int, right: int) -> Graph:
    src = np.repeat(np.arange(left), right)
    dst = left + np.tile(np.arange(right), left)
    return Graph.from_edges(src, dst)


def operator(graph: Graph, template: str, role: int) -> AlgebraicRole:
    return AlgebraicRole(Evaluator(graph), Template(template), role)


def test_more_than_a_trillion_instances_of_a_star():
    leaves = 20_000
    role = operator(star(leaves), "0-1 0-2 0-3 0-4", 1)
    totals = role.totals()
    assert totals[0] == comb(leaves, 4) > 6 * 10**15  # exact also where doubles are not: 2^53
    assert totals[1:].max() == 0
    # Every leaf is in the stars made with three of the others.
    first = star(leaves).name_of(1)
    assert role.members(0)[first] == comb(leaves - 1, 3)


def test_more_than_a_trillion_paths_in_a_complete_bipartite_graph():
    n = 300
    graph = complete_bipartite(n, n)
    role = operator(graph, "0-1 1-2 2-3 3-4 4-5", 5)
    paths = n * (n - 1) * (n - 1) * (n - 2) * (n - 2)
    assert paths > 10**12
    assert role.totals().tolist() == [paths] * (2 * n)
    # The end of a 6-path lies on the other side, each node equally often.
    assert role.members(0) == dict.fromkeys(range(n, 2 * n), paths // n)


def test_cliques_in_a_complete_graph():
    n = 40
    role = operator(complete(n), "0-1 0-2 0-3 0-4 1-2 1-3 1-4 2-3 2-4 3-4", 1)
    assert role.totals().tolist() == [comb(n - 1, 4)] * n
    assert role.to_scipy()[0, 1] == comb(n - 2, 3)


def test_counts_that_do_not_fit_are_refused_but_still_multiply():
    leaves = 100_000
    role = operator(star(leaves), "0-1 0-2 0-3 0-4 0-5", 1)
    with pytest.raises(CountOverflowError, match=r"role 1 of template .*float64 features"):
        role.row_sums()
    with pytest.raises(CountOverflowError, match="does not fit into 64 bits"):
        role.to_scipy()
    product = role @ np.ones(leaves + 1)
    assert product[0] == pytest.approx(5 * comb(leaves, 5), rel=1e-9)


def test_sums_are_repeated_in_integers_only_where_doubles_round():
    def unused():
        raise AssertionError("small counts need no integers")

    assert counted(lambda: np.array([EXACT - 1]), unused).integers is None
    large = counted(lambda: np.array([EXACT]), lambda: np.array([2**53 + 1]))
    assert large.as_integers()[0] == 2**53 + 1


def test_products_and_sums_beyond_two_to_the_53():
    odd = Numbers(np.array([2.0**27 + 1]))
    square = multiplied([odd, odd])
    assert square.as_integers()[0] == (2**27 + 1) ** 2
    rest = combined([(1, square), (-1, Numbers(np.array([2.0**54])))])
    assert rest.as_integers()[0] == 2**28 + 1
    assert rest.floats[0] == 2**28 + 1


def test_intermediate_sums_may_wrap_if_the_result_fits():
    huge = multiplied([Numbers(np.array([2.0**40]))] * 2)  # 2^80, which is 0 modulo 2^64
    assert huge.as_integers()[0] == 0
    assert huge.floats[0] == 2.0**80
