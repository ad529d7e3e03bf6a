"""From the columns of a node table to numbers that a network learns from."""

from grape_gnn.features.encoder import NodeEncoder, encoded

__all__ = ["NodeEncoder", "encoded"]
