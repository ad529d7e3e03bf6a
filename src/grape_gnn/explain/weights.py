"""The learned weights of every template and role, and how much each of them brings.

Weights alone do not compare: a beta of eq. 2 multiplies counts that reach millions for one role and
stay below ten for another, and maps multiply messages of different sizes. So every weight comes
with a *share*: how much of what differs between nodes its term brings. The spread of a term is the
root of its variance over the nodes, averaged over the features; a share is the spread divided by
the sum of the spreads of all terms it is added to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch

from grape_gnn.nn import GRAPE, Aggregator, RoleLayer, RoleValues, SparseFeatures, TemplateLayer
from grape_gnn.nn.role_maps import FORMS

__all__ = [
    "LayerWeights",
    "RoleTerm",
    "RoleWeight",
    "layer_weights",
    "role_weights",
    "shares_of",
    "spread",
]

RoleTerm = tuple[int, str, float, torch.Tensor]
"""Role, form, weight, and what it adds for every node."""


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
        ``"sum"`` over the members in the presets of the paper, with ``"ego"`` for role 0;
        ``"mean"`` and ``"log"`` (the mean times the logarithm of the number) in ``default``.
    weight
        The beta of eq. 2, or the size (Frobenius norm) of the role's map.
    share
        Share of the spread among the template's terms; the terms of a template add up to one.
    """

    template: int
    role: int
    form: str
    weight: float
    share: float


@dataclass(frozen=True)
class LayerWeights:
    """The weights of one layer.

    Parameters
    ----------
    alpha
        The squeeze-and-excitation weight of every template; empty in the preset ``default``, whose
        layers add up roles, not templates.
    share
        Share of the spread of every template.
    own
        Share of the ego's own map, by which a node keeps what it knows of itself; 0 in the presets
        of the paper. With the templates' shares it adds up to one.
    roles
        The weights of the Ego-AE sets, template after template.
    """

    alpha: tuple[float, ...]
    share: tuple[float, ...]
    own: float
    roles: tuple[RoleWeight, ...]


def layer_weights(
    network: GRAPE, x: torch.Tensor | SparseFeatures, roles: RoleValues
) -> tuple[LayerWeights, ...]:
    """Read the weights of every layer, as they are used on a graph.

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
    >>> round(sum(first.share) + first.own, 4)
    1.0
    >>> [(w.template, w.role, w.form) for w in first.roles]
    [(0, 1, 'mean'), (0, 1, 'log'), (1, 1, 'mean'), (1, 1, 'log')]
    """
    given: list[Any] = []
    hooks = [
        layer.register_forward_pre_hook(lambda _, inputs: given.append(inputs[0]))
        for layer in network.layers
    ]
    network.eval()
    try:
        with torch.no_grad():
            network(x, roles)
            return tuple(
                _by_template(layer, h, roles)
                if isinstance(layer, TemplateLayer)
                else _by_role(cast(RoleLayer, layer), h, roles)
                for layer, h in zip(network.layers, given, strict=True)
            )
    finally:
        for hook in hooks:
            hook.remove()


def _by_role(layer: RoleLayer, h: torch.Tensor, roles: RoleValues) -> LayerWeights:
    terms: dict[int, list[RoleTerm]] = {}
    for number, (role, form, weight, term) in enumerate(map_terms(layer, h, roles)):
        template = int(roles.group[number // len(FORMS)])
        terms.setdefault(template, []).append((role, form, weight, term))
    sums = [torch.stack([term for *_, term in terms[t]]).sum(dim=0) for t in sorted(terms)]
    *shares, own = shares_of([*(spread(term) for term in sums), spread(layer.own(h))])
    found = [
        weight for template in sorted(terms) for weight in role_weights(template, terms[template])
    ]
    return LayerWeights((), tuple(shares), own, tuple(found))


def map_terms(layer: RoleLayer, h: torch.Tensor, roles: RoleValues) -> Iterator[RoleTerm]:
    """Yield role, form, size of the map and term: all add up to z, without the ego's own map."""
    messages = layer.maps.standardised(roles.means(layer.sent(h, roles)), roles.log_totals(h))
    maps = layer.maps.by_role()
    for r, operator in enumerate(roles.operators):
        for form, name in enumerate(FORMS):
            term = messages[:, r, form] @ maps[r, form].T
            yield operator.role, name, maps[r, form].norm().item(), term


def _by_template(layer: TemplateLayer, h: Any, roles: RoleValues) -> LayerWeights:
    embeddings = layer.aggregator(h, roles)
    alpha = layer.fusion.alpha(embeddings)
    found = []
    for template in range(len(roles.templates)):
        found += role_weights(template, list(role_terms(layer.aggregator, h, roles, template)))
    return LayerWeights(
        alpha=tuple(alpha.tolist()),
        share=tuple(shares_of([spread(a * embeddings[:, g]) for g, a in enumerate(alpha)])),
        own=0.0,
        roles=tuple(found),
    )


def role_terms(
    aggregator: Aggregator, h: Any, roles: RoleValues, template: int
) -> Iterator[RoleTerm]:
    """Yield role, form, beta and term: the terms add up to eq. 2 behind its first linear map."""
    ego, beta = aggregator.betas()
    # The members' features go through the linear map before they are summed, or after: it is the
    # same, and behind it the terms are as the rest of the network sees them.
    own = aggregator.first(h)[:, template].contiguous()
    yield 0, "ego", ego[template].item(), ego[template] * own
    for r in np.flatnonzero(roles.group == template).tolist():
        yield roles.operators[r].role, "sum", beta[r].item(), beta[r] * (roles.operators[r] @ own)


def role_weights(template: int, terms: list[RoleTerm]) -> list[RoleWeight]:
    """Return the weights of a template's terms, with their shares."""
    shares = shares_of([spread(term) for *_, term in terms])
    return [
        RoleWeight(template, role, form, weight, share)
        for (role, form, weight, _), share in zip(terms, shares, strict=True)
    ]


def spread(values: torch.Tensor) -> float:
    """Return the root of the variance over the nodes, averaged over the features."""
    return values.double().var(dim=0, correction=0).mean().sqrt().item()


def shares_of(spreads: list[float]) -> list[float]:
    """Return what each is of their sum."""
    total = sum(spreads)
    return [spread / total if total > 0 else 0.0 for spread in spreads]
