"""The cost model tells cheap blocks from dear ones; nothing here looks at a clock."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn.graph import Graph
from grape_gnn.roles.algebra import CostModel, choose_engine
from grape_gnn.roles.algebra.expression import Adjacency, Core, Ones, chain
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.template import Template
from grape_gnn.testing import gnp
from grape_gnn.zoo import templates

A = Adjacency("out")
TWO_STEPS = chain(A, A)
CROSSED = Template("0-1 0-2 1-3 1-4 2-3 2-4 3-4")


def ring(nodes: int, reach: int) -> Graph:
    """Join every node to the next `reach` ones, and every tenth edge to somewhere else."""
    heads = np.repeat(np.arange(nodes), reach)
    tails = (heads + np.tile(np.arange(1, reach + 1), nodes)) % nodes
    tails[::10] = np.random.default_rng(0).integers(0, nodes, len(tails[::10]))
    apart = heads != tails
    pairs = np.unique(np.sort(np.stack([heads[apart], tails[apart]]), axis=0), axis=1)
    return Graph.from_edges(*pairs)


def block(link: object) -> Core:
    """Return two terminals with two inner nodes between them; the last link is given."""
    links = ((0, 2, A), (0, 3, A), (2, 3, A), (1, 2, A), (1, 3, link))
    return Core(4, links, (Ones(),) * 4)


def test_a_dense_link_costs_more_than_an_edge():
    model = CostModel(gnp(300, 0.2, seed=1))
    pairs = model.prepare([TWO_STEPS]).seconds  # forming them is not what this is about
    dense, sparse = (model.prepare([block(link)]).seconds for link in (TWO_STEPS, A))
    assert dense - pairs > 1.5 * sparse


def test_long_rows_of_bits_are_not_free():
    # The same neighbourhoods in a graph five times as large: five times the work, or more.
    small, large = (
        CostModel(ring(nodes, 10)).prepare([block(A)]).seconds for nodes in (2000, 10000)
    )
    assert large > 4.5 * small


@pytest.mark.parametrize(
    ("name", "role", "engine"),
    [("house", 1, "algebra"), ("house", 2, "algebra"), ("diamond", 2, "algebra")],
)
def test_blocks_that_the_algebra_sums_faster(name, role, engine):
    # Measured on this graph: the house's roles 20 and 200 ms against 600 ms by enumeration.
    model = CostModel(ring(3000, 10))
    assert choose_engine(model, templates(name)[0], role, MatchSettings()) == engine


@pytest.mark.parametrize("nodes", [3000, 24000])
def test_a_search_through_pairs_of_pairs_is_left_to_enumeration(nodes):
    # Measured on 3000 nodes: the far pair takes 3.6 s by search and 0.5 s by enumeration.
    model = CostModel(ring(nodes, 10))
    assert choose_engine(model, CROSSED, 2, MatchSettings()) == "enumerate"
    assert choose_engine(model, CROSSED, 1, MatchSettings()) == "algebra"


def test_a_graph_without_edges_costs_nothing():
    model = CostModel(Graph.from_edges([], [], num_nodes=5))
    assert model.prepare([block(TWO_STEPS)]).seconds == 0.0
