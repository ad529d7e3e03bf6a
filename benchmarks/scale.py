"""How every step grows with the graph: convert, match, precompute, epochs, inference.

    make bench-scale      (or: python benchmarks/scale.py --edges 100000 1000000 10000000)

Power-law and clustered graphs of ten edges per node, 32 features, the five social templates. CPU
seconds, wall clock and peak memory (mapped files included) of each step, and the exponents that fit
them: one is growth in proportion to the edges. Epochs are of full batch, beside PyG's GIN; where
`grape plan`, or for GIN the size before, expects more memory than is free, they are not begun.
A step that takes more than a quarter of an hour is stopped. 10^8 edges take half an hour for each
kind of graph and 25 GB of disk.

With ``--workers`` also work in parts by one process and by two: totals of roles, products,
predictions. Their efficiency is the CPU time of one over that of two, the start of processes
included: what the division costs. How much sooner two are done is up to what else the machine does,
so the clock is given beside the load.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from cell import run_cell
from machine import describe_machine
from memory_cell import GROUPED
from table import seconds

OUT = Path(__file__).resolve().parent / "out"
STEPS = ("convert", "match", "totals", "precompute", "predict", "GRAPE", "GIN")
EPOCHS = ("GRAPE", "GIN")
LIMIT = 900.0  # CPU seconds of a step
IN_PARTS = {"totals": "totals of roles", "columns": "products", "answers": "predictions"}
WORDS = {
    "GRAPE": "epoch, full batch", "GIN": "epoch, PyG GIN", "match": "match and multiply",
    "totals": "totals of roles, by blocks of egos",
}  # fmt: skip
Cells = dict[str, dict[str, Any]]


def measure(
    edges: int, graph: str, steps: list[str], workers: bool, smaller: dict[int, Cells]
) -> Cells:
    """Run the steps one after the other; epochs only if they are expected to fit."""
    with tempfile.TemporaryDirectory(dir=OUT) as folder:
        job = {"folder": folder, "graph": graph, "nodes": edges // 10, "edges": edges}
        job |= {"seconds": LIMIT, "jobs": 1}
        found = {"make": run_cell("scale_cell", job | {"step": "make"})}
        for step in ["convert", "look", *(step for step in steps if step != "convert")]:
            expected = expected_bytes(step, edges, found, smaller) if step in EPOCHS else 0
            if expected > found.get("look", {}).get("free", expected):
                found[step] = {"expected": expected}
            else:
                found[step] = run_cell("scale_cell", job | {"step": step})
            print(edges, graph, step, json.dumps(found[step]), flush=True)
        for step in IN_PARTS if workers else ():
            for jobs in (1, 2):
                load = os.getloadavg()[0]
                cell = run_cell("scale_cell", job | {"step": step, "jobs": jobs})
                found[f"{step}{jobs}"] = cell | {"load": load}
                print(edges, graph, step, jobs, json.dumps(found[f"{step}{jobs}"]), flush=True)
        return found


def expected_bytes(step: str, edges: int, found: Cells, smaller: dict[int, Cells]) -> float:
    """Return what an epoch will hold: by `grape plan`, or in proportion to the size before."""
    if step == "GRAPE":
        return float(found["look"].get("full batch", 0))
    known = {size: rows[step]["memory"] for size, rows in smaller.items()
             if "memory" in rows.get(step, {})}  # fmt: skip
    return float(edges / max(known) * known[max(known)]) if known else 0.0


def in_words(cell: dict[str, Any]) -> str:
    """Say what a step took, or why it did not end."""
    if "memory" in cell:
        return f"{seconds(cell['seconds'])}, {cell['memory'] / 1e9:.2f} GB"
    if "expected" in cell:
        return f"does not fit: {cell['expected'] / 1e9:.0f} GB expected"
    if "unfinished" in cell:
        return f"more than {seconds(cell['seconds'])}"
    return f"failed: {cell['error']}" if "error" in cell else "not run"


def exponent(sizes: list[int], values: list[float]) -> str:
    """Return the slope in a log-log plot."""
    if len(sizes) < 2:
        return ""
    slope = np.polyfit(np.log(sizes), np.log(np.maximum(values, 1e-9)), 1)[0]
    return f"{slope:.2f}"


def table(cells: dict[str, dict[int, Cells]]) -> list[str]:
    """Return one table for each kind of graph."""
    lines = []
    for graph, rows in cells.items():
        sizes = sorted(rows)
        heads = [f"{size:.0e} edges".replace("e+0", "e") for size in sizes]
        lines += [f"## {graph}", "", f"| step | {' | '.join(heads)} | exponent of time, memory |"]
        lines.append("|---" * (len(sizes) + 2) + "|")
        for step in STEPS:
            ended = {n: rows[n][step] for n in sizes if "memory" in rows[n].get(step, {})}
            texts = [in_words(rows[n].get(step, {})) for n in sizes]
            slopes = [
                exponent(list(ended), [cell[key] for cell in ended.values()])
                for key in ("seconds", "memory")
            ]
            lines.append(f"| {WORDS.get(step, step)} | {' | '.join(texts)} | {', '.join(slopes)} |")
        left = [f"{rows[n].get('look', {}).get('edges', 0):,} of {n:,}" for n in sizes]
        lines += ["", f"Edges that are left without repeats: {', '.join(left)}.", ""]
        for edges in sizes:
            lines += divided(edges, rows[edges])
    return lines


def divided(edges: int, found: Cells) -> list[str]:
    """Return a table of the work in parts."""
    lines = []
    for step, words in IN_PARTS.items():
        one, two = found.get(f"{step}1", {}), found.get(f"{step}2", {})
        if "memory" in one and "memory" in two:
            clocks = [f"{seconds(cell['wall'])} (load {cell['load']:.0f})" for cell in (one, two)]
            times = [seconds(cell["seconds"]) for cell in (one, two)]
            share = f"{one['seconds'] / two['seconds']:.0%}"
            lines.append(f"| {words} | {' | '.join(times)} | {share} | {' | '.join(clocks)} |")
    if lines:
        heads = "| in parts | CPU of 1 | CPU of 2 | efficiency | clock of 1 | clock of 2 |"
        lines = [f"{edges:,} edges:", "", heads, "|---" * 6 + "|", *lines, ""]
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edges", type=int, nargs="+", default=[10**5, 10**6, 10**7])
    parser.add_argument("--graphs", nargs="+", choices=GROUPED, default=list(GROUPED))
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=list(STEPS))
    parser.add_argument("--workers", action="store_true", help="also one process and two")
    options = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    cells: dict[str, dict[int, Cells]] = {}
    for edges in sorted(options.edges):
        for graph in options.graphs:
            rows = cells.setdefault(graph, {})
            rows[edges] = measure(edges, graph, options.steps, options.workers, rows)
            (OUT / "scale.json").write_text(json.dumps(cells, indent=1))
    text = "\n".join([f"# Scale, on {describe_machine()['processor']}", "", *table(cells)])
    (OUT / "scale.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
