"""The genetic search: Algorithm 1 of the paper.

    pool = B genes of L edges
    repeat K2 times:
        mutate every gene (p_n, p_e), cross pairs of genes (p_c)
        evaluate all genes
        drop the worst Z, reproduce the best Z

=========  ==========================  ==========================================
the paper  here                        meaning
=========  ==========================  ==========================================
B          ``population``              genes in the pool
L          ``templates_per_gene``      templates in a gene
Z          ``eliminate``               genes dropped, and reproduced, in a round
p_n        ``node_probability``        a template gets a node
p_e        ``edge_probability``        a template gets an edge
p_c        ``crossover_probability``   a pair of genes swaps templates
K2         ``rounds``                  rounds
=========  ==========================  ==========================================

Beyond the paper: the best ``elites`` genes also go on unchanged, which costs nothing since their
score is known, and keeps the best from getting lost. And templates that were met earlier are
recalled (``recall_probability``): they cost nothing to match, edges are among them, and what was
of no use in one gene may be in another. Both 0: as in the paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from grape_gnn.search.gene import Gene, fill
from grape_gnn.search.mutation import exchange, mutate_gene
from grape_gnn.search.settings import SearchSettings
from grape_gnn.search.strategy import Candidate, Score, Strategy, random_state, ranked
from grape_gnn.template import Template

__all__ = ["GeneticSearch", "select"]


def select(genes: Sequence[Gene], scores: Sequence[Score], eliminate: int) -> list[Gene]:
    """Eliminate and reproduce: drop the worst, add as many copies of the best.

    Returns
    -------
    list of Gene
        As many as before; the survivors from the best to the worst, then the copies.

    Examples
    --------
    >>> edge, path = Gene.from_texts(["0-1"]), Gene.from_texts(["0-1 1-2"])
    >>> select([edge, path], [(0.5, 0.0), (0.7, 0.0)], 1)
    [Gene('0-1 1-2'), Gene('0-1 1-2')]
    """
    best_first = ranked(genes, scores)
    return [*best_first[: len(genes) - eliminate], *best_first[:eliminate]]


class GeneticSearch(Strategy):
    """Mutation, crossover, selection.

    Examples
    --------
    >>> from grape_gnn.search.gene import start_gene
    >>> search = GeneticSearch(SearchSettings(population=4), start_gene(2, directed=False))
    >>> search.ask()
    [Candidate(gene=Gene('0-1'), change='start', parents=())]
    >>> search.tell([(0.5, 0.0)])
    >>> [candidate.gene for candidate in search.ask()][0]  # the best so far stays
    Gene('0-1')
    """

    def __init__(self, settings: SearchSettings, start: Gene) -> None:
        super().__init__(settings, start)
        self._rng = np.random.default_rng(settings.seed)
        self._asked: list[Candidate] = []
        self._met = {template.text: template for template in start.templates}

    def ask(self) -> list[Candidate]:
        """Return the mutated and crossed pool; at first the start."""
        if len(self.population) == 1:
            self._asked = [Candidate(self.start, "start")]
            return self._asked
        elites = self.settings.elites
        kept = [Candidate(gene, "reproduce", (gene,)) for gene in self.population[:elites]]
        mutated = [self._mutated(gene) for gene in self.population[elites:]]
        self._asked = [*kept, *self._crossed(mutated)]
        return self._asked

    def tell(self, scores: Sequence[Score]) -> None:
        """Select the pool of the next round."""
        genes = [candidate.gene for candidate in self._asked]
        if len(genes) == 1:
            self.population = [self.start] * self.settings.population
        else:
            self.population = select(genes, scores, self.settings.eliminate)
        for gene in genes:
            self._met.update((template.text, template) for template in gene.templates)

    def _mutated(self, gene: Gene) -> Candidate:
        templates = fill(gene, self.settings.templates_per_gene)
        met = list(self._met.values())
        child, kinds = mutate_gene(templates, self.settings.rates, self._rng, met)
        return Candidate(child, "+".join(kinds) or "reproduce", (gene,))

    def _crossed(self, pool: list[Candidate]) -> list[Candidate]:
        """Pair the genes at random, and let each pair swap templates with probability p_c."""
        crossed = list(pool)
        order = self._rng.permutation(len(pool)).tolist()
        for first, second in zip(order[::2], order[1::2], strict=False):
            if self._rng.random() >= self.settings.crossover_probability:
                continue
            pair = pool[first], pool[second]
            children = exchange(pair[0].gene, pair[1].gene, self._rng)
            for place, own, other, child in (
                (first, pair[0], pair[1], children[0]),
                (second, pair[1], pair[0], children[1]),
            ):
                before = [] if own.change == "reproduce" else [own.change]
                parents = (*own.parents, *other.parents)
                crossed[place] = Candidate(child, "+".join([*before, "cross"]), parents)
        return crossed

    def to_json(self) -> dict[str, Any]:
        """Return the pool, the templates met, and the state of the random numbers."""
        return {
            "population": [gene.texts for gene in self.population],
            "met": list(self._met),
            "random": random_state(self._rng),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to a saved pool."""
        self.population = [Gene.from_texts(texts) for texts in state["population"]]
        self._met = {text: Template(text) for text in state["met"]}
        self._rng.bit_generator.state = state["random"]
