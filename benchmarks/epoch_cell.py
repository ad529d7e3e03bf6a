"""One training epoch of one model, timed; run by `epoch.py` in a process of its own.

An epoch is what `grape_gnn.training.train` does with any model: a forward and a backward pass on
the whole graph with dropout, a step of Adam, and the pass that validates. CPU time of one thread;
the least of several epochs after a warm-up, which other load on the machine disturbs least.
Memory is the most that was held beyond what the program and the data held before the model was
made.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from itertools import pairwise
from typing import Any

import torch
from torch import nn

import grape_gnn as grape
from cell import forget_peak, memory_in_use
from grape_gnn import _native
from grape_gnn.nn import GRAPE, RoleValues, as_sparse, find_preset
from grape_gnn.training import History, TrainSettings, random_split, train

HIDDEN = 32


class PlainLayer(nn.Module):
    """What GRAPE would be without fusion: one sparse product per role, one MLP per template."""

    def __init__(self, matches: grape.RoleMatches, wide: int, narrow: int) -> None:
        super().__init__()
        self.matrices = [[op.to_torch().to(torch.float32) for op in roles[1:]] for roles in matches]
        self.inverse = [
            [
                torch.nan_to_num(1 / torch.from_numpy(op.row_sums()).float(), posinf=0.0)
                for op in roles[1:]
            ]
            for roles in matches
        ]
        self.beta = nn.ParameterList(nn.Parameter(torch.ones(2, len(roles))) for roles in matches)
        self.mlps = nn.ModuleList(
            nn.Sequential(
                nn.Linear(wide, narrow),
                nn.BatchNorm1d(narrow),
                nn.ReLU(),
                nn.Linear(narrow, narrow),
                nn.BatchNorm1d(narrow),
                nn.ReLU(),
            )
            for _ in matches
        )
        self.squeeze = nn.Linear(len(matches), len(matches))
        self.excite = nn.Linear(len(matches), len(matches))

    def forward(self, h: torch.Tensor) -> torch.Tensor:
        """Map features to features."""
        out = []
        for beta, matrices, inverse, mlp in zip(
            self.beta, self.matrices, self.inverse, self.mlps, strict=True
        ):
            total = beta[0, 0] * h
            for j, (matrix, mean) in enumerate(zip(matrices, inverse, strict=True), start=1):
                product = matrix @ h
                total = total + beta[0, j] * product + beta[1, j] * mean[:, None] * product
            out.append(mlp(total))
        gamma = torch.stack([h.mean() for h in out])
        alpha = torch.softmax(self.excite(torch.relu(self.squeeze(gamma))), 0) * len(out)
        return sum(a * h for a, h in zip(alpha, out, strict=True))


def build(job: dict[str, Any], graph: grape.Graph) -> tuple[nn.Module, list[Any]]:
    """Make the model and its arguments."""
    x = torch.from_numpy(graph.x.copy())
    wide, classes = x.shape[1], len(graph.label_names or ())
    if job["model"] in ("GIN", "GCN"):
        import torch_geometric.nn as pyg

        options = {"norm": "batch_norm"} if job["model"] == "GIN" else {}
        model = getattr(pyg, job["model"])(wide, HIDDEN, 2, classes, dropout=0.3, **options)
        return model, [x, graph.to_pyg().edge_index]
    matches = grape.match(graph, job["templates"])
    if job["model"] == "GRAPE":
        roles = RoleValues(matches, find_preset("default").values)
        return GRAPE(roles.templates, wide, classes, HIDDEN, dropout=0.3), [as_sparse(x), roles]
    layers = [PlainLayer(matches, wide, HIDDEN), PlainLayer(matches, HIDDEN, HIDDEN)]
    drop = nn.Dropout(0.3)
    head = [nn.Linear(HIDDEN, HIDDEN), nn.ReLU(), drop, nn.Linear(HIDDEN, classes)]
    return nn.Sequential(drop, layers[0], drop, layers[1], drop, *head), [x]


def main(job: dict[str, Any]) -> dict[str, Any]:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    _native.use_lanes(job["lanes"])
    graph = grape.datasets.load(job["dataset"])
    if job["model"] in ("GIN", "GCN"):
        import torch_geometric.nn  # noqa: F401  its own size is not the model's

    labels = torch.from_numpy(graph.y.copy())
    split = random_split(graph.y, seed=0)
    forget_peak()
    before = memory_in_use()
    model, inputs = build(job, graph)
    times = [time.process_time()]

    def stop_in_time(_: int, history: History) -> None:
        times.append(time.process_time())
        if times[-1] - times[0] > job["seconds"] and len(times) > 6:
            raise KeyboardInterrupt

    settings = TrainSettings(epochs=40, patience=40)
    masks = torch.from_numpy(split.train), torch.from_numpy(split.validation)
    with contextlib.suppress(KeyboardInterrupt):
        train(model, inputs, labels, *masks, settings, progress=stop_in_time)
    epochs = [after - before for before, after in pairwise(times)]
    return {
        "seconds": min(epochs[3:]),
        "memory": memory_in_use(peak=True) - before,
        "role values": role_bytes(inputs[-1]) if job["model"] == "GRAPE" else 0,
    }


def role_bytes(roles: RoleValues) -> int:
    """Bytes of the stored role values: indices and values."""
    return sum(
        array.nbytes
        for structure in roles.stored
        for array in (structure.ptr, structure.idx, *structure.values)
    )


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
