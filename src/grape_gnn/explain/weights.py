"""The learned weights: alpha of every template (eq. 3-4), beta of every Ego-AE set (eq. 2).

The weights alone do not compare. A beta multiplies counts that reach millions for one role and
stay below ten for another, and an alpha multiplies embeddings of different sizes. So every weight
comes with a *share*: how much of what differs between nodes its term brings. The spread of a term
is the root of its variance over the nodes, averaged over the features; a share is the spread
divided by the sum of the spreads of all terms it is added to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from grape_gnn.nn import GRAPE, Aggregator, GRAPELayer, RoleValues, SparseFeatures

__all__ = ["LayerWeights", "RoleWeight", "layer_weights"]


@dataclass(frozen=True)
class RoleWeight:
    """The weight of one Ego-AE set in one layer.

    Parameters
    ----------
    template
        Number of the template.
    role
        Index into its roles; 0 is the ego itself.
    form
        ``"sum"`` or ``"mean"`` over the members; ``"ego"`` for role 0.
    beta
        The factor in eq. 2, calibration constants included.
    share
        Share of the spread among the template's terms; the terms of a template add up to one.
    """

    template: int
    role: int
    form: str
    beta: float
    share: float


@dataclass(frozen=True)
class LayerWeights:
    """The weights of one layer.

    Parameters
    ----------
    alpha
        The squeeze-and-excitation weight of every template.
    share
        Share of the spread of every template.
    skip
        Share of the skip connection, by which a node keeps what it knows of itself; 0 without
        one. With the templates' shares it adds up to one.
    power
        What members are damped by: their degree to the minus `power`; 0 without damping.
    roles
        The weights of the Ego-AE sets, template after template.
    """

    alpha: tuple[float, ...]
    share: tuple[float, ...]
    skip: float
    power: float
    roles: tuple[RoleWeight, ...]


def layer_weights(
    network: GRAPE, x: torch.Tensor | SparseFeatures, roles: RoleValues
) -> tuple[LayerWeights, ...]:
    """Read the weights of every layer, as they are used on a graph.

    Alpha is a function of the embeddings' averages, so it depends on the graph.

    Parameters
    ----------
    network
        A trained network.
    x, roles
        What it is given; see `GrapeClassifier.inputs`.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> g = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> roles = RoleValues(grape.match(g, "edge,triangle"))
    >>> network = GRAPE(roles.templates, in_features=3, num_classes=2).eval()
    >>> first, second = layer_weights(network, torch.rand(4, 3), roles)
    >>> round(sum(first.alpha), 4), round(sum(first.share) + first.skip, 4)
    (2.0, 1.0)
    >>> [(w.template, w.role, w.form) for w in first.roles]
    [(0, 0, 'ego'), (0, 1, 'sum'), (0, 1, 'mean'), (1, 0, 'ego'), (1, 1, 'sum'), (1, 1, 'mean')]
    """
    seen: list[tuple[Any, torch.Tensor]] = []
    layers = [layer for layer in network.layers if isinstance(layer, GRAPELayer)]
    hooks = [
        layer.aggregator.register_forward_hook(
            lambda _, given, result: seen.append((given[0], result))
        )
        for layer in layers
    ]
    network.eval()
    try:
        with torch.no_grad():
            network(x, roles)
            return tuple(
                _weights(layer, h, embeddings, roles)
                for layer, (h, embeddings) in zip(layers, seen, strict=True)
            )
    finally:
        for hook in hooks:
            hook.remove()


def _weights(
    layer: GRAPELayer, h: Any, embeddings: torch.Tensor, roles: RoleValues
) -> LayerWeights:
    alpha = layer.fusion.alpha(embeddings)
    spreads = [_spread(a * embeddings[:, g]) for g, a in enumerate(alpha)]
    passed = 0.0 if layer.skip is None else _spread(h @ layer.skip.weight.T)
    *shares, skip = _shares([*spreads, passed])
    return LayerWeights(
        alpha=tuple(alpha.tolist()),
        share=tuple(shares),
        skip=skip,
        power=0.0 if layer.aggregator.power is None else layer.aggregator.power.item(),
        roles=tuple(_role_weights(layer.aggregator, h, roles)),
    )


def _role_weights(aggregator: Aggregator, h: Any, roles: RoleValues) -> list[RoleWeight]:
    found = []
    for template in range(len(roles.templates)):
        terms = list(role_terms(aggregator, h, roles, template))
        shares = _shares([_spread(term) for *_, term in terms])
        found += [
            RoleWeight(template, role, form, weight, share)
            for (role, form, weight, _), share in zip(terms, shares, strict=True)
        ]
    return found


def role_terms(
    aggregator: Aggregator, h: Any, roles: RoleValues, template: int
) -> Iterator[tuple[int, str, float, torch.Tensor]]:
    """Yield role, form, beta and term: the terms add up to eq. 2 behind its first linear map."""
    ego, beta = aggregator.betas()
    # The members' features go through the linear map before they are summed, or after: it is the
    # same, and behind it the terms are as the rest of the network sees them.
    own = aggregator.first(h)[:, template].contiguous()
    members = aggregator.members(own, roles)
    yield 0, "ego", ego[template].item(), ego[template] * own
    for r in np.flatnonzero(roles.group == template).tolist():
        sums = roles.operators[r] @ members
        for form, name in enumerate(aggregator.forms):
            weight = beta[form, r]
            term = weight * roles.form(name, sums)[r][:, None] * sums
            yield roles.operators[r].role, name, weight.item(), term


def _spread(values: torch.Tensor) -> float:
    return values.double().var(dim=0, correction=0).mean().sqrt().item()


def _shares(spreads: list[float]) -> list[float]:
    total = sum(spreads)
    return [spread / total if total > 0 else 0.0 for spread in spreads]
