"""The cheap fitness: a ridge regression on the columns of a gene, solved in closed form.

With the columns ``X`` of a gene's templates (see `grape_gnn.search.columns`) and the one-hot labels
``Y`` of the training nodes, both less their means,

    W = (X'X + r n I)^-1 X'Y,

and the class of a node is the largest entry of its row of ``X W``. Several labels are their zeros
and ones, and numbers are themselves. The fitness is the score on the validation nodes by the metric
of the search, with the best of a few ``r``. Columns are computed once per template, so a
gene costs a few small solves. These are torch's, on one thread, so that rounding is the same on
every machine of a kind, however many processors it has.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from grape_gnn.errors import GrapeError
from grape_gnn.graph.targets import task_of
from grape_gnn.roles import RoleMatches
from grape_gnn.search.bounded import Bounded
from grape_gnn.search.columns import Columns
from grape_gnn.search.evaluate import ONE_AT_A_TIME, Outcome
from grape_gnn.search.problem import Problem
from grape_gnn.training import score, torch_threads

__all__ = ["Ridge", "RidgeFitness", "fit_ridge"]

STRENGTHS = (1e-3, 1e-2, 1e-1, 1.0)  # r, in units of the columns' variance


@dataclass(frozen=True)
class Ridge:
    """A fit: score and mean squared error on the validation nodes, and its strength."""

    accuracy: float
    loss: float
    strength: float


def fit_ridge(
    training: torch.Tensor,
    labels: NDArray[Any],
    validation: torch.Tensor,
    answers: NDArray[Any],
    metric: str = "accuracy",
) -> Ridge:
    """Fit ridge regressions of several strengths, and return the best on the validation nodes.

    Parameters
    ----------
    training, validation
        Columns of the nodes, in double precision.
    labels, answers
        Their labels, in the form of their task.
    metric
        What they are scored by.

    Examples
    --------
    >>> x = torch.tensor([[-1.0], [-2.0], [1.0], [2.0]], dtype=torch.float64)
    >>> fit_ridge(x, np.array([0, 0, 1, 1]), x[1:3], np.array([0, 1])).accuracy
    1.0
    """
    task = task_of(labels)
    targets, truth = _as_columns(labels, answers)
    wanted = torch.from_numpy(answers)
    centre, share = training.mean(0), targets.mean(0)
    x = training - centre
    gram, moment = x.T @ x, x.T @ (targets - share)
    unit, size = torch.eye(len(gram), dtype=gram.dtype), len(training)
    best: Ridge | None = None
    for strength in STRENGTHS:
        root = torch.linalg.cholesky(gram + strength * size * unit)
        scores = (validation - centre) @ torch.cholesky_solve(moment, root) + share
        loss = float((scores - truth).square().sum(1).mean())
        # Of zeros and ones, more than one half means yes.
        given = scores[:, 0] if task == "regression" else scores - (task == "multi-label") / 2
        found = Ridge(score(metric, given, wanted), loss, strength)
        if best is None or (found.accuracy, -found.loss) > (best.accuracy, -best.loss):
            best = found
    assert best is not None  # there are strengths
    return best


def _as_columns(*parts: NDArray[Any]) -> list[torch.Tensor]:
    """Return labels as numbers to be regressed on, a column for each class or label."""
    if task_of(parts[0]) == "classification":
        classes = int(max(part.max() for part in parts)) + 1
        one_hot = torch.nn.functional.one_hot
        return [one_hot(torch.from_numpy(part), classes).double() for part in parts]
    return [torch.from_numpy(part).double().reshape(len(part), -1) for part in parts]


class RidgeFitness:
    """Judges genes by ridge regression; remembers the columns of their templates.

    Parameters
    ----------
    problem
        Graph, split and labels.
    memory
        Bytes for columns.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> from grape_gnn.search.problem import make_problem
    >>> g = grape.datasets.load("planted-roles", num_shapes=60)
    >>> judge = RidgeFitness(make_problem(g, {}, seed=0), 1 << 20)
    >>> edge, social = (judge.judge(grape.match(g, which)) for which in ("edge", "social"))
    >>> edge.accuracy < social.accuracy
    True
    """

    def __init__(self, problem: Problem, memory: int) -> None:
        assert problem.graph.y is not None  # `make_problem` has seen to it
        with ONE_AT_A_TIME, torch_threads(1):
            self._columns = Columns(problem)
        self._parts = tuple(map(np.flatnonzero, (problem.train, problem.validation)))
        self._labels = tuple(problem.graph.y[part] for part in self._parts)
        self._metric = problem.metric
        self._own = self._split(self._columns.own)
        self._kept: Bounded[tuple[torch.Tensor, ...]] = Bounded(memory)

    def judge(self, roles: RoleMatches) -> Outcome:
        """Return the validation accuracy of a gene, given the roles of its templates."""
        start = time.monotonic()
        with ONE_AT_A_TIME, torch_threads(1):
            try:
                blocks = [self._own, *(self._of(roles, place) for place in range(len(roles)))]
                training, validation = (torch.hstack(each) for each in zip(*blocks, strict=True))
                fit = fit_ridge(
                    training, self._labels[0], validation, self._labels[1], self._metric
                )
            except GrapeError as error:  # one bad gene must not end the search
                return Outcome(0.0, 0.0, 0, time.monotonic() - start, failure=str(error))
        return Outcome(fit.accuracy, fit.loss, 0, time.monotonic() - start)

    def _of(self, roles: RoleMatches, place: int) -> tuple[torch.Tensor, ...]:
        name = roles[place].template.text
        known = self._kept.get(name)
        if known is None:
            known = self._split(self._columns.of(roles[place]))
            self._kept.keep(name, known, sum(part.nbytes for part in known))
        return known

    def _split(self, columns: NDArray[np.float64]) -> tuple[torch.Tensor, ...]:
        """Return the columns of the training nodes, and of the validation nodes."""
        return tuple(torch.from_numpy(columns[part]) for part in self._parts)
