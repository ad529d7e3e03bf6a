"""Table 1 of the paper: accuracy with the datasets' own node features."""

from __future__ import annotations

from grape_gnn.experiments.accuracy_table import accuracy_table

__all__ = ["TABLE_1"]

TABLE_1 = accuracy_table(
    "table1",
    "Table 1: original features",
    "original",
    "Test accuracy, %. Features: bag of words (Cora, Citeseer), gender and major (the five "
    "universities), numbers of reviews and votes (Amazon).",
)
