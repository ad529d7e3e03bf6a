"""Algebraic roles behave like the matrices they stand for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy import sparse

from grape_gnn.errors import BudgetExceededError, MatchError
from grape_gnn.graph import Graph
from grape_gnn.roles import RoleOperator, match
from grape_gnn.roles.algebra import AlgebraicRole, algebra_roles, multiply_roles
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.template import Template
from grape_gnn.template.zoo import all_templates, templates
from grape_gnn.testing import gnp

GRAPH = gnp(60, 0.15, seed=4)
NAMES = ["3-path", "4-path", "triangle", "tailed-triangle", "4-cycle", "diamond", "house"]


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return Evaluator(GRAPH)


def roles_of(evaluator: Evaluator, name: str) -> list[AlgebraicRole]:
    template = templates(name)[0]
    return [AlgebraicRole(evaluator, template, j) for j in range(1, template.num_roles)]


def roles(graph: Graph, name: str, settings: MatchSettings) -> Sequence[RoleOperator]:
    return algebra_roles(Evaluator(graph, settings), templates(name)[0], settings)[1:]


@pytest.mark.parametrize("name", NAMES)
def test_equal_to_enumeration(evaluator, name):
    found = match(GRAPH, name, engine="enumerate")[0]
    for role, matrix in zip(roles_of(evaluator, name), found[1:], strict=True):
        written = role.to_scipy()
        assert (written != matrix.to_scipy()).nnz == 0
        assert written.dtype == np.int64
        assert written.nnz <= role.nnz
        assert np.array_equal(role.totals(), found.totals)
        assert np.array_equal(role.T.totals(), found.totals)
        assert np.array_equal(role.diagonal(), matrix.diagonal())
        assert role.members(3) == matrix.members(3)
        assert role.T.members(3) == matrix.T.members(3)
        assert role.shape == matrix.shape


def test_roles_next_to_the_anchor_are_one_value_per_edge(evaluator):
    for name, local in {"4-path": [True, False, False], "diamond": [True, True]}.items():
        for role, is_local in zip(roles_of(evaluator, name), local, strict=True):
            values = role.edge_values()
            assert (values is not None) == is_local
            if values is not None:
                rows = (values, GRAPH.indices, GRAPH.indptr)
                assert (sparse.csr_array(rows, role.shape) != role.to_scipy()).nnz == 0
                assert role.nnz == role.to_scipy().nnz


def test_directed_edge_values_follow_the_out_arcs():
    graph = gnp(30, 0.2, seed=3, directed=True)
    out, into = (AlgebraicRole(Evaluator(graph), Template(t), 1) for t in ("0>1", "1>0"))
    assert out.edge_values() is not None
    assert into.edge_values() is None


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.int32])
def test_vectors_and_matrices_of_any_type(evaluator, dtype):
    features = np.random.default_rng(0).integers(-9, 9, (60, 5)).astype(dtype)
    for role in roles_of(evaluator, "4-path"):
        exact = role.to_scipy() @ features.astype(np.int64)
        product = role @ features
        assert np.array_equal(product, exact)
        assert product.dtype == (dtype if np.issubdtype(dtype, np.floating) else np.int64)
        assert np.array_equal(role @ features[:, 0], exact[:, 0])
        assert np.array_equal(role @ np.asfortranarray(features), exact)


def test_products_of_many_roles_share_their_work(evaluator):
    roles = [role for name in NAMES for role in roles_of(evaluator, name)]
    features = np.random.default_rng(2).standard_normal((60, 3))
    together = multiply_roles(roles, features)
    for role, product in zip(roles, together, strict=True):
        assert np.allclose(product, role @ features, rtol=1e-12, atol=1e-9)
    assert multiply_roles([], features) == []


def test_threads_change_nothing():
    one = Evaluator(GRAPH, MatchSettings(threads=1))
    two = Evaluator(GRAPH, MatchSettings(threads=2))
    for name in NAMES:
        for a, b in zip(roles_of(one, name), roles_of(two, name), strict=True):
            assert (a.to_scipy() != b.to_scipy()).nnz == 0


def test_features_with_the_wrong_number_of_rows(evaluator):
    role = roles_of(evaluator, "3-path")[1]
    with pytest.raises(MatchError, match=r"60 nodes by an array of shape \(59,\)"):
        role @ np.ones(59)


def test_writing_out_respects_the_memory_budget(evaluator):
    role = roles_of(evaluator, "3-path")[1]
    with pytest.raises(
        BudgetExceededError, match=r"1000 bytes .* multiply by the operator"
    ) as stop:
        role.to_scipy(memory=1000)
    assert stop.value.kind == "memory"


@pytest.mark.parametrize("name", ["4-cycle", "diamond", "5-path"])
def test_pairs_that_do_not_fit_are_streamed_with_the_same_result(evaluator, name):
    features = np.random.default_rng(3).integers(-9, 9, (60, 4))
    tight = roles(GRAPH, name, MatchSettings(bytes=80_000))
    for small, role in zip(tight, roles_of(evaluator, name), strict=True):
        for one, other in ((small, role), (small.T, role.T)):
            assert np.array_equal(one @ features, other.to_scipy() @ features)
            assert np.array_equal(one @ features.astype(np.float32), other.to_scipy() @ features)
        assert np.array_equal(small.totals(), role.totals())


def test_a_search_through_pairs_that_do_not_fit_is_refused():
    with pytest.raises(BudgetExceededError, match="memory budget of 1000 bytes") as stop:
        roles(GRAPH, "house", MatchSettings(bytes=1000))
    assert stop.value.kind == "memory"


@pytest.mark.parametrize("size", [4, 5, 6])
def test_trees_hold_nothing_denser_than_the_graph(size):
    graph = gnp(40, 0.2, seed=1)
    evaluator = Evaluator(graph)
    features = np.ones((40, 2))
    trees = [t for t in all_templates(size, directed=False) if len(t.edges) == size - 1]
    for tree in trees:
        for number in range(1, tree.num_roles):
            role = AlgebraicRole(evaluator, tree, number).prepare()
            role @ features
            role.T @ features
    assert evaluator.densest == len(graph.indices)


def test_no_time_left():
    with pytest.raises(BudgetExceededError, match=r"time budget of 0 s"):
        roles(gnp(400, 0.5, seed=0), "4-cycle", MatchSettings(seconds=0.0))


def test_the_time_limit_ends_with_the_matching():
    graph = gnp(40, 0.4, seed=2)
    diamond = roles(graph, "diamond", MatchSettings(seconds=60.0))
    assert diamond[0].T.row_sums().sum() == diamond[0].row_sums().sum()
    assert diamond[0].evaluator.limits[0] is None


def test_induced_templates_with_many_open_pairs_are_refused():
    with pytest.raises(MatchError, match=r"leaves more than 6 pairs open: use engine='enumerate'"):
        roles(GRAPH, "0-1 1-2 2-3 3-4 4-5", MatchSettings(induced=True))


def test_a_directed_template_on_an_undirected_graph_is_refused():
    with pytest.raises(MatchError, match="is directed but the graph is undirected"):
        roles(GRAPH, "0>1", MatchSettings())


@pytest.mark.parametrize("name", ["4-path", "diamond"])
def test_set_weighting_is_whether_a_count_is_positive(name):
    sets = roles(GRAPH, name, MatchSettings(weighting="set"))
    found = match(GRAPH, name, weighting="set", engine="enumerate")[0]
    for role, matrix in zip(sets, found[1:], strict=True):
        assert (role.to_scipy() != matrix.to_scipy()).nnz == 0


def test_members_go_by_name():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], names=["ann", "bob", "cat", "dan"])
    end = AlgebraicRole(Evaluator(graph), Template("0-1 1-2"), 2)
    assert end.members("ann") == {"cat": 1}
    assert repr(end) == "AlgebraicRole('0-1 1-2', role=2, shape=(4, 4))"


def test_what_is_forgotten_is_computed_again():
    graph = gnp(30, 0.3, 1)
    roles = match(graph, "edge,triangle,tailed-triangle,4-cycle", engine="algebra")
    operators = [operator for found in roles for operator in found[1:]]
    before = [operator.to_scipy().toarray() for operator in operators]
    evaluator = operators[-1].evaluator
    held = evaluator.stored_bytes
    operators[-1].forget()
    assert evaluator.stored_bytes < held
    for operator, expected in zip(operators, before, strict=True):
        assert (operator.to_scipy().toarray() == expected).all()
