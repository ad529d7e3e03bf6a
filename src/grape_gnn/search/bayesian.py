"""Bayesian optimisation, the paper's third rival: a tree-structured Parzen estimator (TPE).

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
from grape_gnn.search.encoding import choose_gene
from grape_gnn.search.gene import Gene
from grape_gnn.search.settings import SearchSettings
from grape_gnn.search.strategy import Candidate, Strategy, mixed_seed, ranked

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
        if self._round == 0:
            # The start is the first answer to every question.
            self._answers = [{}]
            self._asked = [Candidate(self._decode(self._answers[0]), "start")]
            return self._asked
        study = self._study()
        self._answers = [{} for _ in range(self.settings.population)]
        self._asked = []
        for answers in self._answers:
            trial = study.ask()

            def choose(question: str, count: int, trial: Any = trial, known: Any = answers) -> int:
                answer = int(trial.suggest_categorical(question, list(range(count))))
                known[question] = [answer, count]
                return answer

            self._asked.append(Candidate(self._gene(choose), "draw"))
        return self._asked

    def tell(self, scores: Sequence[float]) -> None:
        """Remember the answers with their scores."""
        for answers, score in zip(self._answers, scores, strict=True):
            self._trials.append({"answers": answers, "score": max(score, _FAILED)})
        self._round += 1
        self.population = ranked([candidate.gene for candidate in self._asked], scores)

    def _gene(self, choose: Any) -> Gene:
        directed = self.start.templates[0].directed
        settings = self.settings
        return choose_gene(choose, settings.templates_per_gene, settings.max_nodes, directed)

    def _decode(self, answers: dict[str, list[int]]) -> Gene:
        """Write down the answers that give the start; on a directed graph arcs take turns."""

        def choose(question: str, count: int) -> int:
            slot = int(question.split(":")[0].removeprefix("template "))
            answer = slot % 2 if ": way " in question else 0
            answers[question] = [answer, count]
            return answer

        return self._gene(choose)

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
