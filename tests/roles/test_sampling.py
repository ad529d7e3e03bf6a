"""Sampled incremental matching: right on average, reproducible, bounded."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn.errors import BudgetExceededError
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.roles.enumerate import enumerate_roles
from grape_gnn.roles.incremental import InstanceStore
from grape_gnn.template import Template
from grape_gnn.testing import complete, gnp, hubs

TAILED = Template("0-1 0-2 1-2 0-3")


def assert_mean(values: np.ndarray, exact: np.ndarray) -> None:
    """Check means over seeds within five standard errors; never off where nothing varies."""
    error = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    assert np.all(np.abs(values.mean(axis=0) - exact) <= 5 * error + 1e-9)


@pytest.mark.parametrize(
    ("text", "sample"),
    [
        ("0-1", 2),
        ("0-1 1-2", 3),  # one mutation
        ("0-1 1-2 0-2", 4),
        ("0-1 0-2 1-2 0-3", 5),  # two mutations, each sampled
        ("0-1 1-2 2-3", 4),
        ("0-1 1-2 2-3 0-3", 12),
    ],
)
def test_unbiased(text, sample):
    graph, template = gnp(12, 0.45, seed=2), Template(text)
    exact = enumerate_roles(graph, template, MatchSettings())
    outputs = [InstanceStore(graph, sample=sample, seed=s).roles(template) for s in range(600)]
    assert all(output.sampled for output in outputs)
    totals = np.array([output.totals for output in outputs])
    assert_mean(totals, exact.totals)
    # Something must have been left out, or there is nothing to test.
    assert totals.std(axis=0).max() > 0 or text == "0-1"
    for j, matrix in enumerate(exact.matrices):
        counts = np.array([output.matrices[j].toarray() for output in outputs])
        assert counts.dtype == np.float64
        assert_mean(counts, matrix.toarray())


def test_directed_unbiased():
    graph, template = gnp(12, 0.3, seed=2, directed=True), Template("0>1 1>2 0>2")
    exact = enumerate_roles(graph, template, MatchSettings())
    runs = [InstanceStore(graph, sample=4, seed=s).roles(template).totals for s in range(600)]
    assert_mean(np.array(runs), exact.totals)


def test_a_generous_sample_is_exact():
    graph = gnp(15, 0.4, seed=1)
    output = InstanceStore(graph, sample=10**6).roles(TAILED)
    exact = enumerate_roles(graph, TAILED, MatchSettings())
    assert output.sampled
    assert np.array_equal(output.totals, exact.totals)
    for a, b in zip(output.matrices, exact.matrices, strict=True):
        assert np.array_equal(a.toarray(), b.toarray())


def test_depends_on_seed_template_and_ego_only():
    graph = hubs(60, 4, seed=1)

    def totals_and_members(store: InstanceStore, threads: int) -> list[np.ndarray]:
        output = store.roles(TAILED, MatchSettings(threads=threads))
        return [output.totals, *(m.toarray() for m in output.matrices)]

    first = totals_and_members(InstanceStore(graph, sample=20, seed=5), 1)
    threads = totals_and_members(InstanceStore(graph, sample=20, seed=5), 3)
    busy = InstanceStore(graph, sample=20, seed=5)
    for text in ("0-1 1-2 2-3", "0-1 0-2 0-3", "0-1 0-2 1-2", "0-1 1-2 2-3 3-0"):
        busy.roles(Template(text))
    after_others = totals_and_members(busy, 1)
    forgetful = InstanceStore(graph, memory=30_000, sample=20, seed=5)
    evicted = totals_and_members(forgetful, 1)
    for same in (threads, after_others, evicted):
        assert all(np.array_equal(a, b) for a, b in zip(first, same, strict=True))
    other = totals_and_members(InstanceStore(graph, sample=20, seed=6), 1)
    assert not all(np.array_equal(a, b) for a, b in zip(first, other, strict=True))


def test_renumbered_template_gives_the_same_sample():
    graph = gnp(30, 0.4, seed=1)
    store = InstanceStore(graph, sample=10)
    a = store.roles(TAILED)
    b = store.roles(TAILED.relabel([0, 3, 2, 1]))
    assert store.statistics.hits == 1
    assert np.array_equal(a.matrices[0].toarray(), b.matrices[1].toarray())


def test_the_table_stays_bounded():
    graph = complete(80)
    store = InstanceStore(graph, sample=50)
    output = store.roles(Template("0-1 1-2 2-3 3-4"))
    assert store.bytes < 80 * 50 * 4 * 16
    assert output.totals.mean() == pytest.approx(79 * 78 * 77 * 76, rel=0.05)


def test_set_weighting_finds_a_subset():
    graph = gnp(40, 0.4, seed=1)
    settings = MatchSettings(weighting="set")
    sampled = InstanceStore(graph, sample=10).roles(TAILED, settings)
    exact = enumerate_roles(graph, TAILED, settings)
    for part, whole in zip(sampled.matrices, exact.matrices, strict=True):
        assert set(part.data) == {1.0}
        assert np.all(part.toarray() <= whole.toarray())


def test_a_sample_that_does_not_fit_is_an_error():
    store = InstanceStore(complete(60), memory=20_000, sample=1000)
    with pytest.raises(BudgetExceededError, match=r"a sample of 1000 .* lower sample=\.\.\.") as e:
        store.roles(TAILED)
    assert e.value.kind == "memory"


def test_time_budget_of_a_chain():
    store = InstanceStore(complete(400), memory="2GB", sample=10_000)
    deep = Template("0-1 1-2 2-3 3-4 4-5")
    with pytest.raises(BudgetExceededError, match="time budget"):
        store.roles(deep, MatchSettings(seconds=0.05))
    partial = store.roles(deep, MatchSettings(seconds=0.0, partial=True))
    assert partial.sampled
    assert partial.complete is not None
    assert not partial.complete.any()
    assert [m.nnz for m in partial.matrices] == [0] * 5
