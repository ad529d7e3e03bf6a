"""What a trained GRAPE learnt: weights, importance, and one node's Ego-AE sets."""

from grape_gnn.extras import named_extra

with named_extra():
    from grape_gnn.explain.decoupled import DecoupledExplanation, explain_decoupled
    from grape_gnn.explain.explanation import Explanation, explain_classifier, explain_run
    from grape_gnn.explain.features import FeatureImportance, feature_importance
    from grape_gnn.explain.graph import GraphExplanation, RoleEffect, explain_graph, role_worth
    from grape_gnn.explain.importance import Importance, permutation_importance
    from grape_gnn.explain.label_shares import LabelShares
    from grape_gnn.explain.node import EgoSet, Member, NodeExplanation, describe_node, explain_node
    from grape_gnn.explain.weights import LayerWeights, RoleWeight, layer_weights

__all__ = [
    "DecoupledExplanation",
    "EgoSet",
    "Explanation",
    "FeatureImportance",
    "GraphExplanation",
    "Importance",
    "LabelShares",
    "LayerWeights",
    "Member",
    "NodeExplanation",
    "RoleEffect",
    "RoleWeight",
    "describe_node",
    "explain_classifier",
    "explain_decoupled",
    "explain_graph",
    "explain_node",
    "explain_run",
    "feature_importance",
    "layer_weights",
    "permutation_importance",
    "role_worth",
]
