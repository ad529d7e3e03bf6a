"""Several roles times the same features, or at the same pairs of nodes, at once.

Roles that share something, such as the evaluator of the algebra, are taken together; stored roles
and the identity one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.roles.operator import RoleOperator, dense_features

__all__ = ["counts_together", "multiply_arrays", "multiply_together"]


def multiply_together(roles: Sequence[RoleOperator], features: Any) -> tuple[Any, ...]:
    """Multiply roles of one graph by the same features, NumPy or torch (with gradients).

    Examples
    --------
    >>> import grape_gnn as grape
    >>> star = grape.match(grape.Graph.from_edges([0, 0], [1, 2]), "3-path")[0]
    >>> [product.tolist() for product in multiply_together(star, np.array([1, 10, 100]))]
    [[1, 10, 100], [0, 1, 1], [0, 100, 10]]
    """
    if type(features).__module__.startswith("torch"):
        from grape_gnn.roles.torch_product import torch_products

        return torch_products(roles, features)
    return tuple(multiply_arrays(roles, dense_features(features, roles[0].shape[1])))


def multiply_arrays(roles: Sequence[RoleOperator], features: NDArray[Any]) -> list[NDArray[Any]]:
    """Multiply roles by a NumPy array whose shape is known to fit."""
    return _by_group(roles, lambda group: group[0].multiply_group(group, features))


def counts_together(
    roles: Sequence[RoleOperator], egos: NDArray[np.int64], members: NDArray[np.int64]
) -> list[NDArray[Any]]:
    """Return the entries of roles of one graph at the same pairs, given by node numbers.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> path = grape.match(grape.Graph.from_edges([0, 1], [1, 2]), "3-path")[0]
    >>> [counts.tolist() for counts in counts_together(path[1:], np.array([0]), np.array([2]))]
    [[0], [1]]
    """
    return _by_group(roles, lambda group: group[0].counts_at_group(group, egos, members))


def _by_group(
    roles: Sequence[RoleOperator],
    results_of: Callable[[list[RoleOperator]], Sequence[NDArray[Any]]],
) -> list[NDArray[Any]]:
    """Return a result for every role; those that share something get theirs together."""
    groups: dict[int, list[RoleOperator]] = {}
    for role in roles:
        groups.setdefault(id(role.shares), []).append(role)
    results = {key: iter(results_of(group)) for key, group in groups.items()}
    return [next(results[id(role.shares)]) for role in roles]
