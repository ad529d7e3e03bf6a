"""Work in parts that do not need each other: by processes of this machine, or by a cluster.

The rows of a role for some egos depend on what surrounds these egos only, and a product of roles
with features acts on every column by itself. So matching splits by egos and products split by
columns, without any loss, over a graph on disk that every worker maps into memory. What a trained
model says of some egos needs no more, so predicting splits by egos as well.
"""

from grape_gnn.cluster.match import match_parts
from grape_gnn.cluster.parts_folder import PartsFolder
from grape_gnn.cluster.precompute import precompute_parts
from grape_gnn.cluster.predict import predict_parts
from grape_gnn.cluster.predictions_folder import PredictionsFolder

__all__ = [
    "PartsFolder",
    "PredictionsFolder",
    "match_parts",
    "precompute_parts",
    "predict_parts",
]
