"""Means over the members of roles, of one hop and of two, for columns of features.

    m_r(v)   = mean of x(u) over the members u of role r of ego v, by how often they play it
    m2_r(v)  = mean over v's neighbours of m_r
    log_r(v) = log(1 + number of members of role r)

These are the messages of the preset ``default`` (`grape_gnn.nn.role_layer`) without the maps that
are learnt between its layers. The second hop has one product per role: the neighbours' means, in
either direction of an edge. All pairs of roles would be as many products as roles squared.

Every product acts on each column by itself, so columns can be taken in blocks of any width.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph
from grape_gnn.roles import RoleMatches, match
from grape_gnn.roles.fit_for_training import check_fit_for_training
from grape_gnn.roles.operator import RoleOperator
from grape_gnn.roles.together import multiply_arrays

__all__ = ["RoleMeans", "label_products"]

Columns = NDArray[np.float32]


class RoleMeans:
    """The roles of templates on a graph as averages; role 0, the ego, is left out.

    Parameters
    ----------
    matches
        What `grape_gnn.match` returned, with ``weighting="count"``.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> star = RoleMeans(match(Graph.from_edges([0, 0], [1, 2]), "edge,3-path"))
    >>> x = np.array([[6.0], [2.0], [4.0]], np.float32)
    >>> [mean[:, 0].tolist() for mean in star.of(x)]
    [[3.0, 6.0, 6.0], [0.0, 6.0, 6.0], [0.0, 4.0, 2.0]]
    >>> [mean[:, 0].tolist() for mean in star.second(star.of(x))]
    [[6.0, 3.0, 3.0], [6.0, 0.0, 0.0], [3.0, 0.0, 0.0]]
    """

    def __init__(self, matches: RoleMatches) -> None:
        self.graph: Graph = matches.graph
        self.templates = tuple(roles.template for roles in matches)
        check_fit_for_training(self.graph, self.templates)
        self.operators: tuple[RoleOperator, ...] = tuple(
            op for roles in matches for op in roles[1:]
        )

    @property
    def num_roles(self) -> int:
        """Number of roles, the egos' not counted."""
        return len(self.operators)

    @cached_property
    def _sums(self) -> list[NDArray[np.float64]]:
        return [np.asarray(op.row_sums(), np.float64) for op in self.operators]

    @cached_property
    def _weights(self) -> list[NDArray[np.float32]]:
        return [_one_over(sums) for sums in self._sums]

    @cached_property
    def logs(self) -> Columns:
        """Logarithm of one plus the number of members, shape (nodes, roles)."""
        return np.stack([np.log1p(sums) for sums in self._sums], axis=1, dtype=np.float32)

    @cached_property
    def _neighbours(self) -> tuple[RoleOperator, NDArray[np.float32]]:
        plain = self.graph.to_undirected() if self.graph.directed else self.graph
        edge = match(plain, "edge")[0][1]
        return edge, _one_over(edge.row_sums())

    def of(self, x: Columns) -> list[Columns]:
        """Return the mean of columns over every role's members, zero without any."""
        products = multiply_arrays(self.operators, x)
        return [_scaled(p, w) for p, w in zip(products, self._weights, strict=True)]

    def second(self, first: Sequence[Columns]) -> list[Columns]:
        """Return the mean over a node's neighbours of products of the first hop."""
        edge, weights = self._neighbours
        return [_scaled(edge.multiply(product), weights) for product in first]

    @cached_property
    def returning(self) -> NDArray[np.float32]:
        """How much of itself a node sees in the second hop, (nodes, roles); NaN where unknown.

        A neighbour u of v has v among its members with weight C_r[u, v] / t_r(u). Known for roles
        next to the ego: then C_r[u, v] is zero unless u and v are neighbours, and the sum over all
        u is a product with the transposed operator.
        """
        _, weights = self._neighbours
        found = np.full((self.graph.num_nodes, self.num_roles), np.nan, np.float32)
        for r, operator in enumerate(self.operators):
            if operator.is_near:
                sums = operator.T.multiply(self._weights[r][:, None].astype(np.float64))[:, 0]
                found[:, r] = sums * weights
        return found


def label_products(
    means: RoleMeans, labels: Columns, hops: int = 2
) -> tuple[NDArray[np.float32], ...]:
    """Return products with labels in which no node sees its own, (nodes, roles, columns) per hop.

    A node plays none of its own roles, so in the first hop all labels but its own are given. Over
    two hops its own label comes back to it, by a share that is known for roles next to the ego and
    is taken off; the other roles have no second hop, their entries are zero.

    Parameters
    ----------
    means
        The roles.
    labels
        One row per node; zeros where the label may not be seen.
    hops
        1 or 2.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> pair = RoleMeans(match(Graph.from_edges([0], [1]), "edge"))
    >>> first, second = label_products(pair, np.array([[1.0], [0.0]], np.float32))
    >>> first[:, 0, 0].tolist(), second[:, 0, 0].tolist()
    ([0.0, 1.0], [0.0, 0.0])
    """
    first = means.of(labels)
    found = [np.stack(first, axis=1)]
    if hops == 2:
        back = means.returning
        second = []
        for r, product in enumerate(means.second(first)):
            if np.isnan(back[:, r]).any():
                second.append(np.zeros_like(product))
            else:
                own = back[:, r, None] * labels
                rest = product - own
                # What rounding leaves of the own label is a trace of it.
                second.append(np.where(np.abs(rest) > 1e-6 * np.abs(own), rest, 0.0))
        found.append(np.stack(second, axis=1, dtype=np.float32))
    return tuple(found)


def _one_over(sums: NDArray[Any]) -> NDArray[np.float32]:
    """Return one over every sum; zero where there is nothing to average."""
    counts = np.asarray(sums, np.float64)
    return np.divide(1.0, counts, out=np.zeros_like(counts), where=counts > 0).astype(np.float32)


def _scaled(product: NDArray[Any], weights: NDArray[np.float32]) -> Columns:
    scaled: Columns = product.astype(np.float32, copy=False)
    scaled *= weights[:, None]
    return scaled
