"""What a search has evaluated, in order: every gene of every round, with its score and times."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, overload

from grape_gnn.errors import SearchError
from grape_gnn.files import Amount, Count, Share, check_shape
from grape_gnn.search.gene import Gene

__all__ = ["Evaluation", "SearchHistory", "fitness"]


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
    validation_accuracy
        Its validation accuracy, 0 if the evaluation failed.
    cost
        Entries visited by an aggregation, relative to edges alone.
    epochs
        Epochs it was trained for.
    seconds
        Seconds since the search began.
    matching_seconds, evaluation_seconds
        Time to match the templates that were new, and to train.
    cached
        Whether the gene was known already and nothing had to be computed.
    failure
        Why the evaluation failed, or None.
    """

    round: int
    gene: Gene
    change: str
    parents: tuple[Gene, ...]
    validation_accuracy: float
    cost: float
    epochs: int
    seconds: float
    matching_seconds: float
    evaluation_seconds: float
    cached: bool = False
    failure: str | None = None

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
    validation_accuracy: Share
    cost: Amount
    epochs: Count
    seconds: Amount
    matching_seconds: Amount
    evaluation_seconds: Amount
    cached: bool
    failure: str | None


def fitness(evaluation: Evaluation) -> float:
    """Return what selection goes by: the validation accuracy; failures are worse than any.

    Examples
    --------
    >>> gene = Gene.from_texts(["0-1 1-2"])
    >>> fitness(Evaluation(1, gene, "node", (), 0.8, 4.0, 100, 1.0, 0.1, 0.9))
    0.8
    """
    return -math.inf if evaluation.failure is not None else evaluation.validation_accuracy


class SearchHistory(Sequence[Evaluation]):
    """All evaluations so far.

    Parameters
    ----------
    evaluations
        In the order of their rounds.
    """

    def __init__(self, evaluations: Iterable[Evaluation] = ()) -> None:
        self._all = list(evaluations)
        self._cut_off = (0.0, 0.0)

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

    def cut_off(self, matching: float, evaluation: float) -> None:
        """Note seconds of matching and of training that came to nothing: the budget was over."""
        self._cut_off = (matching, evaluation)

    def computed(self) -> Iterator[Evaluation]:
        """Yield the evaluations that had to be computed, each gene once."""
        return (evaluation for evaluation in self if not evaluation.cached)

    @property
    def rounds(self) -> int:
        """Number of rounds after the start, the last of which may be incomplete."""
        return self._all[-1].round if self._all else 0

    @property
    def best(self) -> Evaluation:
        """The fittest gene, the first of equals."""
        if not self._all:
            raise SearchError("nothing was evaluated: allow more time")
        return max(self.computed(), key=fitness)

    @property
    def matching_seconds(self) -> float:
        """Time spent on matching, what the end of the budget cut off included."""
        return self._cut_off[0] + sum(each.matching_seconds for each in self.computed())

    @property
    def evaluation_seconds(self) -> float:
        """Time spent on training, added up over all workers, what was cut off included."""
        return self._cut_off[1] + sum(each.evaluation_seconds for each in self.computed())

    def curve(self) -> list[tuple[float, float]]:
        """Return (seconds, best validation accuracy) whenever it rose.

        Examples
        --------
        >>> gene = Gene.from_texts(["0-1"])
        >>> history = SearchHistory(
        ...     Evaluation(0, gene, "start", (), accuracy, 1.0, 9, seconds, 0.0, 1.0)
        ...     for seconds, accuracy in [(1, 0.5), (2, 0.4), (3, 0.7)]
        ... )
        >>> history.curve()
        [(1, 0.5), (3, 0.7)]
        """
        steps: list[tuple[float, float]] = []
        for each in self.computed():
            if not steps or each.validation_accuracy > steps[-1][1]:
                steps.append((each.seconds, each.validation_accuracy))
        return steps

    def __repr__(self) -> str:
        computed = sum(1 for _ in self.computed())
        return f"SearchHistory({self.rounds} rounds, {computed} genes evaluated)"
