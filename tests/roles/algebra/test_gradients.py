"""Gradients through algebraic roles, on both torch paths."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.execute_torch import multiply_tensor
from grape_gnn.roles.algebra.operator import AlgebraicRole
from grape_gnn.template import Template
from grape_gnn.testing import gnp

CASES = [
    ("0-1 1-2 2-3", 2, False),
    ("0-1 0-2 1-2 0-3", 2, False),
    ("0-1 1-2 2-3 0-3", 2, False),
    ("0-1 0-2 1-2 1-3 2-3", 2, False),
    ("0>1 2>1 2>3", 3, True),
]


def role_of(text: str, number: int, directed: bool) -> AlgebraicRole:
    graph = gnp(12, 0.4, seed=5, directed=directed)
    return AlgebraicRole(Evaluator(graph), Template(text), number)


@pytest.mark.parametrize(("text", "number", "directed"), CASES)
@pytest.mark.parametrize("path", ["kernels", "device"])
def test_against_finite_differences(text, number, directed, path):
    role = role_of(text, number, directed)
    multiply = role.__matmul__ if path == "kernels" else lambda h: multiply_tensor(role, h)
    features = torch.randn(12, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(multiply, (features,))


@pytest.mark.parametrize(("text", "number", "directed"), CASES)
def test_the_gradient_is_the_product_with_the_written_out_transpose(text, number, directed):
    role = role_of(text, number, directed)
    features = torch.randn(12, 4, requires_grad=True)
    weights = torch.randn(12, 4)
    (weights * (role @ features)).sum().backward()
    expected = role.to_scipy().T @ weights.double().numpy()
    assert features.grad is not None
    assert features.grad.dtype == torch.float32
    assert np.allclose(features.grad.numpy(), expected, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize(("text", "number", "directed"), CASES)
def test_both_paths_agree(text, number, directed):
    role = role_of(text, number, directed)
    for features in (torch.randn(12), torch.randn(12, 7), torch.randn(12, 2).double()):
        there = multiply_tensor(role, features)
        assert there.dtype == features.dtype
        assert torch.allclose(there, role @ features, rtol=1e-5, atol=1e-5)
