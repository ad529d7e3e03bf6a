"""`GrapeLinkPredictor`: which links are missing, by what stands between two nodes."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import whole_number
from grape_gnn.errors import ModelError, ModelFileError
from grape_gnn.files.array_file import read_arrays, write_arrays
from grape_gnn.graph import Graph, GraphLike, as_graph
from grape_gnn.graph.pairs import NodePairs, node_pairs
from grape_gnn.links.features import PairFeatures
from grape_gnn.links.logistic import Logistic, choose
from grape_gnn.links.reasons import Suggestion, reason_for
from grape_gnn.links.sample import candidates, unlinked_pairs
from grape_gnn.parameters import Parameters
from grape_gnn.training.ranking import roc_auc_of

__all__ = ["GrapeLinkPredictor"]

_KIND, _VERSION = "links", 1
_MOST_LEARNT = 100_000  # links, and as many pairs without one
_MOST_CANDIDATES = 100_000
_Integers = NDArray[np.int64]


class GrapeLinkPredictor(Parameters):
    """Predict missing links of an undirected graph from the roles two nodes play for each other.

    It learns from the graph's own links and as many pairs without one. None of the features of a
    pair changes when the link between the two is deleted, so no link has to be removed to learn
    from it.

    Parameters
    ----------
    seed
        Seed of the pairs that are drawn.
    threads
        Number of threads; None: as many as there are processors. The result is the same.

    Examples
    --------
    >>> rows = [(a, b) for a in range(12) for b in range(a) if a % 2 == b % 2 and a - b < 9]
    >>> graph = Graph.from_edges(*zip(*rows, (0, 1)))
    >>> model = GrapeLinkPredictor().fit(graph)
    >>> likely, unlikely = model.predict_proba([(0, 10), (0, 11)])[:, 1]
    >>> bool(likely > unlikely)
    True
    >>> [(s.head, s.tail) for s in model.suggest(2)]
    [(0, 10), (1, 11)]
    """

    def __init__(self, seed: int = 0, threads: int | None = None) -> None:
        self.seed = seed
        self.threads = threads

    def fit(self, graph: GraphLike, y: None = None) -> GrapeLinkPredictor:
        """Learn what links of a graph look like."""
        self._use(as_graph(graph))
        rng = np.random.default_rng(whole_number("seed", self.seed, error=ModelError))
        links = self.graph_.edge_array()
        if len(links) < 4:
            raise ModelError(f"{self.graph_!r} has too few links to learn from: 4 are needed")
        if len(links) > _MOST_LEARNT:
            links = links[np.sort(rng.choice(len(links), _MOST_LEARNT, replace=False))]
        n = self.graph_.num_nodes
        others = min(len(links), n * (n - 1) // 2 - self.graph_.num_edges)
        pairs = np.concatenate([links, unlinked_pairs(self.graph_, max(others, 1), rng)])
        linked = np.arange(len(pairs)) < len(links)
        self.model_ = choose(self.features_.of(pairs[:, 0], pairs[:, 1]), linked, rng)
        return self

    def _use(self, graph: Graph) -> None:
        self.graph_ = graph
        self.features_ = PairFeatures(graph, self.threads)

    def decision_function(self, pairs: NodePairs) -> NDArray[np.float64]:
        """Return the logarithm of the odds of a link, for every pair of names."""
        self._check_fitted()
        return self.decide(*node_pairs(self.graph_, pairs))

    def decide(self, heads: _Integers, tails: _Integers) -> NDArray[np.float64]:
        """Return the logarithm of the odds for pairs given by node numbers."""
        return self.model_.decision(self.features_.of(heads, tails))

    def predict_proba(self, pairs: NodePairs) -> NDArray[np.float64]:
        """Return the probabilities of no link and of a link, as if half of the pairs were linked.

        Parameters
        ----------
        pairs
            Pairs of names, or an array with two columns; where nodes have no names, their numbers.
        """
        odds = np.exp(-np.clip(self.decision_function(pairs), -700.0, 700.0))
        linked = 1.0 / (1.0 + odds)
        return np.stack([1.0 - linked, linked], axis=1)

    def score(self, pairs: NodePairs, linked: NDArray[np.bool_]) -> float:
        """Return the area under the ROC curve of pairs that are known to be linked or not."""
        truth = np.asarray(linked, dtype=bool)
        numbers = self.decision_function(pairs)
        if truth.shape != numbers.shape:
            raise ModelError(f"{len(numbers)} pairs were given, and {truth.size} answers to them")
        area = roc_auc_of(numbers, truth)
        if area is None:
            raise ModelError("a score needs pairs that are linked and pairs that are not")
        return area

    def suggest(self, k: int = 20) -> list[Suggestion]:
        """Return the likeliest missing links, among pairs two or three steps apart.

        On large graphs the 100,000 pairs with the best connections are considered.
        """
        self._check_fitted()
        whole_number("k", k, 1, error=ModelError)
        pairs = candidates(self.graph_, _MOST_CANDIDATES)
        if not len(pairs):
            return []
        numbers = self.decide(pairs[:, 0], pairs[:, 1])
        order = np.argsort(-numbers, kind="stable")[:k]
        chances = 1.0 / (1.0 + np.exp(-np.clip(numbers[order], -700.0, 700.0)))
        return [
            reason_for(self.graph_, int(a), int(b), float(chance))
            for (a, b), chance in zip(pairs[order], chances, strict=True)
        ]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model, without the graph, to an ``.npz`` file; a crash leaves an old one."""
        self._check_fitted()
        model = self.model_
        members = {"centre": model.centre, "spread": model.spread, "weights": model.weights}
        write_arrays(path, _KIND, _VERSION, {**members, "products": np.array([model.products])})

    @classmethod
    def load(cls, path: str | os.PathLike[str], graph: GraphLike) -> GrapeLinkPredictor:
        """Read a model and use it on a graph: the one it was trained on, or another.

        Raises
        ------
        ModelFileError
            The file cannot be read, is damaged or holds something else.
        """
        try:
            found = read_arrays(Path(path), _KIND, _VERSION, mmap=False)
            arrays = [found[key] for key in ("centre", "spread", "weights", "products")]
        except (ValueError, KeyError) as wrong:
            raise ModelFileError(path, f"{wrong}; train the model again") from wrong
        result = cls()
        result._use(as_graph(graph))
        size = len(result.features_.names)
        products = arrays[3].shape == (1,) and bool(arrays[3][0])
        terms = size * (size + 3) // 2 if products else size
        shapes = [(size,), (size,), (terms + 1,), (1,)]
        numeric = all(a.dtype == np.float64 and np.isfinite(a).all() for a in arrays[:3])
        if [a.shape for a in arrays] != shapes or not numeric or not (arrays[1] > 0).all():
            raise ModelFileError(path, "is damaged or of another version; train the model again")
        result.model_ = Logistic(arrays[0], arrays[1], arrays[2], products)
        return result

    def _check_fitted(self) -> None:
        if not hasattr(self, "model_"):
            raise ModelError("this GrapeLinkPredictor is not fitted yet: call fit(graph) first")
