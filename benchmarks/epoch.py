"""How long an epoch takes: GRAPE, a message-passing baseline, and GRAPE without fusion.

    GRAPE_DATA=<folder with the datasets> python benchmarks/epoch.py

Targets: on Amherst with the five social templates and width 32, at most 3 times a PyG GIN epoch,
at least 8 times faster than one torch.sparse product per role, and memory at most twice GIN's
plus the role values; on Cora with the citation templates at most 3 times a PyG GCN epoch.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cell import run_cell
from rich.console import Console
from rich.table import Table
from table import seconds

CASES = [
    ("amherst", "social", ["GRAPE", "GIN", "plain"]),
    ("cora", "citation", ["GRAPE", "GCN", "plain"]),
]
Found = dict[tuple[str, str], dict[str, Any]]


def measure() -> Found:
    """Time every model in a process of its own, one after the other."""
    return {
        (dataset, model): run_cell(
            "epoch_cell",
            {"dataset": dataset, "templates": templates, "model": model, "seconds": 6.0},
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
        ("Amherst: times GIN's epoch, at most", gin, 3.0, gin <= 3),
        ("Amherst: times faster than plain, at least", plain, 8.0, plain >= 8),
        ("Amherst: times GIN's memory without role values, at most", memory, 2.0, memory <= 2),
        ("Cora: times GCN's epoch, at most", gcn, 3.0, gcn <= 3),
    ]


def main() -> None:
    found = measure()
    heads = ["dataset", "model", "epoch (CPU, 1 thread)", "times GRAPE's", "memory"]
    table, rows = Table(*heads), times_table(found)
    for row in rows:
        table.add_row(*row)
    goals = Table("target", "bound", "measured", "")
    for name, figure, bound, met in targets(found):
        goals.add_row(name, f"{bound:g}", f"{figure:.2f}", "met" if met else "MISSED")
    console = Console()
    console.print(table)
    console.print(goals)
    out = Path(__file__).resolve().parent / "out"
    out.mkdir(exist_ok=True)
    lines = [heads, ["---"] * len(heads), *rows]
    text = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    (out / "epoch.md").write_text(text + "\n")


if __name__ == "__main__":
    main()
