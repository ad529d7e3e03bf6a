"""GIN, GIN with role totals, and GRAPE on sets of graphs, with the same folds, budget and settings.

    python benchmarks/graph_accuracy.py MUTAG PTC --data FOLDER --out records.jsonl

The protocol is that of the GIN paper: ten stratified folds; the accuracy on the held-out folds at
the one epoch whose mean over the folds is best. All have the same width, depth, dropout, learning
rate, batch size and number of epochs; nothing is tuned for any of them. Graphs without types of
nodes have the degree as type, as there. A few hundred graphs say little of one training: every fold
is trained ``--repeats`` times from other weights, and its curve is their mean. Every training is a
line of the records; those that are there are not run again.

What a model has as its defaults is chosen with ``--inner``: trained on eight ninths of the graphs
outside the held-out fold, scored on the last ninth. The held-out folds take no part in that.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy.stats import ttest_rel
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit
from torch import nn

from grape_gnn import GrapeGraphClassifier
from grape_gnn.graphs import GraphSet, read_graphs
from grape_gnn.graphs.to_pyg import node_inputs
from grape_gnn.nn.graph_model import GraphGRAPE
from grape_gnn.nn.pooling import Pooling, parse_pooling
from grape_gnn.nn.role_values import RoleValues
from grape_gnn.nn.written_roles import WrittenRoles
from grape_gnn.roles import match
from grape_gnn.training import TrainSettings, seeded, train
from grape_gnn.training.graph_batches import GraphBatches

FOLDS, LAYERS, DROPOUT = 10, 3, 0.5
METHODS = ("GIN", "GIN + role totals", "GRAPE", "GRAPE + pair layer")
SOCIAL = ("IMDBBINARY",)  # all others are molecules


class GIN(nn.Module):
    """GIN as published: sums over neighbours, MLPs with batch normalisation, sums of all layers."""

    def __init__(self, in_features: int, outputs: int, hidden: int, pooling: str = "sum") -> None:
        super().__init__()
        widths = [in_features] + [hidden] * LAYERS
        self.layers = nn.ModuleList(
            nn.Sequential(
                nn.Linear(wide, hidden), nn.BatchNorm1d(hidden), nn.ReLU(),
                nn.Linear(hidden, hidden), nn.BatchNorm1d(hidden), nn.ReLU(),
            )
            for wide in widths[:-1]
        )  # fmt: skip
        self.eps = nn.Parameter(torch.zeros(LAYERS))
        names = parse_pooling(pooling)
        self.pool = Pooling(names, hidden)
        self.heads = nn.ModuleList(nn.Linear(len(names) * width, outputs) for width in widths)
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


class Task:
    """A set of graphs, what methods need of it, and its folds."""

    def __init__(self, name: str, data: Path, templates: str | None = None) -> None:
        self.name = name
        self.graphs: GraphSet = read_graphs(data / f"{name}.txt")
        self.y = torch.from_numpy(np.array(self.graphs.y))
        self.templates = templates or ("social" if name in SOCIAL else "molecule")
        self.roles = WrittenRoles.of(match(self.graphs, self.templates))
        self.edges = WrittenRoles.of(match(self.graphs, "edge"))
        given = node_inputs(self.graphs)
        if given is None or given.shape[1] < 2:
            degrees = self.graphs.union.degrees
            given = np.eye(degrees.max() + 1, dtype=np.float32)[degrees]
        self.x = torch.from_numpy(given)
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(self.y, self.y)
        self.held_out = [held_out for _, held_out in folds]

    def prepared(
        self, method: str, batch: int, hidden: int, pooling: str | None = None
    ) -> tuple[GraphBatches, nn.Module]:
        """Return the batches of a method and its untrained network."""
        x, outputs = self.x, len(self.graphs.label_names or ())
        if method.startswith("GRAPE"):
            roles, pairs = self.roles, method == "GRAPE + pair layer"
            sizes = (x.shape[1], outputs, hidden, LAYERS, DROPOUT)
            how = pooling or GrapeGraphClassifier.usual_pooling
            network: nn.Module = GraphGRAPE(roles.templates, *sizes, pooling=how, pair_layer=pairs)
        else:
            if method == "GIN + role totals":
                x = torch.cat([x, self.roles.log_totals(x)], dim=1)
            roles, network = self.edges, GIN(x.shape[1], outputs, hidden, pooling or "sum")
        return GraphBatches(x, roles, self.graphs.ptr, batch), network

    def run(self, method: str, fold: int, seed: int, given: argparse.Namespace) -> dict[str, Any]:
        """Train on all folds but one; return its accuracy after every epoch."""
        start = time.process_time()
        with seeded(seed):
            batches, network = self.prepared(method, given.batch, given.hidden, given.pooling)
        check = torch.zeros(len(self.y), dtype=torch.bool)
        check[self.held_out[fold]] = True
        learnt = ~check
        if given.inner:
            rest = np.flatnonzero(learnt)
            halves = StratifiedShuffleSplit(1, test_size=1 / 9, random_state=fold)
            (_, inner) = next(halves.split(rest, self.y[rest]))
            check[:] = False
            check[rest[inner]] = True
            learnt &= ~check
        settings = TrainSettings(
            epochs=given.epochs, patience=given.epochs, learning_rate=given.rate,
            weight_decay=0.0, halve_every=50, batch_size=given.batch, seed=seed,
        )  # fmt: skip
        history = train(network, batches, self.y, learnt, check, settings)
        return {
            "curve": [epoch.validation_accuracy for epoch in history.epochs],
            "weights": sum(p.numel() for p in network.parameters()),
            "seconds": time.process_time() - start,
        }


def table(records: dict[str, dict[str, Any]], sets: list[str]) -> None:
    """Print the accuracies at the best epoch, and how far they are from GIN's."""
    for name in sets:
        of_gin = None
        for method in METHODS:
            mine = [r for r in records.values() if (r["set"], r["method"]) == (name, method)]
            if not mine:
                continue
            repeats: dict[int, list[list[float]]] = {}
            for record in mine:
                repeats.setdefault(record["fold"], []).append(record["curve"])
            curves = np.array([np.mean(each, axis=0) for each in repeats.values()])
            best = int(curves.mean(axis=0).argmax())
            folds = 100 * curves[:, best]
            of_gin = folds if method == "GIN" else of_gin
            words = f"{name:12} {method:18} {folds.mean():.1f} ± "
            words += f"{folds.std(ddof=1) / np.sqrt(len(folds)):.1f}"
            if of_gin is not None and method != "GIN" and len(folds) == len(of_gin):
                p = ttest_rel(folds, of_gin).pvalue
                words += f"  {folds.mean() - of_gin.mean():+.1f} (p = {p:.2f})"
            seconds = sum(record["seconds"] for record in mine)
            words += f"  epoch {best + 1} of {curves.shape[1]}, {len(folds)} folds, "
            words += f"{len(mine) / len(folds):.1f} trainings each, "
            print(words + f"{mine[0]['weights']:,} weights, {seconds:.0f} s")


