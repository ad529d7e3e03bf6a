"""Significance: whether a graph has more copies of a template than chance would give."""

from grape_gnn.significance.api import significance
from grape_gnn.significance.result import Significance
from grape_gnn.significance.rewiring import Mixing, rewire

__all__ = ["Mixing", "Significance", "rewire", "significance"]
