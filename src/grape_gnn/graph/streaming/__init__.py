"""Edge lists larger than memory, turned into a graph on disk in bounded memory."""

from grape_gnn.graph.streaming.convert import convert

__all__ = ["convert"]
