"""One step on one generated graph for `scale.py`, in a process of its own.

Steps: ``convert`` a Parquet edge list into a graph on disk, ``match`` the social set there and
multiply it once by 32 features, ``precompute`` its products into a folder, an epoch of ``full
batch`` GRAPE or of PyG's ``GIN``, and ``predict`` from the products in batches.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import grape_gnn as grape
from cell import cpu_seconds, forget_peak, memory_in_use
from memory_cell import CLASSES, FEATURES, GROUPED
from memory_cell import main as epoch_of

TEMPLATES = "social"


def make(job: dict[str, Any], folder: Path) -> None:
    """Write the edges as Parquet, and features."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from generated import social_edges

    edges = social_edges(job["nodes"], job["edges"], grouped=GROUPED[job["graph"]])
    table = {"source": pa.array(edges[:, 0]), "target": pa.array(edges[:, 1])}
    pq.write_table(pa.table(table), folder / "edges.parquet")
    # Names are numbered in the order they turn up: any features will do.
    nodes = np.unique(edges).size
    x = np.random.default_rng(0).standard_normal((nodes, FEATURES), dtype=np.float32)
    np.save(folder / "x.npy", x)


def convert(folder: Path, job: dict[str, Any]) -> None:
    shutil.rmtree(folder / "graph.grape", ignore_errors=True)
    options = {"x": folder / "x.npy", "memory": "1GB"}
    grape.convert(folder / "edges.parquet", folder / "graph.grape", **options)


def match(folder: Path, job: dict[str, Any]) -> None:
    graph = grape.read_graph(folder / "graph.grape")
    for roles in grape.match(graph, TEMPLATES, threads=1):
        roles @ graph.x


def precompute(folder: Path, job: dict[str, Any]) -> None:
    graph = grape.read_graph(folder / "graph.grape")
    shutil.rmtree(folder / "products", ignore_errors=True)
    grape.precompute(graph, TEMPLATES, folder / "products", memory="2GB", threads=1)


def predict(folder: Path, job: dict[str, Any]) -> None:
    import torch

    from grape_gnn.estimator.decoupled import Decoupled
    from grape_gnn.nn import DecoupledGRAPE
    from grape_gnn.training import ProductBatches, scores_of

    torch.set_num_threads(1)
    graph = grape.read_graph(folder / "graph.grape")
    method = Decoupled(TEMPLATES)
    inputs = method.inputs(graph, graph.x, folder / "products")
    network = DecoupledGRAPE(method.templates, FEATURES, CLASSES, columns=FEATURES).eval()
    scores_of(network, ProductBatches(inputs, None), torch.arange(graph.num_nodes))


STEPS = {"convert": convert, "match": match, "precompute": precompute, "predict": predict}


def main(job: dict[str, Any]) -> dict[str, Any]:
    folder = Path(job["folder"])
    if job["step"] == "make":
        make(job, folder)
        return {"seconds": 0.0}
    if job["step"] in ("GRAPE", "GIN"):
        found = epoch_of(job | {"model": job["step"], "templates": TEMPLATES, "epochs": 4})
        return {"seconds": found["seconds"], "wall": found["seconds"], "memory": found["memory"]}
    if job["step"] == "predict":
        import grape_gnn.estimator  # noqa: F401  torch itself does not grow
    forget_peak()
    before, start, wall = memory_in_use(), cpu_seconds(), time.perf_counter()
    STEPS[job["step"]](folder, job)
    return {
        "seconds": cpu_seconds() - start,
        "wall": time.perf_counter() - wall,
        "memory": memory_in_use(peak=True) - before,
    }


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
