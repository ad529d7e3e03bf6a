"""Products with float32 features stay within the error that the documentation promises."""

from __future__ import annotations

import numpy as np
import pytest

from grape_gnn.graph import Graph
from grape_gnn.roles.algebra import AlgebraicRole, multiply_roles
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates
from grape_gnn.testing import gnp, star

UNIT = 2.0**-24
HUBS = star(3000)
NAMES = ["edge", "3-path", "triangle", "tailed-triangle", "4-path", "diamond"]


def double_star(leaves: int) -> Graph:
    """Make two hubs that share every second leaf: folded walks cancel at all the others."""
    nodes = np.arange(2, leaves + 2)
    sources = np.concatenate([np.zeros(leaves), np.ones(leaves // 2)]).astype(np.int64)
    return Graph.from_edges(sources, np.concatenate([nodes, nodes[::2]]))


GRAPHS = {
    "dense": gnp(150, 0.3, seed=5),
    "sparse": gnp(400, 0.004, seed=6),
    "star": HUBS,
    "double star": double_star(2000),
    "no edges": Graph.from_edges([], [], num_nodes=9),
}


def exact_parts(role: AlgebraicRole, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return `C H` and `C |H|` from the matrix written out."""
    matrix, wide = role.to_scipy(), features.astype(np.float64)
    return matrix @ wide, matrix @ np.abs(wide)


@pytest.mark.parametrize("columns", [1, 3, 16, 33])
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS.keys())
def test_within_the_documented_bound(graph, columns):
    evaluator = Evaluator(graph)
    longest = graph.degrees.max(initial=0)
    rng = np.random.default_rng(columns)
    features = (rng.standard_normal((graph.num_nodes, columns)) * 100).astype(np.float32)
    features[::7] *= 1e4  # a few large neighbours hide many small ones
    # No term of the 4-path exceeds its unfolded walks, with a degree at the end or without.
    adjacency = AlgebraicRole(evaluator, Template("0-1"), 1).to_scipy().astype(np.float64)
    magnitudes = (1 + graph.degrees[:, None]) * np.abs(features).astype(np.float64)
    walks = 5 * (adjacency @ (adjacency @ (magnitudes + adjacency @ magnitudes)))
    for template in (found for name in NAMES for found in templates(name)):
        for number in range(1, template.num_roles):
            role = AlgebraicRole(evaluator, template, number)
            for way in (role, role.T):
                product = way @ features
                exact, size = exact_parts(way, features)
                assert product.dtype == np.float32
                if way.plan.is_one_step:
                    bound = 12 * UNIT * size
                elif way.plan.is_there_and_on:
                    own = np.abs(features) * way.row_sums()[:, None]
                    bound = 18 * UNIT * size + 9 * UNIT * own
                else:
                    bound = UNIT * np.abs(exact) + 3 * longest * 2.0**-53 * walks
                assert (np.abs(product - exact) <= bound * (1 + 1e-6)).all(), role


def test_walks_that_only_return_vanish_to_the_last_bit():
    ends = AlgebraicRole(Evaluator(HUBS), Template("0-1 1-2"), 2)
    features = np.random.default_rng(1).standard_normal((3001, 8)).astype(np.float32)
    hub = int(HUBS.degrees.argmax())
    assert not (ends @ features)[hub].any()  # 3000 walks to a leaf and back, none of them a path


def test_what_cancels_over_several_steps_is_summed_in_double_precision():
    # No 4-path leaves a leaf of a star, yet the terms A·A·A and A·D are 3000 there.
    ends = AlgebraicRole(Evaluator(HUBS), Template("0-1 1-2 2-3"), 3)
    features = np.random.default_rng(2).standard_normal((3001, 4)).astype(np.float32)
    assert np.abs(ends @ features).max() < 1e-6  # single precision would be off by 1e-4


def test_which_operators_are_which():
    evaluator = Evaluator(GRAPHS["dense"])
    kinds = {}
    for name in ("3-path", "4-path", "tailed-triangle"):
        template = templates(name)[0]
        plans = [AlgebraicRole(evaluator, template, j).plan for j in range(1, template.num_roles)]
        kinds[name] = [(plan.is_one_step, plan.is_there_and_on) for plan in plans]
    assert kinds["3-path"] == [(True, False), (False, True)]
    assert kinds["4-path"] == [(True, False), (False, False), (False, False)]
    assert all(kind == (True, False) for kind in kinds["tailed-triangle"])


@pytest.mark.parametrize("text", ["0>1 2>1", "1>0 1>2", "0>1 1>2"])
def test_directed_walks_that_return(text):
    graph = gnp(80, 0.2, seed=8, directed=True)
    features = np.random.default_rng(3).standard_normal((80, 20)).astype(np.float32)
    role = AlgebraicRole(Evaluator(graph), Template(text), 2)
    assert role.plan.is_there_and_on == (text != "0>1 1>2")
    for way in (role, role.T):
        exact, size = exact_parts(way, features)
        assert (np.abs(way @ features - exact) <= 40 * UNIT * (size + 1)).all()


def test_features_are_left_alone_and_need_no_order():
    evaluator = Evaluator(GRAPHS["dense"])
    features = np.random.default_rng(4).standard_normal((150, 24)).astype(np.float32)
    before = features.copy()
    roles = [AlgebraicRole(evaluator, Template("0-1 1-2"), role) for role in (1, 2)]
    together = multiply_roles(roles, features)
    assert np.array_equal(features, before)
    by_column = multiply_roles(roles, np.asfortranarray(features))
    for role, product, other in zip(roles, together, by_column, strict=True):
        assert np.array_equal(product, other)
        assert np.array_equal(role @ features, role @ np.asfortranarray(features))
        assert np.array_equal(product[:, 3], role @ features[:, 3]) or np.allclose(
            product[:, 3], role @ features[:, 3], rtol=1e-5, atol=1e-3
        )
    unaligned = np.empty(150 * 24 + 1, dtype=np.float32)[1:].reshape(150, 24)
    unaligned[:] = features
    assert np.array_equal(roles[0] @ unaligned, roles[0] @ features)
    assert np.array_equal(multiply_roles(roles, unaligned)[0], together[0])


@pytest.mark.parametrize("columns", [1, 3, 4, 15, 16, 17, 32, 40, 71])
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS.keys())
def test_two_products_of_one_pass_keep_the_bound(graph, columns):
    evaluator = Evaluator(graph)
    rng = np.random.default_rng(columns)
    features = (rng.standard_normal((graph.num_nodes, columns)) * 100).astype(np.float32)
    features[::7] *= 1e4
    middle, end = (AlgebraicRole(evaluator, Template("0-1 1-2"), role) for role in (1, 2))
    first = multiply_roles([middle, end], features)
    for product, other in zip(first, multiply_roles([end, middle], features)[::-1], strict=True):
        assert np.array_equal(product, other)
    exact, size = exact_parts(middle, features)
    assert (np.abs(first[0] - exact) <= 12 * UNIT * size * (1 + 1e-6)).all()
    exact, size = exact_parts(end, features)
    bound = 18 * UNIT * size + 9 * UNIT * np.abs(features) * end.row_sums()[:, None]
    assert (np.abs(first[1] - exact) <= bound * (1 + 1e-6)).all()


def test_one_pass_serves_every_role_that_needs_it():
    evaluator = Evaluator(GRAPHS["dense"])
    path, edge = Template("0-1 1-2"), Template("0-1")
    wanted = [(path, 2), (edge, 1), (path, 1), (path, 2), (path, 1)]
    roles = [AlgebraicRole(evaluator, template, role) for template, role in wanted]
    features = np.random.default_rng(7).standard_normal((150, 24)).astype(np.float32)
    products = multiply_roles(roles, features)
    for k, (role, product) in enumerate(zip(roles, products, strict=True)):
        assert np.allclose(product, role @ features, rtol=1e-5, atol=1e-2)
        assert not any(np.shares_memory(product, other) for other in products[k + 1 :])


@pytest.mark.parametrize("text", ["0>1 2>1", "1>0 1>2", "0>1 1>2"])
def test_directed_roles_share_a_pass_only_along_the_same_arcs(text):
    graph = gnp(80, 0.2, seed=8, directed=True)
    features = np.random.default_rng(3).standard_normal((80, 20)).astype(np.float32)
    evaluator = Evaluator(graph)
    roles = [AlgebraicRole(evaluator, Template(text), role) for role in (1, 2)]
    for ways in (roles, [role.T for role in roles]):
        for way, product in zip(ways, multiply_roles(ways, features), strict=True):
            exact, size = exact_parts(way, features)
            assert (np.abs(product - exact) <= 40 * UNIT * (size + 1)).all()
