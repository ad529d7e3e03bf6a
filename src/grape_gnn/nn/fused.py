"""The fused aggregation of eq. 2: all roles in few passes, with their derivatives.

    out[v, g] = t_g h[v] + sum over roles r of g: s[r, v] sum over members u: C_r[v, u] h[u]

`fused_product` runs compiled passes, one for all roles that share a sparsity; `plain_product` says
the same in torch operations. The plain form is the test oracle, and what runs on other devices
than the processor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from grape_gnn.nn.large_tensor import large_tensor
from grape_gnn.nn.structure import Structure

if TYPE_CHECKING:
    from grape_gnn.nn.role_values import RoleValues

__all__ = ["can_be_fused", "fused_backward", "fused_product", "plain_product"]


def fused_product(
    roles: RoleValues, ego: torch.Tensor, scale: torch.Tensor, features: torch.Tensor
) -> torch.Tensor:
    """Aggregate the features of all roles.

    Parameters
    ----------
    roles
        The roles, at least one of them stored.
    ego
        Weight of the ego's own features, one per group.
    scale
        Weight of every role and ego, shape (roles, egos).
    features
        Shape (nodes, columns), or (nodes, groups, columns) when every group has its own. The egos
        are the first nodes: all, but in a batch.

    Returns
    -------
    torch.Tensor
        Shape (egos, groups, columns).
    """
    if not can_be_fused(features):
        return plain_product(roles, ego, scale, features)
    product: torch.Tensor = _Fused.apply(ego, scale, features, roles)
    return product


def can_be_fused(features: torch.Tensor) -> bool:
    """Whether there are compiled passes for features of this kind."""
    return features.device.type == "cpu" and features.dtype in (torch.float32, torch.float64)


def plain_product(
    roles: RoleValues, ego: torch.Tensor, scale: torch.Tensor, features: torch.Tensor
) -> torch.Tensor:
    """Compute `fused_product` by torch operations, one role after the other."""
    blocks = [features if features.ndim == 2 else features[:, g] for g in range(ego.shape[0])]
    egos = scale.shape[1]
    out = [weight * h[:egos] for weight, h in zip(ego, blocks, strict=True)]
    for structure in roles.stored:
        rows, members, values = structure.tensors(features)
        numbers = zip(structure.role.tolist(), structure.group.tolist(), values, strict=True)
        for role, g, value in numbers:
            messages = (scale[role, rows] * value)[:, None] * blocks[g][members]
            out[g] = out[g].index_add(0, rows, messages)
    for role, g, operator in roles.lazy:
        out[g] = out[g] + scale[role][:, None] * (operator @ blocks[g])
    return torch.stack(out, dim=1)


class _Fused(torch.autograd.Function):
    """Forward and backward over the same rows: taking from the members, and giving to them."""

    @staticmethod
    def forward(
        ctx: Any,
        ego: torch.Tensor,
        scale: torch.Tensor,
        features: torch.Tensor,
        roles: RoleValues,
    ) -> torch.Tensor:
        ego, scale, features = (t.detach().contiguous() for t in (ego, scale, features))
        n, columns = scale.shape[1], features.shape[-1]
        out = large_tensor((n, ego.shape[0], columns), features)
        learn = ctx.needs_input_grad[0] or ctx.needs_input_grad[1]
        sums: list[torch.Tensor] = []
        unit, paths = (-1, []) if learn else _paths(roles, features)
        over_neighbours = large_tensor((n, columns), features).numpy() if paths else None
        for number, structure in enumerate(roles.stored):
            kept = large_tensor((n, structure.role.size, columns), features) if learn else None
            _compiled(structure, features).forward(
                ego.numpy() if number == 0 else None,
                scale.numpy(),
                features.numpy(),
                None if kept is None else kept.numpy(),
                out.numpy(),
                torch.get_num_threads(),
                *((unit, over_neighbours) if number == 0 else ()),
            )
            sums += [] if kept is None else [kept]
        for role, g, operator in roles.lazy:
            if role in paths:
                given = over_neighbours, features.numpy(), scale[role].numpy(), out.numpy(), g
                _compiled(roles.stored[0], features).step_onward(*given, torch.get_num_threads())
                continue
            product = operator.multiply_tensor(_block(features, g))
            out[:, g].addcmul_(scale[role][:, None], product)
            sums += [product] if learn else []
        ctx.save_for_backward(ego, scale, features, *sums)
        ctx.roles = roles
        return out

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        ego, scale, features, *sums = ctx.saved_tensors
        gradient = gradient.contiguous()
        by_ego = by_scale = by_features = None
        if sums:
            by_ego, by_scale = _by_weights(ctx.roles, ego, scale, features, sums, gradient)
        if ctx.needs_input_grad[2]:
            by_features = fused_backward(ctx.roles, ego, scale, features, gradient)
        return by_ego, by_scale, by_features, None


def _by_weights(
    roles: RoleValues,
    ego: torch.Tensor,
    scale: torch.Tensor,
    features: torch.Tensor,
    sums: list[torch.Tensor],
    gradient: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Differentiate by the weights of egos and roles, from the sums of the forward pass."""
    by_ego, by_scale = torch.empty_like(ego), torch.empty_like(scale)
    for number, structure in enumerate(roles.stored):
        _compiled(structure, features).backward_weights(
            features.numpy(),
            sums[number].numpy(),
            gradient.numpy(),
            by_ego.numpy() if number == 0 else None,
            by_scale.numpy(),
        )
    products = sums[len(roles.stored) :]
    for (role, g, _), product in zip(roles.lazy, products, strict=True):
        by_scale[role] = torch.linalg.vecdot(gradient[:, g], product)
    return by_ego, by_scale


