"""The fused pass of eq. 2 with vectors of 16, 32 and 64 bytes, against torch and the processor.

    GRAPE_DATA=<folder with the datasets> python benchmarks/lanes.py

Forward and backward pass of one layer of width 32 over the roles that share the graph's entries,
one thread, CPU time, the least of many runs. `torch` is one `torch.sparse` CSR product (SpMM) per
role, which is less: it neither weighs nor adds the roles up. `limit` is the longer of two times
that `limits.cpp` measures on the same processor with the same vectors: that of the arithmetic, and
that of moving the data. The arithmetic is all of eq. 2: every entry in every role, the weight of
every role of an ego, and the ego's own part in every group; where rows are short, the last two are
a third of it. A product that nothing is added to counts as one that is: it takes the processor as
long. Forward, the members' features are read in random order, those of the egos in turn, and the
sums and the output are written; backward, the gradient is read, and the derivative is written and
then added to in random order. Entries and weights are read once. Arrays begin at cache lines, as
torch's do in training; NumPy's need not, and then every second vector is read from two of them.
Target: at most twice the limit.
"""

from __future__ import annotations

import json
import platform
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from rich.console import Console
from rich.table import Table

import grape_gnn as grape
from grape_gnn import _native
from grape_gnn.nn import RoleValues, find_preset
from grape_gnn.nn.structure import Structure
from machine import describe_machine
from start import start

HERE = Path(__file__).resolve().parent
CASES = [("amherst", "social"), ("cora", "citation")]
WIDTH = 32
ROW = 4 * WIDTH  # bytes of the features of one node
RUNS = 40
HEADS = ["dataset", "pass", "vectors", "time", "GFLOP/s", "torch", "limit", "times the limit"]


@dataclass(frozen=True)
class Limits:
    """Runs the compiled `limits.cpp`."""

    program: Path

    @classmethod
    def build(cls, folder: str) -> Limits:
        """Compile it with the flags of the core."""
        program = Path(folder) / "limits"
        native = HERE.parent / "native"
        level = ["-march=x86-64-v2"] if platform.machine() in ("x86_64", "AMD64") else []
        sources = [HERE / "limits.cpp", native / "base" / "lanes.cpp"]
        flags = ["-std=c++20", "-O3", "-ffp-contract=fast", *level, f"-I{native}"]
        subprocess.run(["c++", *flags, *map(str, sources), "-o", str(program)], check=True)
        return cls(program)

    def seconds(self, lanes: int, flops: float, moved: dict[str, tuple[int, int]]) -> float:
        """Least time for so many operations, and bytes moved in tables of so many bytes."""
        moving = 0.0
        for way, (size, table) in moved.items():
            rates = self._rates(lanes, table)
            moving += size / rates[way]
        return max(flops / rates["flops"], moving)

    def _rates(self, lanes: int, table: int) -> dict[str, float]:
        rows = max(1, table // ROW)
        answer = subprocess.check_output([self.program, str(lanes), str(rows)])
        found: dict[str, float] = json.loads(answer)
        return found


def least(run: Callable[[], object]) -> float:
    """CPU time of the quickest of many runs."""
    times = []
    for _ in range(RUNS):
        begin = time.process_time()
        run()
        times.append(time.process_time() - begin)
    return min(times)


def spmm(structure: Structure, h: torch.Tensor) -> float:
    """Time of one torch product per role."""
    n = structure.num_rows
    index = torch.from_numpy(structure.ptr), torch.from_numpy(structure.idx.astype(np.int64))
    matrices = [
        torch.sparse_csr_tensor(*index, torch.from_numpy(values).float(), (n, n))
        for values in structure.values
    ]
    return least(lambda: [matrix @ h for matrix in matrices])


def rows(dataset: str, templates: str, limits: Limits) -> list[list[str]]:
    """Measure both passes with all vectors."""
    graph = grape.datasets.load(dataset)
    roles = RoleValues(grape.match(graph, templates), find_preset("default").values)
    near = roles.stored[0]
    n, count, groups = near.num_rows, near.role.size, near.num_groups
    entries = near.idx.size
    h = torch.randn(n, WIDTH, generator=torch.Generator().manual_seed(0)).numpy()
    ego, scale = np.ones(groups, np.float32), np.ones((roles.num_roles, n), np.float32)
    sums, out = torch.zeros(n, count, WIDTH).numpy(), torch.zeros(n, groups, WIDTH).numpy()
    by_h = torch.zeros(n, WIDTH).numpy()
    passes = {
        "forward": lambda: near.single.forward(ego, scale, h, sums, out, 1),
        "backward": lambda: near.single.backward_features(ego, scale, out, by_h, 1),
    }
    by_entries, by_egos = 2 * entries * count * WIDTH, 2 * n * groups * WIDTH
    flops = {
        "forward": by_entries + 2 * n * count * WIDTH + by_egos,
        "backward": by_entries + 2 * n * count * WIDTH + by_egos,  # weighed first, then added
    }
    entry_bytes = entries * 4 * (1 + count) + count * n * 4
    written = sums.nbytes + out.nbytes
    members = entries * ROW, n * ROW
    moved = {
        "forward": {
            "gather": members,
            "read": (entry_bytes + h.nbytes, entry_bytes + h.nbytes),
            "write": (written, written),
        },
        "backward": {
            "scatter": members,
            "read": (entry_bytes + out.nbytes, entry_bytes + out.nbytes),
            "write": (by_h.nbytes, by_h.nbytes),
        },
    }
    theirs = spmm(near, torch.from_numpy(h))
    found = []
    for lanes in (16, 32, 64):
        if lanes > _native.widest_lanes():
            break
        _native.use_lanes(lanes)
        for name, run in passes.items():
            taken, limit = least(run), limits.seconds(lanes, flops[name], moved[name])
            ms = (f"{1e3 * t:.2f} ms" for t in (taken, theirs, limit))
            mine, other, bound = ms
            rate = f"{flops[name] / taken / 1e9:.0f}"
            found.append(
                [dataset, name, f"{lanes} bytes", mine, rate, other, bound, f"{taken / limit:.2f}"]
            )
    return found


def main() -> None:
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        limits = Limits.build(folder)
        found = [row for case in CASES for row in rows(*case, limits)]
    table = Table(*HEADS, title=describe_machine()["processor"])
    for row in found:
        table.add_row(*row)
    Console(width=110).print(table)
    out = HERE / "out"
    out.mkdir(exist_ok=True)
    lines = [HEADS, ["---"] * len(HEADS), *found]
    text = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    (out / "lanes.md").write_text(f"{describe_machine()['processor']}\n\n{text}\n")


if __name__ == "__main__":
    start(main)
