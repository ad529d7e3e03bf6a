"""All orbits of Amherst41 at once, beside ORCA (`orbit-count`), `pyfglt` and networkit.

One thread, processor time, the least of several runs, all in one process; a peer that is not
installed is left out. The peers are given their own kind of graph beforehand. ORCA counts induced
orbits, `pyfglt` and `profile` both kinds.

    python benchmarks/orbits.py [--repeats 5] [--sizes 4] [--nodes 800] [--edges 1000000]

`--nodes` takes the graph that so many random students form, since ORCA needs many minutes for the
orbits of five nodes of them all. `--edges` also profiles a random graph with so many edges and a
heavy tail of degrees.
"""

from __future__ import annotations

import argparse
import importlib
import time
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np

import grape_gnn as grape
from generated import heavy_tail_edges
from machine import describe_machine
from start import start


def least(repeats: int, run: Callable[[], Any]) -> float:
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        seconds.append(time.process_time() - start)
    return min(seconds)


def ours(graph: grape.Graph, size: int, of: str) -> None:
    grape.profile(graph, size, of=of, threads=1).to_numpy(induced=True)


def peers(graph: grape.Graph, size: int) -> dict[str, Callable[[], Any]]:
    drawn = nx.Graph()
    drawn.add_nodes_from(range(graph.num_nodes))
    drawn.add_edges_from(graph.edge_array().tolist())
    found: dict[str, Callable[[], Any]] = {}
    if orca := installed("orbit_count"):
        found["ORCA, nodes"] = lambda: orca.node_orbit_counts(drawn, size)
        found["ORCA, edges"] = lambda: orca.edge_orbit_counts(drawn, size)
    if size == 4 and (fglt := installed("pyfglt.fglt")):
        found["pyfglt, nodes"] = lambda: fglt.compute(drawn, raw=True)
    return found


def triangles(graph: grape.Graph, repeats: int) -> None:
    def count() -> None:
        grape.count_instances(graph, "triangle", threads=1)

    print(f"triangles per node: ours {least(repeats, count):.4f} s")
    if kit := installed("networkit"):
        kit.setNumberOfThreads(1)
        ends = tuple(np.ascontiguousarray(graph.edge_array().T))
        made = kit.GraphFromCoo(ends, n=graph.num_nodes)
        made.indexEdges()
        seconds = least(repeats, lambda: kit.centrality.LocalClusteringCoefficient(made).run())
        print(f"triangles per node: networkit (clustering coefficients) {seconds:.4f} s")


def part_of(graph: grape.Graph, count: int) -> grape.Graph:
    """Return what so many random nodes form among themselves."""
    place = np.full(graph.num_nodes, -1)
    place[np.random.default_rng(0).permutation(graph.num_nodes)[:count]] = np.arange(count)
    ends = place[graph.edge_array()]
    kept = ends[(ends >= 0).all(axis=1)]
    return grape.Graph.from_edges(kept[:, 0], kept[:, 1], num_nodes=count)


def installed(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--sizes", default="4", help="for example 4,5")
    parser.add_argument("--nodes", type=int, default=0)
    parser.add_argument("--edges", type=int, default=0)
    asked = parser.parse_args()
    print(describe_machine())
    graph = grape.datasets.load("amherst")
    if asked.nodes:
        graph = part_of(graph, asked.nodes)
    print(graph)
    triangles(graph, asked.repeats)
    for size in map(int, asked.sizes.split(",")):
        for of in ("nodes", "edges"):
            seconds = least(asked.repeats, lambda size=size, of=of: ours(graph, size, of))
            print(f"{size} nodes: ours, {of}, both kinds: {seconds:.3f} s", flush=True)
        for name, run in peers(graph, size).items():
            print(f"{size} nodes: {name}: {least(asked.repeats, run):.3f} s", flush=True)
    if asked.edges:
        ends = heavy_tail_edges(asked.edges)
        large = grape.Graph.from_edges(ends[:, 0], ends[:, 1], num_nodes=asked.edges // 5)
        start, cpu = time.perf_counter(), time.process_time()
        grape.profile(large, 4, threads=2).to_numpy(induced=True)
        wall, used = time.perf_counter() - start, time.process_time() - cpu
        print(f"{large}: 4 nodes, both kinds, two threads: {wall:.1f} s, processor {used:.1f} s")


if __name__ == "__main__":
    start(main)
