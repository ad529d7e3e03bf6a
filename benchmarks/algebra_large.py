"""One large graph for `algebra.py` (c), in a process of its own so that its memory is seen."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np
from cell import memory_in_use
from generated import social_edges

import grape_gnn as grape
from grape_gnn.roles.algebra import AlgebraicRole, Evaluator, algebra_roles
from grape_gnn.roles.engine import MatchSettings

NAMES = ("edge", "3-path", "triangle", "tailed-triangle", "4-path")


def main(job: dict[str, Any]) -> dict[str, Any]:
    nodes = job["edges"] // 10
    edges = social_edges(nodes, job["edges"])
    graph = grape.Graph.from_edges(edges[:, 0], edges[:, 1], num_nodes=nodes)
    del edges
    # The peak of making the graph is not ours: reset it (Linux).
    with open("/proc/self/clear_refs", "w") as reset:  # noqa: PTH123
        reset.write("5")
    wall, cpu = time.perf_counter(), time.process_time()
    settings = MatchSettings(threads=2)
    known = Evaluator(graph, settings)
    roles = [algebra_roles(known, grape.template(name), settings) for name in NAMES]
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    memory = memory_in_use(peak=True)
    end = roles[-1][-1]
    assert isinstance(end, AlgebraicRole)
    features = np.ones((nodes, 32), np.float32)
    start = time.process_time()
    end @ features
    return {
        "nodes": nodes,
        "edges": graph.num_edges,
        "seconds": cpu,
        "wall": wall,
        "memory": memory,
        "product": time.process_time() - start,
        "instances": sum(end.totals().tolist()),
        "max degree": int(graph.degrees.max()),
    }


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
