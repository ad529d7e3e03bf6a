"""Collections of graphs that message passing takes for the same: who tells them apart."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from operator import eq

import networkx as nx
import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.nn import GRAPE, RoleValues
from grape_gnn.nn.graph_model import GraphGRAPE
from grape_gnn.nn.presets import find_preset
from grape_gnn.nn.written_roles import WrittenRoles
from grape_gnn.testing.look_alikes import (
    SKIPS,
    cai_fuerer_immerman,
    chang_graphs,
    permuted,
    skip_links,
)


@pytest.fixture(scope="module")
def strongly_regular(shared_data):
    """Give the 15 strongly regular graphs with 25 nodes of degree 12."""
    return grape.read_graphs(shared_data / "graphs" / "sr251256.g6")


@pytest.fixture(scope="module")
def connected_7(shared_data):
    """Give all 853 connected graphs of seven nodes."""
    return grape.read_graphs(shared_data / "graphs" / "graph7c.g6")


def same_class(graphs, templates):
    """Return the pairs of graphs that refinement over templates does not tell apart."""
    classes = grape.role_colours(graphs, templates).graphs.tolist()
    numbers = range(len(graphs))
    return [
        pair for pair in itertools.combinations(numbers, 2) if len({classes[k] for k in pair}) < 2
    ]


def test_strongly_regular_graphs_by_templates_of_four_nodes(strongly_regular):
    assert len(same_class(strongly_regular, "edge")) == 105
    assert same_class(strongly_regular, "edge,4-clique") == []
    hardest = [(6, 12), (7, 13)]
    for one, two in [*hardest, (0, 1), (3, 14)]:
        found = grape.separate(strongly_regular[one], strongly_regular[two], size=4)
        assert found.template.num_nodes == 4
        assert (found.evidence.by == "role colours") == ((one, two) in hardest)


def test_skip_links_by_cycles():
    graphs = [skip_links(skip) for skip in SKIPS]
    assert len(same_class(graphs, "edge")) == 45
    cycles = [f"{k}-cycle" for k in range(3, 9)]
    needed = Counter()
    for one, two in itertools.combinations(graphs, 2):
        found = grape.separate(one, two, templates=cycles)
        assert found.evidence.by == "instances"
        needed[found.template.name] += 1
    assert needed == {
        "triangle": 9, "4-cycle": 8, "5-cycle": 13, "6-cycle": 5, "7-cycle": 9, "8-cycle": 1,
    }  # fmt: skip
    assert same_class(graphs, cycles) == []


def test_connected_graphs_of_seven_nodes(connected_7):
    pairs = same_class(connected_7, "edge")
    assert len(pairs) == 17
    needed = Counter()
    for one, two in pairs:
        found = grape.separate(connected_7[one], connected_7[two])
        assert found.minimal
        needed[found.template.name, found.evidence.by] += 1
    assert needed == {("3-path", "role counts"): 14, ("triangle", "instances"): 3}


@pytest.mark.parametrize(
    ("base", "name"),
    [
        (nx.complete_graph(4), "4-clique"),
        (nx.complete_bipartite_graph(3, 3), "k33"),
        (nx.complete_graph(5), "5-clique"),
    ],
)
def test_what_a_wide_graph_makes_is_told_apart_by_that_graph(base, name):
    pair = [cai_fuerer_immerman(list(base.edges), twisted=twisted) for twisted in (False, True)]
    assert grape.role_colours(pair, "edge").num_classes == 1
    found = grape.separate(*pair)
    assert (found.template.name, found.evidence.by) == (name, "instances")


def test_the_cube_is_found_in_time():
    edges = nx.convert_node_labels_to_integers(nx.hypercube_graph(3)).edges
    pair = [cai_fuerer_immerman(list(edges), twisted=twisted) for twisted in (False, True)]
    found = grape.separate(*pair, time="8s")
    assert found.template.name == "cube"


@pytest.mark.parametrize("precision", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize(
    ("preset", "inputs"),
    [("default", "ones"), ("paper", "ones"), ("default", "totals"), ("released", "totals")],
)
def test_the_network_tells_apart_what_its_roles_do(preset, inputs, precision):
    """Random weights, settled normalisation, the sum over the nodes.

    The preset `released` divides counts by their sums, so where all nodes are alike it needs the
    totals as inputs.
    """
    graphs = [skip_links(skip) for skip in SKIPS]
    for base in (nx.complete_graph(4), nx.complete_bipartite_graph(3, 3), nx.cycle_graph(5)):
        graphs += [cai_fuerer_immerman(list(base.edges), twisted=flag) for flag in (False, True)]
    copies = [permuted(graph, seed) for seed, graph in enumerate(graphs)]
    together = grape.GraphSet.of([*graphs, *copies])
    chosen = replace(find_preset(preset), weighting="count")
    matches = grape.match(together, "graph-small")
    roles = RoleValues(matches, values=chosen.values)
    batch = torch.from_numpy(together.graph_of_node.copy())
    torch.manual_seed(0)
    x = torch.ones(together.num_nodes, 1, dtype=precision)
    if inputs == "totals":
        x = torch.from_numpy(np.log1p(np.stack([m.totals for m in matches], axis=1))).to(precision)
    model = GRAPE(roles.templates, x.shape[1], 16, hidden=16, preset=chosen).to(precision)
    with torch.no_grad():
        for _ in range(30):
            model(x, roles, batch)
        h = model.eval()(x, roles, batch)
    pooled = torch.zeros(len(together), 16, dtype=precision).index_add(0, batch, h)
    size = torch.zeros_like(pooled).index_add(0, batch, h.abs())
    noise = 64 * torch.finfo(precision).eps * size.amax(dim=1, keepdim=True).numpy()
    outputs = pooled.numpy()
    half = len(graphs)
    assert (np.abs(outputs[:half] - outputs[half:]) <= noise[:half]).all()
    classes = grape.role_colours(graphs, "graph-small", sees="count").graphs.tolist()
    for one, two in itertools.combinations(range(half), 2):
        apart = (np.abs(outputs[one] - outputs[two]) > np.maximum(noise[one], noise[two])).any()
        assert apart == (classes[one] != classes[two])


@pytest.mark.parametrize("pooling", ["sum", "mean"])
@pytest.mark.parametrize(("templates", "told"), [("social", 105 + 9), ("graph-small", 105 + 24)])
def test_the_network_for_graphs_in_single_precision(strongly_regular, templates, told, pooling):
    families = [list(strongly_regular), [skip_links(skip) for skip in SKIPS]]
    assert told_by_network(families, templates, pooling) == told


def other_collections():
    """Give graphs by families, within which refinement over the edge tells none apart."""
    squares = [
        [(a + b) % 4 for a in range(4) for b in range(4)],
        [a ^ b for a in range(4) for b in range(4)],
    ]
    cells = list(itertools.product(range(4), range(4)))
    latin = []
    for square in squares:
        signs = [(a, b, square[4 * a + b]) for a, b in cells]
        latin.append(
            nx.Graph(
                [pair for pair in itertools.combinations(signs, 2) if sum(map(eq, *pair)) == 1]
            )
        )
    steps = [(0, 1), (1, 0), (1, 1)]
    shrikhande = nx.Graph(
        [((a, b), ((a + c) % 4, (b + d) % 4)) for a, b in cells for c, d in steps]
    )
    rook = nx.line_graph(nx.complete_bipartite_graph(4, 4))
    cubic = [nx.random_regular_graph(3, 10, seed=seed) for seed in range(12)]
    made = {"sr16": [shrikhande, rook], "latin": latin, "cubic": cubic}
    found = {
        name: [grape.Graph.from_networkx(nx.convert_node_labels_to_integers(g)) for g in graphs]
        for name, graphs in made.items()
    }
    return {**found, "chang": chang_graphs()}


@pytest.mark.parametrize("templates", ["graph-small", "cycles-8"])
@pytest.mark.parametrize("family", ["sr16", "latin", "cubic", "chang"])
def test_other_collections_in_single_precision(family, templates):
    """Two of Chang's graphs differ in 8-cycles by 132 of 4,623,528 around a node."""
    graphs = other_collections()[family]
    classes = grape.role_colours(graphs, templates, sees="count").graphs.tolist()
    told = sum(a != b for a, b in itertools.combinations(classes, 2))
    assert told_by_network([graphs], templates, "sum") == told > 0
    assert len(same_class(graphs, "edge")) == len(graphs) * (len(graphs) - 1) // 2


