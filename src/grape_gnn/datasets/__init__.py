"""Datasets by name: the paper's eight graphs, stand-ins, and generated graphs.

>>> from grape_gnn import datasets
>>> datasets.load("social-like", num_nodes=500)
Graph(nodes=500, edges=..., undirected, features=14, classes=8)
"""

from grape_gnn.datasets.amazon import read_amazon_meta
from grape_gnn.datasets.dataset import DatasetInfo
from grape_gnn.datasets.features import with_features
from grape_gnn.datasets.registry import available, info, load, splits
from grape_gnn.datasets.synthetic_roles import planted_roles
from grape_gnn.datasets.synthetic_social import social_like

__all__ = [
    "DatasetInfo",
    "available",
    "info",
    "load",
    "planted_roles",
    "read_amazon_meta",
    "social_like",
    "splits",
    "with_features",
]
