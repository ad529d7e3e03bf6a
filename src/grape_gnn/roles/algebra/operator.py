"""A role as an operator that is never written out.

`AlgebraicRole` behaves like the role matrix `C_j` with ``weighting="count"``: it multiplies
features, transposes, sums its rows and names its members, all exactly, without enumerating an
instance. It is written out as a sparse matrix only when asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn import _native
from grape_gnn.errors import BudgetExceededError, CountOverflowError
from grape_gnn.roles.algebra.at_pairs import PairValues
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.multiply import multiply_all
from grape_gnn.roles.algebra.share import Gathered, Local, WeightSum, role_plan
from grape_gnn.roles.algebra.stored import StoredMatrix
from grape_gnn.roles.algebra.stream import streamed_parts
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.roles.native_call import stop_kind
from grape_gnn.roles.operator import RoleOperator
from grape_gnn.template import Template

if TYPE_CHECKING:
    import torch

__all__ = ["AlgebraicRole", "multiply_roles"]

_WORD = 2.0**63
_BYTES_PER_ENTRY = 12


class AlgebraicRole(RoleOperator):
    """One role of one template on one graph, exact and never enumerated.

    Parameters
    ----------
    evaluator
        The graph and everything already computed on it.
    template
        The template.
    role
        Index into ``template.roles``, from 1.
    induced
        Count induced instances only.
    transposed
        Make the operator from members to egos.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> end = AlgebraicRole(Evaluator(path), Template("0-1 1-2"), 2)
    >>> end @ np.array([1, 10, 100, 1000])
    array([ 100, 1000,    1,   10])
    """

    def __init__(
        self,
        evaluator: Evaluator,
        template: Template,
        role: int,
        *,
        induced: bool = False,
        transposed: bool = False,
    ) -> None:
        super().__init__(evaluator.graph, template, role)
        self.evaluator = evaluator
        self.induced = induced
        self.transposed = transposed
        self._fits = False

    @cached_property
    def plan(self) -> Gathered:
        """The terms of the operator, gathered."""
        plan = role_plan(self.template, self.role, induced=self.induced)
        return plan.transposed() if self.transposed else plan

    @cached_property
    def T(self) -> AlgebraicRole:
        """The transposed operator; it shares everything stored."""
        other = self.on(self.evaluator)
        other.transposed = not self.transposed
        other.__dict__["T"] = self
        return other

    def on(self, evaluator: Evaluator) -> AlgebraicRole:
        """Return the same role on the graph of another evaluator."""
        return AlgebraicRole(
            evaluator,
            self.template,
            self.role,
            induced=self.induced,
            transposed=self.transposed,
        )

    def prepare(self) -> AlgebraicRole:
        """Compute all stored parts now rather than at the first product."""
        weights = [] if self.plan.diagonal is None else [self.plan.diagonal]
        for product in self.plan.products:
            for factor in product.factors:
                if isinstance(factor, Local) and self.evaluator.streams(factor):
                    for part in streamed_parts(factor):
                        self.evaluator.matrix(part)
                else:
                    self.evaluator.factor(factor)
            weights.extend(product.diagonals)
        for expression in weights:
            self.evaluator.weights(expression)
        return self

    @property
    def is_path_end(self) -> bool:
        """Whether it is `A·A − D` of an undirected graph, with edges of any type."""
        typed = self.template.has_edge_types
        return self.plan.is_there_and_on and not self.graph.directed and not typed

    def multiply_tensor(self, features: torch.Tensor) -> torch.Tensor:
        """Multiply by a tensor without gradients, on its own device."""
        if features.device.type == "cpu":
            return super().multiply_tensor(features)
        from grape_gnn.roles.algebra.execute_torch import multiply_on_device

        return multiply_on_device(self, features)

    def multiply(self, features: NDArray[Any]) -> NDArray[Any]:
        """Multiply by a NumPy array; single precision stays single precision."""
        return multiply_roles([self], features)[0]

    @property
    def shares(self) -> Evaluator:
        """Its evaluator: roles that have the same one share products and passes over the edges."""
        return self.evaluator

    def multiply_group(
        self, group: Sequence[RoleOperator], features: NDArray[Any]
    ) -> list[NDArray[Any]]:
        """Multiply roles of the same evaluator together."""
        return multiply_roles(cast("Sequence[AlgebraicRole]", group), features)

    def counts_at_group(
        self,
        group: Sequence[RoleOperator],
        egos: NDArray[np.int64],
        members: NDArray[np.int64],
    ) -> list[NDArray[np.int64]]:
        """Evaluate roles of the same evaluator at the same pairs; nothing is formed between."""
        values = PairValues(self.evaluator, egos, members)
        return [
            values.of(role.plan, f"role {role.role} of template {role.template.text!r}")
            for role in cast("Sequence[AlgebraicRole]", group)
        ]

    @property
    def visited(self) -> int:
        """Entries of all factors, which are multiplied one after the other."""
        return sum(
            2 * len(self.graph.indices)
            if self.evaluator.streams(factor)
            else self.evaluator.factor(factor).pattern.nnz
            for product in self.plan.products
            for factor in product.factors
        )

    def row_sums(self) -> NDArray[np.int64]:
        """How many (instance, member) pairs every ego has in this role."""
        return self._exact(np.ones(self.shape[1]))

    def totals(self) -> NDArray[np.int64]:
        """Instances per ego: each fills this role once with every node of the role."""
        if self.transposed:
            return self.T.totals()
        try:
            return self.row_sums() // len(self.template.roles[self.role])
        except CountOverflowError:
            # Their multiples do not fit into 64 bits, but the totals themselves may.
            from grape_gnn.roles.enumerate import enumerate_totals

            asked = self.evaluator.settings
            free = MatchSettings(
                weighting=asked.weighting, induced=self.induced, threads=asked.threads
            )
            return enumerate_totals(self.graph, self.template, free).totals

    def diagonal(self) -> NDArray[np.int64]:
        """Zeros: nobody but the ego plays the ego's part."""
        return np.zeros(self.shape[0], dtype=np.int64)

    def members(self, ego: str | int) -> dict[str | int, int | float]:
        """Who plays this role for an ego, by name, and in how many instances."""
        unit = np.zeros(self.shape[0])
        unit[self.graph.index_of(ego)] = 1.0
        counts = self.T._exact(unit)
        return {self.graph.name_of(u): int(counts[u]) for u in np.flatnonzero(counts).tolist()}

    def _exact(self, dense: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the product with small integers, exact or refused."""
        rough = self.multiply(dense)
        largest = float(np.abs(rough).max(initial=0.0))
        # The division comes last, so it is the undivided sum that has to fit.
        if largest * self.plan.divisor >= _WORD * (1 - 1e-9):
            raise CountOverflowError(
                f"role {self.role} of template {self.template.text!r} has a count of about "
                f"{largest:.3g}, which does not fit into 64 bits: multiply the operator by "
                f"float64 features instead, or use a smaller template"
            )
        return self.multiply(dense.astype(np.int64))

    @cached_property
    def nnz(self) -> int:
        """Entries once written out: exact on the graph's own edges, else an upper bound."""
        values = self.edge_values()
        if values is not None:
            return int(np.count_nonzero(values))
        n = self.shape[0]
        bound = n if self.plan.diagonal is not None else 0
        for product in self.plan.products:
            reach = np.ones(n)
            for factor in reversed(product.factors):
                if self.evaluator.streams(factor):
                    reach[:] = n
                    continue
                pattern = self.evaluator.factor(factor).pattern
                reach = np.minimum(StoredMatrix(pattern).to_scipy() @ reach, n)
            bound += int(reach.sum())
        return min(bound, n * n)

    def edge_values(self) -> NDArray[np.float64] | None:
        """Return the role as one value per stored edge of the graph, where it is no more than that.

        Roles next to the anchor live on the graph's own edges: they share its rows and differ in
        values only, so that many of them can be multiplied in one pass.

        Returns
        -------
        numpy.ndarray or None
            ``values[k]`` belongs to ``graph.indices[k]`` (for a directed graph whose role follows
            the out-arcs); None for roles that reach further.

        Examples
        --------
        >>> from grape_gnn.graph import Graph
        >>> path = Graph.from_edges([0, 1], [1, 2])
        >>> AlgebraicRole(Evaluator(path), Template("0-1 1-2"), 1).edge_values()
        array([1., 0., 0., 1.])
        """
        if not self.plan.on_edges:
            return None
        product = self.plan.products[0]
        stored = self.evaluator.factor(product.factors[0])
        pattern = stored.pattern
        if pattern.nnz != len(self.graph.indices) or not np.array_equal(
            pattern.idx, self.graph.indices
        ):
            return None
        values = stored.values().floats / self.plan.divisor
        left, right = (self.evaluator.weights(weights) for weights in product.diagonals)
        if left is not None:
            values *= np.repeat(left.floats, np.diff(pattern.ptr))
        if right is not None:
            values *= right.floats[pattern.idx]
        return values

    def to_scipy(
        self, memory: int | None = None, egos: range | None = None
    ) -> sparse.csr_array[Any, Any]:
        """Return the role matrix written out, int64, zeros left out.

        Parameters
        ----------
        memory
            Bytes the result may take; without it, the memory budget of the matching.
        egos
            Write the rows of these consecutive nodes only; all others are empty.

        Raises
        ------
        BudgetExceededError
            When the matrix would not fit; multiply by the operator instead.
        """
        self._refuse_large_counts()
        _, progress = self.evaluator.watch
        seconds, budget, _ = self.evaluator.limits
        budget = room = budget if memory is None else memory
        terms: list[Any] = []
        if self.plan.diagonal is not None:
            terms.append((1, [], [_only(self._integers(self.plan.diagonal), egos)]))
        for product in self.plan.products:
            first, *others = [self.evaluator.factor(factor) for factor in product.factors]
            # A row of a product comes from that row of its first factor.
            stored = [first if egos is None else first.only_rows(egos), *others]
            if room is not None:
                # Doubles are turned into integers for the time being.
                room -= sum(m.numbers.floats.nbytes for m in stored if m.numbers is not None)
            rows = [matrix.rows("integers") for matrix in stored]
            terms.append((1, rows, [self._integers(weights) for weights in product.diagonals]))
        ones = _native.CountRows(self.graph.indptr, self.graph.indices, None)
        watch = ((seconds, None if room is None else max(0, room), None), progress)
        ptr, idx, values, stop = _native.combine_rows(
            ones, terms, self.plan.divisor, self.evaluator.threads, watch
        )
        if stop_kind(stop) == "time":
            self.evaluator.check(stop)
        if stop_kind(stop) is not None:
            raise BudgetExceededError(
                "memory",
                f"role {self.role} of template {self.template.text!r} does not fit into "
                f"{'this machine' if budget is None else f'{budget} bytes'} when written out (at "
                f"most {self.nnz:,} entries): multiply by the operator instead, which needs no "
                f"such matrix, or allow more with memory=...",
            )
        return sparse.csr_array((values, idx, ptr), self.shape)

    def _refuse_large_counts(self) -> None:
        """Raise if a row's sum does not fit into 64 bits; found out once."""
        if not self._fits:
            self.row_sums()
            self._fits = True

    def materialise(self, most: int) -> sparse.csr_array[Any, Any] | None:
        """Return the role matrix if it, and the work on it, fit into so many entries; else None."""
        try:
            matrix = self.to_scipy(memory=most * _BYTES_PER_ENTRY)
        except (BudgetExceededError, CountOverflowError):
            return None
        return matrix if matrix.nnz <= most else None

    def forget(self) -> None:
        """Let go of the numbers on the graph's edges, of all roles with the same evaluator."""
        self.evaluator.forget()

    def _integers(self, weights: WeightSum) -> NDArray[np.int64] | None:
        numbers = self.evaluator.weights(weights)
        return None if numbers is None else numbers.as_integers()


def _only(weights: NDArray[np.int64] | None, egos: range | None) -> NDArray[np.int64] | None:
    """Return a diagonal with zeros for everybody but the egos."""
    if weights is None or egos is None:
        return weights
    kept = np.zeros_like(weights)
    kept[egos.start : egos.stop] = weights[egos.start : egos.stop]
    return kept


def multiply_roles(roles: Sequence[AlgebraicRole], features: NDArray[Any]) -> list[NDArray[Any]]:
    """Several roles of one graph times the same features, sharing their common products.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> evaluator = Evaluator(Graph.from_edges([0, 1, 2], [1, 2, 3]))
    >>> roles = [AlgebraicRole(evaluator, Template("0-1 1-2"), role) for role in (1, 2)]
    >>> [product.tolist() for product in multiply_roles(roles, np.array([1, 10, 100, 1000]))]
    [[10, 100, 10, 100], [100, 1000, 1, 10]]
    """
    if not roles:
        return []
    dense = features[:, None] if features.ndim == 1 else features
    products = multiply_all(roles[0].evaluator, [role.plan for role in roles], dense)
    kept = np.float32 if features.dtype == np.float32 else products[0].dtype
    return [product.astype(kept, copy=False).reshape(features.shape) for product in products]
