"""A gene judged by a training: GRAPE with its templates, and its validation score.

This is ``F(T_1, ..., T_L)`` of Algorithm 1; `grape_gnn.search.ridge` estimates it. It is a function
of the problem and the job alone: the weights' seed comes from the gene, and torch works with one
thread, so that every worker gets the same result.
"""

from __future__ import annotations

import threading
import time
import warnings
from dataclasses import dataclass, field
from typing import Any

from grape_gnn.errors import GrapeError, GrapeWarning
from grape_gnn.roles import RoleMatches
from grape_gnn.search.gene import Gene
from grape_gnn.search.portable import PackedRoles, pack, unpack
from grape_gnn.search.problem import Problem
from grape_gnn.search.strategy import mixed_seed

__all__ = ["ONE_AT_A_TIME", "Job", "Outcome", "train_gene"]


@dataclass(frozen=True)
class Job:
    """One training.

    Parameters
    ----------
    gene
        The templates.
    roles
        Their roles, as they are in this process or packed for another.
    seed
        Of the search.
    seconds
        Time for it; what is not done by then is cut off. None: no limit.
    """

    gene: Gene
    roles: RoleMatches | tuple[PackedRoles, ...]
    seed: int
    seconds: float | None = None

    def __getstate__(self) -> dict[str, Any]:
        # Operators hold compiled parts that cannot travel to another process.
        roles = pack(self.roles) if isinstance(self.roles, RoleMatches) else self.roles
        return {**vars(self), "roles": roles}


@dataclass(frozen=True)
class Outcome:
    """What a training or a ridge regression gave.

    Parameters
    ----------
    accuracy, loss
        On the validation nodes, of the best epoch or strength; 0 after a failure. The accuracy, or
        the score by another metric of the problem: the higher the better.
    epochs
        Number of epochs; a regression has none.
    seconds
        Time.
    failure
        Why there is no accuracy, if there is none.
    cut_off
        Whether the time ran out before training was done.
    figures
        All metrics of a training on the validation nodes, by name; a regression has none.
    """

    accuracy: float
    loss: float
    epochs: int
    seconds: float
    failure: str | None = None
    cut_off: bool = False
    figures: dict[str, float | None] = field(default_factory=dict)


# Torch's random numbers and its number of threads belong to the process, not to a thread.
ONE_AT_A_TIME = threading.Lock()


class _TimeIsUpError(Exception):
    """Training ends here: the search is over."""


def train_gene(problem: Problem, job: Job) -> Outcome:
    """Train GRAPE with the templates of a gene.

    Parameters
    ----------
    problem
        Graph, split and settings.
    job
        What to train.

    Returns
    -------
    Outcome
        Errors of the library (counts that overflow, a loss that explodes) make a failed outcome:
        one bad gene must not end a search.
    """
    # Importing torch takes seconds, which are not the gene's.
    from grape_gnn.estimator import GrapeClassifier, GrapeRegressor
    from grape_gnn.training import all_figures, torch_threads

    start = time.monotonic()
    end = None if job.seconds is None else start + job.seconds
    watch = _Watch(end)
    seed = mixed_seed(job.seed, job.gene.key)
    kind = GrapeRegressor if problem.graph.task == "regression" else GrapeClassifier
    templates = list(job.gene.templates)
    classifier = kind(templates, **problem.model, metric=problem.metric, seed=seed)
    with ONE_AT_A_TIME, torch_threads(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", GrapeWarning)  # templates without instances are fine here
        try:
            classifier.fit(
                problem.graph,
                train_mask=problem.train,
                val_mask=problem.validation,
                roles=_roles(problem, job),
                progress=watch,
            )
            found = classifier.outputs(problem.graph)[problem.validation]
            wanted = classifier.codes(problem.graph)[problem.validation]
        except _TimeIsUpError:
            return Outcome(0.0, 0.0, watch.epochs, time.monotonic() - start, cut_off=True)
        except GrapeError as error:
            return Outcome(0.0, 0.0, watch.epochs, time.monotonic() - start, failure=str(error))
    seconds = time.monotonic() - start
    figures = all_figures(found, wanted)
    return Outcome(watch.best, watch.loss, watch.epochs, seconds, figures=figures)


def _roles(problem: Problem, job: Job) -> RoleMatches:
    if isinstance(job.roles, RoleMatches):
        return job.roles
    return unpack(problem.graph, problem.weighting, job.roles)


class _Watch:
    """Follows a training: its best accuracy with its loss, and whether it is too late."""

    def __init__(self, end: float | None) -> None:
        self.best = self.loss = 0.0
        self.epochs = 0
        self._end = end

    def __call__(self, epochs: int, history: Any) -> None:
        """Look at the last epoch."""
        self.epochs = len(history.epochs)
        best = history.epochs[history.best]
        self.best, self.loss = best.score, best.validation_loss
        if self._end is not None and self.epochs < epochs and time.monotonic() > self._end:
            raise _TimeIsUpError
