"""Generated tasks need a role: degree and neighbours do not solve them, the right counts do."""

from __future__ import annotations

import zlib
from collections import Counter

import numpy as np
import pytest
from scipy.spatial import cKDTree

import grape_gnn as grape
from grape_gnn import datasets
from grape_gnn.errors import DatasetError, MatchError, UnknownTemplateError

TASKS = ["role-quartile", "heterophilous-roles", "power-law-roles", "directed-roles"]
TRIANGLES = [
    "directed-3-cycle", "feed-forward-source", "feed-forward-middle", "feed-forward-target",
]  # fmt: skip


@pytest.fixture(scope="module")
def graphs():
    return {name: datasets.load(name) for name in TASKS}


def accuracy(features, labels):
    """Score a vote of the nine nearest: every other node is known, the rest are asked for."""
    columns = np.asarray(features, float).reshape(len(labels), -1)
    scaled = (columns - columns.mean(axis=0)) / (columns.std(axis=0) + 1e-9)
    _, nearest = cKDTree(scaled[::2]).query(scaled[1::2], k=9)
    votes = np.eye(labels.max() + 1)[labels[::2][nearest]].sum(axis=1)
    return (votes.argmax(axis=1) == labels[1::2]).mean()


def log_degrees(graph):
    if not graph.directed:
        return np.log1p(graph.degrees)
    return np.log1p(np.stack([np.diff(graph.indptr), np.diff(graph.in_indptr)], axis=1))


def log_totals(graph, templates):
    return np.log1p(np.stack([role.totals for role in grape.match(graph, templates)], axis=1))


@pytest.mark.parametrize(
    ("name", "chance"),
    [
        ("role-quartile", 0.25),
        ("heterophilous-roles", 0.25),
        ("power-law-roles", 0.48),  # the degree tells hubs, and most rims from the base
        ("directed-roles", 1 / 3),
    ],
)
def test_degrees_do_not_solve_it(graphs, name, chance):
    assert accuracy(log_degrees(graphs[name]), graphs[name].y) < chance + 0.05


@pytest.mark.parametrize(
    ("name", "templates", "least"),
    [
        ("role-quartile", ["triangle"], 0.95),
        ("power-law-roles", "social", 0.97),
        ("directed-roles", TRIANGLES, 0.97),
    ],
)
def test_role_counts_solve_it(graphs, name, templates, least):
    assert accuracy(log_totals(graphs[name], templates), graphs[name].y) > least


@pytest.mark.parametrize("template", ["4-cycle", "4-clique"])
def test_quartiles_of_other_templates(template):
    g = datasets.role_quartile(template=template, seed=1)
    assert np.bincount(g.y).min() > 0.2 * g.num_nodes
    totals = grape.match(g, template)[0].totals
    # The classes are ranges of counts, in order.
    tops = [totals[g.y == quarter].max() for quarter in range(4)]
    bottoms = [totals[g.y == quarter].min() for quarter in range(4)]
    assert all(top < bottom for top, bottom in zip(tops[:3], bottoms[1:], strict=True))


def test_quartiles_are_on_a_regular_graph_which_message_passing_sees_nothing_of(graphs):
    assert set(graphs["role-quartile"].degrees.tolist()) == {12}
    assert (graphs["role-quartile"].x == 1).all()


def test_opposite_corners_help_and_neighbours_do_not(graphs):
    g = graphs["heterophilous-roles"]
    edge, square = grape.match(g, ["edge", "4-cycle"])
    around = edge[1] @ g.x
    two_steps = edge[1] @ around
    opposite = (square @ g.x)[2]
    own = accuracy(g.x, g.y)
    assert 0.5 < own < 0.65
    assert accuracy(around, g.y) < 0.3
    assert accuracy(np.hstack([g.x, around]), g.y) < own + 0.02
    assert accuracy(np.hstack([g.x, around, two_steps]), g.y) < 0.75
    assert accuracy(np.hstack([g.x, opposite]), g.y) > 0.85


def test_neighbours_are_equal_by_chance_opposite_corners_by_design(graphs):
    g = graphs["heterophilous-roles"]
    ones = np.eye(4)[g.y]
    edge, square = grape.match(g, ["edge", "4-cycle"])
    equal = {
        "neighbours": (ones * (edge[1] @ ones)).sum() / (edge[1] @ ones).sum(),
        "opposites": (ones * (square @ ones)[2]).sum() / (square @ ones)[2].sum(),
    }
    assert equal["neighbours"] == pytest.approx(0.25, abs=0.02)
    assert equal["opposites"] > 0.9


def test_without_noise_the_features_are_the_classes():
    g = datasets.heterophilous_roles(num_nodes=200, noise=0)
    assert g.x.tolist() == np.eye(4)[g.y].tolist()


