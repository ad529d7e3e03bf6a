"""ESU against brute force, its budgets, and what it says when they run out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from grape_gnn.errors import BudgetExceededError
from grape_gnn.roles.engine import EngineOutput, MatchSettings
from grape_gnn.roles.esu import esu_roles
from grape_gnn.template import Template
from grape_gnn.template.family import all_templates
from grape_gnn.testing import (
    FAMILIES,
    brute_force_instances,
    brute_force_roles,
    complete,
    gnp,
    random_graph,
)

PATH = Template("0-1 1-2 2-3")
COUNTS = MatchSettings()


def assert_right(output: EngineOutput, graph, template, settings=COUNTS) -> None:
    expected = brute_force_roles(graph, template, settings.weighting, settings.induced)[1:]
    for matrix, right in zip(output.matrices, expected, strict=True):
        assert np.array_equal(matrix.toarray(), right), template
    egos = [i[0] for i in brute_force_instances(graph, template, settings.induced)]
    assert np.array_equal(output.totals, np.bincount(egos, minlength=graph.num_nodes))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("directed", [False, True])
def test_equals_brute_force(family, directed):
    graph = random_graph(family, 6 if directed else 7, seed=5, directed=directed)
    sizes = (2, 3) if directed else (2, 3, 4, 5)
    for template in itertools.chain.from_iterable(all_templates(s, directed) for s in sizes):
        for settings in (MatchSettings(), MatchSettings(weighting="set", induced=True, threads=2)):
            output = esu_roles(graph, template, settings)
            assert_right(output, graph, template, settings)
            assert output.complete is None
            assert not output.sampled


def test_directed_templates_of_four_nodes():
    graph = gnp(6, 0.45, seed=3, directed=True)
    for template in all_templates(4, directed=True)[::5]:
        assert_right(esu_roles(graph, template, MatchSettings()), graph, template)


def test_six_nodes_leave_the_short_list_of_kinds():
    graph = gnp(7, 0.5, seed=8)
    house_with_tail = Template("0-1 1-2 2-3 3-4 4-0 1-4 0-5")
    assert_right(esu_roles(graph, house_with_tail, MatchSettings()), graph, house_with_tail)


def test_labels():
    graph = gnp(8, 0.6, seed=9, labels=2)
    for text in ("0-1 0:1", "0-1 1-2 0-2 1:0", "0-1 0-2 0-3 1:0 2:1"):
        template = Template(text)
        assert_right(esu_roles(graph, template, MatchSettings()), graph, template)


def test_same_result_for_any_number_of_threads():
    graph = gnp(60, 0.2, seed=1)
    one = esu_roles(graph, PATH, MatchSettings(threads=1))
    for threads in (2, 3, 8):
        many = esu_roles(graph, PATH, MatchSettings(threads=threads))
        assert np.array_equal(one.totals, many.totals)
        for a, b in zip(one.matrices, many.matrices, strict=True):
            assert (a != b).nnz == 0


def test_little_memory_changes_nothing():
    graph = gnp(150, 0.02, seed=1)
    roomy = esu_roles(graph, PATH, MatchSettings())
    tight = esu_roles(graph, PATH, MatchSettings(bytes=2_000_000))  # dense counters need 1.08 MB
    for a, b in zip(roomy.matrices, tight.matrices, strict=True):
        assert (a != b).nnz == 0


@pytest.mark.parametrize(
    ("kind", "budget"),
    [
        ("time", {"seconds": 0.05}),
        ("memory", {"bytes": 1000}),
        ("instances", {"instances": 1000}),
    ],
)
def test_budgets(kind, budget):
    graph = complete(300)
    with pytest.raises(BudgetExceededError, match=f"the {kind} budget of .* is not") as caught:
        esu_roles(graph, PATH, MatchSettings(**budget))
    assert caught.value.kind == kind
    assert "of 300 starting nodes" in str(caught.value)
    assert "on_budget='partial'" in str(caught.value)
    partial = esu_roles(graph, PATH, MatchSettings(partial=True, **budget))
    assert partial.complete is not None
    assert not partial.complete.any()
    assert not partial.totals.any()
    assert [matrix.nnz for matrix in partial.matrices] == [0] * (PATH.num_roles - 1)


def test_progress_is_reported():
    seen: list[tuple[int, int]] = []
    graph = complete(90)
    esu_roles(graph, PATH, MatchSettings(progress=lambda done, total: seen.append((done, total))))
    assert seen
    assert all(0 <= done <= total == 90 for done, total in seen)
