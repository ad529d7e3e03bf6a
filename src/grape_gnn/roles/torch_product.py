"""Role operators times torch tensors, with gradients.

The derivative of ``C h`` with respect to ``h`` is the product with the transpose, so the backward
pass is one more product with the operators ``C.T``, prepared once and reused by every step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch

from grape_gnn.errors import MatchError
from grape_gnn.roles.together import multiply_arrays

if TYPE_CHECKING:
    from grape_gnn.roles.operator import RoleOperator

__all__ = ["torch_products"]


class _Product(torch.autograd.Function):
    """Forward by all operators at once, backward by their transposes, added up."""

    @staticmethod
    def forward(
        ctx: Any, features: torch.Tensor, operators: Sequence[RoleOperator]
    ) -> tuple[torch.Tensor, ...]:
        ctx.operators = operators
        ctx.set_materialize_grads(False)  # products that nobody used cost nothing
        if features.device.type != "cpu":
            return tuple(operator.multiply_tensor(features) for operator in operators)
        products = multiply_arrays(operators, features.detach().numpy())
        return tuple(torch.from_numpy(product).to(features.dtype) for product in products)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor | None) -> tuple[torch.Tensor | None, None]:
        total = None
        for operator, gradient in zip(ctx.operators, gradients, strict=True):
            if gradient is not None:
                part = operator.T.multiply_tensor(gradient)
                total = part if total is None else total + part
        return total, None


def torch_products(
    operators: Sequence[RoleOperator], features: torch.Tensor
) -> tuple[torch.Tensor, ...]:
    """Multiply several role operators of one graph by the same tensor.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> path = grape.match(grape.Graph.from_edges([0, 1], [1, 2]), "3-path")[0]
    >>> h = torch.tensor([1.0, 10.0, 100.0], requires_grad=True)
    >>> ego, middle, end = path @ h
    >>> (ego + end).sum().backward()
    >>> h.grad
    tensor([2., 1., 2.])
    """
    nodes = operators[0].shape[1]
    if features.ndim not in (1, 2) or features.shape[0] != nodes:
        raise MatchError(
            f"cannot multiply a role of a graph with {nodes} nodes by a tensor of "
            f"shape {tuple(features.shape)}: it needs one row per node"
        )
    products: tuple[torch.Tensor, ...] = _Product.apply(features, operators)
    return products
