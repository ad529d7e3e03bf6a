"""The loop of a search: ask, evaluate, tell, checkpoint, until the budget is over.

With the fitness ``"ridge"`` the start is trained too, and at the end the best genes are: what the
search reports are trainings. Part of the time is held back for them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from grape_gnn.errors import GrapeError, SearchFolderError
from grape_gnn.search.budget import Budget
from grape_gnn.search.evaluate import Job, Outcome
from grape_gnn.search.folder import SearchFolder
from grape_gnn.search.history import Evaluation, SearchHistory, score
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
    fitness : str
        What its genes are judged by; with ``"ridge"``, a ``"training"`` is of the start or of the
        best at the end.
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
    fitness: str = "training"
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
        self.history = SearchHistory(metric=problem.metric)
        self._settings = settings
        self._strategy = strategy
        self._budget = budget
        self._folder = folder
        self._report = progress or (lambda _: None)
        self._round = 0
        self._stale = 0
        self._held = 0.0  # seconds for the trainings at the end
        self._began = time.monotonic()
        self._torn: list[Evaluation] = []  # of a round that was interrupted
        matcher = Matcher(problem.graph, problem.weighting, settings)
        ridge = None
        if settings.fitness == "ridge":
            from grape_gnn.search.ridge import RidgeFitness

            ridge = RidgeFitness(problem, settings.product_memory)
        self._evaluator = RoundEvaluator(
            settings.seed, matcher, ridge, workers, self.clock, self._seconds_left
        )
        if folder is not None:
            self._load(folder)

    def clock(self) -> float:
        """Return the seconds searched so far, before interruptions too."""
        return time.monotonic() - self._began

    def _seconds_left(self) -> float | None:
        # The start is always evaluated: there must be something to return.
        return self._budget.left(self.clock() + self._held) if self._round > 0 else None

    def run(self) -> str:
        """Search until something ends it.

        Returns
        -------
        str
            ``"rounds"`` or ``"time"``, what ran out; ``"exhausted"`` if no new gene came up for
            many rounds; ``"interrupted"`` after Ctrl-C.
        """
        try:
            ended = self._all_rounds()
            self._take_torn()
            return ended if self._train_best() else "time"
        except KeyboardInterrupt:
            self._catch_up()
            return "interrupted"

    def _catch_up(self) -> None:
        """Count what the folder has already: Ctrl-C may come right after it was written there."""
        if self._folder is not None:
            for evaluation in self._folder.history[len(self.history) :]:
                self.history.add(evaluation)

    def _all_rounds(self) -> str:
        try:
            while True:
                self._held = self._time_to_train()
                spent = self.clock() + self._held
                ended = self._round > 0 and self._budget.over(self._round - 1, spent)
                if ended:
                    return ended
                if self._stale >= _STALE_ROUNDS:
                    return "exhausted"
                self._one_round()
        except OutOfTimeError as error:
            self.history.cut_off(error.matching, error.evaluation)
            return "time"

    def _take_torn(self) -> None:
        """Count what was judged of a round that there is no time to complete."""
        for evaluation in self._torn:
            self.history.add(evaluation)
            self._evaluator.remember(evaluation)
        self._torn = []

    def _time_to_train(self) -> float:
        """Return the seconds to hold back: twice the start's training for each of the best."""
        if self._settings.fitness == "training" or self._budget.seconds is None:
            return 0.0
        took = (each.evaluation_seconds for each in self.history.computed("training"))
        expected = 2 * self._settings.finalists * next(took, 0.0)
        return min(expected, self._budget.seconds / 2)

    def _one_round(self) -> None:
        candidates, fitness = self._strategy.ask(), self._settings.fitness
        evaluated = self._stage(candidates, fitness, self._round)
        if self._round == 0 and fitness == "ridge":
            self._stage(candidates, "training", 0)
        if self._torn:  # the history has more of this round than the round has
            raise self._misfit()
        computed = any(not evaluation.cached for evaluation in evaluated)
        self._stale = 0 if computed else self._stale + 1
        self._strategy.tell([score(evaluation) for evaluation in evaluated])
        self._round += 1
        self._save()

    def _train_best(self) -> bool:
        """Train the genes that ridge regression prefers; False if the time does not suffice."""
        if self._settings.fitness == "training":
            return True
        self._held = 0.0
        judged = [each for each in self.history.computed("ridge") if each.failure is None]
        best = sorted(judged, key=score, reverse=True)[: self._settings.finalists]
        fresh = [each.gene for each in best if not self._evaluator.knows("training", each.gene)]
        try:
            if fresh:
                # Rounds that are complete stay so when the search goes on with a larger budget.
                candidates = [Candidate(gene, "final") for gene in fresh]
                self._stage(candidates, "training", self._round - 1)
        except OutOfTimeError as error:
            self.history.cut_off(error.matching, error.evaluation)
            return False
        finally:
            self._save()
        return True

    def _stage(self, candidates: list[Candidate], fitness: str, number: int) -> list[Evaluation]:
        """Judge genes in one way; what is done when it is interrupted is in the history."""
        progress = Progress(number, self.history, self._budget, fitness, candidates)
        self._show(progress)
        for evaluation in self._evaluations(candidates, fitness, number):
            self.history.add(evaluation)
            progress.evaluated.append(evaluation)
            self._show(progress)
        return progress.evaluated

    def _show(self, progress: Progress) -> None:
        progress.seconds = self.clock()
        self._report(progress)

    def _evaluations(
        self, candidates: list[Candidate], fitness: str, number: int
    ) -> Iterator[Evaluation]:
        """Yield the evaluations of a stage; those made before an interruption come first."""
        count = len(candidates)
        torn, self._torn = self._torn[:count], self._torn[count:]
        for evaluation, candidate in zip(torn, candidates, strict=False):
            if (evaluation.gene, evaluation.fitness) != (candidate.gene, fitness):
                raise self._misfit()
        for evaluation in torn:
            self._evaluator.remember(evaluation)
            yield evaluation
        for evaluation in self._evaluator.evaluate(candidates[len(torn) :], number, fitness):
            if self._folder is not None:
                self._folder.append(evaluation)
            yield evaluation

    def _misfit(self) -> SearchFolderError:
        return SearchFolderError(
            "" if self._folder is None else self._folder.path / "history.jsonl",
            "does not fit state.json: restore both, or start the search again",
        )

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
