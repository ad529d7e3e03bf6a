"""The GRAPE network: aggregator (eq. 2), fusion (eq. 3-4), model (Alg. A1), presets."""

from grape_gnn.extras import named_extra

with named_extra():
    from grape_gnn.nn.aggregator import Aggregator
    from grape_gnn.nn.fusion import Fusion
    from grape_gnn.nn.model import GRAPE, GRAPELayer
    from grape_gnn.nn.presets import PRESETS, Preset, find_preset
    from grape_gnn.nn.role_values import RoleValues
    from grape_gnn.nn.sparse_features import SparseFeatures, as_sparse

__all__ = [
    "GRAPE",
    "PRESETS",
    "Aggregator",
    "Fusion",
    "GRAPELayer",
    "Preset",
    "RoleValues",
    "SparseFeatures",
    "as_sparse",
    "find_preset",
]
