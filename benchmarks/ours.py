"""Our side of one benchmark row; run by `roles.py` in a process of its own.

All role matrices with counts are computed and materialised. CPU time with one thread and
wall time with two are the best of several runs; memory is the growth over the loaded graph
during the first run.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np

import grape_gnn as grape
from cell import MEMORY_LIMIT, best_of, limit_this_process, memory_in_use
from grape_gnn.errors import MatchError


def main(job: dict[str, Any]) -> dict[str, Any]:
    edges = np.load(job["edges"])
    graph = grape.Graph.from_edges(edges[:, 0], edges[:, 1], num_nodes=job["num_nodes"])
    template = grape.Template(job["template"])

    def work(threads: int) -> grape.roles.TemplateRoles:
        roles = grape.match(
            graph, [template], engine=job["engine"], threads=threads, memory=MEMORY_LIMIT // 2
        )[0]
        for role in list(roles)[1:]:
            role.to_scipy()
        return roles

    warm_up = grape.Graph.from_edges([0, 1, 2], [1, 2, 0])
    grape.match(warm_up, [grape.Template("0-1 1-2 0-2")], threads=2)
    limit_this_process(job["seconds"])
    before = memory_in_use()
    try:
        roles = work(1)
    except MatchError as error:
        return {"error": str(error)}
    return {
        "memory": memory_in_use(peak=True) - before,
        "seconds": best_of(lambda: work(1)),
        "wall_2_threads": best_of(lambda: work(2), time.perf_counter),
        "instances": int(sum(roles.totals.tolist())),
        "nnz": [role.nnz for role in list(roles)[1:]],
    }


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
