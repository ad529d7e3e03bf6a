"""Random search, the paper's plainest baseline: genes that know nothing of each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from grape_gnn.search.encoding import choose_gene
from grape_gnn.search.gene import Gene
from grape_gnn.search.settings import SearchSettings
from grape_gnn.search.strategy import Candidate, Score, Strategy, random_state, ranked

__all__ = ["RandomSearch"]


class RandomSearch(Strategy):
    """Answer every question of `grape_gnn.search.encoding` at random.

    Examples
    --------
    >>> from grape_gnn.search.gene import start_gene
    >>> search = RandomSearch(SearchSettings(population=4), start_gene(3, directed=False))
    >>> _ = search.ask()
    >>> search.tell([(0.5, 0.0)])
    >>> [candidate.change for candidate in search.ask()]
    ['draw', 'draw', 'draw', 'draw']
    """

    def __init__(self, settings: SearchSettings, start: Gene) -> None:
        super().__init__(settings, start)
        self._rng = np.random.default_rng(settings.seed)
        self._started = False
        self._asked: list[Candidate] = []

    def ask(self) -> list[Candidate]:
        """Draw as many genes as the population has; at first the start."""
        if not self._started:
            self._asked = [Candidate(self.start, "start")]
        else:
            drawn = (self._draw() for _ in range(self.settings.population))
            self._asked = [Candidate(gene, "draw") for gene in drawn]
        return self._asked

    def tell(self, scores: Sequence[Score]) -> None:
        """Remember the last round, for display."""
        self._started = True
        self.population = ranked([candidate.gene for candidate in self._asked], scores)

    def _draw(self) -> Gene:
        return choose_gene(
            lambda question, answers: int(self._rng.integers(answers)),
            self.settings.templates_per_gene,
            self.settings.max_nodes,
            self.start.templates[0].directed,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the last round and the state of the random numbers."""
        return {
            "population": [gene.texts for gene in self.population],
            "random": random_state(self._rng),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to a saved state."""
        self._started = True
        self.population = [Gene.from_texts(texts) for texts in state["population"]]
        self._rng.bit_generator.state = state["random"]
