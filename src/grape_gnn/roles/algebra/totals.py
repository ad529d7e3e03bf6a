"""Counts per node and per edge by the algebra, without an operator for any role.

The instances around an ego are all injective maps of the template with its anchor on the ego,
divided by the symmetries that fix the anchor. They are a sum of homomorphism counts with one
terminal, each a vector that the evaluator keeps: templates that have a vector in common, as all
templates of one size have, compute it once.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from grape_gnn.errors import CountOverflowError
from grape_gnn.roles.algebra.compile import hom_operator
from grape_gnn.roles.algebra.exact import Integers, Numbers, multiplied
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.expression import Diagonal, Matrix, Vector
from grape_gnn.roles.algebra.induced import template_quotients
from grape_gnn.roles.algebra.share import WeightSum, role_plan
from grape_gnn.template import Template

__all__ = ["edge_totals", "node_totals", "total_plan"]

_WORD = 2.0**63


@lru_cache(maxsize=4096)
def total_plan(template: Template, *, induced: bool = False) -> WeightSum:
    """Return the injective maps of a template by the image of its anchor.

    Examples
    --------
    >>> [coefficient for coefficient, _ in total_plan(Template("0-1 1-2")).parts]
    [-1, 1]
    """
    quotients = template_quotients(template, 0, induced=induced)
    parts = [(value, _vector(hom_operator(quotient))) for quotient, value in quotients.items()]
    return WeightSum(tuple(sorted(parts, key=repr)))


def _vector(matrix: Matrix) -> Vector:
    assert isinstance(matrix, Diagonal)  # one terminal
    return matrix.vector


def node_totals(known: Evaluator, template: Template, *, induced: bool = False) -> Integers:
    """Count the instances of a template around every node; non-induced unless asked for.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> node_totals(Evaluator(path), Template("0-1 1-2")).tolist()
    [1, 1, 1, 1]
    """
    numbers = known.weights(total_plan(template, induced=induced))
    assert numbers is not None  # only a single node would be the identity
    return _divided(numbers, template.num_automorphisms, template)


def edge_totals(known: Evaluator, template: Template, role: int) -> Integers:
    """Count, for every stored edge (v, u), the instances around v with u in a role next to it.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> path = Graph.from_edges([0, 1], [1, 2])
    >>> edge_totals(Evaluator(path), Template("0-1 1-2"), 1).tolist()
    [1, 0, 0, 1]
    """
    plan = role_plan(template, role)
    assert plan.on_edges  # the anchor and the role are adjacent
    (product,) = plan.products
    stored = known.factor(product.factors[0])
    pattern = stored.pattern
    factors = [stored.values()]
    left, right = (known.weights(weights) for weights in product.diagonals)
    if left is not None:
        rows = np.repeat(np.arange(pattern.num_rows), np.diff(pattern.ptr))
        factors.append(left.taken(rows))
    if right is not None:
        factors.append(right.taken(pattern.idx.astype(np.int64)))
    return _divided(multiplied(factors), plan.divisor, template)


def _divided(numbers: Numbers, divisor: int, template: Template) -> Integers:
    # The division comes last, so it is the undivided sum that has to fit.
    if numbers.largest >= _WORD * (1 - 1e-9):
        raise CountOverflowError(
            f"template {template.text!r} has about {numbers.largest / divisor:.3g} instances "
            f"around a node, which is too close to the limit of 64 bits: use a smaller template"
        )
    return numbers.as_integers() // divisor