def fused_backward(
    roles: RoleValues,
    ego: torch.Tensor,
    scale: torch.Tensor,
    features: torch.Tensor,
    gradient: torch.Tensor,
) -> torch.Tensor:
    """Differentiate by the features: egos give to their members what these gave to them."""
    by_features = large_tensor(features.shape, features)
    threads = torch.get_num_threads()
    unit, paths = _paths(roles, features)
    more: tuple[Any, ...] = ()
    if paths:  # both ends are alike: what was a step onward is one back
        weighted = large_tensor(gradient[:, 0].shape, gradient).zero_()
        for role, g, _ in roles.lazy:
            if role in paths:
                weighted.addcmul_(scale[role][:, None], gradient[:, g])
        back = weighted.numpy()
        given = np.zeros_like(back)
        _compiled(roles.stored[0], features).step_onward(back, None, None, given, 0, threads)
        more = unit, given, back
    for number, structure in enumerate(roles.stored):
        _compiled(structure, features).backward_features(
            ego.numpy() if number == 0 else None,
            scale.numpy(),
            gradient.numpy(),
            by_features.numpy(),
            threads,
            *(more if number == 0 else ()),
        )
    for role, g, operator in roles.lazy:
        if role in paths:
            continue
        weighted = scale[role][:, None] * gradient[:, g]
        _block(by_features, g).add_(operator.T.multiply_tensor(weighted))
    return by_features


def _paths(roles: RoleValues, features: torch.Tensor) -> tuple[int, list[int]]:
    """Return the roles at the end of a path of two edges that need one step, not two.

    A role that all neighbours play once has summed over them; its place comes first.
    """
    ends = [role for role, _, operator in roles.lazy if operator.is_path_end]
    unit = roles.stored[0].unit if ends and features.ndim == 2 else None
    return (-1, []) if unit is None else (unit, ends)


def _block(features: torch.Tensor, group: int) -> torch.Tensor:
    return features if features.ndim == 2 else features[:, group]


def _compiled(structure: Structure, like: torch.Tensor) -> Any:
    return structure.single if like.dtype == torch.float32 else structure.double
