"""One case of `plan.py` in a process of its own: what `grape.plan` expects, and what it takes.

Memory is the most that was held beyond what program and graph held before. Free pieces of memory
are given back first, or the case would find its place there and seem to take none.
"""

from __future__ import annotations

import ctypes
import gc
import json
import sys
import warnings
from typing import Any

import numpy as np

import grape_gnn as grape
from cell import cpu_seconds, forget_peak, limit_this_process, memory_in_use
from fresh_cases import FRESH_KINDS, fresh_edges
from generated import hub_edges, social_edges

CLASSES = 4


def make_graph(
    kind: str, num_nodes: int, num_edges: int, features: int, seed: int = 0
) -> grape.Graph:
    """Generate a graph, with random features."""
    rng = np.random.default_rng(seed)
    if kind in FRESH_KINDS:
        edges = fresh_edges(kind, num_nodes, num_edges, seed)
    elif kind == "social":
        edges = social_edges(num_nodes, num_edges)
    elif kind == "hubs":
        edges = hub_edges(num_nodes, num_edges // num_nodes)
    elif kind == "grid":
        side = int(num_nodes**0.5)
        number = np.arange(side * side).reshape(side, side)
        across = np.stack([number[:, :-1], number[:, 1:]], axis=-1).reshape(-1, 2)
        down = np.stack([number[:-1], number[1:]], axis=-1).reshape(-1, 2)
        edges, num_nodes = np.concatenate([across, down]), side * side
    else:
        edges = rng.integers(0, num_nodes, (num_edges, 2))
    x = rng.standard_normal((num_nodes, features), dtype=np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a random edge may be a loop
        directed = kind == "directed"
        return grape.Graph.from_edges(*edges.T, num_nodes=num_nodes, x=x, directed=directed)


def begin() -> int:
    """Return the memory in use, with nothing left over."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    forget_peak()
    return memory_in_use()


def match(graph: grape.Graph, job: dict[str, Any]) -> dict[str, float]:
    """Match, and say what it took."""
    pairs = np.triu_indices(6, 1)
    small = grape.Graph.from_edges(*pairs, directed=graph.directed)
    grape.match(small, job["templates"], threads=1, weighting=job["weighting"])
    before, start = begin(), cpu_seconds()
    roles = grape.match(graph, job["templates"], threads=1, weighting=job["weighting"])
    seconds = cpu_seconds() - start
    instances = sum(int(found.totals.sum()) for found in roles)
    return {
        "seconds": seconds,
        "memory": memory_in_use(peak=True) - before,
        "instances": instances,
    }


def train(graph: grape.Graph, job: dict[str, Any]) -> dict[str, float]:
    """Train a few epochs, and say what one takes."""
    import torch

    from grape_gnn.nn import GRAPE, RoleValues
    from grape_gnn.training import FullBatch, TrainSettings, random_split
    from grape_gnn.training import train as run

    torch.set_num_threads(1)
    times: list[float] = []

    def fit(graph: grape.Graph) -> None:
        y = np.random.default_rng(1).integers(0, CLASSES, graph.num_nodes)
        split = random_split(y, seed=0)
        roles = RoleValues(grape.match(graph, job["templates"], threads=1))
        x = torch.from_numpy(graph.x.copy())
        model = GRAPE(
            roles.templates, x.shape[1], CLASSES, job["hidden"], job["layers"], dropout=0.3
        )
        times[:] = [cpu_seconds()]
        masks = torch.from_numpy(split.train), torch.from_numpy(split.validation)
        run(
            model,
            FullBatch([x, roles]),
            torch.from_numpy(y),
            *masks,
            TrainSettings(epochs=4, patience=40),
            progress=lambda *_: times.append(cpu_seconds()),
        )

    kind = "directed" if graph.directed else "random"
    fit(make_graph(kind, 100, 300, graph.x.shape[1]))  # torch imports parts of itself late
    before = begin()
    fit(graph)
    epochs = np.diff(times)
    return {"seconds": float(epochs[1:].min()), "memory": memory_in_use(peak=True) - before}


def main(job: dict[str, Any]) -> None:
    graph = make_graph(*job["graph"], job["features"], job.get("seed", 0))
    graph.native  # noqa: B018  - every engine needs it
    limit_this_process(job["seconds"])
    start = cpu_seconds()
    plan = grape.plan(
        graph,
        job["templates"],
        weighting=job["weighting"],
        hidden=job["hidden"],
        layers=job["layers"],
    )
    planning = cpu_seconds() - start
    way = plan.training[0]
    expected = {
        "match": {
            "seconds": plan.seconds,
            "memory": plan.memory,
            "instances": sum(row.instances for row in plan.matching),
        },
        "train": {"seconds": way.epoch, "memory": way.memory},
    }[job["kind"]]
    print(json.dumps({"planning": planning, "expected": expected}), flush=True)
    taken = match(graph, job) if job["kind"] == "match" else train(graph, job)
    print(json.dumps({"taken": taken, "seconds": taken["seconds"]}), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
