"""Fig. 3a of the paper: how long the methods train, by the clock, on Lehigh.

All methods get the same width, dropout and learning rate, one thread, and the same early
stopping; each epoch includes the pass over the validation nodes. Work that is done once per graph,
such as matching templates, is measured apart.
"""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from grape_gnn.experiments.accuracy_table import METHODS
from grape_gnn.experiments.basis import dataset_method, method_basis
from grape_gnn.experiments.experiment import Cell, Experiment, Section
from grape_gnn.experiments.lines import Results
from grape_gnn.experiments.paper import paper_facts
from grape_gnn.experiments.plots import bar_chart
from grape_gnn.experiments.profiles import Profile

__all__ = ["FIG_3A"]

DATASET = "lehigh"
HIDDEN, DROPOUT = 32, 0.3


def _cells(profile: Profile) -> list[Cell]:
    trained = [method for method in METHODS if method != "label-propagation"]
    return [{"dataset": DATASET, "method": method} for method in trained]


def _run(cell: Cell, profile: Profile, folder: Path) -> dict[str, Any]:
    import torch

    from grape_gnn import datasets
    from grape_gnn.estimator_input import check_labels, node_features
    from grape_gnn.training import TrainSettings, random_split, train

    graph = datasets.load(cell["dataset"])
    chosen = dataset_method(cell["method"], cell["dataset"])
    labels = check_labels(graph)
    split = random_split(labels, seed=0)
    start = time.perf_counter()
    prepared = chosen.prepare(graph, node_features(graph))
    ready = time.perf_counter()
    network, inputs = chosen.build(
        prepared, len(graph.label_names or ()), hidden=HIDDEN, dropout=DROPOUT, seed=0
    )
    clock = [time.perf_counter()]
    history = train(
        network,
        inputs,
        torch.from_numpy(labels.copy()),
        torch.from_numpy(split.train),
        torch.from_numpy(split.validation),
        TrainSettings(epochs=profile.timed_epochs, stopping=chosen.stopping, seed=0),
        progress=lambda *_: clock.append(time.perf_counter()),
    )
    epochs = [after - before for before, after in pairwise(clock)]
    return {
        "prepare_seconds": round(ready - start, 4),
        "epoch_seconds": round(median(epochs), 5),
        "train_seconds": round(clock[-1] - clock[0], 3),
        "epochs": len(epochs),
        "validation_accuracy": round(history.epochs[history.best].validation_accuracy, 4),
        "parameters": sum(weight.numel() for weight in network.parameters()),
    }


def _basis(cell: Cell, profile: Profile) -> dict[str, Any]:
    return {
        "methods": method_basis(dataset_method(cell["method"], cell["dataset"])),
        "hidden": HIDDEN,
        "dropout": DROPOUT,
        "max_epochs": profile.timed_epochs,
    }


def _section(results: Results) -> Section:
    rows = [
        "| method | once per graph, s | an epoch, ms | whole training, s | epochs | weights |",
        "|---|---|---|---|---|---|",
    ]
    bars = {}
    for method, title in METHODS.items():
        line = results.best(dataset=DATASET, method=method)
        if method == "label-propagation":
            continue
        if line is None:
            rows.append(f"| {title} | not run | | | | |")
            continue
        found = line.result
        bars[title] = {"an epoch": 1000 * found["epoch_seconds"]}
        rows.append(
            f"| {title} | {found['prepare_seconds']:.2f} | {1000 * found['epoch_seconds']:.1f} | "
            f"{found['train_seconds']:.1f} | {found['epochs']} | {found['parameters']:,} |"
        )
    pictures = {}
    text = (
        f"The paper: *{paper_facts('fig3a')['says']}.* It measured on a GPU; here everything runs "
        f"on one thread of a CPU, width {HIDDEN}, with an epoch the median over a training that "
        f"stops early. GRAPE's work once per graph is the matching of its templates.\n\n"
        + "\n".join(rows)
        + "\n"
    )
    if bars:
        pictures["fig3a.svg"] = bar_chart(
            "Lehigh: time of one training epoch", "milliseconds, shorter is better", bars
        )
        text += "\n![Time of one training epoch by method](images/results/fig3a.svg)\n"
    return Section(text, pictures)


FIG_3A = Experiment(
    name="fig3a",
    title="Fig. 3a: training time",
    cells=_cells,
    run=_run,
    basis=_basis,
    section=_section,
    alone=True,
)
