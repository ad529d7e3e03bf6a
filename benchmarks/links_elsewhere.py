"""Hidden links of other graphs than those of the literature, and who finds them.

    python benchmarks/links_elsewhere.py [--splits 10] [--data FOLDER]

Graphs that come with networkx, generated ones of many kinds, and the airports of ``--data``; the
protocol of `evaluate_links`, with the indices of the field as peers: common neighbours,
Adamic-Adar, resource allocation, preferential attachment, Katz. Prints the AUC of GRAPE and of the
best of them, in percent, and the mean and standard error of the difference over the splits.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import numpy as np

import grape_gnn as grape
from grape_gnn.links import GrapeLinkPredictor
from grape_gnn.links.evaluate import link_figures
from grape_gnn.links.sample import unlinked_pairs

Floats = np.ndarray


def graphs(data: Path | None) -> Iterator[tuple[str, grape.Graph]]:
    groups = [[0.2, 0.02, 0.02], [0.02, 0.2, 0.02], [0.02, 0.02, 0.2]]
    drawn = {
        "karate club": nx.karate_club_graph(),
        "Les Misérables": nx.les_miserables_graph(),
        "Southern women (bipartite)": nx.davis_southern_women_graph(),
        "Watts-Strogatz": nx.watts_strogatz_graph(300, 6, 0.1, seed=1),
        "Barabási-Albert": nx.barabasi_albert_graph(400, 3, seed=1),
        "power law with clusters": nx.powerlaw_cluster_graph(400, 4, 0.5, seed=1),
        "three groups": nx.stochastic_block_model([60, 60, 60], groups, seed=1),
        "core and periphery": nx.stochastic_block_model(
            [30, 150], [[0.5, 0.1], [0.1, 0.005]], seed=1
        ),
        "geometric": nx.random_geometric_graph(300, 0.1, seed=1),
        "bipartite": nx.bipartite.random_graph(80, 120, 0.05, seed=1),
        "grid": nx.grid_2d_graph(16, 16),
        "tree": nx.random_labeled_tree(300, seed=1),
        "Erdős-Rényi (nothing to find)": nx.gnp_random_graph(250, 0.04, seed=1),
    }
    for name, graph in drawn.items():
        yield name, grape.Graph.from_networkx(nx.convert_node_labels_to_integers(graph))
    if data is not None:
        for name in ("brazil", "europe"):
            file = data / "airports" / f"{name}-airports.edgelist"
            yield f"airports, {name.title()}", grape.read_graph(file)


def indices(graph: grape.Graph, heads: Floats, tails: Floats) -> dict[str, Floats]:
    """Return what the field's indices say of every pair."""
    edges = graph.to_scipy().toarray().astype(np.float64)
    degrees = edges.sum(axis=0)
    largest = max(1e-9, np.abs(np.linalg.eigvalsh(edges)).max())
    walks = np.linalg.inv(np.eye(len(edges)) - 0.5 / largest * edges)
    common = {
        "common neighbours": np.ones(len(edges)),
        "Adamic-Adar": 1.0 / np.log(np.maximum(degrees, 2.0)),
        "resource allocation": 1.0 / np.maximum(degrees, 1.0),
    }
    found = {name: ((edges * w) @ edges)[heads, tails] for name, w in common.items()}
    found["preferential attachment"] = degrees[heads] * degrees[tails]
    found["Katz"] = walks[heads, tails]
    return found


def split(graph: grape.Graph, seed: int) -> dict[str, float]:
    """Hide a tenth of the links, and return the AUC of everyone."""
    rng = np.random.default_rng(seed)
    links = rng.permutation(graph.edge_array())
    hidden = max(1, round(0.1 * len(links)))
    kept = links[hidden:]
    rest = grape.Graph.from_edges(kept[:, 0], kept[:, 1], num_nodes=graph.num_nodes)
    heads, tails = np.concatenate([links[:hidden], unlinked_pairs(graph, hidden, rng)]).T
    model = GrapeLinkPredictor(seed=seed, threads=1).fit(rest)
    scores = {"GRAPE": model.decide(heads, tails), **indices(rest, heads, tails)}
    return {name: link_figures(s[:hidden], s[hidden:])["auc"] for name, s in scores.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    print("| graph | nodes | links | best index | its AUC | GRAPE | difference |")
    print("|---|---|---|---|---|---|---|")
    for name, graph in graphs(options.data):
        rows = [split(graph, 1000 + seed) for seed in range(options.splits)]
        areas = {who: 100 * np.array([row[who] for row in rows]) for row in rows for who in row}
        ours = areas.pop("GRAPE")
        best = max(areas, key=lambda who: areas[who].mean())
        apart = ours - areas[best]
        error = apart.std(ddof=1) / np.sqrt(len(apart))
        size = f"{graph.num_nodes:,} | {graph.num_edges:,}"
        figures = (
            f"{areas[best].mean():.1f} | {ours.mean():.1f} | {apart.mean():+.1f} ± {error:.1f}"
        )
        print(f"| {name} | {size} | {best} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
