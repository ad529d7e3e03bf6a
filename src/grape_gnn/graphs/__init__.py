"""Many graphs as one: `GraphSet`, its files, and what it is made of."""

from grape_gnn.graphs.graph_set import GraphSet
from grape_gnn.graphs.read import read_graphs

__all__ = ["GraphSet", "read_graphs"]
