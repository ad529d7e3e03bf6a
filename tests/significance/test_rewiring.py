"""Rewired graphs: simple, with the degrees of the graph, and every such graph equally often."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.stats import chi2

from grape_gnn import Graph, rewire
from grape_gnn.errors import GraphError, MatchError
from grape_gnn.significance.rewiring import rewired
from grape_gnn.testing import complete, gnp


def kept(edges, n: int, directed: bool, labels) -> tuple:
    """Return what rewiring has to keep: for every node and label, neighbours on either side."""
    labels = [0] * n if labels is None else labels
    numbers: Counter[tuple[int, int, int]] = Counter()
    for u, v in edges:
        numbers[u, 0, labels[v]] += 1
        numbers[v, 1 if directed else 0, labels[u]] += 1
    return tuple(sorted(numbers.items()))


def all_graphs(edges, n: int, directed: bool, labels) -> list[tuple]:
    """Return all simple graphs with the same degrees, by trying every set of as many edges."""
    pairs = permutations(range(n), 2) if directed else combinations(range(n), 2)
    wanted = kept(edges, n, directed, labels)
    return [
        chosen
        for chosen in combinations(pairs, len(edges))
        if kept(chosen, n, directed, labels) == wanted
    ]


def drawn(edges, n: int, directed: bool, labels, samples: int, swaps: int) -> Counter:
    graph = Graph.from_edges(*zip(*edges, strict=True), num_nodes=n, directed=directed, y=labels)
    null = "degrees" if labels is None else "labels"
    return Counter(
        tuple(map(tuple, rewired(graph, seed, null, swaps)[0].edge_array().tolist()))
        for seed in range(samples)
    )


def chance(found: Counter, graphs: list[tuple], samples: int) -> float:
    """Return the p-value of a chi-square test that all graphs are equally likely."""
    assert set(found) <= set(graphs)
    expected = samples / len(graphs)
    statistic = sum((found[graph] - expected) ** 2 / expected for graph in graphs)
    return float(chi2.sf(statistic, len(graphs) - 1))


CASES = {
    "path and edge": ([(0, 1), (1, 2), (3, 4)], 5, False, None),
    "triangle with tails": ([(0, 1), (0, 2), (1, 2), (0, 3), (1, 4)], 5, False, None),
    "two triangles": ([(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)], 6, False, None),
    "hub": ([(0, 1), (0, 2), (0, 3), (1, 2), (3, 4)], 5, False, None),
    "directed triangle": ([(0, 1), (1, 2), (2, 0)], 3, True, None),
    "two directed cycles": ([(0, 1), (1, 0), (2, 3), (3, 2), (0, 2)], 4, True, None),
    "directed, triangles matter": ([(0, 1), (1, 2), (2, 0), (0, 3), (3, 1)], 4, True, None),
    "labels": ([(0, 1), (2, 3), (0, 4), (1, 5), (2, 6)], 7, False, [0, 0, 0, 0, 1, 1, 1]),
    "directed, labels": ([(0, 1), (1, 2), (2, 0), (0, 3), (1, 4)], 5, True, [0, 0, 0, 1, 1]),
    "missing labels": ([(0, 1), (2, 3), (4, 3)], 5, False, [0, -1, 0, -1, 0]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_every_graph_with_these_degrees_is_equally_likely(case: str) -> None:
    graphs = all_graphs(*CASES[case])
    samples = 25 * len(graphs) + 500
    assert len(graphs) > 1
    found = drawn(*CASES[case], samples=samples, swaps=30)
    assert chance(found, graphs, samples) > 1e-4


def test_the_test_sees_a_chain_that_has_not_mixed() -> None:
    graphs = all_graphs(*CASES["two triangles"])
    assert chance(drawn(*CASES["two triangles"], samples=2000, swaps=1), graphs, 2000) < 1e-6


@pytest.mark.parametrize("directed", [False, True])
def test_degrees_names_and_labels_stay(directed: bool) -> None:
    for seed in range(30):
        graph = gnp(25, 0.2, seed=seed, directed=directed)
        other = rewire(graph, seed=seed)
        assert other.directed == directed
        assert (other.degrees == graph.degrees).all()
        assert (np.diff(other.in_indptr) == np.diff(graph.in_indptr)).all()
    named = Graph.from_edges([0, 2], [1, 3], names="abcd", y=[0, 1, 1, 0])
    other = rewire(named)
    assert other.name_of(2) == "c"
    assert other.y is named.y


def test_the_seed_decides() -> None:
    graph = gnp(40, 0.2, seed=0)
    same, again, other = (rewire(graph, seed=seed).indices for seed in (3, 3, 4))
    assert (same == again).all()
    assert not (same == other).all()


def test_what_cannot_be_rewired_stays() -> None:
    for graph in (complete(5), Graph.from_edges([], [], num_nodes=3), Graph.from_edges([0], [1])):
        other, mixing = rewired(graph, 0, "degrees", 30)
        assert (other.indices == graph.indices).all()
        assert mixing.accepted == 0


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"null": "edges"}, MatchError, "null='edges' is unknown: use 'degrees' or 'labels'"),
        ({"swaps": 0}, MatchError, "swaps=0 must be at least 1"),
        ({"seed": -1}, MatchError, "seed=-1 must be at least 0"),
        ({"null": "labels"}, GraphError, "has no classes: give labels, or use null='degrees'"),
    ],
)
def test_bad_input_is_one_line(options, error, message) -> None:
    with pytest.raises(error, match=message):
        rewire(complete(4), **options)


LONG = """
from grape_gnn import rewire
from grape_gnn.testing import gnp
graph = gnp(300, 0.2, seed=0)
rewire(graph)
print("ready", flush=True)
try:
    rewire(graph, swaps=1_000_000)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_ctrl_c_is_obeyed_at_once() -> None:
    child = subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.4)
        start = time.monotonic()
        os.kill(child.pid, signal.SIGINT)
        assert child.stdout.readline() == "interrupted\n"
        # The promise is 0.2 s; a busy machine must not fail the test.
        assert time.monotonic() - start < 1.0
        assert child.wait(timeout=20) == 0
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
