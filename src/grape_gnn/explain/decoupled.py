"""What a decoupled model learnt, as far as its products tell: weights, not what roles are worth.

Its maps of the roles are AE-aware as those of the layers are, one per role, hop and form, and
templates are fused by squeeze-and-excitation, the node itself as one more. Weights come with shares
as in `grape_gnn.explain.weights`. What a role is worth is measured by dealing its members to the
wrong egos, which takes role matrices; a decoupled model has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray

from grape_gnn.estimator.base import GrapeEstimator
from grape_gnn.explain.weights import LayerWeights, RoleTerm, role_weights, shares_of, spread
from grape_gnn.graph import Graph
from grape_gnn.nn import DecoupledGRAPE
from grape_gnn.nn.role_maps import FORMS, RoleMaps
from grape_gnn.template import Template
from grape_gnn.training import ProductInputs

__all__ = ["DecoupledExplanation", "explain_decoupled"]

SAMPLE = 1 << 16  # nodes that spreads are measured over
SAMPLE_BYTES = 1 << 28


@dataclass(frozen=True, eq=False)
class DecoupledExplanation:
    """What a decoupled model learnt.

    Parameters
    ----------
    templates, classes
        What the numbers are about; models of numbers have no classes.
    layers
        One entry: the alphas of the fusion, on average over the nodes, and the maps of the roles.
    occurs
        Whether a template has instances around a node, shape (templates, nodes).
    """

    templates: tuple[Template, ...]
    classes: tuple[Any, ...]
    layers: tuple[LayerWeights, ...]
    occurs: NDArray[np.bool_]


def explain_decoupled(model: GrapeEstimator, graph: Graph) -> DecoupledExplanation:
    """Read the weights of a fitted model of the preset ``decoupled``.

    Parameters
    ----------
    model
        The model.
    graph
        The graph it was trained on, or another one. Shares are over all nodes, or over a sample of
        65,536 that stays the same.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> g = grape.datasets.load("social-like", num_nodes=100)
    >>> model = grape.GrapeClassifier("edge,triangle", "decoupled", epochs=3).fit(g)
    >>> (found,) = explain_decoupled(model, g).layers
    >>> round(sum(found.share) + found.own, 4), len(found.alpha)
    (1.0, 2)
    >>> [(w.template, w.role, w.form) for w in found.roles][:3]
    [(0, 1, 'mean, hop 1'), (0, 1, 'log, hop 1'), (0, 1, 'mean, hop 2')]
    """
    network = cast(DecoupledGRAPE, model.network).eval()
    inputs = model.product_inputs(graph)
    with torch.no_grad():
        weights = _weights(network, _sampled(inputs, model.device))
    firsts = np.cumsum([0, *network.sizes[:-1]])
    occurs = np.stack([inputs.products.logs[0][:, first] > 0 for first in firsts])
    return DecoupledExplanation(model.templates_, tuple(model.labels_), (weights,), occurs)


def _sampled(inputs: ProductInputs, device: Any) -> list[Any]:
    count = min(inputs.shape[0], SAMPLE, max(1, SAMPLE_BYTES // inputs.row_bytes))
    nodes = np.random.default_rng(0).choice(inputs.shape[0], count, replace=False)
    return [part.to(device) for part in inputs.rows(torch.from_numpy(np.sort(nodes)))]


def _weights(network: DecoupledGRAPE, given: list[Any]) -> LayerWeights:
    x, logs, *hops = given
    embeddings = network.embeddings(x, logs, *hops)
    everyone = torch.arange(len(embeddings), device=logs.device)
    alpha = network.fusion.alpha(embeddings, everyone)
    own, *shares = shares_of([spread(part) for part in (embeddings * alpha[..., None]).unbind(1)])
    terms = role_terms(network, logs, network.narrowed(hops))
    roles = [
        weight for number, each in enumerate(terms) for weight in role_weights(number, list(each))
    ]
    return LayerWeights(tuple(alpha.mean(dim=0)[1:].tolist()), tuple(shares), own, tuple(roles))


def role_terms(
    network: DecoupledGRAPE, logs: torch.Tensor, messages: list[torch.Tensor]
) -> Iterator[Iterator[RoleTerm]]:
    """Yield for every template its terms, which add up to z of `grape_gnn.nn.decoupled`."""
    for mine, maps in zip(network.slices, network.maps, strict=True):
        yield _terms(cast("list[RoleMaps]", maps), logs[:, mine], [m[:, mine] for m in messages])


def _terms(
    maps: list[RoleMaps], logs: torch.Tensor, messages: list[torch.Tensor]
) -> Iterator[RoleTerm]:
    for role in range(logs.shape[1]):
        for hop, (part, message) in enumerate(zip(maps, messages, strict=True), start=1):
            standardised, by_role = part.standardised(message, logs), part.by_role()
            for form, name in enumerate(FORMS):
                term = standardised[:, role, form] @ by_role[role, form].T
                yield role + 1, f"{name}, hop {hop}", by_role[role, form].norm().item(), term
