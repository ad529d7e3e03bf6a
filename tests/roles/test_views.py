"""Other views of the same instances agree with brute force: sets by name, lists, totals."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn.graph import Graph
from grape_gnn.roles import count_instances, ego_ae_sets, ego_role_counts, instances, match
from grape_gnn.template import Template
from grape_gnn.testing import (
    brute_force_instances,
    brute_force_roles,
    random_graph,
    random_template,
)

FAMILIES = ["sparse", "dense", "hubs", "labelled"]
seeds = pytest.mark.parametrize("seed", range(16))
directions = pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
inducing = pytest.mark.parametrize("induced", [False, True], ids=["non-induced", "induced"])


def named_case(seed: int, directed: bool) -> tuple[Graph, Template]:
    family = FAMILIES[seed % len(FAMILIES)]
    plain = random_graph(family, 9, seed, directed)
    labels = 2 if family == "labelled" else 0
    edges = plain.edge_array()
    graph = Graph.from_edges(
        edges[:, 0],
        edges[:, 1],
        num_nodes=9,
        directed=directed,
        y=plain.y,
        names=[f"person {k}" for k in range(9)],
        label_names=plain.label_names,
    )
    return graph, random_template(seed, max_nodes=5, directed=directed, labels=labels)


@seeds
@directions
@inducing
def test_ego_ae_sets(seed, directed, induced):
    graph, template = named_case(seed, directed)
    roles = brute_force_roles(graph, template, weighting="set", induced=induced)
    for ego in range(graph.num_nodes):
        expected = [{f"person {u}" for u in np.flatnonzero(role[ego])} for role in roles]
        assert ego_ae_sets(graph, template, f"person {ego}", induced=induced) == expected


@seeds
@directions
@inducing
def test_ego_role_counts(seed, directed, induced):
    graph, template = named_case(seed, directed)
    roles = brute_force_roles(graph, template, induced=induced)
    for ego in range(graph.num_nodes):
        expected = [
            {f"person {u}": role[ego, u] for u in np.flatnonzero(role[ego])} for role in roles
        ]
        assert ego_role_counts(graph, template, f"person {ego}", induced=induced) == expected


def smallest_map(template: Template, image: tuple[str, ...]) -> tuple[str, ...]:
    return min(tuple(image[a] for a in g) for g in template.automorphisms)


@seeds
@directions
@inducing
def test_instances(seed, directed, induced):
    graph, template = named_case(seed, directed)
    expected = [
        tuple(f"person {v}" for v in instance)
        for instance in brute_force_instances(graph, template, induced)
    ]
    found = [smallest_map(template, i) for i in instances(graph, template, induced=induced)]
    assert sorted(found) == sorted(expected)
    for ego in range(graph.num_nodes):
        around = instances(graph, template, f"person {ego}", induced=induced)
        assert sorted(smallest_map(template, i) for i in around) == sorted(
            i for i in expected if i[0] == f"person {ego}"
        )


@seeds
@directions
@inducing
def test_count_instances(seed, directed, induced):
    graph, template = named_case(seed, directed)
    egos = [instance[0] for instance in brute_force_instances(graph, template, induced)]
    expected = np.bincount(egos, minlength=graph.num_nodes)
    totals = count_instances(graph, [template], induced=induced)
    np.testing.assert_array_equal(totals, expected[:, None])


def test_members_of_an_operator_are_those_of_the_matrix():
    graph, template = named_case(1, False)
    for role in match(graph, [template])[0]:
        matrix = role.to_scipy().toarray()
        for ego in range(graph.num_nodes):
            expected = {f"person {u}": int(matrix[ego, u]) for u in np.flatnonzero(matrix[ego])}
            assert role.members(f"person {ego}") == expected
