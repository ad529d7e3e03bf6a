"""Incremental matching: chains of mutations equal a fresh match, within any memory."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from grape_gnn.errors import (
    BudgetExceededError,
    DirectionMismatchError,
    GrapeWarning,
    MatchError,
)
from grape_gnn.graph import Graph
from grape_gnn.roles import match
from grape_gnn.roles.engine import EngineOutput, MatchSettings
from grape_gnn.roles.enumerate import enumerate_roles
from grape_gnn.roles.incremental import InstanceStore
from grape_gnn.template import Template
from grape_gnn.template.family import all_templates
from grape_gnn.testing import (
    FAMILIES,
    brute_force_instances,
    brute_force_roles,
    complete,
    gnp,
    mutation_chain,
    random_graph,
    star,
)

EDGE, PATH3, TRIANGLE = Template("0-1"), Template("0-1 1-2"), Template("0-1 1-2 0-2")
PATH4 = Template("0-1 1-2 2-3")


def assert_right(output: EngineOutput, graph: Graph, template: Template) -> None:
    for matrix, right in zip(output.matrices, brute_force_roles(graph, template)[1:], strict=True):
        assert np.array_equal(matrix.toarray(), right), template
    egos = [i[0] for i in brute_force_instances(graph, template)]
    assert np.array_equal(output.totals, np.bincount(egos, minlength=graph.num_nodes))


def assert_same(a: EngineOutput, b: EngineOutput) -> None:
    assert np.array_equal(a.totals, b.totals)
    for m, n in zip(a.matrices, b.matrices, strict=True):
        assert (m != n).nnz == 0


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("directed", [False, True])
def test_every_template_from_whatever_is_stored(family, directed):
    graph = random_graph(family, 6 if directed else 7, seed=7, directed=directed)
    sizes = (2, 3) if directed else (2, 3, 4, 5)
    templates = list(itertools.chain.from_iterable(all_templates(s, directed) for s in sizes))
    random.Random(1).shuffle(templates)
    store = InstanceStore(graph)
    for template in templates:
        assert_right(store.roles(template, MatchSettings(threads=2)), graph, template)
    assert store.statistics.derived > len(templates) / 2
    assert store.statistics.fallbacks == 0


def test_directed_templates_of_four_nodes():
    graph = gnp(6, 0.45, seed=3, directed=True)
    store = InstanceStore(graph)
    for size in (2, 3, 4):
        for template in all_templates(size, directed=True)[:: 1 if size < 4 else 5]:
            assert_right(store.roles(template), graph, template)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_chains_of_mutations(seed, directed):
    graph = gnp(40, 0.12, seed=seed, directed=directed)
    store = InstanceStore(graph)
    for template in mutation_chain(7, seed=seed, directed=directed, max_nodes=6):
        shuffled = [0, *np.random.default_rng(seed).permutation(template.num_nodes - 1) + 1]
        renamed = template.relabel([int(k) for k in shuffled])
        fresh = enumerate_roles(graph, renamed, MatchSettings())
        assert_same(store.roles(renamed), fresh)
    assert store.statistics.fresh == 1


def test_labels_along_a_chain():
    graph = gnp(9, 0.5, seed=6, labels=2)
    store = InstanceStore(graph)
    for text in ("0-1 1:1", "0-1 1-2 1:1", "0-1 1-2 0-2 1:1", "0-1 1-2 1:1 2:0", "0-1 1-2 1:0"):
        assert_right(store.roles(Template(text)), graph, Template(text))


def test_set_weighting():
    graph = gnp(8, 0.6, seed=1)
    output = InstanceStore(graph).roles(PATH4, MatchSettings(weighting="set"))
    for matrix, right in zip(
        output.matrices, brute_force_roles(graph, PATH4, "set")[1:], strict=True
    ):
        assert np.array_equal(matrix.toarray(), right)


def test_a_parent_without_instances_and_a_template_larger_than_the_graph():
    graph = star(3)
    store = InstanceStore(graph)
    for template in (TRIANGLE, Template("0-1 1-2 0-2 0-3"), Template("0-1 1-2 2-3 3-4 4-5")):
        output = store.roles(template)
        assert output.totals.tolist() == [0, 0, 0, 0]
        assert all(matrix.nnz == 0 for matrix in output.matrices)
    empty = Graph.from_edges([], [], num_nodes=0)
    assert InstanceStore(empty).roles(TRIANGLE).totals.tolist() == []


def test_same_result_for_any_number_of_threads():
    graph = gnp(80, 0.15, seed=1)
    outputs = []
    for threads in (1, 2, 5):
        store = InstanceStore(graph)
        chain = [EDGE, PATH3, TRIANGLE, PATH4]
        outputs.append([store.roles(t, MatchSettings(threads=threads)) for t in chain])
    for other in outputs[1:]:
        for a, b in zip(outputs[0], other, strict=True):
            assert_same(a, b)


def test_a_second_request_is_a_hit_under_any_numbering():
    graph = gnp(20, 0.3, seed=1)
    store = InstanceStore(graph)
    store.roles(Template("0-1 1-2"))
    assert Template("0-2 2-1") in store
    again = store.roles(Template("0-2 2-1"))
    assert store.statistics.hits == 1
    assert_same(again, enumerate_roles(graph, Template("0-2 2-1"), MatchSettings()))


def test_eviction_of_the_least_recently_used():
    graph = gnp(60, 0.2, seed=3)
    store = InstanceStore(graph, memory=60_000)
    for template in (EDGE, PATH3, TRIANGLE, EDGE, Template("0-1 0-2"), PATH3, TRIANGLE):
        fresh = enumerate_roles(graph, template, MatchSettings())
        assert_same(store.roles(template), fresh)
        assert store.bytes <= store.memory
    assert store.statistics.evictions > 0
    assert "evictions" in repr(store)


def test_fallback_when_a_table_does_not_fit():
    graph = gnp(60, 0.3, seed=3)
    store = InstanceStore(graph, memory=20_000)
    for template in (EDGE, PATH4, Template("0-1 0-2 0-3")):
        assert_same(store.roles(template), enumerate_roles(graph, template, MatchSettings()))
    assert store.statistics.fallbacks == 2
    assert store.bytes <= store.memory
    assert PATH4 not in store


def test_time_budget_gives_an_error_or_the_finished_egos():
    graph = complete(150)
    path = Template("0-1 1-2 2-3 3-4")
    store = InstanceStore(graph, memory="200GB")  # so that only the time runs out
    with pytest.raises(BudgetExceededError, match=r"the time budget of 0\.2 s .* of 150 egos"):
        store.roles(path, MatchSettings(seconds=0.2))
    partial = store.roles(path, MatchSettings(seconds=0.2, partial=True))
    assert partial.complete is not None
    assert not partial.complete.all()
    assert path not in store
    assert partial.totals[~partial.complete].sum() == 0


def test_instance_budget():
    graph = gnp(60, 0.3, seed=3)
    store = InstanceStore(graph)
    store.roles(PATH4)
    for settings in (MatchSettings(instances=5000), MatchSettings(instances=5000, threads=3)):
        for used in (store, InstanceStore(graph)):
            with pytest.raises(BudgetExceededError, match="instances budget of 5,000 instances"):
                used.roles(PATH4, settings)
    partial = store.roles(PATH4, MatchSettings(instances=5000, partial=True))
    assert 0 < partial.totals.sum() <= 5000


def test_what_cannot_be_incremental_is_refused():
    graph = gnp(8, 0.5, seed=1)
    with pytest.raises(MatchError, match="induced matching cannot be incremental"):
        InstanceStore(graph).roles(EDGE, MatchSettings(induced=True))
    with pytest.raises(MatchError, match="belongs to another graph"):
        match(graph, EDGE, store=InstanceStore(gnp(8, 0.5, seed=2)))
    with pytest.raises(MatchError, match=r"sample=3 was asked for, but .* sample=None"):
        match(graph, EDGE, sample=3, store=InstanceStore(graph))
    with pytest.raises(MatchError, match="sample=0 must be at least 1"):
        InstanceStore(graph, sample=0)
    with pytest.raises(MatchError, match="leaves no room"):
        InstanceStore(graph, memory=0)
    with pytest.raises(DirectionMismatchError, match="is directed but the graph is undirected"):
        InstanceStore(graph).roles(Template("0>1"))
    with pytest.warns(GrapeWarning, match="its nodes have no types"):
        assert not InstanceStore(graph).roles(Template("0-1 1:red")).totals.any()


def test_a_table_that_takes_much_longer_than_counting_is_not_made():
    graph = gnp(300, 0.4, seed=0)
    store = InstanceStore(graph)
    store.roles(Template("0-1 0-2 1-2"))
    diamond = Template("0-1 0-2 0-3 1-2 1-3")
    found = store.roles(diamond)
    assert store.statistics.fallbacks == 1
    assert Template("0-1 0-2 1-2") in store
    counted = enumerate_roles(graph, diamond, MatchSettings())
    assert np.array_equal(found.totals, counted.totals)
