"""Time and peak memory of loading a 10-million-edge CSV file: the target is 20 s and 3 GB.

Each case runs in a process of its own, so that its peak resident memory is its own.

    python benchmarks/load_csv.py [--edges 10000000] [--out load_csv.json]
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

SECONDS, GIGABYTES = 20.0, 3.0


def write_cases(folder: Path, edges: int) -> list[Path]:
    rng = np.random.default_rng(0)
    nodes = max(edges // 10, 2)
    ends = rng.integers(0, nodes, (edges, 2))
    spellings = {
        "integers": str,
        "sparse_integers": lambda v: str(7_000_000_000 + 1009 * v),
        "names": lambda v: f"person-{v:07d}@example.org",
    }
    paths = []
    for kind, spell in spellings.items():
        names = [spell(v) for v in range(nodes)]
        path = folder / f"{kind}.csv"
        with path.open("w") as file:
            for block in np.array_split(ends, max(edges // 500_000, 1)):
                file.write("".join(f"{names[u]},{names[v]}\n" for u, v in block.tolist()))
        packed = folder / f"{kind}.csv.gz"
        with path.open("rb") as plain, gzip.open(packed, "wb", compresslevel=1) as out:
            shutil.copyfileobj(plain, out, 1 << 22)
        paths += [path, packed]
    return paths


def peak_gigabytes() -> float:
    # Not getrusage: its peak includes that of the process which started this one.
    status = Path("/proc/self/status").read_text()
    kilobytes = next(line.split()[1] for line in status.splitlines() if "VmHWM" in line)
    return round(int(kilobytes) / 1e6, 2)


def load(path: Path) -> None:
    from grape_gnn.errors import GrapeWarning
    from grape_gnn.graph import read_graph

    idle = peak_gigabytes()
    warnings.simplefilter("ignore", GrapeWarning)  # random edges repeat
    wall, cpu = time.perf_counter(), time.process_time()
    graph = read_graph(path)
    row = {
        "file": path.name,
        "megabytes": round(path.stat().st_size / 1e6, 1),
        "nodes": graph.num_nodes,
        "edges": graph.num_edges,
        "seconds": round(time.perf_counter() - wall, 2),
        "cpu_seconds": round(time.process_time() - cpu, 2),
        "peak_gb": peak_gigabytes(),
        "idle_gb": idle,
    }
    print(json.dumps(row))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--edges", type=int, default=10_000_000)
    options.add_argument("--out", type=Path)
    options.add_argument("--load", type=Path, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.load:
        load(chosen.load)
        return
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for path in write_cases(Path(folder), chosen.edges):
            command = [sys.executable, __file__, "--load", str(path)]
            answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            rows.append(json.loads(answer.stdout))
            print(rows[-1], flush=True)
    if chosen.out:
        chosen.out.write_text(json.dumps(rows, indent=1) + "\n")
    # Processor time: on a busy machine the wall clock measures the other programs.
    if any(row["cpu_seconds"] > SECONDS or row["peak_gb"] > GIGABYTES for row in rows):
        sys.exit(f"slower than {SECONDS} s or larger than {GIGABYTES} GB")


if __name__ == "__main__":
    main()
