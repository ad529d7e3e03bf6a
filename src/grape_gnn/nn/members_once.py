"""Roles as sets: a member counts once, however many instances hold it.

For a role joined to the ego the set is no larger than the ego's neighbourhood, so it is cheap to
write out; and it is the Ego-AE set of the paper's definition, where counts let the few neighbours
with many common friends outvote all others.
"""

from __future__ import annotations

from scipy import sparse

from grape_gnn.roles.operator import MatrixRole, RoleOperator

__all__ = ["members_once"]


def members_once(operator: RoleOperator) -> MatrixRole:
    """Return a role with ones in place of its counts.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> diamond = grape.Graph.from_edges([0, 0, 0, 1, 2], [1, 2, 3, 2, 3])
    >>> corner = grape.match(diamond, "triangle")[0][1]
    >>> corner.to_scipy().toarray()[0].tolist()  # 2 is in both triangles of 0
    [0, 1, 2, 1]
    >>> members_once(corner).to_scipy().toarray()[0].tolist()
    [0, 1, 1, 1]
    """
    counts = operator.to_scipy()
    ones = sparse.csr_array(
        ((counts.data != 0).astype(counts.dtype), counts.indices, counts.indptr),
        shape=counts.shape,
        copy=True,
    )
    ones.eliminate_zeros()
    return MatrixRole(operator.graph, operator.template, operator.role, ones)
