"""Matching in a search: one engine on a sequence of mutated templates, for `search.py`.

The templates are matched one after the other, as a search would: the instances that `incremental`
has stored for one serve the next. Prints a line of JSON per template: processor seconds with one
thread, what was found, and whether the limit ended it.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from typing import Any

import numpy as np

import grape_gnn as grape
from cell import memory_in_use
from grape_gnn.search.gene import start_gene
from grape_gnn.search.genetic import GeneticSearch
from grape_gnn.search.settings import SearchSettings


class OutOfTimeError(Exception):
    """A template used up its processor time."""


def mutated_templates(count: int, max_nodes: int, seed: int) -> list[str]:
    """Return the first templates that a genetic search with random scores comes across."""
    settings = SearchSettings(max_nodes=max_nodes, seed=seed)
    search = GeneticSearch(settings, start_gene(settings.templates_per_gene, directed=False))
    rng = np.random.default_rng(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        candidates = search.ask()
        found.update(dict.fromkeys(text for c in candidates for text in c.gene.texts))
        search.tell(rng.random(len(candidates)).tolist())
    return list(found)[:count]


def checksum(roles: grape.roles.TemplateRoles) -> int:
    """Fold all role matrices into one number, so that any difference shows."""
    total = 0
    for role in list(roles)[1:]:
        matrix = role.to_scipy().tocoo()
        keys = (matrix.row.astype(np.uint64) * 1_000_003 + matrix.col) % np.uint64(2**31 - 1)
        total = (31 * total + int((keys * matrix.data.astype(np.uint64)).sum())) % 2**63
    return total


def stop(*_: object) -> None:
    raise OutOfTimeError


def main(job: dict[str, Any]) -> None:
    graph = grape.datasets.load(job["graph"])
    store = grape.InstanceStore(graph, job["memory"]) if job["engine"] == "incremental" else None
    before = memory_in_use()
    signal.signal(signal.SIGPROF, stop)
    for text in job["templates"]:
        line: dict[str, Any] = {"template": text}
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, job["seconds"])
        try:
            roles = grape.match(
                graph, [grape.Template(text)], engine=job["engine"], threads=1, store=store
            )[0]
            signal.setitimer(signal.ITIMER_PROF, 0)
            line["seconds"] = time.process_time() - start
            line["instances"] = int(sum(roles.totals.tolist()))
            line["memory"] = memory_in_use(peak=True) - before
            if job["engine"] != "auto":  # whose operators are not meant to be written out
                line["checksum"] = checksum(roles)
            del roles
        except OutOfTimeError:
            line |= {"seconds": time.process_time() - start, "unfinished": True}
            line["memory"] = memory_in_use(peak=True) - before
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
