"""GIN, GIN with role totals, and GRAPE on sets of graphs, with the same folds, budget and settings.

    python benchmarks/graph_accuracy.py MUTAG PTC --data FOLDER --out records.jsonl

The protocol is that of the GIN paper: ten stratified folds; the accuracy on the held-out folds at
the one epoch whose mean over the folds is best. All three have the same width, depth, dropout,
learning rate, batch size and number of epochs; nothing is tuned for any of them.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from sklearn.model_selection import StratifiedKFold
from torch import nn

from grape_gnn.graphs import GraphSet, read_graphs
from grape_gnn.graphs.to_pyg import node_inputs
from grape_gnn.nn.graph_model import GraphGRAPE
from grape_gnn.nn.pooling import Pooling
from grape_gnn.nn.role_values import RoleValues
from grape_gnn.nn.written_roles import WrittenRoles
from grape_gnn.roles import match
from grape_gnn.training import TrainSettings, seeded, train
from grape_gnn.training.graph_batches import GraphBatches

HIDDEN, LAYERS, DROPOUT = 16, 3, 0.5
METHODS = ("GIN", "GIN + role totals", "GRAPE")


class GIN(nn.Module):
    """GIN as published: sums over neighbours, MLPs with batch normalisation, sums of all layers."""

    def __init__(self, in_features: int, outputs: int) -> None:
        super().__init__()
        widths = [in_features] + [HIDDEN] * LAYERS
        self.layers = nn.ModuleList(
            nn.Sequential(
                nn.Linear(wide, HIDDEN), nn.BatchNorm1d(HIDDEN), nn.ReLU(),
                nn.Linear(HIDDEN, HIDDEN), nn.BatchNorm1d(HIDDEN), nn.ReLU(),
            )
            for wide in widths[:-1]
        )  # fmt: skip
        self.eps = nn.Parameter(torch.zeros(LAYERS))
        self.pool = Pooling(("sum",), HIDDEN)
        self.heads = nn.ModuleList(nn.Linear(width, outputs) for width in widths)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(
        self, x: torch.Tensor, roles: RoleValues, batch: torch.Tensor, num_graphs: int
    ) -> torch.Tensor:
        """Score every graph; the roles are those of the edge."""
        scores = self.dropout(self.heads[0](self.pool(x, batch, num_graphs)))
        ones = torch.ones(1, len(x))
        for number, layer in enumerate(self.layers):
            ego = (1 + self.eps[number]).reshape(1)
            x = layer(roles.aggregate(ego, ones, x)[:, 0])
            scores = scores + self.dropout(self.heads[number + 1](self.pool(x, batch, num_graphs)))
        return scores


def prepared(
    graphs: GraphSet, method: str, templates: str, batch: int
) -> tuple[GraphBatches, nn.Module]:
    """Return the batches of a method and its untrained network."""
    given = node_inputs(graphs)
    x = torch.ones(graphs.num_nodes, 1) if given is None else torch.from_numpy(given)
    outputs = len(graphs.label_names or ())
    if method == "GRAPE":
        roles = WrittenRoles.of(match(graphs, templates))
        network: nn.Module = GraphGRAPE(
            roles.templates, x.shape[1], outputs, HIDDEN, LAYERS, DROPOUT
        )
    else:
        if method == "GIN + role totals":
            x = torch.cat([x, WrittenRoles.of(match(graphs, templates)).log_totals(x)], dim=1)
        roles, network = WrittenRoles.of(match(graphs, "edge")), GIN(x.shape[1], outputs)
    return GraphBatches(x, roles, graphs.ptr, batch), network


def run(
    graphs: GraphSet, method: str, templates: str, epochs: int, batch: int, rate: float
) -> dict[str, object]:
    """Train on ten folds; return the accuracies at the best epoch."""
    y = torch.from_numpy(np.array(graphs.y))
    folds = StratifiedKFold(10, shuffle=True, random_state=0).split(y, y)
    curves, start = [], time.process_time()
    for seed, (_, held_out) in enumerate(folds):
        with seeded(seed):
            batches, network = prepared(graphs, method, templates, batch)
        check = torch.zeros(len(y), dtype=torch.bool)
        check[held_out] = True
        settings = TrainSettings(
            epochs=epochs, patience=epochs, learning_rate=rate, weight_decay=0.0,
            halve_every=50, batch_size=batch, seed=seed,
        )  # fmt: skip
        history = train(network, batches, y, ~check, check, settings)
        curves.append([epoch.validation_accuracy for epoch in history.epochs])
    table = np.array(curves)
    best = int(table.mean(axis=0).argmax())
    return {
        "method": method,
        "accuracy": float(table[:, best].mean()),
        "standard error": float(table[:, best].std(ddof=1) / np.sqrt(10)),
        "epoch": best + 1,
        "folds": table[:, best].tolist(),
        "weights": sum(p.numel() for p in network.parameters()),
        "seconds": time.process_time() - start,
    }


def main() -> None:
    """Run what is missing in the records, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--templates", default="molecule")
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=0.01)
    parser.add_argument("--methods", nargs="+", default=METHODS)
    given = parser.parse_args()
    torch.set_num_threads(1)
    for name in given.sets:
        graphs = read_graphs(given.data / f"{name}.txt")
        for method in given.methods:
            found = run(graphs, method, given.templates, given.epochs, given.batch, given.rate)
            record = {"set": name, "templates": given.templates, "epochs": given.epochs, **found}
            with given.out.open("a") as file:
                file.write(json.dumps(record) + "\n")
            print(
                f"{name:12} {method:18} {100 * record['accuracy']:.1f} ± "
                f"{100 * record['standard error']:.1f}  epoch {record['epoch']}, "
                f"{record['weights']:,} weights, {record['seconds']:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
