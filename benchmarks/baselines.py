"""Whether the baselines are as good as they are known to be: accuracy on Cora, time of an epoch.

    GRAPE_DATA=<folder with the datasets> python benchmarks/baselines.py [--runs 10] [--jobs 1]
    python benchmarks/baselines.py --parts epochs

The accuracy is that of the protocol with the quick grid. For GCN, GraphSAGE, GIN, GAT, Meta-GNN and
GRAPE it is compared with the GRAPE paper's main table. The other figures are round numbers set by
hand, what such models usually get on Cora: the paper has no reference methods, and its figures for
GeniePath, MixHop and DE-GNN are too low to be a check. Trainings are kept in
benchmarks/out/baselines.jsonl and not repeated.

Epochs are timed beside PyG's own GAT of the same shape, which gathers and scatters edge by edge: a
baseline must not lose the comparison of training times because it is written carelessly.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.table import Table
from torch_geometric.nn import GATConv

import grape_gnn as grape
from grape_gnn.baselines import METHODS, method
from grape_gnn.comparison import compare, comparison_table
from grape_gnn.estimator.input import node_features
from start import start

KNOWN = {
    "gcn": 86.9, "sage": 85.6, "gin": 86.5, "gat": 87.1, "mixhop": 86.0, "geniepath": 85.0,
    "meta-gnn": 86.8, "de-gnn": 85.0, "grape": 87.1, "label-propagation": 85.0, "mlp": 75.0,
    "linkx": 83.0,
}  # fmt: skip
MARGIN = 2.0
RESULTS = Path(__file__).parent / "out" / "baselines.jsonl"


def epoch(name: str, dataset: str) -> float:
    """Median CPU time of forward, backward and a step of Adam, one thread."""
    graph = grape.datasets.load(dataset)
    chosen = method(name, grape.datasets.info(dataset).templates)
    prepared = chosen.prepare(graph, node_features(graph))
    network, inputs = chosen.build(prepared, len(graph.label_names), hidden=32, dropout=0.3)
    return timed(network, inputs, torch.from_numpy(graph.y.copy()))


class PlainGAT(torch.nn.Module):
    """GAT as PyG's documentation writes it, of the shape that `gat` has."""

    def __init__(self, features: int, classes: int) -> None:
        super().__init__()
        self.first = GATConv(features, 4, heads=8, dropout=0.3)
        self.second = GATConv(32, classes, dropout=0.3)

    def forward(self, x: torch.Tensor, edges: torch.Tensor) -> torch.Tensor:
        """Return one score per node and class."""
        h = torch.nn.functional.dropout(x, 0.3, self.training)
        h = torch.nn.functional.elu(self.first(h, edges))
        return self.second(torch.nn.functional.dropout(h, 0.3, self.training), edges)


def plain_epoch(dataset: str) -> float:
    """Time an epoch of `PlainGAT` in the same way."""
    data = grape.datasets.load(dataset).to_pyg()
    network = PlainGAT(data.x.shape[1], int(data.y.max()) + 1)
    return timed(network, [data.x, data.edge_index], data.y)


def timed(network: torch.nn.Module, inputs: Sequence[Any], labels: torch.Tensor) -> float:
    torch.set_num_threads(1)
    optimiser = torch.optim.Adam(network.parameters())
    times = []
    for _ in range(15):
        start = time.process_time()
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(network(*inputs), labels).backward()
        optimiser.step()
        times.append(time.process_time() - start)
    return statistics.median(times[3:])


def show_epochs(datasets: Sequence[str]) -> None:
    table = Table("method", *(f"epoch {name}" for name in datasets), "PyG's GAT takes")
    plain = [plain_epoch(name) for name in datasets]
    table.add_row("PyG's GAT", *(f"{1000 * seconds:.1f} ms" for seconds in plain), "")
    for name in METHODS:
        if method(name).grid is not None:  # no network
            continue
        times = [epoch(name, dataset) for dataset in datasets]
        ratios = " ".join(f"{a / b:.1f}x" for a, b in zip(plain, times, strict=True))
        table.add_row(name, *(f"{1000 * seconds:.1f} ms" for seconds in times), ratios)
    Console().print(table)


def show_accuracy(runs: int, jobs: int) -> bool:
    """Print the accuracies on Cora; return whether all are what they should be."""
    RESULTS.parent.mkdir(exist_ok=True)
    found = compare(
        grape.datasets.load("cora"),
        list(KNOWN),
        dataset="cora",
        seeds=range(runs),
        results=RESULTS,
        templates="citation",
        n_jobs=jobs,
        progress=lambda step: print(f"{step.method} {step.done}/{step.total}", end="\r"),
    )
    table = Table("method", "Cora, test", "known")
    low = False
    for row in comparison_table(found):
        falls_short = row.mean < KNOWN[row.method] - MARGIN
        low |= falls_short
        verdict = f"about {KNOWN[row.method]:.0f}" + (": TOO LOW" if falls_short else "")
        table.add_row(row.method, f"{row.mean:.1f} ± {row.std:.1f}", verdict)
    Console().print(table)
    return not low


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", default=["accuracy", "epochs"])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--datasets", nargs="+", default=["cora", "amherst"], help="for the epochs")
    given = parser.parse_args()
    fine = True
    if "accuracy" in given.parts:
        fine = show_accuracy(given.runs, given.jobs)
    if "epochs" in given.parts:
        show_epochs(given.datasets)
    return int(not fine)


if __name__ == "__main__":
    start(main)
