"""The genes among which a user may choose: none is both more accurate and cheaper than another."""

from __future__ import annotations

from collections.abc import Iterable

from grape_gnn.search.history import Evaluation

__all__ = ["pareto_front"]


def pareto_front(evaluations: Iterable[Evaluation]) -> list[Evaluation]:
    """Return the evaluations that no other beats in accuracy without costing more.

    Parameters
    ----------
    evaluations
        Any; failed ones and repetitions are left out.

    Returns
    -------
    list of Evaluation
        From the cheapest to the most accurate.

    Examples
    --------
    >>> from grape_gnn.search.gene import Gene
    >>> from grape_gnn.template import Template
    >>> found = [
    ...     Evaluation(0, Gene([shape]), "draw", (), "ridge", accuracy, 0.5, cost, 0, 1.0, 0.0, 1.0)
    ...     for shape, accuracy, cost in [
    ...         (Template("0-1"), 0.5, 1), (Template("0-1 1-2"), 0.4, 2),
    ...         (Template("0-1 0-2 1-2"), 0.6, 1.5),
    ...     ]
    ... ]
    >>> [each.gene for each in pareto_front(found)]
    [Gene('0-1'), Gene('0-1 0-2 1-2')]
    """
    usable = [each for each in evaluations if not each.cached and each.failure is None]
    front: list[Evaluation] = []
    for each in sorted(usable, key=lambda e: (e.cost, -e.validation_accuracy)):
        if not front or each.validation_accuracy > front[-1].validation_accuracy:
            front.append(each)
    return front
