"""Pictures of the roles around a node, as SVG; nothing but NumPy and SciPy is needed."""

from grape_gnn.drawing.figure import ego_figure

__all__ = ["ego_figure"]
