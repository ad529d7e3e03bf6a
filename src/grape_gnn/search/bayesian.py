"""Bayesian optimisation, the paper's third baseline: a tree-structured Parzen estimator (TPE).

The paper used Hyperopt's TPE; this is Optuna's, over the questions of
`grape_gnn.search.encoding`. All genes of a round are proposed before any of them is evaluated, as
for the other methods; Optuna's "constant liar" keeps them apart.

Each round makes its sampler anew, seeded by the search's seed and the round, and tells it all
trials so far. So the state of the search is a list of answers and scores, without anything hidden
inside Optuna.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grape_gnn.errors import MissingExtraError
from grape_gnn.search.encoding import Choose, choose_gene
from grape_gnn.search.gene import Gene
from grape_gnn.search.settings import SearchSettings
from grape_gnn.search.strategy import Candidate, Score, Strategy, mixed_seed, ranked

if TYPE_CHECKING:
    from optuna.study import Study

__all__ = ["BayesianSearch"]

_FAILED = -1.0  # a score below every accuracy


class BayesianSearch(Strategy):
    """Propose the genes that TPE expects to be good."""

    def __init__(self, settings: SearchSettings, start: Gene) -> None:
        super().__init__(settings, start)
        _import_optuna()
        self._trials: list[dict[str, Any]] = []  # {"answers": {name: [answer, of]}, "score": s}
        self._round = 0
        self._asked: list[Candidate] = []
        self._answers: list[dict[str, list[int]]] = []

    def ask(self) -> list[Candidate]:
        """Ask TPE for as many genes as the population has; at first the start."""
        self._answers = []
        if self._round == 0:
            self._asked = [Candidate(self._noted(_answer_with_edges), "start")]
            return self._asked
        study = self._study()
        trials = (study.ask() for _ in range(self.settings.population))
        self._asked = [Candidate(self._noted(_answers_of(trial)), "draw") for trial in trials]
        return self._asked

    def tell(self, scores: Sequence[Score]) -> None:
        """Remember the answers with their accuracies; TPE knows no second place."""
        for answers, (accuracy, _) in zip(self._answers, scores, strict=True):
            self._trials.append({"answers": answers, "score": max(accuracy, _FAILED)})
        self._round += 1
        self.population = ranked([candidate.gene for candidate in self._asked], scores)

    def _noted(self, choose: Choose) -> Gene:
        """Return the gene of some answers, and write the answers down."""
        answers: dict[str, list[int]] = {}

        def noted(question: str, count: int) -> int:
            answers[question] = [choose(question, count), count]
            return answers[question][0]

        self._answers.append(answers)
        directed = self.start.templates[0].directed
        settings = self.settings
        return choose_gene(noted, settings.templates_per_gene, settings.max_nodes, directed)

    def _study(self) -> Study:
        optuna = _import_optuna()
        sampler = optuna.samplers.TPESampler(
            seed=mixed_seed(self.settings.seed, "bayesian", self._round), constant_liar=True
        )
        study: Study = optuna.create_study(direction="maximize", sampler=sampler)
        for trial in self._trials:
            study.add_trial(_finished(optuna, trial["answers"], trial["score"]))
        return study

    def to_json(self) -> dict[str, Any]:
        """Return all trials."""
        return {
            "population": [gene.texts for gene in self.population],
            "round": self._round,
            "trials": self._trials,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to saved trials."""
        self.population = [Gene.from_texts(texts) for texts in state["population"]]
        self._round = int(state["round"])
        self._trials = list(state["trials"])


def _answer_with_edges(question: str, count: int) -> int:
    """Answer so that the gene is the start: edges, on directed graphs arcs out and in by turns."""
    slot = int(question.split(":")[0].removeprefix("template "))
    return slot % 2 if ": way " in question else 0


def _answers_of(trial: Any) -> Choose:
    """Let a trial of Optuna answer."""
    return lambda question, count: int(trial.suggest_categorical(question, list(range(count))))


def _finished(optuna: Any, answers: dict[str, list[int]], score: float) -> Any:
    kinds = {
        question: optuna.distributions.CategoricalDistribution(list(range(count)))
        for question, (_, count) in answers.items()
    }
    return optuna.trial.create_trial(
        params={question: answer for question, (answer, _) in answers.items()},
        distributions=kinds,
        value=score,
    )


def _import_optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise MissingExtraError("optuna", "search") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna
