"""GIN and GRAPE on generated molecules whose targets are counts of substructures.

    python benchmarks/graph_regression.py --out records.jsonl

The targets are those of `molecules.py`: rings of six and of five atoms, which message passing
cannot count, and two that name atoms. Both have the same split, budget and settings. GRAPE has the
set ``molecule``; with ``--typed``, also the template of the target with its types.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch

from grape_gnn import GrapeGraphRegressor
from grape_gnn.graphs import GraphSet
from grape_gnn.graphs.to_pyg import node_inputs
from grape_gnn.nn.written_roles import WrittenRoles
from grape_gnn.roles import match
from grape_gnn.training import InUnits, TrainSettings, random_split, scores_of, seeded, train
from grape_gnn.training.graph_batches import GraphBatches
from grape_gnn.training.measures import r2
from graph_accuracy import GIN
from molecules import TARGETS, molecules, with_target

HIDDEN = 16


def gin(graphs: GraphSet, epochs: int) -> float:
    """Train GIN; return R2 on the test graphs."""
    y = torch.from_numpy(np.array(graphs.y))
    split = random_split(y.numpy(), 0)
    learnt, check = torch.from_numpy(split.train), torch.from_numpy(split.validation)
    x = torch.from_numpy(node_inputs(graphs))
    batches = GraphBatches(x, WrittenRoles.of(match(graphs, "edge")), graphs.ptr, 64)
    with seeded(0):
        plain = GIN(x.shape[1], 1, HIDDEN)
    plain.dropout.p = 0.0
    network = InUnits(plain, y[learnt])
    settings = TrainSettings(epochs=epochs, patience=epochs, metric="rmse", batch_size=64)
    train(network, batches, y, learnt, check, settings)
    test = torch.from_numpy(np.flatnonzero(split.test))
    return float(r2(scores_of(network, batches, test).numpy(), y[test].numpy()) or 0.0)


def grape(graphs: GraphSet, target: str, epochs: int, typed: bool) -> float:
    """Train GRAPE; return R2 on the test graphs."""
    templates = ["molecule", TARGETS[target]] if typed else ["molecule"]
    model = GrapeGraphRegressor(
        templates, hidden=HIDDEN, layers=3, dropout=0.0, epochs=epochs, patience=epochs, seed=0
    )
    return model.fit(graphs).score(graphs)


def main() -> None:
    """Run all targets and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=800)
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--targets", nargs="+", default=list(TARGETS))
    parser.add_argument("--typed", action="store_true")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    torch.set_num_threads(1)
    graphs = molecules(given.count)
    for target in given.targets:
        counted = with_target(graphs, target)
        start = time.process_time()
        theirs = gin(counted, given.epochs)
        middle = time.process_time()
        ours = grape(counted, target, given.epochs, given.typed)
        record = {
            "target": target, "typed": given.typed, "GIN": theirs, "GRAPE": ours,
            "seconds": [middle - start, time.process_time() - middle],
        }  # fmt: skip
        with given.out.open("a") as file:
            file.write(json.dumps(record) + "\n")
        print(record, flush=True)


if __name__ == "__main__":
    main()
