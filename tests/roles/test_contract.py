"""One contract for all engines: every small template, on random graphs, against brute force.

Every connected template of up to five nodes (directed: four) with every anchor, both
weightings, induced or not, one and two threads, dense and sparse graphs; random templates whose
nodes and edges ask for labels and types.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from grape_gnn.graph import Graph
from grape_gnn.roles import ENGINES
from grape_gnn.roles.algebra.induced import reaches_induced
from grape_gnn.template import Template
from grape_gnn.template.zoo import all_templates
from grape_gnn.testing import Case, disagreement, random_graph, random_template

UNDIRECTED = [t for size in range(2, 6) for t in all_templates(size, directed=False)]
DIRECTED = [t for size in range(2, 5) for t in all_templates(size, directed=True)]

# Number of nodes and seed; sizes such that brute force tries a few thousand maps.
UNDIRECTED_GRAPHS = [("sparse", 8, 1), ("dense", 7, 2), ("hubs", 8, 3), ("disconnected", 7, 4)]
DIRECTED_GRAPHS = [("sparse", 8, 5), ("reciprocal", 7, 6)]
SPARSE = 150  # so many isolated nodes make any of these graphs a sparse one
LABELLED_SEEDS = range(40)
TYPED_SEEDS = range(40)
# What "auto" picks is one of the others: a look at the undirected templates is enough.
NAMED_ENGINES = [engine for engine in ENGINES if engine != "auto"]


@cache
def graph_of(family: str, num_nodes: int, seed: int, directed: bool) -> Graph:
    return random_graph(family, num_nodes, seed, directed)


def name(template: Template) -> str:
    return template.text.replace(" ", ",")


def check(cases: list[Case], record: Callable[[str, object], None]) -> None:
    failures = [problem for case in cases if (problem := disagreement(case))]
    assert not failures, "\n\n".join(failures[:3])
    record("role_cases", len(cases))


def _can_induce(engine: str, template: Template) -> bool:
    if engine == "algebra":
        return reaches_induced(template)
    return engine != "incremental"


def settings(graph: Graph, template: Template, engine: str) -> list[Case]:
    """All settings of one engine on one graph; sparse and threads on some of them."""
    cases = [
        Case(graph, template, engine, weighting, induced)
        for weighting, induced in itertools.product(("count", "set"), (False, True))
        if not induced or _can_induce(engine, template)
    ]
    sparse = [replace(case, isolated=SPARSE) for case in cases[:: len(cases) - 1]]
    return [*cases, *sparse, Case(graph, template, engine, threads=2)]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("template", UNDIRECTED, ids=name)
def test_every_undirected_template(template, engine, record_property):
    graphs = [graph_of(*key, False) for key in UNDIRECTED_GRAPHS]
    check([c for g in graphs for c in settings(g, template, engine)], record_property)


@pytest.mark.parametrize("engine", NAMED_ENGINES)
@pytest.mark.parametrize("template", DIRECTED, ids=name)
def test_every_directed_template(template, engine, record_property):
    graphs = [graph_of(*key, True) for key in DIRECTED_GRAPHS]
    check([c for g in graphs for c in settings(g, template, engine)], record_property)


@pytest.mark.parametrize("engine", NAMED_ENGINES)
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("seed", LABELLED_SEEDS)
def test_labelled_templates(seed, directed, engine, record_property):
    template = random_template(seed, max_nodes=4, directed=directed, labels=2)
    graph = graph_of("labelled", 8, seed, directed)
    check(settings(graph, template, engine), record_property)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("seed", TYPED_SEEDS)
def test_typed_templates(seed, directed, engine, record_property):
    cases = []
    for labels in (0, 2):
        size = 4 if directed else 5
        template = random_template(seed, size, directed, labels=labels, edge_types=2)
        cases += settings(graph_of("typed", 7, seed, directed), template, engine)
    check(cases, record_property)


@pytest.mark.parametrize("engine", NAMED_ENGINES)
@pytest.mark.parametrize("family", ["complete", "empty", "bipartite", "disconnected"])
@pytest.mark.parametrize("num_nodes", [0, 1, 2, 6])
def test_extreme_graphs(family, num_nodes, engine, record_property):
    graph = graph_of(family, num_nodes, 0, False)
    cases = [c for t in all_templates(4, directed=False) for c in settings(graph, t, engine)]
    check(cases, record_property)


def test_no_template_is_forgotten():
    # Rooted connected graphs, and rooted weakly connected digraphs, by number of nodes.
    def sizes(templates):
        return Counter(t.num_nodes for t in templates)

    assert sizes(UNDIRECTED) == {2: 1, 3: 3, 4: 11, 5: 58}
    assert sizes(DIRECTED) == {2: 3, 3: 30, 4: 697}
