"""Functions of networkx on the back end ``grape`` beside networkx itself, in one process.

One thread, processor time, the least of several runs; networkx runs once where it takes longer
than a second. "with conversion" starts from a graph of networkx that the back end has not seen;
"converted" has the graph in the form of the back end, and nothing counted yet. Both sides give the
same dictionaries of Python numbers, which is checked.

    OMP_NUM_THREADS=1 python benchmarks/networkx_backend.py [--repeats 5]

Amherst41 is left out where its file is not there; the other graph is generated.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import networkx as nx

import grape_gnn as grape
from grape_gnn.errors import GrapeError
from grape_networkx.backend import convert_from_nx
from machine import describe_machine

NAMES = (
    "triangles", "clustering", "average_clustering", "transitivity", "square_clustering",
    "generalized_degree", "jaccard_coefficient", "adamic_adar_index", "resource_allocation_index",
)  # fmt: skip


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = run()
    return time.process_time() - start, result


def least(repeats: int, prepare: Callable[[], Any], run: Callable[[Any], Any]) -> float:
    seconds = []
    for _ in range(repeats):
        given = prepare()
        seconds.append(timed(lambda given=given: run(given))[0])
    return min(seconds)


def graphs() -> dict[str, nx.Graph]:
    found = {}
    try:
        found["Amherst41"] = nx.Graph(grape.datasets.load("amherst").edge_array().tolist())
    except GrapeError as missing:
        print(f"Amherst41 is left out: {missing}")
    found["Holme-Kim"] = nx.powerlaw_cluster_graph(5_000, 10, 0.3, seed=0)
    return found


def compare(name: str, graph: nx.Graph, repeats: int) -> str:
    function = getattr(nx, name)
    more = {}
    if name.endswith(("coefficient", "index")):  # pairs: those with an edge, without all others
        more = {"ebunch": list(graph.edges)}

    def call(given: Any, backend: str) -> Any:
        found = function(given, **more, backend=backend)
        return list(found) if more else found

    def fresh() -> nx.Graph:
        graph.__networkx_cache__.clear()
        return graph

    theirs, expected = timed(lambda: call(graph, "networkx"))
    if theirs < 1:
        theirs = min(theirs, least(repeats, fresh, lambda g: call(g, "networkx")))
    found = call(fresh(), "grape")
    if more:
        scores = zip(found, expected, strict=True)
        assert all(a[:2] == b[:2] and abs(a[2] - b[2]) <= 1e-9 for a, b in scores)
    else:
        assert found == expected
    whole = least(repeats, fresh, lambda g: call(g, "grape"))
    alone = least(repeats, lambda: convert_from_nx(graph), lambda g: call(g, "grape"))
    return (
        f"{name:<26} {theirs:9.3f} s {whole:9.4f} s {theirs / whole:7.1f}x "
        f"{alone:9.4f} s {theirs / alone:7.1f}x"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    print(describe_machine(), f"networkx {nx.__version__}")
    for title, graph in graphs().items():
        print(f"\n{title}: {graph.number_of_nodes():,} nodes, {graph.number_of_edges():,} edges")
        print(f"{'':<26} {'networkx':>11} {'with conversion':>20} {'converted':>20}")
        for name in NAMES:
            print(compare(name, graph, asked.repeats), flush=True)


if __name__ == "__main__":
    main()
