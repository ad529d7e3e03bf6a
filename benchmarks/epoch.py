"""How long an epoch takes: GRAPE, a message-passing rival, and GRAPE without fusion.

    GRAPE_DATA=<folder with the datasets> python benchmarks/epoch.py

Targets: on Amherst with the five social templates and width 32, at most 3 times a PyG GIN epoch
and at least 8 times faster than one torch.sparse product per role; on Cora at most 3 times GCN.
"""

from __future__ import annotations

from cell import run_cell
from rich.console import Console
from rich.table import Table
from table import seconds

CASES = [
    ("amherst", "social", ["GRAPE", "GIN", "plain"]),
    ("cora", "citation", ["GRAPE", "GCN", "plain"]),
]


def main() -> None:
    table = Table("dataset", "model", "epoch (CPU, 1 thread)", "times GRAPE's", "memory")
    for dataset, templates, models in CASES:
        ours = 0.0
        for model in models:
            job = {"dataset": dataset, "templates": templates, "model": model, "seconds": 4.0}
            found = run_cell("epoch_cell", job)
            if "error" in found:
                table.add_row(dataset, model, found["error"])
                continue
            ours = ours or found["seconds"]
            table.add_row(
                dataset,
                model,
                seconds(found["seconds"]),
                f"{found['seconds'] / ours:.2f}",
                f"{found['memory'] / 2**20:,.0f} MiB",
            )
    Console().print(table)


if __name__ == "__main__":
    main()