def told_by_network(families, templates, pooling):
    """Return how many pairs of one family the network tells apart: those that its roles do.

    The weights are random and the normalisation has settled. What copies in another order differ
    by in what is pooled of a layer is the noise of that layer.
    """
    graphs = [graph for family in families for graph in family]
    copies = [permuted(graph, seed) for seed, graph in enumerate(graphs)]
    together = grape.GraphSet.of([*graphs, *copies])
    roles = WrittenRoles.of(grape.match(together, templates))
    batch, x = torch.from_numpy(together.graph_of_node.copy()), torch.ones(together.num_nodes, 1)
    torch.manual_seed(0)
    model = GraphGRAPE(roles.templates, 1, 2, pooling=pooling)
    with torch.no_grad():
        for _ in range(30):
            model(x, roles, batch, len(together))
        outputs = model.eval().pooled(x, roles, batch, len(together))
    half = len(graphs)
    outputs = outputs.view(len(together), 1 + len(model.layers), -1)
    noise = 8 * (outputs[:half] - outputs[half:]).abs().amax(dim=(0, 2)) + 1e-6
    classes = grape.role_colours(graphs, templates, sees="count").graphs.tolist()
    apart, family = 0, np.repeat(np.arange(len(families)), list(map(len, families)))
    for one, two in itertools.combinations(range(half), 2):
        if family[one] == family[two]:
            found = bool(((outputs[one] - outputs[two]).abs().amax(dim=1) > noise).any())
            assert found == (classes[one] != classes[two])
            apart += found
    return apart
