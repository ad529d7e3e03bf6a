"""Matching in a search: every engine the same, every template once, in bounded memory."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn import Graph, match
from grape_gnn.errors import BudgetExceededError
from grape_gnn.search.gene import Gene
from grape_gnn.search.matching import Matcher, OutOfTimeError
from grape_gnn.search.portable import pack, unpack
from grape_gnn.search.settings import ENGINES, SearchSettings
from grape_gnn.testing import gnp, mutation_chain

GENE = Gene.from_texts(["0-1", "0-1 0-2 1-2", "0-1 1-2 2-3"])


def dense(roles):
    return [[role.to_scipy().toarray().tolist() for role in matched] for matched in roles]


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_finds_the_same(engine):
    graph = gnp(25, 0.3, seed=1)
    found = Matcher(graph, "count", SearchSettings(engine=engine)).roles(GENE)
    assert dense(found.roles) == dense(match(graph, list(GENE.templates), engine="enumerate"))


@pytest.mark.parametrize("memory", ["1GB", "40KB", "300B"])
def test_a_chain_of_mutations_in_any_memory(memory):
    """Warm, cold and evicted parents give the same counts."""
    graph = gnp(25, 0.3, seed=2)
    matcher = Matcher(graph, "count", SearchSettings(engine="incremental", memory=memory))
    chain = mutation_chain(6, seed=5, max_nodes=5)
    for template in [*chain, chain[1], chain[-1]]:
        found = matcher.roles(Gene([template])).roles
        assert dense(found) == dense(match(graph, found[0].template, engine="enumerate"))
    if memory == "1GB":
        assert matcher.matched == len({template.canonical for template in chain})
        assert len(matcher._store) > 0
    if memory == "300B":
        assert matcher.matched > len(chain)


def test_a_template_without_instances():
    path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    for engine in ENGINES:
        found = Matcher(path, "count", SearchSettings(engine=engine)).roles(GENE).roles
        assert found[1].totals.tolist() == [0, 0, 0, 0]


def test_millions_of_instances_in_little_memory():
    graph = gnp(150, 0.4, seed=0)
    gene = Gene.from_texts(["0-1 1-2 2-3"])
    matcher = Matcher(graph, "count", SearchSettings(engine="incremental", memory="4MB"))
    found = matcher.roles(gene).roles
    assert found[0].totals.sum() > 20_000_000
    assert np.array_equal(found[0].totals, match(graph, "4-path")[0].totals)
    assert matcher._store.bytes <= 2_000_000


def test_time_of_the_search_and_time_of_a_template():
    graph = gnp(200, 0.5, seed=0)
    slow = Gene.from_texts(["0-1 1-2 2-3 3-4"])
    matcher = Matcher(graph, "count", SearchSettings(engine="esu"))
    with pytest.raises(OutOfTimeError):
        matcher.roles(slow, seconds_left=0.05)
    patient = Matcher(graph, "count", SearchSettings(engine="esu", match_time=0.05))
    with pytest.raises(BudgetExceededError, match="time budget"):
        patient.roles(slow, seconds_left=60.0)


@pytest.mark.parametrize("engine", ["auto", "incremental"])
@pytest.mark.parametrize("weighting", ["count", "set"])
def test_roles_travel(engine, weighting):
    import pickle

    graph = gnp(25, 0.3, seed=3)
    matched = Matcher(graph, weighting, SearchSettings(engine=engine)).roles(GENE).roles
    there = pickle.loads(pickle.dumps((graph, pack(matched))))
    arrived = unpack(there[0], weighting, there[1])
    assert dense(arrived) == dense(matched)
    assert [r.totals.tolist() for r in arrived] == [r.totals.tolist() for r in matched]
