"""Molecules: read SMILES-like graphs, predict a number from their rings, and see what it rests on.

    python examples/molecules.py

The molecules are small ring systems with side chains, written down as networkx graphs with the
elements as node types. The target is the number of six-membered rings plus half the number of
nitrogen atoms: message passing sees the atoms, but not the rings.
"""

from __future__ import annotations

import networkx as nx
import numpy as np

import grape_gnn as grape
from grape_gnn.explain import explain_graph


def molecule(random: np.random.Generator) -> nx.Graph:
    """Return a chain of rings of five, six or seven atoms, joined by single bonds."""
    graph = nx.Graph()
    for _ in range(int(random.integers(1, 5))):
        size, start = int(random.choice([5, 6, 7])), len(graph)
        nx.add_cycle(graph, range(start, start + size))
        if start:
            graph.add_edge(start - int(random.integers(1, 4)), start)
    kinds = random.choice(["C", "N", "O"], len(graph), p=[0.7, 0.2, 0.1])
    nx.set_node_attributes(graph, dict(zip(graph, kinds.tolist(), strict=True)), "type")
    rings = sum(len(ring) == 6 for ring in nx.cycle_basis(graph))
    graph.graph["y"] = rings + 0.5 * int((kinds == "N").sum())
    return graph


def main() -> None:
    """Train with and without the rings among the templates."""
    random = np.random.default_rng(0)
    graphs = grape.GraphSet.of([molecule(random) for _ in range(300)])
    print(graphs)
    settings = {"epochs": 40, "hidden": 16, "layers": 2, "dropout": 0.0, "seed": 0}
    for templates in ("edge", "edge,5-cycle,6-cycle"):
        model = grape.GrapeGraphRegressor(templates, **settings).fit(graphs)
        print(f"{templates:22} R2 {model.score(graphs):.3f} on the test molecules")
    number = int(np.argmax(graphs.y))
    print(explain_graph(model, graphs, number))


if __name__ == "__main__":
    main()