def main() -> None:
    """Run what is missing in the records, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--templates", help="of GRAPE and the totals; else by the kind of graphs")
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=0.01)
    parser.add_argument("--hidden", type=int, default=16)
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--pooling", help="of all; else the sum for GIN, and GRAPE's own")
    parser.add_argument("--repeats", type=int, default=1, help="trainings of every fold")
    parser.add_argument("--inner", action="store_true", help="score a ninth of the other folds")
    given = parser.parse_args()
    torch.set_num_threads(1)
    lines = given.out.read_text().splitlines() if given.out.exists() else []
    records = {record["key"]: record for record in map(json.loads, lines)}
    for name in given.sets:
        task = Task(name, given.data, given.templates)
        for method in given.methods:
            for seed in range(FOLDS * given.repeats):
                fold = seed % FOLDS
                how = [task.templates, given.epochs, given.batch, given.rate, given.hidden]
                how += [given.pooling, given.inner] if given.pooling or given.inner else []
                key = json.dumps([name, method, seed, *how])
                if key in records:
                    continue
                found = task.run(method, fold, seed, given)
                records[key] = {"key": key, "set": name, "method": method, "fold": fold, **found}
                with given.out.open("a") as file:
                    file.write(json.dumps(records[key]) + "\n")
    table(records, given.sets)


if __name__ == "__main__":
    main()
