"""Several roles times the same features at once.

Roles that share something, such as the evaluator of the algebra, are multiplied together; stored
roles and the identity one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from grape_gnn.roles.operator import RoleOperator, dense_features

__all__ = ["multiply_arrays", "multiply_together"]


def multiply_together(roles: Sequence[RoleOperator], features: Any) -> tuple[Any, ...]:
    """Multiply roles of one graph by the same features, NumPy or torch (with gradients).

    Examples
    --------
    >>> import numpy as np
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
    groups: dict[int, list[RoleOperator]] = {}
    for role in roles:
        groups.setdefault(id(role.shares), []).append(role)
    products = {
        key: iter(group[0].multiply_group(group, features)) for key, group in groups.items()
    }
    return [next(products[id(role.shares)]) for role in roles]
