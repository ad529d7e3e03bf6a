"""The oracle itself, on graphs whose counts can be seen with bare eyes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grape_gnn.errors import DirectionMismatchError, MatchError
from grape_gnn.graph import Graph
from grape_gnn.template import Template
from grape_gnn.testing import brute_force_instances, brute_force_roles, complete, named, star


def test_instances_of_the_papers_example():
    # The appendix of the paper walks through these three templates on this graph.
    graph = named("paper")
    egos_at_v1 = {
        name: [i for i in brute_force_instances(graph, Template(text)) if i[0] == 0]
        for name, text in {
            "square": "0-1 0-2 1-3 2-3",
            "square with a tail": "0-1 0-2 1-3 2-3 3-4",
            "square with a chord": "0-1 0-2 1-3 2-3 1-2",
        }.items()
    }
    assert egos_at_v1 == {
        "square": [(0, 1, 2, 3), (0, 2, 6, 5)],
        "square with a tail": [(0, 1, 2, 3, 7)],
        "square with a chord": [(0, 1, 2, 3)],
    }


def test_non_induced_square_of_a_clique():
    # Each of the 4 nodes sees 3 squares on the same 4 nodes, although K4 has no induced one.
    square = Template("0-1 0-2 1-3 2-3")
    opposite = brute_force_roles(complete(4), square)[2]
    np.testing.assert_array_equal(opposite, np.ones((4, 4)) - np.eye(4))
    assert not brute_force_instances(complete(4), square, induced=True)


def test_counts_of_a_star():
    # Of the leaves of a 6-star taken three at a time, each leaf is in C(5, 2).
    roles = brute_force_roles(star(6), Template("0-1 0-2 0-3"))
    np.testing.assert_array_equal(roles[1][0], [0] + [math.comb(5, 2)] * 6)
    assert not roles[1][1:].any()


def test_set_weighting_only_says_whether():
    counts = brute_force_roles(star(6), Template("0-1 1-2"), weighting="count")
    sets = brute_force_roles(star(6), Template("0-1 1-2"), weighting="set")
    for count, member in zip(counts, sets, strict=True):
        np.testing.assert_array_equal(member, count > 0)
    assert counts[1].max() == 5  # a leaf reaches the five others through the centre


def test_the_anchor_role_is_the_identity_even_without_instances():
    roles = brute_force_roles(star(2), Template("0-1 1-2 0-2"))
    np.testing.assert_array_equal(roles[0], np.eye(3))
    assert not roles[1].any()


def test_labels_constrain_and_missing_labels_match_nothing():
    graph = Graph.from_edges([0, 0, 0], [1, 2, 3], y=["ego", "a", "b", None])
    labelled = brute_force_instances(graph, Template("0-1", labels=[None, "a"]))
    assert labelled == [(0, 1)]
    assert brute_force_instances(graph, Template("0-1", labels=["ego", None])) == [
        (0, 1),
        (0, 2),
        (0, 3),
    ]


def test_directed_triangle_is_not_its_reverse():
    cycle = Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True)
    assert brute_force_instances(cycle, Template("0>1 1>2 2>0")) == [
        (0, 1, 2),
        (1, 2, 0),
        (2, 0, 1),
    ]
    assert not brute_force_instances(cycle, Template("0>1 0>2 1>2"))


def test_a_graph_smaller_than_the_template_has_no_instance():
    for nodes in (0, 1, 2):
        roles = brute_force_roles(complete(nodes), Template("0-1 1-2"))
        assert [role.shape for role in roles] == [(nodes, nodes)] * 3
        assert not roles[1].any()


def test_mismatched_direction_is_refused():
    with pytest.raises(DirectionMismatchError, match="graph with directed=False"):
        brute_force_roles(star(2), Template("0>1"))


def test_too_large_a_graph_is_refused():
    with pytest.raises(MatchError, match=r"97,990,200 maps of 4 template nodes to 101"):
        brute_force_roles(star(100), Template("0-1 1-2 2-3"))


def test_unknown_weighting_is_refused():
    with pytest.raises(MatchError, match="unknown weighting 'mean'"):
        brute_force_roles(star(2), Template("0-1"), weighting="mean")
