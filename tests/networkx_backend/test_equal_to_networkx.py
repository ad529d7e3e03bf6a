"""The back end gives what networkx gives: in value, type, order, and in what it refuses."""

from __future__ import annotations

import random
from collections import Counter

import pytest

nx = pytest.importorskip("networkx", minversion="3.4")

from grape_networkx import FUNCTIONS  # noqa: E402
from grape_networkx.graph import BackendGraph  # noqa: E402

PER_NODE = ["triangles", "clustering", "square_clustering", "generalized_degree"]
PAIRS = ["jaccard_coefficient", "adamic_adar_index", "resource_allocation_index"]


def random_graph(seed: int) -> nx.Graph:
    """Return a graph with self-loops, isolated nodes and nodes of any kind in any order."""
    draw = random.Random(seed)
    n = draw.randrange(1, 25)
    kinds = [
        list(range(n)),
        [f"node {k}" for k in range(n)],
        [(k, str(k)) for k in range(n)],
        [k if k % 2 else frozenset([k]) for k in range(n)],
        [k + 0.5 for k in range(n)],
        [-k for k in range(n)],
        [bool(k) if k < 2 else k for k in range(n)],
    ]
    nodes = draw.choice(kinds)
    if draw.random() < 0.5:
        draw.shuffle(nodes)
    graph = nx.Graph(name=f"seed {seed}")
    graph.add_nodes_from(nodes)
    p = draw.choice([0.0, 0.1, 0.3, 0.6, 1.0])
    for i, u in enumerate(nodes):
        for v in nodes[i + 1 :]:
            if draw.random() < p:
                graph.add_edge(u, v)
        if draw.random() < 0.1:
            graph.add_edge(u, u)
    return graph


def same(ours, theirs) -> None:
    assert ours == theirs
    assert type(ours) is type(theirs)
    if isinstance(theirs, dict) and not isinstance(theirs, Counter):
        assert list(ours) == list(theirs)
        assert [type(value) for value in ours.values()] == [type(v) for v in theirs.values()]


@pytest.mark.parametrize("name", PER_NODE)
def test_values_per_node_of_random_graphs(name: str) -> None:
    function = getattr(nx, name)
    for seed in range(150):
        graph = random_graph(seed)
        same(function(graph, backend="grape"), function(graph))
        draw = random.Random(seed)
        nodes = draw.choices(list(graph), k=4)
        converted = nx.utils.backends._load_backend("grape").convert_from_nx(graph)
        for chosen in (nodes[0], nodes, set(nodes), [*nodes, "nobody"], []):
            same(function(converted, chosen), function(graph, chosen, backend="networkx"))


@pytest.mark.parametrize("name", ["transitivity", "average_clustering"])
def test_values_of_whole_random_graphs(name: str) -> None:
    function = getattr(nx, name)
    for seed in range(150):
        graph = random_graph(seed)
        same(function(graph, backend="grape"), function(graph))


def test_average_of_some_nodes_and_without_zeros() -> None:
    for seed in range(60):
        graph = random_graph(seed)
        converted = nx.utils.backends._load_backend("grape").convert_from_nx(graph)
        nodes = list(graph)[:5]
        same(nx.average_clustering(converted, nodes), nx.average_clustering(graph, nodes))
        if any(nx.clustering(graph).values()):
            ours = nx.average_clustering(converted, count_zeros=False)
            same(ours, nx.average_clustering(graph, count_zeros=False))


@pytest.mark.parametrize("name", PAIRS)
def test_scores_of_pairs(name: str) -> None:
    function = getattr(nx, name)
    for seed in range(100):
        graph = random_graph(seed)
        graph.remove_edges_from(list(nx.selfloop_edges(graph)))
        ours = {frozenset((u, v)): p for u, v, p in function(graph, backend="grape")}
        theirs = {frozenset((u, v)): p for u, v, p in function(graph)}
        assert ours == pytest.approx(theirs, rel=1e-12)
        draw = random.Random(seed)
        pairs = [tuple(draw.choices(list(graph), k=2)) for _ in range(20)]
        if name == "adamic_adar_index":  # of a node with itself, networkx may divide by zero
            pairs = [(u, v) for u, v in pairs if u != v]
        converted = nx.utils.backends._load_backend("grape").convert_from_nx(graph)
        ours = list(function(converted, pairs))
        theirs = list(function(graph, pairs, backend="networkx"))
        assert [found[:2] for found in ours] == [found[:2] for found in theirs]
        assert [p for *_, p in ours] == pytest.approx([p for *_, p in theirs], rel=1e-12)


def test_a_node_paired_with_itself() -> None:
    star = nx.star_graph(3)
    with pytest.raises(ZeroDivisionError):
        list(nx.adamic_adar_index(star, [(0, 0)], backend="networkx"))
    with pytest.raises(ZeroDivisionError):
        list(nx.adamic_adar_index(star, [(0, 0)], backend="grape"))


def test_no_nodes_and_no_edges() -> None:
    for graph in (nx.Graph(), nx.empty_graph(3)):
        for name in PER_NODE:
            function = getattr(nx, name)
            same(function(graph, backend="grape"), function(graph, backend="networkx"))
            graph.__networkx_cache__.clear()
        same(nx.transitivity(graph, backend="grape"), nx.transitivity(graph, backend="networkx"))
        graph.__networkx_cache__.clear()
    with pytest.raises(ZeroDivisionError):
        nx.average_clustering(nx.Graph(), backend="grape")


@pytest.mark.parametrize("nodes", [[0, [1]], 3.5, object()])
def test_what_is_no_node_is_refused_as_by_networkx(nodes) -> None:
    graph = nx.complete_graph(4)
    with pytest.raises(nx.NetworkXError) as theirs:
        nx.clustering(graph, nodes, backend="networkx")
    with pytest.raises(nx.NetworkXError) as ours:
        nx.clustering(graph, nodes, backend="grape")
    assert str(ours.value) == str(theirs.value)


def test_a_pair_with_an_unknown_node_is_refused_at_once() -> None:
    with pytest.raises(nx.NodeNotFound, match=r"Node 9 not in G\."):
        nx.jaccard_coefficient(nx.path_graph(3), [(0, 9)], backend="grape")


def test_a_view_is_a_graph_too() -> None:
    graph = nx.complete_graph(6)
    view = nx.subgraph_view(graph, filter_node=lambda node: node != 2)
    same(nx.triangles(view, backend="grape"), nx.triangles(view, backend="networkx"))


def test_there_and_back() -> None:
    for seed in range(40):
        graph = random_graph(seed)
        backend = nx.utils.backends._load_backend("grape")
        converted = backend.convert_from_nx(graph)
        assert isinstance(converted, BackendGraph)
        assert converted.number_of_edges() == graph.number_of_edges()
        back = backend.convert_to_nx(converted)
        assert list(back) == list(graph)
        assert nx.utils.graphs_equal(back, graph)


def test_every_function_is_offered_and_documented() -> None:
    for name in FUNCTIONS:
        function = nx.utils.backends._registered_algorithms[name]
        assert "grape" in function.backends
        assert "grape : Exact counts" in getattr(nx, name).__doc__
