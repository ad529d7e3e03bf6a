"""Processor time of an epoch on sets of graphs: GRAPE, and GIN with as many weights.

    python benchmarks/graph_epoch.py MUTAG PTC --data FOLDER

Both have the batches, the loop and the depth of `graph_accuracy.py`; GIN is as wide as it takes to
have as many weights as GRAPE of width 16. The time is the shortest of all epochs, validation and
the measuring of the normalisations included.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch

from grape_gnn.training import TrainSettings, train
from graph_accuracy import Task
from machine import describe_machine

HIDDEN, BATCH = 16, 64


def weights_of(task: Task, method: str, hidden: int) -> int:
    """Return how many weights a network has."""
    network = task.prepared(method, BATCH, hidden)[1]
    return sum(p.numel() for p in network.parameters())


def shortest_epoch(task: Task, method: str, hidden: int, epochs: int) -> float:
    """Return the seconds of the quickest epoch of a training."""
    batches, network = task.prepared(method, BATCH, hidden)
    check = torch.zeros(len(task.y), dtype=torch.bool)
    check[task.held_out[0]] = True
    settings = TrainSettings(epochs=epochs, patience=epochs, batch_size=BATCH)
    times = [time.process_time()]

    def note(*_: object) -> None:
        times.append(time.process_time())

    train(network, batches, task.y, ~check, check, settings, progress=note)
    return float(np.diff(times)[1:].min())


def main() -> None:
    """Print a line for each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=10)
    given = parser.parse_args()
    torch.set_num_threads(1)
    print(describe_machine())
    for name in given.sets:
        task = Task(name, given.data)
        wanted = weights_of(task, "GRAPE", HIDDEN)
        width = next(h for h in range(HIDDEN, 1024) if weights_of(task, "GIN", h) >= wanted)
        of_gin, of_grape = (
            shortest_epoch(task, method, hidden, given.epochs)
            for method, hidden in (("GIN", width), ("GRAPE", HIDDEN))
        )
        print(
            f"{name}: GIN {1e3 * of_gin:.0f} ms at width {width}, GRAPE {1e3 * of_grape:.0f} ms at "
            f"width {HIDDEN}, {wanted:,} weights: {of_grape / of_gin:.2f} times",
            flush=True,
        )


if __name__ == "__main__":
    main()
