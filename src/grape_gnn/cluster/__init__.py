"""Work in parts that do not need each other: by processes of this machine, or by a cluster.

The rows of a role for some egos depend on what surrounds these egos only, and a product of roles
with features acts on every column by itself. So matching splits by egos and products split by
columns, without any loss, over a graph on disk that every worker maps into memory.
"""

from grape_gnn.cluster.match import match_parts
from grape_gnn.cluster.parts_folder import PartsFolder
from grape_gnn.cluster.precompute import precompute_parts

__all__ = ["PartsFolder", "match_parts", "precompute_parts"]