def test_power_law_and_what_message_passing_can_reach_on_it(graphs, colour_refinement):
    g = graphs["power-law-roles"]
    base = g.degrees[g.y == g.label_names.index("base")]
    assert base.size == 1000
    assert base.max() > 10 * base.mean()
    classes = Counter(zip(colour_refinement(g).tolist(), g.y.tolist(), strict=True))
    best = Counter()
    for (colour, _), members in classes.items():
        best[colour] = max(best[colour], members)
    # The commonest class of each colour: no function of colours is right more often.
    assert best.total() == 1000 + 40 * (7 + 9)
    assert best.total() / g.num_nodes < 0.625


def test_directed_triangles_differ_in_their_directions_alone(graphs):
    g = graphs["directed-roles"]
    assert set(np.diff(g.indptr).tolist()) == {6} == set(np.diff(g.in_indptr).tolist())
    assert not grape.match(g, "bi-direct")[0].totals.any()
    counts = np.stack([role.totals for role in grape.match(g, TRIANGLES)], axis=1)
    assert (counts.sum(axis=1) >= 6).all()
    assert accuracy(counts.sum(axis=1), g.y) < 0.45
    expected = {"feedback": (6, 0, 0, 0), "mixed": (3, 1, 1, 1), "feed-forward": (0, 2, 2, 2)}
    for name, planted in expected.items():
        members = counts[g.y == g.label_names.index(name)]
        assert (members >= planted).all()
        assert (members == planted).all(axis=1).mean() > 0.6


@pytest.mark.parametrize("name", TASKS)
def test_seed(graphs, name):
    again, other = datasets.load(name), datasets.load(name, seed=1)
    for part in ("indptr", "indices", "x", "y"):
        np.testing.assert_array_equal(getattr(again, part), getattr(graphs[name], part))
    assert not np.array_equal(other.indices, again.indices)


@pytest.mark.parametrize(
    ("name", "checksum"),
    [
        ("role-quartile", 518994260),
        ("heterophilous-roles", 1019367488),
        ("power-law-roles", 3264052980),
        ("directed-roles", 1661964553),
    ],
)
def test_a_seed_makes_the_same_graph_on_every_machine(graphs, name, checksum):
    edges, labels = graphs[name].indices.astype("<i4"), graphs[name].y.astype("<i1")
    assert zlib.crc32(edges.tobytes() + labels.tobytes()) == checksum


@pytest.mark.parametrize("name", TASKS)
def test_node_numbers_tell_nothing(graphs, name):
    assert accuracy(np.arange(graphs[name].num_nodes), graphs[name].y) < 0.4


@pytest.mark.parametrize(
    ("name", "options", "size"),
    [
        ("role-quartile", {"num_nodes": 200}, 200),
        ("heterophilous-roles", {"num_nodes": 200}, 200),
        ("power-law-roles", {"num_shapes": 10}, 132),
        ("directed-roles", {"num_nodes": 180}, 180),
    ],
)
def test_smallest_sizes(name, options, size):
    for seed in range(5):
        g = datasets.load(name, **options, seed=seed)
        assert g.num_nodes == size
        assert len(np.unique(g.y)) == datasets.info(name).num_classes


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("role-quartile", {"num_nodes": 199}, "num_nodes=199 must be at least 200"),
        ("role-quartile", {"num_nodes": 2e3}, r"num_nodes=2000\.0 must be a whole number"),
        ("role-quartile", {"seed": -1}, "seed=-1 must be at least 0"),
        ("role-quartile", {"template": "edge"}, "numbers of edge .* too much alike"),
        ("heterophilous-roles", {"num_nodes": 204}, "num_nodes=204 must be a multiple of 8"),
        ("heterophilous-roles", {"noise": -1}, "noise=-1 must be a number, at least 0"),
        ("power-law-roles", {"num_shapes": 5}, "num_shapes=5 must be at least 10"),
        ("power-law-roles", {"num_shapes": 12}, "num_shapes=12 must be a multiple of 5"),
        ("directed-roles", {"num_nodes": 182}, "num_nodes=182 must be a multiple of 9"),
        ("directed-roles", {"num_nodes": True}, "num_nodes=True must be a whole number"),
    ],
)
def test_impossible_options(name, options, reason):
    with pytest.raises(DatasetError, match=reason):
        datasets.load(name, **options)


def test_impossible_templates():
    with pytest.raises(UnknownTemplateError, match="triangel"):
        datasets.role_quartile(template="triangel")
    with pytest.raises(MatchError, match="directed"):
        datasets.role_quartile(template="directed-3-cycle")
