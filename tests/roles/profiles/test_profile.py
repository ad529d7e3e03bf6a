"""Profiles against brute force and against two other programs, where they are installed."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.errors import (
    BudgetExceededError,
    CountOverflowError,
    DirectionMismatchError,
    MatchError,
)
from grape_gnn.roles.algebra import Evaluator
from grape_gnn.roles.algebra.totals import node_totals
from grape_gnn.roles.profiles import edge_orbits, node_orbits
from grape_gnn.testing import brute_force_instances, brute_force_roles
from grape_gnn.testing.random_graphs import bipartite, complete, gnp, hubs, star

SMALL = 1500  # random graphs of at most seven nodes, profiled as one graph


def joined(graphs: list[grape.Graph]) -> grape.Graph:
    """Return many graphs side by side as one."""
    starts = np.cumsum([0, *(graph.num_nodes for graph in graphs)])
    edges = [graph.edge_array() + start for graph, start in zip(graphs, starts, strict=False)]
    src, dst = np.concatenate(edges).T
    return grape.Graph.from_edges(src, dst, num_nodes=int(starts[-1]))


@cache
def small_graphs() -> list[grape.Graph]:
    rng = np.random.default_rng(0)
    return [
        gnp(int(rng.integers(1, 8)), float(rng.uniform(0.2, 1.0)), seed) for seed in range(SMALL)
    ]


@cache
def form(pairs: frozenset[tuple[int, int]], size: int, fixed: int) -> frozenset[tuple[int, int]]:
    """Return one and the same set of pairs for all that differ by names of the nodes.

    The first node, or the first two as a pair, keep their place.
    """
    ends = permutations(range(fixed))
    orders = [(*e, *rest) for e in ends for rest in permutations(range(fixed, size))]
    renamed = (frozenset((min(o[a], o[b]), max(o[a], o[b])) for a, b in pairs) for o in orders)
    return min(renamed, key=sorted)


def form_of(orbit: grape.Orbit) -> tuple[int, frozenset[tuple[int, int]]]:
    template = orbit.template
    fixed = 1
    if orbit.role:
        other = template.roles[orbit.role][0]
        rest = [node for node in range(1, template.num_nodes) if node != other]
        template, fixed = template.relabel([0, other, *rest]), 2
    return template.num_nodes, form(frozenset(template.edges), template.num_nodes, fixed)


def induced_by_subsets(graph: grape.Graph, size: int) -> tuple[Counter, Counter]:
    """Look at every set of nodes: what it looks like from each node and from each edge."""
    nodes, edges = Counter(), Counter()
    present = {tuple(edge) for edge in graph.edge_array().tolist()}
    for k in range(2, size + 1):
        for chosen in combinations(range(graph.num_nodes), k):
            if not _connected(chosen, present):
                continue
            for fixed, counter in ((1, nodes), (2, edges)):
                for first in combinations(chosen, fixed):
                    if fixed == 2 and first not in present:
                        continue
                    order = [*first, *(v for v in chosen if v not in first)]
                    pairs = frozenset(
                        (a, b)
                        for a, b in combinations(range(k), 2)
                        if tuple(sorted((order[a], order[b]))) in present
                    )
                    counter[first, k, form(pairs, k, fixed)] += 1
    return nodes, edges


def _connected(chosen: tuple[int, ...], present: set[tuple[int, int]]) -> bool:
    reached, waiting = set(), [chosen[0]]
    while waiting:
        v = waiting.pop()
        reached.add(v)
        waiting += [u for u in chosen if u not in reached and (min(u, v), max(u, v)) in present]
    return len(reached) == len(chosen)


@pytest.mark.parametrize("size", [4, 5])
def test_induced_counts_equal_all_subsets(size):
    graphs = small_graphs() if size == 4 else small_graphs()[:300]
    whole = joined(graphs)
    by_node = grape.profile(whole, size).to_numpy(induced=True)
    by_edge = grape.profile(whole, size, of="edges").to_numpy(induced=True)
    node_forms = [form_of(orbit) for orbit in node_orbits(size)]
    edge_forms = [form_of(orbit) for orbit in edge_orbits(size)]
    assert len(set(node_forms)) == len(node_forms)
    assert len(set(edge_forms)) == len(edge_forms)
    v = e = 0
    for graph in graphs:
        nodes, edges = induced_by_subsets(graph, size)
        for node in range(graph.num_nodes):
            assert by_node[v].tolist() == [nodes[((node,), *f)] for f in node_forms]
            v += 1
        for edge in graph.edge_array().tolist():
            assert by_edge[e].tolist() == [edges[(tuple(edge), *f)] for f in edge_forms]
            e += 1
    assert v == len(by_node)
    assert e == len(by_edge) > 1000


@pytest.mark.parametrize(
    "graph",
    [gnp(9, 0.5, 1), hubs(10, 2, 2), bipartite(4, 5, 0.6, 3), complete(7), star(8), gnp(8, 0.9, 5)],
    ids=["random", "hubs", "bipartite", "complete", "star", "dense"],
)
@pytest.mark.parametrize("induced", [False, True])
def test_equals_brute_force_of_every_template(graph, induced):
    counts = grape.profile(graph, 4).to_numpy(induced)
    for orbit in node_orbits(4):
        egos = [found[0] for found in brute_force_instances(graph, orbit.template, induced)]
        expected = np.bincount(np.array(egos, int), minlength=graph.num_nodes)
        assert counts[:, orbit.number].tolist() == expected.tolist(), orbit
    edges = grape.profile(graph, 4, of="edges").to_numpy(induced)
    for orbit in edge_orbits(4):
        matrix = brute_force_roles(graph, orbit.template, induced=induced)[orbit.role]
        both = matrix if orbit.reversible else matrix + matrix.T
        u, v = graph.edge_array().T
        assert edges[:, orbit.number].tolist() == both[u, v].tolist(), orbit


def as_networkx(graph: grape.Graph):
    nx = pytest.importorskip("networkx")
    drawn = nx.Graph()
    drawn.add_nodes_from(range(graph.num_nodes))
    drawn.add_edges_from(graph.edge_array().tolist())
    return drawn


PEER_GRAPHS = [gnp(40, 0.3, 1), hubs(60, 3, 2), bipartite(15, 20, 0.3, 3), gnp(30, 0.8, 4)]


@pytest.mark.parametrize("size", [4, 5])
@pytest.mark.parametrize("graph", PEER_GRAPHS)
def test_equals_orca(graph, size):
    orca = pytest.importorskip("orbit_count")
    drawn = as_networkx(graph)
    nodes = orca.node_orbit_counts(drawn, size, node_list=list(range(graph.num_nodes)))
    assert (grape.profile(graph, size).to_numpy(induced=True) == nodes).all()
    edges = graph.edge_array().tolist()
    counts = orca.edge_orbit_counts(drawn, size, edge_list=[tuple(edge) for edge in edges])
    # Given edges only, ORCA numbers the nodes in the order of the graph, as we do.
    assert (grape.profile(graph, size, of="edges").to_numpy(induced=True) == counts).all()


@pytest.mark.parametrize("graph", PEER_GRAPHS)
def test_equals_fglt(graph):
    fglt = pytest.importorskip("pyfglt.fglt")
    net, raw = fglt.compute(as_networkx(graph), raw=True)
    # Its columns start with the node itself and have the centre of a star before its leaves.
    ours = grape.profile(graph)
    order = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 8, 12, 13, 14]
    assert (ours.to_numpy()[:, order] == raw.to_numpy()[:, 1:]).all()
    assert (ours.to_numpy(induced=True)[:, order] == net.to_numpy()[:, 1:]).all()


@pytest.mark.parametrize("size", [4, 5])
def test_names_of_nodes_do_not_matter(size):
    graph = gnp(30, 0.3, 7)
    order = np.random.default_rng(0).permutation(30)
    turned = grape.Graph.from_edges(*order[graph.edge_array()].T, num_nodes=30)
    assert (
        grape.profile(turned, size).to_numpy()[order] == grape.profile(graph, size).to_numpy()
    ).all()


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_do_not_matter(threads):
    graph = hubs(200, 5, 1)
    assert (
        grape.profile(graph, threads=threads).to_numpy() == grape.profile(graph).to_numpy()
    ).all()


@pytest.mark.parametrize("nodes", [0, 1, 5])
def test_graphs_without_edges(nodes):
    graph = grape.Graph.from_edges([], [], num_nodes=nodes)
    for size in (2, 3, 4, 5):
        found = grape.profile(graph, size)
        assert found.to_numpy(induced=True).shape == (nodes, len(node_orbits(size)))
        assert not found.to_numpy().any()
    assert grape.profile(graph, of="edges").to_numpy(induced=True).shape == (0, 12)


def test_isolated_nodes_count_nothing():
    graph = grape.Graph.from_edges([0, 0, 1], [1, 2, 2], num_nodes=5)
    assert not grape.profile(graph, 5).to_numpy()[3:].any()


@pytest.mark.parametrize("of", ["nodes", "edges"])
@pytest.mark.parametrize("induced", [False, True])
def test_instances_behind_every_number(of, induced):
    graph = gnp(9, 0.5, 3)
    found = grape.profile(graph, of=of)
    for row, counts in zip(found.rows, found.to_numpy(induced).tolist(), strict=True):
        behind = [len(list(found.instances(row, k, induced))) for k in range(len(counts))]
        assert behind == counts


def test_roles_behind_a_column():
    graph = gnp(20, 0.3, 3)
    found = grape.profile(graph)
    for orbit in found.orbits:
        assert (found.roles(orbit.number).totals == found.to_numpy()[:, orbit.number]).all()


def test_frames_have_names_of_nodes_and_orbits():
    pytest.importorskip("pandas")
    graph = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])
    nodes = grape.profile(graph).to_pandas()
    assert nodes.loc["cat", "3 triangle"] == 1
    assert nodes.index.name == "node"
    edges = grape.profile(graph, of="edges").to_pandas(induced=True)
    assert edges.loc[("cat", "dan"), "1 triangle, role 1"] == 0


def test_counts_beyond_64_bits_are_refused():
    # The orbit alone: a profile of so many leaves has cheap and dear ones before it.
    with pytest.raises(CountOverflowError, match="around a node"):
        node_totals(Evaluator(star(200_000)), grape.Template("0-1 0-2 0-3 0-4"))


def test_directed_graphs_are_refused():
    with pytest.raises(DirectionMismatchError, match="to_undirected"):
        grape.profile(gnp(5, 0.5, 0, directed=True))


@pytest.mark.parametrize(
    "options", [{"size": 6}, {"size": 1}, {"size": 2, "of": "edges"}, {"of": "pairs"}]
)
def test_bad_options(options):
    with pytest.raises(MatchError, match=r"size=|of="):
        grape.profile(gnp(5, 0.5, 0), **options)


def test_bad_rows_and_orbits():
    found = grape.profile(gnp(5, 0.5, 0))
    with pytest.raises(MatchError, match="orbit=15"):
        found.roles(15)
    with pytest.raises(MatchError, match="pair of names"):
        list(grape.profile(gnp(5, 0.5, 0), of="edges").instances(3, 1))


def test_time_is_a_budget():
    with pytest.raises(BudgetExceededError, match="time"):
        grape.profile(gnp(400, 0.5, 0), 5, time=0.01, threads=1)
