"""What a search has evaluated, in order: every gene of every round, with its score and times."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict, overload

from grape_gnn.errors import SearchError
from grape_gnn.files import Amount, Count, Finite, check_shape
from grape_gnn.search.gene import Gene
from grape_gnn.search.strategy import Score

__all__ = ["Evaluation", "SearchHistory", "score"]


@dataclass(frozen=True)
class Evaluation:
    """One gene of one round.

    Parameters
    ----------
    round
        The round, 0 for the start.
    gene
        The templates.
    change, parents
        Where the gene comes from; see `grape_gnn.search.strategy.Candidate`.
    fitness
        What it was judged by: ``"ridge"`` or ``"training"``. Figures of the one and of the other do
        not compare.
    validation_accuracy, validation_loss
        On the validation nodes, 0 if the evaluation failed. If the search has another metric, the
        score by it: the higher the better, so errors are negative.
    cost
        Entries visited by an aggregation, relative to edges alone.
    epochs
        Epochs it was trained for; 0 for a ridge regression.
    seconds
        Seconds since the search began.
    matching_seconds, evaluation_seconds
        Time to match the templates that were new, and to judge the gene.
    cached
        Whether the gene was known already and nothing had to be computed.
    failure
        Why the evaluation failed, or None.
    figures
        All metrics on the validation nodes by name, as people know them; of trainings only.
    """

    round: int
    gene: Gene
    change: str
    parents: tuple[Gene, ...]
    fitness: str
    validation_accuracy: float
    validation_loss: float
    cost: float
    epochs: int
    seconds: float
    matching_seconds: float
    evaluation_seconds: float
    cached: bool = False
    failure: str | None = None
    figures: Mapping[str, float | None] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``."""
        data = {**vars(self), "gene": self.gene.texts}
        data["parents"] = [parent.texts for parent in self.parents]
        for name in ("seconds", "matching_seconds", "evaluation_seconds"):
            data[name] = round(data[name], 4)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Evaluation:
        """Read what `to_json` wrote; raises `ValueError` for anything else."""
        data = {"figures": {}, **data}  # searches from before had none
        check_shape(data, _Record)
        parts = {
            **data,
            "gene": Gene.from_texts(data["gene"]),
            "parents": tuple(Gene.from_texts(texts) for texts in data["parents"]),
        }
        return cls(**parts)


class _Record(TypedDict):
    """An evaluation as JSON."""

    round: Count
    gene: list[str]
    change: str
    parents: list[list[str]]
    fitness: Literal["ridge", "training"]
    validation_accuracy: Finite
    validation_loss: Amount
    cost: Amount
    epochs: Count
    seconds: Amount
    matching_seconds: Amount
    evaluation_seconds: Amount
    cached: bool
    failure: str | None
    figures: dict[str, Finite | None]


def score(evaluation: Evaluation) -> Score:
    """Return what selection goes by: accuracy, then loss; failures are worse than any.

    Examples
    --------
    >>> gene = Gene.from_texts(["0-1 1-2"])
    >>> score(Evaluation(1, gene, "node", (), "ridge", 0.8, 0.3, 4.0, 0, 1.0, 0.1, 0.9))
    (0.8, -0.3)
    """
    if evaluation.failure is not None:
        return -math.inf, -math.inf
    return evaluation.validation_accuracy, -evaluation.validation_loss


class SearchHistory(Sequence[Evaluation]):
    """All evaluations so far.

    Parameters
    ----------
    evaluations
        In the order of their rounds.
    metric
        What they were judged by on the validation nodes.
    """

    def __init__(self, evaluations: Iterable[Evaluation] = (), metric: str = "accuracy") -> None:
        self.metric = metric
        self._all: list[Evaluation] = []
        self._fittest: dict[str, Evaluation] = {}  # by what they were judged by
        self._trained: set[Gene] = set()
        self._rounds = 0
        self._cut_off = (0.0, 0.0)
        for evaluation in evaluations:
            self.add(evaluation)

    @overload
    def __getitem__(self, index: int) -> Evaluation: ...
    @overload
    def __getitem__(self, index: slice) -> list[Evaluation]: ...
    def __getitem__(self, index: int | slice) -> Evaluation | list[Evaluation]:
        """Return one evaluation, or several."""
        return self._all[index]

    def __len__(self) -> int:
        return len(self._all)

    def add(self, evaluation: Evaluation) -> None:
        """Append an evaluation."""
        self._all.append(evaluation)
        self._rounds = max(self._rounds, evaluation.round)
        if evaluation.cached:
            return
        fittest = self._fittest.setdefault(evaluation.fitness, evaluation)
        if score(evaluation) > score(fittest):
            self._fittest[evaluation.fitness] = evaluation
        if evaluation.fitness == "training":
            self._trained.add(evaluation.gene)

    def cut_off(self, matching: float, evaluation: float) -> None:
        """Note seconds of matching and of judging that came to nothing: the budget was over."""
        self._cut_off = (self._cut_off[0] + matching, self._cut_off[1] + evaluation)

    def computed(self, fitness: str | None = None) -> Iterator[Evaluation]:
        """Yield the evaluations that had to be computed, each gene once; those of one kind."""
        kinds = (fitness,) if fitness else ("ridge", "training")
        return (each for each in self if not each.cached and each.fitness in kinds)

    @property
    def fitness(self) -> str:
        """What selection went by: ``"ridge"`` or ``"training"``."""
        return self._first.fitness

    @property
    def _first(self) -> Evaluation:
        if not self._all:
            raise SearchError("nothing was evaluated: allow more time")
        return self._all[0]

    @property
    def rounds(self) -> int:
        """Number of rounds after the start, the last of which may be incomplete."""
        return self._rounds

    @property
    def best(self) -> Evaluation:
        """The fittest gene, the first of equals.

        As soon as the one that ridge regression prefers is trained, the best of those trained.
        """
        fittest = self._fittest[self._first.fitness]
        return self._fittest["training"] if fittest.gene in self._trained else fittest

    @property
    def start(self) -> Evaluation:
        """The evaluation of the start, edges alone, judged as the best is."""
        kind = self.best.fitness
        return next(each for each in self if each.gene == self._first.gene and each.fitness == kind)

    @property
    def matching_seconds(self) -> float:
        """Time spent on matching, what the end of the budget cut off included."""
        return self._cut_off[0] + sum(each.matching_seconds for each in self.computed())

    @property
    def evaluation_seconds(self) -> float:
        """Time spent on judging, added up over all workers, what was cut off included."""
        return self._cut_off[1] + sum(each.evaluation_seconds for each in self.computed())

    def curve(self) -> list[tuple[float, float]]:
        """Return (seconds, best validation accuracy) whenever it rose, as selection judges.

        Examples
        --------
        >>> gene = Gene.from_texts(["0-1"])
        >>> history = SearchHistory(
        ...     Evaluation(0, gene, "start", (), "ridge", accuracy, 0.5, 1.0, 0, seconds, 0.0, 1.0)
        ...     for seconds, accuracy in [(1, 0.5), (2, 0.4), (3, 0.7)]
        ... )
        >>> history.curve()
        [(1, 0.5), (3, 0.7)]
        """
        steps: list[tuple[float, float]] = []
        for each in self.computed(self._first.fitness):
            if each.failure is None and (not steps or each.validation_accuracy > steps[-1][1]):
                steps.append((each.seconds, each.validation_accuracy))
        return steps

    def __repr__(self) -> str:
        count = Counter(each.fitness for each in self.computed())
        judged = ", ".join(f"{number} genes by {fitness}" for fitness, number in count.items())
        return f"SearchHistory({self.rounds} rounds, {judged})"
