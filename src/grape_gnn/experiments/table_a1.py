"""Table A1 of the paper: accuracy when every node has the same constant feature."""

from __future__ import annotations

from grape_gnn.experiments.accuracy_table import accuracy_table

__all__ = ["TABLE_A1"]

TABLE_A1 = accuracy_table(
    "tableA1",
    "Table A1: constant features",
    "dummy",
    "Test accuracy, %. Every node has the single feature 1: only the structure is left. For all "
    "methods alike, early stopping is held back until epoch 200, because with constant features "
    "learning takes off late.",
)
