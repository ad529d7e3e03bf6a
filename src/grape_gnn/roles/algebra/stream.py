"""Multiply by matrices that are too dense to store, row by row.

Pairs of nodes that a block joins without being adjacent (opposite corners of a 4-cycle) can
outnumber the edges a thousand times. Such a matrix is stored only while it fits; trees never
store one, so that training with paths and trees holds nothing denser than the graph.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from grape_gnn import _native
from grape_gnn.roles.algebra.expression import Core, Hadamard, Matrix, transpose
from grape_gnn.roles.algebra.search_order import search_order
from grape_gnn.roles.algebra.share import Local, WeightSum, split_chain

if TYPE_CHECKING:
    from grape_gnn.roles.algebra.execute_numpy import Evaluator

__all__ = ["add_streamed", "pairs_within_two_hops", "streamed_parts"]


def pairs_within_two_hops(evaluator: Evaluator) -> float:
    """Return an upper bound on the pairs two steps apart: the smallest pattern off the edges."""
    graph = evaluator.graph
    degrees = np.maximum(np.diff(graph.indptr), np.diff(graph.in_indptr)).astype(np.float64)
    tails = np.repeat(np.arange(graph.num_nodes), np.diff(graph.indptr))
    per_row = np.bincount(tails, weights=degrees[graph.indices], minlength=graph.num_nodes)
    return float(np.minimum(per_row, graph.num_nodes).sum())


def streamed_parts(local: Local) -> list[Matrix]:
    """Return the stored matrices that rows of a streamed sum are computed from."""
    parts: list[Matrix] = []
    for _, _, matrix, _ in local.pieces:
        for factor in _factors(matrix):
            if isinstance(factor, Core):
                parts.extend(link for _, _, link in factor.links)
            else:
                parts.extend(split_chain(factor)[0])
    return parts


def add_streamed(
    evaluator: Evaluator,
    local: Local,
    left: WeightSum,
    right: WeightSum,
    dense: Any,
    out: Any,
    kind: Any,
) -> None:
    """Add diag(left) * local * diag(right) * dense to `out`."""
    ones: Any = (_native.FloatRows if kind == "floats" else _native.CountRows)(
        evaluator.graph.indptr, evaluator.graph.indices, None
    )
    for coefficient, before, matrix, after in local.pieces:
        if local.flipped:
            before, matrix, after = after, transpose(matrix), before
        chains, patterns = _native_factors(evaluator, matrix, kind)
        scaled_left = _weights(evaluator, left, before, coefficient, kind)
        scaled_right = _weights(evaluator, right, after, 1, kind)
        # A product needs a few rows of memory whatever the budget, but it may take long.
        (seconds, *_), progress = evaluator.watch
        watch = ((seconds, None, None), progress)
        reason = _native.stream_product(
            ones, chains, patterns, scaled_left, scaled_right, dense, out, evaluator.threads, watch
        )
        evaluator.check(reason)


def _factors(matrix: Matrix) -> tuple[Matrix, ...]:
    return matrix.factors if isinstance(matrix, Hadamard) else (matrix,)


def _native_factors(evaluator: Evaluator, matrix: Matrix, kind: Any) -> tuple[list[Any], list[Any]]:
    """Chains and searched patterns of an entry-wise product, equal ones as powers."""
    chains: list[Any] = []
    patterns: list[Any] = []
    for factor, power in Counter(_factors(matrix)).items():
        if isinstance(factor, Core):
            order = search_order(factor, masked=False)
            links = [
                [(p, evaluator.matrix(link).rows(kind)) for p, link in at if link is not None]
                for at in order.links
            ]
            weights = [evaluator.diagonal(factor.weights[node], kind) for node in order.order]
            patterns.append((power, links, weights, order.order.index(1)))
        else:
            factors, diagonals = split_chain(factor)
            rows = [evaluator.matrix(part).rows(kind) for part in factors]
            chains.append((power, (1, rows, [evaluator.diagonal(d, kind) for d in diagonals])))
    return chains, patterns


def _weights(
    evaluator: Evaluator, summed: WeightSum, vector: Any, coefficient: int, kind: Any
) -> Any:
    """Return the product of two diagonals and a coefficient; None for the identity."""
    numbers = evaluator.weights(summed)
    first = None if numbers is None else numbers.array(kind)
    second = evaluator.diagonal(vector, kind)
    known = [array for array in (first, second) if array is not None]
    if not known:
        if coefficient == 1:
            return None
        dtype = np.float64 if kind == "floats" else np.int64
        return np.full(evaluator.graph.num_nodes, coefficient, dtype=dtype)
    product = known[0] * coefficient
    for array in known[1:]:
        product *= array
    return product
