"""The contract of every method: a start, rounds of the right size, a state that comes back."""

from __future__ import annotations

import json

import pytest

from grape_gnn.search.gene import Gene, start_gene
from grape_gnn.search.genetic import GeneticSearch, select
from grape_gnn.search.settings import METHODS, SearchSettings
from grape_gnn.search.strategy import make_strategy


def scores_of(candidates):
    """Prefer large templates."""
    return [(len(candidate.gene.key) / 100, 0.0) for candidate in candidates]


def advanced(method, rounds, directed=False, **options):
    settings = SearchSettings(method=method, population=4, max_nodes=4, **options)
    strategy = make_strategy(settings, start_gene(3, directed))
    for _ in range(rounds):
        strategy.tell(scores_of(strategy.ask()))
    return strategy


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("method", METHODS)
class TestEveryMethod:
    def test_it_begins_with_the_start(self, method, directed):
        asked = advanced(method, 0, directed).ask()
        assert [(c.gene, c.change) for c in asked] == [(start_gene(3, directed), "start")]

    def test_rounds_have_as_many_genes_as_the_population(self, method, directed):
        asked = advanced(method, 3, directed).ask()
        assert len(asked) == 4
        for candidate in asked:
            assert 1 <= len(candidate.gene) <= 3
            assert all(t.num_nodes <= 4 for t in candidate.gene.templates)
            assert all(t.directed == directed for t in candidate.gene.templates)

    def test_a_state_goes_through_json_and_on_as_before(self, method, directed):
        strategy = advanced(method, 3, directed)
        other = advanced(method, 0, directed)
        other.restore(json.loads(json.dumps(strategy.to_json())))
        assert other.population == strategy.population
        for _ in range(2):
            asked = strategy.ask()
            assert other.ask() == asked
            strategy.tell(scores_of(asked))
            other.tell(scores_of(asked))

    def test_the_seed_decides(self, method, directed):
        first, same, other = (advanced(method, 3, directed, seed=seed).ask() for seed in (1, 1, 2))
        assert first == same
        assert first != other


def test_selection_drops_the_worst_and_reproduces_the_best():
    a, b, c, d = (Gene.from_texts([text]) for text in ("0-1", "0-1 1-2", "0-1 0-2", "0-1 0-2 1-2"))
    scores = [(0.1, 0.0), (0.4, 0.0), (0.2, 0.0), (0.3, 0.0)]
    assert select([a, b, c, d], scores, 2) == [b, d, b, d]
    assert select([a, b, c, d], scores, 0) == [b, d, c, a]
    assert select([a, b], [(0.5, -0.2), (0.5, -0.1)], 1) == [b, b]  # ties: the smaller loss
    assert select([a, b], [(0.5, 0.0), (0.5, 0.0)], 1) == [a, a]  # then the first


def test_genetic_candidates_know_their_parents():
    strategy = advanced("genetic", 4)
    pool = set(strategy.population)
    for candidate in strategy.ask():
        assert set(candidate.parents) <= pool
        kinds = set(candidate.change.split("+"))
        assert kinds <= {"node", "edge", "recall", "cross", "reproduce"}
        if kinds == {"reproduce"}:
            assert candidate.gene == candidate.parents[0]
        assert len(candidate.parents) == (2 if "cross" in kinds else 1)


def test_the_best_stays_only_if_asked_to():
    certain = {
        "node_probability": 1.0, "edge_probability": 0.0, "recall_probability": 0.0,
        "crossover_probability": 0.0,
    }  # fmt: skip
    kept = advanced("genetic", 1, elites=1, **certain)
    assert kept.ask()[0].gene == kept.start
    paper = advanced("genetic", 1, elites=0, **certain)
    assert paper.start not in [candidate.gene for candidate in paper.ask()]


def test_genes_grow_under_a_score_that_rewards_size():
    strategy = advanced("genetic", 60)
    assert isinstance(strategy, GeneticSearch)
    clique, diamonds = "0-1 0-2 0-3 1-2 1-3 2-3", {"0-1 0-2 0-3 1-2 1-3", "0-1 0-2 1-2 1-3 2-3"}
    assert set(strategy.population[0].texts) == {clique, *diamonds}


def test_a_template_that_was_met_comes_back():
    settings = SearchSettings(
        population=2, eliminate=0, node_probability=0, edge_probability=0, recall_probability=1
    )
    strategy = GeneticSearch(settings, start_gene(3, directed=False))
    strategy.restore({**strategy.to_json(), "met": ["0-1 0-2 1-2"]})
    strategy.population *= 2
    changed = strategy.ask()[1]
    assert (changed.gene, changed.change) == (Gene.from_texts(["0-1 0-2 1-2"]), "recall")


def test_bayesian_search_learns_what_pays():
    strategy = advanced("bayesian", 25)
    late, early = strategy.ask(), advanced("random", 25).ask()
    assert sum(size for size, _ in scores_of(late)) > sum(size for size, _ in scores_of(early))


def test_bayesian_search_needs_its_extra(monkeypatch):
    import sys

    from grape_gnn.errors import MissingExtraError

    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(MissingExtraError, match=r"grape-gnn\[search\]"):
        advanced("bayesian", 0)
