"""The checker must notice a wrong engine, and shrink what it noticed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grape_gnn.template import Template
from grape_gnn.testing import Case, contract, disagreement, gnp, shrink, star


@pytest.fixture
def wrong_match(monkeypatch):
    """Make the engine forget the last row of every role."""
    right = contract.match

    def match(*args, **options):
        result = right(*args, **options)
        for role in list(result[0])[1:]:
            matrix = role.to_scipy().tolil()
            matrix[-1:, :] = 0
            monkeypatch.setattr(role, "to_scipy", matrix.tocsr)
        return result

    monkeypatch.setattr(contract, "match", match)


CASE = Case(gnp(8, 0.6, seed=3), Template("0-1 1-2 0-2"))


def test_agreement_is_none():
    assert disagreement(CASE) is None


@pytest.mark.usefixtures("wrong_match")
def test_a_wrong_engine_is_noticed():
    problem = disagreement(CASE)
    assert problem is not None
    assert "role 1, ego 7" in problem
    assert "engine='enumerate'" in problem
    assert "Template('0-1 0-2 1-2')" in problem


@pytest.mark.usefixtures("wrong_match")
def test_a_wrong_engine_is_noticed_among_isolated_nodes():
    # The forgotten row is that of an isolated node now: nothing is wrong.
    assert disagreement(replace(CASE, isolated=30)) is None
    last = Case(star(1), Template("0-1"), isolated=0)
    assert "role 1, ego 1, node 0: 0 instead of 1" in str(disagreement(last))


@pytest.mark.usefixtures("wrong_match")
def test_a_failure_is_shrunk_to_one_triangle():
    smallest = shrink(CASE)
    assert smallest.graph.num_nodes == 3
    assert smallest.graph.num_edges == 3
    assert disagreement(smallest) is not None


def test_the_printed_case_can_be_run():
    case = Case(gnp(5, 0.5, seed=1, labels=2), Template("0-1 1:0"), weighting="set")
    lines = str(case).splitlines()
    from grape_gnn.graph import Graph

    scope = {"Graph": Graph, "Template": Template, "match": contract.match}
    exec("\n".join([*lines[:2], "result = " + lines[2]]), scope)
    np.testing.assert_array_equal(scope["graph"].edge_array(), case.graph.edge_array())
    np.testing.assert_array_equal(scope["graph"].y, case.graph.y)
    assert scope["template"] == case.template
    assert len(scope["result"][0]) == 2
