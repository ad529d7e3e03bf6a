"""Match and train on one large generated graph; run by `memory.py` in a process of its own.

Memory is the most that was held at any time beyond the graph, its features and its labels: by the
matching, by what training prepares, and by training itself. Time is that of an epoch, as in
`epoch_cell`.
"""

from __future__ import annotations

import contextlib
import json
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import nn

import grape_gnn as grape
from cell import cpu_seconds, forget_peak, memory_in_use
from generated import social_edges
from grape_gnn.nn import GRAPE, RoleValues
from grape_gnn.training import History, TrainSettings, random_split, train

HIDDEN = FEATURES = 32
CLASSES = 8
# Share of the edges that come from small groups in which everybody knows everybody.
GROUPED = {"power law": 0.0, "clustered": 0.9}


def build(job: dict[str, Any], graph: grape.Graph, x: torch.Tensor) -> tuple[nn.Module, list[Any]]:
    """Make the model and its arguments."""
    if job["model"] == "GIN":
        import torch_geometric.nn as pyg

        n = graph.num_nodes
        adjacency = torch.sparse_csr_tensor(
            torch.from_numpy(graph.indptr.astype(np.int64)),
            torch.from_numpy(graph.indices.astype(np.int64)),
            torch.ones(graph.indices.size),
            (n, n),
        )
        model = pyg.GIN(FEATURES, HIDDEN, 2, CLASSES, dropout=0.3, norm="batch_norm")
        return model, [x, adjacency]
    roles = RoleValues(grape.match(graph, job["templates"]))
    return GRAPE(roles.templates, FEATURES, CLASSES, HIDDEN, dropout=0.3), [x, roles]


def main(job: dict[str, Any]) -> dict[str, Any]:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    if job["model"] == "GIN":
        import torch_geometric.nn  # noqa: F401  its own size is not the model's
    if "file" in job:
        graph = grape.read_graph(job["file"], mmap=False)
    else:
        edges = social_edges(job["nodes"], job["edges"], grouped=GROUPED[job["graph"]])
        graph = grape.Graph.from_edges(*edges.T, num_nodes=job["nodes"])
        del edges
    nodes = graph.num_nodes
    labels = np.random.default_rng(0).integers(0, CLASSES, nodes)
    split = random_split(labels, seed=0)
    x = torch.randn(nodes, FEATURES)
    forget_peak()
    before = memory_in_use()
    model, inputs = build(job, graph, x)
    times = [cpu_seconds()]

    def stop_in_time(_: int, history: History) -> None:
        times.append(cpu_seconds())
        if len(times) > job["epochs"]:
            raise KeyboardInterrupt

    masks = torch.from_numpy(split.train), torch.from_numpy(split.validation)
    with contextlib.suppress(KeyboardInterrupt):
        settings = TrainSettings(epochs=40, patience=40)
        train(model, inputs, torch.from_numpy(labels), *masks, settings, progress=stop_in_time)
    epochs = [after - before for before, after in pairwise(times)]
    return {"seconds": min(epochs[1:]), "memory": memory_in_use(peak=True) - before}


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
