"""One step on one generated graph for `scale.py`, in a process of its own.

Steps: ``convert`` a Parquet edge list into a graph on disk, ``match`` the social set there and
multiply it once by 32 features, ``precompute`` its products into a folder, an epoch of ``full
batch`` GRAPE or of PyG's ``GIN``, and ``predict`` from the products in batches. In parts, by one
process or two: ``totals`` of the roles by blocks of egos, ``columns`` of products, ``answers`` of a
decoupled model by blocks of egos.

A step has a limit of CPU time and of memory of its own; mapped files do not count as that. Edges
and features are drawn in blocks, so that making a graph takes no more than using it.
"""

from __future__ import annotations

import json
import resource
import shutil
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import grape_gnn as grape
from cell import cpu_seconds, forget_peak, memory_in_use
from grape_gnn.cluster import match_parts, precompute_parts, predict_parts
from grape_gnn.planning.machine import this_machine
from memory_cell import CLASSES, FEATURES, GROUPED
from memory_cell import main as epoch_of

TEMPLATES = "social"
ROWS = 1 << 18  # of the features, drawn at once
LEAST_BUDGET = 2 * 10**9
EDGE_BUDGET = 110  # bytes an edge that products need for its triangles
SHARE = 0.75  # of the memory that is free, for a step


def make(job: dict[str, Any], folder: Path) -> None:
    """Write the edges as Parquet, and features, both in blocks."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from generated import social_blocks
    from grape_gnn.files.npy import GrowingArray

    schema = pa.schema([("source", pa.int64()), ("target", pa.int64())])
    with pq.ParquetWriter(folder / "edges.parquet", schema) as file:
        for pairs in social_blocks(job["nodes"], job["edges"], grouped=GROUPED[job["graph"]]):
            file.write_table(pa.table(list(pairs.T), schema=schema))
    # Names are numbers, and row i belongs to node i, with edges or without.
    rng = np.random.default_rng(0)
    with GrowingArray(folder / "x.npy", np.float32, (FEATURES,)) as x:
        for begin in range(0, job["nodes"], ROWS):
            rows = min(ROWS, job["nodes"] - begin)
            x.append(rng.standard_normal((rows, FEATURES), dtype=np.float32))


def convert(folder: Path, job: dict[str, Any]) -> None:
    shutil.rmtree(folder / "graph.grape", ignore_errors=True)
    options = {"x": folder / "x.npy", "memory": "1GB"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # edges that were drawn twice
        grape.convert(folder / "edges.parquet", folder / "graph.grape", **options)


def match(folder: Path, job: dict[str, Any]) -> None:
    graph = grape.read_graph(folder / "graph.grape")
    for roles in grape.match(graph, TEMPLATES, threads=1):
        roles @ graph.x


def precompute(folder: Path, job: dict[str, Any]) -> None:
    graph = grape.read_graph(folder / "graph.grape")
    shutil.rmtree(folder / "products", ignore_errors=True)
    budget = max(LEAST_BUDGET, EDGE_BUDGET * graph.num_edges)
    grape.precompute(graph, TEMPLATES, folder / "products", memory=budget, threads=1)


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


def totals(folder: Path, job: dict[str, Any]) -> None:
    out = folder / f"totals{job['jobs']}"
    shutil.rmtree(out, ignore_errors=True)
    match_parts(folder / "graph.grape", TEMPLATES, out, what="totals", parts=16, jobs=job["jobs"])


def columns(folder: Path, job: dict[str, Any]) -> None:
    out = folder / f"columns{job['jobs']}"
    precompute_parts(folder / "graph.grape", TEMPLATES, out, parts=8, jobs=job["jobs"])


def answers(folder: Path, job: dict[str, Any]) -> None:
    model = grape.GrapeClassifier.load(folder / "model.safetensors")
    out, products = folder / f"answers{job['jobs']}", folder / "columns1"
    options = {"parts": 16, "jobs": job["jobs"], "products": products}
    predict_parts(model, folder / "graph.grape", out, **options)


def save_model(folder: Path) -> None:
    """Keep a model that has seen a few nodes: its answers take as long as those of any other."""
    graph = grape.read_graph(folder / "graph.grape")
    few = 500
    y = np.arange(few) % CLASSES
    small = grape.Graph.from_edges(np.arange(few - 1), np.arange(1, few), x=graph.x[:few], y=y)
    model = grape.GrapeClassifier(TEMPLATES, "decoupled", epochs=1).fit(small)
    model.save(folder / "model.safetensors")


STEPS = {
    "convert": convert, "match": match, "precompute": precompute, "predict": predict,
    "totals": totals, "columns": columns, "answers": answers,
}  # fmt: skip


def cpu_of_all() -> float:
    """CPU time of this process and of the workers that it has had."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return cpu_seconds() + used.ru_utime + used.ru_stime


def look(folder: Path) -> dict[str, Any]:
    """Return how many edges are left, and what full batch is expected to take."""
    graph = grape.read_graph(folder / "graph.grape")
    whole = grape.plan(graph, TEMPLATES).training[0]
    free = this_machine(folder).memory
    return {"seconds": 0.0, "edges": graph.num_edges, "full batch": whole.memory, "free": free}


def limit(seconds: float, memory: int) -> None:
    """Let the kernel end this process before the machine is gone."""
    end = int(cpu_seconds() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (end, end + 5))
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def main(job: dict[str, Any]) -> dict[str, Any]:
    folder = Path(job["folder"])
    limit(job["seconds"], int(SHARE * this_machine(folder).memory))
    if job["step"] == "make":
        make(job, folder)
        return {"seconds": cpu_seconds()}
    if job["step"] == "look":
        return look(folder)
    if job["step"] in ("GRAPE", "GIN"):
        epochs = 4 if job["edges"] <= 10**6 else 2
        more = {"model": job["step"], "templates": TEMPLATES, "epochs": epochs}
        found = epoch_of(job | more | {"file": str(folder / "graph.grape")})
        return {"seconds": found["seconds"], "wall": found["seconds"], "memory": found["memory"]}
    if job["step"] in ("predict", "answers"):
        import grape_gnn.estimator  # noqa: F401  torch itself does not grow
    if job["step"] == "answers" and job["jobs"] == 1:
        save_model(folder)
    forget_peak()
    clock = cpu_of_all if job.get("jobs", 1) > 1 else cpu_seconds
    before, start, wall = memory_in_use(), clock(), time.perf_counter()
    STEPS[job["step"]](folder, job)
    return {
        "seconds": clock() - start,
        "wall": time.perf_counter() - wall,
        "memory": memory_in_use(peak=True) - before,
    }


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
