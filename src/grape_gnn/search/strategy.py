"""What every method of search has to do: propose genes, hear how good they are.

The loop asks for the genes of a round, has them evaluated, and tells the scores. A strategy draws
all its random numbers between the two, in the main process, and can write its whole state as JSON;
so a search is the same whoever evaluates, and goes on after a crash as if nothing had happened.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grape_gnn.search.gene import Gene
from grape_gnn.search.settings import SearchSettings

__all__ = ["Candidate", "Score", "Strategy", "make_strategy", "mixed_seed"]

Score = tuple[float, float]
"""Accuracy, and less the loss, which decides between equals; higher is better."""


@dataclass(frozen=True)
class Candidate:
    """A proposed gene and where it comes from.

    Parameters
    ----------
    gene
        The gene.
    change
        How it came about: ``"start"``, ``"node"``, ``"edge"``, ``"cross"``, ``"reproduce"``
        (unchanged), ``"draw"`` (no parents), or several joined by ``"+"``.
    parents
        The genes it was made from.
    """

    gene: Gene
    change: str
    parents: tuple[Gene, ...] = ()


class Strategy(ABC):
    """A method of search.

    Parameters
    ----------
    settings
        Of the search.
    start
        The gene of round 0.
    """

    def __init__(self, settings: SearchSettings, start: Gene) -> None:
        self.settings = settings
        self.start = start
        self.population: list[Gene] = [start]
        """The genes that the last round left, best first."""

    @abstractmethod
    def ask(self) -> list[Candidate]:
        """Propose the genes of the next round; the first round has the start only."""

    @abstractmethod
    def tell(self, scores: Sequence[Score]) -> None:
        """Hear the scores of the proposed genes, in their order."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Return the state after a round, for ``json.dump``."""

    @abstractmethod
    def restore(self, state: dict[str, Any]) -> None:
        """Go back to a state that `to_json` returned."""


def ranked(genes: Sequence[Gene], scores: Sequence[Score]) -> list[Gene]:
    """Order genes by their score, the best first; ties keep their order."""
    order = sorted(range(len(genes)), key=lambda index: scores[index], reverse=True)
    return [genes[index] for index in order]


def mixed_seed(seed: int, *words: object) -> int:
    """Mix a seed with what it is for; the same on every machine.

    Examples
    --------
    >>> mixed_seed(0, "round", 1) == mixed_seed(0, "round", 1) != mixed_seed(0, "round", 2)
    True
    """
    text = " ".join(map(str, (seed, *words)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "little")


def random_state(rng: np.random.Generator) -> dict[str, Any]:
    """Return the state of a generator as JSON."""
    return dict(rng.bit_generator.state)


def make_strategy(settings: SearchSettings, start: Gene) -> Strategy:
    """Return the strategy that ``settings.method`` names.

    Examples
    --------
    >>> from grape_gnn.search.gene import start_gene
    >>> strategy = make_strategy(SearchSettings(method="random"), start_gene(3, directed=False))
    >>> [candidate.change for candidate in strategy.ask()]
    ['start']
    """
    if settings.method == "random":
        from grape_gnn.search.random_search import RandomSearch

        return RandomSearch(settings, start)
    if settings.method == "bayesian":
        from grape_gnn.search.bayesian import BayesianSearch

        return BayesianSearch(settings, start)
    from grape_gnn.search.genetic import GeneticSearch

    return GeneticSearch(settings, start)
