"""Roles and canonical forms against brute force, pynauty and networkx."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Iterator

import networkx as nx
import pynauty
import pytest

from grape_gnn.template import Template, all_templates

Arcs = frozenset[tuple[int, int]]


def arcs_of(template: Template) -> Arcs:
    back = () if template.directed else ((b, a) for a, b in template.edges)
    return frozenset([*template.edges, *back])


def relabellings(template: Template) -> Iterator[tuple[tuple[int, ...], Arcs, tuple[object, ...]]]:
    """Every renumbering that keeps the anchor: the map, and the arcs and labels it leads to."""
    arcs = arcs_of(template)
    for rest in itertools.permutations(range(1, template.num_nodes)):
        g = (0, *rest)
        labels: list[object] = [None] * template.num_nodes
        for node, label in enumerate(template.labels):
            labels[g[node]] = label
        yield g, frozenset((g[a], g[b]) for a, b in arcs), tuple(labels)


def brute_force_group(template: Template) -> set[tuple[int, ...]]:
    here = arcs_of(template), template.labels
    return {g for g, arcs, labels in relabellings(template) if (arcs, labels) == here}


def brute_force_form(template: Template) -> object:
    forms = ((sorted(arcs), repr(labels)) for _, arcs, labels in relabellings(template))
    return repr((template.directed, min(forms)))


def check_group(template: Template) -> None:
    group = brute_force_group(template)
    assert template.automorphisms[0] == tuple(range(template.num_nodes))
    assert set(template.automorphisms) == group
    assert template.num_automorphisms == len(group)
    orbits = {tuple(sorted({g[node] for g in group})) for node in range(template.num_nodes)}
    assert template.roles == tuple(sorted(orbits))
    assert template.roles[0] == (0,)


def every_numbering(size: int, directed: bool) -> Iterator[Template]:
    """Every connected template on the given nodes, isomorphic ones included."""
    pairs = [(a, b) for a in range(size) for b in range(size) if a < b or (directed and a != b)]
    for count in range(size - 1, len(pairs) + 1):
        for edges in itertools.combinations(pairs, count):
            graph = nx.Graph(edges)
            if len(graph) == size and nx.is_connected(graph):
                yield Template(edges, directed)


def random_template(rng: random.Random, labels: bool = False) -> Template:
    size, directed = rng.randint(5, 8), rng.random() < 0.5
    edges = {(rng.randrange(node), node) for node in range(1, size)}
    for _ in range(rng.randint(0, 10)):
        a, b = rng.sample(range(size), 2)
        edges.add((a, b) if directed or a < b else (b, a))
    asked = [rng.choice([None, None, "x", 3]) for _ in range(size)] if labels else None
    return Template(edges, directed, asked)


def shuffled(template: Template, rng: random.Random) -> Template:
    return template.relabel([0, *rng.sample(range(1, template.num_nodes), template.num_nodes - 1)])


@pytest.mark.parametrize(
    ("size", "directed", "count"),
    [
        *((2, False, 1), (3, False, 3), (4, False, 11), (5, False, 58)),
        *((2, True, 3), (3, True, 30), (4, True, 697)),
    ],
)
def test_canonical_form_splits_all_templates_as_brute_force_does(
    size: int, directed: bool, count: int
) -> None:
    by_form = defaultdict(set)
    for template in every_numbering(size, directed):
        by_form[brute_force_form(template)].add(template.canonical)
    assert all(len(canonical) == 1 for canonical in by_form.values())
    listed = {canonical for forms in by_form.values() for canonical in forms}
    assert len(listed) == len(by_form) == count
    assert listed == {template.canonical for template in all_templates(size, directed)}


@pytest.mark.parametrize(("size", "directed"), [(2, 0), (3, 0), (4, 0), (5, 0), (3, 1), (4, 1)])
def test_roles_of_all_templates(size: int, directed: int) -> None:
    for template in all_templates(size, bool(directed)):
        check_group(template)


@pytest.mark.parametrize("seed", range(12))
def test_roles_of_random_templates(seed: int) -> None:
    rng = random.Random(seed)
    template = random_template(rng, labels=seed % 2 == 1)
    check_group(template)
    other = shuffled(template, rng)
    assert other.canonical == template.canonical
    assert Template(template.canonical).canonical == template.canonical
    assert {len(role) for role in other.roles} == {len(role) for role in template.roles}


def nauty(template: Template) -> pynauty.Graph:
    neighbours = defaultdict(list)
    for a, b in arcs_of(template):
        neighbours[a].append(b)
    colours = [{0}, set(range(1, template.num_nodes))]
    return pynauty.Graph(template.num_nodes, template.directed, neighbours, colours)


@pytest.mark.parametrize("seed", range(20))
def test_against_nauty(seed: int) -> None:
    rng = random.Random(100 + seed)
    some = [random_template(rng) for _ in range(20)]
    some += [shuffled(template, rng) for template in some]
    for template in some:
        _, mantissa, exponent, orbits, _ = pynauty.autgrp(nauty(template))
        assert template.num_automorphisms == round(mantissa * 10**exponent)
        smallest = [template.roles[role][0] for role in template.role_of]
        assert list(orbits) == smallest
    certificates = {(t.num_nodes, t.directed, pynauty.certificate(nauty(t))) for t in some}
    assert len(certificates) == len({t.canonical for t in some})


def test_isomorphism_against_networkx() -> None:
    rng = random.Random(5)
    some = [random_template(rng, labels=True) for _ in range(25)]
    some += [shuffled(template, rng) for template in some[:10]]
    for one, other in itertools.combinations(some, 2):
        graphs = [template.to_networkx() for template in (one, other)]
        for graph, template in zip(graphs, (one, other), strict=True):
            for node in graph:
                graph.nodes[node]["kind"] = (node == 0, template.labels[node])
        expected = one.directed == other.directed and nx.is_isomorphic(
            *graphs, node_match=lambda u, v: u["kind"] == v["kind"]
        )
        assert one.is_isomorphic(other) is expected


def test_every_node_of_the_canonical_form_hangs_on_an_earlier_one() -> None:
    for template in all_templates(5):
        assert template.canonical_order == (0, 1, 2, 3, 4)
        joined = {max(edge) for edge in template.edges}
        assert joined == {1, 2, 3, 4}


def test_the_largest_groups() -> None:
    clique = Template(list(itertools.combinations(range(8), 2)))
    assert clique.num_automorphisms == 5040
    assert clique.roles == ((0,), (1, 2, 3, 4, 5, 6, 7))
