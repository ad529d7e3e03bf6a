"""Further forms of roles next to the ego: by what is on the edge between ego and member.

    C_{r,t}[v, u] = C_r[v, u]  if the edge from v to u is of type t, else 0
    C_{r,f}[v, u] = C_r[v, u] f(v, u)  for a feature f of edges

Each has a map of its own in a layer, so that a role says by itself what its members mean over an
edge of this type, or over a long one. Of the second kind, means are over the members of the role,
``sum of C_{r,f}[v, u] h(u) / sum of C_r[v, u]``: weights may be negative, and add up to nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn.graph import Graph
from grape_gnn.template import Template

__all__ = ["arcs_of", "is_weighed", "numbers_of_edges", "signed_log", "weighed"]


def arcs_of(template: Template, role: int) -> tuple[str, ...]:
    """Return how a template joins the ego to a role: by an edge or arc ``"from"`` it, ``"to"`` it.

    Examples
    --------
    >>> [arcs_of(Template(text), 1) for text in ("0-1", "1>0", "0>1 1>0", "0-2 1-2")]
    [('from',), ('to',), ('from', 'to'), ()]
    """
    node = template.roles[role][0]
    forward, backward = (0, node) in template.edges, (node, 0) in template.edges
    if not template.directed:
        return ("from",) if forward or backward else ()
    return ("from",) * forward + ("to",) * backward


def numbers_of_edges(
    types: NDArray[np.int64] | None, num_types: int, features: NDArray[np.float64] | None
) -> dict[str | int, NDArray[Any]]:
    """Return what weighs members, for every entry of a graph's rows: one column per form.

    Examples
    --------
    >>> found = numbers_of_edges(np.array([1, 0]), 2, np.array([[0.5], [2.5]]))
    >>> {form: column.tolist() for form, column in found.items()}
    {0: [False, True], 1: [True, False], 'feature 0': [0.5, 2.5]}
    """
    found: dict[str | int, NDArray[Any]] = {}
    if types is not None:
        found |= {kind: types == kind for kind in range(num_types)}
    if features is not None:
        found |= {f"feature {k}": column for k, column in enumerate(features.T)}
    return found


def is_weighed(form: str | int) -> bool:
    """Tell whether a form is by a feature of edges.

    Examples
    --------
    >>> [is_weighed(form) for form in ("", "set", 3, "to 3", "feature 0", "to feature 0")]
    [False, False, False, False, True, True]
    """
    return "feature" in str(form)


def weighed(
    graph: Graph, role: sparse.csr_array[Any, Any], numbers: NDArray[Any], way: str
) -> sparse.csr_array[Any, Any]:
    """Return the matrix of a role, its members weighed by what is on the edge that leads there.

    Parameters
    ----------
    graph
        The graph.
    role
        The matrix of the role as matched.
    numbers
        One of every entry of the graph's rows.
    way
        Whether edges ``"from"`` the ego count, or arcs ``"to"`` it; see `arcs_of`.

    Examples
    --------
    >>> arcs = Graph.from_edges([0, 2], [1, 0], directed=True)
    >>> role = sparse.csr_array(np.array([[0, 1, 0], [0, 0, 0], [1, 0, 0]]))
    >>> weighed(arcs, role, np.array([0.5, 2.5]), "from").toarray().tolist()
    [[0.0, 0.5, 0.0], [0.0, 0.0, 0.0], [2.5, 0.0, 0.0]]
    """
    chosen = numbers != 0
    ends = np.concatenate([[0], np.cumsum(chosen)])[graph.indptr]
    found = sparse.csr_array((numbers[chosen], graph.indices[chosen], ends), shape=role.shape)
    return sparse.csr_array(role.multiply(found if way == "from" else found.T))


def signed_log(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return ``sign(s) log(1 + |s|)``, which of a count is the logarithm of one plus it.

    Examples
    --------
    >>> signed_log(np.array([0.0, np.e - 1, 1 - np.e])).tolist()
    [0.0, 1.0, -1.0]
    """
    wide = np.asarray(values, np.float64)
    return np.copysign(np.log1p(np.abs(wide)), wide)
