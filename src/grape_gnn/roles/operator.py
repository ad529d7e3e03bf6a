"""Role operators: what GRAPE multiplies its features by.

``C_j[v, u]`` says how often ``u`` plays role ``j`` in the instances around ego ``v``
(``weighting="count"``), or whether it does at all (``weighting="set"``, the paper's
``A_{l,j}(v)``). An operator need not be stored as a matrix; it only has to act like one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn.errors import MatchError
from grape_gnn.extras import named_extra
from grape_gnn.graph import Graph
from grape_gnn.graph.pairs import NodePairs, node_pairs
from grape_gnn.template import Template

if TYPE_CHECKING:
    import torch

__all__ = ["IdentityRole", "MatrixRole", "RoleOperator", "dense_features"]


def dense_features(features: Any, nodes: int) -> NDArray[Any]:
    """Return features as an array with one row per node, or say what is wrong with them."""
    dense = np.asarray(features)
    if dense.ndim not in (1, 2) or dense.shape[0] != nodes:
        raise MatchError(
            f"cannot multiply a role of a graph with {nodes} nodes by an array of "
            f"shape {dense.shape}: it needs one row per node"
        )
    return dense


def entries_at(
    matrix: sparse.csr_array[Any, Any], rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> NDArray[Any]:
    """Return the entries of a sparse matrix at given places, by search in its rows."""
    if not len(rows):
        return np.zeros(0, dtype=matrix.dtype)
    found: Any = matrix[rows, columns]
    return np.asarray(found.toarray() if hasattr(found, "toarray") else found).ravel()


class RoleOperator(ABC):
    """One role of one template on one graph, as a linear operator on node features.

    Matching is non-induced unless it was asked to be induced: further edges of the graph between
    matched nodes do not matter. Every instance counts once.

    Parameters
    ----------
    graph, template
        Where the role was looked for, and in which template.
    role
        Index into ``template.roles``; role 0 is the ego itself.
    """

    is_stored = False
    """Whether it is a matrix in memory, which `to_scipy` returns at once."""
    nbytes = 0
    """Bytes that it holds for itself; what it shares with other roles is not counted."""
    induced = False
    """Whether induced instances alone are counted; `RoleMatches` says it to its roles."""

    def __init__(self, graph: Graph, template: Template, role: int) -> None:
        self.graph = graph
        self.template = template
        self.role = role

    @property
    def is_near(self) -> bool:
        """Whether the members are neighbours of the ego, in either direction."""
        node = self.template.roles[self.role][0]
        return (0, node) in self.template.edges or (node, 0) in self.template.edges

    @property
    def is_path_end(self) -> bool:
        """Whether the members are the ends of paths of two edges, and it is not written out."""
        return False

    @property
    def is_far(self) -> bool:
        """Whether the count of a pair (ego, member) is the same with and without its edge.

        It is if the template joins the two by no edge, in either direction, and instances are not
        induced: an induced instance asks that the graph does not join them either.
        """
        return self.role != 0 and not self.is_near and not self.induced

    @property
    def visited(self) -> int:
        """Number of entries that one product visits."""
        return self.nnz

    @property
    def shares(self) -> Any:
        """What roles of one graph are multiplied together by; None: each by itself."""
        return None

    @property
    def shape(self) -> tuple[int, int]:
        """Number of egos times number of members: both are the nodes of the graph."""
        return (self.graph.num_nodes, self.graph.num_nodes)

    @property
    @abstractmethod
    def nnz(self) -> int:
        """Number of stored entries once materialised; an estimate for unmaterialised roles."""

    @property
    @abstractmethod
    def T(self) -> RoleOperator:
        """The transposed operator: from members to egos."""

    @abstractmethod
    def multiply(self, features: NDArray[Any]) -> NDArray[Any]:
        """Multiply by a NumPy matrix with one row per node."""

    @abstractmethod
    def row_sums(self) -> NDArray[Any]:
        """Sum over the members, for every ego."""

    @abstractmethod
    def diagonal(self) -> NDArray[Any]:
        """Tell how often each node plays the role for itself: never, except in role 0."""

    @abstractmethod
    def to_scipy(self) -> sparse.csr_array[Any, Any]:
        """Materialise as CSR: int64 counts, or float64 estimates when sampled."""

    def materialise(self, most: int) -> sparse.csr_array[Any, Any] | None:
        """Return the matrix if it is stored, or if it is known to have few entries; else None.

        Parameters
        ----------
        most
            Number of entries that one which is not stored yet may have; their memory is all
            there is to compute it in.
        """
        return self.to_scipy() if self.is_stored else None

    def forget(self) -> None:  # noqa: B027  most roles keep nothing
        """Let go of what can be computed again, once the role is written out elsewhere."""

    def multiply_group(
        self, group: Sequence[RoleOperator], features: NDArray[Any]
    ) -> list[NDArray[Any]]:
        """Multiply roles that share what this one does, itself among them."""
        return [role.multiply(features) for role in group]

    def __matmul__(self, features: Any) -> Any:
        """Multiply by a vector or matrix of features, NumPy or torch (with gradients)."""
        if type(features).__module__.startswith("torch"):
            from grape_gnn.roles.torch_product import torch_products

            return torch_products([self], features)[0]
        return self.multiply(dense_features(features, self.shape[1]))

    def multiply_tensor(self, features: torch.Tensor) -> torch.Tensor:
        """Multiply by a tensor without gradients; ``@`` adds them."""
        import torch  # there, or there were no tensor

        product = self.multiply(features.detach().cpu().numpy())
        return torch.from_numpy(product).to(device=features.device, dtype=features.dtype)

    def to_torch(self) -> torch.Tensor:
        """Materialise as a torch CSR tensor with the same entries as `to_scipy`."""
        with named_extra():
            import torch

        matrix = self.to_scipy()
        return torch.sparse_csr_tensor(
            torch.from_numpy(matrix.indptr.astype(np.int64)),
            torch.from_numpy(matrix.indices.astype(np.int64)),
            torch.from_numpy(matrix.data),
            size=self.shape,
        )

    def members(self, ego: str | int) -> dict[str | int, int | float]:
        """Who plays this role for an ego, by name, and how often.

        Parameters
        ----------
        ego
            Name of a node.

        Returns
        -------
        dict
            Count (or 1 with ``weighting="set"``) by the member's name, in the graph's order.
        """
        row = self.to_scipy()[[self.graph.index_of(ego)], :]
        names = map(self.graph.name_of, row.indices.tolist())
        return dict(zip(names, row.data.tolist(), strict=True))

    def at(self, pairs: NodePairs) -> NDArray[Any]:
        """Return the entries at given pairs (ego, member) only.

        Roles found by algebra are evaluated at the pairs, and no matrix is formed.

        Parameters
        ----------
        pairs
            Pairs of names, or an array with two columns; where nodes have no names, their numbers.

        Returns
        -------
        numpy.ndarray
            One count for every pair: int64, or float64 estimates when sampled.

        Examples
        --------
        >>> from grape_gnn.roles import match
        >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])
        >>> match(g, "3-path")[0][2].at([("ann", "dan"), ("ann", "bob"), ("cat", "dan")])
        array([1, 1, 0])
        """
        return self.counts_at(*node_pairs(self.graph, pairs))

    def counts_at(self, egos: NDArray[np.int64], members: NDArray[np.int64]) -> NDArray[Any]:
        """Return the entries at pairs given by node numbers."""
        return self.counts_at_group([self], egos, members)[0]

    def counts_at_group(
        self,
        group: Sequence[RoleOperator],
        egos: NDArray[np.int64],
        members: NDArray[np.int64],
    ) -> list[NDArray[Any]]:
        """Return the entries of roles that share what this one does, at the same pairs."""
        return [entries_at(role.to_scipy(), egos, members) for role in group]

    def __repr__(self) -> str:
        name = self.template.name or self.template.text
        return f"{type(self).__name__}({name!r}, role={self.role}, shape={self.shape})"


class MatrixRole(RoleOperator):
    """A role stored as a sparse matrix.

    Examples
    --------
    >>> from grape_gnn.roles import match
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])
    >>> corner = match(g, "triangle")[0][1]
    >>> corner @ np.array([1, 10, 100, 1000])
    array([110, 101,  11,   0])
    >>> corner.members("ann")
    {'bob': 1, 'cat': 1}
    """

    is_stored = True

    def __init__(
        self,
        graph: Graph,
        template: Template,
        role: int,
        matrix: sparse.csr_array[Any, Any],
    ) -> None:
        super().__init__(graph, template, role)
        self._matrix = matrix
        self.nbytes = int(matrix.data.nbytes + matrix.indices.nbytes)

    @property
    def nnz(self) -> int:
        """Number of (ego, member) pairs."""
        return int(self._matrix.nnz)

    @cached_property
    def T(self) -> MatrixRole:
        """The transposed operator, prepared once."""
        transposed = MatrixRole(
            self.graph, self.template, self.role, sparse.csr_array(self._matrix.T)
        )
        transposed.__dict__["T"] = self
        transposed.induced = self.induced
        return transposed

    def multiply(self, features: NDArray[Any]) -> NDArray[Any]:
        """Multiply by a NumPy matrix; single precision stays single precision."""
        product: NDArray[Any] = self._matrix @ features
        return product.astype(np.float32) if features.dtype == np.float32 else product

    def row_sums(self) -> NDArray[Any]:
        """Sum over the members, for every ego."""
        return np.asarray(self._matrix.sum(axis=1))

    def diagonal(self) -> NDArray[Any]:
        """Return zeros: nobody but the ego plays the ego's part."""
        return np.asarray(self._matrix.diagonal())

    def to_scipy(self) -> sparse.csr_array[Any, Any]:
        """Return the stored matrix itself; copy it before changing it."""
        return self._matrix


class IdentityRole(RoleOperator):
    """Role 0: every node is its own ego, matched or not."""

    visited = 0

    @property
    def nnz(self) -> int:
        """One entry per node."""
        return self.graph.num_nodes

    @property
    def T(self) -> IdentityRole:
        """The identity again."""
        return self

    def multiply(self, features: NDArray[Any]) -> NDArray[Any]:
        """Copy the features."""
        return np.array(features)

    def row_sums(self) -> NDArray[Any]:
        """Return ones."""
        return np.ones(self.graph.num_nodes, dtype=np.int64)

    def diagonal(self) -> NDArray[Any]:
        """Return ones."""
        return self.row_sums()

    def to_scipy(self) -> sparse.csr_array[Any, Any]:
        """Write out the identity matrix."""
        return sparse.csr_array(sparse.eye_array(self.graph.num_nodes, dtype=np.int64))

    def counts_at_group(
        self,
        group: Sequence[RoleOperator],
        egos: NDArray[np.int64],
        members: NDArray[np.int64],
    ) -> list[NDArray[Any]]:
        """Return one where the member is the ego."""
        return [(egos == members).astype(np.int64) for _ in group]
