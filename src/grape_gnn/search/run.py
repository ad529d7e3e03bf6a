"""The loop of a search: ask, evaluate, tell, checkpoint, until the budget is over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from grape_gnn.errors import GrapeError, SearchFolderError
from grape_gnn.search.budget import Budget
from grape_gnn.search.evaluate import Job, Outcome
from grape_gnn.search.folder import SearchFolder
from grape_gnn.search.history import Evaluation, SearchHistory, fitness
from grape_gnn.search.matching import Matcher, OutOfTimeError
from grape_gnn.search.problem import Problem
from grape_gnn.search.rounds import RoundEvaluator
from grape_gnn.search.settings import SearchSettings
from grape_gnn.search.strategy import Candidate, Strategy
from grape_gnn.workers import Workers

__all__ = ["Progress", "SearchRun"]

_STALE_ROUNDS = 50  # rounds without a new gene, after which there is nothing left to find


@dataclass
class Progress:
    """Where a search stands; what a progress function is called with.

    Attributes
    ----------
    round : int
        The round that is being evaluated.
    candidates : list of Candidate
        Its genes.
    evaluated : list of Evaluation
        Those of them that are done.
    history : SearchHistory
        Everything so far.
    seconds : float
        Since the search began.
    budget : Budget
        When it will end.
    """

    round: int
    history: SearchHistory
    budget: Budget
    candidates: list[Candidate] = field(default_factory=list)
    evaluated: list[Evaluation] = field(default_factory=list)
    seconds: float = 0.0


class SearchRun:
    """A search in motion.

    Parameters
    ----------
    problem, settings, strategy
        What is searched, and how.
    workers
        Who trains.
    budget
        When to end.
    folder
        Where to keep everything; None: nowhere.
    progress
        Called before and after every evaluation.
    """

    def __init__(
        self,
        problem: Problem,
        settings: SearchSettings,
        strategy: Strategy,
        workers: Workers[Problem, Job, Outcome],
        budget: Budget,
        folder: SearchFolder | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self.history = SearchHistory()
        self._strategy = strategy
        self._budget = budget
        self._folder = folder
        self._report = progress or (lambda _: None)
        self._round = 0
        self._stale = 0
        self._began = time.monotonic()
        self._torn: list[Evaluation] = []  # of a round that was interrupted
        matcher = Matcher(problem.graph, problem.weighting, settings)
        self._evaluator = RoundEvaluator(
            settings.seed, matcher, workers, self.clock, self._seconds_left
        )
        if folder is not None:
            self._load(folder)

    def clock(self) -> float:
        """Return the seconds searched so far, before interruptions too."""
        return time.monotonic() - self._began

    def _seconds_left(self) -> float | None:
        # The start is always evaluated: there must be something to return.
        return self._budget.left(self.clock()) if self._round > 0 else None

    def run(self) -> str:
        """Search until something ends it.

        Returns
        -------
        str
            ``"rounds"`` or ``"time"``, what ran out; ``"exhausted"`` if no new gene came up for
            many rounds; ``"interrupted"`` after Ctrl-C.
        """
        try:
            while True:
                ended = self._round > 0 and self._budget.over(self._round - 1, self.clock())
                if ended:
                    return ended
                if self._stale >= _STALE_ROUNDS:
                    return "exhausted"
                self._one_round()
        except OutOfTimeError as error:
            self.history.cut_off(error.matching, error.evaluation)
            return "time"
        except KeyboardInterrupt:
            return "interrupted"

    def _one_round(self) -> None:
        candidates = self._strategy.ask()
        progress = Progress(self._round, self.history, self._budget, candidates)
        self._show(progress)
        for evaluation in self._evaluations(candidates):
            self.history.add(evaluation)
            progress.evaluated.append(evaluation)
            self._show(progress)
        computed = any(not evaluation.cached for evaluation in progress.evaluated)
        self._stale = 0 if computed else self._stale + 1
        self._strategy.tell([fitness(e) for e in progress.evaluated])
        self._round += 1
        self._save()

    def _show(self, progress: Progress) -> None:
        progress.seconds = self.clock()
        self._report(progress)

    def _evaluations(self, candidates: list[Candidate]) -> Iterator[Evaluation]:
        """Yield the evaluations of the round; those made before an interruption come first."""
        torn, self._torn = self._torn, []
        for evaluation, candidate in zip_longest(torn, candidates[: len(torn)]):
            if candidate is None or evaluation.gene != candidate.gene:
                raise SearchFolderError(
                    "" if self._folder is None else self._folder.path / "history.jsonl",
                    "does not fit state.json: restore both, or start the search again",
                )
        for evaluation in torn:
            self._evaluator.remember(evaluation)
            yield evaluation
        for evaluation in self._evaluator.evaluate(candidates[len(torn) :], self._round):
            if self._folder is not None:
                self._folder.append(evaluation)
            yield evaluation

    # -------------------------------------------------------------- the folder

    def _load(self, folder: SearchFolder) -> None:
        """Go on where the folder's search stands; at the beginning if it is new."""
        if not (folder.path / "state.json").exists():
            self._save()
            return
        state = folder.state
        self._round, self._stale, seconds = state["round"], state["stale"], state["seconds"]
        if self._round > 0:
            self._restore(folder, state["strategy"])
        for evaluation in folder.history:
            if evaluation.round < self._round:
                self.history.add(evaluation)
                self._evaluator.remember(evaluation)
            else:
                self._torn.append(evaluation)
            seconds = max(seconds, evaluation.seconds)
        self._began = time.monotonic() - seconds

    def _restore(self, folder: SearchFolder, strategy: Any) -> None:
        # Every strategy has a state of its own, and numpy and Optuna their own complaints.
        try:
            self._strategy.restore(strategy)
        except (GrapeError, TypeError, ValueError, LookupError, OverflowError) as error:
            raise SearchFolderError(
                folder.path / "state.json",
                f"is damaged: 'strategy' does not fit ({error!r}); start the search again in "
                f"another folder",
            ) from error

    def _save(self) -> None:
        if self._folder is None:
            return
        if self.history:
            self._folder.write_templates(list(self.history.best.gene.templates))
        self._folder.write_state(
            {
                "round": self._round,
                "stale": self._stale,
                "seconds": round(self.clock(), 3),
                "best": self.history.best.to_json() if self.history else None,
                "population": [gene.texts for gene in self._strategy.population],
                "strategy": self._strategy.to_json() if self._round > 0 else None,
            }
        )
