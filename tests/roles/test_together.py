"""`TemplateRoles @ features`: the products of all roles at once are those of each by itself."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from grape_gnn.errors import MatchError
from grape_gnn.graph import Graph
from grape_gnn.roles import match
from grape_gnn.roles.operator import MatrixRole
from grape_gnn.roles.result import TemplateRoles
from grape_gnn.testing import gnp

GRAPH = gnp(40, 0.2, seed=3)
ENGINES = ["algebra", "enumerate"]
NAMES = ["edge", "3-path", "4-path", "tailed-triangle"]


def roles_of(name: str, engine: str, graph: Graph = GRAPH) -> TemplateRoles:
    return match(graph, name, engine=engine)[0]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("shape", [(40,), (40, 5)])
def test_integers_and_double_precision_are_the_same_to_the_last_bit(engine, name, dtype, shape):
    roles = roles_of(name, engine)
    features = np.random.default_rng(1).integers(-50, 50, shape).astype(dtype)
    products = roles @ features
    assert isinstance(products, tuple)
    for role, product in zip(roles, products, strict=True):
        alone = role @ features
        assert product.dtype == alone.dtype
        assert np.array_equal(product, alone)
        assert not np.shares_memory(product, features)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", NAMES)
def test_single_precision_stays_so(engine, name):
    roles = roles_of(name, engine)
    features = np.random.default_rng(2).standard_normal((40, 19)).astype(np.float32)
    for role, product in zip(roles, roles @ features, strict=True):
        assert product.dtype == np.float32
        assert np.allclose(product, role.to_scipy() @ features.astype(float), rtol=1e-5, atol=1e-3)


def test_stored_and_computed_roles_may_be_mixed():
    computed = roles_of("3-path", "algebra")
    stored = MatrixRole(GRAPH, computed.template, 1, computed[1].to_scipy())
    mixed = TemplateRoles(computed.template, [computed[0], stored, computed[2]], computed.totals)
    features = np.arange(40)
    for product, expected in zip(mixed @ features, computed @ features, strict=True):
        assert np.array_equal(product, expected)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", NAMES)
def test_gradients_against_finite_differences(engine, name):
    roles = roles_of(name, engine, gnp(9, 0.5, seed=5))
    features = torch.randn(9, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(roles.__matmul__, (features,))


@pytest.mark.parametrize("engine", ENGINES)
def test_products_that_nobody_uses_leave_no_gradient(engine):
    roles = roles_of("3-path", engine)
    features = torch.randn(40, 3, requires_grad=True)
    products = roles @ features
    assert [product.dtype for product in products] == [torch.float32] * 3
    products[2].sum().backward()
    expected = roles[2].T @ np.ones((40, 3))
    assert features.grad is not None
    assert np.allclose(features.grad.numpy(), expected)


@pytest.mark.parametrize("features", [np.ones(39), torch.ones(39)], ids=["numpy", "torch"])
def test_features_of_another_graph_are_refused(features):
    with pytest.raises(MatchError, match=r"40 nodes .* shape \(39,\): it needs one row per node"):
        roles_of("3-path", "algebra") @ features
