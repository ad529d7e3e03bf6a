"""Graphs: the immutable class, its conversions, its files and its summary."""

from grape_gnn.graph.graph import Graph

__all__ = ["Graph"]
