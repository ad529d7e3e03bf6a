"""Graphs too large for bit rows, where the kernels walk lists: the same counts as enumeration."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn.graph import Graph
from grape_gnn.roles import match
from grape_gnn.roles.algebra import AlgebraicRole
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.template import Template

NODES = 30_000  # a bit matrix of this size would not fit the kernels' limit


def dense_corner_in_a_sparse_graph(directed: bool) -> Graph:
    """Join a dense group of 40 nodes, a hub, and a sparse rest."""
    rng = np.random.default_rng(7)
    inner = np.argwhere(np.triu(rng.random((40, 40)) < 0.4, 1))
    hub = np.stack([np.zeros(300, np.int64), rng.choice(np.arange(40, NODES), 300, False)], 1)
    rest = rng.integers(0, NODES, (20_000, 2))
    edges = np.concatenate([inner, hub, rest])
    if directed:
        edges = np.concatenate([edges, inner[::3, ::-1]])
    edges = np.unique(edges[edges[:, 0] != edges[:, 1]], axis=0)
    if not directed:
        edges = np.unique(np.sort(edges, axis=1), axis=0)
    return Graph.from_edges(edges[:, 0], edges[:, 1], num_nodes=NODES, directed=directed)


TEMPLATES = [
    ("0-1 0-2 1-2", False),
    ("0-1 0-2 1-2 1-3", False),
    ("0-1 1-2 2-3 0-3", False),
    ("0-1 0-2 1-2 1-3 2-3", False),
    ("0-1 0-2 0-3 1-2 1-3 2-3 3-4", False),
    ("0-1 0-2 0-3 0-4 1-2 2-3 3-4 1-4", False),
    ("0>1 1>2 2>0", True),
    ("0>1 0>2 1<>2 3>0", True),
]


@pytest.fixture(scope="module")
def evaluators() -> dict[bool, Evaluator]:
    return {
        directed: Evaluator(dense_corner_in_a_sparse_graph(directed), MatchSettings(threads=2))
        for directed in (False, True)
    }


@pytest.mark.parametrize(("text", "directed"), TEMPLATES)
def test_equal_to_enumeration(evaluators, text, directed):
    evaluator, template = evaluators[directed], Template(text)
    found = match(evaluator.graph, [template], engine="enumerate", threads=1)[0]
    assert found.totals.sum() > 0
    for number in range(1, template.num_roles):
        role = AlgebraicRole(evaluator, template, number)
        assert (role.to_scipy() != found[number].to_scipy()).nnz == 0
        assert np.array_equal(role.totals(), found.totals)
