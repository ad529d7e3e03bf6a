"""Role products out of core and the preset ``decoupled``, on a power-law graph.

    python benchmarks/decoupled.py --nodes 1000000 --edges 10000000

Each step runs in a process of its own, so that its peak memory is its own: the graph is made and
saved as a folder, products of the social set with 32 features are computed into another folder
within a memory budget, and a few epochs are trained from there in mini-batches, then all nodes are
predicted. Wall and processor time, and the most memory a process held, mapped files included.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import grape_gnn as grape
from cell import memory_in_use
from generated import social_edges
from machine import describe_machine

FEATURES, CLASSES = 32, 5


def make(folder: Path, nodes: int, edges: int) -> dict[str, Any]:
    """Save a graph whose labels show in the features of neighbours."""
    pairs = social_edges(nodes, edges)
    rng = np.random.default_rng(1)
    y = rng.integers(0, CLASSES, nodes)
    x = rng.normal(size=(nodes, FEATURES)).astype(np.float32)
    x[np.arange(nodes), y] += 1.0
    made = grape.Graph.from_edges(pairs[:, 0], pairs[:, 1], nodes, x=x, y=y)
    made.save(folder / "graph.grape")
    return {"nodes": made.num_nodes, "edges": made.num_edges}


def compute(folder: Path, memory: str) -> dict[str, Any]:
    """Compute the products."""
    graph = grape.read_graph(folder / "graph.grape")
    products = grape.precompute(graph, "social", folder / "products", memory=memory)
    return {"bytes on disk": products.nbytes}


def learn(folder: Path, epochs: int, batch: int) -> dict[str, Any]:
    """Train some epochs and predict all nodes."""
    graph = grape.read_graph(folder / "graph.grape")
    marks: list[float] = []
    model = grape.GrapeClassifier(
        "social", "decoupled", products=str(folder / "products"), batch_size=batch, epochs=epochs
    )
    model.fit(graph, progress=lambda *_: marks.append(time.perf_counter()))
    begun = time.perf_counter()
    model.outputs(graph)
    return {
        "epoch seconds": min(np.diff(marks).tolist(), default=float("nan")),
        "inference seconds": time.perf_counter() - begun,
        "validation accuracy": max(e.validation_accuracy or 0 for e in model.history_.epochs),
    }


def step(name: str, options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Run a step in a process of its own."""
    given = ["--nodes", options.nodes, "--edges", options.edges, "--memory", options.memory]
    given += ["--epochs", options.epochs, "--batch", options.batch]
    command = [sys.executable, __file__, "--step", name, "--folder", folder, *given]
    done = subprocess.run(
        [str(each) for each in command],
        stdout=subprocess.PIPE,
        env={**os.environ, "OMP_WAIT_POLICY": "PASSIVE"},  # waiting is no work
        check=True,
    )
    return dict(json.loads(done.stdout))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--edges", type=int, default=10_000_000)
    parser.add_argument("--memory", default="2GB")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--step", choices=("make", "compute", "learn"))
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    if options.step is None:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            print(json.dumps(describe_machine()))
            for name in ("make", "compute", "learn"):
                print(name, json.dumps(step(name, options, Path(folder))), flush=True)
        return
    wall, cpu = time.perf_counter(), time.process_time()
    if options.step == "make":
        found = make(options.folder, options.nodes, options.edges)
    elif options.step == "compute":
        found = compute(options.folder, options.memory)
    else:
        found = learn(options.folder, options.epochs, options.batch)
    found |= {
        "wall seconds": round(time.perf_counter() - wall, 1),
        "cpu seconds": round(time.process_time() - cpu, 1),
        "peak MB": round(memory_in_use(peak=True) / 1e6),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
