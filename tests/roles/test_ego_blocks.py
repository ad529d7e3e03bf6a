"""Blocks of egos have the rows of `match`, by either engine; the cheaper one is taken."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from math import comb

import networkx as nx
import numpy as np
import pytest

from grape_gnn import match
from grape_gnn.errors import BudgetExceededError, CountOverflowError, DirectionMismatchError
from grape_gnn.graph import Graph
from grape_gnn.roles import ego_blocks
from grape_gnn.roles.ego_blocks import EgoBlocks
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates
from grape_gnn.testing import gnp, hubs, reciprocal, star, typed

BLOCKS = (range(11), range(11, 12), range(12, 30))
KINDS = {
    "hubs": (hubs(30, 2, seed=5), "social,4-path,4-cycle,house"),
    "directed": (reciprocal(30, 0.15, 0.4, seed=5), ["0>1 1>2", "0>1 1>2 2>0", "1>0 1>2"]),
    "typed": (typed(30, 0.2, seed=5), ["0-1 1-2 2:0", "0-1 1-2=1 2-0"]),
}
TREE = Template("0-1 1-2 2-3 3-4 2-4")  # its members are cheaper by the algebra around hubs
HEAVY = Graph.from_edges(*np.array(nx.barabasi_albert_graph(1500, 5, seed=0).edges()).T)


@pytest.mark.parametrize("engine", ["auto", "algebra", "enumerate"])
@pytest.mark.parametrize("weighting", ["count", "set"])
@pytest.mark.parametrize("induced", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_rows_and_totals_are_those_of_match(kind, induced, weighting, engine):
    graph, wanted = KINDS[kind]
    settings = MatchSettings(weighting=weighting, induced=induced)
    blocks = EgoBlocks(graph, settings, engine)
    for template in templates(wanted):
        (whole,) = match(graph, template, weighting=weighting, induced=induced, engine="enumerate")
        columns = [whole.totals, *(role.row_sums() for role in whole[1:])]
        for egos in BLOCKS:
            rows = slice(egos.start, egos.stop)
            found = blocks.roles(template, egos)
            np.testing.assert_array_equal(found.totals[rows], whole.totals[rows])
            for ours, theirs in zip(found[1:], whole[1:], strict=True):
                expected = np.zeros(ours.shape, np.int64)
                expected[rows] = theirs.to_scipy().toarray()[rows]
                np.testing.assert_array_equal(ours.to_scipy().toarray(), expected)
            totals = blocks.totals(template, egos)
            np.testing.assert_array_equal(totals, np.stack(columns, axis=1)[rows])
            assert totals.dtype == np.int64


def forbid_enumeration(monkeypatch):
    def refuse(*_args, **_more):
        raise AssertionError("enumerated")

    monkeypatch.setattr(ego_blocks, "enumerate_roles", refuse)


def test_totals_around_hubs_are_not_enumerated(monkeypatch):
    forbid_enumeration(monkeypatch)
    blocks = EgoBlocks(HEAVY, MatchSettings())
    for template in templates("social,5-path,6-path"):
        (whole,) = match(HEAVY, template, engine="algebra")
        np.testing.assert_array_equal(blocks.totals(template, range(9))[:, 0], whole.totals[:9])


def test_members_by_the_cheaper_engine(monkeypatch):
    forbid_enumeration(monkeypatch)
    blocks = EgoBlocks(HEAVY, MatchSettings())
    end = blocks.roles(TREE, range(7))[2].to_scipy()
    assert end[:7].nnz == end.nnz > 0
    with pytest.raises(AssertionError, match="enumerated"):
        blocks.roles(Template("0-1 1-2"), range(7))


def test_what_is_kept_fits_into_memory():
    expected = EgoBlocks(HEAVY, MatchSettings(), "enumerate")
    tight = MatchSettings(bytes=10_000)
    blocks = EgoBlocks(HEAVY, tight)
    for template in (TREE, Template("0-1 1-2 2-0")):
        np.testing.assert_array_equal(
            blocks.totals(template, range(5)), expected.totals(template, range(5))
        )
        ours, theirs = (b.roles(template, range(5))[1].to_scipy() for b in (blocks, expected))
        assert abs(ours - theirs).nnz == 0
    with pytest.raises(BudgetExceededError, match="the memory budget of 10000 bytes is not enough"):
        EgoBlocks(HEAVY, tight, "algebra").totals(TREE, range(5))


def test_sums_beyond_64_bits():
    leaves = 7
    degree = next(d for d in range(20, 9999) if comb(d, leaves) * leaves >= 2**63)
    assert comb(degree, leaves) < 2**63
    graph = star(degree)
    template = Template(" ".join(f"0-{k}" for k in range(1, leaves + 1)))
    for engine in ("auto", "enumerate"):
        blocks = EgoBlocks(graph, MatchSettings(), engine)
        # The entries fit, and so do all sums but those of the centre.
        assert blocks.roles(template, range(1))[1].to_scipy().max() == comb(degree - 1, leaves - 1)
        assert blocks.totals(template, range(1, 9)).tolist() == [[0, 0]] * 8
        with pytest.raises(CountOverflowError, match="the sum of a role of template"):
            blocks.totals(template, range(2))


def test_threads_share_what_is_kept(monkeypatch):
    blocks = EgoBlocks(HEAVY, MatchSettings(), "algebra")
    prepared, prepare = [], ego_blocks.algebra_roles

    def counted(known, template, settings):
        prepared.append(template)
        return prepare(known, template, settings)

    monkeypatch.setattr(ego_blocks, "algebra_roles", counted)
    egos = [range(k, k + 10) for k in range(0, 80, 10)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda block: blocks.roles(TREE, block)[2].row_sums(), egos))
    assert len(prepared) == 2  # once for the roles, once for the totals
    (whole,) = match(HEAVY, TREE, engine="algebra")
    for sums, block in zip(found, egos, strict=True):
        rows = slice(block.start, block.stop)
        np.testing.assert_array_equal(sums[rows], whole[2].row_sums()[rows])


def test_direction():
    for engine in ("auto", "algebra", "enumerate"):
        blocks = EgoBlocks(gnp(9, 0.5, seed=1), MatchSettings(), engine)
        with pytest.raises(DirectionMismatchError):
            blocks.roles(Template("0>1"), range(3))
        with pytest.raises(DirectionMismatchError):
            blocks.totals(Template("0>1"), range(3))
