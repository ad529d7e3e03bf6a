"""Table A2 of the paper: accuracy with random node features."""

from __future__ import annotations

from grape_gnn.experiments.accuracy_table import accuracy_table

__all__ = ["TABLE_A2"]

TABLE_A2 = accuracy_table(
    "tableA2",
    "Table A2: random features",
    "random",
    "Test accuracy, %. Every node has 64 standard normal numbers, which tell nodes apart and mean "
    "nothing.",
)
