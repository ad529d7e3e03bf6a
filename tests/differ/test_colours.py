"""Role colours: partitions of nodes and of graphs by refinement over roles."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.testing import gnp
from grape_gnn.testing.brute_force import brute_force_roles
from grape_gnn.testing.look_alikes import permuted, rings


def partition(colours):
    """Return the classes as a set of sets."""
    classes = {}
    for node, colour in enumerate(colours):
        classes.setdefault(colour, set()).add(node)
    return {frozenset(members) for members in classes.values()}


def refined(graph, templates, sees="members"):
    """Refine with tuples, no hashing: the definition, word by word."""
    relations = [m for t in templates for m in brute_force_roles(graph, t)[1:]]
    colours = [0] * graph.num_nodes
    while True:
        seen = []
        for v in range(graph.num_nodes):
            around = []
            for matrix in relations:
                members = [(colours[u], int(matrix[v, u])) for u in np.flatnonzero(matrix[v])]
                sums, sizes = Counter(), Counter(colour for colour, _ in members)
                for colour, count in members:
                    sums[colour] += count
                view = {
                    "members": tuple(sorted(members)),
                    "count": tuple(sorted(sums.items())),
                    "set": tuple(sorted(sizes.items())),
                }
                view["both"] = view["count"], view["set"]
                around.append(view[sees])
            seen.append((colours[v], tuple(around)))
        numbers = {value: k for k, value in enumerate(sorted(set(seen)))}
        finer = [numbers[value] for value in seen]
        if len(numbers) == len(set(colours)):
            return finer
        colours = finer


@pytest.mark.parametrize("sees", ["members", "count", "set", "both"])
@pytest.mark.parametrize("templates", ["edge", "triangle,3-path", "4-path,4-cycle"])
@pytest.mark.parametrize("seed", range(4))
def test_the_partition_is_that_of_the_definition(seed, templates, sees):
    graph = gnp(9, 0.3, seed)
    found = grape.role_colours(graph, templates, sees=sees).nodes[0].tolist()
    wanted = refined(graph, grape.templates(templates), sees)
    assert partition(found) == partition(wanted)


def test_directed_graphs():
    graph = gnp(9, 0.2, 3, directed=True)
    found = grape.role_colours(graph, "from-to,to").nodes[0].tolist()
    assert partition(found) == partition(refined(graph, grape.templates("from-to,to")))


def test_the_edge_alone_is_the_weisfeiler_leman_test():
    graphs = [nx.gnm_random_graph(6, 7, seed=seed) for seed in range(150)]
    for graph in graphs:
        nx.set_node_attributes(graph, "alike", "colour")
    hashes = [nx.weisfeiler_lehman_graph_hash(g, node_attr="colour", iterations=8) for g in graphs]
    found = grape.role_colours(graphs, "edge").graphs.tolist()
    assert partition(found) == partition(hashes)
    assert len(set(found)) > 15


def test_thousands_of_copies_are_never_told_apart():
    graphs = [gnp(4 + seed % 17, (1 + seed % 8) / 10, seed) for seed in range(1000)]
    copies = [permuted(graph, seed) for seed, graph in enumerate(graphs)]
    found = grape.role_colours([*graphs, *copies], ["social", "4-cycle", "5-path"])
    assert np.array_equal(found.graphs[:1000], found.graphs[1000:])
    for one, two in zip(found.nodes[:1000], found.nodes[1000:], strict=True):
        assert Counter(one.tolist()) == Counter(two.tolist())
    assert found.num_classes > 800


def test_colours_and_classes_are_numbered_by_appearance():
    found = grape.role_colours([rings(6), rings(3, 3), rings(6)], "edge,triangle")
    assert found.graphs.tolist() == [0, 1, 0]
    assert [one[0] for one in found.nodes] == [0, 1, 0]
    assert (found.num_colours, found.num_classes, found.rounds) == (2, 2, 1)
    assert repr(found).startswith("RoleColours(18 nodes in 2 colours, 3 graphs in 2 classes")


def test_a_set_of_graphs_is_a_list_of_graphs():
    graphs = [rings(6), rings(3, 3), gnp(8, 0.4, 1)]
    one, two = (grape.role_colours(g, "social") for g in (graphs, grape.GraphSet.of(graphs)))
    assert one.graphs.tolist() == two.graphs.tolist()
    assert [c.tolist() for c in one.nodes] == [c.tolist() for c in two.nodes]
    assert two.svg() == one.svg()


def test_rounds_can_be_limited():
    path = nx.path_graph(9)
    numbers = [grape.role_colours(path, "edge", rounds=k).num_colours for k in (0, 1, 2, None)]
    assert numbers == [1, 2, 3, 5]


@pytest.mark.parametrize("nodes", [0, 3])
def test_graphs_without_edges(nodes):
    empty = grape.Graph.from_edges([], [], num_nodes=nodes)
    found = grape.role_colours([empty, rings(3)], "edge")
    assert found.graphs.tolist() == [0, 1]


def test_the_figure_has_every_node():
    found = grape.role_colours([rings(6), rings(3, 3), gnp(12, 0.4, 0)], "edge,triangle")
    root = ElementTree.fromstring(found.svg())
    assert sum(1 for each in root.iter() if each.tag.endswith("circle")) == 24
    assert "graph 1, class 1: 1 colours" in "".join(root.itertext())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: grape.role_colours([], "edge"), "the list of graphs is empty"),
        (lambda: grape.role_colours(rings(3), "edge", sees="all"), "sees='all' is unknown"),
        (lambda: grape.role_colours(rings(3), "edge", rounds=-1), "rounds=-1 must be at least 0"),
        (
            lambda: grape.role_colours([rings(3), gnp(3, 0.5, 0, directed=True)], "edge"),
            "graph 0 is undirected and graph 1 directed",
        ),
        (lambda: grape.role_colours(rings(301), "edge").svg(), "too many to draw"),
    ],
)
def test_errors(call, message):
    with pytest.raises(grape.GrapeError, match=message):
        call()
