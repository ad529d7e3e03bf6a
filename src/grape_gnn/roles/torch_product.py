"""Role operators times torch tensors, with gradients.

The derivative of ``C h`` with respect to ``h`` is the product with the transpose, so the backward
pass is one more product with the operator ``C.T``, prepared once and reused by every step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from grape_gnn.errors import MatchError

if TYPE_CHECKING:
    from grape_gnn.roles.operator import RoleOperator

__all__ = ["torch_product"]


class _Product(torch.autograd.Function):
    """Forward by the operator, backward by its transpose."""

    @staticmethod
    def forward(ctx: Any, features: torch.Tensor, operator: RoleOperator) -> torch.Tensor:
        ctx.operator = operator
        return _apply(operator, features)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None]:
        return _apply(ctx.operator.T, gradients[0]), None


def _apply(operator: RoleOperator, features: torch.Tensor) -> torch.Tensor:
    product = operator.multiply(features.detach().cpu().numpy())
    return torch.from_numpy(product).to(device=features.device, dtype=features.dtype)


def torch_product(operator: RoleOperator, features: torch.Tensor) -> torch.Tensor:
    """Multiply a role operator by a tensor with one row per node.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> edge = grape.match(grape.Graph.from_edges([0, 1], [1, 2]), "edge")[0][1]
    >>> h = torch.tensor([1.0, 10.0, 100.0], requires_grad=True)
    >>> (edge @ h).sum().backward()
    >>> h.grad
    tensor([1., 2., 1.])
    """
    if features.ndim not in (1, 2) or features.shape[0] != operator.shape[1]:
        raise MatchError(
            f"cannot multiply a role of a graph with {operator.shape[1]} nodes by a tensor of "
            f"shape {tuple(features.shape)}: it needs one row per node"
        )
    product: torch.Tensor = _Product.apply(features, operator)  # type: ignore[no-untyped-call]
    return product
