"""Rewiring beside igraph and networkx: the same number of steps on the same graph, one thread.

Processor time, the least of several runs, all in one process; a peer that is not installed is left
out. Ours and igraph's count steps that could not be taken, and start from a graph in their own
form; ours includes making a graph of the result. networkx counts swaps that were taken, and is
given a hundredth of the number.

    python benchmarks/rewiring.py [--repeats 3] [--edges 1000000]

Amherst41 is left out where its file is not there; the other graph is generated.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

import networkx as nx

import grape_gnn as grape
from generated import heavy_tail_edges
from grape_gnn.errors import GrapeError
from machine import describe_machine
from orbits import installed, least

SWAPS = 30


def graphs(edges: int) -> dict[str, grape.Graph]:
    found = {}
    try:
        found["Amherst41"] = grape.datasets.load("amherst")
    except GrapeError as missing:
        print(f"Amherst41 is left out: {missing}")
    found[f"heavy tail, {edges:,} edges"] = grape.Graph.from_edges(*heavy_tail_edges(edges).T)
    return found


def timed(run: Callable[[], Any]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def compare(graph: grape.Graph, repeats: int) -> None:
    steps = SWAPS * graph.num_edges
    ours = least(repeats, lambda: grape.rewire(graph, swaps=SWAPS))
    print(f"  ours: {ours:.2f} s, {1e9 * ours / steps:.0f} ns a step")
    if igraph := installed("igraph"):
        ends = graph.edge_array().tolist()
        theirs = igraph.Graph(graph.num_nodes, ends)
        seconds = least(repeats, lambda: theirs.copy().rewire(n=steps))
        print(f"  igraph {igraph.__version__}: {seconds:.2f} s, {seconds / ours:.1f} times ours")
    few = graph.num_edges * SWAPS // 100
    drawn = nx.Graph(graph.edge_array().tolist())
    seconds = 100 * timed(lambda: nx.double_edge_swap(drawn, few, 100 * few, random.Random(0)))
    print(
        f"  networkx {nx.__version__}: {seconds:.0f} s (of a hundredth), {seconds / ours:.0f} times"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--edges", type=int, default=200_000)
    asked = parser.parse_args()
    print(describe_machine())
    for title, graph in graphs(asked.edges).items():
        print(f"{title}: {graph.num_nodes:,} nodes, {graph.num_edges:,} edges, {SWAPS} steps each")
        compare(graph, asked.repeats)


if __name__ == "__main__":
    main()
