"""The proof: every small template, every anchor, every role, against brute force.

Undirected up to six nodes, directed up to four: the operator applied to the identity, its
transpose and the written-out matrix must equal the brute-force counts to the last count.
"""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn.graph import Graph
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.operator import AlgebraicRole
from grape_gnn.template import Template
from grape_gnn.template.zoo import all_templates
from grape_gnn.testing import brute_force_roles, random_graph, random_template

UNDIRECTED_GRAPHS = [
    ("sparse", 8, 1),
    ("dense", 7, 2),
    ("hubs", 8, 3),
    ("disconnected", 8, 4),
    ("bipartite", 8, 5),
    ("complete", 6, 0),
]
DIRECTED_GRAPHS = [("sparse", 8, 5), ("reciprocal", 7, 6), ("dense", 6, 7)]


def disagreements(graph: Graph, templates: list[Template]) -> list[str]:
    """Name every role whose operator differs from brute force in any of its forms."""
    evaluator = Evaluator(graph)
    identity = np.eye(graph.num_nodes, dtype=np.int64)
    wrong = []
    for template in templates:
        expected = brute_force_roles(graph, template)
        for number in range(1, template.num_roles):
            role = AlgebraicRole(evaluator, template, number)
            forms = {
                "integers": role @ identity,
                "floats": role @ identity.astype(np.float64),
                "transpose": (role.T @ identity).T,
                "written out": role.to_scipy().toarray(),
            }
            wrong += [
                f"{template.text} role {number}, {form}"
                for form, counts in forms.items()
                if not np.array_equal(counts, expected[number])
            ]
            if not np.array_equal(role.row_sums(), expected[number].sum(axis=1)):
                wrong.append(f"{template.text} role {number}, row sums")
    return wrong


@pytest.mark.parametrize(("family", "nodes", "seed"), UNDIRECTED_GRAPHS)
def test_all_undirected_templates_up_to_five_nodes(family, nodes, seed):
    templates = [t for size in range(2, 6) for t in all_templates(size, directed=False)]
    assert len(templates) == 1 + 3 + 11 + 58
    assert disagreements(random_graph(family, nodes, seed), templates) == []


def test_all_undirected_templates_with_six_nodes():
    templates = all_templates(6, directed=False)
    assert len(templates) == 407  # rooted connected graphs
    assert disagreements(random_graph("dense", 7, 8), templates) == []


@pytest.mark.parametrize(("family", "nodes", "seed"), DIRECTED_GRAPHS)
def test_all_directed_templates_up_to_four_nodes(family, nodes, seed):
    templates = [t for size in range(2, 5) for t in all_templates(size, directed=True)]
    assert len(templates) == 3 + 30 + 697
    assert disagreements(random_graph(family, nodes, seed, directed=True), templates) == []


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("directed", [False, True])
def test_larger_random_templates(seed, directed):
    template = random_template(100 + seed, max_nodes=6, directed=directed)
    assert disagreements(random_graph("dense", 7, seed, directed), [template]) == []


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("directed", [False, True])
def test_labelled_templates(seed, directed):
    template = random_template(seed, max_nodes=5, directed=directed, labels=2)
    graph = random_graph("labelled", 8, seed, directed)
    assert disagreements(graph, [template]) == []


@pytest.mark.parametrize("family", ["complete", "empty", "disconnected"])
@pytest.mark.parametrize("nodes", [0, 1, 2, 5])
def test_extreme_graphs(family, nodes):
    templates = [t for size in range(2, 5) for t in all_templates(size, directed=False)]
    assert disagreements(random_graph(family, nodes, 0), templates) == []
