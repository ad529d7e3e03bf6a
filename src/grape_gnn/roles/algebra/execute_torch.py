"""The role algebra on any torch device.

On the CPU, tensors go through the compiled kernels (see `multiply`); elsewhere the same stored
factors are kept on the tensor's device and multiplied there. Both widen single precision to
double precision for the sums. Gradients are products with the transposed operator, whose
factors are prepared once.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch

from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.expression import Matrix
from grape_gnn.roles.algebra.share import Local, Product, WeightSum

if TYPE_CHECKING:
    from grape_gnn.roles.algebra.operator import AlgebraicRole

__all__ = ["multiply_tensor"]


def multiply_tensor(role: AlgebraicRole, features: torch.Tensor) -> torch.Tensor:
    """Multiply a role by a tensor on its own device, with gradients.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> from grape_gnn.roles.algebra.operator import AlgebraicRole
    >>> from grape_gnn.template import Template
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> end = AlgebraicRole(Evaluator(path), Template("0-1 1-2"), 2)
    >>> multiply_tensor(end, torch.tensor([1.0, 10.0, 100.0, 1000.0]))
    tensor([ 100., 1000.,    1.,   10.])
    """
    product: torch.Tensor = _DeviceProduct.apply(features, role)  # type: ignore[no-untyped-call]
    return product


class _DeviceProduct(torch.autograd.Function):
    """Forward by the operator, backward by its transpose."""

    @staticmethod
    def forward(ctx: Any, features: torch.Tensor, role: AlgebraicRole) -> torch.Tensor:
        ctx.role = role
        return _run(role, features)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None]:
        return _run(ctx.role.T, gradients[0]), None


def _run(role: AlgebraicRole, features: torch.Tensor) -> torch.Tensor:
    dense = features.detach().reshape(features.shape[0], -1).double()
    copies = _DeviceCopies.of(role.evaluator, features.device)
    plan = role.plan
    out = torch.zeros_like(dense)
    if plan.diagonal is not None:
        out += copies.scaled(plan.diagonal, dense)
    for product in plan.products:
        out += copies.applied(product, dense)
    return (out / plan.divisor).to(features.dtype).reshape(features.shape)


class _DeviceCopies:
    """Stored factors and diagonals of one graph on one device."""

    def __init__(self, evaluator: Evaluator, device: torch.device) -> None:
        self.evaluator = evaluator
        self.device = device
        self._factors: dict[Matrix | Local, torch.Tensor] = {}
        self._weights: dict[WeightSum, torch.Tensor | None] = {}

    @classmethod
    def of(cls, evaluator: Evaluator, device: torch.device) -> _DeviceCopies:
        by_device = _KNOWN.setdefault(evaluator, {})
        if device not in by_device:
            by_device[device] = cls(evaluator, device)
        return by_device[device]

    def factor(self, expression: Matrix | Local) -> torch.Tensor:
        if expression not in self._factors:
            stored = self.evaluator.factor(expression)
            n = stored.pattern.num_rows
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta")
                self._factors[expression] = torch.sparse_csr_tensor(
                    torch.tensor(stored.pattern.ptr),
                    torch.tensor(stored.pattern.idx, dtype=torch.int64),
                    torch.tensor(stored.values().floats),
                    size=(n, n),
                    check_invariants=False,
                ).to(self.device)
        return self._factors[expression]

    def scaled(self, weights: WeightSum, dense: torch.Tensor) -> torch.Tensor:
        if weights not in self._weights:
            numbers = self.evaluator.weights(weights)
            self._weights[weights] = (
                None if numbers is None else torch.tensor(numbers.floats).to(self.device)
            )
        scale = self._weights[weights]
        return dense if scale is None else scale[:, None] * dense

    def applied(self, product: Product, dense: torch.Tensor) -> torch.Tensor:
        dense = self.scaled(product.diagonals[-1], dense)
        for factor, weights in zip(product.factors[::-1], product.diagonals[-2::-1], strict=True):
            dense = self.scaled(weights, self.factor(factor) @ dense)
        return dense


_KNOWN: WeakKeyDictionary[Evaluator, dict[torch.device, _DeviceCopies]] = WeakKeyDictionary()
