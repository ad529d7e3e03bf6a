"""Other embeddings of nodes, written from their papers: no package of today's Python has them all.

* GraphWave (Donnat and others, KDD 2018): characteristic functions of heat wavelets.
* node2vec (Grover and Leskovec, KDD 2016): biased walks and skip-gram; p = q = 1.
* struc2vec (Ribeiro and others, KDD 2017): walks in layers of structural distances and skip-gram,
  with the paper's optimisations 1 (degrees with their counts) and 2 (pairs of similar degree only).

Skip-gram is gensim's; without gensim (``pip install gensim``) the last two are left out.
"""

from __future__ import annotations

import importlib
import math
from bisect import bisect
from collections import Counter
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph

__all__ = ["graphwave", "node2vec", "struc2vec"]

Floats = NDArray[np.float64]
WALKS, LENGTH, WINDOW, WIDTH = 10, 80, 10, 128


def graphwave(graph: Graph, points: int = 25) -> Floats:
    """Return real and imaginary parts of the characteristic functions, at two scales."""
    edges = graph.to_scipy().toarray().astype(np.float64)
    inverse = 1.0 / np.sqrt(np.maximum(edges.sum(axis=0), 1.0))
    laplacian = np.eye(len(edges)) - inverse[:, None] * edges * inverse
    values, vectors = np.linalg.eigh(laplacian)
    # The scales of the paper's section 3: the means of its bounds for eta 0.95 and 0.85.
    least = max(float(values[values > 1e-9].min()), 1e-9)
    middle = math.sqrt(least * float(values.max()))
    parts = []
    for share in (0.95, 0.85):
        waves = (vectors * np.exp(math.log(share) / middle * values)) @ vectors.T
        for t in np.linspace(0, 100, points):
            parts += [np.cos(t * waves).mean(axis=0), np.sin(t * waves).mean(axis=0)]
    return np.stack(parts, axis=1)


def skip_gram(walks: list[list[int]], nodes: int, seed: int) -> Floats | None:
    try:
        gensim: Any = importlib.import_module("gensim.models")
    except ModuleNotFoundError:
        return None
    model = gensim.Word2Vec(
        walks, vector_size=WIDTH, window=WINDOW, min_count=0, sg=1, hs=1, workers=1, epochs=5,
        seed=seed,
    )  # fmt: skip
    return np.stack([model.wv[v] for v in range(nodes)])


def node2vec(graph: Graph, seed: int = 0) -> Floats | None:
    rng = np.random.default_rng(seed)
    walks = []
    for _ in range(WALKS):
        for start in rng.permutation(graph.num_nodes).tolist():
            walk = [start]
            while len(walk) < LENGTH and len(near := graph.neighbours(walk[-1])):
                walk.append(int(near[rng.integers(len(near))]))
            walks.append(walk)
    return skip_gram(walks, graph.num_nodes, seed)


def struc2vec(graph: Graph, seed: int = 0, layers: int = 5) -> Floats | None:
    layered = similar_pairs(graph, layers)
    rng = np.random.default_rng(seed)
    tables = [{v: Layer(near) for v, near in layer.items()} for layer in layered]
    means = [np.mean([w for near in layer.values() for w in near.values()]) for layer in layered]
    walks = []
    for _ in range(WALKS):
        for start in rng.permutation(graph.num_nodes).tolist():
            walk, layer = [start], 0
            while len(walk) < LENGTH:
                here = tables[layer][walk[-1]]
                if rng.random() < 0.7:
                    walk.append(here.draw(rng.random()))
                    continue
                up = math.log(here.heavier_than(means[layer]) + math.e)
                if layer == 0 or rng.random() < up / (up + 1):
                    higher = layer + 1 < len(tables) and walk[-1] in tables[layer + 1]
                    layer += higher
                else:
                    layer -= 1
            walks.append(walk)
    return skip_gram(walks, graph.num_nodes, seed)


class Layer:
    """Where a walk may go from one node of a layer."""

    def __init__(self, near: dict[int, float]) -> None:
        self.nodes, self.weights = list(near), sorted(near.values())
        self.sums = list(accumulate(near.values()))

    def draw(self, share: float) -> int:
        return self.nodes[min(bisect(self.sums, share * self.sums[-1]), len(self.nodes) - 1)]

    def heavier_than(self, weight: float) -> int:
        return len(self.weights) - bisect(self.weights, weight)


def similar_pairs(graph: Graph, layers: int) -> list[dict[int, dict[int, float]]]:
    """Return for every layer the weights exp(-f_k(u, v)) of every node's pairs."""
    rings = [degree_rings(graph, v, layers) for v in range(graph.num_nodes)]
    order = np.argsort(graph.degrees, kind="stable").tolist()
    reach = max(1, round(math.log2(graph.num_nodes)))
    pairs = [
        (u, v) for k, u in enumerate(order) for v in order[k + 1 : k + 1 + reach]
    ]  # fmt: skip
    found: list[dict[int, dict[int, float]]] = [{} for _ in range(layers)]
    for u, v in pairs:
        distance = 0.0
        for k, (mine, theirs) in enumerate(zip(rings[u], rings[v], strict=False)):
            distance += warped(mine, theirs)
            weight = max(math.exp(-distance), 1e-300)
            found[k].setdefault(u, {})[v] = weight
            found[k].setdefault(v, {})[u] = weight
    return [layer for layer in found if layer]


def degree_rings(graph: Graph, node: int, layers: int) -> list[list[tuple[int, int]]]:
    """Return the degrees, with their counts, at every distance from a node."""
    seen, front, rings = {node}, [node], []
    while front and len(rings) < layers:
        rings.append(sorted(Counter(graph.degrees[front].tolist()).items()))
        around = {int(u) for v in front for u in graph.neighbours(v)} - seen
        seen |= around
        front = sorted(around)
    return rings


def warped(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> float:
    """Return the cost of dynamic time warping of two sequences of degrees with their counts."""
    above = [0.0] + [math.inf] * len(second)
    for degree, count in first:
        row = [math.inf]
        for j, (other, times) in enumerate(second):
            cost = (max(degree, other) / max(min(degree, other), 0.5) - 1) * max(count, times)
            row.append(cost + min(above[j], above[j + 1], row[j]))
        above = row
    return above[-1]
