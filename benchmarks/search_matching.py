"""Matching in a search: one engine on a sequence of mutated templates, for `search.py`.

The templates are matched one after the other, as a search would: the instances that `incremental`
has stored for one serve the next. Prints a line of JSON per template: processor seconds with one
thread, what was found, and whether the limit ended it.
"""

from __future__ import annotations

import json
import signal
import sys
from typing import Any

import numpy as np

import grape_gnn as grape
from cell import cpu_seconds, memory_in_use


class OutOfTimeError(Exception):
    """A template used up its processor time."""


# The first templates that a genetic search came across.
MUTATED = (
    "edge", "3-star", "3-path", "triangle", "4-path-inner", "4-path", "tailed-triangle-corner",
    "4-star", "4-star-leaf", "bull", "tailed-triangle", "diamond-hub", "0-1 0-2 1-2 1-3 1-4",
    "5-star",
)  # fmt: skip


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
        start = cpu_seconds()
        signal.setitimer(signal.ITIMER_PROF, job["seconds"])
        try:
            roles = grape.match(
                graph, [grape.Template(text)], engine=job["engine"], threads=1, store=store
            )[0]
            signal.setitimer(signal.ITIMER_PROF, 0)
            line["seconds"] = cpu_seconds() - start
            line["instances"] = int(sum(roles.totals.tolist()))
            line["memory"] = memory_in_use(peak=True) - before
            if job["engine"] != "auto":  # whose operators are not meant to be written out
                line["checksum"] = checksum(roles)
            del roles
        except OutOfTimeError:
            line |= {"seconds": cpu_seconds() - start, "unfinished": True}
            line["memory"] = memory_in_use(peak=True) - before
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
