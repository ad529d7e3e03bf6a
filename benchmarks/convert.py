"""Time, peak memory and disk of turning a generated power-law edge list into a graph on disk.

The edges are drawn block by block into a Parquet file (Chung-Lu: both ends by weights that fall
as a power of the rank), so that the file may be larger than memory. The conversion runs in a
process of its own, so that its peak resident memory is its own. The target is 10^8 edges within
4 GB.

    python benchmarks/convert.py [--edges 100000000] [--memory 2GB] [--folder DIR] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

from load_csv import peak_gigabytes
from machine import describe_machine

GIGABYTES = 4.0
BLOCK = 5_000_000


def write_edges(path: Path, edges: int, exponent: float = 0.45) -> None:
    """Write a power-law edge list of ten edges a node, in shuffled order of the nodes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    nodes = max(edges // 10, 2)
    name = rng.permutation(nodes)
    schema = pa.schema([("source", pa.int64()), ("target", pa.int64())])
    with pq.ParquetWriter(path, schema, compression="snappy") as file:
        for begin in range(0, edges, BLOCK):
            count = min(BLOCK, edges - begin)
            # By inversion: ranks whose weight is rank ** -exponent.
            ranks = nodes * rng.random((2, count)) ** (1 / (1 - exponent))
            ends = name[np.minimum(ranks.astype(np.int64), nodes - 1)]
            file.write_table(pa.table(list(ends), schema=schema))


def convert(path: Path, memory: str) -> None:
    """Convert in this process, and print what it took."""
    import grape_gnn as grape
    from grape_gnn.errors import GrapeWarning

    warnings.simplefilter("ignore", GrapeWarning)  # random edges repeat
    out = path.with_suffix(".grape")
    idle = peak_gigabytes()
    wall, cpu = time.perf_counter(), time.process_time()
    graph = grape.convert(path, out, memory=memory)
    row = {
        "edges_read": None,
        "nodes": graph.num_nodes,
        "edges": graph.num_edges,
        "largest_degree": int(graph.degrees.max()),
        "seconds": round(time.perf_counter() - wall, 1),
        "cpu_seconds": round(time.process_time() - cpu, 1),
        "peak_gb": peak_gigabytes(),
        "idle_gb": idle,
        "graph_gb": round(sum(f.stat().st_size for f in out.iterdir()) / 1e9, 2),
    }
    begin = time.process_time()
    grape.read_graph(out)
    print(json.dumps({**row, "opening_ms": round(1e3 * (time.process_time() - begin), 1)}))


def main() -> None:
    """Write, convert, and hold the peak to the target."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--edges", type=int, default=100_000_000)
    options.add_argument("--memory", default="2GB")
    options.add_argument("--folder", type=Path)
    options.add_argument("--out", type=Path)
    options.add_argument("--convert", type=Path, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.convert:
        convert(chosen.convert, chosen.memory)
        return
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        path = Path(folder, "edges.parquet")
        write_edges(path, chosen.edges)
        command = [sys.executable, __file__, "--convert", str(path), "--memory", chosen.memory]
        answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        row = {**json.loads(answer.stdout), "edges_read": chosen.edges, "memory": chosen.memory,
               "file_gb": round(path.stat().st_size / 1e9, 2)}  # fmt: skip
    print(json.dumps(row, indent=1))
    if chosen.out:
        result = {**row, "machine": describe_machine()}
        chosen.out.write_text(json.dumps(result, indent=1) + "\n")
    if row["peak_gb"] > GIGABYTES:
        sys.exit(f"larger than {GIGABYTES} GB")


if __name__ == "__main__":
    main()
