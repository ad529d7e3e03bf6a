"""The fused aggregation of eq. 2: all roles on one sparsity in one pass, with its derivatives.

    out[v, g] = t_g h[v] + sum over members u of (sum over roles r of g: s[r, v] C_r[v, u]) h[u]

`fused_product` runs the compiled pass; `plain_product` says the same in torch operations. The
plain form is the test oracle, and what runs on other devices than the processor.
"""

from __future__ import annotations

from typing import Any

import torch

from grape_gnn.nn.structure import Structure

__all__ = ["fused_product", "plain_product"]


def fused_product(
    structure: Structure, ego: torch.Tensor, scale: torch.Tensor, features: torch.Tensor
) -> torch.Tensor:
    """Aggregate the features of all roles of a structure.

    Parameters
    ----------
    structure
        Entries and values, shared by the roles.
    ego
        Weight of the ego's own features, one per group.
    scale
        Weight of every role and ego, shape (roles, nodes).
    features
        Shape (nodes, columns), or (nodes, groups, columns) when every group has its own.

    Returns
    -------
    torch.Tensor
        Shape (nodes, groups, columns).
    """
    if features.device.type != "cpu" or features.dtype not in (torch.float32, torch.float64):
        return plain_product(structure, ego, scale, features)
    product: torch.Tensor = _Fused.apply(  # type: ignore[no-untyped-call]
        ego, scale, features, structure
    )
    return product


def plain_product(
    structure: Structure, ego: torch.Tensor, scale: torch.Tensor, features: torch.Tensor
) -> torch.Tensor:
    """Compute `fused_product` by torch operations, one group after the other."""
    rows, members, values = structure.tensors(features)
    weighted = scale[:, rows] * values
    out = []
    for g in range(structure.num_groups):
        h = features if features.ndim == 2 else features[:, g]
        roles = [r for r, of in enumerate(structure.group.tolist()) if of == g]
        messages = weighted[roles].sum(dim=0)[:, None] * h[members]
        out.append((ego[g] * h).index_add(0, rows, messages))
    return torch.stack(out, dim=1)


class _Fused(torch.autograd.Function):
    """Forward over the rows, backward over the transposed rows prepared once."""

    @staticmethod
    def forward(
        ctx: Any,
        ego: torch.Tensor,
        scale: torch.Tensor,
        features: torch.Tensor,
        structure: Structure,
    ) -> torch.Tensor:
        ego, scale, features = (t.detach().contiguous() for t in (ego, scale, features))
        n, columns = features.shape[0], features.shape[-1]
        out = features.new_empty(n, structure.num_groups, columns)
        sums = None
        if ctx.needs_input_grad[0] or ctx.needs_input_grad[1]:
            sums = features.new_empty(n, structure.group.size, columns)
        _compiled(structure, features).forward(
            ego.numpy(),
            scale.numpy(),
            features.numpy(),
            None if sums is None else sums.numpy(),
            out.numpy(),
            torch.get_num_threads(),
        )
        ctx.save_for_backward(ego, scale, features, sums)
        ctx.structure = structure
        return out

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        ego, scale, features, sums = ctx.saved_tensors
        gradient = gradient.contiguous()
        by_ego = by_scale = by_features = None
        if sums is not None:
            by_ego, by_scale = torch.empty_like(ego), torch.empty_like(scale)
            _compiled(ctx.structure, features).backward_weights(
                features.numpy(),
                sums.numpy(),
                gradient.numpy(),
                by_ego.numpy(),
                by_scale.numpy(),
            )
        if ctx.needs_input_grad[2]:
            by_features = torch.empty_like(features)
            _compiled(ctx.structure.reverse, features).backward_features(
                ego.numpy(),
                scale.numpy(),
                gradient.numpy(),
                by_features.numpy(),
                torch.get_num_threads(),
            )
        return by_ego, by_scale, by_features, None


def _compiled(structure: Structure, like: torch.Tensor) -> Any:
    return structure.single if like.dtype == torch.float32 else structure.double
