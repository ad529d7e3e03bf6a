"""Planted roles are what they claim: unseen by colour refinement, seen by Ego-AE roles."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.datasets import planted_roles
from grape_gnn.datasets.synthetic_roles import FAMILIES
from grape_gnn.errors import DatasetError
from grape_gnn.graph import Graph
from grape_gnn.roles import automorphism_orbits

SHAPES = [shape for family in FAMILIES for shape in family]


def role_counts(graph):
    """Return how often each node meets each role of the social set, one row per node."""
    matches = grape.match(graph, grape.templates("social"))
    return np.stack([role.row_sums() for template in matches for role in template[1:]], axis=1)


@pytest.fixture(scope="module")
def graph():
    return planted_roles(seed=0)


def test_size_and_classes(graph):
    assert (graph.num_nodes, graph.num_edges) == (1920, 3520)
    assert (graph.x == 1).all()
    assert graph.x.shape == (1920, 1)
    labels = {"base", *(label for shape in SHAPES for label in shape.labels)}
    assert set(graph.label_names) == labels
    assert np.bincount(graph.y).min() >= 25


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_roles_are_the_orbits_that_fix_the_root(shape):
    n = len(shape.roles)
    src, dst = np.array(shape.edges).T
    rooted = Graph.from_edges(src, dst, n, y=[0] + [1] * (n - 1), strict=True)
    orbits = automorphism_orbits(rooted, use_labels=True)
    first = {role: i for i, role in reversed(list(enumerate(shape.roles)))}
    assert orbits.tolist() == orbits[[first[role] for role in shape.roles]].tolist()
    assert len(np.unique(orbits)) == len(set(shape.roles))


def test_message_passing_cannot_tell_most_nodes_classes(graph, colour_refinement):
    colours = colour_refinement(graph)
    classes = Counter(zip(colours.tolist(), graph.y.tolist(), strict=True))
    by_colour = Counter(colour for colour, _ in classes)
    ambiguous = np.array([by_colour[c] > 1 for c in colours.tolist()])
    assert ambiguous.mean() == pytest.approx(2 / 3)
    # Guessing the commonest class of each colour is the best any function of colours can do.
    best = sum(max(k for (c, _), k in classes.items() if c == colour) for colour in by_colour)
    assert best / graph.num_nodes < 0.62


def test_role_counts_tell_every_class(graph):
    counts = role_counts(graph)
    classes_of = {}
    for row, label in zip(map(tuple, counts.tolist()), graph.y.tolist(), strict=True):
        classes_of.setdefault(row, set()).add(label)
    assert all(len(classes) == 1 for classes in classes_of.values())


def test_seed(graph):
    again = planted_roles(seed=0)
    np.testing.assert_array_equal(graph.indices, again.indices)
    np.testing.assert_array_equal(graph.y, again.y)
    other = planted_roles(seed=1)
    assert (graph.y != other.y).any()
    assert np.bincount(graph.y).tolist() == np.bincount(other.y).tolist()


def test_node_numbers_tell_nothing(graph):
    half = graph.num_nodes // 2
    base = graph.label_names.index("base")
    assert 0.4 < (graph.y[:half] == base).sum() / (graph.y == base).sum() < 0.6


@pytest.mark.parametrize(
    ("num_shapes", "reason"),
    [
        (10, "num_shapes=10 must be a multiple of 3"),
        (6, "num_shapes=6 must be at least 9"),
        (9.0, r"num_shapes=9\.0 must be a whole number"),
        (True, "num_shapes=True must be a whole number"),
    ],
)
def test_impossible_sizes(num_shapes, reason):
    with pytest.raises(DatasetError, match=reason):
        planted_roles(num_shapes=num_shapes)
