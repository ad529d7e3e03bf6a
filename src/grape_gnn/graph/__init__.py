"""Graphs: the immutable class, its conversions, its files and its summary."""

from grape_gnn.graph.accept import GraphLike, as_graph
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.read import read_graph
from grape_gnn.graph.streaming import convert
from grape_gnn.graph.summary import GraphSummary, summarise

__all__ = ["Graph", "GraphLike", "GraphSummary", "as_graph", "convert", "read_graph", "summarise"]
