"""Roles without labels: how good the embedding is, beside others, and how long it takes.

    python benchmarks/embedding.py FOLDER [symmetric] [brazil] [europe]

``FOLDER`` has the files of struc2vec's authors: ``barbell.edgelist``, ``karate-mirrored.edgelist``,
``brazil-airports.edgelist``, ``labels-brazil-airports.txt`` and so for Europe.

* Symmetric graphs: the share of nodes to which no node of another orbit is as close as their mirror
  image.
* Airports: a logistic regression on the embedding. 80/20: its penalty (and for `RoleEmbedding` the
  number of hops) is chosen by five-fold cross-validation in the training part; 60/20/20: on the
  validation nodes. Ten random splits; mean and standard deviation of the test accuracy.

Seconds are processor time of one run; of `RoleEmbedding` the least of five.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score

from embedding_peers import graphwave, node2vec, struc2vec
from grape_gnn import Graph, RoleEmbedding, automorphism_orbits
from grape_gnn.datasets.airports import read_airports
from machine import describe_machine
from start import start

SPLITS = 10
PENALTIES = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0)
HOPS = (0, 1, 2)
Floats = NDArray[np.float64]


def degree(graph: Graph) -> Floats:
    logs = np.log1p(graph.degrees.astype(np.float64))[:, None]
    scaled: Floats = (logs - logs.mean()) / max(float(logs.std()), 1e-9)
    return scaled


METHODS: dict[str, Callable[[Graph], Floats | None]] = {
    "degree": degree,
    "node2vec": node2vec,
    "GraphWave": graphwave,
    "struc2vec, our code": struc2vec,
    "RoleEmbedding()": lambda graph: RoleEmbedding().fit_transform(graph),
}


def timed(
    method: Callable[[Graph], Floats | None], graph: Graph, repeats: int
) -> tuple[Floats | None, float]:
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        found = method(graph)
        seconds.append(time.process_time() - start)
    return found, min(seconds)


def mirror_of(graph: Graph, ends: tuple[int, int]) -> NDArray[np.int64]:
    """Return the symmetry that swaps the two halves of a graph, joined by the edge between ends."""
    network = nx.Graph(graph.edge_array().tolist())
    network.remove_edge(*ends)
    halves = [network.subgraph(nx.node_connected_component(network, end)).copy() for end in ends]
    for half, end in zip(halves, ends, strict=True):
        nx.set_node_attributes(half, {v: v == end for v in half}, "end")
    same = nx.algorithms.isomorphism.categorical_node_match("end", None)
    matcher = nx.algorithms.isomorphism.GraphMatcher(*halves, node_match=same)
    mirror = np.empty(graph.num_nodes, np.int64)
    for here, there in next(matcher.isomorphisms_iter()).items():
        mirror[[here, there]] = there, here
    return mirror


def symmetric(name: str, graph: Graph, mirror: NDArray[np.int64]) -> None:
    orbit = np.asarray(automorphism_orbits(graph))
    for method, embed in METHODS.items():
        places, seconds = timed(embed, graph, 5 if "Role" in method else 1)
        if places is None:
            continue
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)
        apart[np.diag_indices_from(apart)] = np.inf
        # As near as the mirror image, but for rounding.
        near = apart <= apart[np.arange(len(mirror)), mirror][:, None] + 1e-6
        found = ~(near & (orbit[:, None] != orbit)).any(axis=1)
        print(f"| {name} | {method} | {100 * found.mean():.0f} | {seconds:.3f} |", flush=True)


def accuracies(candidates: list[Floats], y: NDArray[np.int64], three_way: bool) -> list[float]:
    found = []
    for seed in range(SPLITS):
        order = np.random.default_rng(seed).permutation(len(y))
        cut = round((0.6 if three_way else 0.8) * len(y))
        train, rest = order[:cut], order[cut:]
        held, test = (rest[: len(rest) // 2], rest[len(rest) // 2 :]) if three_way else (rest, rest)
        best, chosen = -1.0, None
        for places in candidates:
            for penalty in PENALTIES:
                model = LogisticRegression(C=penalty, max_iter=300)
                if three_way:
                    model.fit(places[train], y[train])
                    score = model.score(places[held], y[held])
                else:
                    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
                    score = cross_val_score(model, places[train], y[train], cv=folds).mean()
                if score > best + 1e-12:
                    best, chosen = score, (places, penalty)
        assert chosen is not None
        places, penalty = chosen
        model = LogisticRegression(C=penalty, max_iter=300).fit(places[train], y[train])
        found.append(100 * float(model.score(places[test], y[test])))
    return found


def airports(name: str, graph: Graph) -> None:
    y = np.asarray(graph.y)
    rows: dict[str, tuple[list[Floats], float]] = {}
    for method, embed in METHODS.items():
        places, seconds = timed(embed, graph, 5 if "Role" in method else 1)
        if places is not None:
            rows[method] = [places], seconds
    hops = [RoleEmbedding(hops=h).fit_transform(graph) for h in HOPS]
    rows["RoleEmbedding, hops chosen"] = hops, rows["RoleEmbedding()"][1]
    for method, (candidates, seconds) in rows.items():
        two, three = accuracies(candidates, y, False), accuracies(candidates, y, True)
        cells = [f"{np.mean(each):.1f} ± {np.std(each):.1f}" for each in (two, three)]
        print(f"| {name} | {method} | {cells[0]} | {cells[1]} | {seconds:.3f} |", flush=True)


def read(path: Path) -> Graph:
    ends = np.loadtxt(path, dtype=np.int64)[:, :2]
    names, numbers = np.unique(ends, return_inverse=True)
    return Graph.from_edges(*numbers.reshape(ends.shape).T, names=names.tolist())


def main() -> None:
    parts = ["symmetric", "brazil", "europe"]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="with the files of struc2vec's authors")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(parts))
    asked = parser.parse_args()
    folder, wanted = asked.folder, asked.parts or parts
    warnings.simplefilter("ignore")
    print(describe_machine()["processor"])
    if "symmetric" in wanted:
        mirrors(folder)
    print("\n| graph | method | 80/20 | 60/20/20 | seconds |\n|---|---|---|---|---|")
    for place in wanted:
        if place != "symmetric":
            files = f"{place}-airports.edgelist", f"labels-{place}-airports.txt"
            airports(place, read_airports(*(folder / name for name in files)))


def mirrors(folder: Path) -> None:
    print("\n| graph | method | mirror image nearest, % | seconds |\n|---|---|---|---|")
    barbell, karate = read(folder / "barbell.edgelist"), read(folder / "karate-mirrored.edgelist")
    symmetric("barbell", barbell, mirror_of(barbell, (14, 15)))
    ends = karate.index_of(1), karate.index_of(37)
    symmetric("mirrored karate", karate, mirror_of(karate, ends))


if __name__ == "__main__":
    start(main)
