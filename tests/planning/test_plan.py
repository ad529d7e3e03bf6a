"""Estimates before a job is run; `benchmarks/plan.py` compares times and memory."""

from __future__ import annotations

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.errors import GrapeError
from grape_gnn.planning import machine as machines
from grape_gnn.roles.engine import make_settings
from grape_gnn.roles.estimate import MatchEstimator
from grape_gnn.roles.two_steps import HUBS, pairs_two_steps_apart
from grape_gnn.testing import gnp


@pytest.fixture(scope="module")
def graph():
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 400, (2, 2000))
    ends = ends[:, ends[0] < ends[1]]
    return grape.Graph.from_edges(*np.unique(ends, axis=1), num_nodes=400)


@pytest.mark.parametrize("templates", ["edge", "social", "4-cycle", "house", "0-1 0-2 1-3 1-4 2-3"])
def test_cheap_instances_are_exact(graph, templates):
    rows = grape.plan(graph, templates).matching
    matched = grape.match(graph, templates)
    for row, roles in zip(rows, matched, strict=True):
        if row.exact:
            assert row.instances == roles.totals.sum()
        else:
            assert row.instances == pytest.approx(roles.totals.sum(), rel=0.5)


def test_all_egos_are_looked_at_where_that_is_quick(graph):
    # Then the sample is the whole but for the hubs, which stand for each other.
    settings = make_settings(weighting="set", threads=1)
    row = MatchEstimator(graph, settings).estimate(grape.template("3-path"))
    entries = sum(role.nnz for role in grape.match(graph, "3-path", weighting="set")[0][1:])
    assert graph.num_nodes > HUBS
    assert row.engine == "enumerate"
    assert row.written == pytest.approx(entries, rel=0.1)


def test_what_templates_share_is_counted_once(graph):
    alone = grape.plan(graph, "diamond")
    both = grape.plan(graph, "triangle,diamond")
    assert both.memory < alone.memory + grape.plan(graph, "triangle").memory


def test_more_features_and_layers_take_more(graph):
    small = grape.plan(graph, "edge", features=1).training[0]
    large = grape.plan(graph, "edge", features=100, hidden=64, layers=4).training[0]
    assert large.memory > small.memory
    assert large.epoch > small.epoch


def test_nothing_fits_into_nothing(graph):
    found = grape.plan(graph, "edge", memory=1)
    assert found.best is None
    assert not found.to_json()["training"][0]["fits"]


@pytest.mark.parametrize(
    ("limit", "used", "files"),
    [
        ("memory.max", "memory.current", "inactive_file"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "total_inactive_file"),
    ],
)
def test_a_container_counts(limit, used, files, tmp_path, monkeypatch):
    (tmp_path / "memory").mkdir()
    (tmp_path / limit).write_text("1000000\n")
    (tmp_path / used).write_text("600000\n")
    (tmp_path / limit).with_name("memory.stat").write_text(f"anon 1\n{files} 100000\n")
    monkeypatch.setattr(machines, "_CGROUP", tmp_path)
    assert machines.this_machine().memory == 500_000


@pytest.mark.parametrize("edges", [([], []), ([0], [1])])
def test_graphs_with_next_to_nothing_in_them(edges):
    found = grape.plan(grape.Graph.from_edges(*edges, num_nodes=2), "social,4-cycle,5-path")
    assert all(row.seconds < 1 for row in found.matching)


def test_bad_sizes_are_named(graph):
    with pytest.raises(GrapeError, match="'much'"):
        grape.plan(graph, "edge", memory="much")


def test_what_does_not_fit_whole_is_trained_in_parts():
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 20_000, (2, 40_000))
    large = grape.Graph.from_edges(*ends[:, ends[0] < ends[1]], num_nodes=20_000)
    whole, batches, _ = grape.plan(large, "social", features=64).training
    assert batches.memory < whole.memory
    small = grape.plan(large, "social", features=64, memory=int(batches.memory) + 1)
    assert small.best == batches
    assert small.best.options[0] == "--batch-size"


def test_words_that_are_mostly_zero_are_no_dense_matrix():
    from scipy.sparse import random_array

    words = random_array((200, 40_000), density=0.001, rng=np.random.default_rng(0))
    graph = grape.Graph.from_edges(range(199), range(1, 200), x=words)
    dense = grape.plan(graph, "edge", features=40_000).training[0].memory
    assert grape.plan(graph, "edge").training[0].memory < dense / 3


def ring(nodes: int, near: int) -> grape.Graph:
    """Join every node of a ring with the next few."""
    begin = np.repeat(np.arange(nodes), near)
    end = (begin + np.tile(np.arange(1, near + 1), nodes)) % nodes
    return grape.Graph.from_edges(begin, end, nodes)


@pytest.mark.parametrize("graph", [ring(3000, 6), gnp(400, 0.05, seed=1)], ids=["ring", "random"])
def test_pairs_two_steps_apart_are_looked_at(graph):
    edges = grape.match(graph, "edge")[0][1].to_scipy()
    assert pairs_two_steps_apart(graph) == pytest.approx((edges @ edges).nnz, rel=0.05)


def test_a_lattice_stores_fewer_pairs_than_its_degrees_say():
    lattice = ring(20_000, 6)
    estimator = MatchEstimator(lattice, make_settings(threads=1))
    assert estimator.figures.two_hops == 25 * 20_000
    assert estimator.model.figures.two_hops > 140 * 20_000  # if walks ended anywhere
    assert grape.plan(lattice, "4-cycle").memory < 35e6


def test_the_kernel_for_cliques_takes_memory_where_there_is_no_clique():
    begin, end = np.random.default_rng(0).integers(0, 20_000, (2, 100_000))
    apart = begin < end
    graph = grape.Graph.from_edges(
        *np.unique(np.stack([begin, end])[:, apart], axis=1), num_nodes=20_000
    )
    (found,) = grape.plan(graph, "4-clique").matching
    assert found.engine == "enumerate"
    assert found.bytes >= 30 * graph.indices.size


def test_turning_arcs_round_is_counted_once():
    begin, end = np.random.default_rng(0).integers(0, 5_000, (2, 20_000))
    kept = begin != end
    graph = grape.Graph.from_edges(*np.unique(np.stack([begin, end])[:, kept], axis=1), 5_000,
                                   directed=True)  # fmt: skip
    one, two = (grape.plan(graph, templates).memory for templates in ("0>1", "0>1 1>2"))
    both = grape.plan(graph, ["0>1 1>2", "1>0 1>2"]).matching
    assert two >= one + 12 * graph.indices.size
    assert both[1].bytes < both[0].bytes - 12 * graph.indices.size
