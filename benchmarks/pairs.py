"""Counts at given pairs: how long a million pairs of a graph with a million edges take.

    python benchmarks/pairs.py [--edges 1000000] [--pairs 1000000] [--threads 2]

Half of the pairs are links, half are drawn at random. The graphs are those of ``generated.py``: a
social network with hubs and groups, and one with a heavy tail of degrees. Measured is everything
from the matched roles on: all roles away from the ego of all templates of four nodes together, then
the ends of paths of five, six and seven nodes, each alone; wall and processor time.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import grape_gnn as grape
from generated import heavy_tail_edges, social_edges
from grape_gnn.roles.pair_counts import PairCounts
from grape_gnn.template.zoo import templates
from machine import describe_machine

Roles = list[tuple[grape.Template, int]]


def asked() -> dict[str, Roles]:
    """Return what is counted, by its name."""
    far: Roles = [
        (template, role)
        for template in templates("all-4")
        for role, (node, *_) in enumerate(template.roles)
        if role and (0, node) not in template.edges
    ]
    ends: dict[str, Roles] = {"4 nodes, all roles away from the ego": far}
    for size in (5, 6, 7):
        path = grape.Template([(k, k + 1) for k in range(size - 1)])
        ends[f"{size}-path, its end"] = [(path, size - 1)]
    return ends


def measure(graph: grape.Graph, pairs: np.ndarray, threads: int) -> None:
    print(f"{graph}, largest degree {graph.degrees.max():,}; {len(pairs):,} pairs")
    for name, roles in asked().items():
        wall, cpu = time.perf_counter(), time.process_time()
        values = PairCounts(graph, threads).at(pairs[:, 0], pairs[:, 1])
        sums = [int(values.counts(template, role).sum()) for template, role in roles]
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(
            f"  {name}: {wall:.1f} s, processor {cpu:.1f} s ({sum(sums):.3g} counted)", flush=True
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    print(describe_machine())
    for edges in (
        heavy_tail_edges(options.edges),
        social_edges(options.edges // 10, options.edges),
    ):
        graph = grape.Graph.from_edges(edges[:, 0], edges[:, 1])
        rng = np.random.default_rng(0)
        links = rng.permutation(graph.edge_array())[: options.pairs // 2]
        others = rng.integers(0, graph.num_nodes, (options.pairs - len(links), 2))
        measure(graph, np.concatenate([links, others]), options.threads)


if __name__ == "__main__":
    main()
