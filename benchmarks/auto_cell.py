"""One template, one engine, one graph for `auto.py`, in a process of its own.

Timed is what a user of a role does: ``match(graph, [template], engine=..., threads=1)[0]``, and
then all roles times 32 float32 features. The roles may also be written out as matrices. A
template's expression, the same for every graph, is worked out beforehand on a small graph.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

import grape_gnn as grape
from cell import cpu_seconds, forget_peak, limit_this_process, memory_in_use

COLUMNS = 32
PATIENCE = 0.5  # seconds of work that are worth repeating


def main(job: dict[str, Any]) -> None:
    edges = np.load(job["edges"])
    graph = grape.Graph.from_edges(edges[:, 0], edges[:, 1], num_nodes=job["num_nodes"])
    graph.native  # noqa: B018  - every engine needs it
    template = grape.Template(job["template"])
    features = np.random.default_rng(0).random((graph.num_nodes, COLUMNS), dtype=np.float32)
    small = grape.Graph.from_edges(*np.triu_indices(6, 1))
    grape.match(small, [template], engine=job["engine"], threads=1)[0] @ features[:6]
    limit_this_process(job["seconds"])
    forget_peak()
    before = memory_in_use()
    times: list[tuple[float, float]] = []
    while not times or (len(times) < 9 and sum(map(sum, times)) < PATIENCE):
        start = cpu_seconds()
        roles = grape.match(graph, [template], engine=job["engine"], threads=1)[0]
        matched = cpu_seconds()
        roles @ features
        times.append((matched - start, cpu_seconds() - matched))
    matching, product = min(times, key=sum)
    memory = memory_in_use(peak=True) - before
    kinds = [type(role).__name__ for role in roles][1:]
    found = {"seconds": matching + product, "matching": matching, "product": product}
    print(json.dumps(found | {"memory": memory, "kinds": kinds}), flush=True)
    if job["written"]:
        start = cpu_seconds()
        for role in roles:
            role.to_scipy()
        print(json.dumps({"written": matching + cpu_seconds() - start}), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
