"""What full-batch training holds for every edge, and how long an epoch takes, on large graphs.

    python benchmarks/memory.py [--edges 1000000]

A power-law and a clustered graph of ten edges per node, generated; 32 features, the five social
templates, width 32, two layers. The peer is PyG's GIN of the same width on a CSR adjacency with
batch normalisation. CPU time of one thread. Targets: at most 600 bytes for every edge beyond the
graph itself, at the peak of matching and training together, and at most twice GIN's epoch.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console
from rich.table import Table

from cell import run_cell
from machine import describe_machine
from memory_cell import GROUPED
from table import seconds

MOST_BYTES, MOST_TIMES = 600, 2.0


def main() -> None:
    parser = argparse.ArgumentParser(description="Memory and time of full-batch epochs.")
    parser.add_argument("--edges", type=int, default=1_000_000)
    edges = parser.parse_args().edges
    heads = ["graph", "model", "epoch (CPU, 1 thread)", "times GIN's", "bytes per edge", ""]
    title = f"{describe_machine()['processor']}, {edges:,} edges"
    table, lines = Table(*heads, title=title), [heads, ["---"] * len(heads)]
    job = {"nodes": edges // 10, "edges": edges, "templates": "social", "epochs": 5}
    for graph in GROUPED:
        cells = {
            model: run_cell("memory_cell", {"graph": graph, "model": model, **job})
            for model in ("GIN", "GRAPE")
        }
        for model, cell in cells.items():
            if "error" in cell:
                row = [graph, model, cell["error"], "", "", ""]
            else:
                times = cell["seconds"] / cells["GIN"].get("seconds", float("nan"))
                held = cell["memory"] / edges
                missed = [
                    what
                    for what, fails in (("memory", held > MOST_BYTES), ("time", times > MOST_TIMES))
                    if fails
                ]
                verdict = f"MISSED: {' and '.join(missed)}" if missed else "met"
                row = [graph, model, seconds(cell["seconds"]), f"{times:.2f}", f"{held:,.0f}"]
                row += [verdict if model == "GRAPE" else ""]
            table.add_row(*row)
            lines.append(row)
    Console(width=100).print(table)
    out = Path(__file__).resolve().parent / "out"
    out.mkdir(exist_ok=True)
    text = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    (out / f"memory-{edges}.md").write_text(f"{title}\n\n{text}\n")


if __name__ == "__main__":
    main()
