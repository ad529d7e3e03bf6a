"""One round: match and judge every gene that is new, remember the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from grape_gnn.errors import GrapeError
from grape_gnn.search.cost import relative_cost
from grape_gnn.search.evaluate import Job, Outcome
from grape_gnn.search.gene import Gene
from grape_gnn.search.history import Evaluation
from grape_gnn.search.matching import Matcher, OutOfTimeError
from grape_gnn.search.problem import Problem
from grape_gnn.search.strategy import Candidate
from grape_gnn.workers import Workers

if TYPE_CHECKING:
    from grape_gnn.search.ridge import RidgeFitness

__all__ = ["RoundEvaluator"]


class RoundEvaluator:
    """Evaluates the candidates of a round; no gene is judged twice in the same way.

    Ridge regressions are solved in this process: sending a gene to another takes longer.

    Parameters
    ----------
    seed
        Of the search.
    matcher, ridge, workers
        Who matches, who solves ridge regressions if there are any, and who trains.
    clock
        Seconds since the search began.
    seconds_left
        Seconds until it has to end; None: no limit.
    """

    def __init__(
        self,
        seed: int,
        matcher: Matcher,
        ridge: RidgeFitness | None,
        workers: Workers[Problem, Job, Outcome],
        clock: Callable[[], float],
        seconds_left: Callable[[], float | None],
    ) -> None:
        self._seed = seed
        self._matcher = matcher
        self._ridge = ridge
        self._workers = workers
        self._clock = clock
        self._left = seconds_left
        self._known: dict[tuple[str, str], Evaluation] = {}

    def remember(self, evaluation: Evaluation) -> None:
        """Take note of an evaluation that was computed earlier."""
        if not evaluation.cached:
            self._known[evaluation.fitness, evaluation.gene.key] = evaluation

    def knows(self, fitness: str, gene: Gene) -> bool:
        """Whether a gene was judged in this way."""
        return (fitness, gene.key) in self._known

    def evaluate(
        self, candidates: Sequence[Candidate], number: int, fitness: str
    ) -> Iterator[Evaluation]:
        """Yield the evaluations of a round in the order of the candidates.

        Raises
        ------
        OutOfTimeError
            When the time of the search is over; what was yielded before is complete.
        """
        fresh: dict[str, Candidate] = {}
        for candidate in candidates:
            if not self.knows(fitness, candidate.gene):
                fresh.setdefault(candidate.gene.key, candidate)
        results = self._compute(list(fresh.values()), number, fitness)
        for candidate in candidates:
            if self.knows(fitness, candidate.gene):
                known = self._known[fitness, candidate.gene.key]
                yield self._again(known, candidate, number)
            else:
                evaluation = next(results)
                self.remember(evaluation)
                yield evaluation

    def _again(self, known: Evaluation, candidate: Candidate, number: int) -> Evaluation:
        return replace(
            known,
            round=number,
            change=candidate.change,
            parents=candidate.parents,
            seconds=self._clock(),
            matching_seconds=0.0,
            evaluation_seconds=0.0,
            cached=True,
        )

    def _compute(
        self, candidates: Sequence[Candidate], number: int, fitness: str
    ) -> Iterator[Evaluation]:
        """Match and judge in chunks, so that only so many roles are in memory at a time."""
        alone = fitness == "ridge" or self._workers.is_serial
        chunk = 1 if alone else 2 * self._workers.count
        for first in range(0, len(candidates), chunk):
            if self._left() == 0.0:
                raise OutOfTimeError
            yield from self._chunk(candidates[first : first + chunk], number, fitness)

    def _chunk(
        self, candidates: Sequence[Candidate], number: int, fitness: str
    ) -> Iterator[Evaluation]:
        prepared: list[tuple[Candidate, Job | Outcome, float, float]] = []
        began = self._clock()
        for candidate in candidates:
            start, cost = self._clock(), 0.0
            try:
                matched = self._matcher.roles(candidate.gene, self._left())
                seconds, cost = matched.seconds, relative_cost(matched.roles)
                job: Job | Outcome = Job(candidate.gene, matched.roles, self._seed, self._left())
                if fitness == "ridge" and self._ridge is not None:
                    job = self._ridge.judge(matched.roles)
            except GrapeError as error:  # one bad gene must not end the search
                job = Outcome(0.0, 0.0, 0, 0.0, failure=str(error))
                seconds = self._clock() - start
            except OutOfTimeError as error:
                raise OutOfTimeError(self._clock() - began) from error
            prepared.append((candidate, job, cost, seconds))
        jobs = [job for _, job, _, _ in prepared if isinstance(job, Job)]
        outcomes = self._workers.run(jobs, ordered=True)
        for candidate, job, cost, matching in prepared:
            outcome = job if isinstance(job, Outcome) else next(outcomes)[1]
            if outcome.cut_off:
                raise OutOfTimeError(matching, outcome.seconds)
            yield Evaluation(
                round=number,
                gene=candidate.gene,
                change=candidate.change,
                parents=candidate.parents,
                fitness=fitness,
                validation_accuracy=outcome.accuracy,
                validation_loss=outcome.loss,
                cost=cost,
                epochs=outcome.epochs,
                seconds=self._clock(),
                matching_seconds=matching,
                evaluation_seconds=outcome.seconds,
                failure=outcome.failure,
                figures=outcome.figures,
            )
