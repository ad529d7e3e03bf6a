"""Fig. 3a of the paper: how long the methods train on Lehigh, in processor time.

All methods get the same width, dropout and learning rate, one thread, and the same early
stopping; each epoch includes the pass over the validation nodes. Work that is done once per graph,
such as matching templates, is measured apart. The times are also given as multiples of those of
PyTorch Geometric's own GIN, which `benchmarks/epoch.py` compares with, too.
"""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from reproduction.accuracy_table import METHODS
from reproduction.experiment import Entry, Experiment, Section
from reproduction.fingerprint import dataset_method, method_fingerprint
from reproduction.paper import paper_facts
from reproduction.plots import bar_chart
from reproduction.profiles import Profile
from reproduction.record import Records

if TYPE_CHECKING:
    from torch import nn

    from grape_gnn import Graph

__all__ = ["FIG_3A"]

DATASET = "lehigh"
HIDDEN, DROPOUT, LAYERS = 32, 0.3, 2
GIN = "pyg-gin"
LEFT_OUT = ("gin-labels", "grape-plain", "label-propagation")  # no networks of their own, or none
TITLES = {
    GIN: "GIN (PyG)",
    **{name: title for name, title in METHODS.items() if name not in LEFT_OUT},
    "gin": "GIN (ours)",
    "grape": "GRAPE",
}


def _cells(profile: Profile) -> list[Entry]:
    return [{"dataset": DATASET, "method": method} for method in TITLES]


def _run(cell: Entry, profile: Profile, folder: Path) -> dict[str, Any]:
    import torch

    from grape_gnn import datasets
    from grape_gnn.estimator.target import check_labels
    from grape_gnn.training import TrainSettings, random_split, train

    graph = datasets.load(cell["dataset"])
    labels = check_labels(graph)
    split = random_split(labels, seed=0)
    network, inputs, prepared, stopping = _model(cell, graph)
    clock = [time.process_time()]
    history = train(
        network,
        inputs,
        torch.from_numpy(labels.copy()),
        torch.from_numpy(split.train),
        torch.from_numpy(split.validation),
        TrainSettings(epochs=profile.timed_epochs, stopping=stopping, seed=0),
        progress=lambda *_: clock.append(time.process_time()),
    )
    epochs = [after - before for before, after in pairwise(clock)]
    return {
        "prepare_seconds": round(prepared, 4),
        "epoch_seconds": round(median(epochs), 5),
        "train_seconds": round(clock[-1] - clock[0], 3),
        "epochs": len(epochs),
        "validation_accuracy": round(history.epochs[history.best].score, 4),
        "parameters": sum(weight.numel() for weight in network.parameters()),
    }


def _model(cell: Entry, graph: Graph) -> tuple[nn.Module, list[Any], float, str]:
    """Return an untrained network, its arguments, the time to prepare them, and when to stop."""
    import torch

    from grape_gnn.estimator.input import node_features

    x, classes = node_features(graph), len(graph.label_names or ())
    if cell["method"] == GIN:
        import torch_geometric.nn as pyg

        start = time.process_time()
        edges = graph.to_pyg().edge_index
        ready = time.process_time()
        torch.manual_seed(0)
        network = pyg.GIN(x.shape[1], HIDDEN, LAYERS, classes, dropout=DROPOUT, norm="batch_norm")
        return network, [x, edges], ready - start, "patience"
    chosen = dataset_method(cell["method"], cell["dataset"])
    start = time.process_time()
    prepared = chosen.prepare(graph, x)
    ready = time.process_time()
    network, inputs = chosen.build(
        prepared, classes, hidden=HIDDEN, dropout=DROPOUT, layers=LAYERS, seed=0
    )
    return network, inputs, ready - start, chosen.stopping


def _fingerprint(cell: Entry, profile: Profile) -> dict[str, Any]:
    method = cell["method"]
    told = (
        {GIN: {"model": "torch_geometric.nn.GIN", "norm": "batch_norm"}}
        if method == GIN
        else method_fingerprint(dataset_method(method, cell["dataset"]))
    )
    return {
        "methods": told,
        "hidden": HIDDEN,
        "dropout": DROPOUT,
        "max_epochs": profile.timed_epochs,
        "clock": "processor",
    }


def _section(records: Records) -> Section:
    rows = [
        "| method | once per graph, s | an epoch, ms | times PyG's GIN | whole training, s | "
        "epochs | weights |",
        "|---|---|---|---|---|---|---|",
    ]
    found = {name: records.best(dataset=DATASET, method=name) for name in TITLES}
    gin = found[GIN]
    bars, processors = {}, set()
    for method, title in TITLES.items():
        record = found[method]
        if record is None:
            rows.append(f"| {title} | not run | | | | | |")
            continue
        processors.add(record.machine["processor"])
        seen = record.result
        epoch = seen["epoch_seconds"]
        bars[title] = {"an epoch": 1000 * epoch}
        ratio = "" if gin is None else f"{epoch / gin.result['epoch_seconds']:.2f}"
        rows.append(
            f"| {title} | {seen['prepare_seconds']:.2f} | {1000 * epoch:.1f} | {ratio} | "
            f"{seen['train_seconds']:.1f} | {seen['epochs']} | {seen['parameters']:,} |"
        )
    pictures = {}
    text = (
        f"The paper: *{paper_facts('fig3a')['says']}.* It measured on a GPU; here everything runs "
        f"on one thread of a CPU ({', '.join(sorted(processors)) or 'not run'}), width {HIDDEN}, "
        "in processor time, with an epoch the median over a training that stops early. GRAPE's "
        "work once per graph is the matching of its templates. GIN (PyG) is PyTorch Geometric's "
        "own (`torch_geometric.nn.GIN` with batch normalisation), as on the page of "
        "[benchmarks](benchmarks.md). The others are the methods of the tables above: our GIN is "
        "quicker than PyG's because it sums over neighbours by a sparse product prepared once.\n\n"
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
    fingerprint=_fingerprint,
    section=_section,
    alone=True,
)
