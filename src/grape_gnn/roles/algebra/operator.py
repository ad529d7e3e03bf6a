"""A role as an operator that is never written out.

`AlgebraicRole` behaves like the role matrix `C_j` with ``weighting="count"``: it multiplies
features, transposes, sums its rows and names its members, all exactly, without enumerating an
instance. It is written out as a sparse matrix only when asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from grape_gnn import _native
from grape_gnn.errors import BudgetExceededError, CountOverflowError
from grape_gnn.roles.algebra.compile import compile_role
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.multiply import multiply, multiply_all
from grape_gnn.roles.algebra.share import Gathered, Local, gather
from grape_gnn.template import Template

if TYPE_CHECKING:
    import torch

__all__ = ["AlgebraicRole", "apply_roles"]

_WORD = 2.0**63


class AlgebraicRole:
    """One role of one template on one graph, exact and never enumerated.

    Parameters
    ----------
    evaluator
        The graph and everything already computed on it.
    template
        The template.
    role
        Index into ``template.roles``, from 1.

    Examples
    --------
    >>> import numpy as np
    >>> from grape_gnn.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> end = AlgebraicRole(Evaluator(path), Template("0-1 1-2"), 2)
    >>> end @ np.array([1, 10, 100, 1000])
    array([ 100, 1000,    1,   10])
    """

    def __init__(
        self, evaluator: Evaluator, template: Template, role: int, *, transposed: bool = False
    ) -> None:
        self.evaluator = evaluator
        self.template = template
        self.role = role
        self.transposed = transposed

    @cached_property
    def plan(self) -> Gathered:
        """The terms of the operator, gathered."""
        plan = gather(compile_role(self.template, self.role))
        return plan.transposed() if self.transposed else plan

    @property
    def shape(self) -> tuple[int, int]:
        """Nodes by nodes."""
        n = self.evaluator.graph.num_nodes
        return (n, n)

    @cached_property
    def T(self) -> AlgebraicRole:
        """The transposed operator; it shares everything stored."""
        other = AlgebraicRole(
            self.evaluator, self.template, self.role, transposed=not self.transposed
        )
        other.__dict__["T"] = self
        return other

    @property
    def is_local(self) -> bool:
        """Whether the whole operator is one array of values on one stored pattern."""
        return self.plan.diagonal is None and all(
            len(product.factors) == 1 and isinstance(product.factors[0], Local)
            for product in self.plan.products
        ) and len(self.plan.products) == 1

    def prepare(self) -> AlgebraicRole:
        """Compute all stored parts now rather than at the first product."""
        if self.plan.diagonal is not None:
            self.evaluator.weights(self.plan.diagonal)
        for product in self.plan.products:
            for factor in product.factors:
                if isinstance(factor, Local):
                    self.evaluator.local(factor)
                else:
                    self.evaluator.matrix(factor)
            for weights in product.diagonals:
                self.evaluator.weights(weights)
        return self

    def __matmul__(self, features: Any) -> Any:
        """The operator times a vector or matrix of NumPy or torch features."""
        if not isinstance(features, np.ndarray):
            from grape_gnn.roles.algebra.execute_torch import multiply_tensor

            return multiply_tensor(self, features)
        return self.multiply_array(features)

    def multiply_array(self, features: NDArray[Any]) -> NDArray[Any]:
        """The operator times a NumPy array; single precision stays single precision."""
        dense = _as_matrix(features, self.shape[1])
        out = multiply(self.evaluator, self.plan, dense)
        return _like(out, features)

    def row_sums(self) -> NDArray[np.int64]:
        """How many (instance, member) pairs every ego has in this role."""
        ones = np.ones((self.shape[1], 1))
        return self._exact(ones)[:, 0]

    def diagonal(self) -> NDArray[np.int64]:
        """Zeros: an ego never plays a role other than its own."""
        return np.zeros(self.shape[0], dtype=np.int64)

    def totals(self) -> NDArray[np.int64]:
        """Instances per ego: every instance fills the role with each of its nodes once."""
        return self.row_sums() // len(self.template.roles[self.role])

    def members(self, ego: str | int) -> dict[str | int, int]:
        """Who plays this role for an ego, by name, and in how many instances."""
        graph = self.evaluator.graph
        unit = np.zeros((self.shape[0], 1))
        unit[graph.index_of(ego)] = 1.0
        counts = self.T._exact(unit)[:, 0]
        return {graph.name_of(int(u)): int(counts[u]) for u in np.flatnonzero(counts)}

    def _exact(self, dense: NDArray[np.float64]) -> NDArray[np.int64]:
        """The product with small integers, exact or refused."""
        rough = multiply(self.evaluator, self.plan, dense)
        # The division comes last, so it is the undivided sum that has to fit.
        if rough.size and float(np.abs(rough).max()) * self.plan.divisor >= _WORD * (1 - 1e-9):
            raise CountOverflowError(
                f"role {self.role} of template {self.template.text!r} has a count of about "
                f"{float(np.abs(rough).max()):.3g}, which does not fit into 64 bits; multiply "
                "the operator by float64 features instead"
            )
        return multiply(self.evaluator, self.plan, dense.astype(np.int64))

    @cached_property
    def nnz(self) -> int:
        """Stored entries of the written-out matrix; an upper bound when it is a product."""
        n = self.shape[0]
        if self.is_local:
            return int(np.count_nonzero(self._local_values()))
        bound = n if self.plan.diagonal is not None else 0
        for product in self.plan.products:
            reach = np.ones(n)
            for factor in reversed(product.factors):
                stored = (
                    self.evaluator.local(factor)
                    if isinstance(factor, Local)
                    else self.evaluator.matrix(factor)
                )
                pattern = stored.pattern
                ones = csr_array((np.ones(pattern.nnz), pattern.idx, pattern.ptr), (n, n))
                reach = np.minimum(ones @ reach, n)
            bound += int(reach.sum())
        return min(bound, n * n)

    def _local_values(self) -> NDArray[np.int64]:
        local = self.plan.products[0].factors[0]
        if not isinstance(local, Local):
            raise TypeError("not a local operator")
        values = self.evaluator.local(local).values().as_integers()
        return values if self.plan.divisor == 1 else values // self.plan.divisor

    def to_scipy(self, memory: int | None = None) -> csr_array:
        """The role matrix written out, int64, zeros left out.

        Parameters
        ----------
        memory
            Bytes the result may take; without it, the budget given to the matching.

        Raises
        ------
        BudgetExceededError
            When the matrix would not fit; multiply by the operator instead.
        """
        self.row_sums()  # refuses counts that do not fit
        budget = self.evaluator.nbytes if memory is None else memory
        terms = []
        if self.plan.diagonal is not None:
            terms.append((1, [], [self._weights(self.plan.diagonal)]))
        for product in self.plan.products:
            rows = [
                (
                    self.evaluator.local(factor)
                    if isinstance(factor, Local)
                    else self.evaluator.matrix(factor)
                ).rows("integers")
                for factor in product.factors
            ]
            terms.append((1, rows, [self._weights(weights) for weights in product.diagonals]))
        empty = _native.CountRows(np.zeros(1, np.int64), np.zeros(0, np.int32), None)
        evaluator = self.evaluator
        ptr, idx, values, reason = _native.combine_rows(
            self.shape[0],
            terms,
            self.plan.divisor,
            empty,
            evaluator.threads,
            evaluator.seconds,
            budget,
        )
        if reason != 0:
            kind = "time" if reason == 2 else "memory"
            limit = f"{evaluator.seconds:g} s" if kind == "time" else f"{(budget or 0) / 1e6:g} MB"
            raise BudgetExceededError(
                kind,
                f"role {self.role} of template {self.template.text!r} cannot be written out within "
                f"{limit} (at most {self.nnz:,} entries); multiply by the operator instead or "
                f"raise the {kind} budget",
            )
        return csr_array((values, idx, ptr), self.shape)

    def _weights(self, weights: Any) -> NDArray[np.int64] | None:
        numbers = self.evaluator.weights(weights)
        return None if numbers is None else numbers.as_integers()

    def to_torch(self) -> torch.Tensor:
        """The written-out matrix as a torch CSR tensor."""
        import torch

        matrix = self.to_scipy()
        return torch.sparse_csr_tensor(
            torch.from_numpy(matrix.indptr.astype(np.int64)),
            torch.from_numpy(matrix.indices.astype(np.int64)),
            torch.from_numpy(matrix.data),
            size=self.shape,
        )

    def __repr__(self) -> str:
        turned = ", transposed" if self.transposed else ""
        return f"AlgebraicRole({self.template.text!r}, role={self.role}{turned})"


def apply_roles(roles: Sequence[AlgebraicRole], features: NDArray[Any]) -> list[NDArray[Any]]:
    """Several roles of one graph times the same features, sharing their common products.

    Examples
    --------
    >>> import numpy as np
    >>> from grape_gnn.graph import Graph
    >>> evaluator = Evaluator(Graph.from_edges([0, 1, 2], [1, 2, 3]))
    >>> roles = [AlgebraicRole(evaluator, Template("0-1 1-2"), role) for role in (1, 2)]
    >>> [product.tolist() for product in apply_roles(roles, np.array([1, 10, 100, 1000]))]
    [[10, 100, 10, 100], [100, 1000, 1, 10]]
    """
    if not roles:
        return []
    dense = _as_matrix(features, roles[0].shape[1])
    products = multiply_all(roles[0].evaluator, [role.plan for role in roles], dense)
    return [_like(product, features) for product in products]


def _as_matrix(features: NDArray[Any], rows: int) -> NDArray[Any]:
    if features.ndim not in (1, 2) or features.shape[0] != rows:
        raise ValueError(
            f"features must have {rows} rows (one per node) and one or two dimensions, "
            f"got shape {features.shape}"
        )
    return features.reshape(rows, -1) if features.ndim == 1 else features


def _like(out: NDArray[Any], features: NDArray[Any]) -> NDArray[Any]:
    """The result in the shape and precision of the features."""
    if features.dtype == np.float32:
        out = out.astype(np.float32)
    return out.reshape(features.shape)
