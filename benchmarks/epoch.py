"""How long an epoch takes: GRAPE, a message-passing baseline, and GRAPE without fusion.

    GRAPE_DATA=<folder with the datasets> python benchmarks/epoch.py [--lanes 32]

`--lanes` limits the vectors, ours and torch's alike, to those of older processors: 32 bytes are
AVX2, 16 bytes SSE4.2. Targets: on Amherst with the five social templates and width 32, at most one
PyG GIN epoch with AVX2 or better, at least 8 times faster than one torch.sparse product per role,
and memory at most twice GIN's plus the role values; on Cora with the citation templates at most
2.5 times a PyG GCN epoch.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from cell import run_cell
from grape_gnn import _native
from machine import describe_machine
from start import check_datasets, start
from table import seconds

CASES = [
    ("amherst", "social", ["GRAPE", "GIN", "plain"]),
    ("cora", "citation", ["GRAPE", "GCN", "plain"]),
]
# What torch, MKL and oneDNN call vectors of so many bytes.
ISA = {
    16: {"ATEN_CPU_CAPABILITY": "default", "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
         "ONEDNN_MAX_CPU_ISA": "SSE41"},
    32: {"ATEN_CPU_CAPABILITY": "avx2", "MKL_ENABLE_INSTRUCTIONS": "AVX2",
         "ONEDNN_MAX_CPU_ISA": "AVX2"},
    64: {},
}  # fmt: skip
Found = dict[tuple[str, str], dict[str, Any]]


def measure(lanes: int) -> Found:
    """Time every model in a process of its own, one after the other."""
    os.environ.update(ISA[lanes])
    job = {"seconds": 6.0, "lanes": lanes}
    return {
        (dataset, model): run_cell(
            "epoch_cell", {"dataset": dataset, "templates": templates, "model": model, **job}
        )
        for dataset, templates, models in CASES
        for model in models
    }


def times_table(found: Found) -> list[list[str]]:
    """Rows of dataset, model, time, ratio and memory."""
    rows = []
    for (dataset, model), cell in found.items():
        if "error" in cell:
            rows.append([dataset, model, cell["error"], "", ""])
            continue
        ratio = cell["seconds"] / found[dataset, "GRAPE"].get("seconds", float("nan"))
        memory = f"{cell['memory'] / 2**20:,.0f} MiB"
        if cell["role values"]:
            memory += f" ({cell['role values'] / 2**20:,.0f} role values)"
        rows.append([dataset, model, seconds(cell["seconds"]), f"{ratio:.2f}", memory])
    return rows


def targets(found: Found) -> list[tuple[str, float, float, bool]]:
    """Return what was aimed at: its name, the figure, the bound, and whether it is met."""

    def of(dataset: str, model: str, what: str = "seconds") -> float:
        return float(found[dataset, model].get(what, float("nan")))

    gin = of("amherst", "GRAPE") / of("amherst", "GIN")
    plain = of("amherst", "plain") / of("amherst", "GRAPE")
    gcn = of("cora", "GRAPE") / of("cora", "GCN")
    own = of("amherst", "GRAPE", "memory") - of("amherst", "GRAPE", "role values")
    memory = own / of("amherst", "GIN", "memory")
    return [
        ("Amherst: times GIN's epoch, at most", gin, 1.0, gin <= 1),
        ("Amherst: times faster than plain, at least", plain, 8.0, plain >= 8),
        ("Amherst: times GIN's memory without role values, at most", memory, 2.0, memory <= 2),
        ("Cora: times GCN's epoch, at most", gcn, 2.5, gcn <= 2.5),
    ]


def main() -> None:
    widest = _native.widest_lanes()
    parser = argparse.ArgumentParser(description="Time epochs of GRAPE and of its baselines.")
    parser.add_argument("--lanes", type=int, choices=[b for b in ISA if b <= widest])
    lanes = parser.parse_args().lanes or widest
    check_datasets(dataset for dataset, *_ in CASES)
    found = measure(lanes)
    heads = ["dataset", "model", "epoch (CPU, 1 thread)", "times GRAPE's", "memory"]
    title = f"{describe_machine()['processor']}, vectors of {lanes} bytes"
    table, rows = Table(*heads, title=title), times_table(found)
    for row in rows:
        table.add_row(*row)
    goals = Table("target", "bound", "measured", "")
    for name, figure, bound, met in targets(found):
        goals.add_row(name, f"{bound:g}", f"{figure:.2f}", "met" if met else "MISSED")
    console = Console(width=100)
    console.print(table)
    console.print(goals)
    out = Path(__file__).resolve().parent / "out"
    out.mkdir(exist_ok=True)
    lines = [heads, ["---"] * len(heads), *rows]
    text = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    (out / f"epoch-{lanes}.md").write_text(f"{title}\n\n{text}\n")


if __name__ == "__main__":
    start(main)
