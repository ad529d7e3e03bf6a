"""Graphs too large for brute force, by sums over dense tensors and by closed forms.

Small graphs never fill a machine word of a bit set or a chunk of egos; these do. The sum
over all maps with ``f(0) = v`` and ``f(a) = u`` is a product of tensors: a factor ``A`` for
each template edge, a factor "distinct" for each other pair.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from grape_gnn.graph import Graph
from grape_gnn.roles import ENGINES, match
from grape_gnn.template import Template
from grape_gnn.template.zoo import all_templates
from grape_gnn.testing import gnp, hubs, reciprocal

UNDIRECTED = [t for size in (2, 3, 4) for t in all_templates(size, directed=False)]
DIRECTED = [t for size in (2, 3) for t in all_templates(size, directed=True)]
GRAPHS = {
    "dense": gnp(70, 0.5, seed=1),
    "hubs": hubs(75, 4, seed=2),
    "directed": reciprocal(70, 0.3, 0.4, seed=3),
}
CASES = [(name, t) for name in ("dense", "hubs") for t in UNDIRECTED]
CASES += [("directed", t) for t in DIRECTED]
cases = pytest.mark.parametrize(("name", "template"), CASES, ids=str)


def adjacency(graph: Graph) -> np.ndarray:
    matrix = np.zeros((graph.num_nodes, graph.num_nodes))
    edges = graph.edge_array()
    matrix[edges[:, 0], edges[:, 1]] = 1
    return matrix if graph.directed else np.maximum(matrix, matrix.T)


def tensor_role(graph: Graph, template: Template, role: int, induced: bool) -> np.ndarray:
    present = adjacency(graph)
    absent = 1 - present if induced else np.ones_like(present)
    distinct = 1 - np.eye(graph.num_nodes)
    arcs = set(template.edges)
    if not template.directed:
        arcs |= {(b, a) for a, b in arcs}

    def allowed(a: int, b: int) -> np.ndarray:
        """Which images of the template nodes a (rows) and b (columns) fit together."""
        forward = present if (a, b) in arcs else absent
        backward = present if (b, a) in arcs else absent
        return distinct * forward * backward.T

    node = template.roles[role][0]
    others = [k for k in range(1, template.num_nodes) if k != node]
    # fits[v, u, w]: whether w can be the image of another node, given f(0) = v, f(node) = u.
    fits = [allowed(0, k)[:, None, :] * allowed(node, k)[None, :, :] for k in others]
    maps = allowed(0, node)
    if len(others) == 1:
        maps = maps * fits[0].sum(axis=2)
    if len(others) == 2:
        maps = maps * (fits[0] @ allowed(*others) * fits[1]).sum(axis=2)
    counts = np.rint(maps).astype(np.int64) * len(template.roles[role])
    return counts // template.num_automorphisms


@pytest.mark.parametrize("engine", ENGINES)
@cases
def test_counts_equal_tensor_sums(name, template, engine):
    graph = GRAPHS[name]
    roles = match(graph, [template], engine=engine)[0]
    for j in range(1, len(roles)):
        expected = tensor_role(graph, template, j, induced=False)
        np.testing.assert_array_equal(roles[j].to_scipy().toarray(), expected)


@cases
def test_induced_counts_and_sets_equal_tensor_sums(name, template):
    graph = GRAPHS[name]
    counts = match(graph, [template], engine="enumerate", induced=True)[0]
    sets = match(graph, [template], engine="enumerate", induced=True, weighting="set")[0]
    for j in range(1, len(counts)):
        expected = tensor_role(graph, template, j, induced=True)
        np.testing.assert_array_equal(counts[j].to_scipy().toarray(), expected)
        np.testing.assert_array_equal(sets[j].to_scipy().toarray(), expected > 0)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("threads", [1, 2])
def test_millions_of_paths_are_all_counted(engine, threads):
    """26 million 4-paths: no sampling, no cap, whatever the engine."""
    graph = gnp(120, 0.5, seed=5)
    a, degree = adjacency(graph).astype(np.int64), graph.degrees
    off_diagonal = 1 - np.eye(120, dtype=np.int64)
    two_steps = a @ a * off_diagonal
    first = a * ((a @ (degree - 1))[None, :] - (degree - 1)[:, None] - a @ a)
    second = two_steps * ((degree - 1)[None, :] - a)
    third = (a @ a @ a - degree[:, None] * a - a * degree[None, :] + a) * off_diagonal
    roles = match(graph, [Template("0-1 1-2 2-3")], engine=engine, threads=threads)[0]
    assert int(np.asarray(roles.totals).sum()) == third.sum() > 10_000_000
    for j, expected in enumerate((first, second, third), start=1):
        np.testing.assert_array_equal(roles[j].to_scipy().toarray(), expected)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8])
def test_cliques_of_a_complete_graph(size):
    edges = list(itertools.combinations(range(size), 2))
    pairs = np.array(list(itertools.combinations(range(20), 2)))
    graph = Graph.from_edges(pairs[:, 0], pairs[:, 1])
    roles = match(graph, [Template(edges)], engine="enumerate")[0]
    np.testing.assert_array_equal(roles.totals, [math.comb(19, size - 1)] * 20)
    expected = math.comb(18, size - 2) * (1 - np.eye(20))
    np.testing.assert_array_equal(roles[1].to_scipy().toarray(), expected)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text", ["0-1 0-2 1-2 1-3 2-4 3-4", "0-1 0-2 0-3 1-2 1-3 2-3 0-4"])
def test_threads_do_not_change_the_result(text, engine):
    graph, template = hubs(60, 3, seed=7), Template(text)
    one, *others = (
        match(graph, [template], engine=engine, threads=threads)[0] for threads in (1, 2, 5)
    )
    for other in others:
        np.testing.assert_array_equal(one.totals, other.totals)
        for a, b in zip(one, other, strict=True):
            left, right = a.to_scipy(), b.to_scipy()
            np.testing.assert_array_equal(left.indptr, right.indptr)
            np.testing.assert_array_equal(left.indices, right.indices)
            np.testing.assert_array_equal(left.data, right.data)
