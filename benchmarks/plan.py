"""How well `grape.plan` knows what a job will take: estimates against measurements.

    python benchmarks/plan.py [--graphs social-10k grid] [--kind match train] [--fresh SEED]

A grid of generated graphs and templates; for matching the CPU time of one thread and the peak of
the memory, for training those of an epoch of full batch. Target: within a factor of two for nine
cases in ten, of time and of memory each. Cases of less than 20 ms or 8 MB fit everywhere and are
compared as if they took that much. Prices were fitted to this grid; ``--fresh`` draws another one,
of graphs and templates that none was fitted to (`fresh_cases`).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from cell import run_cell
from fresh_cases import fresh_cases
from machine import describe_machine
from table import seconds as in_words

OUT = Path(__file__).resolve().parent / "out"
GRAPHS = {
    "social-10k": ("social", 10_000, 100_000),
    "social-100k": ("social", 100_000, 1_000_000),
    "hubs": ("hubs", 50_000, 250_000),
    "random": ("random", 100_000, 400_000),
    "grid": ("grid", 250_000, 0),
}
MATCHED = [
    ("3-path", "count"),
    ("3-path", "set"),
    ("triangle", "count"),
    ("4-path", "count"),
    ("4-cycle", "count"),
    ("4-cycle", "set"),
    ("diamond", "count"),
    ("4-clique", "count"),
    ("social", "count"),
    ("social", "set"),
    ("5-cycle", "count"),
    ("house", "count"),
    ("5-path", "count"),
    ("0-1 0-2 1-3 1-4 2-3", "count"),
]
TRAINED = [
    # templates, width, layers, features
    ("social", 32, 2, 32),
    ("edge", 32, 2, 32),
    ("edge,triangle", 64, 2, 32),
    ("social", 16, 3, 1),
    ("edge,3-path,4-cycle", 32, 2, 32),
    ("social", 32, 1, 128),
]
FLOOR = {"seconds": 0.02, "memory": 8e6}
TARGET = 0.9


def cases(kinds: list[str], graphs: list[str], limit: float) -> list[dict[str, Any]]:
    """Return the jobs."""
    jobs = []
    for name in graphs:
        job = {"name": name, "graph": GRAPHS[name], "seconds": limit}
        if "match" in kinds:
            jobs += [
                job | {"kind": "match", "templates": templates, "weighting": weighting}
                | {"hidden": 32, "layers": 2, "features": 1}
                for templates, weighting in MATCHED
            ]  # fmt: skip
        if "train" in kinds:
            jobs += [
                job | {"kind": "train", "templates": templates, "weighting": "count"}
                | {"hidden": hidden, "layers": layers, "features": features}
                for templates, hidden, layers, features in TRAINED
            ]  # fmt: skip
    return jobs


def ratios(row: dict[str, Any]) -> dict[str, float]:
    """How many times the measured figure was expected."""
    return {
        key: max(row["expected"][key], floor) / max(row["taken"][key], floor)
        for key, floor in FLOOR.items()
    }


def table(rows: list[dict[str, Any]]) -> list[str]:
    """Say how many estimates were good, and show all."""
    lines = []
    for kind in ("match", "train"):
        whole = [row for row in rows if row["kind"] == kind and "taken" in row]
        if not whole:
            continue
        lines.append(f"## {kind}: {len(whole)} cases")
        lines.append("")
        for key in FLOOR:
            within = np.mean([0.5 <= ratios(row)[key] <= 2 for row in whole])
            verdict = "met" if within >= TARGET else "missed"
            lines.append(f"- {key} within 2x: {within:.0%} (target {TARGET:.0%}: {verdict})")
        lines += ["", "| graph | job | time | expected | memory | expected | planning |"]
        lines.append("|---|---|---|---|---|---|---|")
        for row in whole:
            taken, expected = row["taken"], row["expected"]
            what = row["weighting"] if kind == "match" else f"{row['hidden']} x {row['layers']}"
            lines.append(
                f"| {row['name']} | {row['templates']}, {what} | {in_words(taken['seconds'])} | "
                f"{in_words(expected['seconds'])} | {taken['memory'] / 1e6:,.0f} MB | "
                f"{expected['memory'] / 1e6:,.0f} MB | {in_words(row['planning'])} |"
            )
        lines.append("")
    cut = [row for row in rows if "taken" not in row]
    if cut:
        names = "; ".join(f"{row['name']}: {row['templates']}" for row in cut)
        lines += [f"Not ended within the limit: {names}.", ""]
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", nargs="+", choices=("match", "train"), default=["match", "train"])
    parser.add_argument("--graphs", nargs="+", choices=GRAPHS, default=list(GRAPHS))
    parser.add_argument("--limit", type=float, default=30, help="CPU seconds for one case")
    parser.add_argument("--fresh", type=int, metavar="SEED", help="a grid that no price knows")
    options = parser.parse_args()
    rows, name = [], "plan" if options.fresh is None else f"plan-fresh-{options.fresh}"
    OUT.mkdir(exist_ok=True)
    if options.fresh is None:
        jobs = cases(options.kind, options.graphs, options.limit)
    else:
        jobs = fresh_cases(options.fresh, options.kind, options.limit)
    for job in jobs:
        rows.append(job | run_cell("plan_cell", job))
        print(json.dumps(rows[-1]), flush=True)
        (OUT / f"{name}.json").write_text(json.dumps(rows, indent=1))
    text = "\n".join([f"# Estimates, on {describe_machine()['processor']}", "", *table(rows)])
    (OUT / f"{name}.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
