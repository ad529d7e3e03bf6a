"""Permutation importance: how much validation accuracy a template's roles are worth.

The roles of a template, or one role, are dealt to the wrong egos at random, in every layer, and
the trained network is asked again. What it then gets wrong and got right before is what these
roles were worth to it. Templates can stand in for each other, so several may seem to matter
little one by one; and what a model does not use may still be useful to another. Where a node has
several labels or a number, micro F1 and R2 stand in for the accuracy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from grape_gnn.errors import ModelError
from grape_gnn.explain.measure import measured, support_of
from grape_gnn.explain.permuted_roles import PermutedRoles
from grape_gnn.nn import GRAPE, RoleValues, SparseFeatures
from grape_gnn.progress import report

__all__ = ["Importance", "permutation_importance"]


@dataclass(frozen=True, eq=False)
class Importance:
    """Accuracy lost on the validation nodes, as shares from 0 to 1.

    Parameters
    ----------
    accuracy
        Accuracy with all roles in place.
    support
        Number of validation nodes of every class.
    class_accuracy
        Accuracy among the nodes of every class; NaN where there is none.
    template_drop, template_std
        Accuracy lost when a template's roles are permuted: mean and standard deviation over the
        repeats.
    role_drop, role_std
        The same for single roles, numbered over all templates, the ego's left out.
    class_drop
        Accuracy lost among the nodes of a class, shape (templates, classes); NaN without nodes.
    repeats, seed
        How often, and from which seed, permutations were drawn.
    """

    accuracy: float
    support: NDArray[np.int64]
    class_accuracy: NDArray[np.float64]
    template_drop: NDArray[np.float64]
    template_std: NDArray[np.float64]
    role_drop: NDArray[np.float64]
    role_std: NDArray[np.float64]
    class_drop: NDArray[np.float64]
    repeats: int
    seed: int


def permutation_importance(
    network: GRAPE,
    x: torch.Tensor | SparseFeatures,
    roles: RoleValues,
    labels: NDArray[Any],
    mask: NDArray[np.bool_],
    *,
    num_classes: int,
    repeats: int = 5,
    seed: int = 0,
) -> Importance:
    """Permute every template's roles, and every role, and see what accuracy is lost.

    Parameters
    ----------
    network
        A trained network.
    x, roles
        What it is given; see `GrapeClassifier.inputs`.
    labels
        Class of every node, or its labels, or its number in the units of the network.
    mask
        The nodes to measure on: the validation part.
    num_classes
        Number of classes.
    repeats
        Permutations per template and role.
    seed
        Seed of the permutations; every template and role gets the same ones.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> g = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> roles = RoleValues(grape.match(g, "edge,triangle"))
    >>> network = GRAPE(roles.templates, in_features=1, num_classes=2).eval()
    >>> everyone = np.ones(4, dtype=bool)
    >>> found = permutation_importance(
    ...     network, torch.ones(4, 1), roles, np.array([0, 0, 1, 1]), everyone, num_classes=2
    ... )
    >>> found.template_drop.shape, found.class_drop.shape, found.support.tolist()
    ((2,), (2, 2), [2, 2])
    """
    if repeats < 1:
        raise ModelError(f"repeats={repeats} must be at least 1")
    if not mask.any():
        raise ModelError("there is no validation node to measure importance on")
    wanted = labels[mask]
    support = support_of(wanted, num_classes)
    draw = torch.Generator().manual_seed(seed)
    orders = [torch.randperm(roles.num_nodes, generator=draw) for _ in range(repeats)]
    network.eval()

    def accuracies(given: RoleValues) -> NDArray[np.float64]:
        """Overall measure first, then that of every class."""
        with torch.no_grad():
            return measured(network(x, given).cpu().numpy()[mask], wanted, num_classes)

    before = accuracies(roles)

    asked = 0

    def drops(chosen: list[int]) -> NDArray[np.float64]:
        nonlocal asked
        report("permuting roles", asked, len(roles.templates) + roles.num_roles)
        asked += 1
        return np.stack([before - accuracies(PermutedRoles(roles, chosen, o)) for o in orders])

    templates = range(len(roles.templates))
    by_template = np.stack([drops(np.flatnonzero(roles.group == t).tolist()) for t in templates])
    by_role = np.stack([drops([r])[:, 0] for r in range(roles.num_roles)])
    return Importance(
        accuracy=float(before[0]),
        support=support,
        class_accuracy=before[1:],
        template_drop=by_template[:, :, 0].mean(axis=1),
        template_std=by_template[:, :, 0].std(axis=1),
        role_drop=by_role.mean(axis=1),
        role_std=by_role.std(axis=1),
        class_drop=by_template[:, :, 1:].mean(axis=1),
        repeats=repeats,
        seed=seed,
    )
