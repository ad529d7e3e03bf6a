"""What a search returns: the best gene, and everything on the way to it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grape_gnn.search.gene import Gene
from grape_gnn.search.history import Evaluation, SearchHistory
from grape_gnn.search.pareto import pareto_front
from grape_gnn.search.settings import SearchSettings
from grape_gnn.template import Template

if TYPE_CHECKING:
    from grape_gnn.estimator import GrapeClassifier, GrapeRegressor

__all__ = ["SearchResult"]


@dataclass(frozen=True)
class SearchResult:
    """The outcome of a search.

    Parameters
    ----------
    history
        All evaluations.
    population
        The genes that the last complete round left, best first.
    settings
        Of the search.
    ended
        Why it ended: ``"rounds"``, ``"time"``, ``"exhausted"`` or ``"interrupted"``.
    folder
        Where everything is kept, or None.
    """

    history: SearchHistory
    population: tuple[Gene, ...]
    settings: SearchSettings
    ended: str
    folder: Path | None

    @property
    def best(self) -> Gene:
        """The fittest gene."""
        return self.history.best.gene

    @property
    def templates(self) -> list[Template]:
        """The templates of the fittest gene."""
        return list(self.best.templates)

    @property
    def validation_accuracy(self) -> float:
        """Validation accuracy of the fittest gene, or its score by the metric of the search.

        It was chosen by it: expect less on test.

        It is of a training, unless the search was interrupted before it came to train the best.
        """
        return self.history.best.validation_accuracy

    @property
    def start(self) -> Evaluation:
        """The evaluation of the start, edges alone, judged as the fittest gene is."""
        return self.history.start

    @property
    def pareto(self) -> list[Evaluation]:
        """Genes of which none is both more accurate and cheaper than another, cheapest first.

        Accuracies are those that selection went by, of ridge regressions unless the settings say
        otherwise.
        """
        return pareto_front(self.history.computed(self.history.fitness))

    def classifier(self) -> GrapeClassifier | GrapeRegressor:
        """Return an untrained classifier, or regressor, with the templates found.

        It has the seed of the search, so a random split is the same: fit it on the graph, and its
        `score` is that on the test nodes, whose labels the search has not seen.
        """
        from grape_gnn.estimator import GrapeClassifier, GrapeRegressor
        from grape_gnn.training import METRICS

        numbers = METRICS[self.history.metric].tasks == ("regression",)
        kind = GrapeRegressor if numbers else GrapeClassifier
        return kind(self.templates, **self.settings.model, seed=self.settings.seed)

    def train_command(self, graph: str = "GRAPH") -> str:
        """Return the command line that trains GRAPE with the templates found.

        Parameters
        ----------
        graph
            The graph as it was given on the command line, with its options.
        """
        if self.folder is None:
            where = " ".join(f"--templates {shlex.quote(text)}" for text in self.best.texts)
        else:
            where = f"--templates {shlex.quote(str(self.folder / 'templates.json'))}"
        options = {**self.settings.model, "seed": self.settings.seed}
        words = [_option(name, value) for name, value in options.items() if value is not False]
        return " ".join(["grape train", graph, where, *words])

    def __repr__(self) -> str:
        found = ", ".join(template.name or template.text for template in self.templates)
        return (
            f"SearchResult({found}; validation {self.history.metric} "
            f"{self.validation_accuracy:.4f}, "
            f"{self.start.validation_accuracy:.4f} at the start; {self.history.rounds} rounds, "
            f"ended by {self.ended})"
        )


def _option(name: str, value: Any) -> str:
    if isinstance(value, dict):  # weights by label
        value = shlex.quote(",".join(f"{label}={weight}" for label, weight in value.items()))
    return f"--{name.replace('_', '-')} {'on' if value is True else value}"
