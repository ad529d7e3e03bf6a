"""The GRAPE network: its layers, by role or by template (eq. 2-4), the model, the presets."""

from grape_gnn.extras import named_extra

with named_extra():
    from grape_gnn.nn.aggregator import Aggregator
    from grape_gnn.nn.decoupled import DecoupledGRAPE
    from grape_gnn.nn.fusion import Fusion
    from grape_gnn.nn.model import GRAPE, grape_layer
    from grape_gnn.nn.pair_layer import PairLayer, PairNetwork
    from grape_gnn.nn.presets import DECOUPLED, PRESETS, Preset, find_preset
    from grape_gnn.nn.role_layer import RoleLayer
    from grape_gnn.nn.role_loader import RoleBatch, RoleLoader
    from grape_gnn.nn.role_rows import RowSource
    from grape_gnn.nn.role_values import RoleValues
    from grape_gnn.nn.sparse_features import SparseFeatures, as_sparse
    from grape_gnn.nn.template_layer import TemplateLayer

__all__ = [
    "DECOUPLED",
    "GRAPE",
    "PRESETS",
    "Aggregator",
    "DecoupledGRAPE",
    "Fusion",
    "PairLayer",
    "PairNetwork",
    "Preset",
    "RoleBatch",
    "RoleLayer",
    "RoleLoader",
    "RoleValues",
    "RowSource",
    "SparseFeatures",
    "TemplateLayer",
    "as_sparse",
    "find_preset",
    "grape_layer",
]
