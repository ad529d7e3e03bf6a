"""Roles without labels: nodes as points, alike if they play alike parts; groups of such nodes."""

from grape_gnn.embedding.clusters import RoleClusters
from grape_gnn.embedding.embedding import RoleEmbedding
from grape_gnn.embedding.reasons import Mark
from grape_gnn.embedding.similar import most_similar

__all__ = ["Mark", "RoleClusters", "RoleEmbedding", "most_similar"]
