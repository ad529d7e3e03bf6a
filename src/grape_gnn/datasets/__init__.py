"""Datasets by name: the paper's eight graphs, stand-ins, other published and generated ones.

>>> from grape_gnn import datasets
>>> datasets.load("social-like", num_nodes=500)
Graph(nodes=500, edges=..., undirected, features=14, classes=8)
"""

from grape_gnn.datasets.amazon import read_amazon_meta
from grape_gnn.datasets.dataset import DatasetInfo
from grape_gnn.datasets.features import with_features
from grape_gnn.datasets.graph_sets import load_graphs
from grape_gnn.datasets.registry import available, info, load, splits
from grape_gnn.datasets.synthetic_cubic import cubic_shapes
from grape_gnn.datasets.synthetic_directed import directed_roles
from grape_gnn.datasets.synthetic_heterophily import heterophilous_roles
from grape_gnn.datasets.synthetic_power_law import power_law_roles
from grape_gnn.datasets.synthetic_quartile import role_quartile
from grape_gnn.datasets.synthetic_roles import planted_roles
from grape_gnn.datasets.synthetic_social import social_like

__all__ = [
    "DatasetInfo",
    "available",
    "cubic_shapes",
    "directed_roles",
    "heterophilous_roles",
    "info",
    "load",
    "load_graphs",
    "planted_roles",
    "power_law_roles",
    "read_amazon_meta",
    "role_quartile",
    "social_like",
    "splits",
    "with_features",
]
